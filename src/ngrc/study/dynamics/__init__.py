"""NGRC's home: chaotic systems forecast by their own free run, with the published settings."""
