"""Figures from outcomes: means with paired intervals, for whole collections and for parts of them.

Over several collections each weighs alike (macro average).  A collection with fewer than `LEAST` fitting queries is left out of
such a mean: it would weigh as much as the others, and its few queries would say nothing about chance.  Where none has so many, all
their queries are taken as one.  Points are hundredths of a share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intervals import estimate_mean
from benchmarks.retrieval.evaluate import LENGTHS, Outcome, Score

__all__ = ["BASELINES", "PATTERNS", "compare_systems", "curve_of", "parts_of", "pattern_figures", "summarise"]

PATTERNS = ("disambiguation", "english", "synonym", "question")
BASELINES = ("raw + user turns", "raw + all turns", "raw + WordNet", "raw + dictionary", "raw + human")
SYSTEMS = (
    "merged", *[f"{p} alone" for p in PATTERNS], "user turns alone", "all turns alone", "WordNet alone", "dictionary alone", "human alone",
    *BASELINES,
)  # fmt: skip
KINDS = ("clear", "ambiguous", "follow-up")
LEAST = 10
"""Queries below which a part of a collection gets no row, and no weight in a mean."""

Measure = Callable[[Score, Score], float]
"""A difference between a system and the raw query, in points."""


def _gain(ours: Score, raw: Score) -> float:
    """Recall at an equal budget; each score holds the raw query's recall at its own budget."""
    return 100 * ((ours.recall - ours.same) - (raw.recall - raw.same))


def _recall10(ours: Score, raw: Score) -> float:
    return 100 * (ours.recall10 - raw.recall10)


def _ndcg10(ours: Score, raw: Score) -> float:
    return 100 * (ours.ndcg10 - raw.ndcg10)


def _success(ours: Score, raw: Score) -> float:
    return 100 * (ours.success - raw.success)


MEASURES: dict[str, Measure] = {"gain": _gain, "d_recall10": _recall10, "d_ndcg10": _ndcg10, "d_success1": _success}
"""Differences between a system and another; the raw query's own gain is nothing."""


def summarise(outcomes: Sequence[Outcome], tasks: Mapping[str, str]) -> dict[str, Any]:
    """All figures as plain data: by collection and over all, by task (what kind of search a collection is), part, pattern and number of
    searches; `tasks` has the task of each collection."""
    names = list(dict.fromkeys([o.collection for o in outcomes]))
    return {
        "collections": {name: compare_systems([o for o in outcomes if o.collection == name]) for name in names},
        "all": compare_systems(outcomes),
        "tasks": {
            task: compare_systems([o for o in outcomes if tasks[o.collection] == task])
            for task in dict.fromkeys(tasks[name] for name in names)
        },
        "parts": parts_of(outcomes, tasks),
        "patterns": pattern_figures(outcomes),
        "curve": {kind: curve_of([o for o in outcomes if o.kind == kind]) for kind in KINDS},
    }


