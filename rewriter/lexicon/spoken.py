"""What speaks for a sense: its cues, and the names by which the lexicon calls it."""

from __future__ import annotations

from rewriter.lexicon.entries import Sense
from rewriter.text.empty import EMPTY
from rewriter.text.light import LIGHT
from rewriter.text.normalise import words_in

__all__ = ["names_of", "spoken_words"]


def names_of(sense: Sense) -> dict[str, None]:
    """The names of a sense (canonical ones, synonyms, forms, glosses) and their content words, folded, in order."""
    names: dict[str, None] = {}
    for name in (sense.canonical_en, sense.canonical_id, *sense.synonyms, *sense.forms, sense.gloss_en, sense.gloss_id):
        words = words_in(name)
        if len(words) > 1:
            names[" ".join(words)] = None
        names.update(dict.fromkeys([w for w in words if w not in EMPTY and w not in LIGHT and len(w) > 1 and not w.isdigit()]))
    return names


def spoken_words(sense: Sense) -> set[str]:
    """The single words among the cues and names of a sense."""
    return {text for text in (*sense.cues, *names_of(sense)) if " " not in text}
