"""What each search brought: how much, how much of it nobody else did, and how much of it is seen early in the union."""

from __future__ import annotations

from rewriter.dossier.entry import Dossier
from rewriter.model import Merged
from rewriter.record import record

__all__ = ["EARLY", "Contribution", "list_contributions"]

EARLY = 10
"""Pages of the union that a reader looks at first."""


@record
class Contribution:
    """One search: its label (the text searched), the pattern that wrote it ("" where the plan has no such variant), rows it gave, pages of
    the union among them, pages that no other search found, how many of these are early in the union, and why it failed ("": it did not)."""

    label: str
    pattern: str
    rows: int
    pages: int
    alone: tuple[Merged, ...]
    early: int
    failure: str
    searched: bool


def list_contributions(dossier: Dossier) -> list[Contribution]:
    """A row for each variant of the plan in its order, then one for each other label, by label.

    >>> from rewriter import rewrite
    >>> from rewriter.dossier.entry import make_dossier
    >>> found = {"kopi susu": ["https://a.id", "https://b.id"], "milk coffee": ["https://b.id", "https://c.id"]}
    >>> [(c.label, c.pages, [page.url for page in c.alone]) for c in list_contributions(make_dossier(rewrite("kopi susu"), found))
    ...  if c.searched]
    [('kopi susu', 2, ['https://a.id']), ('milk coffee', 2, ['https://c.id'])]
    """
    patterns = {v.text: v.pattern for v in dossier.plan.variants}
    pages: dict[str, list[Merged]] = {}
    for page in dossier.merged:
        for label in page.variants:
            pages.setdefault(label, []).append(page)
    others = sorted((dossier.results.keys() | dossier.failures.keys()) - patterns.keys())
    listed = []
    for label in (*patterns, *others):
        mine = pages.get(label, [])
        alone = tuple(page for page in mine if page.variants == (label,))
        listed.append(
            Contribution(
                label, patterns.get(label, ""), len(dossier.results.get(label, ())), len(mine), alone,
                sum(page.rank <= EARLY for page in alone), dossier.failures.get(label, ""),
                label in dossier.results or label in dossier.failures,
            )
        )  # fmt: skip
    return listed
