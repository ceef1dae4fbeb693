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

__all__ = ["PATTERNS", "Pattern"]

Pattern = Callable[[Analysis, Resources], Variant | Skip]

PATTERNS: tuple[tuple[str, Pattern], ...] = (
    ("literal", write_literal),  # first: the user may have meant just that, and nothing may push it out
    ("disambiguation", write_disambiguation),  # before the others: a wrong sense makes every other variant wrong
    ("english", write_english),  # the largest measured gain for an Indonesian query
    ("synonym", write_synonym),  # reaches experts' pages, but only where an entry fits
    ("question", write_question),  # last: it repeats the words of the query in another form
)
