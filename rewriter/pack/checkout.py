"""The pack of a checkout: compiled once at first use, found again without the libraries that it is compiled with."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from rewriter.pack.collector import collector_off
from rewriter.pack.files import compile_folder
from rewriter.pack.known import PINNED, cached_pack, made_from, read_record, record_file, stamp_files
from rewriter.pack.open import Pack
from rewriter.pack.sources import library_versions
from rewriter.pack.store import content_key, obtain_pack, obtain_sections, write_atomic

__all__ = ["checkout_key", "checkout_pack", "compile_kept"]

SETTLED_SECONDS = 2.0
"""A file changed less than two seconds ago may change again within one tick of the file system's clock, at the same size: until
then its content is read at each start (the rule of git's index)."""


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
    return obtain_pack(key, lambda: _compile(folder, installed))


def checkout_key(folder: Path, versions: Mapping[str, str]) -> str:
    """`content_key` of a lexicon folder; the files are read again only when one of them has changed.

    A record in the cache folder remembers names, sizes and times of the files with the key that they had.
    """
    files = made_from(str(folder))
    now = time.time()
    stamp, newest = stamp_files(files, versions)
    key = read_record(str(folder), stamp, versions)
    if key:
        return key
    key = content_key(map(Path, files), [f"{name}={version}" for name, version in sorted(versions.items())])
    if newest < now - SETTLED_SECONDS:
        with contextlib.suppress(OSError):
            write_atomic(Path(record_file(str(folder), versions)), f"{key}\n{stamp}".encode("utf-8", "surrogateescape"))
    return key


def compile_kept(folder: Path, versions: Mapping[str, str], progress: Callable[[str], None]) -> bytes:
    """The pack of a folder over the sections of the source libraries, which the cache keeps apart: they outlive a change of the lexicon."""

    def sections() -> Mapping[str, bytes]:
        from rewriter.pack.compile import compile_sources

        made = content_key([Path(name) for name in made_from()], [f"{name}={version}" for name, version in sorted(versions.items())])
        return obtain_sections(made, lambda: compile_sources(progress))

    with collector_off():
        return compile_folder(folder, progress, sections)


def _compile(folder: Path, versions: Mapping[str, str]) -> bytes:
    """The pack of the folder, with a line on standard error that says what is going on."""

    def say(what: str) -> None:
        print(f"\rrewriter: compiling the language pack (once): {what:<40}", end="", file=sys.stderr, flush=True)

    data = compile_kept(folder, versions, say)
    print(f"\rrewriter: compiled the language pack, {len(data) // 1024} KiB{'':<40}", file=sys.stderr)
    return data
