"""The run-time tokeniser against spaCy's: the same tokens at the same offsets, on unprotected text."""

from __future__ import annotations

import re
import re._parser as sre
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rewriter.pack.narrow import narrow_expression
from rewriter.pack.sources import tokeniser_rules
from rewriter.text.tokenise import LONGEST_CHUNK, TokenRules, split_chunk

spacy = pytest.importorskip("spacy")

QUERIES = (Path(__file__).parent / "cases" / "parity_queries.txt").read_text(encoding="utf-8").splitlines()
LANGUAGES = ("id", "en")

DIFFERENCES = (
    # language, input, ours, spaCy's, reason
    ("id", ";:Dr. med", (";", ":", "Dr.", "med"), (";", ":", "Dr. med"), "a token never spans white space"),
    ("id", "a:( )b", ("a", ":(", ")", "b"), ("a", ":", "(", ")", "b"), "a chunk's tokens depend on that chunk alone"),
    ("en", "(x) :)D", ("(", "x", ")", ":)", "D"), ("(", "x", ")", ":", ")", "D"), "a chunk's tokens depend on that chunk alone"),
    ("en", "a  b", ("a", "b"), ("a", " ", "b"), "white space is no token"),
    ("id", "(" * 300, ("(" * 300,), ("(",) * 300, "a chunk of more than 256 characters is one token"),
)


def make_rules(language: str) -> TokenRules:
    data = tokeniser_rules(language)
    kept = data.to_dict()
    return TokenRules(
        language,
        kept["expressions"],
        kept["narrow"],
        kept["exceptions"],
        frozenset(data.single),
        kept["longest"],
        tuple(kept["prefix_words"]),
    )


RULES: dict[str, TokenRules] = {}
TOKENIZERS: dict[str, Any] = {}


def rules_of(language: str) -> TokenRules:
    if language not in RULES:
        RULES[language] = make_rules(language)
    return RULES[language]


def our_spans(text: str, language: str) -> list[tuple[int, int]]:
    rules = rules_of(language)
    return [(m.start() + a, m.start() + b) for m in re.finditer(r"\S+", text) for a, b in split_chunk(m[0], rules)]


def tokenizer_of(language: str) -> Any:
    if language not in TOKENIZERS:
        TOKENIZERS[language] = spacy.blank(language).tokenizer
    return TOKENIZERS[language]


def spacy_spans(text: str, language: str) -> list[tuple[int, int]]:
    return [(t.idx, t.idx + len(t)) for t in tokenizer_of(language)(text) if not t.is_space]


def test_there_are_enough_queries_and_none_twice() -> None:
    assert len(QUERIES) >= 1_500
    assert len(set(QUERIES)) == len(QUERIES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_tokens_and_offsets_of_real_looking_queries(language: str) -> None:
    different = [q for q in QUERIES if our_spans(q, language) != spacy_spans(q, language)]
    assert different == []


PIECES = st.sampled_from(
    ["anak-anak", "km", "Rp", "USD", "'s", "n't", "nya", "-nya", "10", "5", "a.m.", "pm", "http://", "www.", "a.com", "<a", "</b>", "°C.",
     "dll.", "don't", "juta", ":-)", "U.S.", "²", "/", "-", ".", "...", "%", "(", ")", "'", '"', "@", "_", "~", "é", "…", "“", "🙂"]
)  # fmt: skip
SIGNS = st.sampled_from(string.ascii_letters + string.digits + string.punctuation)
CHUNKS = st.one_of(
    st.text(string.ascii_letters + string.digits + string.punctuation, max_size=12),
    st.lists(PIECES, max_size=6).map("".join),
    st.lists(SIGNS | PIECES, max_size=8).map("".join),
)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=1_500, deadline=None)
@given(text=CHUNKS)
@example(text="abang-abang/kakak-kakak")
@example(text="(9am/10am)don't")
@example(text="x<ab>y foo<a>")
@example(text="5°C.:)/:(")
def test_tokens_and_offsets_of_generated_chunks(text: str, language: str) -> None:
    assert our_spans(text, language) == spacy_spans(text, language)


@pytest.mark.parametrize(("language", "text", "ours", "theirs", "reason"), DIFFERENCES)
def test_each_known_difference_still_differs(language: str, text: str, ours: tuple[str, ...], theirs: tuple[str, ...], reason: str) -> None:
    assert tuple(text[a:b] for a, b in our_spans(text, language)) == ours, reason
    assert tuple(t.text for t in tokenizer_of(language)(text)) == theirs, reason


def test_the_document_lists_the_same_differences() -> None:
    document = (Path(__file__).parent.parent / "docs" / "tokeniser.md").read_text(encoding="utf-8")
    assert [reason for *_, reason in DIFFERENCES if reason not in document] == []


