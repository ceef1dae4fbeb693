"""Everything a rewrite may know beyond its arguments: a language pack, an overlay, a translation memory.  Frozen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Container, Mapping, Sequence

from rewriter.lexicon.entries import Domain, Entry, Translation
from rewriter.lexicon.tables import MemoryForms, entry_key
from rewriter.pack.open import Pack
from rewriter.text.tokenise import TokenRules

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Resources"]

CACHED = 20_000


class Resources:
    """A pack with whatever is laid over it.  Equal resources have equal `identity`; caches are no part of it.

    `reopen` opens the pack again in another process (for pickling).  `retired` are keys (`entry_key`) that the overlay takes away.
    `use_base` false takes senses, jargon and translations from the overlay alone; slang, frequencies, domains and rules stay.
    """

    __slots__ = ("_lock", "_made_of", "_overlay", "_rules", "_use_base", "caches", "identity", "memory", "pack", "reopen")

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
        self._lock = threading.Lock()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resources) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    def __repr__(self) -> str:
        return f"Resources({self.identity})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_remake, self._made_of)

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
        cache = self.cache("zipf")
        found = cache.get(word)
        if found is None:
            found = cache[word] = self.pack.zipf(word)
        pair: tuple[int, int] = found
        return pair

    def language_zipf(self, word: str) -> tuple[int, int]:
        """As `zipf`, but (0, 0) for a word that the lexicon knows as a name alone: `jakarta` does not make a query Indonesian."""
        cache = self.cache("language_zipf")
        found = cache.get(word)
        if found is None:
            rows = [e for e in self.pack.exact(word) if isinstance(e, Translation)]
            name = bool(rows) and all([e.pos == "name" for e in rows])
            found = cache[word] = (0, 0) if name else self.zipf(word)
        pair: tuple[int, int] = found
        return pair

    def stem(self, word: str) -> str:
        """English stem of a folded word."""
        cache = self.cache("stem")
        found = cache.get(word)
        if found is None:
            found = cache[word] = self.pack.stem(word)
        return str(found)

    def loan(self, word: str) -> str:
        """The English word that Indonesian spells so (`radiasi`: radiation); "" for none."""
        return self.pack.loan(word)

    def in_jargon(self, stem: str) -> bool:
        """May a stem be a content word of a lay expression?"""
        cache = self.cache("in_jargon")
        found = cache.get(stem)
        if found is None:
            found = cache[stem] = self._overlay is not None or (self._use_base and self.pack.in_bags(stem))
        return bool(found)

    def jargon_of_words(self, key: str) -> tuple[str, tuple[Entry, ...]]:
        """A lay expression with the content words of a bag key, and its entries; overlay first."""
        form = (self._overlay.bag(key, self.stem) if self._overlay else "") or (self.pack.bag(key) if self._use_base else "")
        return (form, self.exact(form)) if form else ("", ())

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
        elif len(found) >= CACHED:
            found = self.caches[name] = {}
        return found


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
