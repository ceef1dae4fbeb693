"""The quality benchmark: which answer it takes for right, and what it reads and writes."""

from __future__ import annotations

import doctest
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.quality.judges import JUDGES, MAIN, Answer
from benchmarks.quality.labelled import TASKS, find_sets
from benchmarks.quality.matching import says
from benchmarks.quality.measure import make_tables, measure
from benchmarks.quality.report import write_report

ROOT = Path(__file__).resolve().parents[1]
LITERAL = ("literal", "harga nano banana")
GEMINI = Answer((LITERAL, ("disambiguation", "harga nano banana model gambar Gemini")))
FRUIT = Answer((LITERAL, ("disambiguation", "harga pisang kecil")))
ASKS = Answer((LITERAL,), asks=True, offers=("pisang kecil", "model gambar"))
PASTE = Answer((LITERAL, ("disambiguation", "harga nano banana " + "kata " * 9 + "gemini")))
ALONE = Answer((LITERAL,))
COUNT = {"min_variants": 2, "max_variants": 3}


def meaning(ask: bool | None, **more: Any) -> dict[str, Any]:
    expect = {"ask": ask, "any": ["gemini"], "none": ["pisang"], "options": [["pisang"], ["model"]]}
    return {"query": LITERAL[1], "context": [], "expect": expect, **more}


@pytest.mark.parametrize(("task", "case", "answer", "measures"), [
    ("meanings", meaning(False), GEMINI, {"meaning right": 1, "not asked needlessly": 1}),
    ("meanings", meaning(False), FRUIT, {"meaning right": 0, "not asked needlessly": 1}),
    ("meanings", meaning(False), ALONE, {"meaning right": 0, "not asked needlessly": 1}),
    ("meanings", meaning(False), PASTE, {"meaning right": 0, "not asked needlessly": 1}),
    ("meanings", meaning(False), ASKS, {"meaning right": 0, "not asked needlessly": 0}),
    ("meanings", meaning(None), GEMINI, {"meaning right": 1}),
    ("meanings", meaning(True), ASKS, {"asks where it must": 1, "offers two meanings": 1}),
    ("meanings", meaning(True), ASKS._replace(offers=("pisang", "pisang")), {"asks where it must": 1, "offers two meanings": 0}),
    ("meanings", meaning(True), GEMINI, {"asks where it must": 0, "offers two meanings": 0}),
    ("meanings", meaning(None, kind="clear"), FRUIT, {"meaning right": 0, "not led astray by the conversation": 0}),
    ("translation", {"query": "harga beras", "must": [["price", "cost"], ["rice"]], "keep": []},
     Answer((("literal", "harga beras"), ("english", "rice costs"))), {"concepts said": 1, "everything said": 1}),
    ("translation", {"query": "harga beras", "must": [["price"], ["rice"]], "keep": ["Toba"]},
     Answer((("literal", "harga beras"), ("english", "rice Toba"))), {"concepts said": 0.5, "everything said": 0}),
    ("translation", {"query": "rice price", "must": [["price"], ["rice"]], "keep": []}, Answer((("literal", "rice price"),)),
     {"concepts said": 1, "everything said": 1}),
    ("terms", {"query": "sakit maag", "any": ["gastritis"], "none": ["migraine"]},
     Answer((("literal", "sakit maag"), ("synonym", "gastritis"))), {"a term of practitioners": 1, "not a wrong term": 1}),
    ("terms", {"query": "sakit maag", "any": ["gastritis"], "none": ["migraine"]},
     Answer((("literal", "sakit maag"), ("english", "migraine"))), {"a term of practitioners": 0, "not a wrong term": 0}),
    ("questions", {"query": "cara daftar", "acceptable_starts": ["bagaimana"], "must": ["daftar"]},
     Answer((("literal", "cara daftar"), ("question", "Bagaimana cara daftar?"))), {"a good question": 1}),
    ("questions", {"query": "cara daftar", "acceptable_starts": ["bagaimana"], "must": ["daftar"]},
     Answer((("literal", "cara daftar"), ("question", "Bagaimana cara daftar"))), {"a good question": 0}),
    ("questions", {"query": "cara daftar", "acceptable_starts": ["bagaimana"], "must": ["daftar"], "must_any": [["bpjs"]]},
     Answer((("literal", "cara daftar"), ("question", "Bagaimana cara daftar?"))), {"a good question": 0}),
    ("guardrails", {"query": "epson l3210", "context": [], "expect": {**COUNT, "ask": False, "preserve": ["l3210"]}},
     Answer((("literal", "epson l3210"), ("english", "epson l3210 printer"))),
     {"guardrails hold": 1, "number of searches": 1, "constraints kept": 1}),
    ("guardrails", {"query": "epson l3210", "context": [], "expect": {**COUNT, "ask": None, "preserve": ["l3210"]}},
     Answer((("literal", "epson l3210"), ("english", "epson printer"))),
     {"guardrails hold": 0, "number of searches": 1, "constraints kept": 0}),
    ("guardrails", {"query": "???", "context": [], "expect": {**COUNT, "ask": None}},
     Answer((("literal", "???"),)), {"guardrails hold": 1, "number of searches": 1, "constraints kept": 1}),
    ("conversations", {"raw": "its price", "manual": "tea price", "history": ["tea"]},
     Answer((("literal", "its price"), ("disambiguation", "tea price"))), {"words of the human rewrite": 1}),
    ("conversations", {"raw": "its price", "manual": "its price", "history": []}, ALONE, {}),
    ("pages", {"a": "http://www.a.id", "b": "https://a.id/", "want": "fold"}, Answer((), folds_pages=True), {"pages told apart": 1}),
    ("pages", {"a": "http://www.a.id", "b": "https://a.id/", "want": "fold"}, Answer(()), {"pages told apart": 0}),
    ("pages", {"a": "https://a.id/?id=1", "b": "https://a.id/?id=2", "want": "keep"}, Answer((), folds_pages=True),
     {"pages told apart": 1}),
])  # fmt: skip
def test_what_is_right(task: str, case: Any, answer: Answer, measures: dict[str, float]) -> None:
    assert JUDGES[task](case, answer) == measures


