"""The words of lay expressions, by which one is found that a query says in other words.

People who do not know a term describe it, each in his own way: `tembok retak`, `dinding rumah pecah-pecah`, `cracks in the wall`.  The
words of all expressions of an entry are counted together, and an Indonesian word under its English one, so that what nobody wrote down
as it stands is still found by most of its words.  The index is made when a pack is compiled and read by `rewriter.paraphrase`.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

import marisa_trie

from rewriter.lexicon.entries import Entry, Jargon, Slang, Translation
from rewriter.pack.plain import array_bytes, array_in, code_below, look_up, mapped
from rewriter.record import record
from rewriter.text import id
from rewriter.text.bags import bag_words
from rewriter.text.empty import EMPTY, NEGATIONS

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "DENIED", "PHRASE_SECTIONS", "PhraseIndex", "Span", "Speech", "english_keys", "index_phrases", "read_keys", "speech_of", "spells_out",
]  # fmt: skip

PHRASE_SECTIONS = frozenset(
    f"phrases.{name}" for name in ("bags", "bounds", "concepts", "entries", "numbers", "offsets", "trie", "weights")
)
DENIED = "not"
"""The one key of all negations."""
LEAST_ENTRIES = 4_000
"""Words of a small lexicon are weighed as if it had so many entries: a word that few of its entries share is not a common word."""
LONGEST = 4
"""Words of a translated phrase at most."""
_SMALL = frozenset("to be the a an of up off out down in on at for with".split())
_CUT_OFF = frozenset("'s ’s ca wo 're 've 'll 'd 'm".split())
"""What the tokeniser cuts off a word, or leaves of it, and is no word: `can't` is `ca` and `n't`."""



Span = tuple[int, int, tuple[str, ...]]
"""Words `start` to `end` that are one phrase, with its keys."""


def read_keys(
    texts: Sequence[str],
    content: Sequence[tuple[int, str]],
    phrases: Iterable[Span],
    indonesian: Callable[[str], bool],
    concept: Callable[[str], str],
    known: dict[str, str],
) -> list[Span]:
    """The keys of the `content` words (`bag_words`), a phrase as a whole (`kamar mandi`: bathroom), in the order of the words.

    A word's key is one for all negations; the English word for an Indonesian one that has one (`concept`, "" for none; `known` keeps
    what was found); else its stem.
    """
    found = list(phrases)
    covered = {i for start, end, _ in found for i in range(start, end)}
    for i, stemmed in content:
        if i not in covered and texts[i] not in _CUT_OFF:
            key = DENIED if texts[i] in NEGATIONS else indonesian(texts[i]) and _concept(texts[i], stemmed, concept, known)
            found.append((i, i + 1, (key or stemmed,)))
    return sorted(found)


def _concept(word: str, stemmed: str, concept: Callable[[str], str], known: dict[str, str]) -> str:
    found = known.get(word)
    if found is None:
        found = concept(word) or concept(stemmed) or next((key for shape, _ in id.stems(word) if (key := concept(shape))), "")
        known[word] = found
    return found


def english_keys(translations: Sequence[Translation], stem: Callable[[str], str]) -> tuple[str, ...]:
    """The stems of the content words of an Indonesian form's default translation."""
    plain = [t for t in translations if not t.when and not t.domain] or list(translations)
    if not plain or plain[0].english == "-":
        return ()
    words = plain[0].english.lower().replace("-", "").split()
    keys = [DENIED if w in NEGATIONS else stem(w) for w in words if w in NEGATIONS or (w not in EMPTY and w not in _SMALL)]
    return tuple(keys or [stem(words[-1])])


@record
class Speech:
    """How the words of an expression are read: stems, frequencies, the keys of an Indonesian word or phrase, slang spelled out.

    `translated` gives () for none, `spoken` the word itself.
    """

    stem: Callable[[str], str]
    zipf: Callable[[str], tuple[int, int]]
    translated: Callable[[str], tuple[str, ...]]
    spoken: Callable[[str], str]

    def concept(self, word: str) -> str:
        """The English stem of an Indonesian word: of a translation by one word, or by two the last; "" for none."""
        keys = self.translated(word)
        return keys[-1] if 0 < len(keys) <= 2 else ""

    def is_indonesian(self, word: str) -> bool:
        """Does Indonesian use the word more than English?"""
        in_id, in_en = self.zipf(word)
        return in_id > in_en


def speech_of(entries: Iterable[Entry], stem: Callable[[str], str], zipf: Callable[[str], tuple[int, int]]) -> Speech:
    """Reading words by the translations and the slang among these entries."""
    forms: dict[str, list[Translation]] = {}
    spoken: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, Translation):
            forms.setdefault(entry.form, []).append(entry)
        elif isinstance(entry, Slang) and spells_out(entry, zipf):
            spoken[entry.form] = entry.normal
    translated = {form: english_keys(found, stem) for form, found in forms.items()}
    return Speech(stem, zipf, lambda word: translated.get(word, ()), lambda word: spoken.get(word, word))


def spells_out(entry: Slang, zipf: Callable[[str], tuple[int, int]]) -> bool:
    """Is it one Indonesian word for another, whatever stands beside it?"""
    in_id, in_en = zipf(entry.form)
    one = entry.normal != "-" and " " not in entry.normal and " " not in entry.form
    return one and entry.language == "id" and not entry.when and in_id >= in_en


