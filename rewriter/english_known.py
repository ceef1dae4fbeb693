"""English phrases that name something as known (`that era`, `the tickets`, `a new one`), and a new element for an earlier question."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.english_pronouns import AUXILIARY
from rewriter.lean import FAINT, Lean, is_empty, is_named
from rewriter.resources import Resources
from rewriter.text import en
from rewriter.text.reference import (
    ADJECTIVES,
    BETWEEN,
    CORRECTIONS,
    KINDS,
    PLACING,
    TALK,
    TIMES,
    UNIQUE,
    VERB_FORMS,
    is_superlative,
)
from rewriter.text.words import Word

__all__ = [
    "COMMON",
    "is_common",
    "see_about",
    "see_correction",
    "see_definite",
    "see_demonstrative",
    "see_fragment",
    "see_one",
    "see_there",
]

COMMON = 400
"""Zipf frequency in hundredths from which a noun is too common to be a topic of its own (`food`, `cake`; not `anemia`)."""


def see_demonstrative(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`that era`, `this tradition`, `those technologies`, `such a continent`."""
    for i in range(first, last - 1):
        word = words[i].folded
        if word not in ("this", "that", "these", "those") or (
            i > first and is_named(words, i - 1) and words[i - 1].folded not in VERB_FORMS
        ):
            continue
        end = _phrase_end(words, i + 1, last)
        if end == i + 1 or words[i + 1].folded in VERB_FORMS or words[end - 1].folded in TIMES:
            continue
        if end - i > 3 or any([words[j].text[:1].isupper() for j in range(i + 1, end)]):
            continue
        return Lean("demonstrative", i, end, words[end - 1].folded, first, last)
    return None


def _phrase_end(words: Sequence[Word], start: int, last: int) -> int:
    """Index behind the noun phrase that begins at `start`: adjectives and nouns, attributes among them."""
    end = start
    while end < last and words[end].spoken and not words[end].guard and (not is_empty(words[end]) or words[end].folded in ("most",)):
        if words[end].folded in VERB_FORMS and end > start:
            break
        end += 1
    return end


def see_one(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`a new one`, `the most important ones`, `which one`: a noun said before."""
    for i in range(first + 1, last):
        if words[i].folded not in ("one", "ones") or words[i].guard:
            continue
        after = words[i + 1].folded if i + 1 < last else ""
        before = words[i - 1].folded
        if after == "of" or (
            words[i].folded == "one"
            and not (before in ("a", "an", "the", "this", "that", "which", "each") or before in ADJECTIVES or not is_empty(words[i - 1]))
        ):
            continue
        return Lean("one", i, i + 1, "one", first, last)
    return None


def see_definite(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`the tickets`, `the side effects`, `the team`: definite and not said of what."""
    for i in range(first, last - 1):
        if words[i].folded != "the":
            continue
        end = _phrase_end(words, i + 1, last)
        if end == i + 1 or end - i > 4:
            continue
        after = words[end].folded if end < last else ""
        noun = words[end - 1].folded
        if after in BETWEEN or noun in UNIQUE or noun in TIMES or any([words[j].text[:1].isupper() for j in range(i + 1, end)]):
            continue
        if after in ("and", "or") and any([w.folded in BETWEEN for w in words[end : end + 4]]):
            continue  # `the pros and cons of …`
        if is_superlative(words[i + 1].folded) and noun.endswith("ing"):
            return Lean("bare", end, end, "", first, last)  # `the best selling`
        if is_superlative(noun) or noun in ADJECTIVES or noun in VERB_FORMS or noun.endswith("'s") or after == "'s":
            continue
        if not is_common(words[end - 1], resources) and noun not in en.ATTRIBUTES and noun not in en.GENERIC:
            continue  # `the phenylalanine` says itself what it is
        if end - i > 2 and any([is_named(words, j) and not is_common(words[j], resources) for j in range(i + 1, end)]):
            continue  # `the fossil records`: said
        return Lean("definite", i, end, noun, first, last)
    return None


def is_common(word: Word, resources: Resources, least: int = COMMON) -> bool:
    """A word that many talks share."""
    return not word.guard and not word.text[:1].isupper() and resources.zipf(word.folded)[1] >= least


def see_about(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`what about the pro`, `how about on the bbq?`, `and Jared?`, `and in the US?`: the earlier question with something new."""
    start = first
    while start < last and (not words[start].spoken or words[start].folded in TALK):
        start += 1
    texts = [w.folded for w in words[start:last]]
    if texts[:2] in (["what", "about"], ["how", "about"]):
        end = start + 2
    elif texts[:1] and texts[0] in ("vs", "versus") and sum([w.spoken for w in words[start:last]]) <= 4:
        end = start
    elif texts[:1] and texts[0] in ("and", "or", "but", "also") and sum([w.spoken for w in words[start:last]]) <= 5:
        end = start + 1
        if any([t in en.QUESTION or t in AUXILIARY for t in texts[1:3]]):
            return None
    else:
        return None
    if end >= last or not any([w.spoken for w in words[end:last]]):
        return None
    return Lean("about", start, end, "", first, last)


def see_fragment(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`on windows?`, `near the beach`, `in red`: a phrase with a preposition, added to the earlier question."""
    start = first
    while start < last and words[start].folded in ("any", "only", "but", "and"):
        start += 1
    texts = [w.folded for w in words[start:last] if w.spoken]
    if not 2 <= len(texts) <= 4 or texts[0] not in PLACING or any([t in en.QUESTION or t in AUXILIARY or t in en.VERBS for t in texts]):
        return None
    known = texts[1].isdigit() or any([t in kind for t in texts for kind in KINDS])
    if words[last - 1].text[:1] == "?" or texts[1] in ("the", "a", "an", "my") or known:
        return Lean("about", first, start, "", first, last)
    return Lean("about", first, start, FAINT, first, last) if len(texts) == 2 and start == first else None


def see_there(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`how do I get there?`: a place named before."""
    for i in range(first + 1, last):
        if words[i].folded == "there" and words[i - 1].folded in ("get", "go", "going", "been", "live", "stay", "from", "do", "eat", "see"):
            return Lean("there", i, i + 1, "there", first, last)
    return None


def see_correction(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`No, I mean cardio.`: the earlier question with another element."""
    texts = [w.folded for w in words[first:last]]
    at = next((k for k in range(len(texts) - 1) if texts[k] == "i" and texts[k + 1] in CORRECTIONS), None)
    if (
        at is None
        or sum([w.spoken for w in words[first:last]]) > 8
        or any([w.spoken and w.folded not in TALK for w in words[first : first + at]])
    ):
        return None
    return Lean("about", first + at, first + at + 2, "", first, last)
