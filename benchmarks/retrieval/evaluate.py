"""One query, searched in every way that is compared.

A *system* is a set of searches whose results are merged by the package's own `merge`, each to the same depth.  Several searches find more
documents than one, so each system is compared with the raw query's list cut at as many documents as the system gave: at an equal budget
of reading.  The difference in recall there is the *gain*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from benchmarks.retrieval.baselines import Expand, paste_turns, translate_words
from benchmarks.retrieval.collection import Case
from benchmarks.retrieval.index import Index
from benchmarks.retrieval.measures import ndcg, recall, success
from benchmarks.shared import count_words
from rewriter import Plan, Turn, merge, rewrite

__all__ = ["DEPTH", "LENGTHS", "Outcome", "Score", "evaluate_case"]

DEPTH = 10
"""Documents read of each search."""
LENGTHS = ((2, "1–2"), (4, "3–4"), (7, "5–7"), (10**6, "8 or more"))
"""Words of a query; from eight on the policy allows three searches."""


class Score(NamedTuple):
    """What a system is worth for a query.

    `same` is the recall of the raw query's list cut at `documents`; `recall10`, `ndcg10` and `success` are those of the first ten (one).
    """

    searches: int
    documents: int
    recall: float
    same: float
    recall10: float
    ndcg10: float
    success: float


class Outcome(NamedTuple):
    """A query without its text: where it is from, of what kind it is, and the score of each system that applies to it."""

    collection: str
    group: str
    language: str
    length: str
    kind: str
    patterns: tuple[str, ...]
    scores: Mapping[str, Score]


def evaluate_case(case: Case, collection: str, index: Index, synonyms: Expand | None) -> Outcome:
    """Search the query in all ways; a text is searched once, however many systems use it."""
    plan = rewrite(case.query, [Turn(role, text) for role, text in case.turns])
    found: dict[str, list[str]] = {}
    raw = index.search(case.query, DEPTH * (len(plan.variants) + 2))
    scores = {}
    for name, texts in list_systems(case, plan, index.language, synonyms):
        lists = {text: found[text] if text in found else found.setdefault(text, index.search(text, DEPTH)) for text in texts}
        documents = next(iter(lists.values())) if len(lists) == 1 else merge_lists(lists)
        scores[name] = score_list(documents, raw, case.grades, len(lists))
    length = next(name for most, name in LENGTHS if count_words(case.query) <= most)
    patterns = tuple(dict.fromkeys([v.pattern for v in plan.variants]))
    return Outcome(collection, case.group, plan.language, length, kind_of(plan), patterns, scores)


def list_systems(case: Case, plan: Plan, corpus_language: str, synonyms: Expand | None) -> Iterator[tuple[str, Sequence[str]]]:
    """Name and searches of each system that applies to the query.

    `raw`; `<pattern> alone`; `merged`, and without each pattern; the first n variants; with what a person would have written; baselines.
    """
    raw, variants = case.query, plan.variants
    yield "raw", [raw]
    for pattern in dict.fromkeys([v.pattern for v in variants]):
        yield f"{pattern} alone", [next(v.text for v in variants if v.pattern == pattern)]
        if pattern != "literal":
            yield f"without {pattern}", [v.text for v in variants if v.pattern != pattern] or [raw]
    yield "merged", plan.queries or [raw]
    for count in range(1, 6):
        yield f"first {count}", plan.queries[:count] or [raw]
    if case.reference:
        yield "human alone", [case.reference]
        yield "raw + human", list(dict.fromkeys([raw, case.reference]))
    baselines: dict[str, str] = {}
    if case.turns:
        baselines["user turns"] = paste_turns(raw, case.turns, answers=False)
        baselines["all turns"] = paste_turns(raw, case.turns, answers=True)
    if synonyms is not None and plan.language == "en" and corpus_language == "en":
        baselines["WordNet"] = synonyms(raw)
    if plan.language in ("id", "mixed") and corpus_language == "en":
        baselines["dictionary"] = translate_words(raw)
    for name, text in baselines.items():
        yield f"{name} alone", [text]
        yield f"raw + {name}", list(dict.fromkeys([raw, text]))


def merge_lists(lists: Mapping[str, Sequence[str]]) -> list[str]:
    """Documents of several searches in the order of the package's `merge`.  Ids are no URLs: each is its own page."""
    return [page.url for page in merge(lists, key=lambda result: result.url)]


def score_list(documents: Sequence[str], raw: Sequence[str], grades: Mapping[str, float], searches: int) -> Score:
    """A list against the judgements, and the raw query's list at as many documents (ten where the system found none).

    >>> score_list(["a", "b", "c"], ["x", "a", "y", "c"], {"a": 1, "c": 1}, 2)[:4]
    (2, 3, 1.0, 0.5)
    """
    budget = len(documents) or DEPTH
    return Score(
        searches, len(documents), recall(documents, grades), recall(raw[:budget], grades), recall(documents[:DEPTH], grades),
        ndcg(documents, grades), success(documents, grades),
    )  # fmt: skip


def kind_of(plan: Plan) -> str:
    """`follow-up` where the plan took something from the conversation, `ambiguous` where a form has several meanings, else `clear`."""
    if any(step.stage == "context" and step.outcome == "resolved" for step in plan.trail):
        return "follow-up"
    if plan.clarification or any(len(mention.candidates) > 1 for mention in plan.mentions):
        return "ambiguous"
    return "clear"
