"""Reading requests, turns and results from files."""
