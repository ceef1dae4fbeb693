"""`show`, `search`, `domains`: entries and domains found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewriter import default_resources, load_resources
from rewriter.calls import emit, named_lexicons, printable
from rewriter.curation.cli_common import Places, place_shown, places_or_shipped
from rewriter.errors import InputError
from rewriter.lexicon.entries import Entry, Jargon, Sense, Slang
from rewriter.output import count, say, show_rows

if TYPE_CHECKING:
    from rewriter.lexicon.parse import Located

__all__ = ["found_row", "list_domains", "search_lexicons", "show_form"]

SHOWN = 20
"""Entries that `search` shows to people unless told otherwise: a screen."""


def show_form(
    form: Annotated[str, typer.Argument(metavar="FORM", show_default=False, help="A name, nickname, word or phrase; or an entry's id.")],
    lexicon: Annotated[
        list[Path] | None, typer.Option("--lexicon", metavar="PATH", help="A lexicon file or folder to lay over the shipped ones.")
    ] = None,
) -> None:
    """Show all that the lexicons know of a form, or the entry of an id as it is written; the exit code is 1 for neither."""
    from rewriter.text.normalise import clean

    entries = load_resources(*named_lexicons(lexicon or ())).exact(clean(form).folded)
    if entries:
        show_rows(("entry", "meaning", "domain", "cues"), [_entry_row(e) for e in entries])
        return
    for item in _of_id(form, [*(lexicon or ()), *map(Path, named_lexicons()), *places_or_shipped(None)]):
        _show_written(item)
        return
    say(f"no lexicon entry has the form {form!r}.")
    raise typer.Exit(1)


def _entry_row(entry: Entry) -> tuple[str, str, str, str]:
    """Entry, meaning, domain, cues; translations and slang have no id and are named by their kind."""
    if isinstance(entry, Sense):
        return (entry.id, entry.gloss("en"), entry.domain, ", ".join(entry.cues))
    if isinstance(entry, Jargon):
        return (entry.id, "; ".join((*entry.expert_en, *entry.expert_id)), entry.domain, ", ".join(entry.cues))
    if isinstance(entry, Slang):
        return ("slang", entry.normal, "", ", ".join(entry.when))
    return ("translation", entry.english, entry.domain, ", ".join(entry.when))


def _of_id(name: str, places: Sequence[Path]) -> list[Located]:
    from rewriter.curation.rows import row_of
    from rewriter.curation.versions import items_at

    if "." not in name or " " in name:
        return []
    return [i for place in dict.fromkeys(places) for i in items_at(place) if row_of(i).id == name]


def _show_written(item: Located) -> None:
    """An entry's place, and the entry as its file has it."""
    from rewriter.curation.edit_toml import table_span
    from rewriter.curation.rows import row_of
    from rewriter.curation.store import load_text

    text = load_text(Path(item.file))
    span = table_span(text, row_of(item).id) if item.file.endswith(".toml") else None
    emit(printable(f"{item.file}:{item.line}"))
    for line in (text[slice(*span)] if span else text.split("\n")[item.line - 1]).split("\n"):
        emit(printable(line))


def search_lexicons(
    text: Annotated[str, typer.Argument(metavar="TEXT", show_default=False, help="Any words of an entry, in any case.")] = "",
    lexicon: Places = None,
    status: Annotated[str, typer.Option("--status", show_default=False, help="Only entries with this status.")] = "",
    domain: Annotated[str, typer.Option("--domain", show_default=False, help="Only entries at or below this domain.")] = "",
    near: Annotated[bool, typer.Option("--near", help="Forms that are nearly the text, the likest first.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=0, show_default=False, help=f"Show so many at most, 0 for all; else {SHOWN}, in JSON all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each entry.")] = False,
) -> None:
    """Find entries by any of their words, whole forms first, or by nearly their form; the exit code is 1 where there are none."""
    from rewriter.curation.near import filter_items, find_near, search_items
    from rewriter.curation.rows import row_of
    from rewriter.curation.versions import items_at
    from rewriter.text.normalise import clean

    if near and not text:
        raise InputError("--near needs a form to be near to; give a text.")
    if not text and not status and not domain:
        raise InputError("There is nothing to search for; give a text, --status or --domain.")
    items = filter_items((i for place in places_or_shipped(lexicon) for i in items_at(place)), status=status, domain=domain)
    if near:
        close = find_near([clean(text).folded], items, limit=len(items))
        found = [(i, "form") for i in close.siblings] + [(i, f"{form} ({percent} %)") for form, percent, i in close.alike]
    else:
        found = search_items(text, items)
    most = limit if limit is not None else 0 if as_json else SHOWN
    shown = found[:most] if most else found
    for item, _ in shown if as_json else ():
        row = row_of(item)
        emit(json.dumps({"file": item.file, "line": item.line, "kind": row.kind, **row.fields}, ensure_ascii=False))
    if not as_json:
        show_rows(("entry", "forms", "meaning", "place", "found in"), [(*found_row(i), field) for i, field in shown])
    more = len(found) - len(shown)
    say(f"{count(len(found), 'entry')} found" + (f", {more} more not shown; --limit 0 shows all" if more else ""))
    if not found:
        raise typer.Exit(1)


def found_row(item: Located) -> tuple[str, str, str, str]:
    """Name, forms, meaning and place of an entry."""
    from rewriter.curation.rows import row_of

    row = row_of(item)
    meanings = [row.fields.get(n) for n in ("gloss.en", "gloss.id", "to", "canonical.en")]
    status = str(row.fields.get("status", ""))
    name = row.id if "forms" in row.fields else row.kind
    forms = ", ".join(row.fields.get("forms", [row.id]))
    meaning = next((str(m) for m in meanings if m), "")
    return (name, forms, f"{meaning} ({status})" if status in ("draft", "retired") else meaning, place_shown(item))


def list_domains(
    text: Annotated[str, typer.Argument(metavar="TEXT", show_default=False, help="Part of a path or a label, in either language.")] = "",
) -> None:
    """List the domains, or those like a text, the likest first, with their labels; the exit code is 1 where there are none."""
    from rewriter.lexicon.alike import alike_domains, labels_of

    tree = default_resources().domains
    paths = [path for path, _ in alike_domains(text, labels_of(tree.values()), limit=len(tree))] if text else sorted(tree)
    show_rows(("domain", "English", "Indonesian"), [(path, tree[path].label_en, tree[path].label_id) for path in paths])
    say(f"{count(len(paths), 'domain')} found")
    if not paths:
        raise typer.Exit(1)
