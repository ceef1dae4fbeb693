"""Expectations about plans, as data: case files, and the examples that entries carry.

    label     what the case shows               sense     form → sense id, or "" where it must stay undecided
    query     as typed                          patterns  the patterns of the variants, in order
    context   turns, oldest first               keeps     text that every variant has, byte for byte
    comment   why it must be so                 has       pattern → words that its variant has, in any case
    language  of the query                      lacks     pattern (or "any") → words that it must not have
    intent    of the query                      equals    pattern → its whole text
    most      variants at most                  skips     pattern → why it gives none
    asks      whether a question is asked back  letters   text that every variant has, in any case

A word stands for itself: `rice` is not found in `price`.  In the example of an entry, `sense` may be one id; an example that expects
nothing expects the entry itself to be at work.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rewriter.curation.rows import row_of
from rewriter.errors import InputError
from rewriter.lexicon.parse import Located, told_by_toml
from rewriter.model import PATTERN_NAMES, Plan
from rewriter.record import record

__all__ = ["ABOUT", "EXPECTED", "Case", "check_plan", "examples_of", "fault_of", "parse_cases"]

ABOUT = frozenset({"label", "query", "context", "comment"})
_OWN = "entry"
"""The expectation of an example that names none: this entry is at work."""


@record
class Case:
    """A case with the place where it is written; `fields` as above."""

    where: str
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What to call it."""
        return str(self.fields.get("label") or self.fields.get("query", ""))


def parse_cases(text: str, where: str) -> list[Case]:
    """Cases of a TOML text (tables `[[case]]`) or of JSONL; `InputError` with the line of what is none."""
    found: list[Case] = []
    if where.endswith(".toml"):
        try:
            rows = tomllib.loads(text).get("case", [])
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{where} is no TOML ({told_by_toml(error)}); correct it.") from None
        lines = [text.count("\n", 0, m.start()) + 1 for m in re.finditer(r"^[ \t]*\[\[case\]\]", text, re.MULTILINE)]
        if not isinstance(rows, list) or not rows:
            raise InputError(f"{where} has no table [[case]]; write one a case.")
        found = [Case(f"{where}:{line}", row) for line, row in zip(lines, rows, strict=False)]
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise InputError(f"{where}:{number}: this line is no JSON ({error}); write one case a line.") from None
                found.append(Case(f"{where}:{number}", row))
    for case in found:
        fault = fault_of(case.fields)
        if fault:
            raise InputError(f"{case.where}: {fault}")
    return found


def fault_of(case: Any) -> str:
    """What is wrong with a case as a sentence; "" where nothing is."""
    if not isinstance(case, Mapping):
        return "a case is a table or an object with query and what is expected; write one."
    if not isinstance(case.get("query"), str) or not case["query"].strip():
        return "this case has no `query`; write what is typed."
    unknown = sorted(set(case) - EXPECTED - ABOUT)
    if unknown:
        return f"this case has {unknown[0]!r}; known are {', '.join(sorted(EXPECTED | ABOUT))}."
    if not EXPECTED & set(case):
        return f"this case expects nothing; give one of {', '.join(sorted(EXPECTED))}."
    for name, shape in _SHAPES.items():
        if name in case and not isinstance(case[name], shape):
            return f"{name} = {case[name]!r} has a wrong shape; see the head of docs/curation.md, `test`."
    for name in ("has", "lacks", "equals", "skips"):
        wrong = sorted(set(case.get(name, {})) - {*PATTERN_NAMES, "any"})
        if wrong:
            return f"{name} names the pattern {wrong[0]!r}; known are {', '.join(PATTERN_NAMES)} and any."
    return ""


def examples_of(items: Iterable[Located]) -> list[Case]:
    """The examples of entries that are in use, each as a case; what is no example is left to the lint (E119)."""
    found = []
    for item in items:
        given = item.fields.get("examples", ())
        if str(item.fields.get("status", "")) == "retired" or not isinstance(given, (list, tuple)):
            continue
        entry = row_of(item).id
        for example in given:
            if isinstance(example, Mapping) and isinstance(example.get("query"), str):
                fields = dict(example)
                if isinstance(fields.get("context"), str):
                    fields["context"] = [fields["context"]]
                if not EXPECTED & set(fields) or isinstance(fields.get("sense"), str):
                    fields[_OWN] = fields.pop("sense", entry)
                found.append(Case(f"{item.file}:{item.line}", {**fields, "label": f"[{entry}] {fields['query']}"}))
    return found


