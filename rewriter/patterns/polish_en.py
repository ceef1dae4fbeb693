"""English questions: the articles and prepositions that a query leaves out (`renew passport`, `rail minecraft`, `longest punt in nfl`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.patterns.nouns import insert_before, listed, name_behind
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text import en
from rewriter.text.words import Word, as_text

__all__ = ["polish_english"]

RULE = "add_function_word"
_BEFORE_NAMES = frozenset("in on of to from for at around across about".split())
_BEFORE_PARTS = frozenset("in on of from behind under around inside".split())
_WHICH_PART = frozenset("upper lower left right inner outer middle".split())
_OBJECT_VERBS = frozenset(
    """
    renew get find buy sell make build create use write open start fix replace change become split install repair draw learn
    cancel clean cook bake choose design print scan send upload download delete remove add set paint rent lease hire train record register
    save
    """.split()
)
_PARTED = frozenset(
    """
    cost costs price prices salary pay wage rate insurance license permit warranty fee fees requirements causes symptoms signs effects
    risks parts calories weight lifespan
    """.split()
)
"""Nouns behind whose `of`, `for` or `in` a count noun is one of its kind: `the cost of a fence`."""
_TIMES = frozenset("day night week weekend month year winter summer spring fall".split())
_ORDINALS = frozenset("last second third same right wrong latest newest".split())
_DECADE = re.compile(r"(?:1[89]|20)?\d0s\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_NUMBER = re.compile(r"\d+(?:[./]\d+)?\Z")
_COUNTED = frozenset("a an one two three four five six half".split())


def polish_english(words: Sequence[Word], resources: Resources) -> list[Word]:
    """The question with what a careful writer would not leave out; nothing where a noun is not known to need it."""
    out = [replace(w, text="I", kind="rewrite", rule="capitalise") if w.text == "i" and not w.guard else w for w in words]
    for i in range(1, len(out) - 1):
        if out[i].text == "&" and out[i].space and "difference" in [w.folded for w in out[:i]]:  # but `Black & Decker`
            out[i] = replace(out[i], text="and", folded="and", kind="rewrite", rule="spell_out")
    for mend in MENDS:
        out = mend(out, resources)
    return out


def _ends(words: Sequence[Word], at: int) -> bool:
    """Does a phrase end at this place: by a mark, or a word that begins the next one?"""
    return at >= len(words) or not words[at].spoken or words[at].folded in en.FUNCTION


_BODIES = frozenset("organization organisation union committee agency council federation commission".split())


def _public_body(words: list[Word], resources: Resources) -> list[Word]:
    """`the definition of World Trade Organization` → `of the World Trade Organization`."""
    for i in range(2, len(words) - 2):
        end = next((k for k in range(i, len(words)) if not words[k].text[:1].isupper()), len(words))
        public = end - i > 1 and words[end - 1].folded in _BODIES and words[end - 2].folded != "credit"
        if public and words[i - 1].folded in ("of", "in", "for", "by"):
            return insert_before(words, i, "the", RULE)
    return words


_WORKS = frozenset("movie film show series sitcom musical anime cartoon trilogy franchise".split())


def _whole_work(words: list[Word], resources: Resources) -> list[Word]:
    """`the cast of Emoji Movie` → `of the Emoji Movie`."""
    end = next((i for i, w in enumerate(words) if w.text == "?"), len(words))
    at = next((i for i in range(1, end) if words[i].folded == "of"), 0)
    named = 0 < at < end - 2 and words[end - 1].folded in _WORKS and words[at + 1].folded not in ("the", "a", "an", "this", "that")
    return insert_before(words, at + 1, "the", RULE) if named else words


def _apart(words: list[Word], resources: Resources) -> list[Word]:
    """`the difference between sprain and strain` → `a sprain and a strain`, where both are one thing each."""
    at = next((i for i, w in enumerate(words) if w.folded == "between"), 0)
    joined = next((i for i in range(at + 2, len(words)) if words[i].folded == "and"), 0) if at else 0
    end = next((i for i, w in enumerate(words) if w.text == "?"), len(words))
    if not joined or not all([_is_one(words[a:b], resources, named=True) for a, b in ((at + 1, joined), (joined + 1, end))]):
        return words
    second = insert_before(words, joined + 1, _article(words[joined + 1 : end]), RULE)
    return insert_before(second, at + 1, _article(words[at + 1 : joined]), RULE)


def _measured(words: list[Word], resources: Resources) -> list[Word]:
    """`one slice ham` → `one slice of ham`."""
    measures = listed("measures", resources)
    for i in range(1, len(words) - 1):
        before = words[i - 1].folded
        if words[i].folded in measures and (_NUMBER.match(before) or before in _COUNTED) and not _ends(words, i + 1):
            return insert_before(words, i + 1, "of", RULE)
    return words


def _known_names(words: list[Word], resources: Resources) -> list[Word]:
    """`in NFL`, `on rib`, `in Pittsburgh area` with `the`."""
    names, parts = listed("the", resources), listed("body", resources)
    i = 0
    while i < len(words) - 1:
        word = words[i].folded
        end = name_behind(words, i + 1, names) if word in _BEFORE_NAMES else 0
        if not end and word in _BEFORE_PARTS and words[i + 1].folded in parts:
            end = i + 2
        if not end and word in _BEFORE_PARTS and words[i + 1].folded in _WHICH_PART and words[min(i + 2, len(words) - 1)].folded in parts:
            end = i + 3
        if not end and word == "during" and words[i + 1].folded in _TIMES:
            end = i + 2
        if (
            not end
            and word in _OBJECT_VERBS
            and words[i - 1].folded in ("i", "to")
            and words[i + 1].folded in _ORDINALS
            and words[min(i + 2, len(words) - 1)].folded not in ("click", "hand", "now")
        ):
            return insert_before(words, i + 1, "the", RULE)
        if not end and word in ("in", "of", "for") and words[i + 1].text[:1].isupper():
            stop = next((k for k in range(i + 2, len(words)) if not words[k].text[:1].isupper() and words[k].spoken), 0)
            end = stop + 1 if stop and words[stop].folded == "area" else 0
        if end and _ends(words, end):
            words = insert_before(words, i + 1, "the", RULE)
        i += 1
    return words


_ONLY = frozenset("year month week century decade world universe season".split())


def _of_which_one(words: list[Word], resources: Resources) -> list[Word]:
    """`largest shipping day of year` → `of the year`; but `the best time of year`."""
    for i in range(2, len(words) - 2):
        of_one = words[i].folded == "of" and words[i + 1].folded in _ONLY and _ends(words, i + 2)
        if of_one and words[i - 1].folded not in ("time", "times"):
            return insert_before(words, i + 1, "the", RULE)
    return words


_BEFORE_YEAR = frozenset(
    """
    salary salaries price prices cost costs rate rates income tax taxes rent wage wages population limit limits requirements deadline
    deadlines trends jobs schedule holidays inflation unemployment
    """.split()
)


def _in_year(words: list[Word], resources: Resources) -> list[Word]:
    """`the average rent in Texas 2026` → `in 2026`, behind a place, a figure or a participle; `Blade Runner 2049` is a name."""
    at = next((i for i, w in enumerate(words) if w.text == "?"), len(words)) - 1
    if at < 3 or not _YEAR.match(words[at].text):
        return words
    before = words[at - 1]
    place = before.text[:1].isupper() and any([as_text(words[k:at]).casefold() in listed("places", resources) for k in (at - 1, at - 2)])
    if place or before.folded in _BEFORE_YEAR or (before.folded.endswith("ing") and before.text.islower()):
        return insert_before(words, at, "in", RULE)
    return words


def _before_letters(words: list[Word], resources: Resources) -> list[Word]:
    """`a AFK pool` → `an AFK pool`."""
    for i in range(1, len(words) - 1):
        following = words[i + 1]
        letters = following.space and following.text.isalpha() and following.text.isupper() and len(following.text) > 1
        if words[i].text == "a" and letters and _article([following]) == "an":
            return [*words[:i], replace(words[i], text="an", folded="an", kind="rewrite", rule="agree"), *words[i + 1 :]]
    return words


def _behind_noun(words: list[Word], resources: Resources) -> list[Word]:
    """A program, a place or a decade that ends the question right behind a noun gets its preposition."""
    end = next((i for i, w in enumerate(words) if w.text in ("?", "?,")), len(words))
    for at in range(max(2, end - 3), end):
        before, name = words[at - 1], as_text(words[at:end])
        plural = en.number_of([before.folded]) == "plural" and before.text.islower()
        owned = before.text.islower() and any([w.folded in ("a", "an", "the", "my") for w in words[3 : at - 1]])
        if before.folded in en.FUNCTION:
            continue
        noun = plural or owned or before.folded in listed("count", resources)
        if plural and (_DECADE.match(name) or _YEAR.match(name)):
            further = any([w.folded in ("for", "in", "with", "on", "of", "to") for w in words[3:at]])
            words = insert_before(words, at, "in" if further else "of", RULE)
            return insert_before(words, at + 1, "the", RULE) if name.endswith("s") else words
        taxed = before.rule == "capitalise_name" and before.text.isupper() and len(before.text) > 2
        taxed = taxed or (words[0].folded == "do" and before.text.islower())
        if not noun and not taxed:
            continue
        folded = name.casefold()
        for kind, text in (("programs.in", "in"), ("programs.on", "on"), ("places", "in")):
            if folded in listed(kind, resources) and words[at].text[:1].isupper() and (noun or kind == "places"):
                words = insert_before(words, at, text, RULE)
                return insert_before(words, at + 1, "the", RULE) if folded in listed("the", resources) else words
    return words


def _one_of_kind(words: list[Word], resources: Resources) -> list[Word]:
    """`renew passport`, `cost of redwood fence`, `grams in pound` with `a`."""
    i = 1
    while i < len(words) - 1:
        if _opens(words, i, resources):
            end = i + 1
            while end < len(words) and words[end].spoken and not words[end].guard and words[end].folded not in en.FUNCTION:
                end += 1
            run = words[i + 1 : end]
            if len(run) > 1 and run[-1].folded.endswith("ed"):
                run = run[:-1]  # `get a cat spayed`
            if _is_one(run, resources, named=words[i].folded == "of" and words[i - 1].folded in _PRICES) and words[end].folded != "of":
                words = insert_before(words, i + 1, _article(run), RULE)
        i += 1
    return words


_BARE_PLACES = frozenset("school church university college court prison bed work home class".split())
"""Nouns that `for` takes without an article."""


def _opens(words: Sequence[Word], i: int, resources: Resources) -> bool:
    """Does the next word begin a phrase that names one thing: behind a verb, or the preposition of a part or a price?"""
    word, before = words[i].folded, words[i - 1].folded
    if word in _OBJECT_VERBS:
        return before in ("i", "to")
    if word == "about":
        return before == "information"
    if word == "for" and before not in en.FUNCTION and _ends(words, i + 2) and words[i + 1].folded not in _BARE_PLACES:
        return True
    return word in ("of", "for", "in") and (before in _PARTED or (word == "in" and before in listed("measures", resources)))


_PRICES = frozenset("cost price salary".split())


def _is_one(run: Sequence[Word], resources: Resources, *, named: bool = False) -> bool:
    """A count noun in the singular with at most three words before it, none of them a number or, unless it may be `named`, a name."""
    if not run or len(run) > 4 or not run[-1].text.islower():
        return False
    last = as_text(run).casefold()
    count, measures = listed("count", resources), listed("measures", resources)
    known = run[-1].folded in count or last in measures or as_text(run[-2:]).casefold() in count
    plain = all([(named or w.text.islower() or w.text.isupper()) and not _NUMBER.match(w.folded) for w in run])
    return known and plain and en.number_of(last.split()) == "singular"


def _article(run: Sequence[Word]) -> str:
    """`an FHA loan`: capitals are spoken as letters."""
    first = run[0]
    if first.text.isupper() and len(first.text) < 5:
        return "an" if first.text[0] in "AEFHILMNORSX" else "a"
    return en.article([w.folded for w in run])


MENDS = (
    _whole_work,
    _public_body,
    _apart,
    _measured,
    _known_names,
    _of_which_one,
    _behind_noun,
    _in_year,
    _one_of_kind,
    _before_letters,
)
"""In their order: names and whole works first, since articles and prepositions are put before them."""
