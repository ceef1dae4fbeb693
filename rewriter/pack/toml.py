"""TOML of lexicon files, read once: what tomllib gave for a text is kept in the user's cache folder, as JSON under a hash of the text.

tomllib takes five seconds for the shipped lexicons, JSON four tenths of one; so a command reads only what has changed since.  A folder
that cannot be written means that nothing is kept, and a damaged file that its text is read as TOML again.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from rewriter.pack.known import cache_place
from rewriter.pack.store import write_atomic

__all__ = ["load_toml"]

WORTH = 8_000
"""Characters from which on a text is kept: below, tomllib is as fast as opening a file."""
KEPT_BYTES = 100_000_000
"""Of all that is kept; what was not used for the longest time goes first.  The shipped lexicons are 15 MB."""
_DATE = "\0date"
_DATES = {kind.__name__: kind for kind in (datetime.datetime, datetime.date, datetime.time)}


def load_toml(text: str) -> dict[str, Any]:
    """What `tomllib.loads` gives, its errors too."""
    if len(text) < WORTH:
        return tomllib.loads(text)
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half a character: no file's text
        return tomllib.loads(text)
    version = f"{sys.version_info[:2]}\n".encode()  # of TOML, which comes with that of Python
    path = Path(cache_place()) / "toml" / f"{hashlib.sha256(version + data).hexdigest()[:32]}.json"
    found = _kept(path)
    if found is None:
        found = tomllib.loads(text)
        _keep(path, found)
    return found


def _kept(path: Path) -> dict[str, Any] | None:
    """What was kept, marked as used now; None where nothing was, or it is damaged."""
    try:
        digest, _, body = path.read_bytes().partition(b"\n")
        if digest.decode() != _digest(body):
            return None
        found: dict[str, Any] = _decoded(body)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return found


def _keep(path: Path, found: dict[str, Any]) -> None:
    try:
        body = json.dumps(found, ensure_ascii=False, separators=(",", ":"), default=_coded).encode()
        if _decoded(body) != found:  # a table that looks like a date, a number that is none
            return
        write_atomic(path, f"{_digest(body)}\n".encode() + body)
        _forget_old(path.parent)
    except (OSError, ValueError, RecursionError):
        return


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _coded(value: Any) -> dict[str, str]:
    return {_DATE: f"{type(value).__name__} {value.isoformat()}"}


def _decoded(body: bytes) -> Any:
    """The data; dates are looked for only where there are any."""
    return json.loads(body, object_hook=_with_dates if rb"\u0000date" in body else None)


def _with_dates(table: dict[str, Any]) -> Any:
    if table.keys() != {_DATE}:
        return table
    kind, _, value = str(table[_DATE]).partition(" ")
    return _DATES[kind].fromisoformat(value) if kind in _DATES else table


def _forget_old(folder: Path) -> None:
    """Drop the files that were not used for the longest time, beyond what may be kept."""
    with contextlib.suppress(OSError):
        with os.scandir(folder) as found:
            files = sorted(((f.stat().st_mtime_ns, f.stat().st_size, f.path) for f in found if f.name.endswith(".json")), reverse=True)
        size = 0
        for _, bytes_, path in files:
            size += bytes_
            if size > KEPT_BYTES:
                os.unlink(path)
