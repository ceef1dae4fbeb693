"""Rewriting Spark's DataFrames, by `mapInArrow`.

Needs `rewriter[spark]` and OpenJDK 17 where Spark runs, and this package installed on every executor.  The pack goes with the job and is
opened once in each Python worker.  A rewrite is pure: a task that Spark tries again gives the same rows.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from rewriter import Policy, Resources, __version__, default_resources
from rewriter.batch.arrow import rewrite_batch
from rewriter.batch.job import Columns
from rewriter.batch.schema import plan_schema
from rewriter.batch.sessions import SESSION_TURNS
from rewriter.errors import InputError
from rewriter.pack.mapped import map_pack
from rewriter.pack.open import Pack
from rewriter.pack.store import write_atomic

__all__ = ["check_version", "opened", "rewrite_dataframe", "session_turns", "ship"]

_DEFAULT_POLICY = Policy()
_USUAL = Columns()


def rewrite_dataframe(
    frame: DataFrame,
    *,
    columns: Columns = _USUAL,
    keep: Sequence[str] = (),
    resources: Resources | None = None,
    policy: Policy = _DEFAULT_POLICY,
) -> DataFrame:
    """The plans of a DataFrame's rows: columns `keep`, then the nested columns of `plan_schema()`, then `error` (null where all is well).

    Query, id and turns stand in `columns`; the turns are an array of texts or of structs with `role` and `content`, or one text.  With
    `columns.session`, give `session_turns` first.  Nothing is computed before an action asks for it.  `InputError` for a missing column.
    """
    if columns.session:
        raise InputError("A DataFrame has no order: make the turns by `session_turns`, which takes one, and leave the session out.")
    missing = [name for name in (columns.query, *keep) if name not in frame.columns]
    if missing:
        raise InputError(f"The DataFrame has no column {missing[0]!r} but {', '.join(frame.columns) or 'none'}.")
    wanted = list(dict.fromkeys([*keep, *[name for name in columns.names if name in frame.columns]]))
    chosen = frame.select(*[F.col(f"`{name}`") for name in wanted])
    kept = to_arrow_schema(chosen.schema)
    schema = plan_schema([kept.field(name) for name in keep], error=True)
    shipped = ship(frame.sparkSession, default_resources() if resources is None else resources)
    work = partial(_rewrite_partition, shipped=shipped, version=__version__, columns=columns, keep=tuple(keep), policy=policy)
    return chosen.mapInArrow(work, from_arrow_schema(schema))


def session_turns(frame: DataFrame, session: Sequence[str], order: str | Column, columns: Columns = _USUAL) -> DataFrame:
    """The DataFrame with the column of the context made from the earlier queries of each row's session, by the order of a column.

    As in `rewriter batch --session-column`: the newest queries, and none for a row in which a session column is null or empty.
    """
    before = Window.partitionBy(*[F.col(f"`{name}`") for name in session]).orderBy(order).rowsBetween(-SESSION_TURNS, -1)
    named = F.lit(True)
    for name in session:
        named = named & F.col(f"`{name}`").isNotNull() & (F.col(f"`{name}`").cast("string") != "")
    turns = F.collect_list(F.col(f"`{columns.query}`")).over(before)
    return frame.withColumn(columns.context, F.when(named, turns))


def ship(spark: SparkSession, resources: Resources) -> bytes:
    """The resources as an executor opens them: the pack as a file of the job, the rest by value."""
    pack = resources.pack
    where = Path(pack.where)
    if not where.is_file():  # a pack in memory, or one that the cache has forgotten
        where = Path(tempfile.gettempdir(), f"rewriter-{pack.pack_hash}-{pack.lexicon_hash}.pack")
        write_atomic(where, bytes(pack.data))
    spark.sparkContext.addFile(str(where))
    return pickle.dumps(resources.reopened_by(partial(_shipped_pack, where.name)))


def _shipped_pack(name: str) -> Pack:
    return map_pack(SparkFiles.get(name))


@lru_cache(maxsize=4)
def opened(shipped: bytes) -> Resources:
    """Once for each Python worker of an executor, which does many tasks."""
    resources: Resources = pickle.loads(shipped)
    return resources


def _rewrite_partition(
    batches: Iterator[pa.RecordBatch], *, shipped: bytes, version: str, columns: Columns, keep: tuple[str, ...], policy: Policy
) -> Iterator[pa.RecordBatch]:
    check_version(version)
    resources = opened(shipped)
    for batch in batches:
        yield rewrite_batch(batch, columns=columns, keep=keep, resources=resources, policy=policy)


def check_version(version: str) -> None:
    """Refuse to work where the executor's rewriter is not the driver's: its plans would carry another signature."""
    if version != __version__:
        raise InputError(f"The driver has rewriter {version} and this executor {__version__}; install the same on both.")
