"""A dossier as a document: headings, sentences and tables, which `markdown` and `html` write each in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewriter.dossier.contributions import EARLY, list_contributions
from rewriter.dossier.entry import Dossier
from rewriter.dossier.findings import inspect
from rewriter.model import Merged, Step
from rewriter.record import record
from rewriter.report import PURPOSE, REASONS, purpose_of

__all__ = ["Block", "Cell", "Heading", "Link", "Rows", "Text", "write_page"]

SHOWN_ALONE = 5
"""Pages listed under each variant that nobody else found; the table of pages has them all."""


@record
class Heading:
    """A heading; level 1 is the title."""

    level: int
    text: str


@record
class Text:
    """A paragraph; plain text."""

    text: str


@record
class Link:
    """A cell that is a page: its address and what to call it."""

    url: str
    text: str


Cell = str | Link


@record
class Rows:
    """A table."""

    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


Block = Heading | Text | Rows


def write_page(dossier: Dossier) -> list[Block]:
    """The page: what to inspect first, then the way from the query to the pages, in the order in which it went."""
    return [
        Heading(1, f"Dossier: {dossier.plan.query}"),
        *_write_findings(dossier),
        *_write_request(dossier),
        *_write_senses(dossier),
        *_write_variants(dossier),
        *_write_steps(dossier),
        *_write_contributions(dossier),
        *_write_pages(dossier),
        Heading(2, "Signature"),
        Text(dossier.plan.signature),
    ]


def _table(headers: tuple[str, ...], rows: Sequence[tuple[Cell, ...]], empty: str) -> Block:
    return Rows(headers, tuple(rows)) if rows else Text(empty)


def _write_findings(dossier: Dossier) -> Iterator[Block]:
    yield Heading(2, "Inspect first")
    found = inspect(dossier)
    yield _table(("what was seen", "what to do"), [(f.seen, f.do) for f in found], "Nothing looks wrong.")


def _write_request(dossier: Dossier) -> Iterator[Block]:
    plan = dossier.plan
    yield Heading(2, "Query and context")
    facts = [("query", plan.query), ("query id", plan.query_id or ""), ("language", plan.language), ("intent", plan.intent)]
    facts += [(str(name), str(value)) for name, value in dossier.times.items()]
    yield Rows(("", ""), tuple((name, value) for name, value in facts if value))
    turns = [(t.role, t.content) for t in dossier.context]
    yield _table(("turn", "text"), turns, "No turns were read.")
    if plan.clarification:
        yield Text(f"Asked back: {plan.clarification.question}")
        yield Rows(("meaning", "search"), tuple((o.label, o.query) for o in plan.clarification.options))


def _write_senses(dossier: Dossier) -> Iterator[Block]:
    yield Heading(2, "Meanings")
    rows = [
        (m.form, c.sense, "chosen" if c.sense == m.sense else "", str(c.score), ", ".join(c.cues) or "no cue")
        for m in dossier.plan.mentions
        for c in m.candidates
    ]
    yield _table(("form", "sense", "", "score", "words that spoke for it"), rows, "The lexicons found no form with meanings.")


def _write_variants(dossier: Dossier) -> Iterator[Block]:
    plan = dossier.plan
    whole = plan.to_dict()
    yield Heading(2, "Searches")
    yield _table(("pattern", "text", "what it is for"), [(v.pattern, v.text, purpose_of(v.pattern, whole)) for v in plan.variants], "None.")
    skipped = [s for s in plan.trail if s.stage == "pattern" and s.outcome != "written"]
    yield _table(("not searched", "why", ""), [_step(s, PURPOSE.get(s.rule, "")) for s in skipped], "Every pattern was searched.")


def _step(step: Step, otherwise: str = "") -> tuple[str, str, str]:
    return step.rule, REASONS.get(step.outcome, step.outcome), " ".join(step.evidence) or otherwise


def _write_steps(dossier: Dossier) -> Iterator[Block]:
    steps = [s for s in dossier.plan.trail if s.stage in ("guardrail", "context")]
    yield Heading(2, "Guardrails and context")
    yield _table(("rule", "what it did", "on what"), [_step(s) for s in steps], "No guardrail had to act.")


def _write_contributions(dossier: Dossier) -> Iterator[Block]:
    contributions = list_contributions(dossier)
    yield Heading(2, "What each search brought")
    rows = [
        (
            c.label,
            c.pattern or "not of this plan",
            str(c.rows),
            str(c.pages),
            str(len(c.alone)),
            str(c.early),
            c.failure or ("" if c.searched else "not searched"),
        )
        for c in contributions
    ]
    headers = ("search", "pattern", "rows", "pages", "found by it alone", f"of these in the first {EARLY}", "failure")
    yield _table(headers, rows, "Nothing was searched.")
    alone: list[tuple[Cell, ...]] = [(c.label, str(p.rank), _link(p)) for c in contributions for p in c.alone[:SHOWN_ALONE]]
    if alone:
        yield Text(f"Pages that one search alone found, the first {SHOWN_ALONE} of each:")
        yield Rows(("search", "rank", "page"), tuple(alone))


def _write_pages(dossier: Dossier) -> Iterator[Block]:
    yield Heading(2, "Pages")
    rows: list[tuple[Cell, ...]] = [
        (str(p.rank), _link(p), "; ".join(f"{s.variant} ({s.rank})" for s in p.sources), " ".join(p.folded)) for p in dossier.merged
    ]
    yield _table(("rank", "page", "found by (rank)", "folded into it"), rows, "No page was found.")


def _link(page: Merged) -> Link:
    return Link(page.url, page.title.strip() or page.url)
