"""A curator's working day: edit, exchange, mine, test, compare and preview lexicons.  Imported by the commands that need it."""
