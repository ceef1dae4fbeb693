"""Words of both languages that carry no content, and those that deny."""

from __future__ import annotations

from rewriter.text import en, id

__all__ = ["EMPTY", "NEGATIONS"]

EMPTY = id.FUNCTION | en.FUNCTION | id.QUESTION | en.QUESTION
NEGATIONS = id.NEGATIONS | en.NEGATIONS
