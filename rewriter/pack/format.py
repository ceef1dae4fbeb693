"""The pack's file format: a header, a table of contents, and sections of plain data.

    bytes 0–3    b"RWPK"
    bytes 4–7    format version, u32
    bytes 8–15   length of the table of contents, u64
    bytes 16–19  CRC-32 of the table of contents, u32
    bytes 20–23  zero
    then         the table of contents, UTF-8 JSON: sections, hashes, sources with version and licence
    then         the sections, each at a multiple of 8

All integers are little-endian.  A section is UTF-8 JSON, a marisa trie, or an array of u16 or u32; `name.blocks` holds the
CRC-32 of each KiB of a large section.  Nothing depends on the version of Python, and nothing in a pack is ever executed.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Mapping

from rewriter.errors import PackError

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BLOCK", "FORMAT_VERSION", "checked_sections", "read_header", "read_range", "section", "write_pack"]

MAGIC = b"RWPK"
FORMAT_VERSION = 14
_HEADER = struct.Struct("<4sIQII")

CHECKED_AT_OPEN = 16 << 20
"""Sections are checked whole when a pack is opened, the smallest first, until their sum is 16 MiB: 5 ms, and all of the shipped pack
but its entries and the neighbours of senses.  Of those a sample is checked, and each block again when it is read; all of it by
`rewriter lexicon compile --check`."""
BLOCK = 1024
"""Bytes of a large section under one checksum: two or three entries, read and checked in a microsecond."""
WITH_BLOCKS = 1 << 20
"""Sections from 1 MiB on get checksums by the block."""
SAMPLED_BLOCKS = 64
"""Blocks of an unchecked section read at opening, spread evenly: they find a file of zeros, of another build, or cut and refilled."""


def write_pack(sections: Mapping[str, bytes], about: Mapping[str, Any], lexicon_sections: frozenset[str]) -> bytes:
    """A pack as bytes.  The same sections give the same bytes.

    `about` is kept in the table of contents; two hashes are added to it: `lexicon_hash` over the named sections, and
    `pack_hash` over the others.
    """
    import hashlib  # only writing hashes

    hashes = {key: hashlib.sha256() for key in ("lexicon_hash", "pack_hash")}
    for name in sorted(sections):
        digest = hashes["lexicon_hash" if name in lexicon_sections else "pack_hash"]
        digest.update(f"{name} {len(sections[name])}\n".encode())
        digest.update(sections[name])
    blocks = {f"{name}.blocks": _block_checks(data) for name, data in sections.items() if len(data) >= WITH_BLOCKS}
    parts: list[bytes] = []
    placed: dict[str, list[int]] = {}
    at = 0
    for name, data in sorted({**sections, **blocks}.items()):
        placed[name] = [at, len(data), zlib.crc32(data)]
        parts += [data, b"\0" * (-len(data) % 8)]
        at += len(data) + -len(data) % 8
    found = {key: digest.hexdigest()[:12] for key, digest in hashes.items()}
    toc = json.dumps({**about, **found, "sections": placed}, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    toc += b" " * (-(len(toc) + _HEADER.size) % 8)
    return b"".join([_HEADER.pack(MAGIC, FORMAT_VERSION, len(toc), zlib.crc32(toc), 0), toc, *parts])


def read_header(data: bytes | memoryview, where: str, file: int | None = None) -> tuple[dict[str, Any], int]:
    """The table of contents and where the sections begin; `PackError` for a damaged or foreign file.

    `file` is the descriptor of a mapped file.
    """
    if len(data) < _HEADER.size:
        raise PackError(f"{where} is no language pack: it has only {len(data)} bytes; compile it again.")
    magic, version, length, crc, zero = _HEADER.unpack_from(data)
    if magic != MAGIC:
        raise PackError(f"{where} is no language pack; compile it again.")
    if version != FORMAT_VERSION:
        raise PackError(f"{where} has format {version}, this version reads {FORMAT_VERSION}; compile it again.")
    toc = bytes(data[_HEADER.size : _HEADER.size + length])
    if zero or len(toc) != length or zlib.crc32(toc) != crc:
        raise PackError(f"{where} is damaged in its table of contents; compile it again.")
    contents: dict[str, Any] = json.loads(toc)
    base = _HEADER.size + length
    whole = checked_sections(contents)
    view = memoryview(data)
    for name, (offset, size, check) in contents["sections"].items():
        if base + offset + size > len(data):
            raise PackError(f"{where} ends within section {name!r}; compile it again.")
        if name in whole:
            holds = zlib.crc32(section(view, contents, base, name)) == check
        else:
            holds = _sample_holds(view, contents, base, name, file)
        if not holds:
            raise PackError(f"{where} is damaged in section {name!r}; compile it again.")
    return contents, base


def checked_sections(contents: Mapping[str, Any]) -> frozenset[str]:
    """The sections that are checked whole at opening."""
    total = 0
    names = []
    for name, (_, size, _) in sorted(contents["sections"].items(), key=lambda item: (item[1][1], item[0])):
        total += size
        if total > CHECKED_AT_OPEN and f"{name}.blocks" in contents["sections"]:
            break
        names.append(name)
    return frozenset(names)


def section(data: memoryview, contents: Mapping[str, Any], base: int, name: str) -> memoryview:
    """The bytes of a section, without a copy."""
    offset, size, _ = contents["sections"][name]
    return data[base + offset : base + offset + size]


def _block_checks(data: bytes) -> bytes:
    view = memoryview(data)
    return b"".join([zlib.crc32(view[i : i + BLOCK]).to_bytes(4, "little") for i in range(0, len(data), BLOCK)])


def read_range(data: memoryview, file: int | None, start: int, end: int) -> bytes:
    """Bytes of a pack, through the file where there is one: each page that is read through a map brings its neighbours, up to
    2 MiB of them, into the memory of the process.
    """
    if file is None or not hasattr(os, "pread"):
        return bytes(data[start:end])
    return os.pread(file, end - start, start)


def _sample_holds(data: memoryview, contents: Mapping[str, Any], base: int, name: str, file: int | None) -> bool:
    checks = section(data, contents, base, f"{name}.blocks")
    offset, size, _ = contents["sections"][name]
    start, end = base + offset, base + offset + size
    last = len(checks) // 4 - 1
    for i in sorted({last * k // (SAMPLED_BLOCKS - 1) for k in range(SAMPLED_BLOCKS)}):
        block = read_range(data, file, start + i * BLOCK, min(start + (i + 1) * BLOCK, end))
        if zlib.crc32(block) != int.from_bytes(checks[4 * i : 4 * i + 4], "little"):
            return False
    return True
