"""The columns of a plan in Arrow, nested as in `Plan.to_dict()`."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from rewriter import Plan
from rewriter.errors import InputError

__all__ = ["batch_of_plans", "plan_schema"]

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
