"""Query logs from disk, streamed: JSONL, CSV, TSV, Parquet, or text with a query a line."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import IO, Any

from rewriter.errors import InputError
from rewriter.io.places import delimiter_of
from rewriter.record import record

__all__ = ["Columns", "Logged", "read_log"]

BATCH = 8_192
"""Rows of a Parquet file in memory at a time."""


@record
class Columns:
    """Where a log has its fields; a log without `session` has no reformulations, one without `count` counts each row once."""

    query: str = "query"
    session: str = "session"
    context: str = "context"
    count: str = "count"


@record
class Logged:
    """A query of a log: how often, in which session ("": unknown), after which turns."""

    query: str
    session: str = ""
    context: tuple[Any, ...] = ()
    count: int = 1


def read_log(place: str, columns: Columns | None = None) -> Iterator[Logged]:
    """The queries of a log (`-`: standard input, text or JSONL), in its order; blank ones are left out.

    `InputError` with file and line for what cannot be read.
    """
    columns = columns or Columns()
    suffix = Path(place).suffix.lower() if place != "-" else ""
    if suffix == ".parquet":
        yield from _read_parquet(place, columns)
        return
    try:
        raw: IO[bytes] = sys.stdin.buffer if place == "-" else open(place, "rb")  # noqa: SIM115 (closed below, unless it is ours to keep)
    except OSError as error:
        raise InputError(f"{place} cannot be read ({error.strerror}); give a log of queries, or `-` for standard input.") from None
    try:
        lines = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="strict", newline="")
        if suffix in (".csv", ".tsv"):
            yield from _read_table(lines, place, columns)
        else:
            yield from _read_lines(lines, place, suffix == ".jsonl", columns)
    except UnicodeDecodeError as error:
        raise InputError(f"{place} is no UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8.") from None
    finally:
        if place != "-":
            raw.close()


def _read_lines(lines: IO[str], place: str, is_json: bool, columns: Columns) -> Iterator[Logged]:
    for number, line in enumerate(lines, 1):
        text = line.strip("\r\n")
        if not text.strip():
            continue
        if number == 1 and not is_json and text.startswith("{"):
            is_json = True
        if not is_json:
            yield Logged(text)
            continue
        try:
            row = json.loads(text)
        except ValueError as error:
            raise InputError(f"{place}:{number}: this line is no JSON ({error}); write one object a line.") from None
        if isinstance(row, str):
            row = {columns.query: row}
        if not isinstance(row, Mapping):
            raise InputError(f"{place}:{number}: this line is a JSON {type(row).__name__}; write one object a line.")
        yield from _logged(row, f"{place}:{number}", columns)


def _read_table(lines: IO[str], place: str, columns: Columns) -> Iterator[Logged]:
    csv.field_size_limit(2**31 - 1)
    header = lines.readline()
    reader = csv.DictReader(chain([header], lines), delimiter=delimiter_of(header))
    try:
        if columns.query not in (reader.fieldnames or ()):
            has = ", ".join(reader.fieldnames or ()) or "nothing"
            raise InputError(f"{place}:1 has no column {columns.query!r}; it has {has}; name the one with the queries by --column.")
        for row in reader:
            yield from _logged(row, f"{place}:{reader.line_num}", columns)
    except csv.Error as error:
        raise InputError(f"{place}:{reader.line_num}: this line cannot be read ({error}); correct it.") from None


def _read_parquet(place: str, columns: Columns) -> Iterator[Logged]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise InputError("Parquet files are read with pyarrow, which cannot be imported; run `pip install 'rewriter[batch]'`.") from None
    try:
        file = parquet.ParquetFile(place)
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(f"{place} cannot be read as Parquet ({str(error).splitlines()[0].rstrip('.')}); give a Parquet file.") from None
    with file:
        names = list(file.schema_arrow.names)
        if columns.query not in names:
            raise InputError(
                f"{place} has no column {columns.query!r}; it has {', '.join(names)}; name the one with the queries by --column."
            )
        wanted = [n for n in (columns.query, columns.session, columns.context, columns.count) if n in names]
        at = 0
        for batch in file.iter_batches(BATCH, columns=wanted):
            for row in batch.to_pylist():
                at += 1
                yield from _logged(row, f"{place}, row {at}", columns)


def _logged(row: Mapping[str, Any], place: str, columns: Columns) -> Iterator[Logged]:
    query = row.get(columns.query)
    if query is None:
        if columns.query not in row:
            raise InputError(f"{place}: this row has no {columns.query!r}; name the field with the queries by --column.")
        return
    if not isinstance(query, str):
        raise InputError(f"{place}: {columns.query} is {query!r}, which is no text; correct it.")
    if not query.strip():
        return
    given = row.get(columns.context) or ()
    if isinstance(given, str):
        try:
            parsed = json.loads(given) if given.lstrip().startswith("[") else [given]
        except ValueError:
            parsed = [given]
        given = parsed
    try:
        count = int(row.get(columns.count) or 1)
    except (TypeError, ValueError):
        raise InputError(f"{place}: {columns.count} is {row.get(columns.count)!r}, which is no whole number; correct it.") from None
    session = row.get(columns.session)
    yield Logged(query, "" if session is None else str(session), tuple(given), max(1, count))
