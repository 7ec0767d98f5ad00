"""The paper's printed tables of the real-data study, typed in once."""
