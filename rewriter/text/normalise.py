"""The query as it is analysed: one Unicode form, visible characters, single spaces; every place known in the original."""

from __future__ import annotations

import re
import unicodedata

from rewriter.record import record

__all__ = ["Cleaned", "INVISIBLE", "clean", "fold", "memory_key", "strip_invisible", "variant_key", "words_in"]

INVISIBLE = (
    "\N{SOFT HYPHEN}\N{COMBINING GRAPHEME JOINER}\N{ARABIC LETTER MARK}"
    "\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}"
    "\N{KHMER VOWEL INHERENT AQ}\N{KHMER VOWEL INHERENT AA}\u180b-\u180f"  # Mongolian variation selectors
    "\N{ZERO WIDTH SPACE}-\N{RIGHT-TO-LEFT MARK}\N{LEFT-TO-RIGHT EMBEDDING}-\N{RIGHT-TO-LEFT OVERRIDE}"
    "\N{WORD JOINER}-\u206f\N{ZERO WIDTH NO-BREAK SPACE}\ufff0-\ufffb"  # format and bidi controls, specials
    "\U000e0000-\U000e0fff"  # tags and supplementary variation selectors
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # controls that are no white space
    "\ud800-\udfff"  # lone surrogates: half a character shows nothing
)
"""Characters that show nothing.  A list, not Unicode categories: those move with the version of Python."""

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_INVISIBLE_RUN = re.compile(f"[{INVISIBLE}]+")
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_QUOTES = str.maketrans(
    {
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{MODIFIER LETTER APOSTROPHE}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{HYPHEN}": "-",
    }
)
_FULLWIDTH = re.compile("[\N{FULLWIDTH EXCLAMATION MARK}-\N{FULLWIDTH TILDE}]")
_SPACES = re.compile(r"\s+")
_PLAIN = re.compile(r"(?:[!-~]+(?: [!-~]+)*)?\Z")
_FINAL_MARKS = re.compile(r"[\s?!.]+\Z")


@record
class Cleaned:
    """A query ready for analysis.

    `text`: NFC, fullwidth ASCII made plain, invisible characters gone, white space collapsed to single spaces and cut
    at the ends.  `folded`: the same length, lower case, straight quotes.  `places`: for each character of `text` its
    half-open span in `original`; None where nothing moved.
    """

    original: str
    text: str
    folded: str
    places: tuple[tuple[int, int], ...] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span in the original of `text[start:end]` (not empty)."""
        if self.places is None:
            return (start, end)
        return (self.places[start][0], self.places[end - 1][1])


def clean(original: str) -> Cleaned:
    """Normalise a query without losing a place.

    >>> c = clean("  ＮＡＮＯ\\u200b  banana ")
    >>> c.text, c.folded, c.span(5, 11)
    ('NANO banana', 'nano banana', (9, 15))
    """
    if _PLAIN.match(original):
        return Cleaned(original, original, original.lower(), None)
    seen = _visible(original)
    chars: list[str] = []
    places: list[tuple[int, int]] = []
    i = 0
    while i < len(seen):
        start = i
        cluster = seen[i][0]
        i += 1
        while i < len(seen) and not seen[i][0].isascii() and _joins(cluster, seen[i][0]):
            cluster += seen[i][0]
            i += 1
        made = unicodedata.normalize("NFC", _FULLWIDTH.sub(lambda m: chr(ord(m[0]) - 0xFEE0), cluster))
        if len(made) == i - start:
            places += [(s, e) for _, s, e in seen[start:i]]
        else:
            places += [(seen[start][1], seen[i - 1][2])] * len(made)
        chars += made
    text = "".join(chars)
    return Cleaned(original, text, fold(text), tuple(places))


def _visible(original: str) -> list[tuple[str, int, int]]:
    """The characters that show, each with its span; a run of white space is one space, none at the ends."""
    seen: list[tuple[str, int, int]] = []
    i, n = 0, len(original)
    while i < n:
        end = i + 1
        if original[i].isspace():
            while end < n and (original[end].isspace() or _INVISIBLE.match(original, end)):
                end += 1
            if seen and end < n:
                seen.append((" ", i, end))
        elif not _is_invisible(original, i):
            seen.append((original[i], i, end))
        i = end
    while seen and seen[-1][0] == " ":
        seen.pop()
    return seen


def _joins(cluster: str, char: str) -> bool:
    """Does a character belong to what stands before it under NFC (a combining mark, a Hangul vowel)?"""
    if unicodedata.combining(char):
        return True
    return unicodedata.normalize("NFC", cluster + char) != unicodedata.normalize("NFC", cluster) + unicodedata.normalize("NFC", char)


def fold(text: str) -> str:
    """Lower case and straight quotes, never changing the length (so `İ`, which would become two, stays).

    >>> fold("McDonald’s İzmir")
    "mcdonald's İzmir"
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join([c.lower() if len(c.lower()) == 1 else c for c in text])
    return lowered if lowered.isascii() else lowered.translate(_QUOTES)


def _is_invisible(text: str, i: int) -> bool:
    """Joiners between visible characters beyond ASCII carry meaning (emoji, Persian, Hindi): they stay."""
    if not _INVISIBLE.match(text, i):
        return False
    if text[i] in _JOINERS and 0 < i < len(text) - 1:
        around = text[i - 1], text[i + 1]
        return any(c.isascii() or c.isspace() or _INVISIBLE.match(c) is not None for c in around)
    return True


def strip_invisible(original: str) -> list[tuple[int, int]]:
    """Spans of `original` that the literal variant keeps: all but outer white space and invisible characters.

    >>> strip_invisible(" a\\u200bb ")
    [(1, 2), (3, 4)]
    """
    first, last = 0, len(original)
    while first < last and (original[first].isspace() or _is_invisible(original, first)):
        first += 1
    while last > first and (original[last - 1].isspace() or _is_invisible(original, last - 1)):
        last -= 1
    spans: list[tuple[int, int]] = []
    start = first
    for match in _INVISIBLE_RUN.finditer(original, first, last):
        for i in range(match.start(), match.end()):
            if _is_invisible(original, i):
                if i > start:
                    spans.append((start, i))
                start = i + 1
    if last > start:
        spans.append((start, last))
    return spans


def variant_key(text: str) -> str:
    """What two variants must not share: NFKC, case folded, single spaces, no final `?` `!` `.`.

    >>> variant_key("C++ ?") == variant_key("c++"), variant_key("C++") == variant_key("C#")
    (True, False)
    """
    folded = _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return _FINAL_MARKS.sub("", folded) or folded


def memory_key(query: str) -> str:
    """The query as a memory has it.  Folding can leave letters that compose once more (`H̱`), so it is done twice.

    >>> memory_key("  Harga  BERAS ")
    'harga beras'
    """
    return clean(clean(query).folded).folded


_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*[+#]*")


def words_in(text: str) -> list[str]:
    """The words of a text, folded: letters and digits, with what joins them inside (`don't`, `anak-anak`, `node.js`) and `c++`, `c#`.

    >>> words_in("Don't use C++, Node.js (yet)!")
    ["don't", 'use', 'c++', 'node.js', 'yet']
    """
    return _WORD.findall(fold(text))
