"""A referent in its place: for a pronoun, behind a noun that asks for it, before the one that it specifies, as the language wants it."""

from __future__ import annotations

from rewriter.lean import Lean
from rewriter.record import replace
from rewriter.text import en, id
from rewriter.text.reference import PLACING, POSSESSIVES, is_superlative
from rewriter.text.words import Word, replace_words

__all__ = ["add_topic", "place_referent"]

_OPENERS = en.QUESTION | en.AUXILIARIES
_LINKS = frozenset("of for with about in on to from than".split())


def place_referent(words: tuple[Word, ...], lean: Lean, new: tuple[Word, ...], language: str, *, whole: bool = False) -> tuple[Word, ...]:
    """The words with the referent in place; `whole` says that it is the fuller name of the noun that leans."""
    if lean.shape == "clitic":
        return _behind_noun(words, lean, new)
    if lean.shape == "there":
        return _there(words, lean, new)
    if lean.shape in ("pronoun", "person"):
        return _for_pronoun(words, lean, new)
    if lean.shape == "one" and any([w.folded in ("or", "vs", "versus", "and") for w in new]):  # `which one is faster`, of two
        core, tail = _end_mark(words[: lean.last])
        return (*core, *new, *tail, *words[lean.last :])
    if lean.shape == "one":
        return replace_words(words, lean.start, lean.end, new)
    if lean.shape == "superlative":
        return (*words[: lean.start], *new, *words[lean.start :])
    if lean.shape == "kind":
        return (*words[: lean.start], *new, *words[lean.start :])
    if lean.shape in ("demonstrative", "definite", "short"):
        return _for_definite(words, lean, new, whole=whole)
    if language == "en":
        return _in_english(words, lean, new)
    if lean.shape == "attribute":
        core, tail = _end_mark(words)
        at = next((i for i, w in enumerate(core) if w.folded == "yang" and i and core[i - 1].folded not in id.QUESTION), len(core))
        return (*core[:at], *new, *core[at:], *tail)  # `alternatif X yang gratis`
    return _in_front(words, lean, new)


def _behind_noun(words: tuple[Word, ...], lean: Lean, new: tuple[Word, ...]) -> tuple[Word, ...]:
    """`harganya` → `harga iPhone 16`."""
    word = words[lean.start]
    cut = id.detach_clitic(word.folded)
    stem = cut[0].rstrip("-") if cut else word.folded
    text = word.text[: len(stem)] if word.text.lower().startswith(stem) else stem
    bare = replace(word, text=text, folded=stem, kind="rewrite", rule="detach_clitic")
    if new[0].folded == stem and len(new) > 1:  # `ending filmnya` of `film Pengabdi Setan`
        new = new[1:]
    return replace_words(words, lean.start, lean.end, (bare, *new))


def _for_pronoun(words: tuple[Word, ...], lean: Lean, new: tuple[Word, ...]) -> tuple[Word, ...]:
    at = lean.start
    if words[at].folded in POSSESSIVES:
        last = new[-1]
        mark = "'" if last.folded.endswith("s") else "'s"
        new = (*new[:-1], replace(last, text=last.text + mark, folded=last.folded + mark))
    return replace_words(words, at, lean.end, new)


def _there(words: tuple[Word, ...], lean: Lean, new: tuple[Word, ...]) -> tuple[Word, ...]:
    """`di sana` → `di Labuan Bajo`, `disana` as well."""
    folded = words[lean.start].folded
    if folded == "there":
        link = "in" if words[lean.start - 1].folded in ("live", "stay", "do", "eat", "see") else "to"
        if words[lean.start - 1].folded == "from":
            return replace_words(words, lean.start, lean.end, new)
        return replace_words(words, lean.start, lean.end, (replace(new[0], text=link, folded=link), replace(new[0], space=True), *new[1:]))
    if folded in ("sana", "situ"):
        return replace_words(words, lean.start, lean.end, new)
    preposition = replace(new[0], text=folded[:2], folded=folded[:2])
    return replace_words(words, lean.start, lean.end, (preposition, replace(new[0], space=True), *new[1:]))


