"""LlamaIndex: a retriever around any retriever, and the rewriting step as a query transform.

The plan of a retrieval goes out as an instrumentation event, `QueryRewritten`: nodes belong to the index and are not written to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from rewriter import InputError, Plan, Policy, Resources, Turn, rewrite
from rewriter.context import ContextItem
from rewriter.integrations.clarify import OnClarification, Unattended, check_choice, raise_question
from rewriter.integrations.extras import missing_extra
from rewriter.integrations.passages import Found, Key, address_of, fuse_documents, given_identity, sources_of
from rewriter.policy import ROLES

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.callbacks.base import CallbackManager
    from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
    from llama_index.core.instrumentation.events import BaseEvent
    from llama_index.core.llms import ChatMessage
    from llama_index.core.prompts.mixin import PromptDictType
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
    from llama_index_instrumentation import get_dispatcher
except ImportError as error:
    raise missing_extra("llama-index", error) from None

__all__ = ["Context", "QueryRewritten", "RewritingQueryTransform", "RewritingRetriever", "turns_of"]

Context = Sequence[ChatMessage | ContextItem] | Callable[[], Sequence[ChatMessage | ContextItem]]
"""The turns before a query, or a function that gives them, such as `memory.get`."""

_ROLES = {"chatbot": "assistant", "model": "assistant", "function": "tool"}
_dispatcher = get_dispatcher(__name__)


class QueryRewritten(BaseEvent):
    """A query was rewritten and searched: its plan, and for each document where it was found; both as plain data."""

    plan: dict[str, Any]
    sources: list[list[dict[str, Any]]]

    @classmethod
    def class_name(cls) -> str:
        """The name under which handlers know it."""
        return "QueryRewritten"


def turns_of(context: Context) -> list[ContextItem]:
    """Turns from chat messages, from whatever `rewrite` takes, or from a function that gives either.

    >>> [turn.role for turn in turns_of([ChatMessage("Ini resepnya.", role="assistant")])]
    ['assistant']
    """
    messages = context() if callable(context) else context
    if isinstance(messages, (str, Mapping)) or not isinstance(messages, Sequence):
        raise InputError(f"The context is a {type(messages).__name__}; give a list of chat messages, oldest first.")
    return [_turn(message) if isinstance(message, ChatMessage) else message for message in messages]


def _turn(message: ChatMessage) -> Turn:
    role = _ROLES.get(message.role.value, message.role.value)
    return Turn(role if role in ROLES else "tool", message.content or "")


class RewritingRetriever(BaseRetriever):
    """Searches every variant of the query with `retriever`, at once, and fuses the nodes; their score is that of the fusion.

    `key` says which node is which: a metadata field (`url`: the page's address, wherever it stands), a function of the node, or None:
    the address and the text.  `on_clarification="return"` gives one node, the question, with `clarification` in its metadata.
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        *,
        context: Context = (),
        key: Key = None,
        on_clarification: OnClarification = "cover",
        limit: int | None = None,
        max_concurrency: int = 5,
        resources: Resources | None = None,
        policy: Policy | None = None,
        callback_manager: CallbackManager | None = None,
        verbose: bool = False,
    ) -> None:
        check_choice(on_clarification)
        if max_concurrency < 1:
            raise InputError(f"max_concurrency is {max_concurrency}; it must be 1 or more.")
        super().__init__(callback_manager=callback_manager or retriever.callback_manager, verbose=verbose)
        self._retriever = retriever
        self._context = context
        self._key = key
        self._on_clarification: OnClarification = on_clarification
        self._limit = limit
        self._max_concurrency = max_concurrency
        self._resources = resources
        self._policy = Policy() if policy is None else policy

    def with_context(self, context: Context) -> RewritingRetriever:
        """The same retriever for another conversation; this one is not changed."""
        return RewritingRetriever(
            self._retriever, context=context, key=self._key, on_clarification=self._on_clarification, limit=self._limit,
            max_concurrency=self._max_concurrency, resources=self._resources, policy=self._policy,
            callback_manager=self.callback_manager, verbose=self._verbose,
        )  # fmt: skip

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        plan = self._plan(query_bundle)
        asked = self._question(plan)
        if asked is not None:
            return asked
        with ThreadPoolExecutor(self._max_concurrency) as pool:
            futures = [pool.submit(copy_context().run, self._retriever.retrieve, query) for query in plan.queries]
            return self._fuse(plan, [future.result() for future in futures])

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        plan = self._plan(query_bundle)
        asked = self._question(plan)
        if asked is not None:
            return asked
        free = asyncio.Semaphore(self._max_concurrency)

        async def search(query: str) -> list[NodeWithScore]:
            async with free:
                return await self._retriever.aretrieve(query)

        return self._fuse(plan, await asyncio.gather(*map(search, plan.queries)))

    def _plan(self, query_bundle: QueryBundle) -> Plan:
        return rewrite(query_bundle.query_str, turns_of(self._context), resources=self._resources, policy=self._policy)

    def _question(self, plan: Plan) -> list[NodeWithScore] | None:
        """The answer where there is a question and it is not covered by searches; None where there is something to search."""
        raise_question(plan, self._on_clarification)
        if plan.clarification is None or self._on_clarification != "return":
            return None
        _dispatcher.event(QueryRewritten(plan=plan.to_dict(), sources=[]))
        asked = {"clarification": plan.clarification.to_dict()}
        node = TextNode(
            text=plan.clarification.question, metadata=asked, excluded_llm_metadata_keys=[*asked], excluded_embed_metadata_keys=[*asked]
        )
        return [NodeWithScore(node=node, score=None)]

    def _fuse(self, plan: Plan, lists: Sequence[Sequence[NodeWithScore]]) -> list[NodeWithScore]:
        found = {query: [self._found(item) for item in items] for query, items in zip(plan.queries, lists, strict=True)}
        fused = fuse_documents(found, self._limit)
        _dispatcher.event(QueryRewritten(plan=plan.to_dict(), sources=[sources_of(row) for _, row in fused]))
        return [NodeWithScore(node=item.node, score=row.score) for item, row in fused]

    def _found(self, item: NodeWithScore) -> Found:
        metadata = item.node.metadata
        return Found(item, address_of(metadata), item.node.get_content(), item.node.node_id, given_identity(self._key, item.node, metadata))


