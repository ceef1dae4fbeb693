"""Score the fresh held-out cases with the public API.

    python benchmarks/fresh/score.py [senses|follow_ups|jargon …] [--json OUT] [--show N] [--record NAME]

Prints each measure with its number of cases, its value and Wilson's interval of 95 %, and counts by kind, language or domain.
No text of a case is printed unless `--show` asks for failed ones: who has read a case can no longer be surprised by it.  `--record`
writes the figures with signature and date into figures.json: what was recorded `first` stays for good, `current` is the latest.

Words of the measures: *resolved* is the text of the only disambiguation variant, else the literal, and nothing where the plan asks back.
A term is found at word boundaries, in any case, with a regular ending; `passed` alone takes the rule of README.md to the letter:
whole words, in the resolved query only.

senses      `sense_acc` (no question expected: none asked, an `any` term in resolved or query, no `none` term in resolved), `pair_acc` (both
            cases of a query), `ask_recall`, `ask_precision`, `ask_f1`, `wrong_guess` (one sense taken where a question was expected, or one
            whose variant has a `none` term or no `any` term), `pollution` (clear queries: a `none` term in any variant)
follow_ups  `changed_as_expected`, `any`, `all`, `none` (kept by the disambiguation variant where a change is expected, else by resolved),
            `needless_edit` (no change expected, and resolved is not the query; a question back counts), `asked`, `total` (all of it right)
jargon      `hit` (an `any` term in the synonym variant), `wrong` (a `none` term in a variant other than the literal)

`as_typed` is what the queries would score if nothing rewrote them, and `asked` is neither good nor bad.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import ROOT, Table, as_text, write_json
from benchmarks.translation.sample import wilson_interval
from rewriter import Plan, rewrite

CASES = ROOT / "benchmarks" / "fresh"
FAULTS = frozenset({"needless_edit", "pollution", "wrong", "wrong_guess"})
"""Measures of which less is better."""
NEUTRAL = frozenset({"as_typed", "asked"})
_TAKES_ENDING = re.compile(r"[^\W\d_]{3}$")
"""Three letters at its end: `as` is no plural of `a`, nor `5s` of `5`."""

Case = Mapping[str, Any]
Verdicts = dict[str, bool]
"""What a case says of each measure that it has a say in."""
Figure = dict[str, Any]
"""`right` of `n`, `value`, and `low` to `high`; null where there is none."""


class Judged(NamedTuple):
    """A case, what was made of it, and what that is worth."""

    case: Case
    plan: Plan
    verdicts: Verdicts


def holds(terms: Iterable[str], text: str | None, *, endings: bool = True) -> bool:
    """Whether any of the terms is in the text.

    Endings are English plurals and Indonesian clitics.  Suffixes that make other words (-an, -kan, -ing) are not among them.

    >>> holds(["big cat"], "Big  Cats"), holds(["kucing"], "kucingnya"), holds(["battery"], "batteries"), holds(["cat"], "catering")
    (True, True, True, False)
    >>> holds(["cat"], "cats", endings=False), holds([], "cat"), holds(["cat"], None)
    (False, False, False)
    """
    return text is not None and any([_pattern(term, endings).search(text.casefold()) for term in terms])


@functools.cache
def _pattern(term: str, endings: bool) -> re.Pattern[str]:
    body, ending = r"\s+".join(map(re.escape, term.casefold().split())), ""
    if endings and _TAKES_ENDING.search(term):
        ending = "(?:es|s|nya|ku|mu|lah|kah|pun)?"
        if body.endswith("y"):
            body = f"{body[:-1]}(?:y|ie)"
    return re.compile(rf"(?<!\w){body}{ending}(?!\w)")


def squash(text: str) -> str:
    """A text without case, spaces and punctuation.

    >>> squash("Berapa harga-nya ?")
    'berapaharganya'
    """
    return re.sub(r"[\W_]+", "", text.casefold())


def texts_of(plan: Plan, pattern: str) -> list[str]:
    """The variants of one pattern."""
    return [variant.text for variant in plan.variants if variant.pattern == pattern]


def resolve(plan: Plan) -> str | None:
    """The query as the plan understands it; None where it asks back."""
    if plan.clarification is not None:
        return None
    taken = texts_of(plan, "disambiguation") or texts_of(plan, "literal")
    return taken[0] if len(taken) == 1 else plan.query


def judge_sense(case: Case, plan: Plan) -> Verdicts:
    """Measures of a case of `senses.jsonl`."""
    expect, resolved, asked = case["expect"], resolve(plan), plan.clarification is not None
    taken = [] if asked else texts_of(plan, "disambiguation")
    if expect["ask"]:
        choices = " | ".join([f"{o.label} | {o.query}" for o in plan.clarification.options]) if plan.clarification else None
        offered = [holds(terms, choices, endings=False) for terms in expect["options"]]
        verdicts = {"ask_recall": asked, "wrong_guess": bool(taken), "passed": sum(offered) >= 2}
    else:
        any_, none = expect["any"], expect["none"]
        exact = holds(any_, resolved, endings=False) and not holds(none, resolved, endings=False)
        verdicts = {
            "sense_acc": not asked and (holds(any_, resolved) or holds(any_, case["query"])) and not holds(none, resolved),
            "wrong_guess": any([holds(none, text) or not holds(any_, text) for text in taken]),
            "passed": exact,
            "as_typed": holds(any_, case["query"]) and not holds(none, case["query"]),
        }
    if asked:
        verdicts["ask_precision"] = expect["ask"]
    if case["kind"] == "clear":
        verdicts["pollution"] = any([holds(expect["none"], variant.text) for variant in plan.variants])
    return verdicts


def judge_follow_up(case: Case, plan: Plan) -> Verdicts:
    """Measures of a case of `follow_ups.jsonl`."""
    expect, resolved, asked = case["expect"], resolve(plan), plan.clarification is not None
    if expect["changed"] and not texts_of(plan, "disambiguation"):
        resolved = None  # the literal is no answer where a change is expected
    moved = resolved is not None and squash(resolved) != squash(case["query"])
    as_expected = resolved is not None and moved == expect["changed"]

    def keeps(endings: bool) -> Verdicts:
        kept = {
            "any": holds(expect["any"], resolved, endings=endings),
            "all": resolved is not None and all([holds([term], resolved, endings=endings) for term in expect["all"]]),
            "none": resolved is not None and not holds(expect["none"], resolved, endings=endings),
        }
        return {name: right for name, right in kept.items() if expect[name]}

    verdicts = {"changed_as_expected": as_expected, **keeps(True), "total": as_expected and all(keeps(True).values())}
    verdicts |= {"passed": as_expected and all(keeps(False).values()), "asked": asked}
    verdicts["as_typed"] = not expect["changed"] and not holds(expect["none"], case["query"])
    return verdicts if expect["changed"] else verdicts | {"needless_edit": moved or resolved is None}


def judge_jargon(case: Case, plan: Plan) -> Verdicts:
    """Measures of a case of `jargon.jsonl`."""
    synonym = " | ".join(texts_of(plan, "synonym"))
    others = [variant.text for variant in plan.variants if variant.pattern != "literal"]
    return {
        "hit": holds(case["any"], synonym),
        "wrong": any([holds(case["none"], text) for text in others]),
        "passed": holds(case["any"], synonym, endings=False) and not holds(case["none"], synonym, endings=False),
    }


class CaseSet(NamedTuple):
    """How a file of cases is judged, which fields each case has, its measures as shown, and the fields by which figures are parted."""

    judge: Callable[[Case, Plan], Verdicts]
    fields: tuple[str, ...]
    measures: tuple[str, ...]
    groups: tuple[str, ...]


SETS = {
    "senses": CaseSet(
        judge_sense,
        ("id", "query", "context", "kind", "expect"),
        ("sense_acc", "pair_acc", "ask_recall", "ask_precision", "ask_f1", "wrong_guess", "pollution", "passed", "as_typed"),
        ("kind",),
    ),
    "follow_ups": CaseSet(
        judge_follow_up,
        ("id", "query", "context", "language", "expect"),
        ("changed_as_expected", "any", "all", "none", "needless_edit", "asked", "total", "passed", "as_typed"),
        ("language",),
    ),
    "jargon": CaseSet(
        judge_jargon,
        ("id", "query", "language", "domain", "any", "none"),
        ("hit", "wrong", "passed"),
        ("language", "domain"),
    ),
}


def read_cases(file: Path, fields: Sequence[str]) -> list[Case]:
    """The cases of a JSONL file; one that is broken is told by its place alone."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        raise SystemExit(f"{file} cannot be read; give the folder of the case files with --cases.") from None
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError:
            case = None
        missing = [field for field in fields if field not in case] if isinstance(case, dict) else list(fields)
        if missing:
            raise SystemExit(f"{file}:{number}: this line is no case with `{missing[0]}`; write one JSON object a line, as README.md says.")
        cases.append(case)
    return cases


