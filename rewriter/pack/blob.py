"""The text of the entries, read a piece at a time: in place where it was checked at opening, else by the checked block."""

from __future__ import annotations

import os
import weakref
import zlib
from collections.abc import Sequence

from rewriter.errors import PackError
from rewriter.pack.format import BLOCK

__all__ = ["Blob"]


class Blob:
    """A section of a pack.

    `checks` are the CRC-32 of its blocks, None where the whole was checked when the pack was opened.  With `file` (a descriptor,
    duplicated here), blocks are read from the file (from `offset` on) and not through the map, whose pages would stay in memory:
    a lexicon of a million senses is some 300 MB of text, of which a process needs a few entries.
    """

    __slots__ = ("__weakref__", "_checks", "_file", "_offset", "_view", "_where")

    def __init__(
        self, view: memoryview, where: str, checks: Sequence[int] | None = None, file: int | None = None, offset: int = 0
    ) -> None:
        self._view = view
        self._where = where
        self._checks = checks
        self._offset = offset
        self._file: int | None = None
        if file is not None and checks is not None and hasattr(os, "pread"):
            self._file = os.dup(file)
            weakref.finalize(self, os.close, self._file)

    def read(self, start: int, end: int) -> bytes:
        """The bytes from `start` to `end`; `PackError` where their block is damaged."""
        if self._checks is None:
            return bytes(self._view[start:end])
        first = start // BLOCK
        data = self._read_raw(first * BLOCK, min(-(-end // BLOCK) * BLOCK, len(self._view)))
        for i in range(0, len(data), BLOCK):
            if zlib.crc32(data[i : i + BLOCK]) != self._checks[first + i // BLOCK]:
                raise PackError(f"{self._where} is damaged in section 'entries.json'; compile it again.")
        return data[start - first * BLOCK : end - first * BLOCK]

    def _read_raw(self, start: int, end: int) -> bytes:
        if self._file is None:
            return bytes(self._view[start:end])
        return os.pread(self._file, end - start, self._offset + start)
