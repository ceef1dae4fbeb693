"""Entries as rules of two sides, which is all that synonym files know: what is typed, and what is searched beside it or instead."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.curation.rows import Row

__all__ = ["from_sides", "held_by", "held_part", "sides_of"]


def held_by(language: str) -> tuple[str, ...]:
    """Fields that two sides hold."""
    return ("forms", "to", f"canonical.{language}", f"expert.{language}", "synonyms")


def sides_of(row: Row, language: str) -> tuple[list[str], list[str]]:
    """What is typed, and where it leads in a language (a sense: its name, then its synonyms)."""
    if row.kind in ("sense", "idiom"):
        name = row.fields.get(f"canonical.{language}", "")
        return list(row.fields.get("forms", ())), [t for t in (name, *row.fields.get("synonyms", ())) if t]
    if row.kind == "jargon":
        return list(row.fields.get("forms", ())), list(row.fields.get(f"expert.{language}", ()))
    return [str(row.fields.get("form", ""))], [str(row.fields.get("to", ""))]


def from_sides(kind: str, name: str, forms: Sequence[str], targets: Sequence[str], language: str) -> Row:
    """The row that `sides_of` took apart."""
    if kind in ("sense", "idiom"):
        fields = {"id": name, "forms": list(forms), f"canonical.{language}": targets[0], "synonyms": list(targets[1:])}
    elif kind == "jargon":
        fields = {"id": name, "forms": list(forms), f"expert.{language}": list(targets)}
    else:
        fields = {"form": forms[0], "to": targets[0]}
    return Row(kind, {k: v for k, v in fields.items() if v})


def held_part(row: Row, language: str) -> Row:
    """What of a row survives on two sides."""
    forms, targets = sides_of(row, language)
    return from_sides(row.kind, row.id, forms, targets, language)
