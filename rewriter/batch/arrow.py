"""Rewriting on Arrow record batches: the one function under Spark, and for Ray, Dask, Polars and DuckDB.

Needs pyarrow (`rewriter[batch]`).  A row in is a row out, in the same order; a row that cannot be read has an `error` and nulls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from rewriter import Plan, Policy, Resources, default_resources
from rewriter.batch.formats import Encoding, unwritable
from rewriter.batch.job import Columns
from rewriter.batch.rows import row_of
from rewriter.batch.work import plan_row
from rewriter.errors import InputError

__all__ = ["batch_of_plans", "plan_schema", "rewrite_batch", "rewrite_batches"]

_TEXTS = pa.list_(pa.string())
_PIECE = pa.struct([
    ("text", pa.string()), ("sources", pa.list_(pa.list_(pa.int32()))), ("kind", pa.string()), ("rule", pa.string()), ("evidence", _TEXTS),
])  # fmt: skip
_VARIANT = pa.struct([("pattern", pa.string()), ("text", pa.string()), ("language", pa.string()), ("pieces", pa.list_(_PIECE))])
_OPTION = pa.struct([("sense", pa.string()), ("label", pa.string()), ("query", pa.string())])
_CLARIFICATION = pa.struct([("question", pa.string()), ("language", pa.string()), ("options", pa.list_(_OPTION))])
_CANDIDATE = pa.struct([("sense", pa.string()), ("score", pa.int32()), ("cues", _TEXTS)])
_MENTION = pa.struct([
    ("start", pa.int32()), ("end", pa.int32()), ("form", pa.string()), ("sense", pa.string()), ("candidates", pa.list_(_CANDIDATE)),
])  # fmt: skip
_STEP = pa.struct([("stage", pa.string()), ("rule", pa.string()), ("outcome", pa.string()), ("evidence", _TEXTS)])
_FIELDS: tuple[tuple[str, pa.DataType], ...] = (
    ("query", pa.string()), ("query_id", pa.string()), ("language", pa.string()), ("intent", pa.string()), ("variants", pa.list_(_VARIANT)),
    ("clarification", _CLARIFICATION), ("mentions", pa.list_(_MENTION)), ("trail", pa.list_(_STEP)), ("signature", pa.string()),
)  # fmt: skip
_PARQUET = Encoding("parquet")
_USUAL = Columns()
_DEFAULT_POLICY = Policy()


def plan_schema(keep: Sequence[pa.Field] = (), *, error: bool = False) -> pa.Schema:
    """The columns of a plan, nested as in `Plan.to_dict()`: kept columns first, then the plan's, then `error` where asked for."""
    own = [pa.field(name, kind) for name, kind in _FIELDS] + ([pa.field("error", pa.string())] if error else [])
    clash = sorted({field.name for field in keep} & {field.name for field in own})
    if clash:
        raise InputError(f"A kept column has the name {clash[0]!r}, which the plan has too; rename it first.")
    return pa.schema([*keep, *own])


def batch_of_plans(plans: Sequence[Plan]) -> pa.RecordBatch:
    """Plans as rows, with the columns of `plan_schema()`."""
    data = [plan.to_dict() for plan in plans]
    return pa.RecordBatch.from_arrays([pa.array([d[name] for d in data], kind) for name, kind in _FIELDS], schema=plan_schema())


def rewrite_batch(
    batch: pa.RecordBatch | pa.Table,
    *,
    columns: Columns = _USUAL,
    keep: Sequence[str] = (),
    resources: Resources | None = None,
    policy: Policy = _DEFAULT_POLICY,
) -> pa.RecordBatch:
    """The plans of a batch (or a table, as one batch): columns `keep`, then those of a plan, then `error` (null where all is well).

    `columns` names where query, id and turns stand; id and turns may be absent.  `Plan.from_dict` takes a row without an error.
    `InputError` for a batch without the column of the query, or a kept one that is not there.
    """
    found = default_resources() if resources is None else resources
    missing = [name for name in (columns.query, *keep) if name not in batch.schema.names]
    if missing:
        raise InputError(f"The batch has no column {missing[0]!r} but {', '.join(batch.schema.names) or 'none'}.")
    if columns.session:
        raise InputError("A batch has no sessions: give each row its turns as a list in the column of the context.")
    wanted = [name for name in columns.names if name in batch.schema.names]
    rows: list[dict[str, Any]] = []
    for record in batch.select(wanted).to_pylist():
        row = row_of(record, 0, columns)
        outcome = plan_row(row, found, policy)
        reason = outcome if isinstance(outcome, str) else unwritable(outcome, _PARQUET)
        if isinstance(outcome, Plan) and not reason:
            rows.append(outcome.to_dict())
        else:
            rows.append({"query": row.query or None, "query_id": row.query_id, "error": reason})
    schema = plan_schema([batch.schema.field(name) for name in keep], error=True)
    kept = [_one_array(batch.column(name)) for name in keep]
    made = [pa.array([row.get(field.name) for row in rows], field.type) for field in list(schema)[len(keep) :]]
    return pa.RecordBatch.from_arrays([*kept, *made], schema=schema)


def rewrite_batches(
    batches: Iterable[pa.RecordBatch],
    *,
    columns: Columns = _USUAL,
    keep: Sequence[str] = (),
    resources: Resources | None = None,
    policy: Policy = _DEFAULT_POLICY,
) -> Iterator[pa.RecordBatch]:
    """`rewrite_batch` for each of many, lazily and in order: what `mapInArrow` and its like in other engines take."""
    for batch in batches:
        yield rewrite_batch(batch, columns=columns, keep=keep, resources=resources, policy=policy)


def _one_array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(whole, pa.ChunkedArray):  # a table without rows
        return pa.array([], whole.type)
    return whole
