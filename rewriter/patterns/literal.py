"""The query as given."""

from __future__ import annotations

from rewriter.analysis import Analysis
from rewriter.model import Piece, Skip, Variant
from rewriter.resources import Resources
from rewriter.text.normalise import strip_invisible

__all__ = ["literal_variant", "write_literal"]


def write_literal(analysis: Analysis, resources: Resources) -> Variant | Skip:
    """The query without outer white space and invisible characters: the user may really have meant that."""
    return literal_variant(analysis.cleaned.original, analysis.language)


def literal_variant(query: str, language: str) -> Variant | Skip:
    """As `write_literal`, for a query that was not analysed."""
    spans = strip_invisible(query)
    if not spans:
        return Skip("no-words")
    return Variant("literal", language, tuple(Piece(query[a:b], ((a, b),), "copy", "copy_query") for a, b in spans))
