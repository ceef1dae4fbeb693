"""Lexicons: entries, the files they are written in, and what is checked about them."""