def judge_cases(name: str, cases: Iterable[Case]) -> list[Judged]:
    """Every case of a set with its plan and verdicts."""
    plans = [(case, rewrite(case["query"], case.get("context", ()))) for case in cases]
    return [Judged(case, plan, SETS[name].judge(case, plan)) for case, plan in plans]


def make_figure(right: int, n: int) -> Figure:
    """A share with its interval; nulls where there is no case.

    >>> make_figure(9, 10)
    {'right': 9, 'n': 10, 'value': 0.9, 'low': 0.5958, 'high': 0.9821}
    """
    value, low, high = [round(part, 4) for part in (right / n, *wilson_interval(right, n))] if n else (None, None, None)
    return {"right": right, "n": n, "value": value, "low": low, "high": high}


def count_figures(name: str, judged: Sequence[Judged]) -> dict[str, Figure]:
    """Figures of a set under `SET.MEASURE`, and of its groups under `SET.FIELD=VALUE.MEASURE`, in the order of its measures."""
    parts = {"": judged}
    for field in SETS[name].groups:
        for value in sorted({one.case[field] for one in judged}):
            parts[f"{field}={value}."] = [one for one in judged if one.case[field] == value]
    figures = {}
    for part, among in parts.items():
        for measure in SETS[name].measures:
            figure = _WHOLE[measure](among) if measure in _WHOLE else count_measure(measure, among)
            if not part or figure["n"]:
                figures[f"{name}.{part}{measure}"] = figure
    return figures


