"""Domains that a person may have meant: by their path, its parts, and their labels in both languages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from rewriter.lexicon.entries import Domain, nodes_of

__all__ = ["ALIKE", "SURE", "Labels", "alike_domains", "labels_of"]

Labels = Mapping[str, Sequence[str]]
"""Path of a domain → its labels."""

ALIKE = 0.7
"""Likeness (of 1) from which a path is worth naming: a slip or an ending; below it, `makanan` is like `manga`."""
SURE = 0.8
"""Likeness from which a path may be offered as the answer."""
ELSEWHERE = 0.85
"""What is left of a likeness under another root than the one typed."""


def labels_of(domains: Iterable[Domain]) -> dict[str, tuple[str, ...]]:
    """Path → labels of a domain tree."""
    return {d.path: (d.label_en.casefold(), d.label_id.casefold()) for d in domains}


def alike_domains(text: str, labels: Labels, limit: int = 5) -> list[tuple[str, float]]:
    """Paths like a text and how much (up to 1), the likest first.

    Of a path that goes on from a known one (`food/coffee`) those below that are named too; nothing where nothing is alike.

    >>> tree = {"food": ("food", "makanan"), "travel/transport": ("transport", "transportasi"), "arts": ("arts", "seni")}
    >>> alike_domains("Makanan", tree), alike_domains("transport", tree)[0], alike_domains("qqq", tree)
    ([('food', 1.0)], ('travel/transport', 1.0), [])
    """
    head, _, tail = _words(text).rpartition("/")
    if not tail:
        return []
    home = next((node for node in reversed([*nodes_of(_words(text, "-"))]) if node in labels), "")
    root = home.partition("/")[0]
    likeness = {}
    for path, names in labels.items():
        ratio = _likeness(tail, (_words(path).rpartition("/")[2], *names))
        if head and path.partition("/")[0] != root:
            ratio *= ELSEWHERE
        likeness[path] = max(ratio, ALIKE if home and f"{path}/".startswith(f"{home}/") else 0.0)
    found = sorted((p for p in likeness if likeness[p] >= ALIKE), key=lambda p: (-likeness[p], p.count("/"), p))
    return [(path, round(likeness[path], 2)) for path in found[:limit]]


def _words(text: str, part: str = " ") -> str:
    """A path in lower case, its parts without edges of white space, their words parted in one way."""
    return "/".join(part.join(p.replace("-", " ").split()) for p in text.casefold().strip("/ ").split("/"))


def _likeness(wanted: str, names: Iterable[str]) -> float:
    """The greatest likeness to one of the names; a whole word of one is nearly all of it."""
    ratios = [0.0]
    for name in names:
        whole = 1.0 if wanted == name else 0.9 if f" {wanted} " in f" {name} " else 0.0
        ratios.append(whole or difflib.SequenceMatcher(None, wanted, name).ratio())
    return max(ratios)
