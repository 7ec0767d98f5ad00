"""The paper's real-data analysis: one file a target, its printed numbers in the file of the same name with `_printed`."""
