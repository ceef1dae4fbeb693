"""Which sense is taken, asked back or left alone; what must never change it."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import strategies as own
from hypothesis import given
from hypothesis import strategies as st

from rewriter import Plan, Policy, Resources, Turn, load_resources, rewrite

Row = dict[str, Any]


def sense(number: str, forms: list[str], name: str, domain: str, cues: list[str], **more: Any) -> Row:
    """A sense with the fields that every sense has."""
    return {
        "id": number, "forms": forms, "canonical": {"en": name, "id": name}, "gloss": {"en": f"the {name}", "id": name}, "domain": domain,
        "cues": cues, "source": "test", **more,
    }  # fmt: skip


def load_rows(*rows: Row) -> Resources:
    """Resources with these senses over the shipped ones."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "own.jsonl")
        file.write_text(own.to_jsonl(rows), encoding="utf-8")
        return load_resources(file)


def taken(plan: Plan, form: str) -> str | None:
    """The sense taken for a form; None where none was."""
    return next((m.sense for m in plan.mentions if m.form == form), None)


WIND = sense("zorblat.wind", ["zorblat"], "angin Zorblat", "nature/environment", ["badai", "layar", "mendung"])
CODE = sense("zorblat.code", ["zorblat"], "Zorblat framework", "technology/software", ["kode", "deploy", "kompilasi", "server farm"])
DISH = sense("zorblat.dish", ["zorblat"], "sup Zorblat", "food/dishes", ["kuah", "panci", "santan"])


@pytest.fixture(scope="module")
def resources() -> Resources:
    return load_rows(WIND, CODE, DISH)


@pytest.mark.parametrize(
    ("query", "context", "wanted"),
    [
        ("cara zorblat", ["abis deploy kok lemot"], "zorblat.code"),
        ("cara zorblat", ["kuahnya kurang kental"], "zorblat.dish"),  # a clitic
        ("cara zorblat", ["dikode ulang semalaman"], "zorblat.code"),  # an affix
        ("cara zorblat", ["panci-panci masih kotor"], "zorblat.dish"),  # a plural
        ("cara zorblat", ["the server farm is down"], "zorblat.code"),  # a phrase, in the other language
        ("cara zorblat", ["layar robek diterjang badai, langit mendung", "panci bocor"], "zorblat.wind"),  # three cues and one
        ("cara zorblat", ["langit mendung", "panci bocor"], None),  # one and one: too close
        ("cara zorblat", [Turn("user", "lapar"), Turn("assistant", "Coba masak dengan santan.")], "zorblat.dish"),  # the assistant counts
        ("zorblat santan", ["abis deploy, tinggal kompilasi"], "zorblat.dish"),  # the query outweighs
        ("cara zorblat", [], None),
    ],
)
def test_what_speaks_decides(resources: Resources, query: str, context: list[str | Turn], wanted: str | None) -> None:
    plan = rewrite(query, context, resources=resources)
    assert taken(plan, "zorblat") == wanted
    assert (plan.clarification is not None) == (wanted is None)


def test_every_summand_is_in_the_trail(resources: Resources) -> None:
    plan = rewrite("zorblat mendung", ["badai, layar robek"], resources=resources)
    step = next(s for s in plan.trail if s.rule == "decide_senses")
    assert step.outcome == "decided"
    assert {"zorblat.wind", "badai", "mendung"} <= set(step.evidence)
    assert any(e.startswith("cues in the query ") for e in step.evidence) and any(e.startswith("cues in the turns ") for e in step.evidence)


def test_a_sense_wins_in_its_domain_without_a_cue_of_its_own() -> None:
    resources = load_rows({**WIND, "cues": ["xqzw"]}, {**CODE, "cues": ["xqzv"]})
    plan = rewrite("cara zorblat", ["backend sama frontend repo gw pake javascript, api-nya error"], resources=resources)
    assert taken(plan, "zorblat") == "zorblat.code"


