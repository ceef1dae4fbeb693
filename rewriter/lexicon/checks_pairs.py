"""Checks of what has two sides: bilingual entries, slang and jargon; and the order of shards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rewriter.lexicon.checks_forms import VERY_COMMON
from rewriter.lexicon.collection import Collection, Place, name_of, place_of
from rewriter.lexicon.entries import Jargon, Slang, Translation
from rewriter.lexicon.parse import Located
from rewriter.text.normalise import fold

__all__ = [
    "default_has_a_rival", "default_is_missing", "expert_term_is_lay", "jargon_form_has_a_rival", "jargon_form_is_common",
    "neighbour_has_spaces", "neighbour_is_claimed_twice", "shard_is_unsorted", "slang_changes_nothing", "slang_has_a_rival",
    "slang_is_english", "slang_leads_to_slang", "translation_has_a_rival", "translation_is_indonesian", "translation_is_repeated",
]  # fmt: skip

INDONESIAN = 350
NOT_ENGLISH = 150
"""A word that Indonesian uses (Zipf 3.5) and English practically never (1.5) was left untranslated."""
COMMON_ENGLISH = 450
"""A slang spelling as common as that in English needs neighbours that show it is slang."""


def shard_is_unsorted(c: Collection) -> Iterator[Place]:
    """The lines of a shard are sorted by code point, so that edits merge; sort them."""
    for file, text in c.texts.items():
        if file.endswith(".tsv"):
            lines = text.split("\n")[1:]
            for number, (above, below) in enumerate(pairwise(lines), 3):
                if below.strip() and below < above:
                    yield Place(file, number, 1, repr(below.split("\t")[0]))
                    break


def neighbour_has_spaces(c: Collection) -> Iterator[Place]:
    """`when` names single words; several words are an entry of their own or never met."""
    for item in c.live:
        if isinstance(item.entry, (Translation, Slang)):
            for word in item.entry.when:
                if " " in word:
                    yield place_of(item, f"{name_of(item.entry)} when {word!r}")


def neighbour_is_claimed_twice(c: Collection) -> Iterator[Place]:
    """A neighbour selects two translations of a form; leave it to one of them."""
    first: dict[tuple[str, str], tuple[Located, Translation]] = {}
    for item, entry in c.translations:
        for word in entry.when:
            other, rival = first.setdefault((entry.form, word), (item, entry))
            alike = (rival.when, rival.domain) == (entry.when, entry.domain)  # which `translation_has_a_rival` reports
            if not alike and _english(other) != _english(item):
                yield place_of(item, f"{name_of(entry)} and {name_of(rival)} when {word!r}")


def translation_is_repeated(c: Collection) -> Iterator[Place]:
    """The same translation stands twice; delete one."""
    for item, entry, first in _doubles(c):
        if _english(item) == _english(first):
            yield place_of(item, f"{name_of(entry)} also stands at {first.file}:{first.line}")


def translation_has_a_rival(c: Collection) -> Iterator[Place]:
    """Two translations have the same conditions; keep the better or give one other neighbours."""
    for item, entry, first in _doubles(c):
        if (entry.when or entry.domain) and _english(item) != _english(first):
            yield place_of(item, f"{name_of(entry)} and {name_of(first.entry)} at {first.file}:{first.line}")


def default_has_a_rival(c: Collection) -> Iterator[Place]:
    """A form has two default translations; keep what a searcher means most often, delete the other or give it `when` or `domain`."""
    for item, entry, first in _doubles(c):
        if not entry.when and not entry.domain and _english(item) != _english(first):
            yield place_of(item, f"{name_of(entry)} and {name_of(first.entry)} at {first.file}:{first.line}")


def _english(item: Located) -> str:
    return fold(item.entry.english) if isinstance(item.entry, Translation) else ""


def _doubles(c: Collection) -> Iterator[tuple[Located, Translation, Located]]:
    """Entries whose form and conditions stood before, with the first of them."""
    first: dict[tuple[str, tuple[str, ...], str], Located] = {}
    for item, entry in c.translations:
        other = first.setdefault((entry.form, tuple(sorted(entry.when)), entry.domain), item)
        if other is not item:
            yield item, entry, other


def default_is_missing(c: Collection) -> Iterator[Place]:
    """A form has translations with conditions and none without; add the one to use where none of them holds."""
    defaults = {e.form for _, e in c.translations if not e.when and not e.domain}
    seen: set[str] = set()
    for item, entry in c.translations:
        if entry.form not in defaults and entry.form not in seen:
            seen.add(entry.form)
            yield place_of(item, name_of(entry))


def translation_is_indonesian(c: Collection) -> Iterator[Place]:
    """The English side repeats a word that English does not know; translate it."""
    for item, entry in c.translations:
        if fold(entry.english) == entry.form and entry.pos != "name":
            for word in entry.form.split():
                in_id, in_en = c.zipf(word)
                if in_id >= INDONESIAN and in_en < NOT_ENGLISH:
                    yield place_of(item, name_of(entry))
                    break


def slang_is_english(c: Collection) -> Iterator[Place]:
    """The slang spelling is a common English word; name in `when` the neighbours that make it slang."""
    for item, entry in c.slang:
        in_id, in_en = c.zipf(entry.form)
        if entry.language == "id" and not entry.when and " " not in entry.form and in_en >= COMMON_ENGLISH and in_en > in_id:
            yield place_of(item, name_of(entry))


def slang_leads_to_slang(c: Collection) -> Iterator[Place]:
    """The normal form is itself slang; write what it stands for."""
    slang = {(e.language, e.form) for _, e in c.slang if not e.when}
    for item, entry in c.slang:
        if (entry.language, fold(entry.normal)) in slang and fold(entry.normal) != entry.form:
            yield place_of(item, name_of(entry))


def slang_changes_nothing(c: Collection) -> Iterator[Place]:
    """The normal form is the slang form; delete the line."""
    for item, entry in c.slang:
        if fold(entry.normal) == entry.form:
            yield place_of(item, name_of(entry))


def slang_has_a_rival(c: Collection) -> Iterator[Place]:
    """Two lines give the same spelling under the same conditions; keep one or give it neighbours."""
    first: dict[tuple[str, str, tuple[str, ...], str], Located] = {}
    for item, entry in c.slang:
        key = (entry.language, entry.form, tuple(sorted(entry.when)), str(item.fields.get("domain", "")))
        other = first.setdefault(key, item)
        if other is not item:
            yield place_of(item, f"{name_of(entry)} and {name_of(other.entry)} at {other.file}:{other.line}")


def expert_term_is_lay(c: Collection) -> Iterator[Place]:
    """An expert term is a lay form, so that rewriting goes in a circle; delete one of the two."""
    homes = {form: item for item, jargon in c.jargon for form in jargon.forms}
    for item, jargon in c.jargon:
        for term in (*jargon.expert_en, *jargon.expert_id):
            home = homes.get(fold(term))
            if home is not None:
                yield place_of(item, f"{name_of(jargon)} has {term!r}, a form of {name_of(home.entry)}")


def jargon_form_is_common(c: Collection) -> Iterator[Place]:
    """A lay form is one very common word, which any query may hold; write more of the expression, or give cues."""
    for item, jargon in c.jargon:
        for form in jargon.forms:
            if not jargon.cues and c.commonness(form) >= VERY_COMMON:
                yield place_of(item, f"{name_of(jargon)} has the form {form!r}")


def jargon_form_has_a_rival(c: Collection) -> Iterator[Place]:
    """A lay form stands in two entries of which neither has cues, so that the first always wins; give cues or merge them."""
    first: dict[str, tuple[Located, Jargon]] = {}
    for item, jargon in c.jargon:
        for form in jargon.forms if not jargon.cues else ():
            other, rival = first.setdefault(form, (item, jargon))
            if rival is not jargon:
                yield place_of(item, f"{name_of(jargon)} has {form!r}, as {name_of(rival)} at {other.file}:{other.line}")
