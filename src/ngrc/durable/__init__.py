"""Series that survive a crash: rows in a database, and a snapshot of the state beside them."""