def _for_definite(words: tuple[Word, ...], lean: Lean, new: tuple[Word, ...], *, whole: bool) -> tuple[Word, ...]:
    """`the experiment` → `the Stanford Experiment`; `the symptoms` → `the symptoms of anemia`; `the tickets` → `the lottery tickets`."""
    if whole:
        start = lean.start + 1 if lean.shape in ("definite", "short") else lean.start
        return replace_words(words, start, lean.end, new)
    if words[lean.end - 1].folded in en.ATTRIBUTES or words[lean.end - 1].folded in en.GENERIC:
        return (*words[: lean.end], _link("of", new), *new, *words[lean.end :])
    at = lean.start + 1
    return (*words[:at], *new, replace(words[at], space=True), *words[at + 1 :])


def _in_english(words: tuple[Word, ...], lean: Lean, new: tuple[Word, ...]) -> tuple[Word, ...]:
    """Behind the noun that asks with `of`, else at the end of the sentence."""
    if lean.shape in ("quality", "subject", "addition"):
        return _in_front(words, lean, new)
    if lean.shape == "about":  # `what about the percentage of alcohol?` → `the percentage of alcohol of liqueurs?`
        core, tail = _end_mark(words[: lean.last])
        link = "" if core[lean.end].folded in PLACING else "of"
        if not link:
            return _in_front(words, lean, new)
        return (*words[: lean.start], *_space(core[lean.end :], lean.start), _link(link, new), *new, *tail, *words[lean.last :])
    at = lean.start
    while at > lean.first and not words[at - 1].spoken:
        at -= 1
    if (
        lean.shape == "attribute"
        and words[lean.first].folded not in _OPENERS
        and at - lean.first <= 3
        and words[lean.first].folded not in _TELL
    ):
        return (*words[: lean.first], *_space(new, lean.first), *_space(words[lean.first :], 1))  # keywords: `acid reflux side effects`
    before = words[at - 1].folded if at else ""
    superlative = any([is_superlative(w.folded) or w.folded == "most" for w in words[lean.first : at]])
    link = (
        lean.head
        if lean.shape in ("object", "relating")
        else "of"
        if lean.shape == "attribute" or (lean.shape == "bare" and superlative)
        else "for"
    )
    pair = any([w.folded in ("or", "vs", "versus") for w in new])
    if pair or before in _LINKS or before in en.QUESTION or (lean.shape == "bare" and link == "for" and before in en.FUNCTION):
        return (*words[:at], *new, *words[at:])
    return (*words[:at], _link(link, new), *new, *words[at:])


_TELL = frozenset("tell give show list describe explain any other".split()) | en.COMMANDS


def _in_front(words: tuple[Word, ...], lean: Lean, new: tuple[Word, ...]) -> tuple[Word, ...]:
    """`yang murah` → `iPhone yang murah`; an opening (`kalau`, `and`) gives way."""
    rest = words[lean.end :] if lean.shape in ("addition", "about") else words[lean.first :]
    return (*words[: lean.first], *_space(new, lean.first), *_space(rest, 1))


def _space(words: tuple[Word, ...], at: int) -> tuple[Word, ...]:
    return (replace(words[0], space=at > 0), *words[1:]) if words else ()


def _link(text: str, new: tuple[Word, ...]) -> Word:
    return replace(new[0], text=text, folded=text, space=True)


def _end_mark(words: tuple[Word, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    end = len(words)
    while end and not words[end - 1].spoken:
        end -= 1
    return words[:end], words[end:]


def add_topic(words: tuple[Word, ...], topic: tuple[Word, ...]) -> tuple[Word, ...]:
    """What the talk is about, behind the query: `How was melatonin discovered (jet lag)?`"""
    core, tail = _end_mark(words)
    return (*core, *topic, *tail)
