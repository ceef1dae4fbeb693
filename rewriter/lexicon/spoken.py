"""What speaks for a sense: its cues, and the names by which the lexicon calls it."""

from __future__ import annotations

from collections.abc import Iterable

from rewriter.lexicon.entries import Sense
from rewriter.text.empty import EMPTY
from rewriter.text.light import LIGHT
from rewriter.text.normalise import words_in

__all__ = ["names_of", "spoken_words"]


def names_of(sense: Sense) -> dict[str, None]:
    """The names of a sense (canonical ones, synonyms, forms, glosses) and their content words, folded, in order."""
    names: dict[str, None] = {}
    for name in _names(sense):
        words = words_in(name)
        if len(words) > 1:
            names[" ".join(words)] = None
        names.update(dict.fromkeys([w for w in words if _tells(w)]))
    return names


def spoken_words(senses: Iterable[Sense]) -> set[str]:
    """The single words among the cues and names of senses."""
    cues: set[str] = set()
    named: set[str] = set()
    for sense in senses:
        cues.update([cue for cue in sense.cues if " " not in cue])
        named.update(words_in(" ".join(_names(sense))))  # a million senses: one search each, and each word judged once
    return cues | {word for word in named if _tells(word)}


def _names(sense: Sense) -> tuple[str, ...]:
    return (sense.canonical_en, sense.canonical_id, *sense.synonyms, *sense.forms, sense.gloss_en, sense.gloss_id)


def _tells(word: str) -> bool:
    return word not in EMPTY and word not in LIGHT and len(word) > 1 and not word.isdigit()
