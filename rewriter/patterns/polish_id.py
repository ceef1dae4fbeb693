"""Indonesian questions: reduplication, `yang` and the prepositions that a query leaves out (`nama nama`, `terdekat buka 24 jam`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.patterns.nouns import insert_before, join_words, listed, name_behind
from rewriter.patterns.verbs import formal_verb, formal_words
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text.words import Word

__all__ = ["polish_indonesian"]

RULE = "add_function_word"
_TWICE = re.compile(r"([a-z]{3,})2\Z")
_KINDS = frozenset("macam jenis nama contoh".split())
"""Nouns whose plural `apa saja` says already."""
_SIDES = frozenset("atas bawah depan belakang dalam luar kiri kanan tengah samping".split())
_NEAREST = frozenset("terdekat termurah terbaik terbagus".split())
_PREDICATES = frozenset("buka menerima melayani menjual jual menyediakan punya ada bisa tidak tak gak bikin".split())
_FOR = frozenset("buat untuk bagi".split())
_BEFORE_PLACE = frozenset("di ke dari dalam dan atau dekat sekitar daerah seluruh asal khas bahasa kota kabupaten provinsi".split())
_ADJECTIVES = frozenset("murah mewah bekas baru bagus terbaik termurah terbagus".split())


def polish_indonesian(words: Sequence[Word], resources: Resources) -> list[Word]:
    """The question as it would be printed; a word whose place or need is not sure is left as the query has it."""
    out = _reduplicated(words, resources)
    for mend in (_relative, _making, _at_least, _good_first, _side, _for_beginners, _place, _for_weight, _spoken_verbs):
        out = mend(out, resources)
    return out


def _reduplicated(words: Sequence[Word], resources: Resources) -> list[Word]:
    """`nama nama` and `tiba2` with their hyphen; one word alone behind `apa saja`."""
    out: list[Word] = []
    for word in words:
        short = _TWICE.match(word.text)
        if out and not word.guard and word.spoken and word.folded == out[-1].folded and word.text.isalpha() and len(word.text) > 2:
            kind = word.folded in _KINDS and len(out) > 2 and out[-2].folded == "saja"
            out[-1] = join_words(out[-1], word, word.folded if kind else f"{out[-1].text}-{word.folded}", "hyphenate")
        elif short and not word.guard and resources.zipf(short[1])[0] > 300:
            out.append(join_words(word, word, f"{short[1]}-{short[1]}", "hyphenate"))
        else:
            out.append(word)
    return out


def _relative(words: list[Word], resources: Resources) -> list[Word]:
    """`toko terdekat buka 24 jam` → `toko terdekat yang buka 24 jam`."""
    for i in range(1, len(words) - 1):
        if words[i - 1].folded in _NEAREST and words[i].folded in _PREDICATES:
            return insert_before(words, i, "yang", RULE)
    return words


def _making(words: list[Word], resources: Resources) -> list[Word]:
    """`cerita lucu bikin ngakak` → `yang bikin ngakak`, of a list."""
    if [w.folded for w in words[:2]] != ["apa", "saja"] or any([w.folded in ("yang", "yg", "biar", "supaya") for w in words]):
        return words
    at = next((i for i in range(3, len(words)) if words[i].folded in ("bikin", "membuat")), 0)
    told = at and words[at - 1].folded not in _FOR | {"tak", "tidak", "gak", "ga", "cara"}
    return insert_before(words, at, "yang", RULE) if told else words


def _at_least(words: list[Word], resources: Resources) -> list[Word]:
    """`gaji minimal ajukan kartu kredit` → `gaji minimal untuk mengajukan kartu kredit`."""
    at = next((i for i, w in enumerate(words[:-2]) if w.folded in ("minimal", "maksimal", "minimum", "maksimum")), 0)
    if not at or not (resources.is_verb(words[at + 1].folded) or words[at + 1].folded in ("ajukan", "daftar", "ikut", "masuk")):
        return words
    return insert_before([*words[: at + 1], *formal_words(words[at + 1 :], "id", resources)], at + 1, "untuk", RULE)


def _good_first(words: list[Word], resources: Resources) -> list[Word]:
    """`yang bagus` of the template before the purpose, which it does not belong to, and not beside another condition."""
    at = next((i for i, w in enumerate(words) if w.folded == "yang" and w.kind == "insert" and words[i + 1].folded == "bagus"), 0)
    if not at:
        return words
    denied = next((i for i in range(2, at) if words[i].folded in ("tak", "tidak", "gak", "ga")), 0)
    if denied:
        kept = [*words[:at], *words[at + 2 :]]
        return kept if words[denied - 1].folded in ("yang", "yg") else insert_before(kept, denied, "yang", RULE)
    purpose = next((i for i in range(2, at) if words[i].folded in _FOR), 0)
    return [*words[:purpose], *words[at : at + 2], *words[purpose:at], *words[at + 2 :]] if purpose else words


def _side(words: list[Word], resources: Resources) -> list[Word]:
    """`tidak dingin bagian bawah` → `tidak dingin di bagian bawah`: behind a predicate a part is where."""
    for i in range(3, len(words) - 1):
        denied = words[i - 2].folded in ("tidak", "gak", "ga", "nggak", "tak")
        if denied and words[i].folded == "bagian" and words[i + 1].folded in _SIDES:
            return insert_before(words, i, "di", RULE)
    return words


_LEARNERS = frozenset("pemula anak-anak balita lansia pelajar mahasiswa".split())
_LEARNT = frozenset(
    "belajar kursus tutorial les panduan investasi olahraga latihan gitar saham yoga renang menggambar excel python".split()
)


def _for_beginners(words: list[Word], resources: Resources) -> list[Word]:
    """`belajar Excel pemula` → `untuk pemula`: behind what one learns those stand who learn it."""
    at = next((i for i, w in enumerate(words) if not w.spoken), len(words)) - 1
    free = at > 2 and words[at].folded in _LEARNERS and words[at - 1].folded not in _FOR | {"oleh", "pendaki", "yang", "dan"}
    learnt = free and not _LEARNT.isdisjoint([w.folded for w in words[:at]])
    return insert_before(words, at, "untuk", RULE) if learnt else words


def _for_weight(words: list[Word], resources: Resources) -> list[Word]:
    """`ongkir dari Surabaya ke Makassar 5 kg` → `untuk 5 kg`."""
    at = next((i for i, w in enumerate(words) if w.guard == "amount"), 0)
    sent = at > 2 and any([w.folded in ("ongkir", "ongkos", "tarif") for w in words[:at]]) and words[at - 1].text[:1].isupper()
    return insert_before(words, at, "untuk", RULE) if sent else words


def _place(words: list[Word], resources: Resources) -> list[Word]:
    """The name of a place that ends a noun phrase gets `di` or, behind what goes there, `ke`; an adjective goes to its noun."""
    places, located, bound = listed("places", resources), listed("located", resources), listed("bound", resources)
    routes = listed("routes", resources)
    for i in range(2, len(words)):
        end = name_behind(words, i, places)
        before = words[i - 1].folded
        if not end or before in _BEFORE_PLACE or not words[i].text[:1].isupper() or end >= len(words):
            continue
        heads = [w.folded for w in words[1:i] if w.folded not in _ADJECTIVES]
        goes = any([h in bound for h in heads]) and located.isdisjoint(heads)  # `tiket konser` goes nowhere
        route = end < len(words) and words[end].spoken and name_behind(words, end, places)
        if route and (goes or not routes.isdisjoint(heads)):
            return insert_before(insert_before(words, end, "ke", RULE), i, "dari", RULE)
        if route or (not goes and not any([h in located for h in heads[-3:]])):
            return words
        if words[end].spoken and words[end].folded in _ADJECTIVES and before not in _ADJECTIVES:
            words = [*words[:i], words[end], *words[i:end], *words[end + 1 :]]
            i, end = i + 1, end + 1
        return insert_before(words, i, "ke" if goes else "di", RULE)
    return words


_BEHIND_VERB = frozenset("di ke dari pada pakai pake dengan tanpa agar biar supaya untuk buat lewat via secara".split())


def _spoken_verbs(words: list[Word], resources: Resources) -> list[Word]:
    """Behind `bagaimana cara` every verb is formal: `membuat roti ngembang` → `membuat roti mengembang`."""
    out = list(words)
    asked = ["bagaimana", "cara"]
    opens = next((i for i in range(1, len(out) - 4) if out[i].text == "," and [w.folded for w in out[i + 1 : i + 3]] == asked), 0)
    if opens and out[opens + 3].rule == "formal_verb" and (not out[opens + 4].spoken or out[opens + 4].folded in _BEHIND_VERB):
        made = out[opens + 3].text + "nya"  # what stands before the comma: `nano banana, bagaimana cara menanamnya di pot`
        out[opens + 3] = replace(out[opens + 3], text=made, folded=made)
    if [w.folded for w in words[:2]] != asked:
        return out
    for i, word in enumerate(out[3:], 3):
        if word.folded.startswith(("ng", "ny")) and not word.guard and word.kind == "copy" and word.text.islower():
            made = formal_verb(word.folded, resources)
            out[i] = replace(word, text=made, folded=made, kind="rewrite", rule="formal_verb") if made != word.folded else word
    return out
