"""Haystack: a component that stands where `QueryExpander` stands, with the same sockets and without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewriter import InputError, Resources, Turn, rewrite
from rewriter.context import ContextItem
from rewriter.integrations.clarify import Unattended, check_choice, raise_question
from rewriter.integrations.extras import missing_extra
from rewriter.integrations.policies import open_resources, read_policy
from rewriter.record import replace

try:
    from haystack import component, default_from_dict, default_to_dict
    from haystack.dataclasses import ChatMessage
except ImportError as error:
    raise missing_extra("haystack", error) from None

__all__ = ["QueryRewriter", "turns_of"]


def turns_of(context: Sequence[Any]) -> list[ContextItem]:
    """Turns from chat messages, or from whatever `rewrite` takes.

    >>> turns_of([ChatMessage.from_user("resep rendang"), "yang pedas"])
    [Turn(role='user', content='resep rendang'), 'yang pedas']
    """
    if isinstance(context, str) or not isinstance(context, Sequence):
        raise InputError(f"The context is a {type(context).__name__}; give a list of chat messages, oldest first.")
    return [Turn(item.role.value, "\n".join(item.texts)) if isinstance(item, ChatMessage) else item for item in context]


@component
class QueryRewriter:
    """A query as the searches worth running: `queries` for a `MultiQueryTextRetriever`, and the `plan` that says why.

    Every argument is plain data, so that pipelines can be written as YAML: `policy` has fields of `rewriter.Policy`, `lexicons` are
    files or folders laid over the shipped ones, `memory` is a translation memory.  Where the meaning is open, `queries` cover each
    meaning and the plan holds the question; with `on_clarification="raise"` the pipeline stops with `ClarificationNeeded`.
    """

    def __init__(
        self,
        policy: dict[str, Any] | None = None,
        lexicons: list[str] | None = None,
        memory: str | None = None,
        on_clarification: Unattended = "cover",
    ) -> None:
        check_choice(on_clarification, ("cover", "raise"))
        self.policy = policy
        self.lexicons = lexicons
        self.memory = memory
        self.on_clarification = on_clarification
        self._policy = read_policy(policy)
        self._resources: Resources | None = None

    def warm_up(self) -> None:
        """Open the language pack, before the first query needs it."""
        if self._resources is None:
            self._resources = open_resources(self.lexicons or (), self.memory)

    @component.output_types(queries=list[str], plan=dict[str, Any])
    def run(
        self,
        query: str,
        context: list[ChatMessage] | list[str] | list[dict[str, Any]] | None = None,
        n_expansions: int | None = None,
    ) -> dict[str, Any]:
        """The variants of `query` in the order to search them, and the plan as plain data.

        `n_expansions` is what `QueryExpander` calls so: searches beside the query itself, at most.
        """
        self.warm_up()
        policy = self._policy
        if n_expansions is not None:
            if n_expansions < 1:
                raise InputError(f"n_expansions is {n_expansions}; it must be 1 or more.")
            policy = replace(policy, max_variants=n_expansions + 1)
        plan = rewrite(query, turns_of(context or ()), resources=self._resources, policy=policy)
        raise_question(plan, self.on_clarification)
        return {"queries": list(plan.queries), "plan": plan.to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """As a pipeline is saved."""
        given = {name: getattr(self, name) for name in ("policy", "lexicons", "memory", "on_clarification")}
        return default_to_dict(self, **given)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> QueryRewriter:
        """From a saved pipeline."""
        return default_from_dict(cls, data)
