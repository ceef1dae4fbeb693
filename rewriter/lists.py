"""`yang kedua`, `nomor 2`, `the second one`: an item of the list that the assistant gave."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.context import Conversation
from rewriter.plain import plain_form
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text.empty import EMPTY
from rewriter.text.normalise import fold
from rewriter.text.words import Word

__all__ = ["ListItem", "find_item", "items_of"]

ORDINALS = {
    "pertama": 0, "kesatu": 0, "kedua": 1, "ketiga": 2, "keempat": 3, "kelima": 4, "keenam": 5, "terakhir": -1, "first": 0, "second": 1,
    "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "last": -1, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5,
    "satu": 0, "dua": 1, "tiga": 2,
}  # fmt: skip
_BEFORE = frozenset("yang nomor no nomer opsi pilihan the number option".split())
_NUMBERS = frozenset("nomor no nomer opsi pilihan number option".split())
_NOUNS = frozenset("one option item pilihan opsi itu tadi".split())
_ITEMS = (
    re.compile(r"(?:^|(?<=\s))\d{1,2}[.)](?!\d)\s+(.+?)(?=\s\d{1,2}[.)]\s|\n|\Z)", re.DOTALL),  # 1. numbered
    re.compile(r"(?:^|(?<=\s))[-*•]\s+(.+?)(?=\s[-*•]\s|\n|\Z)", re.DOTALL),  # 2. bulleted
)
_ITEM_END = re.compile(r"\s*(?:[:–—(]|\s-\s|,\s|[.;]?\s*\Z|\.\s).*", re.DOTALL)
_INLINE = re.compile(r"((?:[^\s,.:;!?][^,.:;!?\n]{0,40}, ){1,7}(?:[^,.:;!?\n]{1,40},? )?(?:atau|dan|or|and|sama) [^,.:;!?\n]{1,40})")
_LEAD = re.compile(
    r"(?i)^.*\b(?:coba|ada|yaitu|seperti|misalnya|antara|pilihannya|bisa|try|like|are|is|include|includes|including|as|consider|between|at|between|lihat|cek|pilih|recommend|suggest)\s+"
)
_NO_ITEM = frozenset("in if you your this that these when while it there they we i on for as kalau jika ini itu untuk pada bila".split())
"""An answer whose points begin so lists advice, no things."""
_CAPITALS = r"[A-Z][\w'-]*(?:(?: (?:on|of|the|in|to|de|di|la|and))* [A-Z\d][\w'-]*)*"
MAX_ITEM_WORDS = 6
LOOK_BACK = 8
"""Turns in which a list is looked for."""
MAX_INLINE = 300
"""Characters of an answer whose row of names is its list; a longer one has rows of all sorts."""


@record
class ListItem:
    """An item named by its place: the words `[start, end)` of the query that name it, its text, and the age of the turn with the list."""

    start: int
    end: int
    text: str
    age: int


def items_of(content: str) -> list[str]:
    """The items of the list in an answer: numbered or bulleted, else in a row of three or more with `and` or `or`.

    >>> items_of("1) Lenovo IdeaPad Slim 3 2) Acer Aspire Lite 14: ringan")
    ['Lenovo IdeaPad Slim 3', 'Acer Aspire Lite 14']
    >>> items_of("Bisa coba Redmi Note 13, Samsung A15, atau Poco M6.")
    ['Redmi Note 13', 'Samsung A15', 'Poco M6']
    >>> items_of("Ada dua: BCA atau Mandiri.")
    ['BCA', 'Mandiri']
    """
    found = next((every for every in [pattern.findall(content) for pattern in _ITEMS] if len(every) >= 2), [])
    items = [_ITEM_END.sub("", item).strip("* ") for item in found]
    if len(items) >= 2 and not any([fold(item).split()[:1] and fold(item).split()[0] in _NO_ITEM for item in items]):
        return [" ".join(item.split()[:MAX_ITEM_WORDS]) for item in items]
    match = _INLINE.search(content) if len(content) <= MAX_INLINE else None
    if match:
        parts = re.split(r",? (?:atau|dan|or|and|sama) |, ", match[1])
        parts[0] = _LEAD.sub("", parts[0])
        parts = [p.strip() for p in parts if p.strip()]
    else:
        pair = len(content) <= MAX_INLINE and re.search(rf"({_CAPITALS}),? (?:atau|dan|or|and|sama) ({_CAPITALS})", content)
        parts = [_LEAD.sub("", pair[1]), pair[2]] if pair else []
    return [p for p in parts if len(p.split()) <= MAX_ITEM_WORDS] if len(parts) >= 2 else []


def find_item(words: Sequence[Word], conversation: Conversation, resources: Resources) -> ListItem | None:
    """The item that the query names by its place, None where it names none or no answer has such a list."""
    texts = [w.folded if w.guard else plain_form(w.folded, resources) for w in words]
    if sum([w.spoken for w in words]) > 14:
        return None
    for at in range(len(texts) - 1):
        if texts[at] not in _BEFORE or texts[at + 1] not in ORDINALS:
            continue
        if texts[at + 1] in ("1", "2", "3", "4", "5", "6", "satu", "dua", "tiga") and texts[at] not in _NUMBERS:
            continue
        end = at + 2
        while end < len(words) and texts[end] in _NOUNS:
            end += 1
        if texts[at] == "the" and end == at + 2 and end < len(words) and words[end].spoken and texts[end] not in EMPTY:
            continue  # `the first dune` is no item of a list
        place = ORDINALS[texts[at + 1]]
        for age, turn in enumerate(reversed(conversation.turns[-LOOK_BACK:])):
            if turn.role != "assistant":
                continue
            items = items_of(turn.content)
            if place < len(items) and len(items) >= 2 and items[place]:
                return ListItem(at, end, items[place], age)
        return None
    return None
