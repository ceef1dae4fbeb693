"""Querqy's Common Rules: a rule a form, `SYNONYM` for each target, and properties that keep what a rule has no word for.

    maag =>
      SYNONYM: gastritis
      @entry: "maag.gastritis"
      @kind: "jargon"

Boosts, filters, deletions and decorations say nothing about meaning and are refused on import, each with its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from rewriter.curation.exchange.exchanged import Options, Read, Written, decode, losses, make_id, refused
from rewriter.curation.exchange.targets import from_sides, held_by, sides_of
from rewriter.curation.rows import KINDS, Row
from rewriter.record import record

__all__ = ["read", "write"]

PROPERTIES = ("domain", "source", "licence", "status", "pos", "when")
"""Fields that stand as properties of the rule."""
_SYNTAX = re.compile(r"""["*\[\]{}()#\n\r]|=>|\b(?:AND|OR|NOT)\b|^\s|\s$|^$""")
_INSTRUCTION = re.compile(r"([A-Z]+)\s*(\([^)]*\))?\s*:\s*(.*)")


@record
class _Rule:
    """A rule as read: where it begins, what is typed, its synonyms and properties, and why it cannot be taken."""

    line: int
    form: str
    targets: list[str]
    properties: dict[str, Any]
    faults: list[str]
    notes: list[str]


def write(rows: Sequence[Row], options: Options) -> Written:
    """Rules for each form of a row that leads somewhere in the language."""
    blocks, left, number = [], 0, 0
    for row in rows:
        forms, targets = sides_of(row, options.language)
        if not forms or not targets or any(_SYNTAX.search(t) for t in (*forms, *targets)):
            left += 1
            continue
        number += 1
        about = {"entry": row.id if row.kind in KINDS[:3] else f"{row.kind} {number}", "kind": row.kind}
        about |= {name: row.fields[name] for name in PROPERTIES if name in row.fields}
        for at, form in enumerate(forms, 1):
            properties = {"_id": f"{about['entry']} {at}", **about}
            lines = [f"{form} =>", *[f"  SYNONYM: {t}" for t in targets]]
            blocks.append("\n".join([*lines, *[f"  @{k}: {json.dumps(v, ensure_ascii=False)}" for k, v in properties.items()]]))
    told = losses(rows, (*held_by(options.language), *PROPERTIES), "Querqy's format")
    if left:
        told.append(f"{left} entries lead nowhere in {options.language!r}, or hold signs of Querqy's syntax, and were left out.")
    return ("\n\n".join(blocks) + "\n" if blocks else "").encode("utf-8"), tuple(told)


def read(data: bytes, options: Options) -> list[Read]:
    """An entry for the rules of one `@entry`, or a jargon entry for each rule without."""
    found: list[Read] = []
    taken: set[str] = set()
    groups: dict[str, list[_Rule]] = {}
    for rule in _rules(decode(data, options.name)):
        if rule.faults or not rule.targets:
            why = rule.faults[0] if rule.faults else "it has no SYNONYM, which is what can be taken"
            found.append(refused(f"row {rule.line}", why, {"form": rule.form}))
        else:
            groups.setdefault(str(rule.properties.get("entry", f"\n{rule.line}")), []).append(rule)
    for name, rules in groups.items():
        first = rules[0]
        kind = first.properties.get("kind", "jargon")
        given = "" if name.startswith("\n") or kind not in KINDS[:3] else name
        kind = kind if kind in KINDS else "jargon"
        if given:
            taken.add(given)
        row = from_sides(
            kind, given or make_id(first.form, first.targets[0], taken), [r.form for r in rules], first.targets, options.language
        )
        more = {k: v for k, v in first.properties.items() if k in PROPERTIES}
        found.append(Read(f"row {first.line}", Row(row.kind, {**row.fields, **more}), "", tuple(n for r in rules for n in r.notes)))
    return sorted(found, key=lambda r: int(r.place.removeprefix("row ")))


def _rules(text: str) -> list[_Rule]:
    rules: list[_Rule] = []
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        if content.endswith("=>"):
            form = content[:-2].strip()
            bounded = form[1:-1] if len(form) > 2 and form[0] == form[-1] == '"' else form
            wrong = [f"its input {form!r} has signs that no form has"] if _SYNTAX.search(bounded) else []
            notes = ["the marks that bind it to the ends of a query were left out"] if bounded != form else []
            rules.append(_Rule(number, bounded, [], {}, wrong, notes))
        elif not rules:
            rules.append(_Rule(number, "", [], {}, ["it stands before the first rule; a rule begins with `input =>`"], []))
        else:
            _read_instruction(content, number, rules[-1])
    return rules


def _read_instruction(content: str, number: int, rule: _Rule) -> None:
    if content.startswith("@"):
        name, _, value = content[1:].partition(":")
        try:
            rule.properties[name.strip()] = json.loads(value)
        except ValueError:
            rule.notes.append(f"the property in line {number} is no JSON and was left out")
        return
    match = _INSTRUCTION.fullmatch(content)
    if match and match[1] == "SYNONYM":
        rule.targets.append(match[3].strip())
        if match[2]:
            rule.notes.append(f"the weight in line {number} was left out")
    else:
        rule.faults.append(f"line {number} is {content.split(':')[0]!r}, which says nothing about meaning; only SYNONYM can be taken")
