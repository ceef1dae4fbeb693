"""Names get their usual capitals back in a question: `akun instagram` → `akun Instagram`."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from rewriter.analysis import Analysis
from rewriter.lexicon.entries import Sense, Translation
from rewriter.lookup import Found, View, longest
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.senses import EVERYDAY, Decision
from rewriter.text import en, id
from rewriter.text.words import Word, as_text, brought_in

__all__ = ["place_case", "restore_capitals", "title_case"]

_FREE = ("", "date")
"""Kinds of protection of words whose case may change."""


LONGEST = 6
"""Tokens of a name in the list of spellings, at most."""


def restore_capitals(words: Sequence[Word], view: View, analysis: Analysis, language: str, resources: Resources) -> tuple[Word, ...]:
    """The words, in their places of `view`, with the capitals that the lexicon knows; a word that has capitals of its own stays as it is.

    By the list of spellings of the templates, then by the names of the lexicon: a name entry, or a sense whose name holds the form.
    A form that is a common word as well (`dana`, `will`) keeps its small letters unless the query's words decided for the name.
    """
    spelling = resources.pack.spelling
    chosen = {d.chosen.sense.id for d in analysis.decisions if d.chosen is not None and d.state == "decided" and _is_sure(d, resources)}
    found: list[tuple[Found, str, str]] = []
    for start in range(len(words)):
        for end in range(min(len(words), start + LONGEST), start, -1):
            cased = spelling(as_text(words[start:end]).casefold())
            if cased:
                found.append((Found(start, end, cased.casefold(), ()), cased, ""))
                break
    phrases = [f for f in view.written if f.end - f.start > 1 and all([isinstance(e, Translation) and e.pos != "name" for e in f.entries])]
    for form in view.written:
        if any([p.start <= form.start and form.end <= p.end and p.end - p.start > form.end - form.start for p in phrases]):
            continue  # `berkembang biak` has nothing of the island of Biak
        if language == "en" and _may_be_verb(words, form, resources):
            continue
        cased, evidence = _cased(form, language, chosen, resources)
        if cased:
            found.append((form, cased, evidence))
    names = {(f.start, f.end): (cased, evidence) for f, cased, evidence in reversed(found)}
    named = [i for f, _, _ in found for i in range(f.start, f.end)]
    out = lower_capitals(words, named, resources) if language == "en" else list(words)
    for item in longest([f for f, _, _ in found]):
        cased, evidence = names[item.start, item.end]
        out[item.start : item.end] = _spell(words[item.start : item.end], cased, evidence)
    if language == "en":
        out = [_recase(w, w.folded.upper()) if _is_abbreviation(w, resources) else w for w in out]
    said = {w.folded for w in out}
    for i, word in enumerate(out):
        before = out[i - 1] if i else None
        if before is not None and (
            (word.folded in ("march", "may") and language == "en" and before.folded in _BEFORE_MONTHS)
            or (word.folded == "earth" and not said.isdisjoint(_PLANETS))
            or (before.folded == "name" and language == "en" and _ends(out, i) and word.folded not in _SMALL)
        ):
            out[i] = _recase(word, word.text[:1].upper() + word.text[1:])
        elif before is not None and language == "en" and word.folded in _CODE - _SMALL_CODES and _ends_place(out, i):
            out[i] = _recase(word, word.folded.upper())
        elif word.guard == "date" and word.text == word.text.lower():
            out[i] = _recase(word, " ".join([spelling(part) or part for part in word.text.split(" ")]))
        elif i and word.folded in _INSTITUTIONS and out[i - 1].folded not in _SMALL and out[i - 1].spoken:
            out[i - 1 : i + 1] = place_case(out[i - 1 : i + 1])
            if i > 1 and out[i - 2].folded in _DIRECTIONS:
                out[i - 2] = place_case(out[i - 2 : i - 1])[0]
    return tuple(out)


def _is_sure(decision: Decision, resources: Resources) -> bool:
    """Is a form that is a word as well (`unity`) a name here by more than a breath?"""
    return max(resources.zipf(decision.found.form)) < EVERYDAY or (decision.chosen is not None and decision.chosen.evidence >= SURE)


SURE = 25
"""Hundredths of a nat that must speak for a name that is a word as well."""


_LETTERS = re.compile(r"[bcdfghjklmnpqrstvwxz]{3,6}\Z")
_NO_LETTERS = frozenset("hmm shh brr psst pls plz thx txt msg pkg ppl bldg mgmt nth nvm btw brb idk lbs mph yrs hrs mins".split())


def _is_abbreviation(word: Word, resources: Resources) -> bool:
    """Is it an abbreviation that is spoken by its letters, having no vowel (`wbtv`, `nfcu`)?"""
    rare = word.folded not in _NO_LETTERS and resources.zipf(word.folded)[1] < COMMON_WORD
    return rare and not word.guard and bool(_LETTERS.match(word.folded))


def _may_be_verb(words: Sequence[Word], form: Found, resources: Resources) -> bool:
    """Is it a common word behind `to` (`how to pin a tweet`)?"""
    behind = form.end - form.start == 1 and form.start > 0 and words[form.start - 1].folded == "to"
    return behind and resources.zipf(form.form)[1] > COMMON_WORD and not resources.is_name(form.form)


_SMALL_CODES = frozenset("in or me hi id ok la oh".split())
"""Codes of states that are words as well."""


def _ends_place(words: Sequence[Word], i: int) -> bool:
    """Is this the last word, right behind one that just got its capital (`kansas city mo`)?"""
    return _ends(words, i) and words[i - 1].rule == "capitalise_name"


def _ends(words: Sequence[Word], i: int) -> bool:
    """Is this the last word?"""
    return i == len(words) - 1 or not words[i + 1].spoken


_BEFORE_MONTHS = frozenset("in of since until during early late mid".split())
_PLANETS = frozenset(
    """
    mercury venus mars jupiter saturn uranus neptune pluto volume mass radius circumference diameter orbit gravity rotation crust
    """.split()
)
"""Planets, and what only the planet has."""


def lower_capitals(words: Sequence[Word], named: Container[int], resources: Resources) -> list[Word]:
    """The capital with which a query began, in small letters, since the word stands within a question; and so a query all in capitals.

    Names keep theirs, and what may be one: a word that is rare, or whose neighbour has a capital as well.
    """
    out = list(words)
    spoken = [w for w in words if w.spoken and not w.guard]
    if len(spoken) > 2 and all([w.text == w.text.upper() for w in spoken]):
        return [_lowered(w) if i not in named and resources.zipf(w.folded)[1] > COMMON_WORD else w for i, w in enumerate(out)]
    if not spoken or words[0].guard or not words[0].text.istitle() or 0 in named or resources.is_name(words[0].folded):
        return out
    verb = words[0].folded in en.VERBS or words[0].folded.endswith(("ing", "est"))
    alone = len(words) > 1 and not words[1].text[:1].isupper()
    if verb or (alone and resources.zipf(words[0].folded)[1] > OPENING):
        out[0] = _lowered(words[0])
    return out


OPENING = 430
"""Zipf 4.3: a word that opens a query with a capital and is rarer may be a firm (`Verizon`)."""
COMMON_WORD = 280
"""Zipf 2.8: a rarer word that begins with a capital may be a name."""


def _lowered(word: Word) -> Word:
    small = word.text.lower()
    return replace(word, text=small, kind="rewrite", rule="lower_capital") if word.kind == "copy" and small != word.text else word


_INSTITUTIONS = frozenset("university college county".split())
_DIRECTIONS = frozenset("north south east west northern southern eastern western central new".split())
"""Parts of names of institutions and counties: `eastern illinois university`, `northampton county`."""


def _cased(found: Found, language: str, chosen: set[str], resources: Resources) -> tuple[str, str]:
    """The spelling of a form, and the entry that has it; two empty strings where it is no name, or maybe none."""
    senses = [e for e in found.entries if isinstance(e, Sense)]
    for sense in senses:
        if sense.id in chosen:
            return _part(found.form, sense), sense.id
    rows = [e for e in found.entries if isinstance(e, Translation)]
    if any([r.pos != "name" for r in rows]):
        return "", ""
    if language == "en" and (found.form in en.FUNCTION or found.form in en.VERBS or (not senses and resources.zipf(found.form)[1] > 520)):
        return "", ""
    if rows:
        return (rows[0].english if rows[0].english.casefold() == found.form else title_case(found.form)), "name"
    parts = {_part(found.form, s) for s in senses}
    if parts == {""} and " " in found.form and all([s.domain.startswith("sport/") for s in senses]):
        return title_case(found.form), senses[0].id  # a club or a team by its nickname
    return (parts.pop(), senses[0].id) if len(parts) == 1 else ("", "")


def _part(form: str, sense: Sense) -> str:
    """The form as it stands within the sense's name; "" where the name does not hold it, or holds it in small letters."""
    for name in (sense.canonical_id, sense.canonical_en):
        hit = re.search(rf"(?<!\w){re.escape(form)}(?!\w)", name, re.IGNORECASE)
        if hit and hit[0] != form:
            return hit[0]
    return ""


