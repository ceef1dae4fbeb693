"""A plan for people: aligned columns, plain text.  Takes the plan as data, so that it stands above the model."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["PURPOSE", "REASONS", "describe_plan", "purpose_of", "visible"]

PURPOSE = {
    "literal": "the query as given",
    "disambiguation": "what is meant",
    "english": "primary sources in English",
    "synonym": "the words of practitioners",
    "question": "as it is asked in forums",
}
REASONS = {
    "adds-nothing": "it would add no word that is not searched already",
    "already-a-question": "the query is a question already",
    "already-english": "the query is English already",
    "clear-by-itself": "the words of the query decide without the conversation",
    "complete": "a complete query takes nothing from the conversation",
    "navigational": "the query names a page to go to",
    "no-entry": "no lexicon entry fits",
    "no-intent": "no kind of question fits",
    "no-referent": "the conversation names nothing that the query could mean",
    "no-words": "the query has no words",
    "not-a-search": "this is said to the chat, not searched",
    "not-ambiguous": "nothing in the query has a second meaning",
    "over-cap": "a specific query gets few variants",
    "protected": "everything in the query is protected",
    "too-long": "the query is too long to rewrite",
    "undecided": "the meaning must be settled first",
}


def describe_plan(plan: Mapping[str, Any]) -> str:
    """Lines that say what was found, which words decided, what each variant is for, and why a pattern is absent."""
    lines = [f"query      {visible(plan['query'])}", f"language   {plan['language']}", f"intent     {plan['intent']}"]
    for mention in plan["mentions"]:
        lines += _mention_lines(mention)
    if plan["clarification"]:
        lines += ["", f"ask        {plan['clarification']['question']}"]
        lines += _columns([("", o["label"], o["query"]) for o in plan["clarification"]["options"]], indent=9)
    lines += ["", "search"]
    lines += _columns([(v["pattern"], v["text"], purpose_of(v["pattern"], plan)) for v in plan["variants"]])
    skipped = _step_rows([s for s in plan["trail"] if s["stage"] == "pattern" and s["outcome"] != "written"])
    if skipped:
        lines += ["", "not searched", *_columns(skipped)]
    acted = _step_rows([s for s in plan["trail"] if s["stage"] in ("guardrail", "context")])
    if acted:
        lines += ["", "guardrails and context", *_columns(acted)]
    return "\n".join([*lines, "", f"signature  {plan['signature']}"])


def purpose_of(pattern: str, plan: Mapping[str, Any]) -> str:
    """What a variant is for, in a few words; where the meaning is open each disambiguation is one of the meanings."""
    if pattern == "disambiguation" and any(m["sense"] is None and m["candidates"] for m in plan["mentions"]):
        several = sum(v["pattern"] == pattern for v in plan["variants"]) > 1
        return "one of the meanings" if several else PURPOSE[pattern]
    return PURPOSE.get(pattern, "")


def _step_rows(steps: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    return [(s["rule"], REASONS.get(s["outcome"], s["outcome"]), " ".join(s["evidence"])) for s in steps]


def _mention_lines(mention: Mapping[str, Any]) -> list[str]:
    rows = [
        ("*" if c["sense"] == mention["sense"] else " ", c["sense"], str(c["score"]), ", ".join(c["cues"]) or "no cue")
        for c in mention["candidates"]
    ]
    state = mention["sense"] or "undecided"
    return ["", f"found      {visible(mention['form'])} ({state})", *_columns(rows, indent=9)]


def _columns(rows: Sequence[tuple[str, ...]], indent: int = 2) -> list[str]:
    if not rows:
        return []
    cells = [tuple(visible(c) for c in row) for row in rows]
    widths = [max(_width(row[i]) for row in cells) for i in range(len(cells[0]))]
    return [(" " * indent + "  ".join(c + " " * (w - _width(c)) for c, w in zip(row, widths, strict=True))).rstrip() for row in cells]


def visible(text: str) -> str:
    """One line without control characters: what a terminal may safely show."""
    return "".join(c if unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
