"""Merging result lists, and what counts as one page."""

from __future__ import annotations

import random
import time
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rewriter.data
from rewriter import Merged, Result, Source, merge
from rewriter.fusion import page_identity
from rewriter.urls import load_tracking

PAIRS = tomllib.loads((Path(__file__).parent / "cases" / "urls.toml").read_text(encoding="utf-8"))["pair"]

PIECES = st.sampled_from([
    "http://", "https://", "HTTPS:", "//", "/", "\\", "www.", "m.", "mobile.", "amp.", "amp", "/amp", "/amp/s/", "/c/s/", ".amp.html",
    "index.html", "/index.php", "default.aspx", "google.com", "google.co.id", "x.cdn.ampproject.org", "example", ".com", ".", "..",
    "/.", "/./", "/../", "m.wikipedia.org", " ", "\t", "\n", "\0", "%", "%2", "%2e", "%2F", "%25", "%2541", "%%34%31", "%61mp",
    "%CC%81", "%CC%B8", "%C3", "%A9", "%FF", "%ED%A0%80", "e",
    "\N{COMBINING LONG SOLIDUS OVERLAY}", "\N{COMBINING ACUTE ACCENT}", "\N{GREEK QUESTION MARK}", "\N{KELVIN SIGN}", "\N{SOFT HYPHEN}",
    "\N{ZERO WIDTH JOINER}", "\N{IDEOGRAPHIC FULL STOP}", "\N{FULLWIDTH SOLIDUS}", "\N{LATIN SMALL LETTER SHARP S}", "\ud800",
    "=", "&", "?", "#", "#!", "#/", ":~:", "%7E", ":80", ":443", ":8080", "@", "xn--", "0x7f", "1", "[::1]", "co.id",
    "utm_source=x", "amp=1", "+", "%2B", "[", "]", "|", "^", "`", "{", "'", '"', "<", ";",
])  # fmt: skip
PATHS = st.lists(PIECES, max_size=10).map("".join)
HOSTS = st.sampled_from(["example.com", "www.a.com", "m.b.co.id", "google.com/amp/s/", "é.com/"])
URLS = st.builds(lambda host, tail: f"https://{host}{tail}", HOSTS, PATHS)
ANY_TEXT = st.text(st.characters(), max_size=40) | PATHS | URLS

FEW_URLS = st.sampled_from([
    "https://a.id/x", "http://a.id/x", "https://www.a.id/x/", "https://m.a.id/x?utm_source=y", "https://b.id", "b", "", "https://c.id/?id=1",
    "https://c.id/?id=2", "\ud800", "https://d.id/amp",
])  # fmt: skip
FEW_TEXTS = st.sampled_from(["", " ", "kopi", "susu", "kopi susu"])
RESULTS = st.builds(Result, FEW_URLS, FEW_TEXTS, FEW_TEXTS, st.fixed_dictionaries({"n": st.integers(0, 9)}))
LISTS = st.dictionaries(st.text(max_size=3), st.lists(RESULTS, max_size=8), max_size=6)


# --- identity -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS, ids=[p["label"] for p in PAIRS])
def test_pairs_of_urls_fold_or_keep(pair: dict[str, str]) -> None:
    same = page_identity(pair["a"]) == page_identity(pair["b"])
    assert pair["want"] == ("fold" if same else "keep"), (page_identity(pair["a"]), page_identity(pair["b"]))


def test_every_case_is_complete_and_says_why() -> None:
    wrong = [p for p in PAIRS if set(p) != {"label", "a", "b", "want", "comment"} or p["want"] not in ("fold", "keep") or not p["comment"]]
    assert wrong == []
    assert len(PAIRS) == len({p["label"] for p in PAIRS})


@pytest.mark.parametrize("url", [p[side] for p in PAIRS for side in "ab"])
def test_cases_are_their_own_identity_the_second_time(url: str) -> None:
    assert page_identity(url) == page_identity(page_identity(url))


@settings(max_examples=2_000, deadline=None)
@given(ANY_TEXT)
@example("https://example.com/%%34%31")  # a lone percent sign before decoded digits
@example("https://m.b.co.id/</amp.amp.html")
@example("https://example.com/...amp.html")
@example("https://google.com/%61mp/s/google.com/amp/s/example.com")
@example("http://0x7f.1../")  # with one dot less it would be an address
@example("https://www.m.wikipedia.org.")
@example("https://example.com/#/:%7E:text")
@example("https://example.com/s/.a[//.//b")  # dots that can_ada overlooks unless something is escaped
def test_identity_never_raises_and_is_idempotent(text: str) -> None:
    identity = page_identity(text)
    assert identity == page_identity(identity)


