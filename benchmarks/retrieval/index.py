"""BM25 by `bm25s`: exact scores, and an order that does not depend on the machine.

`bm25s` over `rank_bm25`: it is maintained (the other's last release is of 2022), scores as Lucene does (the other puts a floor of its
own under the weights of frequent words), and holds scores in a sparse matrix, so that thousands of queries take seconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import bm25s
import numpy as np
from bm25s.stopwords import STOPWORDS_EN
from nltk.stem.snowball import EnglishStemmer

from benchmarks.retrieval.collection import Document

__all__ = ["Index", "index_terms", "language_of"]

K1, B = 0.9, 0.4
"""Anserini's defaults, which most published BM25 baselines use."""

STOP_EN = frozenset(STOPWORDS_EN)
STOP_ID = frozenset("""
    ada adalah akan aku anda apa apakah atau bagaimana bagaimanakah berapa berapakah bisa bukan dalam dan dapat dari dengan di dia dimana
    dimanakah ini itu juga kami kamu kapan kapankah ke kenapa kita mana manakah mengapa mereka nya oleh pada para saja saya sebagai siapa
    siapakah sudah telah tidak untuk yang
""".split())  # fmt: skip
"""Function and question words; those that carry a negation or a manner are left out of an index by every engine's default list."""
CLITICS = re.compile(r"(?<=\w{4})(?:nya|lah|kah|pun|ku|mu)$")
WORDS = re.compile(r"[a-z0-9]+")
_STEMMER = EnglishStemmer()


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_STEMMER.stem(word))


def index_terms(text: str, language: str) -> list[str]:
    """Terms of an English (`en`: Lucene's stop words, Snowball stems) or Indonesian text (`id`: clitics cut, no stems).

    >>> index_terms("The running of the bulls", "en"), index_terms("Apa nama kotanya?", "id")
    (['run', 'bull'], ['nama', 'kota'])
    """
    words = WORDS.findall(text.lower())
    if language == "id":
        return [CLITICS.sub("", word) for word in words if word not in STOP_ID]
    return [_stem(word) for word in words if word not in STOP_EN]


def language_of(documents: Sequence[Document], sample: int = 300) -> str:
    """`id` or `en`, whichever's function words are more frequent in the first documents."""
    words = [word for document in documents[:sample] for word in WORDS.findall(document.text.lower())]
    return "id" if sum(word in STOP_ID for word in words) > sum(word in STOP_EN for word in words) else "en"


class Index:
    """Documents in the order of their scores for a text."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.language = language_of(documents)
        self.ids = [document.id for document in documents]
        self._scorer = bm25s.BM25(method="lucene", k1=K1, b=B)
        self._scorer.index([index_terms(document.text, self.language) for document in documents], show_progress=False)

    def search(self, text: str, depth: int) -> list[str]:
        """Ids of the `depth` best documents that share a term with the text; equal scores go by their place in the corpus."""
        terms = [term for term in index_terms(text, self.language) if term in self._scorer.vocab_dict]
        if not terms:
            return []
        scores = self._scorer.get_scores(terms)
        hit = np.flatnonzero(scores > 0)
        if len(hit) > depth:
            cut = np.partition(scores[hit], len(hit) - depth)[len(hit) - depth]
            hit = hit[scores[hit] >= cut]
        best = hit[np.lexsort((hit, -scores[hit]))][:depth]
        return [self.ids[number] for number in best]