def test_every_task_has_a_judge_and_a_main_measure() -> None:
    assert {name for name, _, _ in TASKS} == JUDGES.keys() == MAIN.keys()


@pytest.mark.parametrize(("text", "word", "said"), [
    ("cheap cars", "car", True), ("scarf", "car", False), ("belajar c++", "c", False), ("belajar C++", "c++", True),
    ("harganya", "harga", True), ("E = mc²", "=", True), ("Ｃａｆé", "cafÉ", True),
])  # fmt: skip
def test_words_are_said_at_their_boundaries(text: str, word: str, said: bool) -> None:
    assert says(text, word) is said


def test_doctests_hold() -> None:
    names = ("labelled", "matching", "judges", "measure", "report")
    assert [doctest.testmod(importlib.import_module(f"benchmarks.quality.{name}")).failed for name in names] == [0] * len(names)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    chat = [{"role": "user", "text": "model gambar AI zorblaxan"}]
    sets = {
        "ambiguity": [{**meaning(False), "context": chat}, meaning(True)],
        "translation": [{"query": "harga beras", "must": [["price"], ["rice"]], "keep": []}],
        "urls": [{"id": "1", "a": "http://www.a.id", "b": "https://a.id/", "want": "fold"}],
        "talk": [{"conv": "1", "raw": "its price", "manual": "tea price", "history": ["tea"], "responses": []}],
        "everyday": [{"query": "kopi"}],
    }
    for name, rows in sets.items():
        (data / name).mkdir(parents=True)
        (data / name / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return data


def test_tasks_follow_from_the_fields(folder: Path) -> None:
    expected = [("ambiguity", "meanings"), ("talk", "conversations"), ("translation", "translation"), ("urls", "pages")]
    assert [(s.name, s.task) for s in find_sets(folder)] == expected


def test_a_case_that_lacks_a_field_is_told(folder: Path) -> None:
    with (folder / "urls" / "cases.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"a": "x"}\n')
    with pytest.raises(SystemExit, match="case 2: it lacks a field of the task pages: a, b, want"):
        find_sets(folder)


def test_a_folder_of_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no labelled set"):
        find_sets(tmp_path)


def test_the_package_is_compared_with_doing_nothing_and_with_pasting(folder: Path) -> None:
    rows = {(r["set"], r["measure"]): r for r in measure(folder)["rows"]}
    right = rows["ambiguity", "meaning right"]
    assert (right["rewriter"]["mean"], right["query alone"]["mean"], right["over query alone"]["mean"]) == (100, 0, 100)
    assert rows["translation", "concepts said"]["over query alone"]["mean"] == 100
    assert rows["urls", "pages told apart"]["query alone"]["mean"] == 0
    assert (
        "conversation pasted" in rows["talk", "words of the human rewrite"]
        and "conversation pasted" not in rows["urls", "pages told apart"]
    )


def test_one_command_writes_results_and_reports_without_query_and_path(folder: Path, tmp_path: Path) -> None:
    (folder / "news").mkdir()
    (folder / "news" / "corpus.jsonl").write_text('{"id": "d", "text": "the price of rice in the market"}\n', encoding="utf-8")
    (folder / "news" / "cases.jsonl").write_text('{"id": "1", "query": "harga beras zorblaxan", "rel": ["d"]}\n', encoding="utf-8")
    results, reports = tmp_path / "RESULTS.md", tmp_path / "report"
    command = [
        sys.executable,
        "benchmarks/run.py",
        "--data",
        folder,
        "--results",
        results,
        "--reports",
        reports,
        "--only",
        "labelled",
        "retrieval",
    ]
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    text = results.read_text(encoding="utf-8")
    assert (
        "`python benchmarks/quality/measure.py DEV --report REPORT`" in text and "## Retrieval" in text and "signature `rewriter:" in text
    )
    names = {file.name for file in reports.iterdir()}
    assert {"retrieval.md", "retrieval-gain.svg", "retrieval-cost.svg", "quality.md", "quality-shares.svg"} <= names
    for file in (results, *reports.iterdir()):
        text = file.read_text(encoding="utf-8")
        assert [part for part in ("zorblaxan", "harga beras", str(tmp_path)) if part in text] == []


def test_a_report_names_how_it_is_read(folder: Path, tmp_path: Path) -> None:
    figures = measure(folder)
    write_report(figures, make_tables(figures), tmp_path / "report")
    page = (tmp_path / "report" / "quality.md").read_text(encoding="utf-8")
    assert figures["signature"] in page and "machine help" in page and "](quality-shares.svg)" in page
