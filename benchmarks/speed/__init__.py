"""How long a search waits."""
