"""What holds for every plan, whatever the query, the context and the policy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import unicodedata
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import pytest
import strategies as own
from hypothesis import example, given
from hypothesis import strategies as st

import rewriter
from rewriter import Plan, Policy, Resources, Turn, load_resources, rewrite
from rewriter.analysis import content_indices
from rewriter.model import PATTERN_NAMES, PIECE_KINDS
from rewriter.text.language import query_language
from rewriter.text.normalise import Cleaned, clean
from rewriter.text.protect import VERBATIM, find_protected
from rewriter.text.words import Word, split_words

LANGUAGES = {"id", "en", "mixed", "und"}
MEGABYTE = 1_000_000


def same_search_key(text: str) -> str:
    """The contract's key, written from its words: NFKC, case folded, white space collapsed, a final ? ! . removed."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return re.sub(r"[\s?!.]+\Z", "", folded) or folded


# ── No text makes it raise ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(own.queries(), own.contexts(), own.policies())
@example("", [], Policy())
@example("\x00", [Turn("user", "\x00")], Policy())
@example("\ud800", [Turn("assistant", "\udfff")], Policy())
@example("\ud83d\ude00", [], Policy())
@example("harga \udc80 iphone", [Turn("user", "\ud800 iphone 16")], Policy())
@example("a" * MEGABYTE, [], Policy())
@example("harga itu", [Turn("user", "kucing " * (MEGABYTE // 7))], Policy())
@example("\N{COMBINING ACUTE ACCENT}" * 3_000, [], Policy())
@example("\N{RIGHT-TO-LEFT OVERRIDE}", [], Policy())
@example("\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}" * 50, [], Policy())
@example("?!.", [], Policy())
def test_every_text_gives_a_plan(query: str, context: list[Turn], policy: Policy) -> None:
    assert isinstance(rewrite(query, context, policy=policy), Plan)


LONG_TEXTS = (
    "kucing ", "é ", "e\N{COMBINING ACUTE ACCENT}", "\ud800", "\x00", "\N{ZERO WIDTH SPACE}", " \N{ZERO WIDTH SPACE}",
    "\N{COMBINING ACUTE ACCENT}", "é\N{ZERO WIDTH JOINER}", "\n", " \t", '"', "“a ", "1.", "a.", "-", "a-", "{=", "a@", "a_", "(", "www.",
    "error: ", "/a", "a::", "ke", "a", "A", "Ab ",
)  # fmt: skip
"""What is repeated to make long text: each has cost somebody a quadratic loop or expression."""


@pytest.mark.parametrize("unit", LONG_TEXTS)
@pytest.mark.parametrize("place", ["analysed query", "long query", "turn"])
def test_time_grows_with_the_length_and_not_with_its_square(unit: str, place: str) -> None:
    limit = Policy().max_query_chars if place == "analysed query" else 40_000

    def cost(size: int, first: str) -> float:
        """Seconds of this process; `first` makes the text new to every cache."""
        text = (first + unit * (size // len(unit)))[:size]
        start = time.process_time()
        rewrite("harga itu", [text]) if place == "turn" else rewrite(text)
        return time.process_time() - start

    short, long = (min(cost(size, first) for first in ("b", "c")) for size in (limit // 8, limit))
    assert long < 16 * short + 0.1, f"8 times the length took {long / short:.0f} times as long, {long:.2f} s"


_MEGABYTES = """
import json, sys
import rewriter
for unit in json.load(sys.stdin):
    text = unit * (1_000_000 // len(unit))
    plan = rewriter.rewrite(text, ["harga iphone"])
    assert len(plan.variants) <= 1
    assert {s.outcome for s in plan.trail if s.stage == "pattern" and s.rule != "literal"} == {"too-long"}
    assert rewriter.rewrite("harga itu", [text]).variants
"""


def test_a_megabyte_gives_the_literal_alone_and_soon(resources: Resources) -> None:
    path = os.pathsep.join(p for p in (str(Path(rewriter.__file__).parent.parent), os.environ.get("PYTHONPATH", "")) if p)
    done = subprocess.run(
        [sys.executable, "-c", _MEGABYTES], input=json.dumps(LONG_TEXTS), capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


# ── Pieces ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(own.queries(), own.contexts(), own.policies())
def test_pieces_join_to_the_text_and_point_into_the_query(query: str, context: list[Turn], policy: Policy) -> None:
    for variant in rewrite(query, context, policy=policy).variants:
        assert "".join(p.text for p in variant.pieces) == variant.text
        for piece in variant.pieces:
            assert piece.kind in PIECE_KINDS
            assert piece.text
            assert piece.rule
            assert all(0 <= start < end <= len(query) for start, end in piece.sources), piece


@given(own.queries(), own.contexts(), own.policies())
def test_copy_pieces_equal_their_one_source(query: str, context: list[Turn], policy: Policy) -> None:
    for variant in rewrite(query, context, policy=policy).variants:
        for piece in variant.pieces:
            if piece.kind == "copy":
                ((start, end),) = piece.sources
                assert piece.text == query[start:end]


@given(own.queries_with(st.sampled_from((*own.CONSTRAINTS, *own.AMOUNTS))), own.contexts())
def test_constraints_are_copied_outside_the_english_variant(query_and_part: tuple[str, str], context: list[Turn]) -> None:
    query, _ = query_and_part
    plan = rewrite(query, context)
    cleaned = clean(query)
    for span in find_protected(cleaned.text):
        start, end = cleaned.span(span.start, span.end)
        if _inside_a_decided_form(plan, start, end) or (span.kind == "quote" and not _has_straight_marks(query[start:end])):
            continue
        for variant in plan.variants:
            if variant.pattern != "english":
                assert _is_copied(variant.pieces, start, end), (query[start:end], span.kind, variant.text)


@given(own.queries_with(st.sampled_from(own.NAMES)), own.contexts())
def test_names_are_copied_outside_the_english_variant(resources: Resources, query_and_name: tuple[str, str], context: list[Turn]) -> None:
    query, name = query_and_name
    plan = rewrite(query, context)
    start = query.index(name)
    if _inside_a_decided_form(plan, start, start + len(name)):
        return
    for variant in plan.variants:
        if variant.pattern != "english":
            assert _is_copied(variant.pieces, start, start + len(name)), (name, variant.text)


def _inside_a_decided_form(plan: Plan, start: int, end: int) -> bool:
    """Does a nickname or model name that got its plain name (or was undecided) touch this span?"""
    return any(m.start < end and start < m.end for m in plan.mentions)


def _has_straight_marks(quote: str) -> bool:
    return len(quote) > 1 and quote[0] == quote[-1] and quote[0] in "\"'"


def _is_copied(pieces: Any, start: int, end: int) -> bool:
    """Is every character of the span, white space apart, copied?  Two pieces may share it (`Siti` and `Badriah`)."""
    covered = {i for p in pieces if p.kind == "copy" for a, b in p.sources for i in range(a, b)}
    return all(i in covered for i in range(start, end))


@given(st.one_of(own.plain_queries(), own.mixed_queries()), own.contexts(max_size=2))
def test_every_content_word_is_in_a_source_or_named_as_dropped(resources: Resources, query: str, context: list[Turn]) -> None:
    plan = rewrite(query, context)
    named = " ".join(e for s in plan.trail if s.outcome == "dropped" for e in s.evidence).casefold()
    words = _content_words(query, resources)
    for variant in plan.variants:
        sources = [s for p in variant.pieces for s in p.sources]
        for word in words:
            found = any(a < word.end and word.start < b for a, b in sources)
            assert found or word.folded in named, (word.text, variant.pattern, variant.text)


def _content_words(query: str, resources: Resources) -> list[Word]:
    cleaned = clean(query)
    language = query_language(cleaned.folded.split(), resources.zipf)
    words = split_words(cleaned, find_protected(cleaned.text), resources.token_rules(language), resources.zipf)
    return [words[i] for i in content_indices(words) if words[i].spoken]


# ── Variants ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(own.queries(), own.contexts(), own.policies())
@example("C++", [], Policy())
@example("ﬁ fi", [], Policy())
def test_no_two_variants_are_the_same_search(query: str, context: list[Turn], policy: Policy) -> None:
    variants = rewrite(query, context, policy=policy).variants
    keys = [same_search_key(v.text) for v in variants]
    assert len(set(keys)) == len(keys), keys
    assert all(v.text.strip() for v in variants)


@given(own.queries(), own.contexts(), own.policies())
def test_variants_stay_under_the_cap(query: str, context: list[Turn], policy: Policy) -> None:
    plan = rewrite(query, context, policy=policy)
    n_words = sum(any(c.isalnum() for c in chunk) for chunk in clean(query).text.split())
    assert len(plan.variants) <= policy.max_variants
    if n_words >= policy.long_query_words:
        assert len(plan.variants) <= policy.long_query_variants


@given(own.plain_queries(min_words=8, max_words=16), own.contexts())
def test_eight_words_or_more_give_three_variants_at_most(query: str, context: list[Turn]) -> None:
    assert len(rewrite(query, context).variants) <= 3


@given(own.queries(), own.contexts(), own.policies())
def test_the_literal_comes_first_and_only_loses_what_shows_nothing(query: str, context: list[Turn], policy: Policy) -> None:
    plan = rewrite(query, context, policy=policy)
    if not plan.variants:
        assert not clean(query).text
        return
    assert [v.pattern for v in plan.variants].count("literal") == 1
    assert plan.variants[0].pattern == "literal"
    assert clean(plan.variants[0].text).text == clean(query).text
    assert all(p.kind == "copy" for p in plan.variants[0].pieces)


@given(own.queries(), own.contexts(), own.policies())
def test_every_pattern_is_a_variant_or_says_why_not(query: str, context: list[Turn], policy: Policy) -> None:
    plan = rewrite(query, context, policy=policy)
    outcomes = {s.rule: s.outcome for s in plan.trail if s.stage == "pattern"}
    assert tuple(s.rule for s in plan.trail if s.stage == "pattern") == PATTERN_NAMES
    for pattern in PATTERN_NAMES:
        written = [v for v in plan.variants if v.pattern == pattern]
        assert written or outcomes[pattern] != "written", pattern
        assert outcomes[pattern]
        if pattern != "disambiguation":
            assert len(written) <= 1
            assert bool(written) == (outcomes[pattern] == "written")
    if not any(m.sense is None for m in plan.mentions):
        assert len([v for v in plan.variants if v.pattern == "disambiguation"]) <= 1


@given(own.queries(), own.contexts(), own.policies())
def test_languages_and_mentions_are_as_the_contract_says(query: str, context: list[Turn], policy: Policy) -> None:
    plan = rewrite(query, context, policy=policy)
    assert {plan.language, *(v.language for v in plan.variants)} <= LANGUAGES
    assert {v.language for v in plan.variants if v.pattern == "english"} <= {"en", "mixed"}
    for mention in plan.mentions:
        assert 0 <= mention.start <= mention.end <= len(query)
        assert mention.sense is None or mention.sense in [c.sense for c in mention.candidates]
        assert [c.score for c in mention.candidates] == sorted((c.score for c in mention.candidates), reverse=True)


@given(own.queries(), own.contexts(), own.policies())
@example("zorblat", [], Policy(max_variants=1))
def test_a_question_offers_two_to_four_different_options(query: str, context: list[Turn], policy: Policy) -> None:
    asked = rewrite(query, context, policy=policy).clarification
    if asked is not None:
        assert policy.ask
        assert asked.question.endswith("?")
        assert asked.language in ("id", "en")
        assert 2 <= len(asked.options) <= 4
        assert len({o.sense for o in asked.options}) == len(asked.options)
        assert len({o.label for o in asked.options}) == len(asked.options)


@given(st.one_of(own.queries(), st.sampled_from(own.NICKNAMES)), own.contexts(max_size=2), own.policies())
@example("python", [], Policy(ask_margin=400, near_depth=3))
def test_not_asking_changes_only_the_question(query: str, context: list[Turn], policy: Policy) -> None:
    asking = rewrite(query, context, policy=replace(policy, ask=True)).to_dict()
    silent = rewrite(query, context, policy=replace(policy, ask=False)).to_dict()
    assert silent["clarification"] is None
    assert silent["signature"] != asking["signature"]
    same = [{k: v for k, v in plan.items() if k not in ("clarification", "signature")} for plan in (asking, silent)]
    assert same[0] == same[1]


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(own.json_queries(), own.contexts(max_size=2), own.policies())
@example("\ud800 harga \udfff", [], Policy())
def test_a_plan_survives_json(query: str, context: list[Turn], policy: Policy) -> None:
    plan = rewrite(query, context, policy=policy)
    text = plan.to_json()
    assert text.isascii()
    assert "\n" not in text
    assert Plan.from_dict(json.loads(text, parse_float=_refuse_float)) == plan
    assert json.dumps(json.loads(text), separators=(",", ":")) == text


def _refuse_float(text: str) -> NoReturn:
    raise AssertionError(f"a plan holds the float {text}")


@given(own.queries(), own.contexts(max_size=2))
def test_every_plan_can_be_explained(query: str, context: list[Turn]) -> None:
    assert rewrite(query, context).explain()


# ── Normalisation ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.one_of(own.any_text(), own.mixed_queries()))
@example("\u0344")
@example("a\N{COMBINING ACUTE ACCENT}\N{ZERO WIDTH SPACE}\N{COMBINING GRAVE ACCENT}")
@example("\N{HANGUL CHOSEONG KIYEOK}\N{ZERO WIDTH SPACE}\N{HANGUL JUNGSEONG A}")
@example("a\N{ZERO WIDTH SPACE} b")
@example("a \N{ZERO WIDTH SPACE} b")
@example("é\N{ZERO WIDTH JOINER}\N{ZERO WIDTH JOINER}é")
@example("\N{FULLWIDTH LATIN CAPITAL LETTER A}\N{COMBINING GRAVE ACCENT}")
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(text)
    again = clean(once.text)
    assert again.text == once.text
    assert again.folded == once.folded


@given(st.one_of(own.any_text(), own.mixed_queries()))
def test_places_of_a_cleaned_query_are_ordered_and_inside_the_original(text: str) -> None:
    cleaned = clean(text)
    spans = [cleaned.span(i, i + 1) for i in range(len(cleaned.text))]
    assert len(cleaned.folded) == len(cleaned.text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    for (a, b), (c, d) in zip(spans, spans[1:], strict=False):
        assert (a, b) == (c, d) or b <= c, "spans overlap"
    assert cleaned.text == cleaned.text.strip()
    assert "  " not in cleaned.text


@given(st.one_of(own.any_text(), own.mixed_queries()))
def test_protected_spans_are_ordered_and_never_overlap(text: str) -> None:
    cleaned: Cleaned = clean(text)
    spans = find_protected(cleaned.text)
    assert all(0 <= s.start < s.end <= len(cleaned.text) for s in spans)
    assert all(a.end <= b.start for a, b in zip(spans, spans[1:], strict=False))
    assert {s.kind for s in spans} <= VERBATIM | {"amount", "date", "number"}


# ── Senses ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def load_rows(rows: list[own.Row]) -> Resources:
    """Resources with these senses laid over the shipped ones."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "own.jsonl")
        file.write_text(own.to_jsonl(rows), encoding="utf-8")
        return load_resources(file)


def scores_of(plan: Plan, sense: str) -> dict[int, int]:
    """Score of a sense at each mention, by the mention's place."""
    return {m.start: c.score for m in plan.mentions for c in m.candidates if c.sense == sense}


@given(own.lexicons(), own.synthetic_queries(), st.lists(st.sampled_from(own.CUES), min_size=1, max_size=4), st.data())
def test_a_new_cue_that_stands_in_the_context_never_lowers_its_sense(
    rows: list[own.Row], query: str, context: list[str], data: st.DataObject
) -> None:
    row = data.draw(st.sampled_from(rows))
    cue = data.draw(st.sampled_from(context))
    if cue in row["cues"]:
        return
    richer = [{**r, "cues": [*r["cues"], cue]} if r is row else r for r in rows]
    before = scores_of(rewrite(query, context, resources=load_rows(rows)), row["id"])
    after = scores_of(rewrite(query, context, resources=load_rows(richer)), row["id"])
    assert all(after[place] >= score for place, score in before.items() if place in after)
    assert before.keys() <= after.keys()


@given(own.lexicons(), own.synthetic_queries(), st.lists(st.sampled_from((*own.CUES, "harga", "anak")), max_size=4), st.data())
def test_a_cue_more_in_the_last_turn_never_lowers_its_sense(rows: list[own.Row], query: str, said: list[str], data: st.DataObject) -> None:
    row = data.draw(st.sampled_from([r for r in rows if r["cues"]] or rows))
    if not row["cues"]:
        return
    cue = data.draw(st.sampled_from(row["cues"]))
    resources, turn = load_rows(rows), " ".join(said)
    before = scores_of(rewrite(query, [turn], resources=resources), row["id"])
    after = scores_of(rewrite(query, [f"{turn} {cue}"], resources=resources), row["id"])
    assert all(after[place] >= score for place, score in before.items() if place in after)


# ── Signature ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(own.lexicons(), own.lexicons())
def test_the_signature_changes_exactly_when_the_lexicon_does(first: list[own.Row], second: list[own.Row]) -> None:
    signatures = [rewrite("halo", resources=load_rows(rows)).signature for rows in (first, second)]
    assert (signatures[0] == signatures[1]) == (first == second)


@given(own.policies(), own.policies())
def test_the_signature_changes_exactly_when_the_policy_does(first: Policy, second: Policy) -> None:
    signatures = [rewrite("halo", policy=policy).signature for policy in (first, second)]
    assert (signatures[0] == signatures[1]) == (first == second)


@given(own.queries(), own.queries(), own.contexts(max_size=2))
def test_the_signature_does_not_depend_on_the_request(first: str, second: str, context: list[Turn]) -> None:
    assert rewrite(first).signature == rewrite(second, context).signature