@given(ANY_TEXT)
def test_white_space_around_a_url_changes_nothing(text: str) -> None:
    assert page_identity(text) == page_identity(f" {text}\n")


@given(st.text(st.characters(), max_size=40).filter(lambda text: ":" not in text))
def test_what_is_no_url_is_its_own_identity(text: str) -> None:
    assert text.strip() == page_identity(text)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "id", "v"]), st.integers(0, 9)), max_size=6), st.randoms(use_true_random=False))
def test_repeated_parameters_keep_their_order_whatever_stands_between(pairs: list[tuple[str, int]], chance: random.Random) -> None:
    queues = {name: [value for other, value in pairs if other == name] for name, _ in pairs}
    names = [name for name, _ in pairs]
    chance.shuffle(names)
    shuffled = [(name, queues[name].pop(0)) for name in names]
    one, other = ["https://a.id/?" + "&".join(f"{n}={v}" for n, v in p) for p in (pairs, shuffled)]
    assert page_identity(one) == page_identity(other)


CONTENT = ["cid", "from", "hl", "id", "lang", "p", "page", "q", "ref", "s", "sid", "sort", "source", "src", "t", "tag", "v"]


@pytest.mark.parametrize("name", CONTENT)
def test_parameters_that_may_select_content_stay(name: str) -> None:
    assert f"https://a.id/x?{name}=1" == page_identity(f"https://a.id/x?utm_source=y&{name}=1&fbclid=2")


def test_every_shipped_tracking_parameter_is_dropped() -> None:
    tracking = load_tracking()
    names = [*sorted(tracking.names), *(prefix + "x" for prefix in tracking.prefixes)]
    assert [name for name in names if page_identity(f"https://a.id/?{name}=1") != "https://a.id/"] == []


def test_the_list_of_tracking_parameters_is_healthy() -> None:
    lines = [
        line.partition("#")[0].strip()
        for line in Path(rewriter.data.__file__).with_name("tracking_parameters.txt").read_text(encoding="utf-8").splitlines()
    ]
    names = [line for line in lines if line]
    wrong = [n for n in names if n != n.lower() or " " in n or "*" in n[:-1] or (n.endswith("*") and len(n) < 4) or names.count(n) > 1]
    blocks = "\n".join(lines).split("\n\n")
    unsorted = [block for block in blocks if (kept := [n for n in block.split("\n") if n]) != sorted(kept)]
    covered = [n for n in names if any(n != p + "*" and n.startswith(p) for p in load_tracking().prefixes)]
    assert (wrong, unsorted, covered) == ([], [], [])


@pytest.mark.parametrize("wrong", [None, 5, b"https://a.id"])
def test_an_identity_of_something_else_than_text_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="as a str, not"):
        page_identity(wrong)


HUGE = 150_000


HOSTILE = {
    "prefixes": "https://" + "www." * HUGE + "com",
    "prefixes alone": "https://" + "www." * HUGE,
    "Wikimedia's mobile label": "https://a" + ".m" * HUGE + ".wikipedia.org",
    "dots in the host": "https://" + "." * HUGE,
    "AMP segments": "https://a.id" + "/amp" * HUGE,
    "slashes": "https://a.id/" + "/" * HUGE,
    "index files": "https://a.id/" + "index.html/" * HUGE,
    "AMP marks": "https://a.id/x" + ".amp" * HUGE + ".html",
    "AMP files": "https://a.id/x" + ".amp.html" * HUGE,
    "copies of copies": "https://google.com" + "/amp/s/google.com" * HUGE,
    "labels in a copy": "https://google.com/amp/s/" + "a." * HUGE,
    "percent signs": "https://a.id/" + "%" * HUGE,
    "combining marks": "https://a.id/" + "%CC%81" * HUGE,
    "parameters": "https://a.id/?" + "a&" * HUGE,
    "plus signs": "https://a.id/?" + "+=" * HUGE,
    "directives": "https://a.id/#!" + ":~:" * HUGE,
    "dot segments": "https://a.id/s/.b/" + "a/../" * HUGE,
    "spaces": " " * HUGE,
    "letters": "a" * HUGE,
    "surrogates": "https://a.id/\ud800" * HUGE,
    "a bad host": "https://\0" + "é" * HUGE,
}