def compare_systems(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Each system that applies to some of the queries against the raw query on the same ones."""
    figures: dict[str, Any] = {"raw": _levels(outcomes, "raw")}
    for system in SYSTEMS:
        fitting = [o for o in outcomes if system in o.scores]
        if len(fitting) >= LEAST or (fitting and system == "merged"):
            figures[system] = _levels(fitting, system) | differences(fitting, system) | _rescues(fitting, system)
    return figures


def _levels(outcomes: Sequence[Outcome], system: str) -> dict[str, Any]:
    means = {name: _mean([float(getattr(o.scores[system], name)) for o in outcomes], outcomes) for name in Score._fields}
    return {"n": len(outcomes), **means}


def _strata(outcomes: Sequence[Outcome]) -> list[str | None]:
    """The collection of each outcome, None where it has no weight; one for all where no collection has enough."""
    counts = Counter(o.collection for o in outcomes)
    enough = {name for name, count in counts.items() if count >= LEAST}
    return [(o.collection if o.collection in enough else None) if enough else "" for o in outcomes]


def _mean(values: Sequence[float], outcomes: Sequence[Outcome]) -> float:
    by_name: dict[str, list[float]] = {}
    for value, name in zip(values, _strata(outcomes), strict=True):
        if name is not None:
            by_name.setdefault(name, []).append(value)
    return round(sum(sum(v) / len(v) for v in by_name.values()) / len(by_name), 4)


def differences(outcomes: Sequence[Outcome], system: str, against: str = "raw") -> dict[str, Any]:
    """The measures of a system less those of another on the same queries, with paired intervals; points."""
    return {
        name: _estimate([measure(o.scores[system], o.scores[against]) for o in outcomes], outcomes) for name, measure in MEASURES.items()
    }


def _estimate(values: Sequence[float], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    rows = [(v, o.group, name) for v, o, name in zip(values, outcomes, _strata(outcomes), strict=True) if name is not None]
    found = estimate_mean(*zip(*rows, strict=True))
    assert found is not None, "a figure of no queries"
    return found.to_dict()


def _rescues(outcomes: Sequence[Outcome], system: str) -> dict[str, int]:
    """Queries for which the raw query finds no document at all, and those of them for which the system finds a relevant one; likewise
    queries without a relevant document among the raw query's ten."""
    empty = [o for o in outcomes if not o.scores["raw"].documents]
    missed = [o for o in outcomes if not o.scores["raw"].recall]
    return {
        "empty": len(empty), "rescued": sum(o.scores[system].recall > 0 for o in empty),
        "missed": len(missed), "recovered": sum(o.scores[system].recall10 > 0 for o in missed),
    }  # fmt: skip


def parts_of(outcomes: Sequence[Outcome], tasks: Mapping[str, str]) -> list[dict[str, Any]]:
    """The merged list on parts of the queries: by task, language, length, and by what the plan found."""
    rows = []
    keys: Iterable[tuple[str, Callable[[Outcome], str], Sequence[str]]] = (
        ("task", lambda o: tasks[o.collection], sorted(set(tasks.values()))),
        ("language", lambda o: o.language, ("en", "id", "mixed", "und")),
        ("words", lambda o: o.length, [name for _, name in LENGTHS]),
        ("kind", lambda o: o.kind, KINDS),
    )
    for part, key, values in keys:
        for value in values:
            fitting = [o for o in outcomes if key(o) == value]
            if len(fitting) >= LEAST:
                searches = _mean([o.scores["merged"].searches for o in fitting], fitting)
                rows.append({"part": part, "value": value, "searches": searches, **differences(fitting, "merged")})
    return rows


def pattern_figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Of each pattern: how many queries have it; its variant alone against the raw query; and what the merged list loses without it.

    The loss is merged less merged-without-it, on queries that have it: in gain (each at its own budget) and among the first ten.
    """
    figures: dict[str, Any] = {}
    for pattern in PATTERNS:
        fitting = [o for o in outcomes if f"without {pattern}" in o.scores]
        if not fitting:
            continue
        figures[pattern] = {
            "n": len(fitting),
            "share": round(len(fitting) / len(outcomes), 4),
            "alone": differences(fitting, f"{pattern} alone"),
            "loss": _loss(fitting, pattern),
            "collections": {
                name: _loss(some, pattern)
                for name in dict.fromkeys([o.collection for o in fitting])
                if len(some := [o for o in fitting if o.collection == name]) >= LEAST
            },
        }
    return figures


def _loss(outcomes: Sequence[Outcome], pattern: str) -> dict[str, Any]:
    pairs = [(o.scores["merged"], o.scores[f"without {pattern}"]) for o in outcomes]
    return {
        "queries": len(outcomes),
        **{name: _estimate([measure(*pair) for pair in pairs], outcomes) for name, measure in MEASURES.items()},
    }


def curve_of(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """The first n variants merged, for n from 1 to 5, always over the same queries; `more` of them have an n-th variant."""
    if len(outcomes) < LEAST:
        return []
    rows = []
    for count in range(1, 6):
        system = f"first {count}"
        counted = [o for o, name in zip(outcomes, _strata(outcomes), strict=True) if name is not None]
        more = sum(o.scores[system].searches == count for o in counted)
        searches = _mean([o.scores[system].searches for o in outcomes], outcomes)
        rows.append({"variants": count, "more": more, "searches": searches, **differences(outcomes, system)})
    return rows
