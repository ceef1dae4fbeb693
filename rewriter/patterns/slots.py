"""A template with the query's words in its slots.

A slot is `{name}` or `{filter:name}`. Names: `query` (all words), `rest` (those that did not show the intent), `shown` (those that
did), `left` and `right` of them. Filters: `formal` (Indonesian: the first word as a formal verb), `a` (English: with its article),
`the` (with `the`), `is` and `does` (English: the verb alone, agreeing with the slot's head), `names` (a place or a person: capitals),
`my` (`your` as `my`), `mine` (the same, and `my` before a bare noun), `thing` (with `the` where it is a known common noun), `body`
(without the last word), `object` (without the first), `event` (English: `the`, without the last), `last` (that word alone), `sides`
(Indonesian: `dan` for `vs`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.patterns.intents import Match
from rewriter.patterns.names import place_case
from rewriter.patterns.nouns import listed
from rewriter.patterns.verbs import formal_words
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text import en
from rewriter.text.words import Word, as_text

__all__ = ["fill"]

_SLOT = re.compile(r"\{(?:(\w+):)?(\w+)\}")
_DETERMINERS = frozenset("the a an my your his her its our their this that these those some any another".split())
_UNCOUNTED = re.compile(r".*(?:ing|ment|ness|ity|tion|sion|ance|ence|ism|ware|care|age)\Z")
_MONTHS = frozenset("january february march april may june july august september october november december".split())
_MY = {"your": "my", "yourself": "myself", "yours": "mine", "you": "I", "ur": "my"}
_LEAD = frozenset("of for is are".split())
"""Words that a slot does not begin with where the template has its own."""
_ADJECTIVE = re.compile(r"(?:.+(?:ous|ful|ible)|medical|legal|cardinal|official|simple|easy)\Z")
"""Adjectives that ended up behind their noun (`blisovi dangerous side effects`): the word that they belong to went into the template."""
_UNFINISHED = frozenset("the a an of in on at to for from with by and or is are was were be upon about".split())
"""Words that no phrase ends in: what ends so is a piece of a sentence."""


def fill(match: Match, words: Sequence[Word], language: str, resources: Resources) -> list[Word]:
    """The template's words with the query's in its slots; the words that showed the intent become the template's.  Empty: no question."""
    rule = match.rule
    words, operators = _split_operators(words, match.end)
    start, end = match.start, match.end
    shown = words[start:end]
    slots = {
        "query": _trim(words, False),
        "rest": _trim([*words[:start], *words[end:]], match.by != "start" or language == "en"),
        "left": _trim(words[:start], False),
        "right": _trim(words[end:], False),
        "shown": list(shown),
    }
    own = [w for w in shown if w.start >= 0]
    taken = "{query}" in rule.question or ":query}" in rule.question or "shown}" in rule.question
    source = (own[0].start, own[-1].end) if own and not taken else (-1, -1)
    out: list[Word] = []
    at = 0
    name = f"ask_{rule.intent.replace('-', '_')}"
    for slot in _SLOT.finditer(rule.question):
        out += _template_words(rule.question[at : slot.start()], source, name)
        inner = _filtered(slot[1] or "", slots[slot[2]], language, name, resources)
        verb = slot[1] in ("is", "does")
        if language == "en" and match.by == "end" and slot[2] == "rest" and len(inner) > 1 and _ADJECTIVE.match(inner[-1].folded):
            return []
        if not inner or (language == "en" and not verb and slot[2] != "shown" and inner[-1].folded in _UNFINISHED):
            return []
        out += [replace(inner[0], space=bool(out)), *inner[1:]]
        at = slot.end()
    out += _template_words(rule.question[at:], (-1, -1), name)
    first = out[0]
    if first.text[:1].islower() and not first.guard and first.rule != "capitalise_name":  # `iPhone` keeps its own
        kind = "rewrite" if first.kind == "copy" else first.kind
        out[0] = replace(
            first, text=first.text[0].upper() + first.text[1:], kind=kind, rule="capitalise" if kind == "rewrite" else first.rule
        )
    return [*out, *operators]


