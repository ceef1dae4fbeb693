"""`rewriter batch --engine spark`: files that a cluster reads into folders that it writes, row by row the plans of the local engine."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from rewriter import Plan, Policy, Resources, __version__
from rewriter.batch.formats import Encoding, unwritable
from rewriter.batch.job import READABLE, WRITABLE, Columns, Job, compression_of, format_of
from rewriter.batch.rows import Row, parse_line, row_of
from rewriter.batch.schema import plan_schema
from rewriter.batch.sessions import SESSION_TURNS
from rewriter.batch.streams import MAX_LINE_BYTES
from rewriter.batch.tally import Summary
from rewriter.batch.work import count_plan, plan_row
from rewriter.engine import signature
from rewriter.errors import InputError
from rewriter.integrations.spark import check_version, opened, ship

__all__ = ["run_spark"]

BATCH_ROWS = 1_000
"""Rows that Spark hands over at a time, where the session does not say otherwise: a plan is twenty times as large as its query."""
PARTITION_BYTES = 4 << 20
"""Input of a task: some ten thousand queries, about a minute of work.  Spark's own 128 MB would be an hour that a lost executor costs."""
_ROW = "rewriter_row"
"""A column of our own: the number of a row in the input."""


def run_spark(job: Job, resources: Resources, policy: Policy, master: str | None) -> Summary:
    """A batch by Spark: input and output are paths that the cluster reads and writes; the output is a folder of parts in order.

    JSONL, text and Parquet; the side file of errors is a folder too.  What Spark does by itself has no options here: it tries failed
    tasks again, and writes the output whole or not at all.
    """
    started = time.monotonic()
    kind, written = format_of(job.source, job.read_as, READABLE, "--from"), format_of(job.target, job.write_as, WRITABLE, "--to")
    if kind in ("csv", "tsv") or written == "csv":
        raise InputError("The Spark engine reads JSONL, text and Parquet and writes JSONL and Parquet; use the local engine for CSV.")
    if compression_of(job.target) == "zstd":
        raise InputError("The Spark engine writes JSONL plain or as .gz; Parquet is packed by zstd in any case.")
    if "-" in (job.source, job.target):
        raise InputError("The Spark engine has no standard input and output; give paths that the cluster can reach.")
    if job.resume or job.restart:
        raise InputError("Spark writes its output whole or not at all; leave --resume and --restart out.")
    bar = str(sys.stderr is not None and sys.stderr.isatty()).lower()
    builder = SparkSession.builder.appName("rewriter batch").config("spark.ui.showConsoleProgress", bar)
    spark = (builder.master(master) if master else builder).getOrCreate()
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(BATCH_ROWS))
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(PARTITION_BYTES))
    try:
        done = _rewrite_files(spark, job, kind, written, resources, policy).persist(StorageLevel.DISK_ONLY)
        errors = job.errors or f"{job.target}.errors.jsonl"
        counts = _write(done, job, written, errors)
    finally:
        spark.stop()
    return Summary(job.target, errors, signature(resources, policy), time.monotonic() - started, counts["rows"], 0, counts)


def _read_rows(spark: SparkSession, job: Job, kind: str) -> DataFrame:
    """Parsed rows: number, id, query, own turns as JSON, session, fault."""
    columns = job.columns
    if kind == "parquet":
        source = spark.read.parquet(job.source)
        missing = [name for name in (columns.query, *columns.session) if name not in source.columns]
        if missing:
            raise InputError(f"{job.source}: there is no column {missing[0]!r} but {', '.join(source.columns)}; name one by its option.")
        source = source.select(*[F.col(f"`{name}`") for name in columns.names if name in source.columns])
    else:
        source = spark.read.option("lineSep", "\n").text(job.source).select(F.col("value").cast("binary").alias("value"))
    numbered = _number_rows(source)
    return numbered.mapInArrow(partial(_parse_partition, kind=kind, columns=columns, version=__version__), from_arrow_schema(_ROWS))


_ROWS = pa.schema([
    (_ROW, pa.int64()), ("query_id", pa.string()), ("query", pa.string()), ("context", pa.string()), ("session", pa.list_(pa.string())),
    ("fault", pa.string()),
])  # fmt: skip
"""What a parsed row is on its way; the context is JSON, since turns are texts or objects."""


def _number_rows(frame: DataFrame) -> DataFrame:
    """Rows numbered from 1 in the order of the input: Spark counts them within each partition, and the partitions are counted first."""
    marked = frame.withColumn("rewriter_at", F.monotonically_increasing_id())
    part = F.shiftright("rewriter_at", 33)
    sizes = sorted((row["part"], row["count"]) for row in marked.groupBy(part.alias("part")).count().collect())
    starts, total = {}, 0
    for number, size in sizes:
        starts[number], total = total, total + size
    base: Column = F.create_map(*[F.lit(x).cast("long") for pair in starts.items() for x in pair]) if starts else F.lit(None)
    within = F.col("rewriter_at").bitwiseAND(F.lit((1 << 33) - 1))
    row = (base[part.cast("long")] + within + 1) if starts else F.lit(0).cast("long")
    return marked.withColumn(_ROW, row).drop("rewriter_at")


