"""English questions that leave out what they are about: `what are the side effects?`, `which is younger?`, `does melatonin help?`"""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.english_known import COMMON, is_common
from rewriter.lean import Lean, is_empty, is_named
from rewriter.resources import Resources
from rewriter.text import en
from rewriter.text.reference import (
    ADJECTIVES,
    BETWEEN,
    DEFINING,
    MODIFIERS,
    RELATED_NOUNS,
    TALK,
    VERB_FORMS,
    is_plural,
    is_superlative,
)
from rewriter.text.words import Word

__all__ = ["see_bare", "see_common", "see_kind", "see_object", "see_relating", "see_superlative", "see_unsaid"]

FRAGMENT = 300
"""Zipf frequency in hundredths for `any discounts?`, which is no sentence and so leans more."""
MAX_IMPLICIT = 9
"""Spoken words of a sentence that may leave out what it is about."""


def see_bare(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """Only attributes, adjectives and questions: `what are the side effects`, `which is younger`, `why?`, `similar experiments`."""
    spoken = [i for i in range(first, last) if words[i].spoken]
    if not spoken or len(spoken) > MAX_IMPLICIT:
        return None
    named = [i for i in spoken if is_named(words, i)]
    content = [i for i in spoken if not is_empty(words[i])]
    if named and not (
        len(named) == 1 and named[0] > first and words[named[0] - 1].folded in _RELATIONAL and not words[named[0]].text[:1].isupper()
    ):
        return None
    asks = [words[i].folded for i in spoken]
    if not content and not (len(spoken) <= 3 and any([a in en.QUESTION for a in asks])):
        return None
    told = any([a in ("i", "you", "me", "my", "we") for a in asks])
    if told and not any([a in en.ATTRIBUTES or a in en.GENERIC or a in en.QUESTION or a in ("tell", "more", "else") for a in asks]):
        return None
    nouns = [i for i in (named or content) if words[i].folded in en.ATTRIBUTES or words[i].folded in en.GENERIC or named]
    at = nouns[-1] + 1 if nouns else last
    return Lean("attribute" if nouns else "bare", at, at, words[nouns[-1]].folded if nouns else "", first, last)


_RELATIONAL = frozenset("main key other similar typical different common important".split())


def see_superlative(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`what is the largest in the world?`, `the smallest?`, `who is the most powerful`: of which kind is not said."""
    for i in range(first, last - 1):
        if words[i].folded != "the":
            continue
        end = i + 2 if is_superlative(words[i + 1].folded) else i + 3 if words[i + 1].folded in ("most", "least") else 0
        if not end or end > last or (words[i + 1].folded in ("most", "least") and end - 1 >= last):
            continue
        after = words[end] if end < last else None
        if after is None or not after.spoken or after.folded in ("in", "and", "of", "for", "to", "ever"):
            return None if after is not None and after.folded == "of" else Lean("superlative", end, end, "one", first, last)
    return None


def see_unsaid(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """A noun that belongs to something, and says not to what: `good sources in food`, `the causes in Asia`, `not a member?`."""
    for i in range(first, last):
        word = words[i].folded
        after = words[i + 1] if i + 1 < last else None
        if words[i].guard or (word not in en.ATTRIBUTES and word not in en.GENERIC and word not in RELATED_NOUNS):
            continue
        if word in RELATED_NOUNS and (after is None or not after.spoken):
            return Lean("attribute", i + 1, i + 1, word, first, last)
        if (
            after is not None
            and after.folded in ("in", "with")
            and is_plural(word)
            and i + 2 < last
            and not is_empty(words[i + 2])
            and not _specified(words, i)
        ):
            return Lean("attribute", i + 1, i + 1, word, first, last)
    return None


def _specified(words: Sequence[Word], i: int) -> bool:
    """`privacy issues`: the word before says of what."""
    return i > 0 and (is_named(words, i - 1) or words[i - 1].folded in MODIFIERS)


def see_relating(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`what is the role of slavery?`: in what is not said."""
    texts = [w.folded for w in words[first:last] if w.spoken]
    if len(texts) > 9 or not any([t in _ROLES for t in texts]) or "of" not in texts:
        return None
    behind = texts[texts.index("of") + 1 :]
    return None if any([t in BETWEEN for t in behind]) else Lean("relating", last, last, "in", first, last)


_ROLES = frozenset("role roles importance impact contribution significance place".split())


def see_kind(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """`what variety is best for cooking?`, `which team came first?`, `what other factors …`: a kind of what is talked about."""
    at = first
    while at < last and words[at].folded not in ("what", "which"):
        at += 1
    start = at + 1
    while start < last and (
        words[start].folded in ("other", "kind", "kinds", "type", "types", "of", "are", "is") or words[start].folded in ADJECTIVES
    ):
        if words[start].folded in ("is", "are") and start == at + 1:
            return None
        start += 1
    if start >= last or words[start].guard or is_empty(words[start]) or words[start].text[:1].isupper():
        return None
    noun = words[start].folded
    if noun in VERB_FORMS or not (is_plural(noun) or words[at].folded == "which" or noun in TALK) or not is_common(words[start], resources):
        return None
    named = [i for i in range(start + 1, last) if is_named(words, i)]
    if any([words[i - 1].folded not in ("for", "in", "at", "on", "a", "the") for i in named]) or len(named) > 1:
        return None
    return Lean("kind", start, start, noun, first, last)


def see_common(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """Only words that many talks share: `how is oxygen transported`, `what cakes are traditional`, `does freezing work`."""
    spoken = [i for i in range(first, last) if words[i].spoken]
    named = [i for i in spoken if is_named(words, i)]
    if not named or named[-1] - named[0] >= 2 or len(spoken) > MAX_IMPLICIT:
        return None
    asks = words[spoken[0]].folded in en.QUESTION or words[spoken[0]].folded in en.AUXILIARIES or words[spoken[0]].folded in _TELLING
    if not asks and len(spoken) == 1 and words[last - 1].spoken:
        return None  # `apple`: a search by itself
    if (not asks and len(spoken) > 3) or any([words[i].folded in _OF_THE_DAY for i in named]):
        return None
    if named[0] > first and words[named[0] - 1].folded in BETWEEN:
        return None  # `high levels of iron`: said
    fragment = (
        len(spoken) <= 3
        and words[spoken[0]].folded not in en.QUESTION
        and (words[last - 1].text[:1] == "?" or words[spoken[0]].folded in _TELLING)
    )
    if not all([is_common(words[i], resources, FRAGMENT if fragment else COMMON) for i in named]) or _defines(words, spoken, named):
        return None
    return Lean("common", last, last, "", first, last)


def see_object(words: Sequence[Word], first: int, last: int, resources: Resources) -> Lean | None:
    """A verb without the thing that it needs: `does melatonin help?`, `how does it compare`."""
    spoken = [i for i in range(first, last) if words[i].spoken]
    if len(spoken) < 2 or len(spoken) > 5 or words[spoken[-1]].folded not in _WANTING:
        return None
    return Lean("object", last, last, _WANTING[words[spoken[-1]].folded], first, last)


_WANTING = {"help": "with", "compare": "to", "differ": "from", "respond": "to", "react": "to", "contribute": "to", "relate": "to"}
"""Verbs that want a thing behind them, with its preposition."""


_TELLING = frozenset("tell give show list any some".split())
_OF_THE_DAY = frozenset("weather news temperature forecast".split())
"""Asked by itself, whatever the talk was about."""


def _defines(words: Sequence[Word], spoken: Sequence[int], named: Sequence[int]) -> bool:
    """`what is X`, `tell me about X`, `define X`: the query names what it is about."""
    texts = [words[i].folded for i in spoken]
    if (
        texts[:2]
        in (
            ["tell", "me"],
            ["what", "is"],
            ["what", "are"],
            ["who", "is"],
            ["who", "are"],
            ["who", "was"],
            ["what", "was"],
            ["what", "were"],
        )
        or texts[0] in DEFINING
        or texts[0] == "what's"
    ):
        rest = [i for i in spoken if not is_empty(words[i]) and i not in named and words[i].folded not in ("tell",)]
        return not rest
    return False
