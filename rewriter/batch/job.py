"""What a batch is asked: which file by which columns, into which file."""

from __future__ import annotations

from pathlib import Path

from rewriter.errors import InputError
from rewriter.record import record

__all__ = ["COMPRESSIONS", "READABLE", "WRITABLE", "Columns", "Job", "compression_of", "format_of"]

READABLE = ("jsonl", "csv", "tsv", "parquet", "text")
WRITABLE = ("jsonl", "csv", "parquet")
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
_SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".txt": "text"}


@record
class Columns:
    """Where a row has its query, its id, its turns, and its session (several columns: a session is what agrees in all of them)."""

    query: str = "query"
    query_id: str = "query_id"
    context: str = "context"
    session: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys((self.query, self.query_id, self.context, *self.session)))


@record
class Job:
    """A batch: `source` and `target` are files or `-`, formats go by their names where `read_as` and `write_as` are empty.

    `workers` 0 takes one for each processor.  `chunk_rows` is the work of one hand-over: larger saves hand-overs and costs memory.
    `errors` is the side file of rows that cannot be read; empty puts it beside the target.
    """

    source: str
    target: str
    columns: Columns = Columns()
    read_as: str = ""
    write_as: str = ""
    workers: int = 0
    chunk_rows: int = 1_000
    errors: str = ""
    resume: bool = False
    restart: bool = False

    def __post_init__(self) -> None:
        if self.workers < 0 or self.chunk_rows < 1:
            raise InputError("A batch needs 1 or more rows a chunk and 0 or more workers (0: one for each processor).")
        if self.target == "-" and self.resume:
            raise InputError("What went to standard output cannot be continued; give a file with -o, or leave --resume out.")
        if self.resume and self.restart:
            raise InputError("--resume goes on with an unfinished run and --restart drops it; give one of them.")
        if self.target != "-" and self.source != "-" and Path(self.source).resolve() == Path(self.target).resolve():
            raise InputError(f"{self.target} is the input and the output; give another file with -o.")


def format_of(place: str, given: str, known: tuple[str, ...], option: str) -> str:
    """The format of a file: the given one, else that of its name (without `.gz` or `.zst`), else JSONL.

    >>> format_of("log.csv.gz", "", READABLE, "--from"), format_of("-", "", WRITABLE, "--to")
    ('csv', 'jsonl')
    """
    name = place.lower()
    for suffix in COMPRESSIONS:
        name = name.removesuffix(suffix)
    found = given or ("jsonl" if place == "-" else _SUFFIXES.get(Path(name).suffix, "jsonl"))
    if found not in known:
        raise InputError(f"{found!r} is not a format of {option}; known are {', '.join(known)}.")
    return found


def compression_of(target: str) -> str:
    """`gzip`, `zstd` or "" by the name of a file that is to be written."""
    return COMPRESSIONS.get(Path(target.lower()).suffix, "")
