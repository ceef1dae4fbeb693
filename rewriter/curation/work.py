"""Add, edit, retire: one library call each.  Each holds the lexicon's lock from reading to writing, and refuses what the lint would."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rewriter.curation.edit import add_row, change_row
from rewriter.curation.guard import Checked, check_change, collect
from rewriter.curation.overlay import copy_entry
from rewriter.curation.rows import Row, row_of
from rewriter.curation.store import hold, load_text, root_of, write_texts
from rewriter.errors import LexiconError
from rewriter.lexicon.collection import Finding, Zipf
from rewriter.lexicon.parse import Located
from rewriter.pack.files import files_at
from rewriter.text.normalise import clean

__all__ = ["Refused", "Written", "add_entry", "edit_entry", "find_entry", "named_entries", "retire_entry", "show_change"]

Written = tuple[Path, str, tuple[Finding, ...]]
"""The file written, what changed in it (a unified diff), and warnings that were let through."""


class Refused(LexiconError):
    """A change that the lint would report; nothing was written.  `findings` says why."""

    def __init__(self, message: str, findings: tuple[Finding, ...]) -> None:
        super().__init__(message)
        self.findings = findings


def add_entry(file: Path, row: Row, *, force: bool = False, zipf: Zipf | None = None) -> Written:
    """Add an entry to a file, which is made where it is missing.  `Refused` for findings; with `force` only for errors."""

    def change(_: list[Located]) -> tuple[Path, str]:
        return file, add_row(file.as_posix(), load_text(file), row)

    return _commit(root_of(file), change, force, zipf)


def edit_entry(
    root: Path,
    name: str,
    changes: Mapping[str, Any],
    *,
    shipped: Sequence[Located] = (),
    force: bool = False,
    zipf: Zipf | None = None,
) -> Written:
    """Change fields of the entry `name` (`find_entry`) of a lexicon; None takes a field away.

    One that the lexicon does not have is copied from the `shipped` entries over which it is laid.
    """

    return _change(root, name, lambda _: changes, shipped, force, zipf)


def retire_entry(
    root: Path,
    name: str,
    reviewer: str,
    date: str,
    *,
    shipped: Sequence[Located] = (),
    force: bool = False,
    zipf: Zipf | None = None,
) -> Written:
    """Mark an entry as retired: it keeps its id, so that nobody gives it to another meaning, and is used no more.

    One of the `shipped` entries is copied as in `edit_entry`, and takes the shipped one away.
    """

    def signed(item: Located) -> dict[str, Any]:
        return {"status": "retired"} | ({} if item.file.endswith(".tsv") else {"reviewer": reviewer or None, "reviewed": date})

    return _change(root, name, signed, shipped, force, zipf)


def _change(
    root: Path,
    name: str,
    changes: Callable[[Located], Mapping[str, Any]],
    shipped: Sequence[Located],
    force: bool,
    zipf: Zipf | None,
) -> Written:
    def change(items: list[Located]) -> tuple[Path, str]:
        if shipped and not named_entries(items, name):
            file, text, item = copy_entry(root, items, shipped, find_entry(shipped, name, "the shipped lexicon"))
        else:
            item = find_entry(items, name, root)
            file, text = Path(item.file), load_text(Path(item.file))
        return file, change_row(file.as_posix(), text, item, changes(item))

    return _commit(root_of(root), change, force, zipf, root)


def named_entries(items: Sequence[Located], name: str) -> list[Located]:
    """The entries that a name may mean: an id, a form, or `form=target` where a form has several."""
    form, _, target = name.partition("=")
    folded = clean(form).folded
    found = [i for i in items if row_of(i).id == name]
    if not found:
        rows = [(i, row_of(i)) for i in items]
        found = [i for i, r in rows if "to" in r.fields and clean(r.id).folded == folded and target in ("", r.fields["to"])]
    if not found:
        found = [i for i, r in rows if folded in [clean(str(f)).folded for f in r.fields.get("forms", ())]]
    return found


def find_entry(items: Sequence[Located], name: str, where: object) -> Located:
    """The one entry that is named (`named_entries`); `LexiconError` where there is none, or several (which it lists)."""
    found = named_entries(items, name)
    if len(found) == 1:
        return found[0]
    if not found:
        raise LexiconError(f"{where} has no entry {name!r}; `rewriter lexicon search` finds entries by any of their words.")
    names = [f"{row_of(i).id}={row_of(i).fields['to']}" if "to" in row_of(i).fields else row_of(i).id for i in found]
    places = "; ".join(f"{n} ({i.file}:{i.line})" for n, i in zip(names, found, strict=True))
    raise LexiconError(f"{name!r} names {len(found)} entries: {places}; give one of them in full.")


def show_change(file: Path, old: str, new: str) -> str:
    """A unified diff with two lines around each change."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), file.as_posix(), file.as_posix(), n=2, lineterm="")
    return "\n".join(lines)


def _commit(
    root: Path, change: Callable[[list[Located]], tuple[Path, str]], force: bool, zipf: Zipf | None, within: Path | None = None
) -> Written:
    with hold(root):
        before = collect(root, zipf)
        inside = set(map(Path.as_posix, files_at(within))) if within and within.exists() else set()
        file, new = change([i for i in before.items if i.file in inside])
        old = load_text(file)
        if new == old:
            return file, "", ()
        checked: Checked = check_change(before, {file.as_posix(): new})
        if checked.errors or (checked.findings and not force):
            told = " ".join([f"{f.code} {f.message}" for f in checked.findings])
            what = "it" if len(checked.findings) == 1 else "them"
            remedy = f"Correct {what}." if checked.errors else f"Correct {what}, or give --force."
            raise Refused(f"Nothing was written, since the lint would say: {told} {remedy}", checked.findings)
        write_texts({file: new})
    return file, show_change(file, old, new), checked.findings
