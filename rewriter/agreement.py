"""Does a thing fit what points back to it: number, person and kind, each a whole number for or against it."""

from __future__ import annotations

from rewriter.text import en, id
from rewriter.text.normalise import fold
from rewriter.text.reference import LIFE, PEOPLE, PLURAL_PRONOUNS, is_plural

__all__ = ["agreement"]

FULL_NAME = 60
"""For a pronoun of one person: a name of two words or more."""
ONE_NAME = 25
"""For it: a name of one word."""
NO_PERSON = -40
"""For it: common words."""
PLURAL = 30
"""For `they`: a plural; and against a plural for `it`."""
SINGLE = 18
"""Against what is no plural for `they`; less, since a band and a firm are `they` as well."""
PERSON_TOLD = -45
"""Where nothing says a person: somebody's doctor or mother is told of, not searched."""
LIVES = 15
"""For what is asked of persons (`umurnya`): a full name."""

_PERSONS = en.PERSONS | id.PERSONS | frozenset("ortu orangtua nyokap bokap bini kakakku adikku anakku istriku suamiku ibuku".split())


def agreement(head: str, text: str, kind: str, asked: frozenset[str]) -> int:
    """Points for a thing, by its text and kind, as what `head` (a pronoun, a noun or "") points to in a query of the words `asked`.

    >>> agreement("they", "red blood cells", "topic", frozenset()), agreement("it", "red blood cells", "topic", frozenset())
    (30, -30)
    """
    is_name = kind == "name" and not text.isupper() and not any([c.isdigit() for c in text])
    full = is_name and " " in text
    score = 0
    if head in PEOPLE:
        score += FULL_NAME if full else ONE_NAME if is_name else NO_PERSON
    elif fold(text).split()[-1:] and fold(text).split()[-1] in _PERSONS:
        score += PERSON_TOLD
    if head in PLURAL_PRONOUNS:
        score += PLURAL if is_plural(text) else -SINGLE
    if head in ("it", "its", "this", "that") and is_plural(text) and not is_name:
        score -= PLURAL
    if full and not LIFE.isdisjoint(asked):
        score += LIVES
    return score