@given(text=st.text(max_size=40))
def test_tokens_cover_any_chunk_without_a_gap(text: str) -> None:
    for language in LANGUAGES:
        for chunk in text.split():
            assert "".join([chunk[a:b] for a, b in split_chunk(chunk, rules_of(language))]) == chunk


def test_half_a_surrogate_pair_is_a_chunk_like_any_other() -> None:
    assert split_chunk("a\ud800b", rules_of("id")) == [(0, 3)]


def test_the_time_for_a_long_chunk_is_bounded() -> None:
    chunk = "(a.b:" * 100_000
    assert split_chunk(chunk, rules_of("id")) == [(0, len(chunk))]
    assert len(chunk) > LONGEST_CHUNK


@pytest.mark.parametrize("language", LANGUAGES)
def test_narrow_expressions_are_ascii_classes_of_the_same_expression(language: str) -> None:
    rules = rules_of(language)
    assert {name: narrow_expression(source) for name, source in rules.expressions.items()} == rules.narrow
    for name in ("prefix", "suffix", "infix", "url_match"):
        assert len(rules.narrow[name]) < len(rules.expressions[name])


# The fast path.  `needs_outside` reads the parsed expression: true only if every match must look at a character outside the
# alphabet, so that none can exist in a chunk made of the alphabet alone.


def needs_outside(parsed: Any, alphabet: str) -> bool:
    return any(item_needs_outside(code, value, alphabet) for code, value in parsed)


def item_needs_outside(code: Any, value: Any, alphabet: str) -> bool:
    if code is sre.LITERAL:
        return chr(value) not in alphabet
    if code is sre.IN:
        return not any(class_accepts(value, char) for char in alphabet)
    if code is sre.BRANCH:
        return all(needs_outside(branch, alphabet) for branch in value[1])
    if code is sre.SUBPATTERN:
        return needs_outside(value[3], alphabet)
    if code in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        return bool(value[0] > 0) and needs_outside(value[2], alphabet)
    if code is sre.ASSERT:
        return needs_outside(value[1], alphabet)
    # `(?!)` never matches; anchors, other negative assertions and any character can hold within the alphabet.
    return code is sre.FAILURE or (code is sre.ASSERT_NOT and not value[1])


def class_accepts(items: Any, char: str) -> bool:
    """Errs on the side of accepting: a category or a negation accepts everything."""
    for code, value in items:
        if code is sre.LITERAL:
            accepts = chr(value) == char
        elif code is sre.RANGE:
            accepts = value[0] <= ord(char) <= value[1]
        else:
            return True
        if accepts:
            return True
    return False


def alternatives(source: str) -> list[Any]:
    """The top-level alternatives of an expression, parsed one by one (so that no common prefix is factored out)."""
    depth, in_class, start, parts, i = 0, False, 0, [], 0
    while i < len(source):
        if source[i] == "\\":
            i += 1
        elif in_class:
            in_class = source[i] != "]"
        elif source[i] == "[":
            in_class = True
        elif source[i] in "()":
            depth += 1 if source[i] == "(" else -1
        elif source[i] == "|" and not depth:
            parts.append(source[start:i])
            start = i + 1
        i += 1
    return [(part, sre.parse(part)) for part in [*parts, source[start:]]]


def test_the_proof_can_fail() -> None:
    assert not needs_outside(sre.parse("(?<=[0-9])(?:km|kg)$"), string.ascii_letters + string.digits)
    assert not needs_outside(sre.parse("a|-"), string.ascii_letters)
    assert needs_outside(sre.parse("(?:a-|b/)c*"), string.ascii_letters)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("version", ["expressions", "narrow"])
def test_no_expression_but_prefix_words_matches_in_letters_or_in_digits(language: str, version: str) -> None:
    rules = rules_of(language)
    expressions = getattr(rules, version)
    assert not expressions["token_match"]
    for alphabet in (string.ascii_letters, string.digits):
        for name in ("prefix", "suffix", "infix", "url_match"):
            possible = [part for part, parsed in alternatives(expressions[name]) if not needs_outside(parsed, alphabet)]
            words = {f"^{word}" for word in rules.prefix_words} if name == "prefix" and alphabet == string.ascii_letters else set()
            assert set(possible) == words, name
    for name in ("infix", "url_match"):  # also in letters and digits together
        assert all(needs_outside(parsed, string.ascii_letters + string.digits) for _, parsed in alternatives(expressions[name]))
    assert not any(word.islower() for word in rules.prefix_words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_prefixes_begin_at_the_start_but_for_links(language: str) -> None:
    loose = [part for part, _ in alternatives(rules_of(language).expressions["prefix"]) if not part.startswith("^")]
    assert loose in ([], ["<a([^>]+)>"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exception_is_tokenised_as_listed(language: str) -> None:
    rules = rules_of(language)
    different = [c for c in [*rules.exceptions, *rules.single] if our_spans(c, language) != spacy_spans(c, language)]  # type: ignore[misc]
    assert different == []
