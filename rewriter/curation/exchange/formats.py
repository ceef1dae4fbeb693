"""The formats by name and by the ending of a file."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from rewriter.curation.exchange.exchanged import Options, Read, Written
from rewriter.curation.rows import Row
from rewriter.errors import InputError

__all__ = ["FORMATS", "format_of", "read_rows", "write_rows"]

FORMATS = {
    "csv": ("tables", (".csv",)),
    "tsv": ("tables", (".tsv",)),
    "xlsx": ("tables", (".xlsx",)),
    "jsonl": ("lines", (".jsonl", ".ndjson")),
    "solr": ("solr", (".txt", ".syn")),
    "querqy": ("querqy", (".rules",)),
    "skos": ("skos", (".ttl", ".rdf", ".nt", ".jsonld")),
    "review": ("review", (".toml",)),
}
"""Name → the module that knows it, and endings of files."""


def format_of(file: str, given: str | None) -> str:
    """The format that was named, or that the file's ending says; `InputError` for neither."""
    if given is not None:
        if given not in FORMATS:
            raise InputError(f"--format names {given!r}; known are {', '.join(FORMATS)}.")
        return given
    ending = Path(file).suffix.lower()
    for name, (_, endings) in FORMATS.items():
        if ending in endings:
            return name
    raise InputError(f"The ending of {file} says no format; give --format, one of {', '.join(FORMATS)}.")


def read_rows(data: bytes, options: Options) -> list[Read]:
    """Rows of a file, and what is none with its reason; `InputError` where the whole cannot be read."""
    read = cast("Callable[[bytes, Options], list[Read]]", _module(options.format).read)
    return read(data, options)


def write_rows(rows: Sequence[Row], options: Options) -> Written:
    """The bytes of a file, and sentences that say what it does not hold."""
    write = cast("Callable[[Sequence[Row], Options], Written]", _module(options.format).write)
    return write(rows, options)


def _module(name: str) -> Any:
    return importlib.import_module(f"rewriter.curation.exchange.{FORMATS[name][0]}")
