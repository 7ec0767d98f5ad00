"""The conventions of other packages: scikit-learn, sktime and Nixtla; each is imported by its own name."""
