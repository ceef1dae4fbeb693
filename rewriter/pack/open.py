"""A language pack at run time: mapped, read in place, parsed entry by entry when a form is met."""

from __future__ import annotations

import json
import struct
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property

import marisa_trie

from rewriter.errors import PackError
from rewriter.lexicon.entries import Domain, Entry, entry_from_row, forms_of
from rewriter.pack.blob import Blob
from rewriter.pack.format import checked_sections, read_header, section
from rewriter.pack.phrases import PhraseIndex
from rewriter.pack.plain import array_in, code_below, look_up, mapped
from rewriter.text.bags import bag_key
from rewriter.text.tokenise import TokenRules

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any, Literal

__all__ = ["LIKENESS_BITS", "Pack"]

CACHED_FORMS = 50_000
ENTRY_MASK = 0x0FFFFFFF
LIKENESS_BITS = 10
_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # an entry without the spaces around it for which `json.loads` looks
_LIKENESS = (1 << LIKENESS_BITS) - 1
"""A neighbour of a sense is its number, and in the low bits their likeness in thousandths."""


class Pack:
    """Forms, frequencies, stems, tokeniser rules, domains and templates, read from a buffer (a mapped file, or bytes).

    `file` is the descriptor of the mapped file, which is read where the entries are too many to be checked at opening.
    """

    def __init__(self, data: Any, where: str, file: int | None = None) -> None:
        view = memoryview(data)
        self.where = where
        self.contents, self._base = read_header(view, where, file)
        self._view = view
        try:
            self._forms = self._trie("forms.trie")
            self._starts = self._numbers("forms.offsets", "I")
            self._refs = self._numbers("forms.refs", "I")
            self._offsets = self._numbers("entries.offsets", "I")
            self._blob = self._open_blob("entries.json", file)
            self._near = self._open_blob("senses.near", file)
            self._zipf = self._trie("zipf.trie")
            self._zipf_values = self._numbers("zipf.values", "H")
            self.longest_form = int(self.contents["longest_form"])
        except (KeyError, RuntimeError, ValueError) as error:
            raise PackError(f"{where} lacks what a pack must hold ({error}); compile it again.") from None
        self._entries: dict[int, tuple[Entry, ...]] = {}

    @property
    def data(self) -> memoryview:
        """The whole pack as it was opened."""
        return self._view

    @property
    def lexicon_hash(self) -> str:
        """Twelve hex digits over the lexicon sections."""
        return str(self.contents["lexicon_hash"])

    @property
    def pack_hash(self) -> str:
        """Twelve hex digits over everything else."""
        return str(self.contents["pack_hash"])

    def starting_at(self, text: str, start: int, ends: Container[int]) -> list[tuple[int, tuple[Entry, ...]]]:
        """Every form from `start` of a folded text to one of `ends`: where it ends, and its entries."""
        found = []
        piece = text[start : start + self.longest_form]
        if not piece.isascii():  # half of a surrogate pair, which a trie refuses, becomes a question mark
            piece = piece.encode("utf-8", "replace").decode("utf-8")
        for form, key in self._forms.iter_prefixes_with_ids(piece):
            end = start + len(form)
            if end in ends:
                found.append((end, self._entries_of(key)))
        return found

    def exact(self, form: str) -> tuple[Entry, ...]:
        """Entries of a folded form."""
        key = look_up(self._forms, form)
        return () if key is None else self._entries_of(key)

    def entries(self) -> Iterator[Entry]:
        """All entries, one after another (60,000 take a second); nothing of them is kept."""
        return (self._read(number) for number in range(len(self._offsets) - 1))

    def zipf(self, word: str) -> tuple[int, int]:
        """Zipf frequency of a folded word in hundredths, Indonesian and English; 0 for unknown."""
        key = look_up(self._zipf, word)
        if key is None:
            return (0, 0)
        return (self._zipf_values[2 * key], self._zipf_values[2 * key + 1])

    def stem(self, word: str) -> str:
        """English stem of a folded word; the word itself where it has no other."""
        found = look_up(self._stems, word)
        return found[0].decode() if found else word

    def loan(self, word: str) -> str:
        """The English word that a folded word respells by the rules for loanwords; "" for none."""
        found = look_up(self._loans, word)
        return found[0].decode() if found else ""

    def domains_of(self, key: str) -> tuple[str, ...]:
        """Paths of the domains for which a cue word, or a stem, speaks."""
        found = look_up(self._cues, key)
        return tuple(found[0].decode().split(" ")) if found else ()

    def bag(self, key: str) -> str:
        """A lay expression with these content words (`rewriter.text.bags`), the shortest; "" for none."""
        found = look_up(self._bags, key)
        number = 0 if found is None else self._bag_entries[found]
        if not number:
            return ""
        forms = [form for form in forms_of(self._read(number - 1)) if bag_key(form.split(), self.stem) == key]
        return min(forms, key=lambda form: (len(form), form), default="")

    def in_bags(self, word: str) -> bool:
        """Is a stem among the content words of any lay expression?"""
        return look_up(self._bags, word) is not None

    @cached_property
    def phrases(self) -> PhraseIndex:
        """The words of lay expressions."""
        return PhraseIndex(self.read_section)

    def entry(self, number: int) -> Entry:
        """The entry of a number: its place in the order of `rewriter.lexicon.tables.sort_key`."""
        return self._read(number)

    def cue_keys(self, word: str) -> tuple[str, ...]:
        """The keys of a word of the senses' cues and names (`rewriter.text.keys`); () for another word."""
        found = look_up(self._keys, word)
        return (word, *found[0].decode().split(" ")) if found and found[0] else (word,) if found else ()

    def words_met(self, key: str) -> tuple[str, ...]:
        """The words of the senses' cues and names that a key meets, itself not counted (`rewriter.text.keys`)."""
        found = look_up(self._met, key)
        return tuple(found[0].decode().split(" ")) if found else ()

    def word_number(self, word: str) -> int | None:
        """Number of a word or phrase of the senses' cues and names; None where no sense, or every other one, has it."""
        found: int | None = look_up(self._words, word)
        return found

    def word_weight(self, number: int) -> int:
        """How rare a word is among the senses, in hundredths of a nat."""
        return int(self._word_weights[number])

    def senses_of_word(self, number: int) -> Sequence[int]:
        """Numbers of the senses that have a word, ascending."""
        found: Sequence[int] = self._word_senses[self._word_starts[number] : self._word_starts[number + 1]]
        return found

    def sense_number(self, sense: str) -> int | None:
        """Number of a sense of this pack, by its id."""
        found: int | None = look_up(self._senses, sense)
        return found

    @property
    def sense_norms(self) -> Sequence[int]:
        """Length of each sense's words as a vector of their weights, by the sense's number."""
        norms: Sequence[int] = self._sense_norms
        return norms

    def nearest_senses(self, number: int) -> dict[int, int]:
        """The senses most like one: their numbers with their likeness in thousandths."""
        start, end = self._near_starts[number], self._near_starts[number + 1]
        found = struct.unpack(f"<{end - start}I", self._near.read(4 * start, 4 * end))
        return {value >> LIKENESS_BITS: value & _LIKENESS for value in found}

    def read_section(self, name: str) -> memoryview:
        """The bytes of a section of the format, without a copy."""
        return section(self._view, self.contents, self._base, name)

    def token_rules(self, language: str) -> TokenRules:
        """spaCy's rules for `id` or `en`."""
        data = json.loads(bytes(self.read_section(f"rules.{language}.json")))
        single = self._trie(f"rules.{language}.trie")
        return TokenRules(
            language, data["expressions"], data["narrow"], data["exceptions"], single, data["longest"], tuple(data["prefix_words"])
        )

    @cached_property
    def domains(self) -> Mapping[str, Domain]:
        """The domain tree by path."""
        rows = json.loads(bytes(self.read_section("domains.json")))
        return {path: Domain(path, en, id_, tuple(cues)) for path, en, id_, cues in rows}

    def spelling(self, folded: str) -> str:
        """How a name is written whose letters are these in small ones; "" for none."""
        found = look_up(self._capitals, folded)
        return found[0].decode() if found else ""

    def spellings(self) -> list[str]:
        """All names of the list, sorted by their small letters."""
        return [written.decode() for _, written in sorted(self._capitals.items())]

    @cached_property
    def templates(self) -> Mapping[str, Any]:
        """Intent rules and question templates as written, but for the spellings of names (`spelling`)."""
        data: dict[str, Any] = json.loads(bytes(self.read_section("templates.json")))
        return data

    @cached_property
    def _keys(self) -> Any:
        return self._trie("keys.trie", marisa_trie.BytesTrie)

    @cached_property
    def _met(self) -> Any:
        return self._trie("met.trie", marisa_trie.BytesTrie)

    @cached_property
    def _words(self) -> Any:
        return self._trie("words.trie")

    @cached_property
    def _word_weights(self) -> Any:
        return self._numbers("words.weights", "H")

    @cached_property
    def _word_starts(self) -> Any:
        return self._numbers("words.offsets", "I")

    @cached_property
    def _word_senses(self) -> Any:
        return self._numbers("words.senses", code_below(len(self._sense_norms)))

    @cached_property
    def _senses(self) -> Any:
        return self._trie("senses.trie")

    @cached_property
    def _near_starts(self) -> Any:
        return self._numbers("senses.near.offsets", "I")

    @cached_property
    def _sense_norms(self) -> Any:
        return self._numbers("senses.norms", "H")

    @cached_property
    def _bags(self) -> Any:
        return self._trie("bags.trie")

    @cached_property
    def _bag_entries(self) -> Any:
        return self._numbers("bags.entries", "I")

    @cached_property
    def _capitals(self) -> Any:
        return self._trie("capitals.trie", marisa_trie.BytesTrie)

    @cached_property
    def _cues(self) -> Any:
        return self._trie("cues.trie", marisa_trie.BytesTrie)

    @cached_property
    def _loans(self) -> Any:
        return self._trie("loans.trie", marisa_trie.BytesTrie)

    @cached_property
    def _stems(self) -> Any:
        return self._trie("stems.trie", marisa_trie.BytesTrie)

    def _entries_of(self, key: int) -> tuple[Entry, ...]:
        """Entries of a form, parsed when it is first met."""
        found = self._entries.get(key)
        if found is None:
            if len(self._entries) >= CACHED_FORMS:
                self._entries.clear()
            numbers = [self._refs[i] & ENTRY_MASK for i in range(self._starts[key], self._starts[key + 1])]
            found = self._entries[key] = tuple([self._read(n) for n in numbers])
        return found

    def _read(self, number: int) -> Entry:
        try:
            row = self._blob.read(self._offsets[number], self._offsets[number + 1])
            return entry_from_row(_scan(row.decode("utf-8", "surrogatepass"), 0)[0])
        except (IndexError, StopIteration, TypeError, UnicodeDecodeError, json.JSONDecodeError):
            raise PackError(f"{self.where} is damaged in entry {number}; compile it again.") from None

    def _open_blob(self, name: str, file: int | None) -> Blob:
        offset, size, _ = self.contents["sections"][name]
        checked = name in checked_sections(self.contents)
        checks = None if checked else self._numbers(f"{name}.blocks", "I")
        return Blob(self._view, self._base + offset, size, name, self.where, checks, file)

    def _trie(self, name: str, kind: Any = marisa_trie.Trie) -> Any:
        return mapped(kind(), self.read_section(name))

    def _numbers(self, name: str, code: Literal["H", "I"]) -> Any:
        return array_in(self.read_section(name), code)
