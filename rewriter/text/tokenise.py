"""The run-time tokeniser: spaCy's algorithm over spaCy's rules, without spaCy.

The rules (exceptions and four regular expressions for each language) are taken from spaCy when the language pack is
compiled; a parity test holds the tokens and their offsets to spaCy's own on unprotected text, and `docs/tokeniser.md`
lists each deliberate difference.  Plain words and numbers need no regular expression, and a chunk of ASCII uses
expressions cut down to ASCII, which compile in a sixteenth of the time.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from re import Pattern

from rewriter.record import fresh, record

__all__ = ["EXPRESSIONS", "LONGEST_CHUNK", "TokenRules", "split_chunk"]

EXPRESSIONS = ("prefix", "suffix", "infix", "token_match", "url_match")
LONGEST_CHUNK = 256
"""A longer chunk is one token: spaCy's expressions look at a whole chunk for each mark at its ends, and for URLs twice over,
so that without a bound the time would grow with the square of the length."""

Spans = list[tuple[int, int]]


@record
class TokenRules:
    """spaCy's tokeniser rules for one language, regular expressions as text.

    `expressions` has an item for each of `EXPRESSIONS` (empty where spaCy has none), `narrow` the same cut down to ASCII.
    `exceptions` maps a chunk to its tokens; `single` holds the many exceptions that are one token, `longest` is the length
    of the longest of both.  `prefix_words` are the prefixes made of letters alone (`Rp`, `USD`).
    """

    language: str
    expressions: Mapping[str, str]
    narrow: Mapping[str, str]
    exceptions: Mapping[str, Sequence[str]]
    single: Container[str]
    longest: int
    prefix_words: tuple[str, ...] = ()
    _cache: dict[tuple[str, bool], Pattern[str] | None] = fresh(dict)

    def regex(self, name: str, ascii_only: bool = False) -> Pattern[str] | None:
        """One of the five expressions, compiled at first need; None where spaCy has none."""
        key = (name, ascii_only)
        if key not in self._cache:
            source = (self.narrow if ascii_only else self.expressions)[name]
            self._cache[key] = re.compile(source) if source else None
        return self._cache[key]

    def exception(self, chunk: str) -> Sequence[str] | None:
        """The tokens of a chunk that the rules list as a whole, else None."""
        if len(chunk) > self.longest:
            return None
        try:
            if chunk in self.single:
                return (chunk,)
        except UnicodeEncodeError:  # half a surrogate pair is in no list
            return None
        return self.exceptions.get(chunk)


def split_chunk(chunk: str, rules: TokenRules) -> Spans:
    """Half-open spans of the tokens in a chunk without white space.

    The steps are spaCy's: exceptions as a whole; prefixes and suffixes off, one at a time, asking again after each; then
    URLs, then infixes; at last exceptions that the steps have torn apart are mended.
    """
    if _is_plain(chunk, rules) or len(chunk) > LONGEST_CHUNK:
        return [(0, len(chunk))] if chunk else []
    whole = rules.exception(chunk)
    spans = _spans(whole, 0) if whole is not None else _split(chunk, rules, True)
    return _mend_exceptions(chunk, spans, rules)


def _is_plain(chunk: str, rules: TokenRules) -> bool:
    """ASCII letters alone or digits alone: no expression can match in them but a prefix word, and only exceptions split them.

    That no other alternative of any expression matches is proved in the tests, alternative by alternative.
    """
    if not chunk.isascii() or chunk in rules.exceptions:
        return False
    return chunk.isdigit() or (chunk.isalpha() and (chunk.islower() or not chunk.startswith(rules.prefix_words)))


def _split(chunk: str, rules: TokenRules, with_exceptions: bool) -> Spans:
    """spaCy's `_split_affixes`, with its habit of stopping at an exception that one mark more or less would make."""
    ascii_only = chunk.isascii()
    token_match = rules.regex("token_match", ascii_only)
    prefix, suffix = rules.regex("prefix", ascii_only), rules.regex("suffix", ascii_only)
    start, end = 0, len(chunk)
    before: Spans = []
    after: Spans = []
    last = -1
    while start < end and end - start != last:
        rest = chunk[start:end]
        if (token_match and token_match.match(rest)) or (with_exceptions and rules.exception(rest) is not None):
            break
        last = end - start
        cut = _prefix_length(prefix, rest)
        if cut and with_exceptions and rules.exception(rest[cut:]) is not None:
            before.append((start, start + cut))
            start += cut
            break
        tail = _suffix_length(suffix, rest[cut:])
        if tail and with_exceptions and rules.exception(rest[:-tail]) is not None:
            after.append((end - tail, end))
            end -= tail
            break
        if cut:
            before.append((start, start + cut))
            start += cut
        if tail:
            after.append((end - tail, end))
            end -= tail
    return before + _middle(chunk[start:end], start, rules, ascii_only, with_exceptions) + after[::-1]


