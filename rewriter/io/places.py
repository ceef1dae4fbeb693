"""A file, or standard input where its place is `-`."""

from __future__ import annotations

import sys
from pathlib import Path

from rewriter.errors import InputError

__all__ = ["delimiter_of", "name_of", "read_bytes", "read_text"]

_HINT = "give a file, or `-` for standard input"


def delimiter_of(header: str) -> str:
    """What parts the columns of a table, by its first line: comma, semicolon (Excel, by country) or tab.

    >>> delimiter_of("query;session;count"), delimiter_of("query")
    (';', ',')
    """
    return max(",;\t", key=header.count)


def name_of(place: str) -> str:
    """The place as messages name it."""
    return "standard input" if place == "-" else place


def read_bytes(place: str, hint: str = _HINT) -> bytes:
    """All of a file or of standard input; `InputError` with what to do (`hint`) where it cannot be read."""
    try:
        return sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
    except OSError as error:
        raise InputError(f"{name_of(place)} cannot be read ({error.strerror}); {hint}.") from None


def read_text(place: str, hint: str = _HINT) -> str:
    """The same as UTF-8 text with its line ends; `InputError` names the line of what is none."""
    data = read_bytes(place, hint)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name_of(place)}:{line}: this is no UTF-8 text; save the file as UTF-8.") from None
