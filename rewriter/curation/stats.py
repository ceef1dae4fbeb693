"""Numbers about a lexicon: entries by kind, domain, language and status, and how much of a log they reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rewriter.curation.logs import Logged
from rewriter.curation.pieces import Share, alone
from rewriter.curation.rows import row_of
from rewriter.engine import rewrite_with
from rewriter.lexicon.parse import Located
from rewriter.policy import Policy
from rewriter.resources import Resources

__all__ = ["count_entries", "count_reach"]

_SIDES = {"canonical": ("sense", "idiom"), "gloss": ("sense", "idiom", "jargon"), "expert": ("jargon",)}


def count_entries(items: Iterable[Located]) -> dict[str, dict[str, int]]:
    """Tables name → value → entries: kind, status, source, domain (first part of the path), language (which sides are there), review."""
    tables: dict[str, Counter[str]] = {name: Counter() for name in ("kind", "status", "source", "domain", "language", "review")}
    for item in items:
        row = row_of(item)
        fields = row.fields
        tables["kind"][row.kind] += 1
        tables["status"][str(fields.get("status") or "without status")] += 1
        tables["source"][str(fields.get("source") or "not named")] += 1
        tables["domain"][str(fields.get("domain", "")).split("/")[0] or "none"] += 1
        for name, kinds in _SIDES.items():
            if row.kind in kinds:
                sides = [language for language in ("en", "id") if fields.get(f"{name}.{language}")]
                tables["language"][f"{name} {'+'.join(sides) or 'missing'}"] += 1
        tables["review"]["signed" if fields.get("reviewed") else "not signed"] += 1
    return {name: dict(sorted(table.items(), key=lambda pair: (-pair[1], pair[0]))) for name, table in tables.items()}


def count_reach(
    log: Iterable[Logged],
    resources: Resources,
    top: int = 20,
    progress: Callable[[int], None] = lambda _: None,
    share: Share = alone,
) -> dict[str, Any]:
    """Logged queries that the lexicons say something about, by what they do, and the words most often left untranslated.

    Equal queries are planned once; `share` says who plans: this process alone, or several (`rewriter.curation.share`).
    """
    queries: dict[tuple[str, str], Logged] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for one in log:
        key = (one.query, repr(one.context))
        queries.setdefault(key, one)
        counts[key] += one.count
    reached: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for number, (key, facts) in enumerate(zip(queries, share(_all_facts, list(queries.values()), (resources,)), strict=True), 1):
        for fact in facts:
            (left if fact.startswith(" ") else reached)[fact.strip()] += counts[key]
        if not number % 100:
            progress(number)
    total = counts.total()
    order = ("anything", "sense decided", "asked back", "english", "english whole", "synonym", "question", "form found")
    words = sorted(left.items(), key=lambda pair: (-pair[1], pair[0]))[:top]
    return {"queries": total, "reached": {name: reached[name] for name in order}, "untranslated": dict(words)}


def _all_facts(queries: Sequence[Logged], resources: Resources) -> list[frozenset[str]]:
    return [frozenset(_facts(one, resources)) for one in queries]


def _facts(one: Logged, resources: Resources) -> Iterable[str]:
    """What a plan shows: names of `reached`, and (with a space before) words that its English variant left as they are."""
    plan = rewrite_with(one.query, one.context, resources, Policy())
    patterns = {v.pattern: v for v in plan.variants}
    if len(plan.variants) > 1:
        yield "anything"
    if any(m.sense for m in plan.mentions):
        yield "sense decided"
    if plan.mentions:
        yield "form found"
    if plan.clarification:
        yield "asked back"
    for name in ("english", "synonym", "question"):
        if name in patterns:
            yield name
    english = patterns.get("english")
    if english is not None and english.language == "en":
        yield "english whole"
    for piece in english.pieces if english is not None and english.language == "mixed" else ():
        for word in piece.text.casefold().split():
            if piece.kind == "copy" and word.isalpha() and not resources.exact(word) and max(resources.zipf(word)):
                yield f" {word}"
