"""`show`, `search`, `add`, `edit`, `retire`: entries found, written and taken out of use."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rewriter import load_resources
from rewriter.calls import emit, named_lexicons, printable
from rewriter.curation.cli_common import Places, parse_value, places_or_shipped, split_assignments
from rewriter.errors import InputError, LexiconError
from rewriter.lexicon.entries import Entry, Jargon, Sense, Slang
from rewriter.output import count, say, show_rows

if TYPE_CHECKING:
    from rewriter.curation.rows import Row
    from rewriter.curation.work import Written
    from rewriter.lexicon.parse import Located

__all__ = ["add_to_lexicon", "edit_in_lexicon", "retire_from_lexicon", "search_lexicons", "show_form"]

Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A field (gloss.en, cues, prior …); lists parted by commas. Repeat it."),
]
Reviewer = Annotated[str, typer.Option("--reviewer", envvar="REWRITER_REVIEWER", show_default=False, help="Who signs for it.")]
Force = Annotated[bool, typer.Option("--force", help="Write although the lint would warn; errors are never written.")]


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
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each entry.")] = False,
) -> None:
    """Find entries by any of their words, or by nearly their form; the exit code is 1 where there are none."""
    from rewriter.curation.near import find_near, search_items
    from rewriter.curation.rows import row_of
    from rewriter.curation.versions import items_at
    from rewriter.text.normalise import clean

    if not text and not status and not domain:
        raise InputError("There is nothing to search for; give a text, --status or --domain.")
    items = [i for place in places_or_shipped(lexicon) for i in items_at(place)]
    if near:
        found = find_near([clean(text).folded], items, limit=20)
        items = [*found.siblings, *[i for _, _, i in found.alike]]
    else:
        items = search_items(text, items, status=status, domain=domain)
    for item in items if as_json else ():
        row = row_of(item)
        emit(json.dumps({"file": item.file, "line": item.line, "kind": row.kind, **row.fields}, ensure_ascii=False))
    if not as_json:
        show_rows(("entry", "forms", "meaning", "place"), [_found_row(i) for i in items])
    say(f"{count(len(items), 'entry')} found")
    if not items:
        raise typer.Exit(1)


def _found_row(item: Located) -> tuple[str, str, str, str]:
    from rewriter.curation.rows import row_of

    row = row_of(item)
    meanings = [row.fields.get(n) for n in ("gloss.en", "gloss.id", "to", "canonical.en")]
    status = str(row.fields.get("status", ""))
    name = row.id if "forms" in row.fields else row.kind
    forms = ", ".join(row.fields.get("forms", [row.id]))
    meaning = next((str(m) for m in meanings if m), "")
    return (name, forms, f"{meaning} ({status})" if status in ("draft", "retired") else meaning, f"{item.file}:{item.line}")


def add_to_lexicon(
    file: Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="The lexicon file; it is made where it is missing.")],
    name: Annotated[str, typer.Option("--id", metavar="LEXEME.SENSE", show_default=False, help="The id of a sense or jargon entry.")] = "",
    form: Annotated[list[str] | None, typer.Option("--form", help="What people type; repeat it.")] = None,
    canonical_en: Annotated[str, typer.Option("--canonical-en", show_default=False, help="What to search for it in English.")] = "",
    canonical_id: Annotated[str, typer.Option("--canonical-id", show_default=False, help="The same in Indonesian.")] = "",
    gloss_en: Annotated[str, typer.Option("--gloss-en", show_default=False, help="What it is, a short noun phrase in English.")] = "",
    gloss_id: Annotated[str, typer.Option("--gloss-id", show_default=False, help="The same in Indonesian.")] = "",
    domain: Annotated[str, typer.Option("--domain", show_default=False, help="A path of the domain tree.")] = "",
    cue: Annotated[list[str] | None, typer.Option("--cue", help="A word that stands around this meaning; repeat it.")] = None,
    to: Annotated[str, typer.Option("--to", show_default=False, help="Of a shard: the English, or the normal form.")] = "",
    pos: Annotated[str, typer.Option("--pos", show_default=False, help="Of a shard: the part of speech.")] = "",
    settings: Setting = None,
    source: Annotated[str, typer.Option("--source", help="Where it comes from.")] = "curated",
    status: Annotated[str, typer.Option("--status", help="draft, reviewed or retired.")] = "draft",
    reviewer: Reviewer = "",
    interactive: Annotated[bool, typer.Option("--interactive", "-i", help="Ask for what is missing; show what is there first.")] = False,
    force: Force = False,
) -> None:
    """Add an entry, checked, to a lexicon file; near matches and the other senses of its forms are shown first."""
    from rewriter.curation.work import add_entry
    from rewriter.text.normalise import clean

    fields: dict[str, Any] = {
        "canonical.en": canonical_en, "canonical.id": canonical_id, "gloss.en": gloss_en, "gloss.id": gloss_id, "domain": domain,
        "cues": list(cue or ()), "to": to, "pos": pos, "source": source, "status": status,
    }  # fmt: skip
    fields |= {key: parse_value(key, value) for key, value in split_assignments(settings, "--set")}
    kind = _kind_for(file, fields)
    forms = [clean(f).folded for f in form or ()]
    if interactive and not forms:
        forms = [clean(f).folded for f in typer.prompt("What people type (several: a, b)", err=True).split(",")]
    forms = [f for f in forms if f]
    if not forms:
        raise InputError("The entry has no form; give --form with what people type, or -i to be asked.")
    _show_near(file, forms)
    row = _row(kind, name, forms, fields)
    if interactive:
        row = _ask_rest(row)
    row = _signed(row, reviewer)
    written = add_entry(file, row, force=force)
    _tell(written)


def _kind_for(file: Path, fields: dict[str, Any]) -> str:
    """The kind of entry that a file takes, by its folder, name and the fields given."""
    from rewriter.lexicon.parse import kind_of

    folder = kind_of(file.as_posix())
    if file.suffix == ".tsv":
        return f"slang-{'en' if file.stem == 'en' else 'id'}" if folder == "slang" else "translation"
    if folder == "idioms":
        return "idiom"
    return "jargon" if folder == "jargon" or fields.get("expert.en") or fields.get("expert.id") else "sense"


def _row(kind: str, name: str, forms: list[str], fields: dict[str, Any]) -> Row:
    """The row of the fields that its kind has."""
    from rewriter.curation.rows import ORDER, SHARD_FIELDS, Row

    if kind in ("sense", "idiom", "jargon"):
        given = {"id": name, "forms": forms, **{k: v for k, v in fields.items() if k in ORDER}}
        if kind == "jargon":
            given.setdefault("direction", "lay-to-expert")
    else:
        if len(forms) > 1:
            raise InputError(f"A line of a shard has one form, and {len(forms)} are given; add them one by one.")
        given = {"form": forms[0], **{k: v for k, v in fields.items() if k in SHARD_FIELDS and k != "source"}}
        given["pos"] = given.get("pos") or "x"
    return Row(kind, {k: v for k, v in given.items() if v not in (None, "", [])})


def _signed(row: Row, reviewer: str) -> Row:
    """With reviewer and today's date, where it is reviewed and can say so."""
    from rewriter.curation.rows import Row

    if row.kind in ("sense", "idiom", "jargon") and not row.fields.get("id"):
        raise InputError("The entry has no id; give --id LEXEME.SENSE, such as nano-banana.fruit, or -i to be asked.")
    if row.kind not in ("sense", "idiom", "jargon") and not row.fields.get("to"):
        raise InputError("The entry leads nowhere; give --to with the English, or the normal form.")
    if row.fields.get("status") != "reviewed" or not reviewer or "form" in row.fields:
        return row
    return Row(row.kind, {**row.fields, "reviewer": reviewer, "reviewed": _today()})


