"""The five patterns, in the order in which their variants are searched."""

from __future__ import annotations

from collections.abc import Callable

from rewriter.analysis import Analysis
from rewriter.model import Skip, Variant
from rewriter.patterns.disambiguation import write_disambiguation
from rewriter.patterns.english import write_english
from rewriter.patterns.literal import write_literal
from rewriter.patterns.question import write_question
from rewriter.patterns.synonym import write_synonym
from rewriter.resources import Resources
from rewriter.text.normalise import variant_key

__all__ = ["PATTERNS", "Pattern", "write_patterns"]

Pattern = Callable[[Analysis, Resources, frozenset[str]], Variant | Skip]
"""Writes one variant; the last argument are the `variant_key` of those before it."""

PATTERNS: tuple[tuple[str, Pattern], ...] = (
    ("literal", lambda analysis, resources, _: write_literal(analysis, resources)),  # first: the user may have meant just that
    ("disambiguation", lambda analysis, resources, _: write_disambiguation(analysis, resources)),  # a wrong sense makes all others wrong
    ("english", lambda analysis, resources, _: write_english(analysis, resources)),  # the largest measured gain for an Indonesian query
    ("synonym", write_synonym),  # reaches experts' pages, but only where an entry fits
    ("question", lambda analysis, resources, _: write_question(analysis, resources)),  # last: it repeats the query in another form
)


def write_patterns(analysis: Analysis, resources: Resources) -> list[tuple[str, Variant | Skip]]:
    """What each pattern writes.  Talk is searched by no other words, and an undecided meaning is asked back before anything is written."""
    reason = "not-a-search" if analysis.talk else "undecided" if analysis.undecided is not None or analysis.referents else ""
    written: list[tuple[str, Variant | Skip]] = []
    for name, write in PATTERNS:
        taken = frozenset([variant_key(v.text) for _, v in written if isinstance(v, Variant)]) if name == "synonym" else frozenset()
        written.append((name, Skip(reason) if reason and name != "literal" else write(analysis, resources, taken)))
    return written
