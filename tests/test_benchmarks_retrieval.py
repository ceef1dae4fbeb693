"""The retrieval benchmark: what it reads, what it compares, and that its figures mean what they say."""

from __future__ import annotations

import doctest
import gzip
import importlib
import json
import math
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.intervals import estimate_mean
from benchmarks.retrieval import baselines
from benchmarks.retrieval.collection import Case, Document, find_collections, read_cases, read_documents
from benchmarks.retrieval.evaluate import evaluate_case, list_systems, merge_lists, score_list
from benchmarks.retrieval.index import K1, B, Index, index_terms, language_of
from benchmarks.retrieval.measure import measure
from benchmarks.retrieval.measures import ndcg, recall
from benchmarks.retrieval.report import decided, write_report
from benchmarks.retrieval.summarise import differences
from benchmarks.retrieval.tables import make_tables
from rewriter import merge, rewrite

MODULES = ("intervals", *[f"retrieval.{name}" for name in ("baselines", "evaluate", "index", "measures", "report", "tables")])
ENGLISH = {
    "rice": "the price of rice in the market rose because of the dry season",
    "cough": "a cough medicine for children and how it is taken",
    "phone": "the battery of a phone that is empty after an hour",
    "paint": "how to paint a wall in the house with a brush",
}
QUERIES = {"harga beras": "rice", "obat batuk anak": "cough", "cara mengecat tembok rumah": "paint"}


