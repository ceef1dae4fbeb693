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
from rewriter.batch.schema import plan_schema
from rewriter.batch.work import plan_row
from rewriter.errors import InputError

__all__ = ["rewrite_batch", "rewrite_batches"]

_PARQUET = Encoding("parquet")
_USUAL = Columns()
_DEFAULT_POLICY = Policy()


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
