"""The units of translation: phrases first, then words, then what stands behind affixes; the rest stays."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.lexicon.entries import GAP, Translation
from rewriter.lookup import Found, Normal, View, longest
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.protect import LETTERS
from rewriter.text.words import Word, as_text, brought_in
from rewriter.translation.affixes import from_loan, from_stem
from rewriter.translation.amounts import english_amount
from rewriter.translation.choice import by_place, choose
from rewriter.translation.unit import Unit

__all__ = ["find_units", "merge_names"]

KEPT_RULES = ("name_sense_english", "keep_form")
"""Words that a sense brought in, or that are its form: names, never translated (as a referent that is one)."""
ENGLISH_LEAD = 150
"""A word that English uses 1.5 Zipf more than Indonesian is English, whatever the lexicon has under it."""


def find_units(
    view: View, language: str, domains: Sequence[str], resources: Resources, literal: frozenset[str] = frozenset()
) -> list[Unit]:
    """Units in the order of the query, covering every word.  `literal`: forms of idioms that are none here, whose entries are not used."""
    words, normal = view.words, view.normal
    guarded = [bool(words[n.origin].guard) or _kept(words[n.origin]) for n in normal]
    chunks = _compound_chunks(view)
    found = [f for f in _translations(view) if f.form not in literal and _usable(f, view, guarded, language, resources)]
    spans = {f.start: f for f in longest([f for f in found if not _cuts(f, chunks) and not _cuts_name(f, view, resources)])}
    gaps = _gap_phrases(view, found, resources)
    units: list[Unit] = []
    i = 0
    while i < len(normal):
        hit = spans.get(i)
        if i in gaps:
            end, unit = gaps[i]
            units.append(unit)
            i = end
        elif hit is not None and not any([k in gaps for k in range(hit.start + 1, hit.end)]):
            units.append(_from_entry(hit, view, domains))
            i = hit.end
        elif i in chunks:
            units.append(_from_chunk(i, chunks[i], view, domains, resources))
            i = chunks[i]
        else:
            units.append(_from_word(i, view, domains, guarded[i], resources))
            i += 1
    return _cover(units, len(words))


def _kept(word: Word) -> bool:
    return word.rule.startswith(KEPT_RULES) or (word.rule.startswith("resolve_") and brought_in(word))


PARTICIPLE = re.compile(
    r"^(?:\w+ed|made|built|born|sold|bought|held|found|given|taken|known|written|shown|chosen|paid|sent|worn|won|lost|told)\b"
)
MAX_GAP = 5


def _gap_phrases(view: View, found: Sequence[Found], resources: Resources) -> dict[int, tuple[int, Unit]]:
    """Phrases of two parts with other words between (`cara … yang benar`): start of each part → its end and its unit."""
    parts: dict[int, tuple[int, Unit]] = {}
    texts, normal = view.texts, view.normal
    for first in found:
        if first.end + 2 > len(texts):
            continue
        for entry in resources.translations(first.form + GAP.rstrip()):
            if GAP not in entry.english:
                continue
            tail = entry.form.split(GAP)[1].split()
            english = entry.english.split(GAP)
            for at in range(first.end + 1, min(first.end + 1 + MAX_GAP, len(texts) - len(tail) + 1)):
                if texts[at : at + len(tail)] == tail and first.start not in parts:
                    for start, end, text in ((first.start, first.end, english[0]), (at, at + len(tail), english[1])):
                        unit = Unit(
                            text, "x", normal[start].origin, normal[end - 1].until, "translate_gap_phrase",
                            (f"bilingual:{entry.form}",), "translated", " ".join(texts[start:end]),
                        )  # fmt: skip
                        parts[start] = (end, unit)
    return parts


def _translations(view: View) -> list[Found]:
    """Bilingual forms with indices of the normal words: those of the normal form, and those as written where no slang was spelled out."""
    kind = Translation.KIND
    found = [f for f in view.spoken if any([e.KIND == kind for e in f.entries])]
    if view.spoken is not view.written:
        place = {n.origin: i for i, n in enumerate(view.normal)}
        once = len(place) == len(view.normal)
        for f in view.written:
            whole = f.end - f.start > 1 and once and all([k in place for k in range(f.start, f.end)])
            if whole and any([e.KIND == kind for e in f.entries]):
                found.append(Found(place[f.start], place[f.end - 1] + 1, f.form, f.entries))
    return found


JOINERS = ("-", "/", "&", ".", "'")


def _compound_chunks(view: View) -> dict[int, int]:
    """Normal words that stand in one white-space chunk with a sign between (`x-ray`, `an-nahl`, `tcp/ip`): start → end."""
    words, normal = view.words, view.normal
    chunks: dict[int, int] = {}
    i = 0
    while i < len(normal):
        run = i + 1
        while run < len(normal) and not words[normal[run].origin].space and normal[run].origin > normal[run - 1].origin:
            run += 1
        end = run
        while end > i + 1 and not words[normal[end - 1].origin].spoken:
            end -= 1
        inner = [words[normal[k].origin] for k in range(i, end)]
        joined = len(inner) > 2 and inner[0].spoken and any([w.text in JOINERS for w in inner])
        if joined and not any([w.guard for w in inner]):
            chunks[i] = end
        i = run
    return chunks


def _cuts(found: Found, chunks: dict[int, int]) -> bool:
    """Does a form lie inside a chunk without being all of it?"""
    return any([s <= found.start and found.end <= e and found.end - found.start < e - s for s, e in chunks.items()])


def _cuts_name(found: Found, view: View, resources: Resources) -> bool:
    """Does a phrase end inside a name (`harga iphone` before `15 Pro`)?"""
    if found.end - found.start < 2 or found.end >= len(view.normal):
        return False
    last, following = view.normal[found.end - 1], view.words[view.normal[found.end].origin]
    numbered = following.guard in ("number", "model", "version") or (following.guard == "amount" and following.text.isalnum())
    return (numbered or following.lang == "en") and _english_word(last.folded, "id", resources)


def _from_chunk(start: int, end: int, view: View, domains: Sequence[str], resources: Resources) -> Unit:
    """A chunk that no entry has as a whole: `sembuh-sembuh` by its half, `x-ray` and `tcp/ip` stay as they are."""
    first, last = view.normal[start].origin, view.normal[end - 1].until - 1
    text = "".join([w.text for w in view.words[first : last + 1]])
    single = id.expand_reduplication(text.lower())
    rows = resources.translations(single) if single else []
    if rows:
        entry = choose(rows, frozenset(view.texts), domains)
        english = en.plural(entry.english) if entry.pos == "n" else entry.english
        pos = "np" if entry.pos == "n" else entry.pos
        return Unit(english, pos, first, last + 1, "translate_reduplication", (f"bilingual:{single}",), "translated", text.lower())
    return Unit(text, "name", first, last + 1, "keep_compound", (), "kept", text.lower())


def _inside_name(found: Found, normal: Sequence[Normal], words: Sequence[Word]) -> bool:
    """Is a common word, by its capital behind another capital, part of a name (`Dinasti Tang`, `Padang Lawas`)?

    Heads of names and titles (`Bank`, `Gubernur`) and words whose English is a name are read all the same, and so is everything in
    a query that begins each word with a capital.
    """
    if found.end - found.start > 1 or not found.start:
        return False
    word, before = words[normal[found.start].origin], words[normal[found.start - 1].origin]
    if not (word.text[:1].isupper() and before.text[:1].isupper() and before.end + 1 >= word.start) or word.folded in id.NAME_HEADS:
        return False
    if all([w.text[:1].isupper() for w in words if w.spoken and w.text[:1].isalpha()]):
        return False
    return not any([e.pos == "name" or e.english[:1].isupper() for e in found.entries if isinstance(e, Translation)])


def _usable(found: Found, view: View, guarded: Sequence[bool], language: str, resources: Resources) -> bool:
    normal, words = view.normal, view.words
    if any(guarded[found.start : found.end]):
        return False
    foreign = [_english_word(normal[i].folded, language, resources) for i in range(found.start, found.end)]
    return not all(foreign) and not _inside_name(found, normal, words)


def _english_word(text: str, language: str, resources: Resources) -> bool:
    in_id, in_en = resources.zipf(text)
    lead = in_en - in_id
    return lead >= ENGLISH_LEAD or (language == "mixed" and lead >= 90)


def _from_entry(found: Found, view: View, domains: Sequence[str]) -> Unit:
    normal, texts = view.normal, view.texts
    before = texts[found.start - 1] if found.start else ""
    after = texts[found.end] if found.end < len(texts) else ""
    rows = [e for e in found.entries if isinstance(e, Translation)]
    if len(rows) > 1:
        rows = by_place(rows, found.form, before, after)
    entry = choose(rows, frozenset([*texts[: found.start], *texts[found.end :]]) if len(rows) > 1 else frozenset(), domains)
    span = normal[found.start : found.end]
    text, rule = entry.english, "translate_phrase" if len(span) > 1 else "translate_word"
    pos = "name" if entry.pos == "n" and text.casefold() == entry.form and text != entry.form else entry.pos
    if pos == "adj" and entry.form.startswith(("di", "lahir")) and PARTICIPLE.search(text):
        pos = "v"  # `dirilis`, `didirikan`: said of the subject, not set before it
    if any(n.plural for n in span) and pos == "n":
        text, pos = en.plural(text), "np"
    start, end = span[0].origin, span[-1].until
    typed = as_text(view.words[start:end])
    if text.casefold() == typed.casefold():  # the same in English: as the user typed it
        return Unit(typed, pos, start, end, "keep_word", (f"bilingual:{entry.form}",), "kept", entry.form)
    state = "dropped" if text == "-" else "translated"
    return Unit("" if text == "-" else text, pos, start, end, rule, (f"bilingual:{entry.form}",), state, entry.form)


def _from_word(i: int, view: View, domains: Sequence[str], guarded: bool, resources: Resources) -> Unit:
    normal, texts = view.normal, view.texts
    origin, until = normal[i].origin, normal[i].until
    word = view.words[origin]
    text = texts[i]
    if guarded:
        if word.guard in LETTERS:
            english = english_amount(word.text, word.guard)
            state = "kept" if english == word.text else "translated"
            return Unit(english, "num", origin, until, "translate_amount", (), state, text)
        return Unit(word.text, "name", origin, until, "keep_protected" if word.guard else "keep_name", (), "kept", text)
    if not any(c.isalnum() for c in text):
        return Unit(word.text, "punct", origin, until, "keep_punctuation", (), "kept", text)
    shown = word.text if word.folded == text else text
    in_id, in_en = resources.zipf(text)
    if in_en - in_id >= ENGLISH_LEAD or (in_en >= 300 and in_en >= in_id):
        state = "kept"
    else:
        made = from_stem(text, frozenset(texts[:i]) | frozenset(texts[i + 1 :]), domains, normal[i], resources)
        made = made or from_loan(text, normal[i], resources)
        if made is not None:
            return made
        state = "kept" if in_en >= 250 else "name"
    if normal[i].plural and state == "kept":
        shown = en.plural(shown)
    return Unit(shown, "name" if state == "name" else "en", origin, until, "keep_word", (), state, text)


def _cover(units: Sequence[Unit], n_words: int) -> list[Unit]:
    """Words that normalisation dropped (particles spelled as slang) become dropped units, so that every word is accounted for."""
    covered = {i for u in units for i in range(u.start, u.end)}
    missing = [Unit("", "part", i, i + 1, "drop_particle", (), "dropped", "") for i in range(n_words) if i not in covered]
    return sorted([*units, *missing], key=lambda u: (u.start, u.end)) if missing else list(units)


COUNTED_PARTS = frozenset(
    "pintu lantai tingkat kamar tabung silinder roda kursi baris kipas tungku mata jari lapis susun sisi orang".split()
)
"""What a thing has so many of: a number before it is no model (`iphone 15`)."""


def merge_names(units: Sequence[Unit]) -> list[Unit]:
    """`iphone` + `16` + `pro`: kept words side by side are one name, whose order is its own."""
    out: list[Unit] = []
    for i, unit in enumerate(units):
        last = out[-1] if out else None
        counts = unit.pos == "num" and i + 1 < len(units) and units[i + 1].form in COUNTED_PARTS  # `kulkas lg 2 pintu`
        if (
            last is not None
            and not counts
            and last.pos in ("name", "en")
            and (unit.state in ("kept", "name") or unit.text.casefold() == unit.form)
            and (
                unit.pos in ("name", "en")
                or (unit.pos in ("n", "nu", "adj") and (last.pos == "en" or last.text[-1:].isdigit()))
                or (unit.pos == "num" and unit.rule == "translate_amount" and unit.text.isalnum())
            )
            and last.end <= unit.start
        ):
            out[-1] = replace(last, text=f"{last.text} {unit.text}", end=unit.end, pos="name", form=f"{last.form} {unit.form}")
        else:
            out.append(unit)
    return out