def write_lines(file: Path, rows: Sequence[Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if file.suffix == ".gz":
        file.write_bytes(gzip.compress(text.encode()))
    else:
        file.write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Indonesian and English queries on one English corpus, a conversation, and a set that is no collection."""
    data = tmp_path / "data"
    write_lines(data / "news" / "corpus.jsonl.gz", [{"id": name, "text": text} for name, text in ENGLISH.items()])
    write_lines(data / "news" / "cases.jsonl", [{"id": "1", "query": "zorblaxan rice price", "rel": ["rice"]}])
    rows = [{"id": str(n), "query": q, "rel": {d: 2}, "ref": ENGLISH[d]} for n, (q, d) in enumerate(QUERIES.items())]
    write_lines(data / "news_id" / "cases.jsonl.gz", rows)
    turns = {"history": ["tell me about rice", "who eats it"], "responses": ["It is a grain.", "Many people do."]}
    write_lines(
        data / "talk" / "corpus.jsonl", [{"id": "r", "title": "rice", "text": "the price of it"}, {"id": "x", "text": "the weather"}]
    )
    write_lines(data / "talk" / "cases.jsonl", [{"id": "1", "conv": "c", "query": "what about its price", "rel": ["r"], **turns}])
    write_lines(data / "everyday" / "cases.jsonl", [{"query": "kopi"}])
    return data


def test_doctests_hold() -> None:
    assert [doctest.testmod(importlib.import_module(f"benchmarks.{name}")).failed for name in MODULES] == [0] * len(MODULES)


# --- reading ---------------------------------------------------------------------------------------------------------------


def test_a_folder_without_documents_searches_those_of_the_one_that_it_is_named_after(folder: Path) -> None:
    found = find_collections(folder)
    assert [(c.name, c.corpus.parent.name) for c in found] == [("news", "news"), ("news_id", "news"), ("talk", "talk")]


def test_turns_alternate_and_a_title_is_text(folder: Path) -> None:
    (case,) = read_cases(folder / "talk" / "cases.jsonl", frozenset({"r"}))
    assert case.turns == (
        ("user", "tell me about rice"), ("assistant", "It is a grain."), ("user", "who eats it"), ("assistant", "Many people do."),
    )  # fmt: skip
    assert (case.group, case.reference, case.grades) == ("c", None, {"r": 1.0})
    assert read_documents(folder / "talk" / "corpus.jsonl")[0] == Document("r", "rice the price of it")


@pytest.mark.parametrize(("row", "told"), [
    ({"id": "1", "query": "a", "rel": []}, "cases.jsonl:1: a query needs"),
    ({"id": "1", "query": "a", "rel": {"r": 0}}, "cases.jsonl:1: a query needs"),
    ({"id": "1", "query": "a", "rel": ["none"]}, "cases.jsonl:1: the corpus has no document 'none'"),
    ([], "cases.jsonl:1: this line is no JSON object"),
])  # fmt: skip
def test_a_query_that_cannot_be_judged_is_told_with_its_place(tmp_path: Path, row: Any, told: str) -> None:
    write_lines(tmp_path / "cases.jsonl", [row])
    with pytest.raises(SystemExit, match=told):
        read_cases(tmp_path / "cases.jsonl", frozenset({"r"}))


def test_a_folder_of_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no test collection"):
        find_collections(tmp_path)


# --- searching -------------------------------------------------------------------------------------------------------------


def test_scores_are_those_of_lucene() -> None:
    texts = ["rice rice price", "price market", "weather report today"]
    index = Index([Document(str(n), text) for n, text in enumerate(texts)])
    scores = index._scorer.get_scores(["rice"])
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    length = 3 / (8 / 3)
    assert math.isclose(scores[0], idf * 2 / (2 + K1 * (1 - B + B * length)), rel_tol=1e-5) and scores[1] == scores[2] == 0


def test_equal_documents_keep_their_order_and_unknown_words_find_nothing() -> None:
    index = Index([Document(name, "the rice is the rice") for name in "cab"])
    assert (index.search("rice", 2), index.search("rice", 9), index.search("xyzzy", 9), index.search("the", 9)) == (
        ["c", "a"], ["c", "a", "b"], [], [],
    )  # fmt: skip


def test_the_language_of_documents_is_that_of_their_function_words() -> None:
    assert language_of([Document("1", "harga beras yang naik di pasar dan itu")]) == "id"
    assert language_of([Document("1", "the price of rice in the market")]) == "en"
    assert index_terms("Harganya berapa?", "id") == ["harga"]


GRADES = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), min_size=1)
LISTS = st.lists(st.sampled_from("abcdefxyz"), unique=True, max_size=9)


@given(LISTS, GRADES)
def test_measures_are_shares_and_the_best_order_is_whole(found: list[str], grades: dict[str, float]) -> None:
    assert 0 <= ndcg(found, grades) <= 1 and 0 <= recall(found, grades) <= 1
    best = sorted(grades, key=lambda name: -grades[name])
    assert ndcg(best, grades) == recall(best, grades) == 1


@given(LISTS, GRADES)
def test_the_raw_query_has_no_gain_over_itself(found: list[str], grades: dict[str, float]) -> None:
    score = score_list(found, found, grades, 1)
    assert score.recall == score.same


# --- systems ---------------------------------------------------------------------------------------------------------------


def test_systems_are_what_the_report_names() -> None:
    case = Case("1", "harga beras", (("user", "a"), ("assistant", "b")), {"rice": 1}, "rice price", "1")
    plan = rewrite("harga beras")
    systems = dict(list_systems(case, plan, "en", str.upper))
    assert systems["merged"] == plan.queries and systems["raw"] == ["harga beras"] == systems["literal alone"]
    assert systems["without english"] == [text for text in plan.queries if text != systems["english alone"][0]]
    assert systems["first 1"] == plan.queries[:1] and systems["first 5"] == plan.queries[:5]
    assert systems["raw + all turns"] == ["harga beras", "harga beras a b"] and systems["user turns alone"] == ["harga beras a"]
    assert systems["dictionary alone"] == ["price rice"] and systems["human alone"] == ["rice price"]
    assert not any("WordNet" in name or name == "without literal" for name in systems)


def test_synonyms_are_added_to_english_queries_on_english_documents_alone() -> None:
    case = Case("1", "cheap laptop for students", (), {"x": 1}, None, "1")
    plan = rewrite(case.query)
    assert dict(list_systems(case, plan, "en", str.upper))["WordNet alone"] == ["CHEAP LAPTOP FOR STUDENTS"]
    assert not any("WordNet" in name for name, _ in [*list_systems(case, plan, "id", str.upper), *list_systems(case, plan, "en", None)])


def test_lists_are_merged_by_the_package_each_document_a_page() -> None:
    lists = {"a": ["1", "2"], "b": ["2", "https://www.x.id", "https://x.id"]}
    assert merge_lists(lists) == [page.url for page in merge(lists, key=lambda result: result.url)]
    assert len(merge_lists(lists)) == 4


def test_without_wordnet_there_is_no_such_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk.corpus
    import nltk.data
    from nltk.corpus.util import LazyCorpusLoader

    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(nltk.corpus, "wordnet", LazyCorpusLoader("wordnet", nltk.corpus.WordNetCorpusReader, None))
    assert baselines.open_wordnet(None) is None


# --- intervals -------------------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=40))
def test_an_interval_is_about_its_mean_and_always_the_same(values: list[int]) -> None:
    found = estimate_mean([float(v) for v in values])
    assert found is not None and found.low is not None and found.high is not None
    assert math.isclose(found.mean, sum(values) / len(values), abs_tol=1e-9)
    assert min(values) <= found.low <= found.high <= max(values) and found == estimate_mean([float(v) for v in values])


def test_an_interval_is_as_wide_as_that_of_the_normal_distribution() -> None:
    found = estimate_mean([float(n % 2) for n in range(400)])
    assert found is not None and found.low is not None and abs((0.5 - found.low) - 1.96 * 0.5 / 20) < 0.006


def test_turns_of_one_conversation_are_one_piece_of_evidence() -> None:
    values = [float(n // 10 % 2) for n in range(200)]
    alone, together = estimate_mean(values), estimate_mean(values, [n // 10 for n in range(200)])
    assert alone is not None and together is not None
    assert together.high - together.low > 2 * (alone.high - alone.low)  # type: ignore[operator]


def test_one_group_has_no_interval_and_no_value_no_estimate() -> None:
    found = estimate_mean([1.0, 0.0], ["a", "a"])
    assert found is not None and (found.mean, found.low, found.high) == (0.5, None, None)
    assert estimate_mean([]) is None


def test_collections_weigh_alike() -> None:
    found = estimate_mean([1.0] * 99 + [0.0], strata=["big"] * 99 + ["small"])
    assert found is not None and found.mean == 0.5


# --- all of it -------------------------------------------------------------------------------------------------------------


def test_an_english_variant_finds_what_an_indonesian_query_does_not(folder: Path) -> None:
    figures = measure(folder)
    merged = figures["collections"]["news_id"]["merged"]
    assert (merged["empty"], merged["rescued"]) == (3, 3) and merged["gain"]["mean"] == 100
    assert figures["patterns"]["english"]["loss"]["gain"]["mean"] == 100
    assert figures["collections"]["news"]["merged"]["gain"]["mean"] == 0
    assert {name: a["task"] for name, a in figures["about"].items()} == {
        "news": "English queries, English documents", "news_id": "Indonesian queries, English documents", "talk": "conversations",
    }  # fmt: skip
    assert figures["signature"] == rewrite("x").signature


def test_the_limit_is_of_each_collection(folder: Path) -> None:
    assert [a["queries"] for a in measure(folder, 2)["about"].values()] == [1, 2, 1]


def test_figures_tables_and_report_hold_no_query_and_no_path(folder: Path, tmp_path: Path) -> None:
    figures = measure(folder)
    write_report(figures, tmp_path / "report")
    texts = [json.dumps(figures), *[str(table) for table in make_tables(figures)]]
    texts += [file.read_text(encoding="utf-8") for file in (tmp_path / "report").iterdir()]
    for told in ("zorblaxan", "tell me about rice", "dry season", str(tmp_path), *QUERIES):
        assert not [text for text in texts if told in text]


def test_a_report_is_the_same_bytes_and_its_plots_are_there(folder: Path, tmp_path: Path) -> None:
    figures = measure(folder)
    for name in ("one", "two"):
        write_report(figures, tmp_path / name)
    files = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert [(tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files] == [True] * len(files)
    page = (tmp_path / "one" / "retrieval.md").read_text(encoding="utf-8")
    plots = [name for name in files if name.endswith(".svg")]
    assert plots and all(f"]({name})" in page for name in plots) and page.count("](retrieval-") == len(plots)
    assert all(ET.parse(tmp_path / "one" / name).getroot().tag.endswith("svg") for name in plots)
    assert "WordNet** baseline was left out" in page and figures["signature"] in page


def test_what_an_interval_does_not_decide_is_not_told_as_decided() -> None:
    assert [decided({"mean": 1, "low": low, "high": high}) for low, high in ((0.1, 2), (-2, -0.1), (0, 2), (-1, 1), (None, None))] == [
        1,
        -1,
        0,
        0,
        0,
    ]


def test_differences_are_in_points_and_paired(folder: Path) -> None:
    cases = read_cases(folder / "news_id" / "cases.jsonl.gz", frozenset(ENGLISH))
    index = Index(read_documents(folder / "news" / "corpus.jsonl.gz"))
    outcomes = [evaluate_case(case, "news_id", index, None) for case in cases]
    found = differences(outcomes, "human alone")
    assert found["d_success1"] == {"mean": 100.0, "low": 100.0, "high": 100.0, "n": 3}
    assert all(estimate["mean"] == 0 for estimate in differences(outcomes, "raw").values())