def _middle(rest: str, at: int, rules: TokenRules, ascii_only: bool, with_exceptions: bool) -> Spans:
    """What remains between the affixes: an exception, a URL, or tokens between infixes."""
    if not rest:
        return []
    whole = rules.exception(rest) if with_exceptions else None
    if whole is not None:
        return _spans(whole, at)
    if ascii_only and rest.isalnum():  # no URL and no infix is of letters and digits alone
        return [(at, at + len(rest))]
    for name in ("token_match", "url_match"):
        pattern = rules.regex(name, ascii_only)
        if pattern and pattern.match(rest):
            return [(at, at + len(rest))]
    infix = rules.regex("infix", ascii_only)
    spans: Spans = []
    done = 0
    for match in infix.finditer(rest) if infix else ():
        if match.start() == 0:  # an infix at the very start stays with what follows
            continue
        if match.start() != done:
            spans.append((at + done, at + match.start()))
        if match.end() != match.start():
            spans.append((at + match.start(), at + match.end()))
        done = match.end()
    if done < len(rest):
        spans.append((at + done, at + len(rest)))
    return spans


def _mend_exceptions(chunk: str, spans: Spans, rules: TokenRules) -> Spans:
    """Put exceptions in the place of the tokens that they would be without being exceptions.

    Infixes tear `abang-abang/kakak-kakak` into words; both reduplications are exceptions and come back.  Longer ones
    first, then those to the left; one that overlaps another is left out and still bars others, as in spaCy.
    """
    if len(spans) < 2:
        return spans
    found: list[tuple[int, int, Sequence[str]]] = []
    for i in range(len(spans)):
        for j in range(i, len(spans)):
            start, end = spans[i][0], spans[j][1]
            if end - start > rules.longest:
                break
            text = chunk[start:end]
            tokens = rules.exceptions.get(text) if i == j else rules.exception(text)
            if tokens is not None and _torn(text, rules) == [(a - start, b - start) for a, b in spans[i : j + 1]]:
                found.append((i, j + 1, tokens))
    taken: set[int] = set()
    kept: dict[int, tuple[int, Sequence[str]]] = {}
    for first, last, tokens in sorted(found, key=lambda f: (f[0] - f[1], f[0])):
        if first not in taken and last - 1 not in taken:
            kept[first] = (last, tokens)
        taken.update(range(first, last))
    mended: Spans = []
    at = 0
    while at < len(spans):
        if at in kept:
            mended += _spans(kept[at][1], spans[at][0])
            at = kept[at][0]
        else:
            mended.append(spans[at])
            at += 1
    return mended


def _torn(text: str, rules: TokenRules) -> Spans | None:
    """The tokens of an exception if it were none; None where no expression finds anything in it, so that nothing tears it."""
    ascii_only = text.isascii()
    for name in ("prefix", "suffix", "infix"):
        pattern = rules.regex(name, ascii_only)
        if pattern and pattern.search(text):
            return _split(text, rules, False)
    return None


def _spans(tokens: Sequence[str], at: int) -> Spans:
    spans = []
    for token in tokens:
        spans.append((at, at + len(token)))
        at += len(token)
    return spans


def _prefix_length(pattern: Pattern[str] | None, text: str) -> int:
    """Length of the first match, 0 for none.

    All alternatives begin with `^` but one of the Indonesian rules, `<a([^>]+)>`, which spaCy finds anywhere and cuts by its
    length from the start; asking at the start first spares the search, which would try every place.
    """
    if pattern is None:
        return 0
    match = pattern.match(text) or (pattern.search(text) if "<a" in text else None)
    return match.end() - match.start() if match else 0


def _suffix_length(pattern: Pattern[str] | None, text: str) -> int:
    match = pattern.search(text) if pattern and text else None
    return match.end() - match.start() if match else 0
