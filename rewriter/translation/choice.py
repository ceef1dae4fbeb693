"""Which of several translations stands here: by the place of the word, its neighbours in the query, and the domain."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.lexicon.entries import Translation
from rewriter.text import id

__all__ = ["by_place", "choose"]

MAKING = frozenset(
    "cara mau ingin ingin pengen bisa dapat akan untuk yang di harus boleh perlu saya aku kami kita dia orang yuk ayo tolong bantu".split()
)
"""Behind these, and at the start, `buat` is the verb; elsewhere it is `untuk`."""
DEGREES = frozenset("paling sangat lebih terlalu cukup agak kurang seberapa".split())
DIMENSIONS = frozenset("luas tinggi berat panjang lebar tebal besar jauh lama kecepatan".split())
"""Adjectives that at the head of a phrase ask for a measure: `luas lapangan`, `tinggi monas`."""


def by_place(rows: list[Translation], form: str, before: str, after: str) -> list[Translation]:
    """Rows that fit where the word stands, for the few words whose class hangs on that; all of them elsewhere."""
    if form == "buat":
        wanted = {"v"} if not before or before in MAKING else {"prep"}
    elif form in ("beda", "bedanya") and not before:
        wanted = {"n", "nu"}
    elif form in DIMENSIONS:
        heads = (not before or before in id.FUNCTION | id.QUESTION) and after and after not in id.FUNCTION
        wanted = {"n", "nu"} if heads else {"adj"}
    elif form == "dalam":
        wanted = {"prep"} if after and after not in id.PARTICLES and before not in DEGREES else {"adj", "prep"}
    elif form == "isi":
        wanted = {"n"} if (not before or before in id.FUNCTION | id.QUESTION) and after not in id.FUNCTION else {"v", "n"}
    elif form == "sama" and before and after and before not in id.FUNCTION:
        wanted = {"prep", "conj"}
    else:
        return rows
    return [r for r in rows if r.pos in wanted] or rows


def choose(entries: Sequence[Translation], around: frozenset[str], domains: Sequence[str]) -> Translation:
    """By neighbours in the query, then by domain, then the default."""
    if len(entries) == 1:
        return entries[0]

    def rank(entry: Translation) -> tuple[int, int, int, str]:
        near = len(around.intersection(entry.when)) if entry.when else 0
        at_home = int(bool(entry.domain) and any(d == entry.domain or d.startswith(entry.domain + "/") for d in domains))
        conditional = int(bool(entry.when)) if not near else 0
        return (-near, -at_home, conditional + int(bool(entry.domain) and not at_home), entry.english)

    return min(entries, key=rank)
