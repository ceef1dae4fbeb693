"""`edit`, `retire`: entries changed and taken out of use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewriter.curation.cli_common import (
    Force,
    Places,
    Reviewer,
    Setting,
    parse_value,
    place_shown,
    places_or_shipped,
    signature,
    split_assignments,
    tell_written,
)
from rewriter.errors import InputError
from rewriter.output import say

if TYPE_CHECKING:
    from rewriter.lexicon.parse import Located

__all__ = ["edit_in_lexicon", "retire_from_lexicon"]

Appending = Annotated[list[str] | None, typer.Option("--append", metavar="NAME=VALUE", help="Add to a list (cues, forms …). Repeat it.")]
Removing = Annotated[list[str] | None, typer.Option("--remove", metavar="NAME=VALUE", help="Take out of a list. Repeat it.")]
Named = Annotated[
    str, typer.Argument(metavar="NAME", show_default=False, help="An id, a form, or FORM=TRANSLATION where a form has several.")
]


def edit_in_lexicon(
    name: Named,
    settings: Setting = None,
    append: Appending = None,
    remove: Removing = None,
    status: Annotated[str, typer.Option("--status", show_default=False, help="draft, reviewed or retired.")] = "",
    reviewer: Reviewer = "",
    lexicon: Places = None,
    force: Force = False,
) -> None:
    """Change fields of an entry; comments, order and layout of the file stay.  A shipped entry is copied into the overlay first."""
    from rewriter.curation.rows import row_of
    from rewriter.curation.work import edit_entry

    place, item, shipped = _locate(name, lexicon)
    row = row_of(item)
    changes = {key: parse_value(key, value) for key, value in split_assignments(settings, "--set")}
    for option, given in (("--append", append), ("--remove", remove)):
        for key, text in split_assignments(given, option):
            value = parse_value(key, text, option)
            if not isinstance(value, list):
                raise InputError(f"{option} names {key!r}, which is no list; use --set.")
            has = list(changes.get(key) or row.fields.get(key, ()))
            if option == "--remove":
                absent = [v for v in value if v not in has]
                if absent:
                    raise InputError(f"{key} of {name} has no {absent[0]!r}; it has {', '.join(map(str, has)) or 'nothing'}.")
            changes[key] = [*has, *[v for v in value if v not in has]] if option == "--append" else [v for v in has if v not in value]
    if status:
        changes["status"] = status
    if not item.file.endswith(".tsv"):
        changes |= signature(changes, reviewer)
    if not changes:
        raise InputError("Nothing is to change; give --set, --append, --remove or --status.")
    tell_written(edit_entry(place, name, changes, shipped=shipped, force=force))


def retire_from_lexicon(name: Named, reviewer: Reviewer = "", lexicon: Places = None, force: Force = False) -> None:
    """Take an entry out of use; it keeps its id, so that no other meaning ever gets it."""
    from rewriter.curation.work import retire_entry

    place, item, shipped = _locate(name, lexicon)
    signed = {} if item.file.endswith(".tsv") else signature({"status": "retired"}, reviewer)
    date = signed.get("reviewed", "")
    tell_written(retire_entry(place, name, signed.get("reviewer", ""), date, shipped=shipped, force=force))


def _locate(name: str, lexicon: Sequence[Path] | None) -> tuple[Path, Located, list[Located]]:
    """The lexicon to write to, the entry, and the shipped entries where only those have it: then it is copied into the last lexicon.

    `LexiconError` where none has it, or several entries are meant.
    """
    from rewriter.curation.versions import items_at
    from rewriter.curation.work import find_entry, named_entries
    from rewriter.pack.files import lexicons_folder

    places = places_or_shipped(lexicon)
    for place in places:
        items = items_at(place)
        if named_entries(items, name):
            return place, find_entry(items, name, place), []
    if lexicons_folder() in places:
        find_entry([], name, " or ".join(map(str, places)))
    shipped = items_at(lexicons_folder())
    item = find_entry(shipped, name, f"{' or '.join(map(str, places))}, laid over the shipped lexicon,")
    say(f"copied from the shipped lexicon, {place_shown(item)}, whose place it takes")
    return places[-1], item, shipped
