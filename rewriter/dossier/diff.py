"""What differs between two dossiers: first what can have caused it, then what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rewriter.dossier.entry import Dossier
from rewriter.model import Plan
from rewriter.record import record

__all__ = ["Change", "compare"]


@record
class Change:
    """One difference: what it is about, and what it was before and after ("" for what was not there)."""

    about: str
    before: str
    after: str


def compare(old: Dossier, new: Dossier) -> list[Change]:
    """All differences, causes before effects: request, signature, meanings, searches, reasons, results, pages.

    Titles, snippets, scores and times are not compared: they differ from day to day and decide nothing.
    """
    return [
        *_of_request(old, new),
        *_of_maps("signature", _signature(old.plan), _signature(new.plan)),
        *_of_maps("meaning of", _senses(old.plan), _senses(new.plan)),
        *_of_maps("question", _question(old.plan), _question(new.plan)),
        *_of_maps("search", _searches(old.plan), _searches(new.plan)),
        *_of_maps("no search", _skips(old.plan), _skips(new.plan)),
        *_of_maps("guardrail", _guards(old.plan), _guards(new.plan)),
        *_of_maps("failure of", dict(old.failures), dict(new.failures)),
        *_of_maps("results of", _counts(old), _counts(new)),
        *_of_pages(old, new),
    ]


def _of_request(old: Dossier, new: Dossier) -> Iterator[Change]:
    if old.plan.query != new.plan.query:
        yield Change("query", old.plan.query, new.plan.query)
    turns = [[f"{t.role}: {t.content}" for t in d.context] for d in (old, new)]
    yield from _of_maps("turn", {str(n): t for n, t in enumerate(turns[0], 1)}, {str(n): t for n, t in enumerate(turns[1], 1)})


def _of_maps(about: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for name in dict.fromkeys([*old, *new]):
        if old.get(name, "") != new.get(name, ""):
            yield Change(f"{about} {name}".rstrip(), old.get(name, ""), new.get(name, ""))


def _signature(plan: Plan) -> dict[str, str]:
    """The parts by name: `lex` alone changed means that only the lexicon did."""
    return {part.partition(":")[0]: part.partition(":")[2] for part in plan.signature.split("|")}


def _senses(plan: Plan) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for m in plan.mentions:
        cues = next((c.cues for c in m.candidates if c.sense == m.sense), ())
        chosen[m.form] = (m.sense or "undecided") + (f" ({', '.join(cues)})" if cues else "")
    return chosen


def _question(plan: Plan) -> dict[str, str]:
    return {"": plan.clarification.question} if plan.clarification else {}


def _searches(plan: Plan) -> dict[str, str]:
    """By pattern; of several disambiguations each by its number."""
    searches: dict[str, str] = {}
    for v in plan.variants:
        number = sum(name.split(" ")[0] == v.pattern for name in searches) + 1
        searches[v.pattern if number == 1 else f"{v.pattern} {number}"] = v.text
    return searches


def _skips(plan: Plan) -> dict[str, str]:
    return {s.rule: s.outcome for s in plan.trail if s.stage == "pattern" and s.outcome != "written"}


def _guards(plan: Plan) -> dict[str, str]:
    acted: dict[str, str] = {}
    for s in plan.trail:
        if s.stage in ("guardrail", "context"):
            acted[s.rule] = "; ".join(filter(None, [acted.get(s.rule, ""), " ".join([s.outcome, *s.evidence])]))
    return acted


def _counts(dossier: Dossier) -> dict[str, str]:
    return {label: f"{len(rows)} rows" for label, rows in dossier.results.items()}


def _of_pages(old: Dossier, new: Dossier) -> Iterator[Change]:
    before, after = ({p.identity: p for p in d.merged} for d in (old, new))
    for identity, page in after.items():
        was = before.get(identity)
        if was is None:
            yield Change(f"page {page.url}", "", f"rank {page.rank}, by {', '.join(page.variants)}")
        elif was.rank != page.rank:
            yield Change(f"page {page.url}", f"rank {was.rank}", f"rank {page.rank}")
    for identity, page in before.items():
        if identity not in after:
            yield Change(f"page {page.url}", f"rank {page.rank}, by {', '.join(page.variants)}", "")