def count_measure(measure: str, judged: Iterable[Judged]) -> Figure:
    """The share of the cases that have a say in a measure."""
    rights = [one.verdicts[measure] for one in judged if measure in one.verdicts]
    return make_figure(sum(rights), len(rights))


def count_pairs(judged: Iterable[Judged]) -> Figure:
    """Of the queries that two cases share: those whose sense was right in both."""
    by_query: dict[str, list[bool]] = defaultdict(list)
    for case, _, verdicts in judged:
        by_query[case["query"].casefold()].append(verdicts.get("sense_acc", verdicts.get("ask_recall", False)))
    pairs = [all(rights) for rights in by_query.values() if len(rights) == 2]
    return make_figure(sum(pairs), len(pairs))


def count_f1(judged: Sequence[Judged]) -> Figure:
    """2 · right / (expected + asked).  It is no share of cases, so Wilson's interval is not its own."""
    recall, precision = count_measure("ask_recall", judged), count_measure("ask_precision", judged)
    return {**make_figure(2 * recall["right"], recall["n"] + precision["n"]), "low": None, "high": None}


_WHOLE: dict[str, Callable[[Sequence[Judged]], Figure]] = {"pair_acc": count_pairs, "ask_f1": count_f1}
"""Measures of several cases together."""


def read_book(file: Path) -> dict[str, dict[str, Any]]:
    """What was recorded: `first` and `current`, each with its measures; empty where nothing was."""
    if not file.exists():
        return {"first": {}, "current": {}}
    try:
        book = json.loads(file.read_text(encoding="utf-8"))
        return {part: dict(book[part]) for part in ("first", "current")}
    except (ValueError, KeyError, TypeError):
        raise SystemExit(f"{file} is no record with `first` and `current`; take it back from version control.") from None


def record_figures(
    book: Mapping[str, dict[str, Any]], figures: Mapping[str, Figure], stamp: Mapping[str, str], digests: Mapping[str, str]
) -> None:
    """Enter figures with name, date and signature.  A first figure stays; one of no case is not a first figure.

    Cases that are others than at the first record end the program: their figures could not stand side by side.
    """
    for key, figure in figures.items():
        entry = {**figure, **stamp, "cases": digests[key.partition(".")[0]]}
        if book["first"].get(key, entry)["cases"] != entry["cases"]:
            raise SystemExit(f"The cases of {key.partition('.')[0]} are not those of the first record; put the committed file back.")
        if figure["n"]:
            book["first"].setdefault(key, entry)
        book["current"][key] = entry


