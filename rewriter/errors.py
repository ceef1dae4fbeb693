"""The exceptions of the package, in one tree.

RewriterError (ValueError)
 ├── LexiconError     a lexicon file cannot be read, or says something impossible (`file:line`)
 ├── PackError        a language pack is damaged, foreign or of another version
 ├── PlanError        data given to `Plan.from_dict` is no plan
 └── InputError       a file of requests, turns or results cannot be read (`file:line`)

Every message is a sentence that says what was found, where, and what to do.
"""

from __future__ import annotations

__all__ = ["InputError", "LexiconError", "PackError", "PlanError", "RewriterError"]


class RewriterError(ValueError):
    """Whatever this package refuses, other than a wrong type."""


class LexiconError(RewriterError):
    """A lexicon file that cannot be read, with its place."""


class PackError(RewriterError):
    """A language pack that cannot be used."""


class PlanError(RewriterError):
    """Data that is no plan."""


class InputError(RewriterError):
    """A request, a conversation or a result list that cannot be read."""
