"""The pack's file format: a header, a table of contents, and sections of plain data.

    bytes 0–3    b"RWPK"
    bytes 4–7    format version, u32
    bytes 8–15   length of the table of contents, u64
    bytes 16–19  CRC-32 of the table of contents, u32
    bytes 20–23  zero
    then         the table of contents, UTF-8 JSON: sections, hashes, sources with version and licence
    then         the sections, each at a multiple of 8

All integers are little-endian.  A section is UTF-8 JSON, a marisa trie, or an array of u16 or u32.  Nothing depends on the
version of Python, and nothing in a pack is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from rewriter.errors import PackError

__all__ = ["FORMAT_VERSION", "read_header", "section", "write_pack"]

MAGIC = b"RWPK"
FORMAT_VERSION = 2
_HEADER = struct.Struct("<4sIQII")
CHECK_AT_OPEN = 1 << 24
"""Sections up to 16 MiB are checked when the pack is opened (3 ms a 10 MiB); larger ones by `rewriter lexicon compile --check`."""


def write_pack(sections: Mapping[str, bytes], about: Mapping[str, Any], lexicon_sections: frozenset[str]) -> bytes:
    """A pack as bytes.  The same sections give the same bytes.

    `about` is kept in the table of contents; two hashes are added to it: `lexicon_hash` over the named sections, and
    `pack_hash` over the others.
    """
    toc_sections: dict[str, list[int]] = {}
    blob = bytearray()
    for name in sorted(sections):
        blob += b"\0" * (-len(blob) % 8)
        toc_sections[name] = [len(blob), len(sections[name]), zlib.crc32(sections[name])]
        blob += sections[name]
    hashes = {
        key: hashlib.sha256(b"".join(n.encode() + b"\0" + sections[n] for n in sorted(sections) if (n in lexicon_sections) == wanted))
        .hexdigest()[:12]
        for key, wanted in (("lexicon_hash", True), ("pack_hash", False))
    }  # fmt: skip
    toc = json.dumps({**about, **hashes, "sections": toc_sections}, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    toc += b" " * (-(len(toc) + _HEADER.size) % 8)
    return _HEADER.pack(MAGIC, FORMAT_VERSION, len(toc), zlib.crc32(toc), 0) + toc + bytes(blob)


def read_header(data: bytes | memoryview, where: str) -> tuple[dict[str, Any], int]:
    """The table of contents and where the sections begin; `PackError` for a damaged or foreign file."""
    if len(data) < _HEADER.size:
        raise PackError(f"{where} is no language pack: it has only {len(data)} bytes; compile it again.")
    magic, version, length, crc, _ = _HEADER.unpack_from(data)
    if magic != MAGIC:
        raise PackError(f"{where} is no language pack; compile it again.")
    if version != FORMAT_VERSION:
        raise PackError(f"{where} has format {version}, this version reads {FORMAT_VERSION}; compile it again.")
    toc = bytes(data[_HEADER.size : _HEADER.size + length])
    if len(toc) != length or zlib.crc32(toc) != crc:
        raise PackError(f"{where} is damaged in its table of contents; compile it again.")
    contents: dict[str, Any] = json.loads(toc)
    base = _HEADER.size + length
    for name, (offset, size, check) in contents["sections"].items():
        if base + offset + size > len(data):
            raise PackError(f"{where} ends within section {name!r}; compile it again.")
        if size <= CHECK_AT_OPEN and zlib.crc32(data[base + offset : base + offset + size]) != check:
            raise PackError(f"{where} is damaged in section {name!r}; compile it again.")
    return contents, base


def section(data: memoryview, contents: Mapping[str, Any], base: int, name: str) -> memoryview:
    """The bytes of a section, without a copy."""
    offset, size, _ = contents["sections"][name]
    return data[base + offset : base + offset + size]
