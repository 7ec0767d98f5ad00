"""`Auto`: several methods as one, their ends weighted by how they fared, and coverage held on top."""
