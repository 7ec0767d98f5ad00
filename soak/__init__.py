"""`ngrc stream` killed at random instants for a set time; what it said and kept against a run that nobody touched."""
