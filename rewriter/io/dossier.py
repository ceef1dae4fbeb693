"""Dossiers on disk: a JSONL file that only grows, one search a line."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from rewriter.dossier.entry import Dossier, read_dossier
from rewriter.errors import InputError, RewriterError
from rewriter.io.places import name_of, read_text
from rewriter.model import Plan

__all__ = ["append_dossier", "pick_dossier", "read_dossiers", "read_plan"]


def append_dossier(path: str | Path, dossier: Dossier) -> None:
    """Append one line, whole or not at all, also when several processes write to one file.

    The line goes out in one write to a file opened for appending, under a lock where the system has one; if the disk is full the
    file is cut back to what it was.  A last line that somebody left without its end is ended first, so that only it is lost.
    """
    line = dossier.to_json().encode("ascii") + b"\n"
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "r+b", buffering=0) as file, _locked(file.fileno()):
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                line = b"\n" + line
        try:
            if file.write(line) != len(line):
                raise OSError(28, "no space is left", str(place))
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(file.fileno(), size)
            raise


@contextlib.contextmanager
def _locked(handle: int) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # no such locks: the single appending write has to do
        yield
        return
    with contextlib.suppress(OSError):  # nor on every file system
        fcntl.flock(handle, fcntl.LOCK_EX)
    yield  # closing the file gives the lock back


def read_dossiers(place: str | Path) -> Iterator[Dossier | InputError]:
    """Each dossier of a file (`-`: standard input), and for a damaged line the error that names it, so that one hides no other."""
    where = name_of(str(place))
    for number, line in _lines(place):
        try:
            yield _parse(line, f"{where}:{number}")
        except InputError as error:
            yield error


def _lines(place: str | Path) -> list[tuple[int, str]]:
    text = read_text(str(place), "give a JSONL file of dossiers")
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def pick_dossier(place: str | Path, at: int | None = None, query: str | None = None) -> Dossier:
    """One dossier of a file: the last, the `at`-th (from 1; -1 is the last, -2 the one before), of those with `query` where it is given.

    Only lines that may be meant are parsed as dossiers, so that a damaged one does not hide the others.
    """
    where = name_of(str(place))
    lines = _lines(place)
    if query is not None:
        lines = [(n, line) for n, line in lines if _query_of(line) == query]
    wanted = -1 if at is None else at
    if not lines or not -len(lines) <= wanted <= len(lines) or wanted == 0:
        of = f" of {query!r}" if query is not None else ""
        what = f"there is no dossier number {wanted}{of}: it has {len(lines)}" if lines else f"it has no dossier{of}"
        raise InputError(f"{where}: {what}; `rewriter dossier list` lists them.")
    number, line = lines[wanted - 1 if wanted > 0 else wanted]
    return _parse(line, f"{where}:{number}")


def _query_of(line: str) -> str | None:
    try:
        return str(json.loads(line)["plan"]["query"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _parse(line: str, place: str) -> Dossier:
    try:
        return read_dossier(json.loads(line))
    except RewriterError as error:
        raise InputError(f"{place}: {str(error).rstrip('.')}.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: this is no JSON ({error}); the line is damaged, take it out or restore it.") from None


def read_plan(place: str) -> Plan:
    """The plan of a file (`-`: standard input) that `rewriter rewrite --json` wrote; `InputError` where it holds none, or several."""
    lines = [line for line in read_text(place, "give the output of `rewriter rewrite --json`").split("\n") if line.strip()]
    if len(lines) != 1:
        raise InputError(f"{name_of(place)} has {len(lines)} lines and must have one plan; give the output of `rewriter rewrite --json`.")
    try:
        return Plan.from_dict(json.loads(lines[0]))
    except RewriterError as error:
        raise InputError(f"{name_of(place)}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name_of(place)}: this is no JSON ({error}); give the output of `rewriter rewrite --json`.") from None
