"""Does a text say a word?  At word boundaries, any case, with the regular endings of both languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from nltk.stem.snowball import EnglishStemmer

__all__ = ["content_stems", "first_said", "overlap", "says", "says_verbatim"]

ENDINGS = r"(?:s|es|d|ed|ing|er|ly|nya|an|ku|mu|lah|kah)?"
STOP = frozenset("""
    a about an and any are as at be but by can could did do does for from had has have he her his how i if in into is it its me my of on or
    our she should so some than that the their them there these they this to us was we were what when where which who why will with
    would you your
""".split())  # fmt: skip
_STEMMER = EnglishStemmer()


def fold(text: str) -> str:
    """Words in lower case, parted by one space; `+` and `#` belong to words (c++, c#).

    >>> fold("Apa itu C++?")
    'apa itu c++'
    """
    return re.sub(r"[^\w+#]+|_", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


@lru_cache(maxsize=50_000)
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(r"(?<![\w+#])" + re.escape(fold(word)) + ENDINGS + r"(?![\w+#])")


def says(text: str, word: str, beginning: bool = False) -> bool:
    """Whether `text` has `word`; with `beginning` a word of five letters or more may be the beginning of another.

    >>> says("cheap cars", "car"), says("scarf", "car"), says("theatres", "theat", beginning=True)
    (True, False, True)
    """
    folded = fold(word)
    if not folded:
        return word.casefold() in text.casefold()
    if beginning and len(folded) >= 5:
        return f" {folded}" in f" {fold(text)}"
    return bool(_pattern(word).search(fold(text)))


def first_said(text: str, words: Iterable[str], beginning: bool = False) -> str | None:
    """The first of the words that `text` has."""
    return next((word for word in words if says(text, word, beginning)), None)


def says_verbatim(text: str, part: str) -> bool:
    """Whether a constraint survives: as it is where it looks like code, a path, an address or a model; else in any case.

    >>> says_verbatim("Beli L3210", "l3210"), says_verbatim("epson printer", "Epson")
    (False, True)
    """
    text, part = unicodedata.normalize("NFC", text), unicodedata.normalize("NFC", part)
    exact = re.search(r"[/\\_(){}\[\]<>=@#$]|\w\.\w|[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]", part)
    return part in text if exact else part.casefold() in text.casefold()


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return str(_STEMMER.stem(word))


def content_stems(text: str) -> list[str]:
    """Stems of the words that are no function words.

    >>> content_stems("What was the Stanford Experiment?")
    ['stanford', 'experi']
    """
    return [_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP]


def overlap(text: str, wanted: str) -> float:
    """F1 of the content stems of two texts, each stem once.

    >>> overlap("price of tea", "tea price today")
    0.8
    """
    ours, theirs = set(content_stems(text)), set(content_stems(wanted))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0
