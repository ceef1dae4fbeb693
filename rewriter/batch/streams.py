"""The bytes of a file or of standard input, unpacked as they are read, and how far the reading is."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from types import ModuleType
from typing import IO, Any, cast

from rewriter.errors import InputError
from rewriter.io.places import name_of

__all__ = ["MAX_LINE_BYTES", "Line", "Stream", "need_arrow"]

MAX_LINE_BYTES = 1 << 24
"""A longer line is an error of its row: no conversation has 16 MB, and what is read must fit into memory."""
_BUFFER = 1 << 14
"""Small, since the lines in a buffer that meets damage are not read."""
_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"

Line = tuple[int, bytes | None]
"""Number from 1 and bytes without the line end; None for a line that is too long."""


def need_arrow(what: str) -> ModuleType:
    """`pyarrow`, or a sentence that says how to get it."""
    try:
        import pyarrow
    except ImportError:
        raise InputError(f"{what} needs pyarrow; run `pip install 'rewriter[batch]'`.") from None
    return cast("ModuleType", pyarrow)


class Stream:
    """An input that is read once from its beginning.  Compression goes by the first bytes, whatever the name.

    `size` is None for what has no size before its end; `position` counts bytes of the file as it lies there, packed.
    """

    def __init__(self, place: str) -> None:
        self.place, self.name = place, name_of(place)
        try:
            self._raw: IO[bytes] = sys.stdin.buffer if place == "-" else open(place, "rb")  # noqa: SIM115 (closed by `close`)
            first = cast("io.BufferedReader", self._raw).peek(4)[:4]
            status = os.fstat(self._raw.fileno())
        except (OSError, AttributeError, ValueError) as error:
            raise InputError(f"{self.name} cannot be read ({getattr(error, 'strerror', None) or error}); give a file, or `-`.") from None
        self.size = status.st_size if place != "-" else None
        self.is_parquet = first == _PARQUET
        self.share: float | None = None  # of a Parquet file that was read: by its rows, as it is not read from its beginning
        self._bytes = self._unpack(first)

    def _unpack(self, first: bytes) -> IO[bytes]:
        if first.startswith(_GZIP):
            return cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw))
        if first == _ZSTD:
            arrow: Any = need_arrow("zstd")
            return cast("IO[bytes]", io.BufferedReader(arrow.CompressedInputStream(arrow.PythonFile(self._raw), "zstd"), _BUFFER))
        return self._raw

    @property
    def position(self) -> int:
        """Bytes read so far, of `size`."""
        if self.share is not None and self.size is not None:
            return int(self.size * self.share)
        return self._raw.tell() if self.size is not None and not self._raw.closed else 0

    def lines(self) -> Iterator[Line]:
        """Every line in order; `InputError` with the line up to which a damaged file could be read."""
        number = 0
        try:
            while True:
                line = self._bytes.readline(MAX_LINE_BYTES + 1)
                if not line:
                    return
                number += 1
                if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                    while line and not line.endswith(b"\n"):
                        line = self._bytes.readline(MAX_LINE_BYTES)
                    yield number, None
                    continue
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                yield number, line.removesuffix(b"\n").removesuffix(b"\r")
        except (OSError, EOFError, zlib.error) as error:
            told = str(getattr(error, "strerror", None) or error).rstrip(".")
            raise InputError(f"{self.name}:{number + 1}: from here on it cannot be read ({told}); mend the file.") from None

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self.place != "-":
            self._raw.close()
