"""A dossier: a plan, what its searches gave, and the union of it, as one record that goes to JSON and back.

Nothing here reads a clock: times are what the caller says they were.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rewriter.context import ContextItem, read_turns
from rewriter.errors import InputError
from rewriter.fusion import Item, fuse, read_result
from rewriter.model import Merged, Plan, Result, Source, Turn
from rewriter.policy import Policy
from rewriter.record import fresh, record

__all__ = ["FORMAT", "Dossier", "make_dossier", "read_dossier"]

FORMAT = 1
"""Version of the JSON; a reader refuses a later one."""


@record
class Dossier:
    """One search in all its variants: plan, turns that were read, results by variant, their union, failures, times.

    `results` has a list (best first) for each label that was searched, usually a variant's text; `failures` says of a label why its
    search gave nothing; `times` is whatever the caller measured, by name (`searched_at`, `seconds` …), text or numbers.
    """

    plan: Plan
    context: tuple[Turn, ...]
    results: Mapping[str, tuple[Result, ...]]
    merged: tuple[Merged, ...]
    failures: Mapping[str, str] = fresh(dict)
    times: Mapping[str, Any] = fresh(dict)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON: the most telling fields first."""
        return {
            "dossier": FORMAT,
            "times": dict(self.times),
            "context": [{"role": t.role, "content": t.content} for t in self.context],
            "plan": self.plan.to_dict(),
            "failures": dict(self.failures),
            "results": {label: [_result_dict(r) for r in found] for label, found in self.results.items()},
            "merged": [m.to_dict() for m in self.merged],
        }

    def to_json(self) -> str:
        """One line of ASCII JSON; an InputError where `extra` or `times` hold what JSON has no form for."""
        try:
            return json.dumps(self.to_dict(), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError) as error:
            raise InputError(f"This dossier cannot be written as JSON ({error}); give `extra` and `times` plain data.") from None


def _result_dict(result: Result) -> dict[str, Any]:
    return {"url": result.url, "title": result.title, "snippet": result.snippet, "extra": dict(result.extra)}


def make_dossier(
    plan: Plan,
    results: Mapping[str, Sequence[Item]],
    *,
    context: Sequence[ContextItem] = (),
    merged: Sequence[Merged] | None = None,
    failures: Mapping[str, str] | None = None,
    times: Mapping[str, Any] | None = None,
    policy: Policy | None = None,
) -> Dossier:
    """The dossier of a plan and its searches; the union is made here unless it is given.

    `context` is what `rewrite` was given; what `policy` leaves unread stays out.  Wrong types are a `TypeError` as in `merge`.

    >>> from rewriter import rewrite
    >>> dossier = make_dossier(rewrite("kopi susu"), {"kopi susu": ["https://a.id/x", "http://www.a.id/x"]}, times={"seconds": 2})
    >>> [(page.url, page.folded) for page in dossier.merged]
    [('https://a.id/x', ('http://www.a.id/x',))]
    """
    if not isinstance(plan, Plan):
        raise TypeError(f"make_dossier() needs a Plan, not a {type(plan).__name__}.")
    pages = fuse(results) if merged is None else merged  # also the check of the results' types
    read = {label: tuple(read_result(item, label, rank) for rank, item in enumerate(items, 1)) for label, items in results.items()}
    turns = read_turns(context, plan.query, Policy() if policy is None else policy)
    return Dossier(plan, turns, read, tuple(pages), dict(failures or {}), dict(times or {}))


def read_dossier(data: Any) -> Dossier:
    """The dossier that `to_dict` wrote; an `InputError` (or `PlanError`) for anything else, without a place: the caller knows it."""
    if not isinstance(data, Mapping) or "plan" not in data:
        raise InputError("this is no dossier: it is no object with a plan; give what `rewriter dossier write` wrote")
    if data.get("dossier") != FORMAT:
        raise InputError(f"this dossier has the format {data.get('dossier')!r}, and this version reads {FORMAT}; use a matching version")
    try:
        return Dossier(
            plan=Plan.from_dict(data["plan"]),
            context=tuple(Turn(str(t["role"]), str(t["content"])) for t in data["context"]),
            results={str(label): tuple(_read_row(row) for row in rows) for label, rows in data["results"].items()},
            merged=tuple(_read_merged(m) for m in data["merged"]),
            failures={str(label): str(why) for label, why in data["failures"].items()},
            times=dict(data["times"]),
        )
    except (AttributeError, KeyError, TypeError) as error:
        what = f"lacks the field {error}" if isinstance(error, KeyError) else f"has a field of a wrong shape ({error})"
        raise InputError(f"this is no dossier: it {what}; give what `rewriter dossier write` wrote") from None


def _read_row(row: Mapping[str, Any]) -> Result:
    return Result(str(row["url"]), str(row["title"]), str(row["snippet"]), dict(row["extra"]))


def _read_merged(row: Mapping[str, Any]) -> Merged:
    sources = tuple(Source(str(s["variant"]), int(s["rank"]), str(s["url"])) for s in row["sources"])
    texts = (str(row["identity"]), str(row["url"]), str(row["title"]), str(row["snippet"]))
    return Merged(*texts, dict(row["extra"]), int(row["rank"]), float(row["score"]), sources)
