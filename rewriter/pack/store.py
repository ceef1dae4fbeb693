"""Where a compiled pack lives: beside the package in a wheel, else in the user's cache folder, else in memory."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rewriter.errors import PackError
from rewriter.pack.format import FORMAT_VERSION, read_header, section, write_pack
from rewriter.pack.known import cached_pack, pack_file
from rewriter.pack.mapped import map_pack
from rewriter.pack.open import Pack

__all__ = ["content_key", "obtain_pack", "obtain_sections", "write_atomic", "write_whole"]

KEPT_PACKS = 8
"""Packs that stay in the cache folder, the newest ones: a few checkouts and branches, 60 MB."""


def content_key(files: Iterable[Path], versions: Sequence[str]) -> str:
    """Hash of everything a pack is made from: lexicon files, library versions, format."""
    digest = hashlib.sha256(f"{FORMAT_VERSION} {' '.join(versions)}\n".encode())
    for file in sorted(files, key=lambda f: f.as_posix()):
        data = file.read_bytes()
        digest.update(f"{file.parent.name}/{file.name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


def obtain_pack(key: str, build: Callable[[], bytes]) -> Pack:
    """The pack of this key from the cache, or built and put there; in memory, with a warning, where it cannot be kept."""
    found = cached_pack(key)
    if found is not None:
        return found
    data = build()
    path = Path(pack_file(key))
    try:
        write_atomic(path, data)
        _forget_old(path.parent)
        return map_pack(path)
    except (OSError, PackError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        print(f"rewriter: the language pack stays in memory, since {path.parent} cannot be written ({reason}).", file=sys.stderr)
        return Pack(data, "a language pack in memory")


def obtain_sections(key: str, build: Callable[[], Mapping[str, bytes]]) -> dict[str, bytes]:
    """Sections kept under this key in the cache, or built and put there: what took long survives a compile that is broken off."""
    path = Path(pack_file(key)).with_suffix(".sections")
    with contextlib.suppress(OSError, PackError):
        data = path.read_bytes()
        contents, base = read_header(data, str(path))
        names = [name for name in contents["sections"] if not name.endswith(".blocks")]
        return {name: bytes(section(memoryview(data), contents, base, name)) for name in names}
    sections = dict(build())
    with contextlib.suppress(OSError):
        write_atomic(path, write_pack(sections, {}, frozenset()))
        _forget_old(path.parent, "*.sections")
    return sections


def write_atomic(path: Path, data: bytes) -> None:
    """The whole file or none of it: written beside, flushed, renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.parent / f".{path.name}.{os.getpid()}-{time.monotonic_ns()}"
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)  # the umask decides who reads
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def write_whole(path: Path, data: bytes) -> None:
    """The whole file or none of it, through symbolic links, with the permissions that it had or that a new file gets."""
    path = Path(os.path.realpath(path))
    if path.exists():
        mode = path.stat().st_mode & 0o7777
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    write_atomic(path, data)
    with contextlib.suppress(OSError):
        path.chmod(mode)


def _forget_old(folder: Path, kind: str = "*.pack") -> None:
    """Drop all but the newest packs; who has one open keeps it."""
    with contextlib.suppress(OSError):
        packs = sorted(folder.glob(kind), key=lambda p: (-p.stat().st_mtime_ns, p.name))
        for path in packs[KEPT_PACKS:]:
            path.unlink()
