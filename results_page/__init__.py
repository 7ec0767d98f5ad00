"""The documentation's page of results, written from what `ngrc reproduce` and `make accuracy` left in a folder."""
