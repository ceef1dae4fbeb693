"""Data files of the package itself: constants too long for code, read once when they are first needed."""

from __future__ import annotations

from pathlib import Path

__all__ = ["read_lines"]


def read_lines(name: str) -> list[str]:
    """The lines of a data file without comments (`#`), blank lines and outer white space."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    lines = [line.split("#", 1)[0].strip() for line in text.split("\n")]
    return [line for line in lines if line]
