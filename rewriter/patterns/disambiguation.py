"""Nicknames, acronyms, idioms and follow-ups, under the name that the conversation gives them."""

from __future__ import annotations

from rewriter.analysis import Analysis, write_sense
from rewriter.followups import FollowUp
from rewriter.lexicon.entries import Sense
from rewriter.model import Skip, Variant
from rewriter.resources import Resources
from rewriter.senses import Decision
from rewriter.text.words import join_pieces

__all__ = ["write_disambiguation", "write_option"]


def write_disambiguation(analysis: Analysis, resources: Resources) -> Variant | Skip:
    """The resolved query, where resolving changed it."""
    if analysis.changed:
        return Variant("disambiguation", analysis.language, join_pieces(analysis.resolved.words, analysis.cleaned.original))
    if isinstance(analysis.follow_up, str) and analysis.follow_up == "no-referent":
        return Skip("no-referent")
    decided = [d for d in analysis.decisions if d.chosen is not None]
    return Skip("clear-by-itself", tuple(d.chosen.sense.id for d in decided if d.chosen)) if decided else Skip("not-ambiguous")


def write_option(analysis: Analysis, decision: Decision, sense: Sense, resources: Resources) -> Variant:
    """The query with one of the possible senses of an undecided form."""
    base = analysis.follow_up.words if isinstance(analysis.follow_up, FollowUp) else analysis.words
    words = write_sense(base, decision.found, sense, analysis.language, resources)
    return Variant("disambiguation", analysis.language, join_pieces(words, analysis.cleaned.original))
