"""What a curator should see before adding a form: entries of the form itself, and forms that are nearly the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewriter.curation.rows import forms_of_row, row_of
from rewriter.lexicon.parse import Located
from rewriter.record import record

__all__ = ["Near", "find_near", "search_items"]

ALIKE = 80.0
"""Of 100 (rapidfuzz's ratio): one slip in five letters; below it the list is noise."""


@record
class Near:
    """Entries of the form, and (form, likeness in percent, entry) of nearly equal ones, the likest first."""

    siblings: tuple[Located, ...]
    alike: tuple[tuple[str, int, Located], ...]


def find_near(forms: Iterable[str], items: Sequence[Located], limit: int = 8) -> Near:
    """Siblings of the (folded) forms among the entries, and up to `limit` near matches."""
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    wanted = list(dict.fromkeys(forms))
    owners: dict[str, list[Located]] = {}
    for item in items:
        for form in forms_of_row(row_of(item)):
            owners.setdefault(form, []).append(item)
    siblings = list({id(i): i for form in wanted for i in owners.get(form, ())}.values())
    others = [form for form in owners if form not in wanted]
    scores: dict[str, float] = {}
    for form in wanted:
        for other, score, _ in process.extract(form, others, scorer=Indel.normalized_similarity, score_cutoff=ALIKE / 100, limit=limit):
            scores[other] = max(score, scores.get(other, 0))
    shown = {id(item) for item in siblings}
    alike = []
    for form in sorted(scores, key=lambda form: (-scores[form], form)):
        fresh = [i for i in owners[form] if id(i) not in shown][:1]
        shown.update(map(id, fresh))
        alike += [(form, round(100 * scores[form]), i) for i in fresh]
    return Near(tuple(siblings), tuple(alike[:limit]))


def search_items(text: str, items: Iterable[Located], *, status: str = "", domain: str = "") -> list[Located]:
    """Entries in which some field holds the text (any case), of a status and at or below a domain."""
    needle = text.casefold()
    found = []
    for item in items:
        fields = item.fields
        if status and str(fields.get("status") or "reviewed") != status:
            continue
        home = str(fields.get("domain", ""))
        if domain and home != domain and not home.startswith(f"{domain}/"):
            continue
        if needle in repr(list(fields.values())).casefold():
            found.append(item)
    return found
