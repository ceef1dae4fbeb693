"""Data files of the package itself: constants too long for code, read once when they are first needed."""

from __future__ import annotations

from pathlib import Path

__all__ = ["read_lines", "read_text"]


def read_lines(name: str) -> list[str]:
    """The lines of a data file without comments (`#`), blank lines and outer white space."""
    lines = [line.split("#", 1)[0].strip() for line in read_text(name).split("\n")]
    return [line for line in lines if line]


def read_text(name: str) -> str:
    """All of a data file, by its path below this folder."""
    return Path(__file__).parent.joinpath(name).read_text(encoding="utf-8")
