"""ResCP's two recurrences and its selections, on the real series and on the Volterra system side by side."""
