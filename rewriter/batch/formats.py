"""Plans as bytes.  The output is what the chunks give, one after the other: lines, members of a gzip file, frames of zstd.

A Parquet file has its directory at the end and cannot be continued after a kill; so its chunks are kept as Arrow streams, one after the
other, and become Parquet when the last one is there.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rewriter import Plan
from rewriter.batch.streams import need_arrow

__all__ = ["CSV_HEADER", "Encoding", "encode_plans", "opening", "unwritable", "write_parquet"]

CSV_HEADER = ("query_id", "query", "rank", "pattern", "language", "text", "question", "signature")
"""A CSV has a line for each search; `question` is what to ask back, the same on each line of a query."""
GROUP_ROWS = 20_000
"""Rows of a Parquet row group at least (but the last): readers skip and split by groups."""


class Encoding(NamedTuple):
    """`kind` is jsonl, csv or parquet; `compression` is gzip, zstd or "" (Parquet always packs its columns by zstd)."""

    kind: str
    compression: str = ""


def opening(encoding: Encoding) -> bytes:
    """What stands before the first chunk: the header of a CSV."""
    return _packed(_csv_lines([CSV_HEADER]), encoding.compression) if encoding.kind == "csv" else b""


def encode_plans(plans: Sequence[Plan], encoding: Encoding) -> bytes:
    """The bytes of some plans; nothing for none."""
    if not plans:
        return b""
    if encoding.kind == "parquet":
        return _arrow_stream(plans)
    if encoding.kind == "csv":
        data = _csv_lines([line for plan in plans for line in _csv_rows(plan)])
    else:
        data = "".join([plan.to_json() + "\n" for plan in plans]).encode("ascii")
    return _packed(data, encoding.compression) if data else b""


def unwritable(plan: Plan, encoding: Encoding) -> str:
    """Why a plan cannot be written so: JSON escapes half a character, UTF-8 has no place for it."""
    if encoding.kind == "jsonl" or r"\ud" not in plan.to_json():
        return ""
    try:
        repr_free = "".join([plan.query, plan.query_id or "", *_texts(plan.to_dict())])
        repr_free.encode("utf-8")
    except UnicodeEncodeError:
        return f"the text holds half of a character (a lone surrogate), which {encoding.kind} cannot keep; write JSONL"
    return ""


def _texts(value: Any) -> Iterator[str]:
    """Every text in nested data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _csv_rows(plan: Plan) -> Iterator[tuple[object, ...]]:
    question = plan.clarification.question if plan.clarification else ""
    for rank, variant in enumerate(plan.variants, 1):
        yield (plan.query_id or "", plan.query, rank, variant.pattern, variant.language, variant.text, question, plan.signature)


def _csv_lines(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8")


def _packed(data: bytes, compression: str) -> bytes:
    """A gzip member without a date, or a zstd frame: several of them in a row are one file."""
    if compression == "gzip":
        return gzip.compress(data, 6, mtime=0)
    if compression == "zstd":
        packed: bytes = need_arrow("zstd").compress(data, codec="zstd", asbytes=True)
        return packed
    return data


def _arrow_stream(plans: Sequence[Plan]) -> bytes:
    import pyarrow as pa

    from rewriter.batch.schema import batch_of_plans

    batch = batch_of_plans(plans)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def write_parquet(chunks: Path, target: Path) -> None:
    """Arrow streams, one after the other in a file, as one Parquet file (not yet renamed): only `GROUP_ROWS` rows are in memory."""
    import pyarrow as pa
    import pyarrow.parquet

    from rewriter.batch.schema import plan_schema

    schema = plan_schema()
    size = chunks.stat().st_size
    with pa.OSFile(str(chunks)) as file, pyarrow.parquet.ParquetWriter(target, schema, compression="zstd") as writer:
        held: list[Any] = []
        while file.tell() < size:
            with pa.ipc.open_stream(file) as reader:
                held += list(reader)
            if sum([batch.num_rows for batch in held]) >= GROUP_ROWS:
                writer.write_table(pa.Table.from_batches(held, schema))
                held = []
        if held:
            writer.write_table(pa.Table.from_batches(held, schema))
    with open(target, "rb+") as written:
        os.fsync(written.fileno())