def _today() -> str:
    return datetime.date.today().isoformat()


def _show_near(file: Path, forms: list[str]) -> None:
    """On standard error: entries of these forms, in this lexicon and the shipped ones, and forms nearly like them."""
    from rewriter.curation.near import find_near
    from rewriter.curation.store import load_items, root_of

    root = root_of(file)
    items = load_items(root)
    own = {i.file for i in items}
    items += [i for place in places_or_shipped(None) if place.resolve() != root.resolve() for i in load_items(place) if i.file not in own]
    near = find_near(forms, items)
    for item in near.siblings:
        say(f"already there: {' · '.join(_found_row(item))}")
    for form, percent, item in near.alike:
        say(f"nearly the same ({percent} %): {form!r} of {' · '.join(_found_row(item))}")


def _ask_rest(row: Row) -> Row:
    """The fields that a row of its kind needs and does not have, asked one by one on standard error; an empty answer leaves one out."""
    from rewriter.curation.rows import LISTS, Row

    wanted = {
        "jargon": ("id", "expert.id", "expert.en", "gloss.en", "gloss.id", "domain"),
        "translation": ("to", "pos", "when"), "slang-id": ("to", "pos", "when"), "slang-en": ("to", "pos", "when"),
    }.get(row.kind, ("id", "canonical.en", "canonical.id", "gloss.en", "gloss.id", "domain", "cues"))  # fmt: skip
    fields = dict(row.fields)
    for name in wanted:
        if fields.get(name) and not (name == "pos" and fields[name] == "x"):
            continue
        shown = f"{name} (several: a, b)" if name in LISTS or name == "when" else name
        answer = typer.prompt(shown, default="", show_default=False, err=True).strip()
        if name == "domain":
            answer = _known_domain(answer)
        value = answer if name == "id" else parse_value(name, answer)
        if value:
            fields[name] = value
    return Row(row.kind, fields)


