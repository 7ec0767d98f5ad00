"""The paper's analysis of real data: `targets` reproduce tables, `printed` holds their numbers, the rest is shared."""
