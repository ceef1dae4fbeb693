"""How many of the words that people type the english variant can say in English.

    python benchmarks/translation/coverage.py [QUERIES…] [--list N] [--top N] [--json OUT]

*Running words* (where queries are given): of all content words in queries that are not English, the share that is translated, or needs no
translation.  It is read from plans: from the pieces of the english variant and their sources, and from the trail.  A word that stays
as it is counts as covered only where it is protected, English (English uses it about as often as Indonesian), or a name (the lexicon
has it as the name of something, or it is written with a capital behind the first word of a query in lower case).  Names in lower
case that no list has count as uncovered: the share is a lower bound.  That a word is covered does not say that its translation is right;
`sample.py` asks that.  Queries whose english variant another rule kept back (meaning undecided, too many variants, talk, a lost
constraint) are counted and left out.

*Frequent words*: of the N (12,000) most frequent Indonesian content words of wordfreq, English and names left out, the share that has an
entry, directly, through affixes, or as a loanword.  Each is asked as a query of one word.

The uncovered words that are met most (`--top`, 50) are printed for curators; the JSON holds figures alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import Table, as_text, read_queries, write_json
from benchmarks.translation.content_words import content_words, frequent_words, is_english
from rewriter import Plan, Variant, default_resources, rewrite

FREQUENT = 12_000
NOTHING_TO_TRANSLATE = frozenset({"written", "adds-nothing", "already-english", "no-entry"})
"""Outcomes of the english pattern that say something about the lexicon."""
RUNNING = ("translated", "protected", "english", "name", "dropped", "uncovered")
LISTED = ("entry", "affix", "loan", "sense", "uncovered")


def english_outcome(plan: Plan) -> str:
    """What the trail says of the english variant."""
    return next((s.outcome for s in plan.trail if s.stage == "pattern" and s.rule == "english"), "none")


def english_variant(plan: Plan) -> Variant | None:
    """The english variant of a plan."""
    return next((v for v in plan.variants if v.pattern == "english"), None)


def translations(form: str) -> list[str]:
    """The English equals that the lexicon has for a form, in lower case."""
    return [str(getattr(entry, "english", "")).lower() for entry in default_resources().exact(form) if hasattr(entry, "english")]


def _needs_no_change(word: str, variant: Variant | None) -> bool:
    """Is a word that stayed spelled the same in English?  Without a variant any entry says so: the variant would have added nothing."""
    found = translations(word)
    return bool(found) if variant is None else word in found


def judge_words(plan: Plan) -> list[tuple[str, str]]:
    """Each content word of a plan's query with its category, one of `RUNNING`."""
    protected = [evidence for s in plan.trail if s.rule == "find_protected" for evidence in s.evidence]
    lower_case = any([chunk.islower() for chunk in plan.query.split()])
    variant = english_variant(plan)
    judged = []
    for start, end, word in content_words(plan.query):
        category = "uncovered"
        if any([plan.query[start:end] in text for text in protected]):
            category = "protected"
        elif _is_translated(variant, start, end) or _needs_no_change(word, variant):
            category = "translated"
        elif is_english(word):
            category = "english"
        elif any([m.sense and m.start <= start and end <= m.end for m in plan.mentions]) or _is_capital_name(plan, start, lower_case):
            category = "name"
        elif variant is not None and _is_left_out(word, variant, start, end):
            category = "dropped"
        judged.append((word, category))
    return judged


def _is_translated(variant: Variant | None, start: int, end: int) -> bool:
    """Did an entry, a sense or a rule write the piece that holds the word (rules called `keep_…` write what stays)?"""
    pieces = variant.pieces if variant else ()
    return any([
        piece.kind == "translate" and not piece.rule.startswith("keep_") and any([s < end and start < e for s, e in piece.sources])
        for piece in pieces
    ])  # fmt: skip


def _is_left_out(word: str, variant: Variant, start: int, end: int) -> bool:
    """A word of address or a particle: the lexicon says `-` for it, and no piece of the variant comes from it."""
    says = {getattr(entry, "english", "") or getattr(entry, "normal", "") for entry in default_resources().exact(word)}
    return "-" in says and not any([s < end and start < e for piece in variant.pieces for s, e in piece.sources])


