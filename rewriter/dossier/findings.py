"""When results go wrong, what to look at first: one function a suspicion, most telling first.

A finding names what was seen and what to do.  None of them is proof: they are the places where a wrong search usually began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rewriter.dossier.contributions import Contribution, list_contributions
from rewriter.dossier.entry import Dossier
from rewriter.model import Mention
from rewriter.record import record

__all__ = ["FINDINGS", "Finding", "inspect"]

CLOSE = 100
"""A lead over the second meaning below one clear cue (hundredths of a nat) is called narrow."""
FEW = 3
"""So few pages say nothing about drift."""


@record
class Finding:
    """A suspicion: its stable code, what was seen, and what to do."""

    code: str
    seen: str
    do: str


Rule = Callable[[Dossier, list[Contribution]], Iterator[Finding]]


def inspect(dossier: Dossier) -> list[Finding]:
    """All findings, in the order of `FINDINGS`; none where nothing looks wrong."""
    contributions = list_contributions(dossier)
    return [finding for rule in FINDINGS for finding in rule(dossier, contributions)]


def find_failed_searches(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """A search failed."""
    for c in contributions:
        if c.failure:
            yield Finding("search-failed", f"the search “{c.label}” failed: {c.failure}", "run it again before judging the rest")


def find_missing_searches(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """A variant of the plan was not searched, or a search is none of the plan's."""
    for c in contributions:
        if not c.searched:
            yield Finding("not-searched", f"the {c.pattern} variant “{c.label}” was not searched", "search it: the plan counts on it")
        elif not c.pattern:
            yield Finding("not-planned", f"“{c.label}” is no variant of the plan", "label results with the variant's exact text")


def find_open_meaning(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """The meaning was open, and nobody was asked."""
    open_forms = [m.form for m in dossier.plan.mentions if m.sense is None and len(m.candidates) > 1]
    if dossier.plan.clarification:
        yield Finding(
            "meaning-open", f"the plan asks: {dossier.plan.clarification.question}", "get the answer and rewrite again with it as a turn"
        )
    elif open_forms:
        yield Finding("meaning-open", f"the meaning of “{open_forms[0]}” stayed open", "give the conversation as context")


def find_weak_senses(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """A meaning was taken without a word that spoke for it, or by a narrow lead."""
    for m in dossier.plan.mentions:
        chosen = next((c for c in m.candidates if c.sense == m.sense), None)
        if chosen is None or len(m.candidates) < 2:
            continue
        if not chosen.cues:
            yield Finding("sense-without-cue", f"“{m.form}” was read as {m.sense} without a cue", _show(m))
        elif chosen.score - max(c.score for c in m.candidates if c is not chosen) < CLOSE:
            yield Finding(
                "sense-by-a-narrow-lead", f"“{m.form}” was read as {m.sense} by a narrow lead ({', '.join(chosen.cues)})", _show(m)
            )


def _show(mention: Mention) -> str:
    return f'if that is wrong: `rewriter lexicon show "{mention.form}"`, and add a cue or a form'


def find_empty_searches(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """A search found nothing."""
    for c in contributions:
        if c.searched and not c.failure and not c.rows:
            yield Finding("found-nothing", f"the search “{c.label}” found nothing", "look for a wrong word or too many constraints in it")


def find_drift(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """All that a variant found, no other search did: another subject, or a real gain."""
    if len([c for c in contributions if c.pages]) < 2:
        return
    for c in contributions:
        if c.pages > FEW and len(c.alone) == c.pages and c.pattern not in ("", "literal"):
            seen = f"no other search found any of the {c.pages} pages of the {c.pattern} variant “{c.label}”"
            yield Finding("drift", seen, "read its first pages: a gain, or another subject")


def find_idle_variants(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """A variant brought no page of its own."""
    for c in contributions:
        if c.pages and not c.alone and c.pattern not in ("", "literal"):
            yield Finding(
                "brought-nothing", f"the {c.pattern} variant “{c.label}” brought no page of its own", "nothing is lost without it here"
            )


def find_doubtful_folds(dossier: Dossier, contributions: list[Contribution]) -> Iterator[Finding]:
    """Rows with different titles were folded into one page."""
    titles: dict[tuple[str, int], str] = {}
    for label, rows in dossier.results.items():
        for rank, row in enumerate(rows, 1):
            titles[label, rank] = " ".join(row.title.split()).casefold()
    for page in dossier.merged:
        if page.folded and len({titles.get((s.variant, s.rank), "") for s in page.sources} - {""}) > 1:
            yield Finding(
                "fold-of-two-titles", f"{page.url} was folded with {page.folded[0]}, under another title", "open both; report a wrong fold"
            )


FINDINGS: tuple[Rule, ...] = (
    find_failed_searches,  # first: nothing else can be judged without its results
    find_missing_searches,  # the same, by the caller's own doing
    find_open_meaning,  # half the results are about something else
    find_weak_senses,  # all of the rewritten results may be about something else
    find_empty_searches,  # a variant too narrow
    find_drift,  # a variant too far
    find_doubtful_folds,  # a page lost
    find_idle_variants,  # last: cost without harm
)
