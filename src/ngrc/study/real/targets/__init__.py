"""The targets of the analysis of real data, one per table of the paper; what they share lies beside this folder."""
