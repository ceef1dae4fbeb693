"""Finding lexicon forms in words: in the query as written, and in its normal form (slang, clitics, reduplication)."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.lexicon.entries import Entry, Jargon, Sense, Slang, Translation
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import id
from rewriter.text.words import Word

__all__ = ["Found", "Normal", "View", "forms_of_kind", "longest", "read_view"]

ENGLISH_WORD = 350
"""Zipf 3.5 in English: a slang key as common as that needs a neighbour, or an Indonesian query, to be slang."""


@record
class Normal:
    """A word in normal form, and the words as written that it comes from: `origin` to `until`, half-open."""

    folded: str
    origin: int
    until: int
    plural: bool = False


@record
class Found:
    """A form at `words[start:end]`, with the entries of that form; `form` as the lexicon has it."""

    start: int
    end: int
    form: str
    entries: tuple[Entry, ...]


@record
class View:
    """A list of words with everything the lexicon knows about it, read once.

    `texts` are the folded words in normal form.  `written` are the forms over the words as written, `spoken` those over the words in
    normal form (indices of `normal`); the same list where both are the same.
    """

    words: tuple[Word, ...]
    normal: tuple[Normal, ...]
    texts: list[str]
    written: tuple[Found, ...]
    spoken: tuple[Found, ...]


def read_view(words: tuple[Word, ...], language: str, resources: Resources) -> View:
    """Look the words up as written, put them into normal form, and look that up too where it differs."""
    folded = [w.folded for w in words]
    written = _find_forms(folded, [w.space for w in words], resources)
    normal = _normal_words(words, folded, written, language, resources)
    texts = [n.folded for n in normal]
    changed = texts != folded or not all([w.space for w in words[1:]])
    spoken = _find_forms(texts, [True] * len(normal), resources) if changed else written
    return View(words, normal, texts, written, spoken)


def forms_of_kind(view: View, kind: int) -> list[Found]:
    """Forms of one kind of entry, as written and in normal form, all with indices of the words as written."""
    found = [f for f in [_only(f, kind, f.start, f.end) for f in view.written] if f is not None]
    if view.spoken is view.written:
        return found
    normal = view.normal
    spoken = [_only(f, kind, normal[f.start].origin, normal[f.end - 1].until) for f in view.spoken]
    once: dict[tuple[int, int, str], Found] = {}  # a form has its entries: place and form say all
    for f in (*found, *spoken):
        if f is not None:
            once.setdefault((f.start, f.end, f.form), f)
    return list(once.values())


def _only(found: Found, kind: int, start: int, end: int) -> Found | None:
    entries = found.entries
    for entry in entries:
        if entry.KIND != kind:
            entries = tuple([e for e in entries if e.KIND == kind])
            break
    if not entries:
        return None
    if entries is found.entries and start == found.start and end == found.end:
        return found
    return Found(start, end, found.form, entries)


def _find_forms(texts: Sequence[str], spaces: Sequence[bool], resources: Resources) -> tuple[Found, ...]:
    """All forms over a sequence of folded words, each word's beginning and end a boundary.

    `spaces[i]` says whether white space stands before word `i`.
    """
    starts: list[int] = []
    ends: dict[int, int] = {}
    parts: list[str] = []
    at = 0
    for i, text in enumerate(texts):
        if at and spaces[i]:
            parts.append(" ")
            at += 1
        starts.append(at)
        parts.append(text)
        at += len(text)
        ends[at] = i + 1
    line = "".join(parts)
    found: list[Found] = []
    for i, start in enumerate(starts):
        for end, entries in resources.starting_at(line, start, ends):
            found.append(Found(i, ends[end], line[start:end], entries))
    return tuple(found)


def longest(found: Sequence[Found]) -> list[Found]:
    """Longest first, ties to a form that begins with a content word, then to the left; no overlaps; in order of place.

    The field's rule (spaCy's `filter_spans`), but for the first tie: `di tempat umum` is `di` + `tempat umum`.
    """
    taken: set[int] = set()
    kept: list[Found] = []
    for item in sorted(found, key=lambda f: (f.start - f.end, f.form.split(" ", 1)[0] in id.FUNCTION, f.start, f.form)):
        places = range(item.start, item.end)
        if not taken.intersection(places):
            taken.update(places)
            kept.append(item)
    return sorted(kept, key=lambda f: f.start)


def _normal_words(
    words: Sequence[Word], texts: Sequence[str], written: Sequence[Found], language: str, resources: Resources
) -> tuple[Normal, ...]:
    """The words in normal form: slang spelled out, clitics off known words, `buku2` as a plural."""
    slang = _slang_spans(words, texts, written, language, resources)
    entries = {f.start for f in written if f.end == f.start + 1 and any([e.KIND != Slang.KIND for e in f.entries])}
    twice = frozenset() if language == "en" else _said_twice(words, texts, written, resources)
    out: list[Normal] = []
    i = 0
    while i < len(words):
        hit = slang.get(i)
        if hit is not None:
            end, entry = hit
            if entry.normal != "-":
                out += [_spelled_out(part, i, end) for part in entry.normal.lower().split()]
            elif end == len(words) and not out:
                out.append(Normal(texts[i], i, end))
            i = end
            continue
        if i in twice:  # `retak retak` is `retak-retak`
            known = f"{texts[i]}-{texts[i]}"
            out.append(Normal(known, i, i + 2) if resources.translations(known) else Normal(texts[i], i, i + 2, plural=True))
            i += 2
            continue
        out.append(Normal(texts[i], i, i + 1) if i in entries else _bare(words[i], i, language, resources))
        i += 1
    return tuple(out)


def _said_twice(words: Sequence[Word], texts: Sequence[str], written: Sequence[Found], resources: Resources) -> frozenset[int]:
    """Indices of Indonesian words that stand twice, where the pair is no form of its own (`gado gado`, `hati hati`)."""
    pairs = {f.start for f in written if f.end - f.start > 1}
    found = set()
    for i in range(len(texts) - 1):
        if texts[i] == texts[i + 1] and len(texts[i]) > 3 and texts[i].isalpha() and i not in pairs and i - 1 not in found:
            in_id, in_en = resources.zipf(texts[i])
            if in_id > in_en and not words[i].guard and not words[i + 1].guard:
                found.add(i)
    return frozenset(found)


def _spelled_out(part: str, i: int, end: int) -> Normal:
    """A word that slang was spelled out to; `teman-teman` (from `temen2`) is the plural of `teman`."""
    single = id.expand_reduplication(part)
    return Normal(single or part, i, end, plural=bool(single))


_SPOKEN = frozenset({Slang.KIND, Jargon.KIND})
"""Entries whose forms are what people say, slang and all: a word in them may well be slang."""


def _slang_spans(
    words: Sequence[Word], texts: Sequence[str], written: Sequence[Found], language: str, resources: Resources
) -> dict[int, tuple[int, Slang]]:
    found = [s for f in written if (s := _only(f, Slang.KIND, f.start, f.end)) is not None]
    if not found:
        return {}
    phrases = {i for f in written if f.end - f.start > 1 and any([e.KIND not in _SPOKEN for e in f.entries]) for i in range(f.start, f.end)}
    found = [f for f in found if f.start not in phrases]  # "harta gono gini": a word of a known phrase is no slang
    spans: dict[int, tuple[int, Slang]] = {}
    for item in longest([f for f in found if not any([w.guard for w in words[f.start : f.end]])]):
        around = {*texts[: item.start], *texts[item.end :]}
        fitting = [e for e in item.entries if isinstance(e, Slang) and _slang_holds(e, item.form, around, language, resources)]
        if fitting:
            spans[item.start] = (item.end, min(fitting, key=lambda e: (not e.when, e.normal)))
    return spans


def _slang_holds(entry: Slang, form: str, around: set[str], language: str, resources: Resources) -> bool:
    """Guards: the language must fit; a key that is a common English word needs its neighbours, or an Indonesian query."""
    if entry.language == "en":
        return (
            language in ("en", "mixed")
            and (not entry.when or not around.isdisjoint(entry.when))
            and (language == "en" or resources.zipf(form)[0] < resources.zipf(form)[1])
        )
    if entry.when:
        return language != "en" and not around.isdisjoint(entry.when)
    in_id, in_en = resources.zipf(form)
    if in_en >= ENGLISH_WORD and in_en > in_id - 100:
        return language == "id"
    return language != "en"


def _bare(word: Word, i: int, language: str, resources: Resources) -> Normal:
    """A word that has no entry as it stands: its reduplication or clitic undone, where a known word is left."""
    text = word.folded
    if word.guard or language == "en" or len(text) < 4:
        return Normal(text, i, i + 1)
    if "-" in text or text.endswith("2"):
        single = id.expand_reduplication(text)
        if single and _known(single, resources):
            return Normal(single, i, i + 1, plural=True)
    if text.endswith(("nya", "ku", "mu", "nyalah", "nyakah", "nyapun")):
        cut = id.detach_clitic(text)
        if cut and _known(cut[0], resources):
            return Normal(cut[0], i, i + 1)
    return Normal(text, i, i + 1)


def _known(text: str, resources: Resources) -> bool:
    in_id, in_en = resources.zipf(text)
    return bool(in_id) or any(isinstance(e, (Translation, Sense)) for e in resources.exact(text)) or (bool(in_en) and len(text) >= 4)
