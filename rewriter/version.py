"""The version: it moves when the plan of any request changes."""

__version__ = "0.1.0"
