"""Questions made of a sample of queries, for people to judge, and the share that they found natural.

    python benchmarks/questions/sample.py QUERIES… --seed S [--n 200] > sample.tsv      # half Indonesian or mixed, half English
    python benchmarks/questions/sample.py --judged FILE [--json OUT]

Drawn are queries of which the rewriter makes a question, by a hash of the seed and the query: the same seed draws the same queries on every
machine as long as the same ones get a question, and any first part of a half is a sample as well.  The first line that is printed
says how many there were to draw from.  A judge fills the column `right` (`1`, `0`, `?`) and `fault` by `rubric.md`.

The sample quotes queries: it stays with the judge.  The figures hold none.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import Table, as_text, read_queries, write_json
from benchmarks.translation.sample import wilson_interval
from rewriter import rewrite

COLUMNS = ("right", "fault", "half", "intent", "query", "question")
FAULTS = {
    "a": "agreement, article, number", "c": "capitals of names", "d": "doubled", "g": "other grammar", "m": "asks something else",
    "n": "bare name or title", "s": "statement or question already", "v": "verb form",
}  # fmt: skip


class Asked(NamedTuple):
    """A query and the question made of it; `half` is `en` for English queries, `id` for all others."""

    half: str
    intent: str
    query: str
    question: str


def ask_all(queries: Iterable[str]) -> tuple[list[Asked], Counter[str]]:
    """The queries of which a question is made, and how many queries of each half there were."""
    asked, seen = [], Counter[str]()
    for query in queries:
        plan = rewrite(query)
        half = "en" if plan.language == "en" else "id"
        seen[half] += 1
        asked += [Asked(half, plan.intent, query, v.text) for v in plan.variants if v.pattern == "question"]
    return asked, seen


def draw(asked: Iterable[Asked], seed: int, count: int) -> list[Asked]:
    """Half of `count` of each half, by the hash of seed and query."""
    ordered = sorted(asked, key=lambda a: hashlib.sha256(f"{seed}\t{a.query}".encode("utf-8", "replace")).hexdigest())
    return [a for half in ("id", "en") for a in [a for a in ordered if a.half == half][: count // 2]]


def write_sample(sample: Sequence[Asked]) -> str:
    """A sample as TSV, the columns for the judgement empty."""
    rows = [COLUMNS, *[("", "", *a) for a in sample]]
    return "".join(["\t".join([" ".join(cell.split()) for cell in row]) + "\n" for row in rows])


def count_judgements(file: Path) -> dict[str, Any]:
    """The share of natural questions among the judged ones, over all and in each half, and the number of each fault."""
    try:
        header, *lines = file.read_text(encoding="utf-8-sig").rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{file} cannot be read ({error}); give a sample with its columns `right` and `fault` filled.") from None
    if tuple(header.split("\t")) != COLUMNS:
        raise SystemExit(f"{file}:1: the columns are not {', '.join(COLUMNS)}; give a sample that this program printed.")
    right: dict[str, Counter[str]] = {"all": Counter(), "id": Counter(), "en": Counter()}
    faults: Counter[str] = Counter()
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or cells[0] not in ("1", "0", "?", "") or cells[2] not in ("id", "en"):
            raise SystemExit(f"{file}:{number}: `right` must be 1, 0, ? or empty, and the other columns as they were printed.")
        if cells[0] == "0" and cells[1] not in FAULTS:
            raise SystemExit(f"{file}:{number}: `fault` is {cells[1]!r}; a 0 needs one of {', '.join(FAULTS)}.")
        right["all"][cells[0]] += 1
        right[cells[2]][cells[0]] += 1
        if cells[0] == "0":
            faults[cells[1]] += 1
    if not right["all"]["1"] + right["all"]["0"]:
        raise SystemExit(f"{file} has no judgement yet; fill the column `right` with 1, 0 or ?.")
    rows = [_share(half, found) for half, found in right.items() if found["1"] + found["0"]]
    return {"rows": rows, "faults": {FAULTS[k]: n for k, n in sorted(faults.items(), key=lambda f: (-f[1], f[0]))}}


def _share(half: str, found: Counter[str]) -> dict[str, Any]:
    judged = found["1"] + found["0"]
    low, high = wilson_interval(found["1"], judged)
    share = found["1"] / judged
    return {"name": half, "judged": judged, "natural": found["1"], "unsure": found["?"], "share": share, "low": low, "high": high}


def make_tables(figures: dict[str, Any]) -> list[Table]:
    """The judgements as two tables."""
    rows = tuple(
        (r["name"], f"{100 * r['share']:.1f} %", f"{100 * r['low']:.1f} to {100 * r['high']:.1f} %", str(r["judged"]), str(r["unsure"]))
        for r in figures["rows"]
    )
    faults = tuple((name, str(n)) for name, n in figures["faults"].items())
    return [
        Table("Questions judged", ("queries", "natural", "95 % (Wilson)", "judged", "unsure"), rows),
        Table("Faults", ("fault", "number"), faults),
    ]


def main() -> None:
    """Print a sample, or what its judges found."""
    parser = argparse.ArgumentParser(description="A sample of questions for judging, and the share natural.")
    parser.add_argument(
        "queries", nargs="*", type=Path, metavar="QUERIES", help="JSONL with `query`, text with a query a line, folders of them"
    )
    parser.add_argument("--seed", type=int, help="another seed, another sample")
    parser.add_argument("--n", type=int, default=200, help="questions (200)")
    parser.add_argument("--judged", type=Path, metavar="FILE", help="a sample with its columns `right` and `fault` filled")
    parser.add_argument("--json", type=Path, metavar="OUT", help="with --judged: the figures")
    options = parser.parse_args()
    if options.judged is not None:
        figures = count_judgements(options.judged)
        print(*map(as_text, make_tables(figures)), sep="\n\n")
        write_json(options.json, figures)
    elif options.seed is None or not options.queries:
        parser.error("give QUERIES and --seed to draw a sample, or --judged to count one")
    else:
        asked, seen = ask_all(read_queries(options.queries))
        made = Counter(a.half for a in asked)
        told = ", ".join(f"{half}: {made[half]} questions of {seen[half]} queries" for half in ("id", "en"))
        print(f"seed {options.seed}; {told}", file=sys.stderr)
        print(write_sample(draw(asked, options.seed, options.n)), end="")


if __name__ == "__main__":
    main()
