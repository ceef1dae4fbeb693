"""An import as a plan before anything is written: what is new, what changes, what is in conflict, what is refused and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rewriter.curation.edit import add_rows, change_row, fits_file, lost_fields
from rewriter.curation.edit_lines import columns_of
from rewriter.curation.exchange.exchanged import Read
from rewriter.curation.guard import check_change
from rewriter.curation.rows import Row, forms_of_row, in_full, key_of, row_of
from rewriter.errors import LexiconError
from rewriter.lexicon.collection import Collection, Finding
from rewriter.lexicon.parse import Located, parse_file
from rewriter.pack.toml import load_toml
from rewriter.record import record, replace

__all__ = ["VERDICTS", "Defaults", "Plan", "Planned", "plan_import", "target_of"]

VERDICTS = ("added", "changed", "same", "conflict", "rejected", "undecided")
_FOLDERS = {"sense": "senses", "idiom": "idioms", "jargon": "jargon", "translation": "bilingual", "slang-id": "slang", "slang-en": "slang"}


@record
class Defaults:
    """What an import gives to rows that do not say it: where they come from, under which licence, and that nobody has reviewed them."""

    source: str
    licence: str = ""
    status: str = "draft"
    domain: str = ""


@record
class Planned:
    """A row of the import: its place there, what becomes of it, why, in which file, and the fields that change; `name` is what a row
    that is no entry is called."""

    place: str
    verdict: str
    row: Row | None
    why: str = ""
    file: str = ""
    changes: Mapping[str, Any] = {}
    notes: tuple[str, ...] = ()
    name: str = ""

    @property
    def entry(self) -> str:
        """Its id, or its form."""
        return self.row.id if self.row is not None else self.name


@record
class Plan:
    """All rows of an import, and the new text of each file that it would write."""

    rows: tuple[Planned, ...]
    texts: Mapping[str, str]

    def counts(self) -> dict[str, int]:
        """How many rows of each verdict."""
        return {v: sum(r.verdict == v for r in self.rows) for v in VERDICTS}


def target_of(row: Row, into: Path, stem: str) -> Path:
    """The file that takes a row: the one named, or in a folder the one of its kind.

    >>> target_of(Row("jargon", {}), Path("team"), "peers").as_posix()
    'team/jargon/peers.toml'
    """
    if into.suffix:
        return into
    name = f"{row.kind[-2:]}.tsv" if row.kind.startswith("slang") else f"{stem}.tsv" if row.kind == "translation" else f"{stem}.toml"
    return into / _FOLDERS[row.kind] / name


def plan_import(
    reads: Sequence[Read], before: Collection, into: Path, stem: str, defaults: Defaults, texts: Mapping[str, str], *, update: bool
) -> Plan:
    """What an import would do to a lexicon (`before`, with the `texts` of its files).

    A row is added where its key is new, changed where an entry of its key says otherwise (written with `update` only), and in
    conflict where the import itself says two things, or where the lint would find the entry at odds with others.
    """
    known = {key_of(row_of(item)): item for item in before.items}
    planned: list[Planned] = []
    first: dict[tuple[str, ...], Planned] = {}
    for read in reads:
        one = _judge(read, known, into, stem, defaults, texts)
        if one.row is not None and one.verdict != "rejected":
            other = first.setdefault(key_of(one.row), one)
            if other is not one:
                same = other.row is not None and _said(other.row) == _said(one.row)
                why = f"it repeats {other.place}" if same else f"{other.place} gives the same entry otherwise; keep one of them"
                one = replace(one, verdict="same" if same else "conflict", why=why)
        planned.append(one)
    return _settle(planned, before, texts, known, update)


def _judge(
    read: Read, known: Mapping[tuple[str, ...], Located], into: Path, stem: str, defaults: Defaults, texts: Mapping[str, str]
) -> Planned:
    if read.row is None:
        return Planned(read.place, "undecided" if read.undecided else "rejected", None, read.why, notes=read.notes, name=read.name)
    row = read.row
    if not forms_of_row(row):
        return Planned(read.place, "rejected", row, "it has no form with a visible character", notes=read.notes)
    old = known.get(key_of(row))
    if old is not None:
        has = in_full(row_of(old)).fields
        changes = {k: v for k, v in row.fields.items() if k not in ("id", "origin") and has.get(k) != v}
        verdict = "changed" if changes else "same"
        why = ", ".join(f"{k}: {has.get(k, '')!r} → {v!r}" for k, v in changes.items())
        return Planned(read.place, verdict, row, why, old.file, changes, read.notes)
    given: dict[str, Any] = {"source": defaults.source, "licence": defaults.licence, "status": defaults.status, "domain": defaults.domain}
    given["origin"] = f"{stem}, {read.place}"
    if row.kind == "jargon":
        given["direction"] = "lay-to-expert"
    if "pos" not in row.fields and "form" in row.fields:
        given["pos"] = "x"
    row = Row(row.kind, {**row.fields, **{k: v for k, v in given.items() if v and k not in row.fields}})
    file = target_of(row, into, stem).as_posix()
    why = fits_file(row, file, texts.get(file, ""))
    if why:
        return Planned(read.place, "rejected", row, why, file, notes=read.notes)
    notes = list(read.notes)
    if file.endswith(".tsv") and texts.get(file):
        unsaid = in_full(Row(row.kind, {"form": row.id})).fields
        lost = [name for name in lost_fields(row, columns_of(texts[file])) if row.fields[name] != unsaid.get(name)]
        notes += [f"{file} has no column for {', '.join(lost)}"] if lost else []
    return Planned(read.place, "added", row, "", file, notes=tuple(notes))


def _said(row: Row) -> dict[str, Any]:
    return {k: v for k, v in row.fields.items() if k != "origin"}


def _settle(
    planned: list[Planned], before: Collection, texts: Mapping[str, str], known: Mapping[tuple[str, ...], Located], update: bool
) -> Plan:
    """Write everything into new texts, ask the lint, put aside what it finds, and again until it finds nothing."""
    while True:
        made, failed = _write(planned, texts, known, update)
        if failed:
            planned = [replace(p, verdict="rejected", why=failed[n]) if n in failed else p for n, p in enumerate(planned)]
            continue
        found = check_change(before, made).findings if made else ()
        blamed = _blame(planned, found, made)
        if not blamed and found:  # a row of such a shape that it is no entry, so that nothing tells whose the finding is
            unread = {n: why for n, p in enumerate(planned) if (why := _unreadable(p, texts, known, update))}
            if unread:
                planned = [replace(p, verdict="rejected", why=unread[n]) if n in unread else p for n, p in enumerate(planned)]
                continue
        if not blamed:
            if found:
                raise LexiconError(f"The import would leave a finding that no row explains: {found[0]}; nothing was written.")
            return Plan(tuple(planned), made)
        for number, finding in blamed.items():
            verdict = "rejected" if finding.severity == "error" else "conflict"
            planned[number] = replace(planned[number], verdict=verdict, why=f"{finding.code} {finding.message}")


def _write(
    planned: Sequence[Planned], texts: Mapping[str, str], known: Mapping[tuple[str, ...], Located], update: bool
) -> tuple[dict[str, str], dict[int, str]]:
    """The new texts, and the rows that cannot be written with the reason."""
    made: dict[str, str] = {}
    failed: dict[int, str] = {}
    fresh: dict[str, list[tuple[int, Row]]] = {}
    for number, one in enumerate(planned):
        if one.verdict == "added" and one.row is not None:
            fresh.setdefault(one.file, []).append((number, one.row))
        elif one.verdict == "changed" and update and one.row is not None:
            text = made.get(one.file, texts.get(one.file, ""))
            key = key_of(one.row)
            item = known[key]
            if not one.file.endswith(".toml"):  # where tables are found by their name, not their line
                item = next((i for i in parse_file(one.file, text)[0] if key_of(row_of(i)) == key), item)
            try:
                made[one.file] = change_row(one.file, text, item, one.changes)
            except LexiconError as error:
                failed[number] = str(error).rstrip(".")
    for file, rows in fresh.items():
        text, wrong = add_rows(file, made.get(file, texts.get(file, "")), [row for _, row in rows])
        made[file] = text
        failed |= {rows[at][0]: why for at, why in wrong.items()}
    return made, failed


def _unreadable(one: Planned, texts: Mapping[str, str], known: Mapping[tuple[str, ...], Located], update: bool) -> str:
    """Why nobody could read what the import would write of a row; "" where that is an entry, or nothing is written."""
    if one.row is None or (one.verdict != "added" and not (one.verdict == "changed" and update)):
        return ""
    has = row_of(known[key_of(one.row)]).fields if one.verdict == "changed" else {}
    head = texts.get(one.file, "").partition("\n")[0] + "\n" if one.file.endswith(".tsv") and texts.get(one.file) else ""
    text, wrong = add_rows(one.file, head, [Row(one.row.kind, {**has, **one.row.fields})])
    problems = [p.message for p in parse_file(one.file, text)[1]]
    return next(iter([*wrong.values(), *problems]), "").rstrip(".")


def _blame(planned: Sequence[Planned], found: Iterable[Finding], made: Mapping[str, str]) -> dict[int, Finding]:
    """Which row each finding is about: the entry at its line, or one whose id or form its message names."""
    rows = {key_of(p.row): n for n, p in enumerate(planned) if p.row is not None and p.verdict in ("added", "changed")}
    at = {file: {item.line: key_of(row_of(item)) for item in parse_file(file, text, load_toml)[0]} for file, text in made.items()}
    blamed: dict[int, Finding] = {}
    for finding in found:
        number = rows.get(at.get(finding.file, {}).get(finding.line, ()))
        if number is None:
            number = next((n for key, n in rows.items() if n not in blamed and _named(planned[n].row, finding.message)), None)
        if number is not None:
            blamed.setdefault(number, finding)
    return blamed


def _named(row: Row | None, message: str) -> bool:
    if row is None:
        return False
    return f"[{row.id}]" in message or any(repr(form) in message for form in forms_of_row(row))
