"""`run_batch`: a file of queries into a file of plans."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from rewriter import Policy, Resources
from rewriter.batch.chunks import CHUNK_CHARS, Chunk, cut_chunks
from rewriter.batch.formats import Encoding
from rewriter.batch.job import READABLE, WRITABLE, Job, compression_of, format_of
from rewriter.batch.output import FileOutput, Progress, StreamOutput
from rewriter.batch.pool import processors, rewrite_chunks
from rewriter.batch.rows import read_rows
from rewriter.batch.sessions import SESSION_TURNS, Sessions
from rewriter.batch.streams import Stream, need_arrow
from rewriter.batch.tally import Summary
from rewriter.engine import signature
from rewriter.errors import InputError

__all__ = ["Watch", "run_batch"]

Watch = Callable[[int, int, int | None], None]
"""Takes rows done, bytes of the input that were read, and its size in bytes (None where it has none)."""


def run_batch(job: Job, resources: Resources, policy: Policy, report: Callable[[str], None], watch: Watch | None = None) -> Summary:
    """Rewrite the rows of a file in order; rows that cannot be read go to a side file, and the rest goes on.

    Killed at any moment and started again with `resume`, it ends with the same bytes as a run that nobody disturbed.  `InputError`
    for an input or output that cannot be used; whatever was done until then is safe.
    """
    started = time.monotonic()
    kind = format_of(job.source, job.read_as, READABLE, "--from")
    encoding = Encoding(format_of(job.target, job.write_as, WRITABLE, "--to"), compression_of(job.target))
    if encoding.kind == "parquet" and (job.target == "-" or encoding.compression):
        raise InputError("Parquet is written to a file and is packed by itself; give a name that ends in .parquet.")
    if encoding.kind == "parquet" or encoding.compression == "zstd":
        need_arrow(f"{job.target}")
    signed, sessions = signature(resources, policy), Sessions()
    stream = Stream(job.source)
    output: FileOutput | StreamOutput
    if job.target == "-":
        output = StreamOutput(job.errors, encoding, report)
    else:
        output = FileOutput(job.target, job.errors, encoding, _settings(job, kind, encoding, signed))
    try:
        state = output.open(job.resume, job.restart)
        counts, before = Counter(state.counts), state.rows
        try:
            if not state.complete:
                chunks = cut_chunks(read_rows(stream, kind, job.columns), job.chunk_rows, sessions)
                for chunk, done in rewrite_chunks(_skip_done(chunks, state), job.workers or processors(), encoding, resources, policy):
                    counts.update(done.counts)
                    state = Progress(chunk.rows_read, chunk.digest, dict(counts))
                    output.append(done.data, done.faults, state)
                    if watch is not None:
                        watch(state.rows, stream.position, stream.size)
        except BaseException:
            output.give_up()
            raise
        output.finish(state)
    finally:
        stream.close()
    seconds = time.monotonic() - started
    return Summary(job.target, _errors_at(job), signed, seconds, state.rows - before, sessions.forgotten, dict(counts))


def _skip_done(chunks: Iterator[Chunk], state: Progress) -> Iterator[Chunk]:
    """The chunks after those that are safe; they must have been made from the same rows."""
    for chunk in chunks:
        if chunk.rows_read > state.rows:
            yield chunk
        elif chunk.rows_read == state.rows and chunk.digest != state.digest:
            raise InputError(f"The first {state.rows:,} rows of the input are not those of the unfinished run; begin again with --restart.")


def _settings(job: Job, kind: str, encoding: Encoding, signed: str) -> dict[str, Any]:
    """Whatever changes the bytes of the output, by the names that a message may show."""
    columns = job.columns
    packed_by = need_arrow("zstd").__version__ if encoding.kind == "parquet" or encoding.compression == "zstd" else ""
    return {
        "signature": signed, "read as": kind, "written as": encoding.kind, "compression": encoding.compression, "pyarrow": packed_by,
        "query column": columns.query, "id column": columns.query_id, "context column": columns.context,
        "session columns": list(columns.session), "chunk": [job.chunk_rows, CHUNK_CHARS], "session turns": SESSION_TURNS,
    }  # fmt: skip


def _errors_at(job: Job) -> str:
    return job.errors or ("standard error" if job.target == "-" else f"{job.target}.errors.jsonl")