@pytest.mark.parametrize("url", HOSTILE.values(), ids=HOSTILE)
def test_hostile_urls_take_linear_time(url: str) -> None:
    identity = page_identity(url)  # a megabyte or more: in quadratic time this test would not end
    assert identity == page_identity(identity)


# --- merging --------------------------------------------------------------------------------------------------------------


def test_the_public_name_is_this_function() -> None:
    assert "merge" in rewriter.__all__ and rewriter.merge is merge


def test_a_page_of_two_lists_comes_before_the_first_of_one() -> None:
    pages = merge({"kopi": ["https://a.id/", "https://b.id/"], "coffee": ["https://c.id/", "https://b.id/"]})
    assert [p.url for p in pages] == ["https://b.id/", "https://a.id/", "https://c.id/"]


def test_a_score_is_the_sum_of_one_over_k_plus_rank() -> None:
    (page, _) = merge({"a": ["x", "y"], "b": ["y", "x"]}, k=10)
    assert float(Fraction(1, 11) + Fraction(1, 12)) == page.score


def test_ranks_count_from_one() -> None:
    assert [p.rank for p in merge({"a": ["x", "y", "z"]})] == [1, 2, 3]


def test_a_repeat_within_a_list_adds_no_score_and_stays_in_the_sources() -> None:
    (page,) = merge({"a": ["https://a.id", "http://www.a.id/"]}, k=1)
    assert (0.5, (Source("a", 1, "https://a.id"), Source("a", 2, "http://www.a.id/"))) == (page.score, page.sources)


def test_a_repeat_takes_up_its_rank() -> None:
    scores = {p.url: p.score for p in merge({"a": ["x", "x", "y"]}, k=0)}
    assert scores == {"x": 1.0, "y": 1 / 3}


def test_equal_scores_go_by_best_rank() -> None:
    lists = {"a": ["w", "x", "y"], "b": ["v", "u", "z", "t", "s", "y"]}  # 1/3 + 1/6 is 1/2 exactly
    assert [(p.url, p.score) for p in merge(lists, k=0)][:5] == [("v", 1.0), ("w", 1.0), ("u", 0.5), ("x", 0.5), ("y", 0.5)]


def test_six_sixths_are_one() -> None:
    lists = {str(i): ["f", "g", "h", "i", "j", "y"] if i else ["x", "f", "g", "h", "i", "y"] for i in range(6)}
    scores = {p.url: p.score for p in merge(lists, k=0)}
    assert (scores["x"], scores["y"]) == (1.0, 1.0)


def test_equal_scores_and_ranks_go_by_number_of_lists_then_identity() -> None:
    pages = merge({"a": ["z"], "b": ["y"], "c": ["x"]})
    assert [p.url for p in pages] == ["x", "y", "z"]


def test_depth_cuts_each_list() -> None:
    pages = merge({"a": ["x", "y"], "b": ["z", "x"]}, depth=1)
    assert [(p.url, len(p.sources)) for p in pages] == [("x", 1), ("z", 1)]


def test_depth_and_limit_of_nothing_give_nothing() -> None:
    assert (merge({"a": ["x"]}, depth=0), merge({"a": ["x"]}, limit=0), merge({}), merge({"a": []})) == ([], [], [], [])


def test_limit_cuts_the_union() -> None:
    assert [p.url for p in merge({"a": ["x", "y", "z"]}, limit=2)] == ["x", "y"]


def test_k_may_be_nothing() -> None:
    assert [p.score for p in merge({"a": ["x", "y"]}, k=0)] == [1.0, 0.5]


def test_the_best_ranked_result_speaks_for_the_page() -> None:
    lists: dict[str, list[Result | str]] = {"a": ["x", Result("http://a.id", "low", "low", {"n": 1})]}
    lists |= {"b": [Result("https://m.a.id/", "high", "up", {"n": 2})]}
    page = merge(lists)[0]
    assert Merged("https://a.id/", "https://m.a.id/", "high", "up", {"n": 2}, 1, page.score, page.sources) == page


