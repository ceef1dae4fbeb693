"""What every format shares: options, a row read or refused, losses told, ids for entries that come without one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rewriter.curation.rows import Row
from rewriter.errors import InputError
from rewriter.record import record

__all__ = ["Options", "Read", "Written", "decode", "losses", "make_id", "refused", "slug"]

Written = tuple[bytes, tuple[str, ...]]
"""The file, and sentences about what it does not hold."""


@record
class Options:
    """How a file is read or written; `language` is the side of two-language fields that a format with one side takes."""

    format: str
    name: str = "import"
    language: str = "id"


@record
class Read:
    """A row of a file with its place, or why it is none (`undecided`: not yet) and what it is about (`name`); `notes` say what of it
    was left out."""

    place: str
    row: Row | None
    why: str = ""
    notes: tuple[str, ...] = ()
    undecided: bool = False
    name: str = ""


def refused(place: str, why: str, fields: Mapping[str, Any], *, undecided: bool = False) -> Read:
    """A row that is no entry, called by what it has of an id or a form.

    >>> refused("row 2", "it has no to", {"form": "gw"}).name
    'gw'
    """
    forms = fields.get("forms") or ""
    name = fields.get("id") or fields.get("form") or (forms if isinstance(forms, str) else next(iter(forms), ""))
    return Read(place, None, why, undecided=undecided, name=str(name))


def losses(rows: Iterable[Row], held: Iterable[str], what: str) -> list[str]:
    """A sentence for the fields that a format drops, with how many entries have them."""
    kept = {"id", "form", *held}
    counted = Counter(name for row in rows for name in row.fields if name not in kept)
    if not counted:
        return []
    return [f"{what} cannot hold " + ", ".join(f"{name} ({n})" for name, n in sorted(counted.items())) + "."]


def decode(data: bytes, name: str) -> str:
    """Text of a file; `InputError` names the line of what is no UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}:{data.count(10, 0, error.start) + 1}: this is no UTF-8 text; save the file as UTF-8.") from None


def slug(text: str) -> str:
    """Lower-case letters and digits with single hyphens, as ids are written.

    >>> slug("Café au lait!"), slug("…")
    ('cafe-au-lait', 'x')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or "x"


def make_id(form: str, target: str, taken: set[str]) -> str:
    """An id that no other entry of the import has.

    >>> make_id("maag", "Gastritis", {"maag.gastritis"})
    'maag.gastritis-2'
    """
    base = f"{slug(form)}.{slug(target)}"
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name
