"""The language pack: compiled once from the lexicons and the field's libraries, opened by mmap at run time."""