def _parse_partition(batches: Iterator[pa.RecordBatch], *, kind: str, columns: Columns, version: str) -> Iterator[pa.RecordBatch]:
    check_version(version)
    for batch in batches:
        rows = []
        for record in batch.to_pylist():
            number = record.pop(_ROW)
            row = row_of(record, number, columns) if kind == "parquet" else _parse_text(record["value"], number, kind, columns)
            if row is not None:
                turns = json.dumps(list(row.context)) if row.context else None
                rows.append((number, row.query_id, row.query, turns, None if row.fault else row.session, row.fault))
        yield pa.RecordBatch.from_arrays([pa.array([row[at] for row in rows], field.type) for at, field in enumerate(_ROWS)], schema=_ROWS)


def _parse_text(line: bytes, number: int, kind: str, columns: Columns) -> Row | None:
    if number == 1:
        line = line.removeprefix(b"\xef\xbb\xbf")
    row = parse_line(line.removesuffix(b"\r") if len(line) <= MAX_LINE_BYTES else None, number, kind, columns)
    if row is not None and not row.fault:
        try:  # Arrow keeps no half characters
            f"{row.query}{row.query_id}{row.session}".encode()
        except UnicodeEncodeError:
            return row._replace(query="", query_id=None, context=(), fault=_HALF)
    return row


_HALF = "the text holds half of a character (a lone surrogate), which Spark cannot keep; use the local engine"


def _rewrite_files(spark: SparkSession, job: Job, kind: str, written: str, resources: Resources, policy: Policy) -> DataFrame:
    """Number, plan (as JSON or as nested columns), error and counts of each row, in order."""
    rows = _read_rows(spark, job, kind)
    spark.conf.set("spark.sql.shuffle.partitions", str(max(spark.sparkContext.defaultParallelism, rows.rdd.getNumPartitions())))
    texts = F.lit(None).cast("array<string>")
    if job.columns.session:
        before = Window.partitionBy("session").orderBy(_ROW).rowsBetween(-SESSION_TURNS, -1)
        of_sessions = rows.where(F.col("session").isNotNull()).withColumn("before", F.collect_list("query").over(before))
        rows = of_sessions.unionByName(rows.where(F.col("session").isNull()).withColumn("before", texts)).orderBy(_ROW)
    else:
        rows = rows.withColumn("before", texts)
    work = partial(_plan_partition, written=written, shipped=ship(spark, resources), version=__version__, policy=policy)
    return rows.drop("session").mapInArrow(work, from_arrow_schema(_planned_schema(written)))


def _planned_schema(written: str) -> pa.Schema:
    plan = list(plan_schema()) if written == "parquet" else [pa.field("query_id", pa.string()), pa.field("plan", pa.string())]
    return pa.schema([pa.field(_ROW, pa.int64()), *plan, pa.field("error", pa.string()), pa.field("counts", pa.string())])


def _plan_partition(
    batches: Iterator[pa.RecordBatch], *, written: str, shipped: bytes, version: str, policy: Policy
) -> Iterator[pa.RecordBatch]:
    """A row in, a row out; the first row of a batch carries the counts of all of them."""
    check_version(version)
    resources, schema, encoding = opened(shipped), _planned_schema(written), Encoding(written)
    for batch in batches:
        rows: list[dict[str, Any]] = []
        counts: Counter[str] = Counter(rows=batch.num_rows, errors=0)
        for record in batch.to_pylist():
            turns = (*(record["before"] or ()), *(json.loads(record["context"]) if record["context"] else ()))
            row = Row(record[_ROW], record["query_id"], record["query"], turns, None, record["fault"])
            outcome = plan_row(row, resources, policy)
            reason = outcome if isinstance(outcome, str) else unwritable(outcome, encoding)
            made: dict[str, Any] = {_ROW: row.line, "query_id": row.query_id, "error": reason or None}
            if isinstance(outcome, Plan) and not reason:
                made |= outcome.to_dict() if written == "parquet" else {"plan": outcome.to_json()}
                count_plan(outcome, counts)
            counts["errors"] += bool(reason)
            rows.append(made)
        if rows:
            rows[0]["counts"] = json.dumps(counts)
        yield pa.RecordBatch.from_arrays([pa.array([row.get(f.name) for row in rows], f.type) for f in schema], schema=schema)


def _write(done: DataFrame, job: Job, written: str, errors: str) -> dict[str, int]:
    """Plans and errors as folders of parts, and the counts."""
    fine, broken = done.where(F.col("error").isNull()), done.where(F.col("error").isNotNull())
    if written == "parquet":
        fine.drop(_ROW, "error", "counts").write.mode("overwrite").option("compression", "zstd").parquet(job.target)
    else:
        compression = compression_of(job.target) or "none"
        fine.select("plan").write.mode("overwrite").option("compression", compression).text(job.target)
    of_batches = done.select(F.explode(F.from_json("counts", "map<string,long>")).alias("name", "n"))
    summed = of_batches.groupBy("name").agg(F.sum("n").alias("n")).collect()
    counts: dict[str, int] = {"rows": 0, "errors": 0} | {row["name"]: row["n"] for row in summed}
    if counts["errors"]:
        told = F.to_json(F.struct(F.col(_ROW).alias("line"), "query_id", F.col("error").alias("reason")), {"ignoreNullFields": "false"})
        broken.select(told.alias("value")).write.mode("overwrite").text(errors)
    return counts