def index_phrases(entries: Sequence[Entry], speech: Speech) -> dict[str, bytes]:
    """Sections of the index over the jargon among `entries`, whose numbers are their places there."""
    numbers: list[int] = []
    bags: list[list[tuple[str, ...]]] = []
    known: dict[str, str] = {}
    for number, entry in enumerate(entries):
        if isinstance(entry, Jargon) and entry.direction != "expert-to-lay":
            found = {bag: None for form in entry.forms if len(bag := _bag(form.split(), speech, known)) > 1}
            if found:
                numbers.append(number)
                bags.append(list(found))
    places: dict[str, list[int]] = {}
    for place, of_entry in enumerate(bags):
        for key in sorted({key for bag in of_entry for key in bag}):
            places.setdefault(key, []).append(place)
    trie = marisa_trie.Trie(sorted(places))
    keys = sorted(places, key=lambda k: trie[k])
    total = max(len(bags), LEAST_ENTRIES)
    in_bags, bounds, starts = array("I"), array("I", [0]), array("I", [0])
    for of_entry in bags:
        for bag in of_entry:
            in_bags.extend([trie[key] for key in bag])
            bounds.append(len(in_bags))
        starts.append(len(bounds) - 1)
    offsets, entries_of = array("I", [0]), array("I")
    for key in keys:
        entries_of.extend(places[key])
        offsets.append(len(entries_of))
    in_bags.append(0)  # no section is empty
    entries_of.append(0)
    used = {form: key for form in sorted(_words(entries)) if (key := speech.concept(form)) in places}
    return {
        "phrases.trie": bytes(trie.tobytes()),
        "phrases.concepts": bytes(marisa_trie.BytesTrie([(form, key.encode()) for form, key in used.items()]).tobytes()),
        "phrases.weights": array_bytes(array("H", [*[_weight(total, len(places[key])) for key in keys], 0])),
        "phrases.offsets": array_bytes(offsets),
        "phrases.entries": array_bytes(array(code_below(len(bags)), entries_of)),
        "phrases.numbers": array_bytes(array("I", [*numbers, total])),
        "phrases.bags": array_bytes(array(code_below(len(trie)), in_bags)),
        "phrases.bounds": array_bytes(array("I", [len(starts), *starts, *bounds])),
    }


def _words(entries: Iterable[Entry]) -> set[str]:
    return {e.form for e in entries if isinstance(e, Translation) and " " not in e.form}


def _bag(words: Sequence[str], speech: Speech, known: dict[str, str]) -> tuple[str, ...]:
    """The keys of an expression of two content words and more; each is taken in the language that uses it more."""
    texts = [speech.spoken(id.expand_reduplication(word) or word) for word in words]
    read = read_keys(texts, bag_words(texts, speech.stem), _phrases(texts, speech), speech.is_indonesian, speech.concept, known)
    return tuple(sorted({key for _, _, keys in read for key in keys})) if len(read) > 1 else ()


def _phrases(texts: Sequence[str], speech: Speech) -> list[Span]:
    """The translated phrases of two words and more, the longest first where some overlap."""
    spans = [(i, end) for i in range(len(texts) - 1) for end in range(i + 2, min(i + LONGEST, len(texts)) + 1)]
    found: list[Span] = []
    for start, end in sorted(spans, key=lambda s: (s[0] - s[1], s[0])):
        keys = speech.translated(" ".join(texts[start:end]))
        if keys and all([end <= a or start >= b for a, b, _ in found]):
            found.append((start, end, keys))
    return found


def _weight(total: int, count: int) -> int:
    return round(100 * math.log(total / count))


class PhraseIndex:
    """The index in place: keys by number, their weights (hundredths of a nat: how rare among entries), and the bags of each entry."""

    __slots__ = ("_bags", "_bounds", "_concepts", "_entries", "_numbers", "_offsets", "_read", "_starts", "_trie", "_weights", "unknown")

    def __init__(self, section: Callable[[str], memoryview]) -> None:
        self._read = (section("phrases.trie"), section("phrases.concepts"))  # a trie does not keep what it reads
        self._trie: Any = mapped(marisa_trie.Trie(), self._read[0])
        self._concepts: Any = mapped(marisa_trie.BytesTrie(), self._read[1])
        self._weights = array_in(section("phrases.weights"), "H")
        self._offsets = array_in(section("phrases.offsets"), "I")
        numbers = array_in(section("phrases.numbers"), "I")
        self._entries = array_in(section("phrases.entries"), code_below(len(numbers) - 1))
        self._numbers = numbers[:-1]
        self.unknown = _weight(numbers[-1], 1)
        self._bags = array_in(section("phrases.bags"), code_below(len(self._trie)))
        bounds = array_in(section("phrases.bounds"), "I")
        self._starts, self._bounds = bounds[1 : bounds[0] + 1], bounds[bounds[0] + 1 :]

    def concept(self, word: str) -> str:
        """The key of an Indonesian word's English one; "" for none that an expression has."""
        found = look_up(self._concepts, word)
        return found[0].decode() if found else ""

    def number(self, key: str) -> int | None:
        """Number of a key; None where no expression has it."""
        found: int | None = look_up(self._trie, key)
        return found

    def weight(self, number: int) -> int:
        """How rare a key is."""
        return int(self._weights[number])

    def places(self, number: int) -> Sequence[int]:
        """Places of the entries that have a key, ascending."""
        found: Sequence[int] = self._entries[self._offsets[number] : self._offsets[number + 1]]
        return found

    def has(self, number: int, place: int) -> bool:
        """Has the entry at this place the key?"""
        end = self._offsets[number + 1]
        at = bisect_left(self._entries, place, self._offsets[number], end)
        return bool(at < end and self._entries[at] == place)

    def bags(self, place: int) -> list[Sequence[int]]:
        """The numbers of the keys of each expression of the entry at this place."""
        bounds = self._bounds
        return [self._bags[bounds[b] : bounds[b + 1]] for b in range(self._starts[place], self._starts[place + 1])]

    def entry(self, place: int) -> int:
        """The number that the entry at this place had among the entries indexed."""
        return int(self._numbers[place])
