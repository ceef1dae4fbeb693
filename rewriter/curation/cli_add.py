"""`add`: a new entry, given in options or asked for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rewriter.curation.cli_common import (
    Force,
    Reviewer,
    Setting,
    parse_value,
    places_or_shipped,
    signature,
    split_assignments,
    split_list,
    tell_written,
)
from rewriter.curation.cli_find import found_row
from rewriter.errors import InputError
from rewriter.output import say
from rewriter.pack.files import lexicons_folder

if TYPE_CHECKING:
    from rewriter.curation.rows import Row
    from rewriter.lexicon.parse import Located

__all__ = ["add_to_lexicon"]

TABLES = ("sense", "idiom", "jargon")
"""Kinds of entries with an id and a reviewer."""


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
    from rewriter.curation.near import laid_over
    from rewriter.curation.rows import Row
    from rewriter.curation.work import add_entry
    from rewriter.text.normalise import clean

    fields: dict[str, Any] = {
        "canonical.en": canonical_en, "canonical.id": canonical_id, "gloss.en": gloss_en, "gloss.id": gloss_id, "domain": domain,
        "cues": [part for given in cue or () for part in split_list(given)], "to": to, "pos": pos, "source": source, "status": status,
    }  # fmt: skip
    fields |= {key: parse_value(key, value) for key, value in split_assignments(settings, "--set")}
    kind = _kind_for(file, fields)
    typed = list(form or ())
    if interactive and not typed:
        typed = [typer.prompt("What people type (several: a, b)", err=True)]
    forms = [f for f in [clean(part).folded for given in typed for part in split_list(given)] if f]
    if not forms:
        raise InputError("The entry has no form; give --form with what people type, or -i to be asked.")
    row = _row(kind, name, forms, fields)
    if not interactive:
        _check_complete(row)
    shipped = _show_near(file, forms)
    if interactive:
        row = _ask_rest(row)
        _check_complete(row)
    if row.kind in TABLES:
        row = Row(row.kind, {**row.fields, **signature(row.fields, reviewer)})
    for told in laid_over(row, shipped):
        say(told)
    tell_written(add_entry(file, row, force=force))


def _kind_for(file: Path, fields: dict[str, Any]) -> str:
    """The kind of entry that a file takes, by its folder, name and the fields given."""
    from rewriter.lexicon.parse import kind_of

    folder = kind_of(file.as_posix())
    if folder == "entries":
        what = "a translation" if file.suffix == ".tsv" else "jargon" if _is_jargon(fields) else "a sense"
        say(f"{file} stands in no folder that names a kind (senses, idioms, jargon, bilingual, slang), so the entry is taken as {what}.")
    if file.suffix == ".tsv":
        return f"slang-{'en' if file.stem == 'en' else 'id'}" if folder == "slang" else "translation"
    if folder == "idioms":
        return "idiom"
    return "jargon" if folder == "jargon" or _is_jargon(fields) else "sense"


def _is_jargon(fields: Mapping[str, Any]) -> bool:
    return bool(fields.get("expert.en") or fields.get("expert.id"))


def _row(kind: str, name: str, forms: list[str], fields: dict[str, Any]) -> Row:
    """The row of the fields that its kind has."""
    from rewriter.curation.rows import ORDER, SHARD_FIELDS, Row

    if kind in TABLES:
        given = {"id": name, "forms": forms, **{k: v for k, v in fields.items() if k in ORDER}}
        if kind == "jargon":
            given.setdefault("direction", "lay-to-expert")
    else:
        if len(forms) > 1:
            raise InputError(f"A line of a shard has one form, and {len(forms)} are given; add them one by one.")
        given = {"form": forms[0], **{k: v for k, v in fields.items() if k in SHARD_FIELDS and k != "source"}}
        given["pos"] = given.get("pos") or "x"
    return Row(kind, {k: v for k, v in given.items() if v not in (None, "", [])})


def _check_complete(row: Row) -> None:
    """`InputError` where the row has no proper id, or leads nowhere: without these it cannot be written at all."""
    if row.kind not in TABLES:
        if not row.fields.get("to"):
            raise InputError("The entry leads nowhere; give --to with the English, or the normal form.")
    elif not row.id:
        raise InputError("The entry has no id; give --id LEXEME.SENSE, such as nano-banana.fruit, or -i to be asked.")
    elif wrong := _wrong_id(row.id):
        raise InputError(wrong)


def _wrong_id(text: str) -> str:
    """What the lint says of an id; "" for a good one."""
    from rewriter.lexicon.checks_fields import id_is_misspelt, is_id

    return "" if is_id(text) else f"E103 [{text}]: {id_is_misspelt.__doc__}"


def _show_near(file: Path, forms: list[str]) -> list[Located]:
    """On standard error: entries of these forms, in this lexicon and the shipped ones, and forms nearly like them.

    The entries of the shipped lexicon, none where the file is part of it.
    """
    from rewriter.curation.near import find_near
    from rewriter.curation.store import load_items, root_of

    root = root_of(file)
    own = load_items(root)
    files = {i.file for i in own}
    others = [place for place in places_or_shipped(None) if place.resolve() != root.resolve()]
    laid = {place: [i for i in load_items(place) if i.file not in files] for place in others}
    near = find_near(forms, [*own, *[i for items in laid.values() for i in items]])
    for item in near.siblings:
        say(f"already there: {' · '.join(found_row(item))}")
    for form, percent, item in near.alike:
        say(f"nearly the same ({percent} %): {form!r} of {' · '.join(found_row(item))}")
    shipped = lexicons_folder()
    return laid[shipped] if shipped in laid else [] if shipped.resolve() == root.resolve() else load_items(shipped)


def _ask_rest(row: Row) -> Row:
    """The fields that a row of its kind needs and does not have, asked one by one on standard error.

    Those that it cannot be without are asked until they are given; an empty answer leaves another out.
    """
    from rewriter.curation.rows import Row

    wanted = {
        "jargon": ("id", "expert.id", "expert.en", "gloss.en", "gloss.id", "domain"),
        "translation": ("to", "pos", "when"), "slang-id": ("to", "pos", "when"), "slang-en": ("to", "pos", "when"),
    }.get(row.kind, ("id", "canonical.en", "canonical.id", "gloss.en", "gloss.id", "domain", "cues"))  # fmt: skip
    needed = {"id", "domain", "to"} | ({"canonical.en", "canonical.id", "gloss.en", "gloss.id"} if row.kind != "jargon" else set())
    fields = dict(row.fields)
    for name in wanted:
        given = str(fields.get(name, ""))
        if given and not (name == "pos" and given == "x") and not (name == "id" and _wrong_id(given)):
            continue
        value = _ask(name, name in needed)
        if value:
            fields[name] = value
    return Row(row.kind, fields)


def _ask(name: str, is_needed: bool) -> Any:
    """The value typed for a field, asked again until it can be one; nothing only where nothing is needed."""
    from rewriter.curation.rows import LISTS

    shown = f"{name} (several: a, b)" if name in LISTS or name == "when" else name
    while True:
        answer = typer.prompt(shown, default="", show_default=False, err=True).strip()
        if name == "domain":
            answer = _known_domain(answer)
        wrong = _wrong_id(answer) if name == "id" and answer else "" if answer or not is_needed else f"the entry needs {name}."
        if not wrong:
            return answer if name == "id" else parse_value(name, answer)
        say(wrong)


def _known_domain(answer: str) -> str:
    """The domain typed, or one that the curator picks among the likest of the tree."""
    from rewriter import default_resources
    from rewriter.lexicon.alike import SURE, alike_domains, labels_of

    known = default_resources().domains
    while answer and answer not in known:
        likest = alike_domains(answer, labels_of(known.values()))
        told = f"the likest are {', '.join([path for path, _ in likest])}" if likest else "`rewriter lexicon domains` lists them"
        say(f"there is no domain {answer!r}; {told}")
        sure = likest[0][0] if likest and likest[0][1] >= SURE else ""
        answer = typer.prompt("domain", default=sure, show_default=bool(sure), err=True).strip()
    return answer
