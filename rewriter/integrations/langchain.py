"""LangChain: a retriever around any retriever, usable wherever `MultiQueryRetriever` is, and the rewriting step as a runnable.

The turns before a query come with it: `invoke(query, context=messages)`, `invoke({"query": …, "context": …})`, or `invoke(messages)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rewriter import InputError, Plan, Policy, Resources, Turn, rewrite
from rewriter.context import ContextItem
from rewriter.integrations.clarify import OnClarification, raise_question
from rewriter.integrations.extras import missing_extra
from rewriter.integrations.passages import Found, Key, address_of, fuse_documents, given_identity, sources_of
from rewriter.policy import ROLES

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, SystemMessage, convert_to_messages
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable, ensure_config
    from pydantic import ConfigDict, Field
except ImportError as error:
    raise missing_extra("langchain", error) from None

__all__ = ["QueryRewriter", "RewritingRetriever", "read_input", "turns_of"]

QUERY_FIELDS = ("query", "input", "question")
CONTEXT_FIELDS = ("context", "chat_history", "history", "messages")
"""Names under which chains keep the query and the turns before it."""


def turns_of(messages: Sequence[Any]) -> list[ContextItem]:
    """Turns from chat messages, or whatever LangChain reads as such: (role, text) pairs, mappings, strings (the user's).

    >>> from langchain_core.messages import AIMessage
    >>> [turn.role for turn in turns_of([("human", "resep rendang"), AIMessage("Ini resepnya.")])]
    ['user', 'assistant']
    """
    if isinstance(messages, str) or not isinstance(messages, Sequence):
        raise InputError(f"The context is a {type(messages).__name__}; give a list of messages, oldest first.")
    return [_turn(message) for message in messages]


def _turn(message: Any) -> ContextItem:
    if isinstance(message, (Turn, str)) or (isinstance(message, Mapping) and message.get("role") in ROLES):
        return cast("ContextItem", message)
    try:
        read = message if isinstance(message, BaseMessage) else convert_to_messages([message])[0]
    except (ValueError, NotImplementedError, TypeError) as error:
        raise InputError(f"This is no chat message: {str(error).splitlines()[0]}") from None
    return Turn(_role(read), str(read.text))


def _role(message: BaseMessage) -> str:
    if isinstance(message, ChatMessage):
        role = {"human": "user", "ai": "assistant"}.get(message.role, message.role)
        if role not in ROLES:
            raise InputError(f"A chat message has the role {message.role!r}; known roles are {', '.join(ROLES)}.")
        return role
    for kind, role in ((HumanMessage, "user"), (AIMessage, "assistant"), (SystemMessage, "system")):
        if isinstance(message, kind):
            return role
    return "tool"  # results of tools and functions, and whatever else is not talk


def read_input(given: Any) -> tuple[str, list[ContextItem]]:
    """Query and turns from a string, a mapping with both, or a list of messages of which the last is the query.

    >>> read_input({"input": "yang murah", "chat_history": ["laptop untuk desain"]})
    ('yang murah', ['laptop untuk desain'])
    """
    if isinstance(given, str):
        return given, []
    if isinstance(given, Mapping):
        query = next((given[name] for name in QUERY_FIELDS if isinstance(given.get(name), str)), None)
        turns: Sequence[Any] = next((given[name] for name in CONTEXT_FIELDS if given.get(name) is not None), ())
        return (query, turns_of(turns)) if query is not None else _split(turns_of(turns))
    if isinstance(given, BaseMessage):
        return _split([_turn(given)])
    return _split(turns_of(given))


def _split(turns: list[ContextItem]) -> tuple[str, list[ContextItem]]:
    """The last turn is the query; it must be the user's."""
    last = turns[-1] if turns else None
    if isinstance(last, Mapping) and isinstance(last.get("content"), str):
        last = Turn(str(last["role"]), str(last["content"]))
    if isinstance(last, Turn) and last.role == "user":
        last = last.content
    if not isinstance(last, str):
        raise InputError(
            f"There is no query: give a string, a mapping with one of {', '.join(QUERY_FIELDS)}, or messages whose last is the user's."
        )
    return last, turns[:-1]


class QueryRewriter(RunnableSerializable[Any, Plan]):
    """The rewriting step alone: a string, a mapping or messages in, a `Plan` out.  `raise` is the only other way with a question."""

    resources: Resources | None = Field(default=None, exclude=True)
    policy: Policy = Field(default_factory=Policy)
    on_clarification: OnClarification = "return"

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Plan:
        """The plan of the input; `ClarificationNeeded` where the meaning is open and `on_clarification` is `raise`."""
        return self._call_with_config(self._rewrite, input, config, run_type="chain", **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Plan:
        """The same; a rewrite takes less than a switch of threads."""

        async def step(given: Any) -> Plan:
            return self._rewrite(given)

        return await self._acall_with_config(step, input, config, run_type="chain", **kwargs)

    def _rewrite(self, given: Any) -> Plan:
        query, turns = read_input(given)
        plan = rewrite(query, turns, resources=self.resources, policy=self.policy)
        raise_question(plan, self.on_clarification)
        return plan


class RewritingRetriever(BaseRetriever):
    """Searches every variant of the query with `retriever`, at once, and fuses what they find.

    Each search is a child run, tagged `variant:` and its pattern.  The plan stands in the run's metadata under `rewriter_plan`, and
    each document's metadata gain `rewriter`: score, and which variants found it at which rank.  The documents of `retriever` stay as
    they are.
    """

    retriever: Runnable[str, list[Document]]
    key: Key = Field(default=None, exclude=True)
    """What says which document is which: a metadata field (`url`: the page's address, wherever it stands), a function of the
    document, or None: the address, and the text where the document is a passage of its page (`rewriter.integrations.passages`)."""
    on_clarification: OnClarification = "cover"
    """`return` gives one document: the question, with `clarification` and `rewriter_plan` in its metadata."""
    context: list[Any] = Field(default_factory=list)
    """Turns before the query, for callers that hand over only a string; those given with the query come after them."""
    limit: int | None = None
    """Documents at most."""
    max_concurrency: int = Field(default=5, ge=1)
    resources: Resources | None = Field(default=None, exclude=True)
    policy: Policy = Field(default_factory=Policy)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Documents for a query: a string (turns as `context=`), a mapping with query and context, or chat messages."""
        plan = self._plan(input, kwargs.pop("context", ()))
        return super().invoke(plan.query, _noted(config, plan), plan=plan, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The same, with asynchronous searches."""
        plan = self._plan(input, kwargs.pop("context", ()))
        return await super().ainvoke(plan.query, _noted(config, plan), plan=plan, **kwargs)

    def _plan(self, given: Any, context: Sequence[Any]) -> Plan:
        query, turns = read_input(given)
        return rewrite(query, [*turns_of(self.context), *turns_of(context), *turns], resources=self.resources, policy=self.policy)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, plan: Plan | None = None
    ) -> list[Document]:
        plan = self._plan(query, ()) if plan is None else plan
        asked = self._question(plan)
        if asked is not None:
            return asked
        configs = self._configs(plan, [run_manager.get_child(f"variant:{v.pattern}") for v in plan.variants])
        return self._fuse(plan, self.retriever.batch(list(plan.queries), configs))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, plan: Plan | None = None
    ) -> list[Document]:
        plan = self._plan(query, ()) if plan is None else plan
        asked = self._question(plan)
        if asked is not None:
            return asked
        configs = self._configs(plan, [run_manager.get_child(f"variant:{v.pattern}") for v in plan.variants])
        return self._fuse(plan, await self.retriever.abatch(list(plan.queries), configs))

    def _configs(self, plan: Plan, children: Sequence[Any]) -> list[RunnableConfig]:
        return [RunnableConfig(callbacks=child, max_concurrency=self.max_concurrency) for child in children]

    def _question(self, plan: Plan) -> list[Document] | None:
        """The answer where there is a question and it is not covered by searches; None where there is something to search."""
        raise_question(plan, self.on_clarification)
        if plan.clarification is None or self.on_clarification != "return":
            return None
        asked = {"clarification": plan.clarification.to_dict(), "rewriter_plan": plan.to_dict()}
        return [Document(page_content=plan.clarification.question, metadata=asked)]

    def _fuse(self, plan: Plan, lists: Sequence[Sequence[Document]]) -> list[Document]:
        found = {
            query: [Found(d, address_of(d.metadata), d.page_content, d.id, given_identity(self.key, d, d.metadata)) for d in documents]
            for query, documents in zip(plan.queries, lists, strict=True)
        }
        return [
            document.model_copy(update={"metadata": {**document.metadata, "rewriter": {"score": row.score, "sources": sources_of(row)}}})
            for document, row in fuse_documents(found, self.limit)
        ]


def _noted(config: RunnableConfig | None, plan: Plan) -> RunnableConfig:
    """The configuration with the plan in the metadata of this run and of the searches below it."""
    noted = ensure_config(config)
    noted["metadata"] = {**(noted.get("metadata") or {}), "rewriter_plan": plan.to_dict()}
    return noted
