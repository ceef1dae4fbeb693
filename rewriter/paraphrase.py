"""Lay expressions that a query says in other words: by most of its words, against all that an entry's expressions are made of.

`tembok rumah pecah` is found by `dinding retak` and `tembok pecah-pecah`, two expressions of one entry.  What has too few words in
common, or about as many with another entry, is left alone: the fewer words a query has, the more of them must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rewriter.lexicon.entries import Jargon, Translation
from rewriter.lookup import View, longest
from rewriter.pack.phrases import DENIED, PhraseIndex, Span, english_keys, read_keys
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.words import brought_in

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Paraphrase", "find_paraphrases"]

FEWEST, MOST = 2, 9
"""Content words of a query that is compared: one alone describes nothing, and ten say more than an expression does."""
LEAST = {2: 85, 3: 50}
LEAST_LONG = 38
"""Percent of agreement that a query of so many content words needs, and one of more: the fewer it has, the more one word changes."""
LEAST_ASKED = 60
"""Percent that a question needs: it asks for a fact (`what is the capital of …`) more often than it describes a thing."""
LEAST_MIXED = 60
"""Percent that a query needs of which a word speaks for other fields alone (`dinding dapur retak`)."""
RIVAL = 95
"""Percent of the best agreement at which an entry with other terms leaves the choice open."""
COMPARED = 8
"""Entries whose expressions are compared one by one: those that share most with the query."""
INDONESIAN_LEAD = 50
"""In a query that is not English, a word that English uses half a Zipf unit more is English all the same."""


_QUESTIONS = en.QUESTION | id.QUESTION | frozenset("or atau vs versus".split())  # a choice asks as well: `lease or buy a car`


@record
class Paraphrase:
    """A lay entry that a query means: the indices of the words that say so, and how far both agree, in percent."""

    places: tuple[int, ...]
    entry: Jargon
    agreement: int


@record
class _Said:
    """A content word of a query in the terms of an index: number and weight of its key, None for one that no expression has."""

    number: int | None
    weight: int
    places: tuple[int, ...]


def find_paraphrases(view: View, language: str, resources: Resources) -> list[Paraphrase]:
    """Entries that the words of a query describe, best first: several only where all have a term in common."""
    keys = _keys(view, language, resources)
    if not FEWEST <= len(keys) <= MOST:
        return []
    least = LEAST.get(len({places for _, places in keys}), LEAST_LONG)  # `mesin cuci` is one thing, of two words
    if _asks(view):
        least = max(least, LEAST_ASKED)
    for index, entry_at in resources.phrase_indexes():
        said = []
        for key, places in keys:
            number = index.number(key)
            said.append(_Said(number, index.unknown if number is None else index.weight(number), places))
        found = []
        for agreement, place in _compare(said, least, DENIED in dict(keys), index):
            entry = entry_at(place)
            if isinstance(entry, Jargon) and (agreement >= LEAST_MIXED or not _mixed(entry, place, keys, said, index, resources)):
                matched = [p for s in said if s.number is not None and index.has(s.number, place) for p in s.places]
                found.append(Paraphrase(tuple(sorted(set(matched))), entry, agreement))
        if found:
            best = found[0]
            near = [p for p in found if 100 * p.agreement > RIVAL * best.agreement]
            agreed = [p for p in near if not set(best.entry.expert_en).isdisjoint(p.entry.expert_en)]
            return agreed if len(agreed) == len(near) and best.agreement >= least else []
    return []


def _mixed(
    entry: Jargon, place: int, keys: Sequence[tuple[str, Any]], said: Sequence[_Said], index: PhraseIndex, resources: Resources
) -> bool:
    """Speaks a word that the entry lacks for other fields alone: `jual mobil cepat laku` is not about houses."""
    for (key, _), one in zip(keys, said, strict=True):
        if one.number is None or not index.has(one.number, place):
            fields = resources.fields_of(key)
            if fields and entry.domain.partition("/")[0] not in fields:
                return True
    return False


def _asks(view: View) -> bool:
    """Is it a question: by its words, its mark, or a verb in front (`is coconut milk good for you`)?"""
    return not _QUESTIONS.isdisjoint(view.texts) or view.texts[0] in en.AUXILIARIES or view.texts[-1][:1] == "?"


def _keys(view: View, language: str, resources: Resources) -> list[tuple[str, tuple[int, ...]]]:
    """The keys of the content words, in normal form, with the indices of the words as written; protected words and names are none."""
    phrases = [] if language == "en" else _phrases(view, resources)
    found: dict[str, tuple[int, ...]] = {}
    reads, concept, known = _reader(language, resources), resources.pack.phrases.concept, resources.cache("concept")
    for start, end, keys in read_keys(view.texts, resources.content_words(view.texts), phrases, reads, concept, known):
        if start and view.texts[start - 1] == "how" and view.texts[start] in _MEASURES:
            continue  # `how long to boil eggs` says nothing of what is long
        written = tuple(range(view.normal[start].origin, view.normal[end - 1].until))
        if not any([view.words[w].guard or brought_in(view.words[w]) or resources.is_name(view.words[w].folded) for w in written]):
            for key in keys:
                found[key] = found.get(key, ()) + written
    return list(found.items())


_MEASURES = frozenset("long many much often far old big tall fast soon high deep hot cold".split())
"""What `how` asks for."""


def _reader(language: str, resources: Resources) -> Callable[[str], bool]:
    def is_indonesian(word: str) -> bool:
        in_id, in_en = resources.zipf(word)
        return language != "en" and in_id >= in_en - INDONESIAN_LEAD

    return is_indonesian


def _phrases(view: View, resources: Resources) -> list[Span]:
    """The translated phrases of two words and more."""
    found = longest([f for f in view.spoken if f.end - f.start > 1 and any([isinstance(e, Translation) for e in f.entries])])
    spans = [(f.start, f.end, english_keys([e for e in f.entries if isinstance(e, Translation)], resources.stem)) for f in found]
    return [span for span in spans if span[2]]


def _compare(said: Sequence[_Said], least: int, denies: bool, index: PhraseIndex) -> list[tuple[int, int]]:
    """Agreement in percent and place of the entries that share most, best first.

    Agreement is how much of the query an expression has (half for what only the other ones of its entry have), times how much of the
    expression the query has; both by weight.  What a query `denies` an expression must deny, and the other way round.
    """
    total = sum([s.weight for s in said])
    shares = _shares(said, least * total // 100, index)
    nearest = sorted(shares, key=lambda place: (-shares[place], place))[:COMPARED]
    weights = {s.number: s.weight for s in said if s.number is not None}
    units = {s.number: s.places for s in said if s.number is not None}
    denied = index.number(DENIED)
    found = []
    for place in nearest:
        best = 0
        for bag in index.bags(place):
            shared = [number for number in bag if number in weights]
            if len({units[number] for number in shared}) < FEWEST or (denied in bag) != denies:
                continue
            told = sum([weights[n] for n in shared])
            best = max(best, 100 * told * (told + shares[place]) // (2 * total * sum([index.weight(n) for n in bag])))
        if best:
            found.append((best, place))
    return sorted(found, key=lambda item: (-item[0], item[1]))


def _shares(said: Sequence[_Said], needed: int, index: PhraseIndex) -> dict[int, int]:
    """Weight of the query's words that each entry has, of those entries that have enough of it.

    Rare words first: an entry that has none of them cannot come to enough, so the long lists of the common words are only searched.
    """
    known = {s.number: s.weight for s in said if s.number is not None}
    rest = sum(known.values())
    shares: dict[int, int] = {}
    for number, weight in sorted(known.items(), key=lambda item: (-item[1], item[0])):
        if rest >= needed:
            for place in index.places(number):
                shares[place] = shares.get(place, 0) + weight
        else:
            shares = {p: share + weight if index.has(number, p) else share for p, share in shares.items() if share + rest >= needed}
        rest -= weight
    return {place: share for place, share in shares.items() if share >= needed}
