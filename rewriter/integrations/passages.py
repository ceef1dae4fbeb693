"""Documents of other frameworks, found by several searches, as one ranked list.

Web searches give pages, vector stores give passages of pages, and both put the page's address into the same field.  Folding passages
by their page alone would lose text, which is the worse error: so a document counts as a passage when it has an id of its own (a stored
record), or when one search gave two texts of its page.  Passages are the same when page and text are; pages when the page is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewriter import InputError, Merged, Result, merge
from rewriter.fusion import page_identity
from rewriter.record import record

__all__ = ["Found", "Key", "address_of", "fuse_documents", "given_identity", "sources_of"]

ADDRESS_FIELDS = ("url", "link", "href", "source", "file_path")
"""Metadata fields in which loaders and search tools put the address, the surest first."""

Key = str | Callable[[Any], str] | None
"""What says which document is which: the name of a metadata field, a function of the document, or None (address and text)."""


@record
class Found:
    """A document that a search gave: `item` itself, its address, text and id, and the identity that the caller's key gives it."""

    item: Any
    url: str
    text: str
    id: str | None = None
    identity: str | None = None


def address_of(metadata: Mapping[str, Any]) -> str:
    """The address in a document's metadata; empty where there is none.

    >>> address_of({"title": "Kopi", "source": "https://a.id"})
    'https://a.id'
    """
    return next((metadata[name] for name in ADDRESS_FIELDS if isinstance(metadata.get(name), str) and metadata[name].strip()), "")


def given_identity(key: Key, item: Any, metadata: Mapping[str, Any]) -> str | None:
    """The identity by the caller's key; None without key, and where the field is absent.  A field with a URL names its page."""
    if key is None:
        return None
    if isinstance(key, str):
        value = address_of(metadata) if key == "url" else metadata.get(key)
        return page_identity(str(value)) if value is not None and str(value).strip() else None
    identity = key(item)
    if not isinstance(identity, str):
        raise InputError(f"key() gave {type(identity).__name__} for a document; it must give a str.")
    return identity


def fuse_documents(lists: Mapping[str, Sequence[Found]], limit: int | None = None) -> list[tuple[Any, Merged]]:
    """The documents of all searches (variant text to what it found, best first), each once, with where it was found.

    >>> page = "https://a.id/kopi"
    >>> lists = {"kopi": [Found(1, page, "Kopi")], "coffee": [Found(2, "http://www.a.id/kopi/", "Coffee"), Found(3, "", "Tea")]}
    >>> [(item, len(merged.sources)) for item, merged in fuse_documents(lists)]
    [(1, 2), (3, 1)]
    """
    split = _split_pages(lists)
    results = {
        variant: [Result(f.url, extra={"found": f, "identity": _identity(f, split)}) for f in found] for variant, found in lists.items()
    }
    rows = merge(results, key=lambda result: str(result.extra["identity"]), limit=limit)
    return [(row.extra["found"].item, row) for row in rows]


def _split_pages(lists: Mapping[str, Sequence[Found]]) -> frozenset[str]:
    """Pages of which one search gave more than one text."""
    split = set()
    for found in lists.values():
        texts: dict[str, str] = {}
        for f in found:
            if f.url and texts.setdefault(page_identity(f.url), _words(f.text)) != _words(f.text):
                split.add(page_identity(f.url))
    return frozenset(split)


def _identity(found: Found, split: frozenset[str]) -> str:
    if found.identity is not None:
        return found.identity
    page = page_identity(found.url) if found.url else ""
    if page and found.id is None and page not in split:
        return page
    if page or found.id is None:
        return f"{page}\n{_words(found.text)}"
    return f"id\n{found.id}"


def _words(text: str) -> str:
    return " ".join(text.split())


def sources_of(row: Merged) -> list[dict[str, Any]]:
    """Which variant found a document, at which rank, under which address, as plain data."""
    return [{"variant": s.variant, "rank": s.rank, "url": s.url} for s in row.sources]