def _trim(words: Sequence[Word], lead: bool) -> list[Word]:
    """A slot without the marks at its ends; with `lead` also without the words that the template has itself."""
    start, end = 0, len(words)
    while (
        start < end
        and not words[start].guard
        and ((not words[start].spoken and words[start].text not in "(\"'") or (lead and words[start].folded in _LEAD))
    ):
        start += 1
    while end > start and not words[end - 1].guard and not words[end - 1].spoken and words[end - 1].text not in ")\"'":
        end -= 1
    return list(words[start:end])


def _filtered(kind: str, inner: list[Word], language: str, rule: str, resources: Resources) -> list[Word]:
    if not inner or not kind:
        return inner
    texts = [w.folded for w in inner]
    if kind == "formal":
        return formal_words(inner, language, resources)
    if kind == "body":
        return inner[:-1]
    if kind == "event":
        return _filtered("the", inner[:-1], language, rule, resources)
    if kind == "object":
        return inner[1:]
    if kind == "last":
        return inner[-1:]
    if kind == "sides":
        return [replace(w, text="dan", folded="dan", kind="rewrite", rule=rule) if w.folded == "vs" else w for w in inner]
    if kind == "names":
        named = place_case(inner)
        if len(inner) > 1 and texts[-1] in _MONTHS and texts[-2] not in _UNFINISHED:
            return [*named[:-1], *_template_words("in", (-1, -1), rule), *named[-1:]]
        return named
    if kind in ("my", "mine"):
        bare = (
            kind == "mine"
            and texts[0] not in _DETERMINERS | {"i", "we", "you", "it", "they"}
            and inner[0].text.islower()
            and not inner[0].guard
        )
        added = _template_words("my", (-1, -1), rule) if bare else []
        said = _said_by_me(inner)
        return [*added, replace(said[0], space=True), *said[1:]]
    plural = en.number_of(texts) == "plural" or ("and" in texts and kind == "does")
    if kind in ("is", "does"):
        return _template_words({"is": "are", "does": "do"}[kind] if plural else kind, (-1, -1), rule)
    if (
        texts[0] in _DETERMINERS
        or texts[1:2] == ["'s"]
        or texts[0].endswith("'s")
        or (kind == "a" and (plural or _is_uncounted(en.head_of(texts), resources)))
    ):
        return inner
    if kind == "thing" and not _is_known(inner, resources):
        return inner
    word = "the" if kind in ("the", "thing") else en.article(texts)
    return [*_template_words(word, (-1, -1), rule), replace(inner[0], space=True), *inner[1:]]


def _is_uncounted(head: str, resources: Resources) -> bool:
    """Does the noun take no article?"""
    if head in listed("count", resources):
        return False
    return bool(_UNCOUNTED.match(head)) or head in listed("uncounted", resources)


def _is_known(words: Sequence[Word], resources: Resources) -> bool:
    """Is the last word, or are the last two, a common noun of the lists?"""
    ends = (as_text(words[-1:]), as_text(words[-2:]))
    return any([end in listed(kind, resources) for kind in ("count", "body", "organs") for end in ends])


def _said_by_me(words: Sequence[Word]) -> list[Word]:
    return [replace(w, text=_MY[w.folded], kind="rewrite", rule="say_my") if w.folded in _MY else w for w in words]


def _split_operators(words: Sequence[Word], at: int) -> tuple[Sequence[Word], Sequence[Word]]:
    """Search operators and addresses that end the query stand behind the question mark, which would become part of them."""
    end = len(words)
    while end > at + 1 and words[end - 1].guard in ("operator", "url"):
        end -= 1
    return words[:end], words[end:]


def _template_words(text: str, source: tuple[int, int], rule: str) -> list[Word]:
    start, end = source
    kind = "rewrite" if start >= 0 else "insert"
    return [
        Word(part, part.lower(), start, end, part not in ("?", ",", "?,"), "", "", kind, rule)
        for part in re.findall(r"[\w'’]+|[^\w\s]+", text)
    ]
