"""Everything a rewrite may know beyond its arguments: a language pack, an overlay, a translation memory.  Frozen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Container, Mapping, Sequence

from rewriter.lexicon.entries import Domain, Entry, Sense, Slang, Translation
from rewriter.lexicon.spoken import spoken_words
from rewriter.lexicon.tables import MemoryForms, entry_key
from rewriter.pack.open import Pack
from rewriter.pack.phrases import PhraseIndex, Speech, english_keys, index_phrases, spells_out
from rewriter.text.bags import bag_stem
from rewriter.text.keys import cue_keys, words_met
from rewriter.text.tokenise import TokenRules

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

__all__ = ["Resources", "index_overlay"]

CACHED = 20_000
"""Values that a cache holds at most: of words and short texts, a few megabytes."""
LIMITS = {
    "cues": 5_000,
    "entities": 500,
    "turns_tree": 500,
    "words_said": 500,
    "earlier": 500,
    "topics": 2_000,
    "long turn": 500,
}
"""Fewer of what is large: conversations and long turns hold their whole texts, and a batch would gather gigabytes of them."""


class Resources:
    """A pack with whatever is laid over it.  Equal resources have equal `identity`; caches are no part of it.

    `reopen` opens the pack again in another process (for pickling).  `retired` are keys (`entry_key`) that the overlay takes away.
    `use_base` false takes senses, jargon and translations from the overlay alone; slang, frequencies, domains and rules stay.
    """

    __slots__ = (
        "_content", "_jargon", "_language_zipf", "_lock", "_made_of", "_met", "_overlay", "_phrases", "_rules", "_stems",
        "_use_base", "_zipf", "caches", "identity", "memory", "pack", "reopen",
    )  # fmt: skip

    def __init__(
        self,
        pack: Pack,
        reopen: Callable[[], Pack],
        overlay: Sequence[Entry] = (),
        overlay_hash: str = "",
        memory: Mapping[str, str] | None = None,
        memory_hash: str = "",
        retired: Collection[str] = frozenset(),
        *,
        use_base: bool = True,
    ) -> None:
        self.pack = pack
        self.reopen = reopen
        self._made_of = (reopen, tuple(overlay), overlay_hash, memory, memory_hash, retired, use_base)
        self._overlay = MemoryForms(overlay, retired) if overlay or retired else None
        self._use_base = use_base
        self.memory: Mapping[str, str] = memory or {}
        lexicon = "+".join(part for part in (pack.lexicon_hash if use_base else "", overlay_hash) if part) or "none"
        self.identity = f"pack:{pack.pack_hash}|lex:{lexicon}" + (f"|mem:{memory_hash}" if memory_hash else "")
        self._rules: dict[str, TokenRules] = {}
        self.caches: dict[str, dict[Any, Any]] = {}
        self._zipf: dict[str, tuple[int, int]] = {}  # asked for each word, many times a query
        self._language_zipf: dict[str, tuple[int, int]] = {}
        self._stems: dict[str, str] = {}
        self._jargon: dict[str, bool] = {}
        self._content: dict[str, str] = {}
        self._met: Mapping[str, Sequence[str]] | None = None
        self._phrases: tuple[tuple[PhraseIndex, Callable[[int], Entry | None]], ...] | None = None
        self._lock = threading.Lock()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resources) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    def __repr__(self) -> str:
        return f"Resources({self.identity})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_remake, self._made_of)

    def reopened_by(self, reopen: Callable[[], Pack]) -> Resources:
        """The same resources, whose pack another process opens in another way: where it was shipped to another machine."""
        return Resources(self.pack, reopen, *self._made_of[1:-1], use_base=self._use_base)

    def starting_at(self, text: str, start: int, ends: Container[int]) -> list[tuple[int, tuple[Entry, ...]]]:
        """Every form from `start` of a folded text to one of `ends`: where it ends, and its entries, overlay first."""
        base = self.pack.starting_at(text, start, ends)
        if self._overlay is None and self._use_base:
            return base
        found: dict[int, tuple[Entry, ...]] = {}
        for end, entries in self._overlay.starting_at(text, start) if self._overlay else ():
            if end in ends:
                found[end] = entries
        for end, entries in base:
            kept = self._visible(entries)
            if kept:
                found[end] = found.get(end, ()) + kept
        return sorted(found.items())

    def exact(self, form: str) -> tuple[Entry, ...]:
        """Entries of a folded form, overlay first."""
        own = self._overlay.exact(form) if self._overlay else ()
        return own + self._visible(self.pack.exact(form))

    def _visible(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        if not self._use_base:
            entries = tuple(e for e in entries if e.KIND == 3)
        if self._overlay is None:
            return entries
        return tuple(e for e in entries if entry_key(e) not in self._overlay.ids)

    def lays_over(self, entry: Entry) -> bool:
        """Is an entry of the overlay, or hidden by one?"""
        return not self._use_base or (self._overlay is not None and entry_key(entry) in self._overlay.ids)

    def zipf(self, word: str) -> tuple[int, int]:
        """Zipf frequency of a folded word in hundredths, Indonesian and English; 0 for unknown."""
        found = self._zipf.get(word)
        return _keep(self._zipf, word, self.pack.zipf(word)) if found is None else found

    def language_zipf(self, word: str) -> tuple[int, int]:
        """As `zipf`, but (0, 0) for a word that the lexicon knows as a name alone: `jakarta` does not make a query Indonesian."""
        found = self._language_zipf.get(word)
        if found is None:
            rows = [e for e in self.pack.exact(word) if isinstance(e, Translation)]
            name = bool(rows) and all([e.pos == "name" for e in rows])
            found = _keep(self._language_zipf, word, (0, 0) if name else self.zipf(word))
        return found

    def is_name(self, word: str) -> bool:
        """Does the lexicon know the word as a name alone?"""
        return self.language_zipf(word) == (0, 0) != self.zipf(word)

    def stem(self, word: str) -> str:
        """English stem of a folded word."""
        found = self._stems.get(word)
        return _keep(self._stems, word, self.pack.stem(word)) if found is None else found

    def content_words(self, words: Sequence[str]) -> list[tuple[int, str]]:
        """Index and stem of each content word (`rewriter.text.bags`)."""
        known = self._content
        found = []
        for i, word in enumerate(words):
            stem = known.get(word)
            if stem is None:
                stem = _keep(known, word, bag_stem(word, self.stem))
            if stem:
                found.append((i, stem))
        return found

    def loan(self, word: str) -> str:
        """The English word that Indonesian spells so (`radiasi`: radiation); "" for none."""
        return self.pack.loan(word)

    def in_jargon(self, stem: str) -> bool:
        """May a stem be a content word of a lay expression?"""
        found = self._jargon.get(stem)
        if found is None:
            found = _keep(self._jargon, stem, self._overlay is not None or (self._use_base and self.pack.in_bags(stem)))
        return found

    def jargon_of_words(self, key: str) -> tuple[str, tuple[Entry, ...]]:
        """A lay expression with the content words of a bag key, and its entries; overlay first."""
        form = (self._overlay.bag(key, self.stem) if self._overlay else "") or (self.pack.bag(key) if self._use_base else "")
        return (form, self.exact(form)) if form else ("", ())

    def phrase_indexes(self) -> tuple[tuple[PhraseIndex, Callable[[int], Entry | None]], ...]:
        """The words of lay expressions, overlay first; each index with what gives the entry at a place, None for a hidden one."""
        if self._phrases is None:
            with self._lock:
                own = (index_overlay(self._overlay.entries, self),) if self._overlay is not None else ()
                base = ((self.pack.phrases, self._base_phrase),) if self._use_base else ()
                self._phrases = (*own, *base)
        return self._phrases

    def _base_phrase(self, place: int) -> Entry | None:
        entry = self.pack.entry(self.pack.phrases.entry(place))
        return None if self.lays_over(entry) else entry

    def words_met(self, key: str) -> tuple[str, ...]:
        """The words of the senses' cues and names that a key meets, itself not counted (`rewriter.text.keys`); of the overlay as well."""
        found = self.pack.words_met(key)
        if self._overlay is None:
            return found
        if self._met is None:
            words = spoken_words(e for e in self._overlay.entries if isinstance(e, Sense))
            keys = {word: cue_keys(word, self.stem, self.zipf) for word in words}
            with self._lock:
                self._met = words_met(keys, self.zipf)
        return (*found, *self._met.get(key, ()))

    def token_rules(self, language: str) -> TokenRules:
        """spaCy's tokeniser rules; the Indonesian ones for every language but English."""
        key = "en" if language == "en" else "id"
        rules = self._rules.get(key)
        if rules is None:
            with self._lock:
                rules = self._rules.setdefault(key, self.pack.token_rules(key))
        return rules

    @property
    def domains(self) -> Mapping[str, Domain]:
        """The domain tree by path."""
        return self.pack.domains

    def domains_of(self, key: str) -> tuple[str, ...]:
        """Paths of the domains for which a cue word, or a stem, speaks."""
        cache = self.cache("domains_of")
        found: tuple[str, ...] | None = cache.get(key)
        if found is None:
            found = cache[key] = self.pack.domains_of(key)
        return found

    def fields_of(self, key: str) -> set[str]:
        """The topmost of those domains: the fields for which a word speaks."""
        return {path.partition("/")[0] for path in self.domains_of(key)}

    @property
    def templates(self) -> Mapping[str, Any]:
        """Intent rules and question templates."""
        return self.pack.templates

    def translations(self, form: str) -> list[Translation]:
        """The bilingual entries of exactly this form."""
        return [e for e in self.exact(form) if isinstance(e, Translation)]

    def is_verb(self, form: str) -> bool:
        """Does the lexicon translate this form as a verb?"""
        return any([e.pos == "v" for e in self.translations(form)])

    def cache(self, name: str) -> dict[Any, Any]:
        """A bounded cache of derived values: emptied when full, never part of what resources are."""
        found = self.caches.get(name)
        if found is None:
            found = self.caches.setdefault(name, {})
        elif len(found) >= LIMITS.get(name, CACHED):
            found = self.caches[name] = {}
        return found


