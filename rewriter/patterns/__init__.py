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

__all__ = ["PATTERNS", "Pattern", "write_patterns"]

Pattern = Callable[[Analysis, Resources], Variant | Skip]

PATTERNS: tuple[tuple[str, Pattern], ...] = (
    ("literal", write_literal),  # first: the user may have meant just that, and nothing may push it out
    ("disambiguation", write_disambiguation),  # before the others: a wrong sense makes every other variant wrong
    ("english", write_english),  # the largest measured gain for an Indonesian query
    ("synonym", write_synonym),  # reaches experts' pages, but only where an entry fits
    ("question", write_question),  # last: it repeats the words of the query in another form
)


def write_patterns(analysis: Analysis, resources: Resources) -> list[tuple[str, Variant | Skip]]:
    """What each pattern writes.  Talk is searched by no other words, and an undecided meaning is asked back before anything is written."""
    reason = "not-a-search" if analysis.talk else "undecided" if analysis.undecided is not None or analysis.referents else ""
    return [(name, Skip(reason) if reason and name != "literal" else write(analysis, resources)) for name, write in PATTERNS]