class RewritingQueryTransform(BaseQueryTransform):
    """One query in, one out: the text to search is the resolved variant where a meaning or referent was decided, else the literal,
    and all variants are embedded (`custom_embedding_strs`).

    `metadata={"context": messages}` in a call goes before the context given here.
    """

    def __init__(
        self,
        *,
        context: Context = (),
        on_clarification: Unattended = "cover",
        resources: Resources | None = None,
        policy: Policy | None = None,
    ) -> None:
        check_choice(on_clarification, ("cover", "raise"))
        self._context = context
        self._on_clarification = on_clarification
        self._resources = resources
        self._policy = Policy() if policy is None else policy

    def _get_prompts(self) -> PromptDictType:
        """There are none: no model is asked."""
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """There are none."""

    def _run(self, query_bundle: QueryBundle, metadata: dict[str, Any]) -> QueryBundle:
        turns = turns_of(metadata.get("context") or self._context)
        plan = rewrite(query_bundle.query_str, turns, resources=self._resources, policy=self._policy)
        raise_question(plan, self._on_clarification)
        _dispatcher.event(QueryRewritten(plan=plan.to_dict(), sources=[]))
        resolved = [v.text for v in plan.variants if v.pattern == "disambiguation"]
        text = resolved[0] if len(resolved) == 1 and plan.clarification is None else query_bundle.query_str
        return QueryBundle(query_str=text, image_path=query_bundle.image_path, custom_embedding_strs=list(plan.queries) or None)
