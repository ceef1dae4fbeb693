"""Checks of forms and of the characters in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewriter.lexicon.collection import Collection, Place, is_normal, name_of, place_of, raw_forms, values_of
from rewriter.lexicon.entries import Jargon, Sense
from rewriter.text.normalise import INVISIBLE, clean

__all__ = [
    "COMMA", "VERY_COMMON", "character_is_confusable", "character_is_invisible", "common_word_is_unguarded", "form_is_empty",
    "form_is_not_normal", "form_is_repeated", "item_has_a_comma", "space_at_the_edge",
]  # fmt: skip

VERY_COMMON = 450
"""Zipf 4.5, once in 30,000 words: the thousand or two everyday words of a language."""

COMMA = re.compile(r"(?<![0-9]),|,(?![0-9])")
"""A comma that parts; one between digits is a decimal sign (`2,5 persen`)."""
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_LOOKALIKE = re.compile(
    r"""(?x)
    (?<=[A-Za-z]) [\u0370-\u03ff\u0400-\u052f]                # 1 a Greek or Cyrillic letter behind a Latin one
    | [\u0370-\u03ff\u0400-\u052f] (?=[A-Za-z])               # 2 or before one
    | [\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]     # 3 spaces that are no space
    | [\uff01-\uff5e]                                         # 4 fullwidth ASCII
    """
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def form_is_empty(c: Collection) -> Iterator[Place]:
    """A form has nothing that can be seen; delete it."""
    for item in c.items:
        for raw in raw_forms(item):
            if not clean(raw).folded:
                yield place_of(item, f"{name_of(item.entry)} has the form {raw!r}")


def form_is_not_normal(c: Collection) -> Iterator[Place]:
    """Forms are lower case, with single spaces and straight quotes, as lookups see them."""
    for item in c.items:
        for raw in raw_forms(item):
            if is_normal(raw):
                continue
            strange = raw != raw.strip() or _INVISIBLE.search(raw) or _LOOKALIKE.search(raw)  # which other checks report
            if clean(raw).folded and not strange:
                yield place_of(item, f"{raw!r}, write {clean(raw).folded!r}")


def form_is_repeated(c: Collection) -> Iterator[Place]:
    """An entry lists each form once."""
    for item in c.items:
        if isinstance(item.entry, (Sense, Jargon)):
            raw = [clean(f).folded for f in raw_forms(item)]
            for form in sorted({f for f in raw if raw.count(f) > 1}):
                yield place_of(item, f"{name_of(item.entry)} repeats {form!r}")


def character_is_invisible(c: Collection) -> Iterator[Place]:
    """A character shows nothing; delete it."""
    for file, text in c.texts.items():
        for match in _INVISIBLE.finditer(text):
            yield _character(file, text, match.start())


def character_is_confusable(c: Collection) -> Iterator[Place]:
    """A character looks like another (a foreign letter inside a Latin word, a space that is none); type the plain one."""
    for file, text in c.texts.items():
        for match in _BEYOND_ASCII.finditer(text):  # a tenth of the time that looking for likenesses everywhere takes
            if _LOOKALIKE.match(text, match.start()):
                yield _character(file, text, match.start())


def _character(file: str, text: str, at: int) -> Place:
    return Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), f"U+{ord(text[at]):04X}")


def space_at_the_edge(c: Collection) -> Iterator[Place]:
    """A value begins or ends with white space; delete that."""
    for item in c.items:
        for value in values_of([v for k, v in item.fields.items() if k != "examples"]):
            if value != value.strip() and value.strip():
                yield place_of(item, repr(value))


def item_has_a_comma(c: Collection) -> Iterator[Place]:
    """A comma parts words that are one item here, so that nothing typed is it; write each as an item of its own."""
    for item in c.items:
        if isinstance(item.entry, (Sense, Jargon)):
            for field in ("forms", "cues", "literal_cues"):
                for value in values_of(item.fields.get(field, ())):
                    if COMMA.search(value):
                        yield place_of(item, f"{name_of(item.entry)} has in {field} {value!r}")


def common_word_is_unguarded(c: Collection) -> Iterator[Place]:
    """The form is a very common word; give `needs_cue = true`, a prior, or the everyday meaning as a second sense."""
    for form, senses in c.senses_by_form.items():
        item, sense = senses[0]
        if len(senses) == 1 and not sense.needs_cue and not sense.prior and c.commonness(form) >= VERY_COMMON:
            yield place_of(item, f"{name_of(sense)} has the form {form!r}")
