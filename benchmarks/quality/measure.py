"""Are the variants right?

    python benchmarks/quality/measure.py SETS [--limit N] [--report FOLDER] [--json OUT]

`SETS` is a folder of labelled sets (`labelled.py` says in which formats, `judges.py` what is right).  The package's plans are compared
with the query alone and with the conversation pasted behind it, on the same cases, with 95 % intervals.  `--report` writes quality.md
with its plots there.  Figures are aggregates: no query.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.intervals import estimate_mean
from benchmarks.quality.judges import JUDGES, MAIN, Answer, all_measures
from benchmarks.quality.labelled import LabelledSet, find_sets, turns_of
from benchmarks.retrieval.baselines import paste_turns
from benchmarks.retrieval.evaluate import LENGTHS
from benchmarks.shared import Table, as_text, count_words, track_progress, write_json
from rewriter import Turn, rewrite

__all__ = ["make_tables", "measure"]

WITH_TURNS = frozenset({"meanings", "conversations"})
"""Tasks in which the conversation decides."""
LEAST = 10
"""Cases below which a part of a set gets no row."""


class Judged(NamedTuple):
    """A case without its text: its group, language and length, and the measures of each system."""

    group: str
    language: str
    length: str
    systems: Mapping[str, Mapping[str, float]]


def judge_case(case: Mapping[str, Any], task: str) -> Judged:
    """The case answered by the package, by the query alone, and by pasting the conversation where there is one."""
    query, turns = case.get("query", case.get("raw", "")), turns_of(case)
    plan = rewrite(query, [Turn(role, text) for role, text in turns])
    asked = plan.clarification
    offers = tuple(f"{o.label} {o.query} {o.sense}" for o in asked.options) if asked else ()
    answers = {
        "rewriter": Answer(tuple((v.pattern, v.text) for v in plan.variants), asked is not None, offers, True),
        "query alone": Answer((("literal", query),)),
    }
    if task in WITH_TURNS:
        pasted = (("disambiguation", paste_turns(query, turns, answers=True)),) if turns else ()
        answers["conversation pasted"] = Answer((("literal", query), *pasted))
    length = next(name for most, name in LENGTHS if count_words(query) <= most)
    group = str(case.get("conv", query.casefold() or case.get("id")))
    return Judged(group, plan.language, length, {name: JUDGES[task](case, answer) for name, answer in answers.items()})


def measure(folder: Path, limit: int | None = None) -> dict[str, Any]:
    """All figures of the sets of a folder, of each the first `limit` cases."""
    rows: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] = []
    for labelled in find_sets(folder):
        judged = [judge_case(case, labelled.task) for case in track_progress(labelled.cases[:limit], labelled.name)]
        rows += [summarise(labelled, name, judged) for name in all_measures([j.systems["rewriter"] for j in judged])]
        parts += parts_of(labelled, judged)
    return {"signature": rewrite("signature").signature, "rows": rows, "parts": parts}


def summarise(labelled: LabelledSet, name: str, judged: Sequence[Judged]) -> dict[str, Any]:
    """A measure of a set: its mean for each system, and what the package has over each of the others."""
    fitting = [j for j in judged if name in j.systems["rewriter"]]
    row: dict[str, Any] = {
        "set": labelled.name,
        "task": labelled.task,
        "measure": name,
        "rewriter": _estimate(fitting, _value("rewriter", name)),
    }
    for system in ("query alone", "conversation pasted"):
        both = [j for j in fitting if name in j.systems.get(system, {})]
        if len(both) == len(fitting):
            row[system] = _estimate(both, _value(system, name))
            row[f"over {system}"] = _estimate(both, _difference(system, name))
    return row


def _value(system: str, name: str) -> Callable[[Judged], float]:
    return lambda j: 100 * j.systems[system][name]


def _difference(system: str, name: str) -> Callable[[Judged], float]:
    return lambda j: 100 * (j.systems["rewriter"][name] - j.systems[system][name])


def _estimate(judged: Sequence[Judged], value: Callable[[Judged], float]) -> dict[str, Any]:
    found = estimate_mean([value(j) for j in judged], [j.group for j in judged])
    assert found is not None, "a measure of no case"
    return found.to_dict()


def parts_of(labelled: LabelledSet, judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """The main measure of a set by language and length of the query."""
    name = MAIN[labelled.task]
    rows = []
    parts: tuple[tuple[str, Callable[[Judged], str], Sequence[str]], ...] = (
        ("language", lambda j: j.language, ("en", "id", "mixed", "und")),
        ("words", lambda j: j.length, [length for _, length in LENGTHS]),
    )
    for part, key, values in parts if labelled.task != "pages" else ():
        for value in values:
            fitting = [j for j in judged if key(j) == value and name in j.systems["rewriter"]]
            if len(fitting) >= LEAST:
                estimates = {
                    "rewriter": _estimate(fitting, _value("rewriter", name)),
                    "over query alone": _estimate(fitting, _difference("query alone", name)),
                }
                rows.append({"set": labelled.name, "measure": name, "part": part, "value": value, **estimates})
    return rows


def make_tables(figures: Mapping[str, Any]) -> list[Table]:
    """The measures, and the main ones by part."""
    rows = tuple([(f"{r['set']}: {r['measure']}", str(r["rewriter"]["n"]), share(r["rewriter"]), *_beside(r)) for r in figures["rows"]])
    headers = ("set and measure", "cases", "rewriter, %", "query alone, %", "conversation pasted, %", "over the query", "over pasting")
    parts = tuple(
        (
            f"{r['set']}: {r['measure']}",
            f"{r['part']}: {r['value']}",
            str(r["rewriter"]["n"]),
            share(r["rewriter"]),
            points(r["over query alone"]),
        )
        for r in figures["parts"]
    )
    return [
        Table("Shares in per cent and differences in points, with 95 % intervals; 100 is best", headers, rows),
        Table("Main measures by part", ("set and measure", "part", "cases", "rewriter, %", "over the query"), parts),
    ]


def _beside(row: Mapping[str, Any]) -> list[str]:
    others = ("query alone", "conversation pasted")
    return [*[mean(row.get(system)) for system in others], *[points(row.get(f"over {system}")) for system in others]]


def mean(estimate: Mapping[str, Any] | None) -> str:
    """A mean of hundredths."""
    return f"{estimate['mean']:.1f}" if estimate else "–"


def share(estimate: Mapping[str, Any]) -> str:
    """A mean of hundredths with its interval.

    >>> share({"mean": 50.0, "low": 40.0, "high": 61.5})
    '50.0 [40.0, 61.5]'
    """
    return mean(estimate) + (f" [{estimate['low']:.1f}, {estimate['high']:.1f}]" if estimate["low"] is not None else "")


def points(estimate: Mapping[str, Any] | None) -> str:
    """A difference with its interval."""
    if estimate is None:
        return "–"
    return f"{estimate['mean']:+.1f}" + (f" [{estimate['low']:+.1f}, {estimate['high']:+.1f}]" if estimate["low"] is not None else "")


def main() -> None:
    """Measure, print tables, write what was asked for."""
    parser = argparse.ArgumentParser(description="Are the variants right?")
    parser.add_argument("sets", type=Path, metavar="SETS", help="folder of labelled sets")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N cases of each set")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write quality.md and its plots here")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    if not options.sets.is_dir():
        parser.error(f"{options.sets} is no folder")
    figures = measure(options.sets, options.limit)
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    write_json(options.json, figures)
    if options.report:
        from benchmarks.quality.report import write_report  # plots need matplotlib

        write_report(figures, make_tables(figures), options.report)


if __name__ == "__main__":
    main()
