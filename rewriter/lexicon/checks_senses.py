"""Checks of senses against their siblings: what makes one meaning of a form differ from another."""

from __future__ import annotations

from collections.abc import Iterator

from rewriter.lexicon.collection import Collection, Place, name_of, place_of
from rewriter.lexicon.entries import Sense
from rewriter.text.normalise import fold

__all__ = [
    "canonical_adds_nothing", "cue_is_a_function_word", "cue_is_the_form", "cue_speaks_for_all", "cues_are_few", "cues_are_the_same",
    "meaning_is_repeated", "senses_stand_apart",
]  # fmt: skip

FEWEST_CUES = 3
"""With one or two cues a sense is found by luck."""
EVERYWHERE = frozenset(
    {"a", "an", "and", "are", "for", "in", "is", "of", "or", "per", "the", "to", "with"}
    | {"adalah", "atau", "dan", "dari", "dengan", "di", "ini", "itu", "ke", "untuk", "yang"}
)
"""Words that no topic uses more than another.  Question words, and verbs of wanting, may well be cues."""


def senses_stand_apart(c: Collection) -> Iterator[Place]:
    """All senses of a form stand in one file, since cues are chosen by contrast; move this one to its siblings."""
    for form, senses in c.ambiguous.items():
        home = senses[0][0].file
        for item, sense in senses[1:]:
            if item.file != home:
                yield place_of(item, f"{name_of(sense)} has {form!r}, as {name_of(senses[0][1])} in {home}")


def meaning_is_repeated(c: Collection) -> Iterator[Place]:
    """Two senses of a form have the same canonical name; merge them, or name what tells them apart."""
    for form, senses in c.ambiguous.items():
        first: dict[tuple[str, str], Sense] = {}
        for item, sense in senses:
            other = first.setdefault((fold(sense.canonical_en), fold(sense.canonical_id)), sense)
            if other is not sense:
                yield place_of(item, f"{name_of(sense)} and {name_of(other)} as {form!r}")


def cues_are_few(c: Collection) -> Iterator[Place]:
    """A sense of an ambiguous form has fewer than three cues and no prior; add words that stand around it."""
    seen: set[str] = set()
    for senses in c.ambiguous.values():
        for item, sense in senses:
            if len(sense.cues) < FEWEST_CUES and not sense.prior and sense.id not in seen:
                seen.add(sense.id)
                yield place_of(item, f"{name_of(sense)} has {len(sense.cues)}")


def cues_are_the_same(c: Collection) -> Iterator[Place]:
    """Two senses of a form have the same cues, so that nothing decides; give each what the other does not have."""
    seen: set[tuple[str, str]] = set()
    for form, senses in c.ambiguous.items():
        for n, (item, sense) in enumerate(senses):
            for _, other in senses[:n]:
                if sense.cues and set(sense.cues) == set(other.cues) and (sense.id, other.id) not in seen:
                    seen.add((sense.id, other.id))
                    yield place_of(item, f"{name_of(sense)} and {name_of(other)} as {form!r}")


def cue_speaks_for_all(c: Collection) -> Iterator[Place]:
    """A cue of every sense of a form decides nothing; keep it where it belongs and delete it elsewhere."""
    seen: set[tuple[str, ...]] = set()
    for form, senses in c.ambiguous.items():
        ids = tuple(sense.id for _, sense in senses)
        shared = set(senses[0][1].cues).intersection(*(sense.cues for _, sense in senses[1:]))
        alike = any(set(a.cues) == set(b.cues) for n, (_, a) in enumerate(senses) for _, b in senses[:n])
        if shared and not alike and ids not in seen:
            seen.add(ids)
            yield place_of(senses[0][0], f"{form!r} has {', '.join(sorted(shared))} in {', '.join(ids)}")


def cue_is_the_form(c: Collection) -> Iterator[Place]:
    """A cue that is the form itself says nothing about its meaning; delete it."""
    for item, sense in c.senses:
        for cue in sense.cues:
            if cue in sense.forms and (len(sense.forms) == 1 or cue in c.ambiguous):
                yield place_of(item, f"{name_of(sense)} has the cue {cue!r}")


def cue_is_a_function_word(c: Collection) -> Iterator[Place]:
    """A cue that stands in any sentence speaks for nothing; delete it."""
    for item, sense in c.senses:
        for cue in sense.cues:
            if cue in EVERYWHERE:
                yield place_of(item, f"{name_of(sense)} has the cue {cue!r}")


def canonical_adds_nothing(c: Collection) -> Iterator[Place]:
    """The canonical name is the form and no other meaning is known, so that nothing is rewritten; delete the sense."""
    for item, sense in c.senses:
        names = {fold(sense.canonical_en), fold(sense.canonical_id)}
        if all(names == {form} and form not in c.ambiguous for form in sense.forms):
            yield place_of(item, name_of(sense))
