"""The words that speak for a sense: its cues, and the names by which the lexicon calls it, each with its weight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rewriter.lexicon.entries import Sense
from rewriter.lexicon.spoken import names_of
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text.keys import COMMON
from rewriter.text.light import LIGHT

__all__ = ["Cue", "SenseCues", "Speaking", "cues_of"]

RARE = 480
"""Zipf 4.8: a cue as rare counts whole, one as common as `COMMON` a fifth.  Chance puts common words into any text; on sentences that
say nothing of the word this halves the wrong guesses (5.2 to 2.9 %)."""
UNWEIGHED = -1
"""In place of the weight of a cue that nobody weighed."""


@record
class Cue:
    """A word or phrase that speaks for one of the senses of a form, and its weight in hundredths of a nat."""

    text: str
    sense: int
    weight: int


@record
class SenseCues:
    """What speaks for a sense wherever it stands: `cues` with their learnt weights (or `UNWEIGHED`), and its `names`.

    `words` are the single words among them, `phrases` the others under their first word; `taken` are the cues and their words: as a
    name of another sense of the same form these tell nothing.
    """

    cues: Mapping[str, int]
    names: Mapping[str, None]
    words: Mapping[str, None]
    phrases: Mapping[str, Sequence[str]]
    taken: frozenset[str]


def cues_of(sense: Sense, resources: Resources) -> SenseCues:
    """The cues and names of a sense, kept for each."""
    cache = resources.cache("cues")
    found: SenseCues | None = cache.get(sense.id)
    if found is None:
        found = cache[sense.id] = _read_cues(sense)
    return found


def _read_cues(sense: Sense) -> SenseCues:
    if sense.weights:
        cues = dict(zip(sense.cues, sense.weights, strict=False))
    else:
        cues = {c: UNWEIGHED for c in sense.cues if c not in LIGHT}
    names = names_of(sense)
    words: dict[str, None] = {}
    phrases: dict[str, list[str]] = {}
    for text in (*cues, *names):
        first, _, more = text.partition(" ")
        if not more:
            words[text] = None
        elif text not in phrases.setdefault(first, []):
            phrases[first].append(text)
    return SenseCues(cues, names, words, phrases, frozenset([w for c in sense.cues for w in (c, *c.split())]))


@record
class Speaking:
    """The senses of a form with what speaks for each; `own` are the form and its words, which tell nothing, `curated` the weight of a
    cue that nobody weighed.

    A name that a sibling shares, or has as a cue, tells nothing.
    """

    senses: Sequence[SenseCues]
    own: frozenset[str]
    curated: int

    def cue(self, text: str, sense: int, resources: Resources) -> Cue | None:
        """The cue that one of the texts of a sense is; None where it tells nothing."""
        mine = self.senses[sense]
        weight = mine.cues.get(text)
        if text in self.own or (weight is None and self._shared(text, sense)):
            return None
        return Cue(text, sense, (self.curated if weight is None or weight < 0 else weight) * rarity(text, resources) // 100)

    def _shared(self, text: str, sense: int) -> bool:
        return any([text in other.taken or text in other.names for i, other in enumerate(self.senses) if i != sense])

    def variance(self, resources: Resources) -> int:
        """How far chance alone moves a score: what each word of unrelated text brings to the sense with most of it, in billionths of
        squared hundredths.

        It counts learnt cues: some of them stood in the few examples by accident, which those that a person chose do not.
        """
        learnt = [i for i, s in enumerate(self.senses) if any([w >= 0 for w in s.cues.values()])]
        return max([sum([c.weight**2 * _per_billion(c.text, resources) for c in self._all(i, resources)]) for i in learnt], default=0)

    def _all(self, sense: int, resources: Resources) -> Iterator[Cue]:
        mine = self.senses[sense]
        for text in (*mine.cues, *[n for n in mine.names if n not in mine.cues]):
            cue = self.cue(text, sense, resources)
            if cue is not None:
                yield cue


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
