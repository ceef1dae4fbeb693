"""What the benchmarks share: reading queries, tables, percentiles, fits."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

__all__ = [
    "ROOT", "Table", "as_markdown", "as_text", "count_words", "fit_exponent", "percentile", "read_queries", "track_progress", "write_json",
]  # fmt: skip

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[1]
"""The checkout that is measured: the one that the benchmarks stand in."""


class Table(NamedTuple):
    """A title, a header and rows of text: printed by a benchmark, written to RESULTS.md by `run.py`."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def as_text(table: Table) -> str:
    """A table for a terminal: the first column to the left, the others to the right."""
    lines = [table.headers, *table.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.headers))]
    body = [[cell.rjust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    for line, cells in zip(lines, body, strict=True):
        cells[0] = line[0].ljust(widths[0])
    return "\n".join([*filter(None, [table.title]), *["  ".join(cells).rstrip() for cells in body]])


def as_markdown(table: Table) -> str:
    """A table for a document."""
    lines = [table.headers, ("---", *["---:"] * (len(table.headers) - 1)), *table.rows]
    return f"{table.title}\n\n" + "\n".join([f"| {' | '.join(line)} |" for line in lines])


def read_queries(places: Iterable[Path]) -> list[str]:
    """The distinct queries of files and folders, in their order; of a record only `query` is read.

    A `.jsonl` file has an object a line; one without a text as `query` is passed over.  Any other file has a query a
    line.  Of a folder the files `*.jsonl` and `*.txt` are read, and `cases.jsonl` in the folders within.  What cannot be read,
    and no query at all, ends the program with a sentence.
    """
    files: list[Path] = []
    for place in places:
        found = [*place.glob("*.jsonl"), *place.glob("*.txt"), *place.glob("*/cases.jsonl")] if place.is_dir() else [place]
        files += sorted(found)
    queries: dict[str, None] = {}
    for file in files:
        try:
            lines = file.read_text(encoding="utf-8").split("\n")
            for number, line in enumerate(lines, 1):
                query = _query_of(line, file, number) if file.suffix == ".jsonl" else line
                if query and query.strip():
                    queries[query.strip()] = None
        except (OSError, UnicodeDecodeError) as error:
            raise SystemExit(f"{file} cannot be read ({error}); give JSONL with `query`, or text with a query a line.") from None
    if not queries:
        raise SystemExit("There is no query in what was given; give JSONL with `query`, text with a query a line, or a folder of them.")
    return list(queries)


def _query_of(line: str, file: Path, number: int) -> str:
    if not line.strip():
        return ""
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise SystemExit(f"{file}:{number}: this line is no JSON object; write one with `query` a line.")
    query = record.get("query")
    return query if isinstance(query, str) else ""


def count_words(text: str) -> int:
    """White-space chunks with a letter or a digit, as the package counts them."""
    return sum([any([c.isalnum() for c in chunk]) for chunk in text.split()])


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that so many per cent of the values do not exceed (nearest rank).

    >>> percentile([5, 1, 4, 2, 3], 50), percentile([5, 1, 4, 2, 3], 99)
    (3, 5)
    """
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]


def fit_exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The `b` of time = a · size ** b, by least squares on logarithms.

    >>> fit_exponent([10, 100, 1000], [2, 20, 200])
    1.0
    """
    xs, ys = [math.log(s) for s in sizes], [math.log(t) for t in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return round(sum([(a - x) * (b - y) for a, b in zip(xs, ys, strict=True)]) / sum([(a - x) ** 2 for a in xs]), 3)


def write_json(path: Path | None, data: Any) -> None:
    """The figures as JSON, where a file was asked for."""
    if path is not None:
        path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def track_progress(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, with a bar on standard error while they are worked through; quiet when nobody looks."""
    from rich.console import Console
    from rich.progress import track

    return iter(track(items, what, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()))
