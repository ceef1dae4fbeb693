"""Finding lexicon forms in words: in the query as written, and in its normal form (slang, clitics, reduplication)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rewriter.lexicon.entries import Entry, Jargon, Sense, Slang, Translation
from rewriter.resources import Resources
from rewriter.text import id
from rewriter.text.words import Word

__all__ = ["Found", "Normal", "find_forms", "longest", "normal_words"]

ENGLISH_WORD = 350
"""Zipf 3.5 in English: a slang key as common as that needs a neighbour, or an Indonesian query, to be slang."""


@dataclass(frozen=True, slots=True)
class Normal:
    """A word in normal form, and the index of the word as written that it comes from."""

    folded: str
    origin: int
    plural: bool = False
    clitic: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A form at `words[start:end]`, with the entries of that form; `form` as the lexicon has it."""

    start: int
    end: int
    form: str
    entries: tuple[Entry, ...]


def find_forms(texts: Sequence[str], spaces: Sequence[bool], resources: Resources, entry_filter: Callable[[Entry], bool]) -> list[Found]:
    """All forms over a sequence of folded words, each word's beginning and end a boundary.

    `spaces[i]` says whether white space stands before word `i`.
    """
    starts: list[int] = []
    ends: dict[int, int] = {}
    parts: list[str] = []
    at = 0
    for i, (text, space) in enumerate(zip(texts, spaces, strict=True)):
        if space and at:
            parts.append(" ")
            at += 1
        starts.append(at)
        parts.append(text)
        at += len(text)
        ends[at] = i + 1
    line = "".join(parts)
    found: list[Found] = []
    for i, start in enumerate(starts):
        for end, entries in resources.starting_at(line, start):
            stop = ends.get(end)
            if stop is None:
                continue
            kept = tuple([e for e in entries if entry_filter(e)])
            if kept:
                found.append(Found(i, stop, line[start:end], kept))
    return found


def longest(found: Sequence[Found]) -> list[Found]:
    """Longest first, ties to the left, no overlaps; in order of place (the field's rule, as spaCy's `filter_spans`)."""
    taken: set[int] = set()
    kept: list[Found] = []
    for item in sorted(found, key=lambda f: (f.start - f.end, f.start, f.form)):
        places = range(item.start, item.end)
        if not taken.intersection(places):
            taken.update(places)
            kept.append(item)
    return sorted(kept, key=lambda f: f.start)


def normal_words(words: Sequence[Word], language: str, resources: Resources) -> tuple[Normal, ...]:
    """The words in normal form: slang spelled out, clitics off known words, `buku2` as a plural."""
    texts = [w.folded for w in words]
    slang = _slang_spans(words, texts, language, resources)
    out: list[Normal] = []
    i = 0
    while i < len(words):
        hit = slang.get(i)
        if hit is not None:
            end, entry = hit
            if entry.normal != "-":
                out += [Normal(part, i, rule="expand_slang") for part in entry.normal.lower().split()]
            elif end == len(words) and not out:
                out.append(Normal(texts[i], i))
            i = end
            continue
        out.append(_bare(words[i], i, language, resources))
        i += 1
    return tuple(out)


def _slang_spans(words: Sequence[Word], texts: Sequence[str], language: str, resources: Resources) -> dict[int, tuple[int, Slang]]:
    found = find_forms(texts, [w.space for w in words], resources, lambda e: isinstance(e, Slang))
    spans: dict[int, tuple[int, Slang]] = {}
    for item in longest([f for f in found if not any(w.guard for w in words[f.start : f.end])]):
        around = {*texts[: item.start], *texts[item.end :]}
        fitting = [e for e in item.entries if isinstance(e, Slang) and _slang_holds(e, item.form, around, language, resources)]
        if fitting:
            spans[item.start] = (item.end, min(fitting, key=lambda e: (not e.when, e.normal)))
    return spans


def _slang_holds(entry: Slang, form: str, around: set[str], language: str, resources: Resources) -> bool:
    """Guards: the language must fit; a key that is a common English word needs its neighbours, or an Indonesian query."""
    if entry.language == "en":
        return language in ("en", "mixed") and (not entry.when or not around.isdisjoint(entry.when)) and (
            language == "en" or resources.zipf(form)[0] < resources.zipf(form)[1]
        )
    if entry.when:
        return language != "en" and not around.isdisjoint(entry.when)
    in_id, in_en = resources.zipf(form)
    if in_en >= ENGLISH_WORD and in_en > in_id - 100:
        return language == "id" and in_id > in_en
    return language != "en"


def _bare(word: Word, i: int, language: str, resources: Resources) -> Normal:
    text = word.folded
    if word.guard or language == "en" or len(text) < 4:
        return Normal(text, i)
    if "-" in text or text.endswith("2"):
        doubled = id.expand_reduplication(text)
        if doubled and not _is_entry(text, resources) and _known(doubled[0], resources):
            return Normal(doubled[0], i, plural=True, rule="expand_reduplication")
    if text.endswith(("nya", "ku", "mu", "nyalah", "nyakah", "nyapun")):
        cut = id.detach_clitic(text)
        if cut and not _is_entry(text, resources) and _known(cut[0], resources):
            return Normal(cut[0], i, clitic=cut[1], rule="detach_clitic")
    return Normal(text, i)


def _is_entry(text: str, resources: Resources) -> bool:
    return any(isinstance(e, (Translation, Sense, Jargon)) for e in resources.exact(text))


def _known(text: str, resources: Resources) -> bool:
    in_id, in_en = resources.zipf(text)
    return bool(in_id) or any(isinstance(e, (Translation, Sense)) for e in resources.exact(text)) or (bool(in_en) and len(text) >= 4)
