"""Making records, running many of them, and checking what was made."""
