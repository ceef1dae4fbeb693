"""Pronouns in an English query: which of them something before them can be meant by, and which mean nothing at all."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.lean import Lean, is_named
from rewriter.text import en
from rewriter.text.reference import (
    ADJECTIVES,
    DUMMY_ADJECTIVES,
    PLACING,
    PLURAL_PRONOUNS,
    POSSESSIVES,
    UNIQUE,
    VERB_FORMS,
    is_plural,
)  # fmt: skip
from rewriter.text.words import Word

__all__ = ["AUXILIARY", "is_dummy", "see_pronoun"]

AUXILIARY = en.AUXILIARIES | {"'s", "'re", "be", "been", "being"}
_PERSONAL = frozenset("they them their theirs he him his she her hers".split())


def see_pronoun(words: Sequence[Word], first: int, last: int, begin: int) -> Lean | None:
    """A pronoun that nothing before it in the query can be meant by."""
    for i in range(first, last):
        word = words[i].folded
        if words[i].guard or (words[i].text.isupper() and len(words[i].text) > 1):
            continue
        if word in _PERSONAL:
            if _is_bound(words, i, first, begin, word):
                return None
            return Lean("person", i, i + 1, word, first, last)
        if word in ("it", "its") and not (i and _is_fixed(words, i, last)):
            if word == "it" and is_dummy(words, i, last):
                continue
            if _is_bound(words, i, first, begin, word):
                return None
            return Lean("pronoun", i, i + 1, word, first, last)
        if word == "both" and (i + 1 >= last or not words[i + 1].spoken):
            return None if _is_bound(words, i, first, begin, "they") else Lean("pronoun", i, i + 1, "they", first, last)
        if word in ("this", "that", "these", "those") and _stands_alone(words, i, first, last):
            if _is_bound(words, i, first, begin, word):
                return None
            return Lean("pronoun", i, i + 1, word, first, last)
    return None


def _is_fixed(words: Sequence[Word], i: int, last: int) -> bool:
    """`worth it`, `call it a day`, `make it to the top`; not so `make it vegan`."""
    before, after = words[i - 1].folded, words[i + 1].folded if i + 1 < last and words[i + 1].spoken else ""
    return before in ("worth", "call") or (before in ("make", "made") and after in ("", "to"))


def _is_bound(words: Sequence[Word], i: int, first: int, begin: int, pronoun: str) -> bool:
    """Is something that fits named before the pronoun: in another clause or sentence, or as the subject before a possessive?"""
    start = first if pronoun in POSSESSIVES else begin
    stop = i
    if pronoun not in POSSESSIVES:  # in its own clause a pronoun means nothing that stands there
        while stop > begin and not (stop < i and _parts(words, stop)):
            stop -= 1
    named = [j for j in range(start, stop) if is_named(words, j) and words[j].folded not in UNIQUE]
    if not named:
        return False
    if pronoun in PLURAL_PRONOUNS:
        return any([is_plural(words[j].text) or words[j].text[:1].isupper() for j in named]) or any(
            [words[j].folded == "and" for j in range(start, stop)]
        )
    if pronoun in ("it", "its", "this", "that"):
        return any([not is_plural(words[j].text) for j in named])
    return any([words[j].text[:1].isupper() for j in named if j])


def _parts(words: Sequence[Word], i: int) -> bool:
    """Does a clause end at this word?"""
    return words[i].text in (",", ".", "?", "!", ";", ":") or words[i].folded in (
        "and",
        "but",
        "because",
        "if",
        "when",
        "while",
        "so",
        "or",
    )


def is_dummy(words: Sequence[Word], i: int, last: int) -> bool:
    """`how long does it take to …`, `is it better to …`, `what is it like to …`, `it rains`: nothing is meant by `it`."""
    after = [w.folded for w in words[i + 1 : last]]
    before = words[i - 1].folded if i else ""
    if {"rain", "snow"} & set(after[:4]):
        return True
    if after[:1] and after[0] in ("rain", "snow", "raining", "snowing", "rains", "snows", "seems", "turns"):
        return True
    if after[:1] and after[0] in ("take", "takes", "cost", "costs", "took", "mean") and {"to", "for"} & set(after[1:3]):
        return True
    if after[:1] == ["like"] and len([a for a in after if a.isalnum()]) > 1:
        return True
    be = before in _BE or bool(after[:1] and after[0] in _BE)
    if not be:
        return False
    for k, word in enumerate(after[:5]):
        if word in ("to", "that", "if", "when", "whether", "for") and k and after[k - 1] in DUMMY_ADJECTIVES:
            rest = after[k + 1 :]
            gap = word == "to" and (len(rest) < 2 or not rest[1].isalnum() or rest[1] in PLACING)  # "is it safe to eat in summer"
            return not gap and (word != "for" or "to" in rest)
    return False


_BE = frozenset("is was 's be isn't wasn't".split())


def _stands_alone(words: Sequence[Word], i: int, first: int, last: int) -> bool:
    """`is that true`, `how does this work`, `why is that?`; not `this phone`, `the phone that breaks`."""
    after = words[i + 1].folded if i + 1 < last else ""
    before = words[i - 1].folded if i > first else ""
    if not after or not words[i + 1].spoken:
        return True
    if i > first and is_named(words, i - 1):
        return False  # relative
    if not (before in AUXILIARY or before in _BEFORE_PRONOUN or before in VERB_FORMS):
        return False
    return after in en.FUNCTION or after in VERB_FORMS or after in en.VERBS or after in ADJECTIVES


_BEFORE_PRONOUN = frozenset("about of for with like than to why do use".split())
