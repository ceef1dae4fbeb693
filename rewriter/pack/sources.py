"""What the field's libraries know, as plain data.  spaCy, wordfreq, NLTK and babel are imported here and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from rewriter.errors import PackError
from rewriter.lexicon.entries import Translation
from rewriter.record import record
from rewriter.text.normalise import fold
from rewriter.text.tokenise import EXPRESSIONS

__all__ = ["LIBRARIES", "cldr_translations", "english_stems", "frequencies", "library_versions", "tokeniser_rules"]

LIBRARIES: dict[str, tuple[str, str]] = {
    "babel": ("names of countries, languages, currencies (Unicode CLDR)", "Unicode-3.0"),
    "nltk": ("English Snowball stems", "Apache-2.0"),
    "spacy": ("tokeniser rules for Indonesian and English", "MIT"),
    "wordfreq": ("word frequencies", "CC BY-SA 4.0"),
}
"""Library → what the pack takes from it, and the licence of that."""

LEAST_ZIPF = {"id": 0.0, "en": 1.6}
"""Rarer words than this are left out.  The Indonesian list ends at 3.0 of itself; English below 1.6 is names and noise."""


def library_versions() -> dict[str, str]:
    """Installed version of each source library; `PackError` where one is missing."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            raise PackError(
                f"The language pack is compiled with {name}, which is not installed; run `pip install 'rewriter[curate]'`, "
                "or install the wheel, which carries a compiled pack."
            ) from None
    return found


@record
class RuleData:
    """spaCy's tokeniser rules of one language: the five expressions, exceptions of several tokens, exceptions of one.

    `prefix_words` are the prefixes that are letters alone.
    """

    expressions: dict[str, str]
    exceptions: dict[str, list[str]]
    single: list[str]
    prefix_words: list[str]

    def to_dict(self) -> dict[str, Any]:
        """All but `single`, as a pack stores it, with the expressions cut down to ASCII and the length of the longest exception."""
        from rewriter.pack.narrow import narrow_expression

        return {
            "exceptions": self.exceptions,
            "expressions": self.expressions,
            "longest": max(map(len, [*self.exceptions, *self.single]), default=0),
            "narrow": {name: narrow_expression(source) for name, source in self.expressions.items()},
            "prefix_words": self.prefix_words,
        }


def tokeniser_rules(language: str) -> RuleData:
    """The rules of `spacy.blank(language)`.

    Exceptions with white space (`Dr. med`) are left out: a token never spans white space here.
    """
    import spacy
    from spacy.symbols import ORTH

    nlp = spacy.blank(language)
    tokenizer: Any = nlp.tokenizer
    exceptions: dict[str, list[str]] = {}
    single: list[str] = []
    for chunk, tokens in tokenizer.rules.items():
        if any(c.isspace() for c in chunk):
            continue
        orths = [t[ORTH] for t in tokens]
        if len(orths) == 1:
            single.append(chunk)
        else:
            exceptions[chunk] = orths
    methods = (tokenizer.prefix_search, tokenizer.suffix_search, tokenizer.infix_finditer, tokenizer.token_match, tokenizer.url_match)
    expressions = {name: _pattern(method) for name, method in zip(EXPRESSIONS, methods, strict=True)}
    words = sorted(p for p in nlp.Defaults.prefixes or () if isinstance(p, str) and p.isascii() and p.isalpha())
    return RuleData(expressions, dict(sorted(exceptions.items())), sorted(single), words)


def _pattern(method: Any) -> str:
    return "" if method is None else str(method.__self__.pattern)


def frequencies() -> dict[str, tuple[int, int]]:
    """Zipf frequency in hundredths of each folded word: (Indonesian, English)."""
    import wordfreq

    table: dict[str, list[int]] = {}
    for column, language in enumerate(("id", "en")):
        for word, share in wordfreq.get_frequency_dict(language, "best").items():
            zipf = math.log10(share) + 9
            if zipf >= LEAST_ZIPF[language] and not any(c.isspace() for c in word):
                row = table.setdefault(fold(word), [0, 0])
                row[column] = max(row[column], round(zipf * 100))
    return {w: (z[0], z[1]) for w, z in table.items()}


def english_stems(words: Iterable[str]) -> dict[str, str]:
    """Snowball stems of the English words that have one other than themselves."""
    from nltk.stem.snowball import EnglishStemmer

    stemmer = EnglishStemmer()
    stems = {w: stemmer.stem(w) for w in words if w.isascii() and w.isalpha() and len(w) > 2}
    return {w: s for w, s in stems.items() if s != w}


def cldr_translations() -> list[Translation]:
    """Names of countries, languages and currencies, Indonesian → English, where they differ."""
    from babel import Locale

    indonesian, english = Locale("id"), Locale("en")
    rows: dict[str, Translation] = {}

    def add(form: str, name: str, pos: str) -> None:
        form = fold(form)
        if form and form != fold(name) and form.replace(" ", "").replace("-", "").isalpha():
            rows.setdefault(form, Translation(form, name, pos, (), ""))

    for code, name in sorted(indonesian.territories.items()):
        if code in english.territories and code.isalpha():
            add(name, english.territories[code], "name")
    for code, name in sorted(indonesian.languages.items()):
        if code in english.languages and "_" not in code:
            add(f"bahasa {name}", english.languages[code], "name")
    for code, name in sorted(indonesian.currencies.items()):
        if code in english.currencies:
            add(name, english.currencies[code].lower() if code in ("IDR", "USD") else english.currencies[code], "name")
    return [rows[f] for f in sorted(rows)]
