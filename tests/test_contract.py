"""What callers rely on: the plan's fields, the inputs taken and refused, the policy, and the loading of resources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import strategies as own
from hypothesis import given

import rewriter
from rewriter import (
    LexiconError,
    Plan,
    PlanError,
    Policy,
    Request,
    Resources,
    RewriterError,
    Turn,
    default_resources,
    load_resources,
    rewrite,
    rewrite_all,
)

ASKED = "harga iphone 16"

# ── The plan ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

PLAN_FIELDS = ["query", "query_id", "language", "intent", "variants", "clarification", "mentions", "trail", "signature"]
VARIANT_FIELDS = ["pattern", "text", "language", "pieces"]
PIECE_FIELDS = ["text", "sources", "kind", "rule", "evidence"]
INTENTS = set(
    """how-to definition comparison price troubleshooting recommendation location time reason eligibility list person news navigational
    other""".split()
)


def test_the_json_has_the_fields_of_the_contract_in_its_order() -> None:
    plan = json.loads(rewrite("jaguar").to_json())
    assert list(plan)[: len(PLAN_FIELDS)] == PLAN_FIELDS
    for variant in plan["variants"]:
        assert list(variant)[: len(VARIANT_FIELDS)] == VARIANT_FIELDS
        assert all(list(piece)[: len(PIECE_FIELDS)] == PIECE_FIELDS for piece in variant["pieces"])
    assert list(plan["clarification"]) == ["question", "language", "options"]
    assert list(plan["clarification"]["options"][0]) == ["sense", "label", "query"]
    assert list(plan["mentions"][0]) == ["start", "end", "form", "sense", "candidates"]
    assert list(plan["mentions"][0]["candidates"][0]) == ["sense", "score", "cues"]
    assert all(list(step) == ["stage", "rule", "outcome", "evidence"] for step in plan["trail"])


@given(own.queries())
def test_the_intent_is_one_of_the_contract(query: str) -> None:
    assert rewrite(query).intent in INTENTS


def test_the_signature_names_all_that_can_change_a_plan() -> None:
    assert re.fullmatch(r"rewriter:[^|]+\|pack:[0-9a-f]+\|lex:[0-9a-f+]+\|policy:[^|]+", rewrite(ASKED).signature)


def test_queries_are_the_texts_of_the_variants() -> None:
    plan = rewrite(ASKED)
    assert plan.queries == tuple(v.text for v in plan.variants)
    assert plan.queries[0] == ASKED


def test_a_plan_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        rewrite(ASKED).query = "lain"  # type: ignore[misc]


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\N{ZERO WIDTH SPACE}", "\x00", "\ud800"])
def test_a_blank_query_gives_no_variant(query: str) -> None:
    assert rewrite(query).variants == ()


@pytest.mark.parametrize("query", ["?", "😀", "!!!", "…", "❤️ 🍌", "-", '""'])
def test_a_query_without_words_gives_the_literal_alone(query: str) -> None:
    assert [(v.pattern, v.text) for v in rewrite(query, ["harga iphone"]).variants] == [("literal", query)]


def test_a_query_that_is_too_long_gives_the_literal_whole() -> None:
    query = "harga iphone " * 200
    plan = rewrite(query)
    assert plan.queries == (query.strip(),)
    assert "too-long" in {s.outcome for s in plan.trail}


def test_a_query_of_just_the_greatest_length_is_analysed() -> None:
    assert "too-long" not in {s.outcome for s in rewrite("h" * Policy().max_query_chars).trail}


@pytest.mark.parametrize("broken", [None, [], "x", {}, {"query": 1}, {**rewrite(ASKED).to_dict(), "variants": None}])
def test_data_that_is_no_plan_is_refused(broken: Any) -> None:
    with pytest.raises(PlanError):
        Plan.from_dict(broken)


@pytest.mark.parametrize("field", PLAN_FIELDS)
def test_a_plan_that_lacks_a_field_is_refused_by_name(field: str) -> None:
    data = rewrite(ASKED).to_dict()
    del data[field]
    with pytest.raises(PlanError, match=field):
        Plan.from_dict(data)


def test_a_plan_whose_pieces_do_not_join_is_refused() -> None:
    data = rewrite(ASKED).to_dict()
    data["variants"][0]["text"] = "lain"
    with pytest.raises(PlanError):
        Plan.from_dict(data)


# ── What rewrite takes ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("query", [None, 1, b"harga", ["harga"]])
def test_a_query_that_is_no_text_is_a_type_error(query: Any) -> None:
    with pytest.raises(TypeError, match="query"):
        rewrite(query)


@pytest.mark.parametrize("context", ["iphone 16", b"iphone", 3, None, {"role": "user", "content": "x"}])
def test_a_context_that_is_no_sequence_is_a_type_error(context: Any) -> None:
    with pytest.raises(TypeError, match="context"):
        rewrite(ASKED, context)


def test_an_unknown_role_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"context\[1\].*'tukang'"):
        rewrite(ASKED, ["halo", {"role": "tukang", "content": "x"}])


@pytest.mark.parametrize("turn", [1, None, ["user", "x"], {"role": "user", "content": 5}, Turn("user", 5), Turn("user", b"x")])  # type: ignore[arg-type]
def test_something_that_is_no_turn_is_refused_with_its_place(turn: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"context\[1\]"):
        rewrite(ASKED, ["halo", turn])


@pytest.mark.parametrize("turn", [{"content": "x"}, {"role": None, "content": "x"}, {"role": 3, "content": "x"}])
def test_a_mapping_without_a_role_is_refused_with_its_place(turn: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"context\[0\]"):
        rewrite(ASKED, [turn])


@pytest.mark.parametrize(
    "turn",
    [
        Turn("user", "iphone 16"),
        {"role": "user", "content": "iphone 16"},
        {"role": "user", "content": [{"type": "text", "text": "iphone 16"}]},
        {"role": "user", "content": [{"type": "image", "url": "x"}, {"type": "text", "text": "iphone 16"}, {"type": "text"}]},
        {"role": "user", "content": "iphone 16", "name": "budi"},
    ],
)
def test_a_turn_may_be_a_string_a_turn_or_a_mapping(turn: Any) -> None:
    assert rewrite("harganya berapa?", [turn]) == rewrite("harganya berapa?", ["iphone 16"])
    assert "iphone 16" in rewrite("harganya berapa?", [turn]).queries[1]


@pytest.mark.parametrize("content", [None, "", "  ", [], [{"type": "image", "url": "x"}]])
def test_a_turn_without_text_says_nothing(content: Any) -> None:
    assert rewrite("harganya berapa?", [{"role": "assistant", "content": content}]) == rewrite("harganya berapa?")


@pytest.mark.parametrize("role", ["system", "developer", "tool"])
def test_turns_of_other_roles_are_read_only_when_the_policy_names_them(role: str) -> None:
    turn = {"role": role, "content": "iphone 16"}
    assert rewrite("harganya berapa?", [turn]) == rewrite("harganya berapa?")
    read = Policy(read_roles=("user", "assistant", role))
    assert any("iphone 16" in q for q in rewrite("harganya berapa?", [turn], policy=read).queries)


@pytest.mark.parametrize("last", ["jaguar", " Jaguar ", {"role": "user", "content": "jaguar"}])
def test_a_last_turn_that_repeats_the_query_is_dropped(last: Any) -> None:
    before = ["mobil sport buatan Inggris"]
    assert rewrite("jaguar", [*before, last]).to_dict() == rewrite("jaguar", before).to_dict()


def test_a_tuple_of_turns_is_a_context_too() -> None:
    assert rewrite(ASKED, ("halo",)) == rewrite(ASKED, ["halo"])


@pytest.mark.parametrize("policy", [None, {}, "ask"])
def test_a_policy_of_another_type_is_refused(policy: Any) -> None:
    with pytest.raises(TypeError, match="policy"):
        rewrite(ASKED, policy=policy)


def test_rewrite_all_is_lazy_and_keeps_order_and_ids() -> None:
    taken = []

    def requests() -> Iterator[Request]:
        for number, query in enumerate(("harga beras", "nano banana", "")):
            taken.append(number)
            yield Request(query, (Turn("user", "halo"),), f"q{number}")

    plans = rewrite_all(requests())
    assert taken == []
    first = next(iter(plans))
    assert taken == [0]
    assert [(p.query, p.query_id) for p in [first, *plans]] == [("harga beras", "q0"), ("nano banana", "q1"), ("", "q2")]


def test_rewrite_all_refuses_what_is_no_request() -> None:
    with pytest.raises(TypeError, match="Request"):
        list(rewrite_all(["harga beras"]))  # type: ignore[list-item]


# ── Policy ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

COUNTS = [f.name for f in fields(Policy) if f.name not in ("ask", "recency_percent", "read_roles")]


@pytest.mark.parametrize("field", COUNTS)
@pytest.mark.parametrize("value", [1.5, "3", None, True])
def test_a_number_of_another_type_is_refused(field: str, value: Any) -> None:
    with pytest.raises(TypeError, match=field):
        Policy(**{field: value})


@pytest.mark.parametrize("field", COUNTS)
def test_a_negative_number_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        Policy(**{field: -1})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"ask": 1}, TypeError),
        ({"ask": None}, TypeError),
        ({"max_variants": 0}, ValueError),
        ({"long_query_variants": 0}, ValueError),
        ({"max_options": 0}, ValueError),
        ({"recency_percent": ()}, (TypeError, ValueError)),
        ({"recency_percent": [100]}, TypeError),
        ({"recency_percent": (1.0,)}, TypeError),
        ({"recency_percent": (-1,)}, (TypeError, ValueError)),
        ({"recency_percent": (True,)}, TypeError),
        ({"read_roles": ()}, (TypeError, ValueError)),
        ({"read_roles": "user"}, TypeError),
        ({"read_roles": ("tukang",)}, ValueError),
        ({"read_roles": (["user"],)}, (TypeError, ValueError)),
        ({"unknown": 1}, TypeError),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(wrong: dict[str, Any], error: Any) -> None:
    with pytest.raises(error):
        Policy(**wrong)


def test_refusals_are_sentences() -> None:
    for wrong in ({"max_variants": -1}, {"ask": 1}, {"read_roles": ("tukang",)}):
        with pytest.raises((TypeError, ValueError)) as caught:
            Policy(**wrong)
        assert str(caught.value).endswith(".")
        assert "Policy." in str(caught.value)


# ── Resources ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

SENSE = {
    "id": "zz.one", "forms": ["zorblat"], "canonical": {"en": "Kwendra engine", "id": "mesin Kwendra"},
    "gloss": {"en": "an engine", "id": "sebuah mesin"}, "domain": "no/such/domain", "cues": ["kode"], "source": "somebody's list, 2019",
}  # fmt: skip


def test_no_argument_gives_the_shipped_lexicons(resources: Resources) -> None:
    assert load_resources() == resources == default_resources()
    assert rewrite(ASKED) == rewrite(ASKED, resources=resources)


def test_any_domain_and_any_source_load(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(SENSE), encoding="utf-8")
    plan = rewrite("zorblat", ["kode"], resources=load_resources(file))
    assert [m.sense for m in plan.mentions] == ["zz.one"]


def test_given_lexicons_are_laid_over_the_shipped_ones(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(SENSE), encoding="utf-8")
    laid = load_resources(file)
    assert "zz.one" in {m.sense for m in rewrite("zorblat", resources=laid).mentions}
    assert rewrite("jaguar", resources=laid).mentions == rewrite("jaguar").mentions


def test_without_the_base_only_the_given_entries_are_known(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(SENSE), encoding="utf-8")
    alone = load_resources(file, base=False)
    assert "zz.one" in {m.sense for m in rewrite("zorblat", resources=alone).mentions}
    assert rewrite("nano banana", resources=alone).mentions == ()
    plan = rewrite("harga mobil bekas", resources=alone)
    assert [v.pattern for v in plan.variants if v.pattern in ("english", "synonym", "disambiguation")] == []
    assert plan.language == "id", "frequencies stay"
    assert plan.intent == "price", "rules stay"


def test_a_translation_memory_gives_the_english_variant(tmp_path: Path) -> None:
    file = tmp_path / "memory"
    file.write_text(json.dumps({"source": "Harga  beras", "target": "what rice costs"}) + "\n", encoding="utf-8")
    plan = rewrite("harga beras", resources=load_resources(memory=file))
    assert "what rice costs" in plan.queries


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.jsonl", '{"id": "x.y"}\n', "a.jsonl:1"),
        ("a.jsonl", '\n{"id"\n', "a.jsonl:2"),
        ("a.jsonl", "[]\n", "a.jsonl:1"),
        ("a.toml", "[x.y]\nforms = [\n", "a.toml:"),
        ("a.toml", '[x.y]\nforms = ["a"]\n[x.y]\nforms = ["b"]\n', "a.toml:3"),
        ("a.toml", '[x]\nforms = ["a"]\n', "a.toml:1"),
        ("a.tsv", "x\ty\n", "a.tsv:1"),
        ("a.tsv", "id\ten\tpos\nberas\n", "a.tsv:2"),
    ],
)
def test_a_broken_lexicon_is_refused_with_file_and_line(tmp_path: Path, name: str, text: str, where: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(LexiconError, match=re.escape(where)):
        load_resources(tmp_path)


def test_a_lexicon_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(RewriterError, match="nowhere"):
        load_resources(tmp_path / "nowhere")
    with pytest.raises(RewriterError, match="nowhere"):
        load_resources(memory=tmp_path / "nowhere")


def test_the_version_moves_with_the_signature() -> None:
    assert f"rewriter:{rewriter.__version__}|" in rewrite(ASKED).signature