def test_the_names_of_a_sense_speak_for_it() -> None:
    resources = load_rows(
        sense("kwimpi.a", ["kwimpi"], "Trantilburg", "geography/cities", ["xqzv"]),
        sense("kwimpi.b", ["kwimpi"], "Oskavel", "geography/cities", ["xqzw"], synonyms=["Kwendra"]),
    )
    assert taken(rewrite("wisata kwimpi", ["kereta ke oskavel penuh"], resources=resources), "kwimpi") == "kwimpi.b"
    assert taken(rewrite("wisata kwimpi", ["teman di Kwendra"], resources=resources), "kwimpi") == "kwimpi.b"
    assert taken(rewrite("wisata kwimpi", ["dari Trantilburg"], resources=resources), "kwimpi") == "kwimpi.a"


def test_two_things_of_a_kind_with_names_are_asked_and_what_is_listed_as_near_is_not() -> None:
    first = sense("kwimpi.a", ["kwimpi"], "Trantilburg", "geography/cities", ["xqzv"])
    second = sense("kwimpi.b", ["kwimpi"], "Oskavel", "geography/cities", ["xqzw"])
    assert rewrite("wisata kwimpi", resources=load_rows(first, second)).clarification is not None
    assert rewrite("wisata kwimpi", resources=load_rows(first, {**second, "near": ["kwimpi.a"]})).clarification is None


def test_a_meaning_that_everybody_means_is_not_asked() -> None:
    rows = ({**WIND, "prior": 320}, CODE, DISH)
    assert taken(rewrite("cara zorblat", resources=load_rows(*rows)), "zorblat") == "zorblat.wind"
    assert taken(rewrite("cara zorblat", ["habis deploy"], resources=load_rows(*rows)), "zorblat") == "zorblat.code"
    assert taken(rewrite("zorblat kode deploy", resources=load_rows(*rows)), "zorblat") == "zorblat.code"


def test_a_common_word_needs_evidence() -> None:
    row = sense("makan.app", ["makan"], "aplikasi Makan", "technology/software/apps", ["unduh", "deploy"], needs_cue=True)
    resources = load_rows(row)
    assert taken(rewrite("makan siang", resources=resources), "makan") != "makan.app"
    assert taken(rewrite("deploy makan", resources=resources), "makan") == "makan.app"


def test_the_longest_form_wins_and_overlaps_are_reported() -> None:
    resources = load_rows(WIND, sense("mini.code", ["zorblat mini"], "Zorblat Mini editor", "technology/software", ["kode"]))
    plan = rewrite("unduh zorblat mini", resources=resources)
    assert [m.form for m in plan.mentions if "zorblat" in m.form] == ["zorblat mini"]


def test_small_talk_and_a_turn_said_twice_change_nothing(resources: Resources) -> None:
    said = ["kuahnya kurang kental"]
    small = ["oke", "hmm", "haha", "makasih ya"] * 6
    for context in (said, [*said, *small], [*said, *said, *said]):
        assert taken(rewrite("cara zorblat", context, resources=resources), "zorblat") == "zorblat.dish"


def test_a_query_in_one_language_is_decided_by_a_chat_in_the_other() -> None:
    assert taken(rewrite("harga nano banana", ["which AI image model keeps a face, imagen or flux?"]), "nano banana") == taken(
        rewrite("nano banana price", ["model gambar ai apa yang jaga wajah tetap sama, imagen atau flux?"]), "nano banana"
    )


def test_learnt_cues_must_beat_chance_where_the_turns_never_mention_the_form() -> None:
    common = [*own.INDONESIAN, *own.ENGLISH]
    rows = [
        sense(f"vexu.{i}", ["vexu"], f"Vexu {n}", "arts", words, cue_weights=[220] * len(words))
        for i, n, words in ((0, "Alpha", common[::2]), (1, "Beta", common[1::2]))
    ]
    resources = load_rows(*rows)
    unrelated = " ".join([common[0], *[f"qz{i}x" for i in range(2_000)]])
    assert taken(rewrite("vexu", [f"{unrelated} vexu"], resources=resources), "vexu") is not None
    assert rewrite("vexu", [unrelated], resources=resources).clarification is not None


# ── Metamorphic ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

NEUTRAL = ("qwxv zzvq", "🙂", "???", "xqqv", "…", "zqzq zqzq")
"""Turns in which no word of the lexicon stands."""


def chosen(plan: Plan) -> dict[tuple[int, int], str | None]:
    """The senses taken for the query's own words; what a follow-up takes from a turn is another matter."""
    return {(m.start, m.end): m.sense for m in plan.mentions if m.end}


