"""Everyday cases as data: `cases/*.toml`, one table `[[case]]` each, with a comment that says why.

    label     what the case shows               sense     form → sense id, or "" where it must stay undecided
    query     as typed                          patterns  the patterns of the variants, in order
    context   turns, oldest first               keeps     text that every variant has, byte for byte
    comment   why it must be so                 has       pattern → words that its variant has, in any case
    language  of the query                      lacks     pattern (or "any") → words that it must not have
    intent    of the query                      equals    pattern → its whole text
    most      variants at most                  skips     pattern → why it gives none
    asks      whether a question is asked back  letters   text that every variant has, in any case

A word stands for itself: `rice` is not found in `price`.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rewriter import Plan, rewrite
from rewriter.model import PATTERN_NAMES

FOLDER = Path(__file__).with_name("cases")
EXPECTED = {"language", "intent", "most", "asks", "sense", "patterns", "keeps", "letters", "has", "lacks", "equals", "skips"}
ABOUT = {"label", "query", "context", "comment"}

Case = dict[str, Any]
CASES: list[tuple[str, Case]] = [
    (f"{file.stem}: {case.get('label')}", case)
    for file in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8")).get("case", [])
]


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_case(case: Case) -> None:
    plan = rewrite(case["query"], case.get("context", ()))
    failures = [line for name in sorted(EXPECTED & case.keys()) for line in _CHECKS[name](plan, case[name])]
    assert failures == [], "\n".join([case["comment"], *failures, "", plan.explain()])


def test_cases_are_well_formed() -> None:
    assert len(CASES) >= 60
    assert len({name for name, _ in CASES}) == len(CASES), "labels differ within a file"
    for name, case in CASES:
        assert case.keys() <= EXPECTED | ABOUT, name
        assert case.keys() & EXPECTED, f"{name} expects nothing"
        assert case.keys() >= {"label", "query", "comment"}, name
        for field in ("has", "lacks", "equals", "skips"):
            assert case.get(field, {}).keys() <= {*PATTERN_NAMES, "any"}, name


def _texts(plan: Plan, pattern: str) -> list[str]:
    return [v.text for v in plan.variants if pattern in (v.pattern, "any")]


def _holds(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", text.casefold()) is not None


def _check_has(plan: Plan, expected: dict[str, list[str]]) -> list[str]:
    """Some variant of the pattern has the words."""
    return [
        f"{pattern} lacks {words!r}: {_texts(plan, pattern)}"
        for pattern, every in expected.items()
        for words in every
        if not any(_holds(text, words) for text in _texts(plan, pattern))
    ]


def _check_lacks(plan: Plan, expected: dict[str, list[str]]) -> list[str]:
    return [
        f"{pattern} has {words!r}: {text!r}"
        for pattern, every in expected.items()
        for words in every
        for text in _texts(plan, pattern)
        if _holds(text, words)
    ]


def _check_equals(plan: Plan, expected: dict[str, str]) -> list[str]:
    return [f"{pattern} is {_texts(plan, pattern)}, not {text!r}" for pattern, text in expected.items() if _texts(plan, pattern) != [text]]


def _check_skips(plan: Plan, expected: dict[str, str]) -> list[str]:
    outcomes = {s.rule: s.outcome for s in plan.trail if s.stage == "pattern"}
    return [f"{pattern} is {outcomes[pattern]!r}, not {why!r}" for pattern, why in expected.items() if outcomes[pattern] != why]


def _check_keeps(plan: Plan, expected: list[str]) -> list[str]:
    return [f"{v.pattern} lost {text!r}: {v.text!r}" for v in plan.variants for text in expected if text not in v.text]


def _check_letters(plan: Plan, expected: list[str]) -> list[str]:
    texts = [(v.pattern, v.text.casefold()) for v in plan.variants]
    return [f"{pattern} lost {name!r}: {text!r}" for pattern, text in texts for name in expected if name.casefold() not in text]


def _check_sense(plan: Plan, expected: dict[str, str]) -> list[str]:
    found = {m.form.casefold(): m.sense or "" for m in plan.mentions}
    return [f"{form!r} is {found.get(form)!r}, not {sense!r}" for form, sense in expected.items() if found.get(form) != sense]


def _check_asks(plan: Plan, expected: bool) -> list[str]:
    return [] if (plan.clarification is not None) == expected else [f"asked back: {plan.clarification is not None}"]


def _check_most(plan: Plan, expected: int) -> list[str]:
    return [] if len(plan.variants) <= expected else [f"{len(plan.variants)} variants"]


def _check_patterns(plan: Plan, expected: list[str]) -> list[str]:
    found = [v.pattern for v in plan.variants]
    return [] if found == expected else [f"patterns are {found}"]


def _check_field(name: str) -> Any:
    return lambda plan, expected: [] if getattr(plan, name) == expected else [f"{name} is {getattr(plan, name)!r}, not {expected!r}"]


_CHECKS: dict[str, Any] = {
    "asks": _check_asks, "equals": _check_equals, "has": _check_has, "intent": _check_field("intent"), "keeps": _check_keeps,
    "lacks": _check_lacks, "language": _check_field("language"), "letters": _check_letters, "most": _check_most,
    "patterns": _check_patterns, "sense": _check_sense, "skips": _check_skips,
}  # fmt: skip
