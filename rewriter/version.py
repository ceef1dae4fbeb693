"""The version: it moves when the plan of any request changes."""

__all__ = ["__version__"]

__version__ = "0.1.0"
