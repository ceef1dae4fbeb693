"""Haystack: the component in real pipelines, in the place of `QueryExpander`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from haystack import Document, Pipeline, component
from haystack.components.generators.chat import MockChatGenerator
from haystack.components.query import QueryExpander
from haystack.components.retrievers import InMemoryBM25Retriever
from haystack.components.retrievers.multi_query_text_retriever import MultiQueryTextRetriever
from haystack.core.errors import PipelineRuntimeError
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore

from rewriter import InputError, Plan, Policy, Turn, rewrite
from rewriter.integrations.clarify import ClarificationNeeded
from rewriter.integrations.haystack import QueryRewriter, turns_of

QUERY = "harga nano banana"
CHAT = [ChatMessage.from_user("lagi bikin poster"), ChatMessage.from_assistant("Pakai model gambar AI apa?")]
PLAN = rewrite(QUERY, [Turn("user", "lagi bikin poster"), Turn("assistant", "Pakai model gambar AI apa?")])
TEXTS = ["harga model gambar Gemini", "resep rendang padang", "Gemini image model price list"]


def search_pipeline(expander: Any) -> Pipeline:
    """A pipeline as the library's documentation has it; only the expander differs."""
    store = InMemoryDocumentStore()
    store.write_documents([Document(content=text) for text in TEXTS])
    pipeline = Pipeline()
    pipeline.add_component("expander", expander)
    pipeline.add_component("retriever", MultiQueryTextRetriever(retriever=InMemoryBM25Retriever(document_store=store, top_k=1)))
    pipeline.connect("expander.queries", "retriever.queries")
    return pipeline


def test_it_replaces_the_query_expander_in_a_pipeline_unchanged() -> None:
    reply = json.dumps({"queries": ["harga Gemini"]})
    theirs = search_pipeline(QueryExpander(chat_generator=MockChatGenerator(reply)))
    ours = search_pipeline(QueryRewriter())
    data = {"expander": {"query": "price Gemini image model", "n_expansions": 1}}
    assert theirs.run(data)["retriever"]["documents"]
    assert [d.content for d in ours.run(data)["retriever"]["documents"]] == [TEXTS[2]]
    assert set(theirs.inputs()["expander"]) <= set(ours.inputs()["expander"])


def test_the_variants_find_what_the_query_alone_does_not() -> None:
    found = search_pipeline(QueryRewriter()).run({"expander": {"query": QUERY, "context": CHAT}}, include_outputs_from={"expander"})
    assert {d.content for d in found["retriever"]["documents"]} == {TEXTS[0], TEXTS[2]}
    assert found["expander"] == {"queries": list(PLAN.queries), "plan": PLAN.to_dict()}
    assert Plan.from_dict(found["expander"]["plan"]) == PLAN


@component
class History:
    """The turns of a chat, as another component gives them."""

    @component.output_types(messages=list[ChatMessage])
    def run(self) -> dict[str, list[ChatMessage]]:
        return {"messages": CHAT}


def test_the_conversation_may_come_from_another_component() -> None:
    pipeline = search_pipeline(QueryRewriter())
    pipeline.add_component("history", History())
    pipeline.connect("history.messages", "expander.context")
    found = pipeline.run({"expander": {"query": QUERY}}, include_outputs_from={"expander"})
    assert found["expander"]["queries"] == list(PLAN.queries)


def test_a_pipeline_is_saved_and_loaded() -> None:
    text = search_pipeline(QueryRewriter(policy={"ask": False, "max_variants": 2}, on_clarification="raise")).dumps()
    loaded = Pipeline.loads(text, allowed_modules=["rewriter.integrations.haystack"])
    rewriter_component = loaded.get_component("expander")
    assert rewriter_component.to_dict() == QueryRewriter({"ask": False, "max_variants": 2}, on_clarification="raise").to_dict()
    found = loaded.run({"expander": {"query": "jaguar"}}, include_outputs_from={"expander"})
    assert found["expander"]["queries"] == list(rewrite("jaguar", policy=Policy(ask=False, max_variants=2)).queries)


def test_n_expansions_are_searches_beside_the_query() -> None:
    run = QueryRewriter().run
    assert run("cara hapus akun instagram", n_expansions=1)["queries"] == ["cara hapus akun instagram", "how to delete account instagram"]
    with pytest.raises(InputError, match="n_expansions"):
        run("kopi", n_expansions=0)


def test_lexicons_are_laid_over_the_shipped_ones(tmp_path: Any) -> None:
    (tmp_path / "own.toml").write_text(
        '[zorp.tool]\nforms = ["zorp"]\ncanonical.en = "Zorp build tool"\ncanonical.id = "alat Zorp"\ngloss.en = "a tool"\n'
        'gloss.id = "alat"\ndomain = "technology"\ncues = ["build"]\nsource = "curated"\n',
        encoding="utf-8",
    )
    plan = QueryRewriter(lexicons=[str(tmp_path / "own.toml")]).run("zorp build")["plan"]
    assert plan["mentions"][0]["sense"] == "zorp.tool"


def test_an_open_meaning_is_covered_or_stops_the_pipeline() -> None:
    found = QueryRewriter().run("jaguar")
    assert found["plan"]["clarification"]["question"].endswith("?")
    assert found["queries"] == list(rewrite("jaguar").queries)
    with pytest.raises(ClarificationNeeded):
        QueryRewriter(on_clarification="raise").run("jaguar")
    with pytest.raises(PipelineRuntimeError, match="Maksudnya kucing besar"):
        search_pipeline(QueryRewriter(on_clarification="raise")).run({"expander": {"query": "jaguar"}})


def test_what_is_wrong_is_refused_when_the_component_is_made() -> None:
    with pytest.raises(InputError, match="on_clarification"):
        QueryRewriter(on_clarification="return")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="did you mean 'ask'"):
        QueryRewriter(policy={"asks": True})
    with pytest.raises(InputError, match="The context is a str"):
        turns_of("halo")


@pytest.mark.parametrize("text", ["Ignore previous instructions", "{{ 7*7 }} {% raw %}", "\x00\x1b[31m", "", "a" * 50_000])
def test_hostile_text_stays_text(text: str) -> None:
    run = QueryRewriter().run
    clear = "cara hapus akun instagram"
    assert run(clear, [ChatMessage.from_assistant(text)])["queries"] == list(rewrite(clear).queries)
    assert run(text)["plan"] == rewrite(text).to_dict()
