"""A large section, read a piece at a time: in place where it was checked at opening, else by the checked block."""

from __future__ import annotations

import os
import weakref
import zlib
from collections.abc import Sequence

from rewriter.errors import PackError
from rewriter.pack.format import BLOCK, read_range

__all__ = ["Blob"]


class Blob:
    """The section `name` of `size` bytes at `start` of a pack.

    `checks` are the CRC-32 of its blocks, None where the whole was checked when the pack was opened.  Else blocks are read from
    `file` (a descriptor, duplicated here) and not through the map: a million senses are some 300 MB of text, of which a process
    needs a few entries.
    """

    __slots__ = ("__weakref__", "_checks", "_data", "_file", "_name", "_size", "_start", "_where")

    def __init__(
        self, data: memoryview, start: int, size: int, name: str, where: str, checks: Sequence[int] | None = None, file: int | None = None
    ) -> None:
        self._data = data
        self._start = start
        self._size = size
        self._name = name
        self._where = where
        self._checks = checks
        self._file: int | None = None
        if file is not None and checks is not None:
            self._file = os.dup(file)
            weakref.finalize(self, os.close, self._file)

    def read(self, start: int, end: int) -> bytes:
        """The bytes of the section from `start` to `end`; `PackError` where their block is damaged."""
        if self._checks is None:
            return bytes(self._data[self._start + start : self._start + end])
        first = start // BLOCK
        last = min(-(-end // BLOCK) * BLOCK, self._size)
        data = read_range(self._data, self._file, self._start + first * BLOCK, self._start + last)
        view = memoryview(data)
        for i in range(0, len(data), BLOCK):
            if zlib.crc32(view[i : i + BLOCK]) != self._checks[first + i // BLOCK]:
                raise PackError(f"{self._where} is damaged in section {self._name!r}; compile it again.")
        return data[start - first * BLOCK : end - first * BLOCK]
