"""Rows of a file: JSONL, CSV, TSV, Parquet, or text with a query a line.

What is wrong with a row is a part of it (`fault`): the other rows go on.  Blank lines are no rows.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rewriter.batch.job import Columns
from rewriter.batch.streams import MAX_LINE_BYTES, Stream, need_arrow
from rewriter.errors import InputError
from rewriter.io.places import delimiter_of

__all__ = ["Row", "parse_line", "read_rows", "row_of"]

PARQUET_ROWS = 1_000
"""Rows of a Parquet file that are unpacked at a time."""
_NO_UTF8 = re.compile("[\udc80-\udcff]")
_TOO_LONG = f"the line is longer than {MAX_LINE_BYTES >> 20} MiB"


class Row(NamedTuple):
    """A request, or why it is none.  `line` counts from 1: the line of a text file on which the row begins, the row of a Parquet file."""

    line: int
    query_id: str | None
    query: str
    context: tuple[Any, ...]
    session: tuple[str, ...] | None
    fault: str


def read_rows(stream: Stream, kind: str, columns: Columns) -> Iterator[Row]:
    """The rows of an input in order; `InputError` for one that is not of its kind, or lacks the column of the query."""
    if kind == "parquet":
        yield from _read_parquet(stream, columns)
        return
    if stream.is_parquet:
        raise InputError(f"{stream.name} is a Parquet file; give it as a file whose name ends in .parquet, or with --from parquet.")
    if kind in ("csv", "tsv"):
        yield from _read_table(stream, kind, columns)
        return
    for number, line in stream.lines():
        row = parse_line(line, number, kind, columns)
        if row is not None:
            yield row


def parse_line(line: bytes | None, number: int, kind: str, columns: Columns) -> Row | None:
    """The row of a line of JSONL or text, None for a blank one.

    >>> parse_line(b'{"query": "nano banana", "query_id": 7}', 1, "jsonl", Columns())
    Row(line=1, query_id='7', query='nano banana', context=(), session=None, fault='')
    >>> parse_line(b'{"q": "nano banana"}', 2, "jsonl", Columns()).fault
    'there is no text under `query`'
    """
    if line is None:
        return _broken(number, _TOO_LONG)
    if not line.strip():
        return None
    try:
        text = line.decode("utf-8")
        item = json.loads(text) if kind == "jsonl" else text
    except UnicodeDecodeError:
        return _broken(number, "this is no UTF-8 text")
    except json.JSONDecodeError as error:
        return _broken(number, f"this is no JSON ({error.msg}, column {error.colno})")
    except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
        return _broken(number, "this JSON is nested too deep or holds a number that is too long")
    if isinstance(item, str):
        return Row(number, None, item, (), None, "")
    if not isinstance(item, dict):
        return _broken(number, f"a line must be a JSON object or a text, not {str(item)[:40]}")
    return row_of(item, number, columns)


def row_of(record: Mapping[str, Any], line: int, columns: Columns) -> Row:
    """The row of a record by its columns.

    An id may be a whole number.  Turns are a list; a text is a JSON list where it begins with `[`, else one turn of the user.  A row
    in which a session column is empty belongs to no session.
    """
    query, query_id, context = record.get(columns.query), record.get(columns.query_id), record.get(columns.context)
    if isinstance(query_id, int) and not isinstance(query_id, bool):
        query_id = str(query_id)
    fault = ""
    if query_id is not None and not isinstance(query_id, str):
        fault, query_id = f"`{columns.query_id}` holds {_shown(query_id)}, which is neither text nor a whole number", None
    if not isinstance(query, str):
        told = f"there is no text under `{columns.query}`"
        return Row(line, query_id, "", (), None, told if query is None else f"{told} but {_shown(query)}")
    if isinstance(context, str):
        try:
            context = json.loads(context) if context.startswith("[") else [context] if context.strip() else None
        except (ValueError, RecursionError):
            fault = f"`{columns.context}` begins with [ and is no JSON list"
    if context is not None and not isinstance(context, list) and not fault:
        fault = f"`{columns.context}` holds {_shown(context)}, which is no list of turns"
    session = None
    if columns.session:
        parts = [record.get(name) for name in columns.session]
        if all([part is not None and part != "" for part in parts]):
            session = tuple([str(part) for part in parts])
    return Row(line, query_id, query, () if fault else tuple(context or ()), session, fault)


def _shown(value: Any) -> str:
    return json.dumps(value, default=str)[:40]


def _broken(line: int, fault: str) -> Row:
    return Row(line, None, "", (), None, fault)


def _read_table(stream: Stream, kind: str, columns: Columns) -> Iterator[Row]:
    """CSV and TSV by the header; a CSV may be parted by semicolons or tabs.  A quoted cell may go over several lines."""
    at = [0, 0]  # lines given to the reader, and the line of a row's beginning

    def lines() -> Iterator[str]:
        for number, line in stream.lines():
            at[0] = number
            yield "\N{REPLACEMENT CHARACTER}\n" if line is None else line.decode("utf-8", "surrogateescape") + "\n"

    feed = lines()
    header_line = next(feed, "")
    delimiter = "\t" if kind == "tsv" else delimiter_of(header_line)
    header = [name.strip() for name in next(csv.reader([header_line], delimiter=delimiter), [])]
    _check_columns(header, columns, f"{stream.name}:1")
    reader = csv.reader(feed, delimiter=delimiter)
    while True:
        at[1] = at[0] + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield _broken(at[1], f"this is no CSV ({error})")
            continue
        if not any(cells):
            continue
        if _NO_UTF8.search("".join(cells)):
            yield _broken(at[1], "this is no UTF-8 text")
            continue
        record = {name: cell for name, cell in zip(header, cells, strict=False) if cell or name == columns.query}
        yield row_of(record, at[1], columns)


def _read_parquet(stream: Stream, columns: Columns) -> Iterator[Row]:
    """A Parquet file by its columns, some rows at a time."""
    if stream.place == "-":
        raise InputError("Parquet cannot be read from standard input, since it is read from its end; give a file.")
    need_arrow("Parquet")
    import pyarrow.lib
    import pyarrow.parquet

    number = 0
    try:
        with pyarrow.parquet.ParquetFile(stream.place) as file:
            names = file.schema_arrow.names
            _check_columns(names, columns, stream.name)
            wanted = [name for name in columns.names if name in names]
            for batch in file.iter_batches(batch_size=PARQUET_ROWS, columns=wanted):
                for record in batch.to_pylist():
                    number += 1
                    yield row_of(record, number, columns)
                stream.share = number / file.metadata.num_rows
    except (pyarrow.lib.ArrowException, OSError) as error:
        told = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{stream.name}:{number + 1}: from this row on it cannot be read as Parquet ({told}); mend the file.") from None


def _check_columns(names: Sequence[str], columns: Columns, where: str) -> None:
    """The query and the session must be there, and the others where another name than the usual one was given."""
    usual = Columns()
    wanted = {
        "--query-column": (columns.query,),
        "--session-column": columns.session,
        "--id-column": () if columns.query_id == usual.query_id else (columns.query_id,),
        "--context-column": () if columns.context == usual.context else (columns.context,),
    }
    for option, asked in wanted.items():
        missing = [name for name in asked if name not in names]
        if missing:
            raise InputError(f"{where}: there is no column {missing[0]!r} but {', '.join(names) or 'none'}; name one with {option}.")
