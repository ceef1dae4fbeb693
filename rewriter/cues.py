"""The words that speak for a sense: its cues, and the names by which the lexicon calls it, each with its keys and its weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rewriter.context import keys_of
from rewriter.lexicon.entries import Sense
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text.empty import EMPTY
from rewriter.text.light import LIGHT
from rewriter.text.normalise import words_in

__all__ = ["Cue", "CueTable", "cue_table"]

RARE, COMMON = 480, 640
"""Zipf 4.8 and 6.4: a cue as rare as the first counts whole, one as common as the second a fifth.  Chance puts
common words into any text; on sentences that say nothing of the word this halves the wrong guesses (5.2 to 2.9 %)."""


@record
class Cue:
    """A word or phrase that speaks for one of the senses of a form, and its weight in hundredths of a nat."""

    text: str
    sense: int
    weight: int


@record
class CueTable:
    """What speaks for the senses of a form.

    `words` are the cues under each key by which they are met, `phrases` those under their first word.  `variance` is how far chance
    alone moves a score: what each word of unrelated text brings to the sense with most of it, in billionths of squared hundredths.  It
    counts learnt cues: some of them stood in the few examples by accident, which those that a person chose do not.
    """

    words: Mapping[str, tuple[Cue, ...]]
    phrases: Mapping[str, tuple[Cue, ...]]
    variance: int


def cue_table(form: str, senses: Sequence[Sense], curated: int, resources: Resources) -> CueTable:
    """What speaks for each sense of a form: its cues, and the names by which it is called; kept for each form.  `curated` is the weight of
    a cue that nobody weighed.

    A name (canonical, synonym, other form, a word of the gloss) that a sibling shares, or has as a cue, tells nothing.
    """
    cache = resources.cache("cue_table")
    key = (form, tuple([s.id for s in senses]), curated)
    found: CueTable | None = cache.get(key)
    if found is None:
        found = cache[key] = _make_table(form, senses, curated, resources)
    return found


def _make_table(form: str, senses: Sequence[Sense], curated: int, resources: Resources) -> CueTable:
    own = {*form.split(), form}
    called = [_names(s, own) for s in senses]
    taken = [{k for c in s.cues for k in (c, *c.split())} | called[i].keys() for i, s in enumerate(senses)]
    words: dict[str, list[Cue]] = {}
    phrases: dict[str, list[Cue]] = {}
    variance = 0
    for i, sense in enumerate(senses):
        cues = [Cue(c, i, w) for c, w in weigh_cues(sense, curated, resources) if c not in own]
        known = set(sense.cues).union(*[t for j, t in enumerate(taken) if j != i])
        cues += [Cue(n, i, curated * rarity(n, resources) // 100) for n in called[i] if n not in known]
        if sense.weights:
            variance = max(variance, sum([c.weight**2 * _per_billion(c.text, resources) for c in cues]))
        for cue in cues:
            first, _, more = cue.text.partition(" ")
            if more:
                phrases.setdefault(first, []).append(cue)
            else:
                for key in keys_of(first, resources):
                    if key == first or not (key in LIGHT or key in EMPTY or max(resources.zipf(key)) > COMMON):
                        words.setdefault(key, []).append(cue)
    return CueTable({k: tuple(c) for k, c in words.items()}, {k: tuple(c) for k, c in phrases.items()}, variance)


def weigh_cues(sense: Sense, curated: int, resources: Resources) -> list[tuple[str, int]]:
    """The cues of a sense with their weights: learnt ones, less where chance says the word, else one for all."""
    if sense.weights:
        return [(c, w * rarity(c, resources) // 100) for c, w in zip(sense.cues, sense.weights, strict=False)]
    return [(c, curated * rarity(c, resources) // 100) for c in sense.cues if c not in LIGHT]


def rarity(cue: str, resources: Resources) -> int:
    """Percent of its weight that a cue is worth: common words stand in any text by chance."""
    zipf = max(resources.zipf(cue))
    return 100 if zipf <= RARE else max(20, 100 - 80 * (zipf - RARE) // (COMMON - RARE))


_TENTHS = (100, 126, 158, 200, 251, 316, 398, 501, 631, 794)
"""100 times the powers of ten by tenths of an exponent, in whole numbers so that every machine counts the same."""


def _per_billion(word: str, resources: Resources) -> int:
    """How often a word stands among a billion, from its Zipf frequency."""
    zipf = max(resources.zipf(word))
    return _TENTHS[zipf % 100 // 10] * 10 ** (zipf // 100) // 100 if zipf else 0


def _names(sense: Sense, own: set[str]) -> dict[str, None]:
    """The names of a sense and their content words, in order; the form itself is none."""
    names: dict[str, None] = {}
    for name in (sense.canonical_en, sense.canonical_id, *sense.synonyms, *sense.forms, sense.gloss_en, sense.gloss_id):
        words = words_in(name)
        if len(words) > 1:
            names[" ".join(words)] = None
        names.update(dict.fromkeys([w for w in words if w not in EMPTY and w not in LIGHT and len(w) > 1 and not w.isdigit()]))
    return {n: None for n in names if n not in own}
