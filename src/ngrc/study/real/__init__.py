"""The paper's real-data analysis: one file a target, its printed numbers beside it in `..._printed`."""
