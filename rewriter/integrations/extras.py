"""What is said when a framework is not installed."""

from __future__ import annotations

__all__ = ["missing_extra"]


def missing_extra(extra: str, cause: ImportError) -> ImportError:
    """The error of a module whose framework is absent: what is missing, and how to get it.

    >>> str(missing_extra("mcp", ImportError("No module named 'mcp'")))
    "No module named 'mcp'; install it with `pip install 'rewriter[mcp]'`."
    """
    return ImportError(f"{str(cause).rstrip('.')}; install it with `pip install 'rewriter[{extra}]'`.", name=cause.name)
