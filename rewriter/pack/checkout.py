"""The pack of a checkout: compiled once at first use, found again without the libraries that it is compiled with."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rewriter.pack.files import compile_folder, lexicon_files
from rewriter.pack.open import Pack
from rewriter.pack.sources import PINNED, library_versions
from rewriter.pack.store import cache_folder, cached_pack, content_key, obtain_pack, write_atomic

__all__ = ["checkout_key", "checkout_pack"]

SETTLED_SECONDS = 2.0
"""A file changed less than two seconds ago may change again within one tick of the file system's clock, at the same size: until
then its content is read at each start (the rule of git's index)."""
CODE = (
    "lexicon/entries.py", "lexicon/parse.py", "lexicon/tables.py", "pack/compile.py", "pack/format.py", "pack/narrow.py",
    "pack/sources.py", "text/bags.py", "text/en.py", "text/id.py", "text/loans.py", "text/normalise.py",
)  # fmt: skip
"""What decides how lexicon files become a pack, beside the files themselves."""


def checkout_pack(folder: Path) -> Pack:
    """The pack of a lexicon folder, compiled at first use; afterwards the cache answers.

    The key names the pinned versions of the source libraries, so that a cached pack is found where they are not installed.  A
    pack compiled with other versions is kept under a key of its own.
    """
    key = checkout_key(folder, PINNED)
    found = cached_pack(key)
    if found is not None:
        return found
    installed = library_versions()
    if installed != PINNED:
        other = ", ".join(f"{name} {installed[name]} for {wanted}" for name, wanted in PINNED.items() if installed[name] != wanted)
        print(f"rewriter: the language pack is made with {other}; `pip install 'rewriter[curate]'` gives the pinned ones.", file=sys.stderr)
        key = checkout_key(folder, installed)
    return obtain_pack(key, lambda: _compile(folder))


def checkout_key(folder: Path, versions: Mapping[str, str]) -> str:
    """`content_key` of a lexicon folder; the files are read again only when one of them has changed.

    A record in the cache folder remembers names, sizes and times of the files with the key that they had.
    """
    package = Path(__file__).parent.parent
    files = [*lexicon_files(folder), *(package / name for name in CODE)]
    named = [f"{name}={version}" for name, version in sorted(versions.items())]
    now = time.time()
    stamp, newest = _stamp(files, named)
    record = cache_folder() / f"checkout-{hashlib.sha256(str(folder).encode('utf-8', 'surrogateescape')).hexdigest()[:12]}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads(record.read_bytes())
        if known["stamp"] == stamp:
            return str(known["key"])
    key = content_key(files, named)
    if newest < now - SETTLED_SECONDS:
        with contextlib.suppress(OSError):
            write_atomic(record, json.dumps({"stamp": stamp, "key": key}).encode())
    return key


def _stamp(files: Iterable[Path], versions: Sequence[str]) -> tuple[str, float]:
    """Hash of names, sizes, times and inodes, and the newest time in seconds."""
    digest = hashlib.sha256("\n".join(versions).encode())
    newest = 0
    for file in files:
        found = file.stat()
        digest.update(f"{file} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}\n".encode("utf-8", "surrogateescape"))
        newest = max(newest, found.st_mtime_ns, found.st_ctime_ns)
    return digest.hexdigest(), newest / 1e9


def _compile(folder: Path) -> bytes:
    """The pack of the folder, with a line on standard error that says what is going on."""

    def say(what: str) -> None:
        print(f"\rrewriter: compiling the language pack (once): {what:<40}", end="", file=sys.stderr, flush=True)

    data = compile_folder(folder, say)
    print(f"\rrewriter: compiled the language pack, {len(data) // 1024} KiB{'':<40}", file=sys.stderr)
    return data