def make_tables(figures: Mapping[str, Any]) -> list[Table]:
    """A table of the measures of each set, beside those recorded first if any were, and one of counts for each kind of group."""
    first, current = figures["first"], figures["current"]
    tables = []
    for name in dict.fromkeys([key.partition(".")[0] for key in current]):
        keys = [key for key in current if key.startswith(f"{name}.")]
        stamps = dict.fromkeys([f"{e['name']}, {e['date']}, signature `{e['signature']}`" for key in keys if (e := first.get(key))])
        columns = [(first, "first"), (current, "current")] if stamps else [(current, "value")]
        headers = ["measure", "n", *[head for _, which in columns for head in (which, "95 % (Wilson)")]]
        rows = [
            (key.split(".")[1], str(current[key]["n"]), *[cell for part, _ in columns for cell in _as_cells(part.get(key))])
            for key in keys
            if "=" not in key
        ]
        tables.append(Table("; ".join([name, *[f"first: {stamp}" for stamp in stamps]]), tuple(headers), tuple(rows)))
        for field in SETS[name].groups:
            tables.append(_group_table(name, field, [part for part, _ in columns], keys))
    return tables


def _as_cells(figure: Figure | None) -> tuple[str, str]:
    if figure is None or figure["value"] is None:
        return "–", "–"
    value = f"{100 * figure['value']:.1f} %"
    return value, "–" if figure["low"] is None else f"{100 * figure['low']:.1f} to {100 * figure['high']:.1f} %"


def _group_table(name: str, field: str, parts: Sequence[Mapping[str, Figure]], keys: Iterable[str]) -> Table:
    """Right of all, for each value of a field; first → current where both are known."""
    split = [key.split(".", 1)[1].rpartition(".") for key in keys if key.startswith(f"{name}.{field}=")]
    groups, known = dict.fromkeys([group for group, _, _ in split]), {measure for _, _, measure in split}
    measures = [measure for measure in SETS[name].measures if measure in known]

    def cell(group: str, measure: str) -> str:
        found = [part.get(f"{name}.{group}.{measure}") for part in parts]
        return " → ".join([f"{figure['right']}/{figure['n']}" for figure in found if figure]) or "–"

    rows = [(group.partition("=")[2], *[cell(group, measure) for measure in measures]) for group in groups]
    return Table(f"{name} by {field}", (field, *measures), tuple(rows))


def show_failed(judged: Iterable[Judged], count: int) -> Iterator[str]:
    """The first cases that failed a measure: which, the query, and what it became."""
    for case, plan, verdicts in judged:
        failed = [name for name, right in verdicts.items() if name not in NEUTRAL and right == (name in FAULTS)]
        if failed and count > 0:
            count -= 1
            variants = " | ".join([f"{variant.pattern}: {variant.text}" for variant in plan.variants[1:]])
            yield f"{case['id']} [{', '.join(failed)}] {case['query']} → {variants or '(the literal alone)'}"


def main() -> None:
    """Score the sets that were asked for; print, write and record their figures."""
    parser = argparse.ArgumentParser(description="Score the fresh held-out cases.")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)} (all)")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N failed cases of each set")
    parser.add_argument("--record", metavar="NAME", help="enter the figures under this name into the record")
    parser.add_argument("--cases", type=Path, default=CASES, metavar="FOLDER", help="where the case files and figures.json are")
    options = parser.parse_args()
    unknown = [name for name in options.sets if name not in SETS]
    if unknown:
        parser.error(f"there is no set {unknown[0]}; give some of {', '.join(SETS)}")
    current: dict[str, Figure] = {}
    digests: dict[str, str] = {}
    shown: list[str] = []
    for name in dict.fromkeys(options.sets or SETS):
        file = options.cases / f"{name}.jsonl"
        judged = judge_cases(name, read_cases(file, SETS[name].fields))
        current |= count_figures(name, judged)
        digests[name] = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
        shown += show_failed(judged, options.show)
    record = options.cases / "figures.json"
    book = read_book(record)
    stamp = {"date": datetime.date.today().isoformat(), "signature": rewrite("signature").signature}
    if options.record is not None:
        record_figures(book, current, {"name": options.record, **stamp}, digests)
        write_json(record, book)
    figures = {**stamp, "first": {key: book["first"][key] for key in current if key in book["first"]}, "current": current}
    print(*map(as_text, make_tables(figures)), *shown, sep="\n\n")
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
