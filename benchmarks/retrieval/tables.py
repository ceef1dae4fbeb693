"""The figures as tables, for the terminal, for RESULTS.md and for the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.retrieval.summarise import BASELINES
from benchmarks.shared import Table

__all__ = [
    "baseline_table", "collection_table", "curve_table", "loss_table", "make_tables", "merged_table", "part_table", "pattern_table",
    "points",
]  # fmt: skip


def make_tables(figures: Mapping[str, Any]) -> list[Table]:
    """All tables, in the order in which they are read."""
    return [
        collection_table(figures), merged_table(figures), pattern_table(figures), loss_table(figures), baseline_table(figures),
        part_table(figures), curve_table(figures),
    ]  # fmt: skip


def points(estimate: Mapping[str, Any] | None) -> str:
    """A difference in points with its interval.

    >>> points({"mean": 1.26, "low": 0.2, "high": 2.0, "n": 50}), points(None), points({"mean": -0.5, "low": None, "high": None, "n": 1})
    ('+1.3 [+0.2, +2.0]', '–', '-0.5')
    """
    if estimate is None:
        return "–"
    interval = f" [{estimate['low']:+.1f}, {estimate['high']:+.1f}]" if estimate["low"] is not None else ""
    return f"{estimate['mean']:+.1f}{interval}"


def _differences(row: Mapping[str, Any]) -> list[str]:
    return [points(row[name]) for name in ("gain", "d_recall10", "d_ndcg10")]


def collection_table(figures: Mapping[str, Any]) -> Table:
    """What was searched; `independent` are queries of different conversations."""
    names = ("queries", "groups", "documents", "language", "relevant", "with_turns", "reference")
    headers = ("queries", "independent", "documents", "their language", "relevant a query", "with turns", "with a human query")
    rows = [(name, *[str(about[key]) for key in names]) for name, about in figures["about"].items()]
    return Table("Collections", ("collection", *headers), tuple(rows))


def merged_table(figures: Mapping[str, Any]) -> Table:
    """All variants merged against the raw query, a row a collection."""
    rows = []
    for name, systems in [*figures["collections"].items(), ("all, each alike", figures["all"])]:
        m, raw = systems["merged"], systems["raw"]
        rows.append((
            name, str(m["n"]), f"{m['searches']:.2f}", f"{m['documents']:.1f}", f"{m['same']:.3f}", f"{m['recall']:.3f}", points(m["gain"]),
            f"{raw['recall10']:.3f}", points(m["d_recall10"]), f"{raw['ndcg10']:.3f}", points(m["d_ndcg10"]), f"{raw['success']:.3f}",
            points(m["d_success1"]), f"{m['rescued']} of {m['empty']}", f"{m['recovered']} of {m['missed']}",
        ))  # fmt: skip
    headers = (
        "collection", "queries", "searches", "documents", "recall raw, as many", "recall merged", "gain", "recall@10 raw", "Δ",
        "nDCG@10 raw", "Δ", "success@1 raw", "Δ", "zero-result rescues", "misses recovered",
    )  # fmt: skip
    return Table("All variants merged against the raw query; differences in points, 95 % intervals", headers, tuple(rows))


def pattern_table(figures: Mapping[str, Any]) -> Table:
    """Each variant alone in place of the raw query, over all collections."""
    rows = []
    for pattern, f in figures["patterns"].items():
        alone = f["alone"]
        cells = [points(alone[name]) for name in ("d_recall10", "d_ndcg10", "d_success1")]
        rows.append((pattern, str(f["n"]), f"{100 * f['share']:.1f} %", *cells))
    title = "Each variant alone in place of the raw query, on queries that have it"
    return Table(title, ("pattern", "queries", "of all", "Δ recall@10", "Δ nDCG@10", "Δ success@1"), tuple(rows))


def loss_table(figures: Mapping[str, Any]) -> Table:
    """Leave one pattern out: what the merged list loses, on queries that have the pattern."""
    rows = []
    for pattern, f in figures["patterns"].items():
        for name, loss in [("all, each alike", f["loss"]), *f["collections"].items()]:
            rows.append((pattern, name, str(loss["gain"]["n"]), *[points(loss[m]) for m in ("gain", "d_recall10", "d_ndcg10")]))
    title = "Leave one pattern out: what the merged list owes to it, on queries that have it"
    return Table(title, ("pattern", "collection", "queries", "gain", "Δ recall@10", "Δ nDCG@10"), tuple(rows))


def baseline_table(figures: Mapping[str, Any]) -> Table:
    """The merged list beside baselines merged with the raw query, and the human query, on the queries that each applies to."""
    rows = []
    for name, systems in figures["collections"].items():
        for system in ("merged", *BASELINES):
            if system in systems:
                s = systems[system]
                cells = [points(s[measure]) for measure in ("gain", "d_recall10", "d_ndcg10", "d_success1")]
                rows.append((name, system, str(s["n"]), f"{s['searches']:.2f}", *cells))
    title = "Beside simple baselines and a human's query, each against the raw query on the same queries"
    return Table(title, ("collection", "searched", "queries", "searches", "gain", "Δ recall@10", "Δ nDCG@10", "Δ success@1"), tuple(rows))


def part_table(figures: Mapping[str, Any]) -> Table:
    """The merged list by language, length and kind of query."""
    rows = [
        (
            f"{r['part']}: {r['value']}",
            str(r["gain"]["n"]),
            f"{r['searches']:.2f}",
            *[points(r[m]) for m in ("gain", "d_recall10", "d_ndcg10")],
        )
        for r in figures["parts"]
    ]
    title = "All variants merged, by part: collections that have such queries, each alike"
    return Table(title, ("part", "queries", "searches", "gain", "Δ recall@10", "Δ nDCG@10"), tuple(rows))


def curve_table(figures: Mapping[str, Any]) -> Table:
    """Over-expansion: the first n variants merged."""
    rows = [
        (
            kind,
            str(r["variants"]),
            str(r["gain"]["n"]),
            str(r["more"]),
            f"{r['searches']:.2f}",
            *[points(r[m]) for m in ("gain", "d_recall10", "d_ndcg10")],
        )
        for kind, curve in figures["curve"].items()
        for r in curve
    ]
    headers = ("queries that are", "variants at most", "queries", "with so many", "searches", "gain", "Δ recall@10", "Δ nDCG@10")
    return Table("The first variants merged, by kind of query", headers, tuple(rows))
