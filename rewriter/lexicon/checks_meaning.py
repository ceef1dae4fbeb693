"""Checks of what entries mean together: near doubles, circles, the wrong language, what nothing can reach, where imports come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rewriter.lexicon.collection import Collection, Place, name_of, place_of
from rewriter.lexicon.entries import Entry, Jargon, Sense, Slang, Translation
from rewriter.lexicon.parse import Located
from rewriter.text.normalise import fold

__all__ = [
    "canonical_is_a_sibling_form", "english_is_indonesian", "entry_is_unreachable", "example_is_unreadable", "indonesian_is_english",
    "licence_is_missing", "meaning_is_nearly_repeated", "names_go_in_a_circle", "status_has_no_reviewer",
]  # fmt: skip

OWN_SOURCES = frozenset({"", "curated", "test"})
"""What was written for this lexicon; anything else came from elsewhere and has a licence."""
SHORTEST = 6
"""Letters of a form of which one more or less is a slip and no other word."""
CLEARLY = 100
"""One Zipf unit: ten times as frequent in one language as in the other."""
_OF_ENGLISH = frozenset("the of and for with by from that which an its or who your their to is are was on".split())
_OF_INDONESIAN = frozenset("yang dan untuk dengan dari adalah oleh pada atau sebagai dalam tidak bukan ini itu para ke".split())
"""Words that hold a phrase of one language together, and are none in the other."""


def licence_is_missing(c: Collection) -> Iterator[Place]:
    """An entry from elsewhere names its licence; give `licence`, or rewrite the entry from knowledge and call it `curated`."""
    for item in c.live:
        source = str(item.fields.get("source", "")).strip()
        if source not in OWN_SOURCES and not str(item.fields.get("licence", "")).strip():
            yield place_of(item, f"{name_of(item.entry)} has the source {source!r}")


def example_is_unreadable(c: Collection) -> Iterator[Place]:
    """An example has a `query` and what is expected (`sense`, or a field of a case file); `lexicon test` runs it."""
    for item in c.live:
        examples = item.fields.get("examples", ())
        rows = examples if isinstance(examples, (list, tuple)) else [examples]
        for number, row in enumerate(rows, 1):
            query = row.get("query") if isinstance(row, Mapping) else None
            if not isinstance(query, str) or not query.strip():
                yield place_of(item, f"{name_of(item.entry)}, example {number}")


def status_has_no_reviewer(c: Collection) -> Iterator[Place]:
    """A review has a reviewer and a date, or neither; give both."""
    for item in c.items:
        has = [bool(str(item.fields.get(name, "")).strip()) for name in ("reviewer", "reviewed")]
        if any(has) and not all(has):
            yield place_of(item, name_of(item.entry))


def meaning_is_nearly_repeated(c: Collection) -> Iterator[Place]:
    """An entry in another file has nearly the same form and the same meaning; make them one entry with both forms."""
    groups: dict[tuple[str, ...], list[tuple[Located, tuple[str, ...]]]] = {}
    for item, sense in c.senses:
        groups.setdefault(("sense", fold(sense.canonical_en), fold(sense.canonical_id)), []).append((item, sense.forms))
    for item, jargon in c.jargon:
        key = ("jargon", *map(fold, jargon.expert_id), "|", *map(fold, jargon.expert_en))
        groups.setdefault(key, []).append((item, jargon.forms))
    for members in groups.values():
        for n, (item, forms) in enumerate(members):
            for other, others in members[:n]:
                pair = _near_pair(forms, others) if other.file != item.file else None
                if pair:
                    yield place_of(item, f"{pair[0]!r}, and {pair[1]!r} of {name_of(other.entry)} at {other.file}:{other.line}")
                    break


def _near_pair(forms: Sequence[str], others: Sequence[str]) -> tuple[str, str] | None:
    """Two forms that one slip of the hand, a space or a hyphen parts; equal ones have checks of their own."""
    try:
        from rapidfuzz.distance import OSA
    except ImportError:  # an installation without the curation extras lints what it can
        return None
    for a in forms:
        for b in others:
            if a != b and min(len(a), len(b)) >= SHORTEST and abs(len(a) - len(b)) <= 1 and OSA.distance(a, b, score_cutoff=1) <= 1:
                return a, b
    return None


def canonical_is_a_sibling_form(c: Collection) -> Iterator[Place]:
    """The canonical names of a sense are forms of another sense, so that the rewritten query is as open as before; write what tells."""
    for form, senses in c.ambiguous.items():
        for item, sense in senses:
            names = {fold(sense.canonical_en), fold(sense.canonical_id)}
            if names == {form}:
                other = next(s for _, s in senses if s is not sense)
                yield place_of(item, f"{name_of(sense)} is called {form!r}, a form of {name_of(other)}")


def names_go_in_a_circle(c: Collection) -> Iterator[Place]:
    """A leads to B and B back to A, so that two rewrites undo each other; keep one direction."""
    targets: dict[tuple[str, str], list[tuple[str, Located]]] = {}
    for item in c.live:
        kind = item.entry.language if isinstance(item.entry, Slang) else str(item.entry.KIND)  # one variant takes from one kind
        for form, target in _leads(item.entry):
            if target != form:
                targets.setdefault((kind, form), []).append((target, item))
    seen: set[frozenset[str]] = set()
    for (kind, form), ways in targets.items():
        for target, item in ways:
            for back, other in targets.get((kind, target), ()):
                if back == form and other is not item and frozenset((form, target)) not in seen:
                    seen.add(frozenset((form, target)))
                    yield place_of(item, f"{form!r} → {target!r}, and back by {name_of(other.entry)} at {other.file}:{other.line}")


def _leads(entry: Entry) -> Iterator[tuple[str, str]]:
    """Form → what it is rewritten to in the same language."""
    if isinstance(entry, Slang):
        yield entry.form, fold(entry.normal)
    elif isinstance(entry, Sense):
        for form in entry.forms:
            yield form, fold(entry.canonical_id)
    elif isinstance(entry, Jargon) and entry.direction != "expert-to-lay" and not entry.cues:
        for form in entry.forms:
            for term in entry.expert_id[:1]:
                yield form, fold(term)


def english_is_indonesian(c: Collection) -> Iterator[Place]:
    """A text that should be English is held together by Indonesian words; translate it, or move it to the Indonesian field."""
    for item, name, text in _texts(c, "en"):
        if _held_by(text, _OF_INDONESIAN, _OF_ENGLISH, lambda word: c.zipf(word)[1] - c.zipf(word)[0]):
            yield place_of(item, f"{name_of(item.entry)} has {name} = {text!r}")


def indonesian_is_english(c: Collection) -> Iterator[Place]:
    """A text that should be Indonesian is held together by English words; translate it, or move it to the English field."""
    for item, name, text in _texts(c, "id"):
        if _held_by(text, _OF_ENGLISH, _OF_INDONESIAN, lambda word: c.zipf(word)[0] - c.zipf(word)[1]):
            yield place_of(item, f"{name_of(item.entry)} has {name} = {text!r}")


def _held_by(text: str, these: frozenset[str], others: frozenset[str], leans: Callable[[str], int]) -> bool:
    """Are these words in it and none of the others, and is no word one that only the right language has (`leans`: how much more)?"""
    spelt = text.split()
    if len(spelt) < 3:
        return False
    named = [n for n, word in enumerate(spelt) if word[:1].isupper()]
    inside = range(named[0], named[-1]) if named else range(0)  # of a title, which may be of any language
    words = [fold(word).strip(",.;:()") for n, word in enumerate(spelt) if n not in inside]
    if len(words) < 3 or not any(w in these for w in words) or any(w in others for w in words):
        return False
    return not any(leans(w) > CLEARLY for w in words if w not in these)


def _texts(c: Collection, language: str) -> Iterator[tuple[Located, str, str]]:
    """Glosses of a language; canonical names and terms may well be names of the other one."""
    for item in c.live:
        if isinstance(item.entry, (Sense, Jargon)):
            gloss = item.fields.get("gloss")
            text = gloss.get(language) if isinstance(gloss, Mapping) else item.fields.get(f"gloss.{language}")
            if isinstance(text, str):
                yield item, f"gloss.{language}", text
        elif isinstance(item.entry, Translation) and language == "en" and item.entry.pos != "name":
            yield item, "en", item.entry.english


def entry_is_unreachable(c: Collection) -> Iterator[Place]:
    """Nothing that anybody types can reach the entry; give it cues or neighbours that can stand beside it, or delete it."""
    longer = frozenset(form for item in c.live for form in _forms(item.entry) if " " in form)
    for item in c.live:
        entry = item.entry
        if isinstance(entry, Sense) and entry.needs_cue:
            for form in entry.forms:
                why = _never_evident(form, entry.cues, entry.forms, longer)
                if why:
                    yield place_of(item, f"{name_of(entry)} needs a cue, and {why}")
                    break
        elif isinstance(entry, (Translation, Slang)) and entry.when:
            own = set(entry.form.split())
            if own.issuperset(entry.when):
                yield place_of(item, f"{name_of(entry)} is chosen by {', '.join(entry.when)}, which are words of its own form")


def _never_evident(form: str, cues: Sequence[str], forms: Sequence[str], longer: frozenset[str]) -> str:
    """Why no cue can ever speak for a form; "" where one can."""
    own = set(form.split())
    left = [cue for cue in cues if not own.issuperset(cue.split())]
    if not left:
        return f"all its cues are words of {form!r}" if cues else "it has none"
    if all(text in longer and text not in forms for cue in left for text in (f"{form} {cue}", f"{cue} {form}")):
        return f"{form!r} beside any of them is a longer form, which wins"
    return ""


def _forms(entry: Entry) -> tuple[str, ...]:
    return entry.forms if isinstance(entry, (Sense, Jargon)) else (entry.form,)