def _is_capital_name(plan: Plan, start: int, lower_case: bool) -> bool:
    return lower_case and plan.query[start].isupper() and bool(plan.query[:start].strip())


def measure_running(queries: Sequence[str]) -> tuple[dict[str, Any], Counter[str]]:
    """Figures over queries, and the uncovered words with their numbers."""
    categories: Counter[str] = Counter()
    uncovered: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    used = 0
    for query in queries:
        plan = rewrite(query)
        outcome = english_outcome(plan)
        if plan.language == "en" or outcome not in NOTHING_TO_TRANSLATE:
            left_out["english" if plan.language == "en" else outcome] += 1
            continue
        used += 1
        judged = judge_words(plan)
        categories.update([category for _, category in judged])
        uncovered.update([word for word, category in judged if category == "uncovered"])
    words = categories.total()
    figures = {
        "queries": used, "left_out": dict(sorted(left_out.items())), "words": words, "distinct_uncovered": len(uncovered),
        "categories": {name: categories[name] for name in RUNNING},
        "share": (words - categories["uncovered"]) / words if words else None,
    }  # fmt: skip
    return figures, uncovered


def judge_listed(word: str) -> str:
    """How the lexicon has a word, one of `LISTED`."""
    if translations(word):
        return "entry"
    variant = english_variant(rewrite(word))
    rules = {piece.rule for piece in variant.pieces if piece.kind == "translate"} if variant else set()
    if "translate_loan" in rules:
        return "loan"
    if any([rule.startswith("translate_") for rule in rules]):
        return "affix"
    return "sense" if any([not rule.startswith("keep_") for rule in rules]) else "uncovered"


def measure_listed(count: int) -> tuple[dict[str, Any], list[str]]:
    """Figures over the most frequent words, and those without an entry, most frequent first."""
    words = frequent_words(count)
    judged = {word: judge_listed(word) for word in words}
    categories = Counter(judged.values())
    covered = len(words) - categories["uncovered"]
    share = covered / len(words) if words else None
    figures = {"words": len(words), "categories": {name: categories[name] for name in LISTED}, "share": share}
    return figures, [word for word, category in judged.items() if category == "uncovered"]


def make_tables(figures: Mapping[str, Any]) -> list[Table]:
    """The figures as tables."""
    tables = []
    running, listed = figures["running"], figures["listed"]
    if running is not None:
        left_out = ", ".join([f"{number} {reason}" for reason, number in running["left_out"].items()]) or "none"
        title = f"Running content words of {running['queries']} queries that are not English (left out: {left_out})"
        tables.append(_share_table(title, running))
    tables.append(_share_table(f"The {listed['words']} most frequent Indonesian content words of wordfreq", listed))
    return tables


def _share_table(title: str, figures: Mapping[str, Any]) -> Table:
    words = figures["words"]
    rows = [("covered", str(words - figures["categories"]["uncovered"]), _percent(figures["share"]))]
    for name, number in figures["categories"].items():
        rows.append((name if name == "uncovered" else f"– {name}", str(number), _percent(number / words if words else None)))
    return Table(title, ("words", "number", "share"), tuple(rows))


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f} %"


def main() -> None:
    """Print the shares and the uncovered words; write the figures as JSON where asked."""
    parser = argparse.ArgumentParser(description="Coverage of the bilingual lexicon over queries and over frequent words.")
    parser.add_argument("queries", type=Path, nargs="*", help="JSONL with `query`, text with a query a line, or folders of such files")
    parser.add_argument("--list", type=int, default=FREQUENT, metavar="N", help=f"frequent words to look up ({FREQUENT:,})")
    parser.add_argument("--top", type=int, default=50, metavar="N", help="uncovered words to print (50; 0 for none)")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    running, met = measure_running(read_queries(options.queries)) if options.queries else (None, Counter[str]())
    listed, missing = measure_listed(options.list)
    figures = {"running": running, "listed": listed}
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    if options.top > 0:
        if met:
            most = sorted(met.items(), key=lambda item: (-item[1], item[0]))[: options.top]
            print("\nuncovered in the queries:", ", ".join([f"{word} {number}" for word, number in most]))
        if missing:
            print("\nuncovered among the frequent words:", ", ".join(missing[: options.top]))
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
