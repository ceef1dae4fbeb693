"""spaCy: a pipeline component, `nlp.add_pipe("rewriter")`, that reads a query as a document and sets `doc._.plan`.

The turns before a query are set on the document: `doc = nlp.make_doc(query); doc._.context = turns; nlp(doc)`.  Plan and turns are kept
as JSON in `doc.user_data`, so that documents can be sent to other processes and stored.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rewriter import InputError, Plan, Policy, Resources, Turn, rewrite
from rewriter.context import ContextItem
from rewriter.integrations.extras import missing_extra
from rewriter.integrations.policies import open_resources, read_policy

try:
    from spacy.language import Language
    from spacy.tokens import Doc
except ImportError as error:
    raise missing_extra("spacy", error) from None

__all__ = ["RewriterComponent", "create_component"]

PLAN, CONTEXT = "rewriter_plan", "rewriter_context"
"""Keys in a document's user data."""


@Language.factory("rewriter", assigns=["doc._.plan"], default_config={"policy": {}, "lexicons": [], "memory": None})
def create_component(nlp: Any, name: str, policy: dict[str, Any], lexicons: list[str], memory: str | None) -> RewriterComponent:
    """The component, from the configuration of a pipeline."""
    return RewriterComponent(open_resources(lexicons, memory), read_policy(policy))


class RewriterComponent:
    """Rewrites the text of each document and keeps the plan with it."""

    def __init__(self, resources: Resources, policy: Policy) -> None:
        self.resources = resources
        self.policy = policy
        _extend_documents()

    def __call__(self, doc: Doc) -> Doc:
        """The same document, with its plan."""
        plan = rewrite(doc.text, _get_context(doc), resources=self.resources, policy=self.policy)
        doc.user_data[PLAN] = plan.to_json()
        return doc


def _extend_documents() -> None:
    for name, getter, setter in (("plan", _get_plan, None), ("context", _get_context, _set_context)):
        if not Doc.has_extension(name):
            Doc.set_extension(name, getter=getter, setter=setter)
        elif Doc.get_extension(name)[2] is not getter:
            raise InputError(f"Another component has set the extension doc._.{name}; remove it, or use rewriter.rewrite on doc.text.")


def _get_plan(doc: Doc) -> Plan | None:
    """The plan; None for a document that the component has not seen."""
    kept = doc.user_data.get(PLAN)
    return None if kept is None else Plan.from_dict(json.loads(kept))


def _get_context(doc: Doc) -> list[ContextItem]:
    return list(json.loads(doc.user_data.get(CONTEXT, "[]")))


def _set_context(doc: Doc, turns: Sequence[ContextItem]) -> None:
    if isinstance(turns, str) or not isinstance(turns, Sequence):
        raise InputError(f"doc._.context was given a {type(turns).__name__}; give a list of turns, oldest first.")
    plain = [{"role": turn.role, "content": turn.content} if isinstance(turn, Turn) else turn for turn in turns]
    doc.user_data[CONTEXT] = json.dumps(plain)
