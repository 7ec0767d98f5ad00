"""How accurate the automatic model is, beside what its user would otherwise pick, on every public series at hand."""