def test_at_one_rank_https_speaks_for_the_page() -> None:
    (page,) = merge({"a": [Result("http://a.id", "a")], "b": [Result(" HTTPS://a.id", "b")], "c": [Result("https://a.id", "c")]})
    assert page.title == "b"


def test_at_one_rank_and_scheme_a_result_with_a_title_speaks_for_the_page() -> None:
    (page,) = merge({"a": [Result("https://a.id")], "b": [Result("https://a.id/", "b")]})
    assert page.url == "https://a.id/"


def test_a_missing_title_or_snippet_is_the_longest_of_the_others() -> None:
    (page,) = merge({"a": [Result("x", " "), Result("x", "kopi", "s"), Result("x", "kopi susu", "sni"), Result("x", "susu", "sn")]})
    assert (page.title, page.snippet) == ("kopi susu", "sni")


def test_mappings_are_results_and_their_other_keys_are_extra() -> None:
    (page,) = merge({"a": [{"url": "x", "title": None, "snippet": "s", "date": "2024", "extra": {"engine": "e"}}]})
    assert (page.title, page.snippet, page.extra) == ("", "s", {"engine": "e", "date": "2024"})


def test_the_caller_may_say_which_page_a_result_is() -> None:
    pages = merge({"a": ["x", "X", "y"]}, key=lambda result: result.url.lower())
    assert [p.identity for p in pages] == ["x", "y"]


def test_input_is_left_as_it_was() -> None:
    row = {"url": "x", "extra": {"a": 1}, "b": 2}
    merge({"a": [row]})
    assert row == {"url": "x", "extra": {"a": 1}, "b": 2}


@pytest.mark.parametrize(("results", "message"), [
    (None, "mapping from variant to its results, not None"),
    (["https://a.id"], "not a value of type list"),
    ({1: []}, "found 1 as the name of a list"),
    ({"kopi": "https://a.id"}, "The list 'kopi' is a value of type str"),
    ({"kopi": b"x"}, "The list 'kopi' is a value of type bytes"),
    ({"kopi": {"x"}}, "The list 'kopi' is a value of type set"),
    ({"kopi": {"url": "x"}}, "The list 'kopi' is a value of type dict"),
    ({"kopi": None}, "The list 'kopi' is None"),
    ({"kopi": iter(["x"])}, "The list 'kopi' is a value of type list_iterator"),
    ({"teh": ["x"], "kopi": ["x", 5]}, "Result 2 of the list 'kopi' is a value of type int"),
    ({"kopi": [None]}, "Result 1 of the list 'kopi' is None"),
    ({"kopi": [b"x"]}, "Result 1 of the list 'kopi' is a value of type bytes"),
    ({"kopi": [("x", "title")]}, "Result 1 of the list 'kopi' is a value of type tuple"),
    ({"kopi": [{}]}, "Result 1 of the list 'kopi' has None as its url"),
    ({"kopi": [{"url": 5}]}, "Result 1 of the list 'kopi' has a value of type int as its url"),
    ({"kopi": [{"url": "x", "title": 5}]}, "has a value of type int as its title"),
    ({"kopi": [{"url": "x", "snippet": ["s"]}]}, "has a value of type list as its snippet"),
    ({"kopi": [{"url": "x", "extra": 5, "more": 1}]}, "has a value of type int as its extra"),
    ({"kopi": [Result(None)]}, "has None as its url"),  # type: ignore[arg-type]
])  # fmt: skip
def test_a_wrong_type_says_which_list_and_position(results: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        merge(results)


@pytest.mark.parametrize("name", ["k", "depth", "limit"])
def test_numbers_are_whole_and_not_negative(name: str) -> None:
    options: dict[str, Any] = {name: -1}
    with pytest.raises(ValueError, match=f"{name}=-1; it must be 0 or more"):
        merge({"a": ["x"]}, **options)
    for wrong in (1.5, "1", True):
        with pytest.raises(TypeError, match=f"an int as {name}"):
            merge({"a": ["x"]}, **{name: wrong})  # type: ignore[arg-type]


def test_a_missing_k_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="an int as k, not None"):
        merge({}, k=None)  # type: ignore[arg-type]


def test_a_key_must_give_text() -> None:
    with pytest.raises(TypeError, match=r"key\(\) gave None for result 1 of the list 'a'"):
        merge({"a": ["x"]}, key=lambda result: None)  # type: ignore[arg-type,return-value]