def _spell(words: Sequence[Word], cased: str, evidence: str) -> list[Word]:
    """The words in the letters of `cased`, which differ in case alone."""
    out, at = [], 0
    for word in words:
        at = cased.casefold().find(word.folded, at)
        text = cased[at : at + len(word.text)] if at >= 0 else word.text
        at = max(at, 0) + len(word.text)
        out.append(_recase(word, text, evidence))
    return out


def _recase(word: Word, text: str, evidence: str = "") -> Word:
    if word.guard not in _FREE or word.text != word.text.lower() or text.casefold() != word.folded or text == word.text:
        return word
    kind = "rewrite" if word.kind == "copy" else word.kind
    if word.rule != "copy_query":
        return replace(word, text=text, kind=kind)
    return replace(word, text=text, kind=kind, rule="capitalise_name", evidence=(evidence,) if evidence else ())


_SMALL = (
    en.FUNCTION
    | id.FUNCTION
    | frozenset("area today tomorrow now right week month weather degrees troubleshooting billing reservations returns complaints".split())
)


def title_case(text: str) -> str:
    """Every word but the small ones with a capital.

    >>> title_case("kota di atas awan"), title_case("playa del carmen")
    ('Kota di Atas Awan', 'Playa Del Carmen')
    """
    return " ".join([w if w in _SMALL and i else w[:1].upper() + w[1:] for i, w in enumerate(text.split(" "))])


_CODE = frozenset(
    """al ak az ar ca co ct de fl ga hi id il ia ks ky la ma md mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri sc sd tn tx ut vt
    va wa wv wi wy uk usa uae dc""".split()
)
"""Codes of states and countries behind the name of a place."""


def place_case(words: Sequence[Word]) -> list[Word]:
    """The words of a slot that holds the name of a place or a person: each with a capital, codes of states in capitals."""
    out = []
    for i, word in enumerate(words):
        if (
            i
            and (word.space or words[i - 1].text == ",")
            and word.folded in _CODE
            and (i == len(words) - 1 or not words[i - 1].spoken or words[i + 1].folded in ("area", "in", "on"))
        ):
            small = word.folded in ("in", "or", "me", "hi", "id") and words[i - 1].spoken
            out.append(word if small else _recase(word, word.folded.upper()))
        elif word.folded == "us" and i:
            out.append(_recase(word, "US"))
        elif word.folded in _SMALL or brought_in(word) or not word.text[:1].isalpha():
            out.append(word)
        else:
            out.append(_recase(word, word.text[:1].upper() + word.text[1:]))
    return out
