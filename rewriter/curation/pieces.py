"""A long list of work in pieces, which one process or several do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

__all__ = ["Share", "alone", "pieces_of"]

PIECE = 100
"""Queries that one process does at a time: a fifth of a second."""
Share = Callable[[Callable[..., Sequence[Any]], Sequence[Any], tuple[Any, ...]], Iterator[Any]]
"""`share(work, items, given)` yields what `work(piece, *given)` gives for all items, in their order."""


def pieces_of(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The list in pieces.

    >>> [len(piece) for piece in pieces_of(range(250))]
    [100, 100, 50]
    """
    for start in range(0, len(items), PIECE):
        yield items[start : start + PIECE]


def alone(work: Callable[..., Sequence[Any]], items: Sequence[Any], given: tuple[Any, ...]) -> Iterator[Any]:
    """All of it in this process."""
    for piece in pieces_of(items):
        yield from work(piece, *given)