def decided(plan: Plan) -> set[str]:
    """Senses that something said decided, priors aside."""
    return {s.evidence[1] for s in plan.trail if s.rule == "decide_senses" and s.outcome == "decided"}


INSERTED = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(NEUTRAL)), max_size=20)
CONTEXTS = st.lists(st.lists(st.sampled_from(own.CUES), min_size=1, max_size=3).map(" ".join), max_size=4)


@given(
    own.lexicons(min_size=2),
    own.synthetic_queries(),
    CONTEXTS,
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from(NEUTRAL)), max_size=20),
)
def test_irrelevant_turns_change_no_sense(rows: list[Row], query: str, context: list[str], more: list[tuple[int, str]]) -> None:
    resources = load_rows(*rows)
    longer = list(context)
    for place, turn in more:
        longer.insert(min(place, len(longer)), turn)
    assert chosen(rewrite(query, longer, resources=resources)) == chosen(rewrite(query, context, resources=resources))


@given(own.lexicons(min_size=2), own.synthetic_queries(), CONTEXTS, st.randoms(use_true_random=False))
def test_the_order_of_senses_and_cues_changes_nothing(rows: list[Row], query: str, context: list[str], order: random.Random) -> None:
    shuffled = [{**row, "cues": order.sample(row["cues"], len(row["cues"]))} for row in order.sample(rows, len(rows))]
    first, second = [rewrite(query, context, resources=load_rows(*some)) for some in (rows, shuffled)]
    assert chosen(first) == chosen(second)
    assert first.queries == second.queries


@given(own.lexicons(min_size=2), own.synthetic_queries(), CONTEXTS, st.integers(0, 3), st.integers(1, 5))
def test_a_turn_repeated_changes_nothing(rows: list[Row], query: str, context: list[str], place: int, times: int) -> None:
    if not context:
        return
    resources, place = load_rows(*rows), place % len(context)
    longer = [*context[:place], *[context[place]] * times, *context[place:]]
    assert chosen(rewrite(query, longer, resources=resources)) == chosen(rewrite(query, context, resources=resources))


@given(own.lexicons(min_size=2), own.synthetic_queries(), CONTEXTS)
def test_without_its_cues_nothing_said_decides(rows: list[Row], query: str, context: list[str]) -> None:
    silent = [  # nor is `mini` of its names, which speaks by the company that it keeps
        {**row, "forms": [f for f in row["forms"] if f != "zorblat mini"] or ["zorblat"], "cues": [], "synonyms": [],
         "domain": "no/such/domain", "gloss": {"en": "xqvu"}, "canonical": {"en": name, "id": name}}
        for row, name in zip(rows, ("xqva zqwa", "xqvb zqwb", "xqvc zqwc", "xqvd zqwd", "xqve zqwe"), strict=False)
    ]
    said = {word for row in rows for form in row["forms"] for word in form.split()}
    quiet = [" ".join([w for w in turn.split() if w not in said]) for turn in context]
    alone = " ".join([w for w in query.split() if w not in said or w in own.SYNTHETIC_FORMS])
    plan = rewrite(alone, [t for t in quiet if t], resources=load_rows(*silent))
    ours = {row["id"] for row in rows}
    several = {m.sense for m in plan.mentions if m.sense in ours and len(m.candidates) > 1}
    assert not (decided(plan) & several)


@given(own.synthetic_queries(), CONTEXTS)
def test_a_policy_that_never_asks_takes_no_other_sense(query: str, context: list[str]) -> None:
    resources = load_rows(WIND, CODE, DISH)
    asking, silent = [rewrite(query, context, resources=resources, policy=Policy(ask=ask)) for ask in (True, False)]
    assert chosen(asking) == chosen(silent)


def test_a_cue_is_worth_what_the_policy_says_and_one_policy_leaves_no_trace_in_the_next(resources: Resources) -> None:
    def score(weight: int) -> int:
        policy = Policy(cue_weight=weight, prior_percent=0, association_weight=0, domain_weight=0)
        plan = rewrite("cara zorblat", ["panci dan kuah"], resources=resources, policy=policy)
        return max([c.score for m in plan.mentions for c in m.candidates])

    assert score(100) == 2 * score(50) > 0
    assert 2 * score(50) == score(100)
