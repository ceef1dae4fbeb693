"""Where a compiled pack lives: beside the package in a wheel, else in the user's cache folder, else in memory."""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rewriter.errors import PackError
from rewriter.pack.format import FORMAT_VERSION
from rewriter.pack.open import Pack

__all__ = ["cache_folder", "content_key", "map_pack", "obtain_pack", "write_atomic"]

SHIPPED = Path(__file__).with_name("rewriter.pack")
"""The pack that the build puts into a wheel."""


def map_pack(path: Path) -> Pack:
    """Open a pack by mmap; `PackError` when it is damaged, foreign or unreadable."""
    try:
        with open(path, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise PackError(f"{path} cannot be opened as a language pack ({error}); compile it again.") from None
    return Pack(data, str(path))


def content_key(files: Iterable[Path], versions: Sequence[str]) -> str:
    """Hash of everything a pack is made from: lexicon files, library versions, format."""
    digest = hashlib.sha256(f"{FORMAT_VERSION} {' '.join(versions)}\n".encode())
    for file in sorted(files, key=lambda f: f.as_posix()):
        data = file.read_bytes()
        digest.update(f"{file.parent.name}/{file.name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """The user's cache folder for compiled packs (`XDG_CACHE_HOME` and its equals on other systems)."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("rewriter", appauthor=False))


def obtain_pack(key: str, build: Callable[[], bytes]) -> Pack:
    """The pack of this key from the cache, or built and put there; in memory, with a warning, where it cannot be kept."""
    path = cache_folder() / f"{key}.pack"
    if path.exists():
        with contextlib.suppress(PackError):
            return map_pack(path)
    data = build()
    try:
        write_atomic(path, data)
        return map_pack(path)
    except (OSError, PackError) as error:
        print(f"rewriter: the language pack stays in memory, since {path.parent} cannot be written ({error}).", file=sys.stderr)
        return Pack(data, "a language pack in memory")


def write_atomic(path: Path, data: bytes) -> None:
    """The whole file or none of it: written beside, flushed, renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
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