def _known_domain(answer: str) -> str:
    """The domain typed, or one that the curator picks among the likest of the tree."""
    from rapidfuzz import process

    from rewriter import default_resources

    known = sorted(default_resources().domains)
    while answer and answer not in known:
        likest = [path for path, _, _ in process.extract(answer, known, limit=5)]
        say(f"there is no domain {answer!r}; the likest are {', '.join(likest)}")
        answer = typer.prompt("domain", default=likest[0] if likest else "", err=True).strip()
    return answer


def _tell(written: Written) -> None:
    """What was written, as a diff on standard output; warnings that were let through on standard error."""
    file, change, warnings = written
    if not change:
        say(f"{file} says that already; nothing was written.")
        return
    for line in change.split("\n"):
        emit(printable(line.replace("\t", "  ")))
    for finding in warnings:
        say(f"written with --force: {finding}")
    say(f"{file} written")


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
    """Change fields of an entry; comments, order and layout of the file stay."""
    from rewriter.curation.rows import row_of
    from rewriter.curation.work import edit_entry

    place, item = _locate(name, lexicon)
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
        if status == "reviewed" and reviewer and not item.file.endswith(".tsv"):
            changes |= {"reviewer": reviewer, "reviewed": _today()}
    if not changes:
        raise InputError("Nothing is to change; give --set, --append, --remove or --status.")
    _tell(edit_entry(place, name, changes, force=force))


def retire_from_lexicon(name: Named, reviewer: Reviewer = "", lexicon: Places = None, force: Force = False) -> None:
    """Take an entry out of use; it keeps its id, so that no other meaning ever gets it."""
    from rewriter.curation.work import retire_entry

    place, item = _locate(name, lexicon)
    if not item.file.endswith(".tsv") and not reviewer:
        raise InputError("A retirement is signed; give --reviewer, or set REWRITER_REVIEWER.")
    _tell(retire_entry(place, name, reviewer, _today(), force=force))


def _locate(name: str, lexicon: Sequence[Path] | None) -> tuple[Path, Located]:
    """The lexicon that has the entry, and the entry; `LexiconError` where none has it, or several entries are meant."""
    from rewriter.curation.versions import items_at
    from rewriter.curation.work import find_entry

    places = places_or_shipped(lexicon)
    errors: list[LexiconError] = []
    for place in places:
        try:
            return place, find_entry(items_at(place), name, place)
        except LexiconError as error:
            errors.append(error)
    raise errors[0]
