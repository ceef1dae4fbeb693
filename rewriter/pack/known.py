"""What each start in a checkout does: find the pack of last time, as long as its files are the same.

Paths are plain text here: pathlib, hashlib and json together would cost as much as the answer to a query.
"""

# ruff: noqa: PTH100, PTH110, PTH111, PTH116, PTH118, PTH120
from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterable, Mapping

from rewriter.errors import PackError
from rewriter.pack.mapped import map_pack
from rewriter.pack.open import Pack

__all__ = [
    "CODE", "PINNED", "SUFFIXES", "cache_place", "cached_pack", "files_under", "known_pack", "lexicons_are_installed", "lexicons_place",
    "made_from", "pack_file", "read_record", "record_file", "stamp_files",
]  # fmt: skip

PINNED = {"babel": "2.19.0", "nltk": "3.10.4", "spacy": "3.8.18", "wordfreq": "3.1.1"}
"""The versions that a pack is compiled with: those of the extra `curate`, of the build, and of `NOTICE`."""
SUFFIXES = (".toml", ".tsv", ".jsonl")
"""Endings of lexicon files."""
CODE = (
    "lexicon/association.py", "lexicon/entries.py", "lexicon/parse.py", "lexicon/spoken.py", "lexicon/tables.py", "lexicon/vocabulary.py",
    "pack/compile.py", "pack/format.py", "pack/narrow.py", "pack/phrases.py", "pack/plain.py", "pack/sources.py", "text/bags.py",
    "text/empty.py", "text/en.py", "text/id.py", "text/keys.py", "text/light.py", "text/loans.py", "text/normalise.py",
)  # fmt: skip
"""What decides how lexicon files become a pack, beside the files themselves."""
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def known_pack(folder: str) -> Pack | None:
    """The pack that the record of this folder names; None where a file has changed or the pack is gone or damaged."""
    return cached_pack(read_record(folder, stamp_files(made_from(folder), PINNED)[0], PINNED))


def cached_pack(key: str) -> Pack | None:
    """The pack of this key from the cache; None where it is missing, damaged or of another format."""
    path = pack_file(key)
    if not key or not os.path.exists(path):
        return None
    try:
        return map_pack(path)
    except PackError:
        return None


def pack_file(key: str) -> str:
    """Where the pack of this key is kept."""
    return os.path.join(cache_place(), f"{key}.pack")


def lexicons_place() -> str:
    """The shipped lexicons as files: beside the package in a wheel, at the top of a checkout."""
    inside = os.path.join(_PACKAGE, "lexicons")
    return inside if os.path.exists(os.path.join(inside, "domains.toml")) else os.path.join(os.path.dirname(_PACKAGE), "lexicons")


def lexicons_are_installed() -> bool:
    """Are the shipped lexicons those of an installed wheel, which has them inside the package?"""
    return os.path.dirname(lexicons_place()) == _PACKAGE


def files_under(folder: str) -> list[str]:
    """Lexicon files under a folder, sorted by their path."""
    found = [f"{place}{os.sep}{name}" for place, _, names in os.walk(folder) for name in names if name.endswith(SUFFIXES)]
    return sorted(found, key=lambda name: name.replace(os.sep, "/"))


def made_from(folder: str = "") -> list[str]:
    """The files that a pack of this folder is made from: lexicons, and the modules that compile them (those alone without a folder)."""
    return [*(files_under(folder) if folder else ()), *[os.path.join(_PACKAGE, *name.split("/")) for name in CODE]]


def cache_place() -> str:
    """The user's cache folder for compiled packs: `XDG_CACHE_HOME` on Linux, its equals on other systems.

    The rule for Linux is written out, since importing platformdirs costs three times what opening a pack does.
    """
    if sys.platform == "linux" and "ANDROID_DATA" not in os.environ:
        return os.path.join(os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache"), "rewriter")
    import platformdirs

    return str(platformdirs.user_cache_dir("rewriter", appauthor=False))


def stamp_files(files: Iterable[str], versions: Mapping[str, str]) -> tuple[str, float]:
    """Versions, and names, sizes, times and inodes of the files, a line each; and the newest time in seconds."""
    lines = [f"{name}={version}" for name, version in sorted(versions.items())]
    newest = 0
    for file in files:
        found = os.stat(file)
        lines.append(f"{file} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}")
        newest = max(newest, found.st_mtime_ns, found.st_ctime_ns)
    return "\n".join(lines), newest / 1e9


def record_file(folder: str, versions: Mapping[str, str]) -> str:
    """Where the key of a folder is remembered.  Two folders with one checksum only forget each other: the stamp holds the paths."""
    named = "\n".join([folder, *[f"{name}={version}" for name, version in sorted(versions.items())]])
    return os.path.join(cache_place(), f"checkout-{zlib.crc32(os.fsencode(named)):08x}.txt")


def read_record(folder: str, stamp: str, versions: Mapping[str, str]) -> str:
    """The key that was recorded for these files, "" where there is none: the first line, before the stamp that it holds for."""
    try:
        with open(record_file(folder, versions), encoding="utf-8", errors="surrogateescape", newline="") as file:
            key, _, known = file.read().partition("\n")
    except OSError:
        return ""
    return key if known == stamp and key.isalnum() and key.isascii() else ""