def check_plan(plan: Plan, case: Mapping[str, Any]) -> list[str]:
    """What a plan has against a case, a line each; empty where it is as expected."""
    return [line for name in sorted({*EXPECTED, _OWN} & case.keys()) for line in _CHECKS[name](plan, case[name])]


def _texts(plan: Plan, pattern: str) -> list[str]:
    return [v.text for v in plan.variants if pattern in (v.pattern, "any")]


def _holds(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", text.casefold()) is not None


def _check_has(plan: Plan, expected: Mapping[str, Sequence[str]]) -> list[str]:
    """Some variant of the pattern has the words."""
    return [
        f"{pattern} lacks {words!r}: {_texts(plan, pattern)}"
        for pattern, every in expected.items()
        for words in every
        if not any(_holds(text, words) for text in _texts(plan, pattern))
    ]


def _check_lacks(plan: Plan, expected: Mapping[str, Sequence[str]]) -> list[str]:
    return [
        f"{pattern} has {words!r}: {text!r}"
        for pattern, every in expected.items()
        for words in every
        for text in _texts(plan, pattern)
        if _holds(text, words)
    ]


def _check_equals(plan: Plan, expected: Mapping[str, str]) -> list[str]:
    return [f"{pattern} is {_texts(plan, pattern)}, not {text!r}" for pattern, text in expected.items() if _texts(plan, pattern) != [text]]


def _check_skips(plan: Plan, expected: Mapping[str, str]) -> list[str]:
    outcomes = {s.rule: s.outcome for s in plan.trail if s.stage == "pattern"}
    return [f"{pattern} is {outcomes[pattern]!r}, not {why!r}" for pattern, why in expected.items() if outcomes[pattern] != why]


def _check_keeps(plan: Plan, expected: Sequence[str]) -> list[str]:
    return [f"{v.pattern} lost {text!r}: {v.text!r}" for v in plan.variants for text in expected if text not in v.text]


def _check_letters(plan: Plan, expected: Sequence[str]) -> list[str]:
    texts = [(v.pattern, v.text.casefold()) for v in plan.variants]
    return [f"{pattern} lost {name!r}: {text!r}" for pattern, text in texts for name in expected if name.casefold() not in text]


def _check_sense(plan: Plan, expected: Mapping[str, str]) -> list[str]:
    found = {m.form.casefold(): m.sense or "" for m in plan.mentions}
    return [f"{form!r} is {found.get(form)!r}, not {sense!r}" for form, sense in expected.items() if found.get(form) != sense]


def _check_asks(plan: Plan, expected: bool) -> list[str]:
    return [] if (plan.clarification is not None) == expected else [f"asked back: {plan.clarification is not None}"]


def _check_most(plan: Plan, expected: int) -> list[str]:
    return [] if len(plan.variants) <= expected else [f"{len(plan.variants)} variants"]


def _check_patterns(plan: Plan, expected: Sequence[str]) -> list[str]:
    found = [v.pattern for v in plan.variants]
    return [] if found == expected else [f"patterns are {found}"]


def _check_entry(plan: Plan, expected: str) -> list[str]:
    """The entry is what a mention means, or evidence behind a piece; "": a form is found, and stays undecided."""
    senses = [m.sense or "" for m in plan.mentions]
    used = {e for v in plan.variants for p in v.pieces for e in p.evidence}
    if expected in senses or (expected and expected in used):
        return []
    return [f"{expected or 'undecided'} is not what was found: {', '.join(s or 'undecided' for s in senses) or 'no form'}"]


def _check_field(name: str) -> Callable[[Plan, Any], list[str]]:
    return lambda plan, expected: [] if getattr(plan, name) == expected else [f"{name} is {getattr(plan, name)!r}, not {expected!r}"]


_CHECKS: dict[str, Callable[[Plan, Any], list[str]]] = {
    "asks": _check_asks, _OWN: _check_entry, "equals": _check_equals, "has": _check_has, "intent": _check_field("intent"),
    "keeps": _check_keeps, "lacks": _check_lacks, "language": _check_field("language"), "letters": _check_letters, "most": _check_most,
    "patterns": _check_patterns, "sense": _check_sense, "skips": _check_skips,
}  # fmt: skip
_SHAPES: dict[str, Any] = {
    "asks": bool, "context": list, "equals": Mapping, "has": Mapping, "keeps": list, "lacks": Mapping, "letters": list, "most": int,
    "patterns": list, "sense": Mapping, "skips": Mapping,
}  # fmt: skip
EXPECTED = frozenset(_CHECKS) - {_OWN}
"""The names of expectations."""