def index_overlay(entries: Sequence[Entry], resources: Resources) -> tuple[PhraseIndex, Callable[[int], Entry | None]]:
    """The words of the lay expressions among these entries, read as the words of a query are; and what gives the entry at a place."""

    def translated(form: str) -> tuple[str, ...]:
        if " " in form:
            return english_keys(resources.translations(form), resources.stem)
        key = resources.pack.phrases.concept(form)
        return (key,) if key else ()

    def spoken(word: str) -> str:
        return next((e.normal for e in resources.exact(word) if isinstance(e, Slang) and spells_out(e, resources.zipf)), word)

    sections = index_phrases(entries, Speech(resources.stem, resources.zipf, translated, spoken))
    index = PhraseIndex(lambda name: memoryview(sections[name]))
    return index, lambda place: entries[index.entry(place)]


def _keep(cache: dict[str, T], key: str, value: T) -> T:
    """The value, remembered; a full cache is emptied."""
    if len(cache) >= CACHED:
        cache.clear()
    cache[key] = value
    return value


def _remake(
    reopen: Callable[[], Pack],
    overlay: Sequence[Entry],
    overlay_hash: str,
    memory: Mapping[str, str] | None,
    memory_hash: str,
    retired: Collection[str],
    use_base: bool,
) -> Resources:
    """Resources in another process: the pack is opened again, not copied."""
    return Resources(reopen(), reopen, overlay, overlay_hash, memory, memory_hash, retired, use_base=use_base)
