"""Template rules as data with their places, and the checks of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from rewriter.lexicon.collection import Collection, LocatedRule, Place, place_of
from rewriter.lexicon.parse import Problem, TomlReader, toml_problem

__all__ = ["intent_is_unknown", "parse_rules", "question_has_no_slot", "rule_never_fits", "slot_is_unknown", "slot_stays_empty"]

TRIGGERS = ("start", "end", "any", "between", "max_content")
SLOTS = {
    "query": TRIGGERS,
    "rest": TRIGGERS,
    "shown": ("start", "end", "any", "between"),
    "left": ("end", "any", "between"),
    "right": ("start", "any", "between"),
}
"""Slot → the triggers that fill it: nothing stands left of what begins a query."""
FILTERS = frozenset({"", "a", "body", "does", "event", "formal", "is", "last", "mine", "my", "names", "object", "sides", "the", "thing"})
INTENTS = frozenset(
    {
        "how-to", "definition", "comparison", "price", "troubleshooting", "recommendation", "location", "time", "reason",
        "eligibility", "list", "person", "news", "navigational", "other",
    }
)  # fmt: skip
_RULE = re.compile(r"^\s*\[\[\s*rule\s*\]\]", re.MULTILINE)
_SLOT = re.compile(r"\{([^{}]*)\}")


def parse_rules(file: str, text: str, toml: TomlReader = tomllib.loads) -> tuple[list[LocatedRule], list[Problem]]:
    """The rules of a template file."""
    try:
        data = toml(text)
    except tomllib.TOMLDecodeError as error:
        return [], [toml_problem(file, error)]
    rules = data.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(r, dict) for r in rules):
        return [], [Problem(file, 1, 1, "`rule` is no array of tables; write each rule under [[rule]].")]
    lines = [text.count("\n", 0, m.end()) + 1 for m in _RULE.finditer(text)]
    lines += [1] * (len(rules) - len(lines))
    return [LocatedRule(rule, file, line) for rule, line in zip(rules, lines, strict=False)], []


def question_has_no_slot(c: Collection) -> Iterator[Place]:
    """The question takes nothing from the query; give it a slot such as {rest}."""
    for rule in c.rules:
        question = str(rule.fields.get("question", ""))
        if question and not _SLOT.search(question):
            yield place_of(rule, repr(question))


def slot_is_unknown(c: Collection) -> Iterator[Place]:
    """The question has a slot that nothing fills, or a filter that is none; the head of templates/id.toml names those that there are."""
    for rule in c.rules:
        for slot in _SLOT.findall(str(rule.fields.get("question", ""))):
            kind, _, name = slot.rpartition(":")
            if name not in SLOTS or kind not in FILTERS:
                yield place_of(rule, "{" + slot + "}")


def slot_stays_empty(c: Collection) -> Iterator[Place]:
    """Nothing stands on this side of the words that show the intent; use {rest}."""
    for rule in c.rules:
        given = [t for t in TRIGGERS if rule.fields.get(t)]
        for slot in _SLOT.findall(str(rule.fields.get("question", ""))):
            name = slot.rpartition(":")[2]
            if given and name in SLOTS and not any(t in SLOTS[name] for t in given):
                yield place_of(rule, "{" + slot + "}")


def rule_never_fits(c: Collection) -> Iterator[Place]:
    """A rule without start, end, any, between or max_content never fits; say when it does."""
    for rule in c.rules:
        if not any(rule.fields.get(t) for t in TRIGGERS):
            yield place_of(rule, repr(rule.fields.get("intent", "")))


def intent_is_unknown(c: Collection) -> Iterator[Place]:
    """The intent is missing or none of those that a plan may have."""
    for rule in c.rules:
        if rule.fields.get("intent") not in INTENTS:
            yield place_of(rule, repr(rule.fields.get("intent", "")))
