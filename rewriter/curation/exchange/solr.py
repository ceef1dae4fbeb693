r"""Synonym files of Solr, Lucene, Elasticsearch and OpenSearch: `maag, sakit maag => gastritis, dispepsia`.

A comment before each rule keeps kind and id, which the rule itself cannot: `# jargon maag.gastritis`.  `\` stands before a comma, an
equals sign or a number sign that is meant as such.  A list without an arrow leads from all its words to the first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.curation.exchange.exchanged import Options, Read, Written, decode, losses, make_id, refused
from rewriter.curation.exchange.targets import from_sides, held_by, sides_of
from rewriter.curation.rows import KINDS, Row

__all__ = ["read", "write"]

_ABOUT = re.compile(r"#\s*(\S+) (\S+)\s*$")
_SPECIAL = re.compile(r"[\\,=#]")


def write(rows: Sequence[Row], options: Options) -> Written:
    """A rule a row that leads somewhere in the language."""
    lines, left = [], 0
    for row in rows:
        forms, targets = sides_of(row, options.language)
        if not forms or not targets or any(re.search(r"[\n\r]|^\s|\s$", t) for t in (*forms, *targets)):
            left += 1
            continue
        lines.append(f"# {row.kind} {row.id if row.kind in KINDS[:3] else '-'}")
        lines.append(f"{', '.join(map(_escape, forms))} => {', '.join(map(_escape, targets))}")
    told = losses(rows, held_by(options.language), "Solr's format")
    if left:
        told.append(f"{left} entries lead nowhere in {options.language!r}, or hold line ends or outer spaces, and were left out.")
    return ("\n".join(lines) + "\n" if lines else "").encode("utf-8"), tuple(told)


def read(data: bytes, options: Options) -> list[Read]:
    """A jargon entry a rule, or what the comment before it says."""
    found: list[Read] = []
    taken: set[str] = set()
    about: re.Match[str] | None = None
    for number, line in enumerate(decode(data, options.name).split("\n"), 1):
        text = line.strip("\r ")
        if not text:
            continue
        if text.startswith("#"):
            about = _ABOUT.fullmatch(text)
            continue
        found.append(_read_rule(f"row {number}", text, about, taken, options))
        about = None
    return found


def _read_rule(place: str, text: str, about: re.Match[str] | None, taken: set[str], options: Options) -> Read:
    sides = _split(text, "=>")
    words = [[_unescape(w.strip()) for w in _split(side, ",")] for side in sides]
    if len(sides) > 2:
        return refused(place, "it has two arrows; a rule has one", {"forms": words[0]})
    if any(not w for side in words for w in side):
        return refused(place, "a word is empty; delete the comma, or write the word", {"forms": words[0]})
    if len(words) == 1:
        if len(words[0]) < 2:
            return refused(place, "it has one word; a rule needs two, or an arrow", {"forms": words[0]})
        words = [words[0][1:], words[0][:1]]
    kind = about[1] if about and about[1] in KINDS else "jargon"
    given = about[2] if about and about[2] != "-" else ""
    name = given if given and given not in taken else make_id(words[0][0], words[1][0], taken)
    taken.add(name)
    return Read(place, from_sides(kind, name, words[0], words[1], options.language))


def _escape(word: str) -> str:
    return _SPECIAL.sub(lambda m: "\\" + m[0], word)


def _unescape(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word)


def _split(text: str, mark: str) -> list[str]:
    r"""Parts between marks that no backslash makes plain.

    >>> _split(r"a\,b, c", ",")
    ['a\\,b', ' c']
    """
    parts, start, at = [], 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text.startswith(mark, at):
            parts.append(text[start:at])
            at += len(mark)
            start = at
        else:
            at += 1
    return [*parts, text[start:]]
