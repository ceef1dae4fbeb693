"""Rows cut into pieces of work, each with the digest of all rows up to its end.

Where a piece ends depends on the rows alone: the same input gives the same pieces, so that a continued run writes the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rewriter.batch.rows import Row
from rewriter.batch.sessions import Sessions

__all__ = ["CHUNK_CHARS", "Chunk", "cut_chunks"]

CHUNK_CHARS = 4_000_000
"""A piece ends early when its texts are so long: rows may carry whole conversations."""


class Chunk(NamedTuple):
    """Some rows, how many rows there are up to their end, and a digest of all of those."""

    rows: tuple[Row, ...]
    rows_read: int
    digest: str


def cut_chunks(rows: Iterable[Row], size: int, sessions: Sessions) -> Iterator[Chunk]:
    """Pieces of `size` rows, the last of fewer."""
    digest = hashlib.blake2b(digest_size=16)
    piece: list[Row] = []
    chars = read = 0
    for row in rows:
        placed = sessions.place(row)
        piece.append(placed)
        said = repr(tuple(placed))
        digest.update(said.encode("utf-8", "surrogatepass"))
        read, chars = read + 1, chars + len(said)
        if len(piece) >= size or chars >= CHUNK_CHARS:
            yield Chunk(tuple(piece), read, digest.hexdigest())
            piece, chars = [], 0
    if piece:
        yield Chunk(tuple(piece), read, digest.hexdigest())
