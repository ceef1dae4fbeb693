"""The two files of a translation run: the queries to translate, and the translation memory that grows from them.

Both are read line by line.  A line that cannot be read is told with its place, and the rest goes on.
"""

from __future__ import annotations

import csv
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rewriter.errors import InputError
from rewriter.io.locks import lock_file
from rewriter.io.places import delimiter_of, name_of, read_bytes
from rewriter.pack.store import write_whole
from rewriter.text.normalise import memory_key

__all__ = ["MemoryFile", "Remembered", "Report", "merge_memories", "read_queries", "settle_rows"]

Report = Callable[[str], None]
"""Takes one sentence about something that was found and passed over."""

SYNC_LINES = 20
SYNC_SECONDS = 5.0
"""A power cut costs at most so many lines, and at most so many seconds of a slow run; a killed process costs none."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_FIELDS = ("source", "target", "backend", "date", "language")


class Remembered(NamedTuple):
    """A line of a memory.  `source` is a folded query, `extra` holds fields of other programs, `place` is where the line was read."""

    source: str
    target: str
    backend: str = ""
    date: str = ""
    language: str = ""
    extra: Mapping[str, Any] = {}
    place: str = ""

    @property
    def line(self) -> bytes:
        """JSON in ASCII, with its line end."""
        named = dict(zip(_FIELDS, self[:5], strict=True))
        return (json.dumps({**named, **dict(sorted(self.extra.items()))}) + "\n").encode("ascii")


Broken = tuple[bytes, str]
"""A line that is no translation, as it stands, and what is wrong with it."""


def parse_memory(data: bytes, name: str) -> tuple[list[Remembered], list[Broken]]:
    """The lines of a memory, and those that are none."""
    rows: list[Remembered] = []
    broken: list[Broken] = []
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            rows.append(_parse_row(json.loads(raw.decode("utf-8")), f"{name}:{number}"))
        except (ValueError, TypeError, RecursionError):
            broken.append((raw, f"{name}:{number}: this line has no `source` and `target`; write one JSON object a line."))
    return rows, broken


def _parse_row(item: Any, place: str) -> Remembered:
    """`ValueError` or `TypeError` for what is no translation."""
    if not isinstance(item, dict):
        raise TypeError
    source, target, backend, date, language = [item.pop(name, "") for name in _FIELDS]
    key = memory_key(source) if isinstance(source, str) else ""
    if not key or not isinstance(target, str) or not target.strip():
        raise ValueError
    return Remembered(key, target, str(backend), str(date), str(language), item, place)


def settle_rows(rows: Iterable[Remembered]) -> tuple[list[Remembered], list[str]]:
    """One row a source, sorted by source, and a sentence for each translation that gave way to another.

    The newest date wins, of equal dates the later row; a row without a date (or with one that is no `YYYY-MM-DD`) is the oldest.
    """
    kept: dict[str, Remembered] = {}
    conflicts = []
    for row in rows:
        old = kept.get(row.source)
        new = row if old is None or _age(row) >= _age(old) else old
        if old is not None and old.target != row.target:
            lost = old if new is row else row
            won = f"{new.target!r} ({new.date or 'no date'}, {new.place})"
            conflicts.append(f"{lost.place}: {lost.target!r} for {row.source!r} gives way to {won}.")
        kept[row.source] = new
    return [kept[source] for source in sorted(kept)], conflicts


def _age(row: Remembered) -> str:
    return row.date if _DATE.match(row.date) else ""


def merge_memories(places: Sequence[str], output: str, report: Report) -> tuple[int, int, int]:
    """Several memories as one (`-`: standard output), by the rule of `settle_rows`; conflicts and broken lines are told.

    The answer counts translations, conflicts and broken lines.
    """
    rows: list[Remembered] = []
    broken: list[Broken] = []
    for place in places:
        found, wrong = parse_memory(read_bytes(place), name_of(place))
        rows += found
        broken += wrong
        if wrong and place != "-" and os.path.realpath(place) == os.path.realpath(output):
            _set_aside(Path(output), wrong)
    kept, conflicts = settle_rows(rows)
    for told in (*[what for _, what in broken], *conflicts):
        report(told)
    data = b"".join([row.line for row in kept])
    if output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_whole(Path(output), data)
    return len(kept), len(conflicts), len(broken)


class MemoryFile:
    """A memory that is being filled: read once, appended a whole line at a time, rewritten sorted when it is closed.

    Only one process fills a memory at a time.  `broken` counts the lines that were none; they move to `NAME.broken`.
    """

    def __init__(self, path: Path, report: Report) -> None:
        self.path = Path(os.path.realpath(path))
        self._report = report
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            self._locked = lock_file(self._file, self.path)
        except InputError:
            self._release()
            raise
        data = self.path.read_bytes()
        rows, broken = parse_memory(data, str(path))
        self.broken = len(broken)
        self.sources = {row.source for row in rows}
        self._unsynced, self._synced_at = 0, time.monotonic()
        for _, what in broken:
            report(what)
        if data and not data.endswith(b"\n"):
            self._write(b"\n")

    def append(self, row: Remembered) -> None:
        """Put a translation into the file, at once and as a whole line."""
        self._write(row.line)
        self.sources.add(row.source)
        self._unsynced += 1
        if self._unsynced >= SYNC_LINES or time.monotonic() - self._synced_at >= SYNC_SECONDS:
            os.fsync(self._file)
            self._unsynced, self._synced_at = 0, time.monotonic()

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]

    def close(self) -> None:
        """Rewrite the file sorted, one line a source; broken lines go beside it."""
        try:
            os.fsync(self._file)
            data = self.path.read_bytes()
            rows, broken = parse_memory(data, str(self.path))
            kept, conflicts = settle_rows(rows)
            for told in conflicts:
                self._report(told)
            settled = b"".join([row.line for row in kept])
            if not self._locked:  # where nothing can be locked (Windows), an open file cannot be replaced either
                self._release()
            if settled != data:
                _set_aside(self.path, broken)
                write_whole(self.path, settled)
        finally:
            self._release()

    def _release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _set_aside(path: Path, broken: Sequence[Broken]) -> None:
    """Broken lines are kept for whoever wrote them, in a file beside the memory, which could not be loaded with them."""
    if broken:
        with open(f"{path}.broken", "ab") as file:
            file.write(b"".join([raw.rstrip(b"\r") + b"\n" for raw, _ in broken]))


def read_queries(place: str, column: str) -> tuple[list[str], list[str]]:
    """Queries of a file (`-`: standard input) in order, and a sentence for each line that holds none.

    JSONL by the field `column` (or a string a line), CSV and TSV by the column, else a line each.  `.jsonl`, `.ndjson`, `.csv` and
    `.tsv` say what a file is; any other is JSONL where its first line begins with `{`.  `InputError` for a file that cannot be read,
    or a table without the column.
    """
    where, suffix = name_of(place), Path(place).suffix.lower()
    lines = read_bytes(place).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape").split("\n")
    if suffix in (".csv", ".tsv"):
        found = _read_table(lines, where, column)
    else:
        as_json = suffix in (".jsonl", ".ndjson") or lines[0].lstrip().startswith("{")
        found = ((n, _query_of(line, column) if as_json else line) for n, line in enumerate(lines, 1) if line.strip())
    queries, broken = [], []
    for number, query in found:
        if query is None:
            broken.append(f"{where}:{number}: this line has no text under `{column}`; name another with --column.")
        elif re.search("[\udc80-\udcff]", query):
            broken.append(f"{where}:{number}: this line is no UTF-8 text; save the file as UTF-8.")
        else:
            queries.append(query)
    return queries, broken


def _query_of(line: str, column: str) -> str | None:
    """The query in a line of JSON: a string, or the field of an object."""
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return None
    found = item.get(column) if isinstance(item, dict) else item
    return found if isinstance(found, str) else None


def _read_table(lines: Sequence[str], where: str, column: str) -> Iterator[tuple[int, str | None]]:
    """Last line and query of each row.  The header says what parts the columns."""
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter_of(lines[0]))
    header = [name.strip() for name in next(rows, [])]
    if column not in header:
        raise InputError(f"{where}:1: there is no column {column!r} but {', '.join(header) or 'none'}; name one with --column.")
    at = header.index(column)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield rows.line_num, None
            continue
        if any([cell.strip() for cell in row]):
            yield rows.line_num, row[at] if at < len(row) else None
