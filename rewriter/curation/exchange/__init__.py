"""Lexicons in other people's formats: each module reads and writes one, bytes in, rows out, and says what it cannot hold."""
