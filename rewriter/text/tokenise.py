"""The run-time tokeniser: spaCy's algorithm over spaCy's rules, without spaCy.

The rules (exceptions and four regular expressions for each language) are taken from spaCy when the language pack is
compiled; a parity test holds the tokens and their offsets to spaCy's own on unprotected text.  Words that are plain
lower-case letters need no regular expression, so most queries never compile one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from re import Pattern

__all__ = ["TokenRules", "split_chunk"]


@dataclass(frozen=True, slots=True)
class TokenRules:
    """spaCy's tokeniser rules for one language, regular expressions as text.

    `exceptions` maps a chunk to its tokens; `single` holds the many exceptions that are one token.
    """

    language: str
    prefix: str
    suffix: str
    infix: str
    token_match: str
    url_match: str
    exceptions: Mapping[str, Sequence[str]]
    single: frozenset[str]
    _cache: dict[str, Pattern[str] | None] = field(default_factory=dict, compare=False, repr=False)

    def regex(self, name: str) -> Pattern[str] | None:
        """One of the five expressions, compiled at first need; None where spaCy has none."""
        if name not in self._cache:
            source = str(getattr(self, name))
            self._cache[name] = re.compile(source) if source else None
        return self._cache[name]

    def exception(self, chunk: str) -> Sequence[str] | None:
        """The tokens of a chunk that the rules list as a whole, else None."""
        if chunk in self.single:
            return (chunk,)
        return self.exceptions.get(chunk)


def split_chunk(chunk: str, rules: TokenRules) -> list[tuple[int, int]]:
    """Half-open spans of the tokens in a chunk without white space.

    The steps are spaCy's: exceptions as a whole; prefixes and suffixes off, one at a time, asking again after each; then
    URLs, then infixes.
    """
    if chunk.isascii() and chunk.isalpha() and chunk.islower() and chunk not in rules.exceptions:
        return [(0, len(chunk))]
    whole = rules.exception(chunk)
    if whole is not None:
        return _spans(whole, 0)
    start, end = 0, len(chunk)
    before: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    last = -1
    while start < end and end - start != last:
        rest = chunk[start:end]
        if _matches(rules.regex("token_match"), rest) or rules.exception(rest) is not None:
            break
        last = end - start
        cut = _affix(rules.regex("prefix"), rest)
        if cut and rules.exception(rest[cut:]) is not None:
            before.append((start, start + cut))
            start += cut
            break
        tail = _affix(rules.regex("suffix"), rest[cut:])
        if tail and rules.exception(rest[:-tail]) is not None:
            after.append((end - tail, end))
            end -= tail
            break
        if cut and cut + tail <= last:
            before.append((start, start + cut))
            start += cut
            if tail:
                after.append((end - tail, end))
                end -= tail
        elif tail:
            after.append((end - tail, end))
            end -= tail
    return before + _middle(chunk, start, end, rules) + after[::-1]


def _middle(chunk: str, start: int, end: int, rules: TokenRules) -> list[tuple[int, int]]:
    rest = chunk[start:end]
    if not rest:
        return []
    whole = rules.exception(rest)
    if whole is not None:
        return _spans(whole, start)
    if _matches(rules.regex("token_match"), rest) or _matches(rules.regex("url_match"), rest):
        return [(start, end)]
    infix = rules.regex("infix")
    spans: list[tuple[int, int]] = []
    at = 0
    for match in infix.finditer(rest) if infix else ():
        if match.start() == 0:  # an infix at the very start stays with what follows
            continue
        if match.start() != at:
            spans.append((start + at, start + match.start()))
        if match.end() != match.start():
            spans.append((start + match.start(), start + match.end()))
        at = match.end()
    if at < len(rest):
        spans.append((start + at, end))
    return spans


def _spans(tokens: Sequence[str], at: int) -> list[tuple[int, int]]:
    spans = []
    for token in tokens:
        spans.append((at, at + len(token)))
        at += len(token)
    return spans


def _affix(pattern: Pattern[str] | None, text: str) -> int:
    """Length of the first match; 0 for none."""
    match = pattern.search(text) if pattern and text else None
    return match.end() - match.start() if match else 0


def _matches(pattern: Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.match(text) is not None
