"""What somebody would do without this package: paste the conversation behind the query, add synonyms, translate word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rewriter import default_resources
from rewriter.text.normalise import clean

__all__ = ["Expand", "open_wordnet", "paste_turns", "translate_words"]

Expand = Callable[[str], str]
SENSES = 3
"""Meanings of a word whose synonyms are added, the most frequent first."""
WORDS = re.compile(r"\w+")


def paste_turns(query: str, turns: Sequence[tuple[str, str]], answers: bool) -> str:
    """The query with all turns behind it, or with the user's alone.

    >>> paste_turns("and price?", [("user", "iphone 16"), ("assistant", "A phone.")], answers=False)
    'and price? iphone 16'
    """
    return " ".join([query, *[text for role, text in turns if answers or role == "user"]])


def translate_words(query: str) -> str:
    """Each word by the first English equal that the bilingual lexicon has for it alone; words that it has not stay.

    >>> translate_words("harga mobil murah xyzzy")
    'price car cheap xyzzy'
    """
    return WORDS.sub(lambda found: _first_english(found[0]), query)


def _first_english(word: str) -> str:
    found = default_resources().translations(clean(word).folded)
    plain = [entry for entry in found if not entry.when] or found  # those that need no neighbour first
    return plain[0].english if plain else word


def open_wordnet(folder: str | None) -> Expand | None:
    """A function that adds WordNet synonyms to an English query; None where NLTK finds no WordNet.

    `folder` is one in which NLTK looks first for `corpora/wordnet`.
    """
    import nltk.data

    if folder:
        nltk.data.path.insert(0, folder)
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        return None

    def add_synonyms(query: str) -> str:
        added: dict[str, None] = {}
        for word in WORDS.findall(query.lower()):
            for sense in wordnet.synsets(word)[:SENSES]:
                added |= dict.fromkeys(name.replace("_", " ").lower() for name in sense.lemma_names())
        return " ".join([query, *[name for name in added if name not in query.lower()]])

    return add_synonyms
