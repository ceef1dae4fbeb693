"""Loanwords: how Indonesian spells an English (Greek, Latin) word, so that `radiasi` is known without an entry.

The spelling rules of the official guide (Ejaan Yang Disempurnakan, unsur serapan) are applied to English words when the pack is
compiled; at run time a word without an entry is looked up among the spellings they give.  Where two English words share a
spelling the more frequent one wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["loan_index", "spellings", "verb_candidates"]

LEAST_LETTERS = 5
"""Shorter spellings meet native words too often."""
LEAST_ZIPF = 200
"""English words rarer than this are names and noise more than terms."""

# English ending → Indonesian endings, longest first; the guide's table of suffixes.
ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ization", ("isasi",)),
    ("isation", ("isasi",)),
    ("fication", ("fikasi",)),
    ("istics", ("istika", "istik")),
    ("ation", ("asi",)),
    ("ition", ("isi",)),
    ("ution", ("usi",)),
    ("ction", ("ksi",)),
    ("ption", ("psi",)),
    ("ssion", ("si",)),
    ("ology", ("ologi",)),
    ("graphy", ("grafi",)),
    ("ality", ("alitas",)),
    ("ivity", ("ivitas",)),
    ("ical", ("is", "ikal", "ik")),
    ("ular", ("uler", "ular")),
    ("ancy", ("ansi",)),
    ("ency", ("ensi",)),
    ("ance", ("ansi", "ans")),
    ("ence", ("ensi", "ens")),
    ("ment", ("men",)),
    ("tion", ("si",)),
    ("sion", ("si",)),
    ("ture", ("tur",)),
    ("ious", ("ius",)),
    ("ary", ("er", "aris")),
    ("ics", ("ika", "ik")),
    ("ism", ("isme",)),
    ("ist", ("is",)),
    ("ity", ("itas",)),
    ("ive", ("if",)),
    ("cle", ("kel",)),
    ("ple", ("pel",)),
    ("ent", ("en",)),
    ("ant", ("an",)),
    ("ide", ("ida",)),
    ("ine", ("in", "ina")),
    ("ose", ("osa",)),
    ("ase", ("ase",)),
    ("ene", ("ena",)),
    ("age", ("ase", "asi")),
    ("ure", ("ur",)),
    ("tre", ("ter",)),
    ("ic", ("ik", "is")),
    ("ct", ("k",)),
    ("pt", ("p",)),
    ("ty", ("tas", "ti")),
    ("y", ("i",)),
    ("e", ("", "e")),
    ("", ("",)),
)
# Letters inside the word, in this order.
LETTERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        (r"sch", "sk"),
        (r"sc(?=[eiy])", "s"),
        (r"cc(?=[eiy])", "ks"),
        (r"ch", "k"),
        (r"ck", "k"),
        (r"ph", "f"),
        (r"th", "t"),
        (r"rh", "r"),
        (r"qu", "ku"),
        (r"x", "ks"),
        (r"c(?=ae|oe|[eiy])", "s"),
        (r"c", "k"),
        (r"ae|oe", "e"),
        (r"ou", "u"),
        (r"oo", "u"),
        (r"(?<!^)y(?![aeiou])", "i"),
        (r"([bcdfgklmnprstvz])\1", r"\1"),
    )
)


WEAK_ENDINGS = frozenset({"e", "y", ""})
_TELLING = re.compile(r"[cxqy]|ph")
"""Letters that Indonesian always respells: a word without them and without a telling ending only looks borrowed (`masing`, `massing`)."""


def spellings(word: str) -> list[str]:
    """Indonesian spellings that the rules give an English word, best first; none where nothing shows that it is the same word.

    >>> [spellings(w)[0] for w in ("radiation", "detection", "pollutant", "colitis", "astronomy", "quantum", "syndrome", "activity")]
    ['radiasi', 'deteksi', 'polutan', 'kolitis', 'astronomi', 'kuantum', 'sindrom', 'aktivitas']
    >>> spellings("massing")
    []
    """
    made: dict[str, None] = {}
    for ending, replacements in ENDINGS:
        if not word.endswith(ending) or len(word) - len(ending) < 2:
            continue
        body = word[: len(word) - len(ending)] if ending else word
        if ending not in WEAK_ENDINGS or _TELLING.search(word):
            for replacement in replacements:
                made[_respell(body) + replacement] = None
        if ending not in WEAK_ENDINGS:
            break
    return [s for s in made if s != word]


def _respell(body: str) -> str:
    for pattern, to in LETTERS:
        body = pattern.sub(to, body)
    return body


def loan_index(zipf: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """Indonesian spelling → English word, for the English words of a frequency table.

    A spelling that English uses itself is left out (`area`), and so is a common Indonesian word that no ending marks as
    borrowed: that one needs an entry (`petik` is not `poetic`).
    """
    index: dict[str, tuple[int, str]] = {}
    for word, (in_id, in_en) in zipf.items():
        if in_en < LEAST_ZIPF or in_id > in_en or not (word.isascii() and word.isalpha()) or len(word) < LEAST_LETTERS:
            continue
        marked = any(word.endswith(e) for e, _ in ENDINGS if len(e) > 2)
        for rank, spelling in enumerate(spellings(word)):
            known = zipf.get(spelling, (0, 0))
            if len(spelling) < LEAST_LETTERS or known[1] > 300 or (known[0] > 300 and not marked):
                continue
            worth = in_en - 60 * rank
            if spelling not in index or (worth, word) > index[spelling]:
                index[spelling] = (worth, word)
    return {spelling: word for spelling, (_, word) in index.items()}


def verb_candidates(noun: str) -> list[str]:
    """Verbs that may belong to a noun in `-tion`: for the caller to take the one that English uses most.

    >>> verb_candidates("identification"), verb_candidates("evaluation"), verb_candidates("detection")
    (['identify', 'identificate', 'identific'], ['evaluate', 'evalu', 'evalue'], ['detect', 'detecte'])
    """
    if noun.endswith("fication"):
        return [noun[:-7] + "y", noun[:-3] + "e", noun[:-5]]
    if noun.endswith("ization"):
        return [noun[:-5] + "e", noun[:-6] + "e"]
    if noun.endswith("ation"):
        return [noun[:-3] + "e", noun[:-5], noun[:-5] + "e"]
    if noun.endswith("duction"):
        return [noun[:-4] + "e"]
    if noun.endswith(("tion", "sion")):
        return [noun[:-3], noun[:-3] + "e"]
    return []
