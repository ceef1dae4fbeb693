"""The work itself: rows in, encoded plans out.  Pure but for the resources; each process does it for the chunks that it is handed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rewriter import Plan, Policy, Resources
from rewriter.batch.formats import Encoding, encode_plans, unwritable
from rewriter.batch.rows import Row
from rewriter.engine import rewrite_with

__all__ = ["Done", "Fault", "count_plan", "plan_row", "rewrite_rows"]


class Fault(NamedTuple):
    """A row that gave no plan, and why."""

    line: int
    query_id: str | None
    reason: str


class Done(NamedTuple):
    """What a chunk gave: bytes to append to the output, rows without a plan, and counts by name (`count_plan`)."""

    data: bytes
    faults: tuple[Fault, ...]
    counts: Mapping[str, int]


def rewrite_rows(rows: Sequence[Row], encoding: Encoding, resources: Resources, policy: Policy) -> Done:
    """The plans of some rows, encoded, in their order."""
    plans: list[Plan] = []
    faults: list[Fault] = []
    counts: Counter[str] = Counter()
    for row in rows:
        outcome = plan_row(row, resources, policy)
        reason = outcome if isinstance(outcome, str) else unwritable(outcome, encoding)
        if reason:
            faults.append(Fault(row.line, row.query_id, reason))
        elif isinstance(outcome, Plan):
            plans.append(outcome)
            count_plan(outcome, counts)
    counts["rows"], counts["errors"] = len(rows), len(faults)
    return Done(encode_plans(plans, encoding), tuple(faults), dict(counts))


def plan_row(row: Row, resources: Resources, policy: Policy) -> Plan | str:
    """The plan of a row, or why it has none: its own fault, or turns that are none.

    Whatever goes wrong within one row stays within it, also what should not happen: a log of a million rows is not lost to one.
    """
    if row.fault:
        return row.fault
    try:
        return rewrite_with(row.query, row.context, resources, policy, row.query_id)
    except (TypeError, ValueError) as error:
        return str(error).rstrip(".")
    except Exception as error:
        return f"rewriting failed ({type(error).__name__}: {error}); please report this query"


def count_plan(plan: Plan, counts: Counter[str]) -> None:
    """Add a plan: `plans`, `asked`, `blank`, `pattern NAME` for each search, `skipped REASON` for each pattern without one."""
    counts["plans"] += 1
    if plan.clarification is not None:
        counts["asked"] += 1
    if not plan.variants:
        counts["blank"] += 1
    for variant in plan.variants:
        counts[f"pattern {variant.pattern}"] += 1
    for step in plan.trail:
        if step.stage == "pattern" and step.outcome != "written":
            counts[f"skipped {step.outcome}"] += 1
