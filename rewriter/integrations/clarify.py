"""What an adapter does when the meaning is open: cover each meaning, stop with an error, or hand the question back."""

from __future__ import annotations

from typing import Literal

from rewriter import InputError, Plan, RewriterError
from rewriter.model import Clarification

__all__ = ["ClarificationNeeded", "OnClarification", "Unattended", "check_choice", "raise_question"]

OnClarification = Literal["cover", "raise", "return"]
"""`cover`: search each meaning. `raise`: `ClarificationNeeded`, and nothing is searched. `return`: the question is the answer."""

Unattended = Literal["cover", "raise"]
"""The choices where there is nothing but queries to hand back."""


class ClarificationNeeded(RewriterError):
    """The query has meanings too far apart; `clarification` is the question for the user, `plan` what would cover them."""

    def __init__(self, plan: Plan, clarification: Clarification) -> None:
        options = "; ".join(f"{option.label}: {option.query}" for option in clarification.options)
        super().__init__(f"{clarification.question} Ask the user, or search what is meant ({options}).")
        self.plan = plan
        self.clarification = clarification

    def __reduce__(self) -> tuple[type[ClarificationNeeded], tuple[Plan, Clarification]]:
        return type(self), (self.plan, self.clarification)


def raise_question(plan: Plan, choice: str) -> None:
    """`ClarificationNeeded` where the plan asks and the choice is `raise`."""
    if choice == "raise" and plan.clarification is not None:
        raise ClarificationNeeded(plan, plan.clarification)


def check_choice(choice: str, known: tuple[str, ...] = ("cover", "raise", "return")) -> None:
    """`InputError` for a choice that there is not."""
    if choice not in known:
        raise InputError(f"on_clarification is {choice!r}; it must be {', '.join(known[:-1])} or {known[-1]}.")
