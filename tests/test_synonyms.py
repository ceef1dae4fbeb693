"""Practitioners' words in place of what people say: the most specific, at most two, and never what is protected or denied."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter import load_resources, rewrite
from rewriter.resources import Resources

LEXICON = """
[sakit-maag.gastritis]
forms = ["sakit maag", "maag"]
expert.id = ["gastritis"]
expert.en = ["gastritis"]
gloss.en = "x"
gloss.id = "x"
domain = "health/medicine/diseases"
direction = "lay-to-expert"
source = "curated"

[data-hilang.loss]
forms = ["data terhapus"]
expert.id = ["kehilangan data"]
expert.en = ["data loss"]
gloss.en = "x"
gloss.id = "x"
domain = "technology"
direction = "lay-to-expert"
source = "curated"

[code.spaghetti]
forms = ["messy code"]
expert.en = ["spaghetti code"]
gloss.en = "x"
gloss.id = "x"
domain = "technology"
direction = "lay-to-expert"
source = "curated"

[code.refactoring]
forms = ["clean up code messy"]
expert.en = ["refactoring"]
gloss.en = "x"
gloss.id = "x"
domain = "technology"
direction = "lay-to-expert"
source = "curated"

[business.bankruptcy]
forms = ["out of business"]
expert.en = ["bankruptcy"]
gloss.en = "x"
gloss.id = "x"
domain = "technology"
direction = "lay-to-expert"
source = "curated"
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    file = tmp_path_factory.mktemp("lexicon") / "jargon.toml"
    file.write_text(LEXICON, encoding="utf-8")
    return load_resources(file, base=False)


def synonym_of(query: str, resources: Resources) -> str:
    return next((v.text for v in rewrite(query, resources=resources).variants if v.pattern == "synonym"), "")


@pytest.mark.parametrize(
    ("query", "synonym"),
    [
        ("obat maag untuk ibu hamil", "obat gastritis untuk ibu hamil"),
        ("data hp kehapus", "kehilangan data hp"),  # another affix, a word between
        ("clean up messy code", "refactoring"),  # more content words win over the form that stands there
        ("going out of business", "going bankruptcy"),
        ("money coming in and out of business", ""),  # torn from its phrase
        ("how to clean up messy code", "refactoring"),  # no `how to refactoring`
        ("reasons to clean up messy code", "reasons to clean up spaghetti code"),
        ("going half-out of business", ""),  # half of a compound
        ("tanpa sakit maag", ""),  # denied as a whole, so in no part
        ('"sakit maag" kambuh', ""),  # protected
    ],
)
def test_the_expression_that_says_most_is_replaced(query: str, synonym: str, small: Resources) -> None:
    assert synonym_of(query, small) == synonym


_WORDS = ["obat", "maag", "sakit", "data", "kehapus", "tanpa", "clean", "up", "messy", "code", '"sakit maag"', "UU No 11 Tahun 2008"]


@given(words=st.lists(st.sampled_from(_WORDS), min_size=1, max_size=7))
def test_nothing_protected_is_touched_and_nothing_turns_in_circles(words: list[str], small: Resources) -> None:
    query = " ".join(words)
    text = synonym_of(query, small)
    if not text:
        return
    assert text.count('"sakit maag"') == query.count('"sakit maag"')
    assert ("tanpa" in query.split()) <= ("tanpa" in text.split())
    variant = next(v for v in rewrite(query, resources=small).variants if v.pattern == "synonym")
    replaced = {(p.sources, p.evidence) for p in variant.pieces if p.rule == "name_expert_term"}
    assert 1 <= len(replaced) <= 2
    again = synonym_of(text, small)
    assert again != query


def test_two_plain_words_in_a_sentence_about_something_else_are_no_expression(small: Resources) -> None:
    assert synonym_of("messy code", small) == "spaghetti code"
    assert synonym_of("i need to know why the code of my sister is so messy today", small) == ""