@given(LISTS, st.randoms(use_true_random=False), st.integers(0, 3), st.none() | st.integers(0, 9))
def test_the_order_of_the_mapping_changes_nothing(lists: dict[str, list[Result]], chance: random.Random, k: int, depth: int | None) -> None:
    names = list(lists)
    chance.shuffle(names)
    assert merge(lists, k=k, depth=depth) == merge({name: lists[name] for name in names}, k=k, depth=depth)


@given(LISTS)
def test_every_row_is_in_the_sources_of_its_page_and_nowhere_else(lists: dict[str, list[Result]]) -> None:
    rows = sorted((name, rank, result.url) for name, results in lists.items() for rank, result in enumerate(results, 1))
    pages = merge(lists)
    assert rows == sorted((s.variant, s.rank, s.url) for p in pages for s in p.sources)
    assert all(p.identity == page_identity(s.url) for p in pages for s in p.sources)


@given(LISTS, st.integers(0, 3))
def test_scores_are_exact_and_pages_sorted(lists: dict[str, list[Result]], k: int) -> None:
    pages = merge(lists, k=k)
    places = []
    for page in pages:
        best = {s.variant: s.rank for s in reversed(page.sources)}  # sources go by rank: the first of a list is written last
        assert float(sum((Fraction(1, k + rank) for rank in best.values()), Fraction())) == page.score
        places.append((-page.score, page.sources[0].rank, -len(best), page.identity))
    assert sorted(places) == places


@given(LISTS)
def test_a_page_is_one_of_its_results_and_identities_are_unique(lists: dict[str, list[Result]]) -> None:
    pages = merge(lists)
    urls = {result.url for results in lists.values() for result in results}
    assert all(page.url in urls for page in pages)
    assert len(pages) == len({page.identity for page in pages})


@given(LISTS)
def test_merging_again_changes_nothing(lists: dict[str, list[Result]]) -> None:
    pages = merge(lists)
    again = merge({"union": [Result(p.url, p.title, p.snippet, p.extra) for p in pages]})
    assert [(p.identity, p.url, p.title, p.snippet, p.extra, p.rank) for p in again] == [
        (p.identity, p.url, p.title, p.snippet, p.extra, p.rank) for p in pages
    ]
    assert all(p.folded == () and p.variants == ("union",) for p in again)


@given(LISTS)
def test_every_url_is_kept_or_folded(lists: dict[str, list[Result]]) -> None:
    pages = merge(lists)
    given_urls = {result.url for results in lists.values() for result in results}
    assert given_urls == {url for page in pages for url in (page.url, *page.folded)}
    for page in pages:
        assert page.url not in page.folded and len(set(page.folded)) == len(page.folded)
        assert set(page.variants) == {source.variant for source in page.sources}


def test_a_row_says_who_found_it_where_and_what_was_folded() -> None:
    (page,) = merge({"kopi": ["http://www.a.id/?utm_source=x", "https://a.id"], "coffee": [{"url": "https://a.id/", "title": "A", "n": 1}]})
    assert page.to_dict() == {
        "rank": 1,
        "url": "https://a.id/",
        "title": "A",
        "snippet": "",
        "score": page.score,
        "sources": [
            {"variant": "coffee", "rank": 1, "url": "https://a.id/"},
            {"variant": "kopi", "rank": 1, "url": "http://www.a.id/?utm_source=x"},
            {"variant": "kopi", "rank": 2, "url": "https://a.id"},
        ],
        "folded": ["http://www.a.id/?utm_source=x", "https://a.id"],
        "identity": "https://a.id/",
        "extra": {"n": 1},
    }


def test_many_results_take_linear_time() -> None:
    """In quadratic time the larger merge would take 64 times as long as the smaller, and minutes."""

    def time_of(size: int) -> float:
        lists = {str(n): [f"https://a{i % 97}.id/{i}?id={n % 3}" for i in range(size)] for n in range(5)}
        start = time.process_time()
        merge(lists)
        return time.process_time() - start

    small = min(time_of(1_000) for _ in range(3))
    assert time_of(8_000) < 8 * 4 * small


@given(st.dictionaries(st.text(st.characters()), st.lists(ANY_TEXT, max_size=4), max_size=4))
def test_no_text_makes_merge_raise(lists: dict[str, list[str]]) -> None:
    merge(lists)
