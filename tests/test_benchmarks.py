"""The benchmarks run, on tiny data; what they write holds figures, no query and no path."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.run import quality_tables
from benchmarks.shared import ROOT, Table, as_markdown, as_text, read_queries
from benchmarks.speed.warm import turns_before
from benchmarks.translation.sample import count_judgements, draw_sample, read_entries, wilson_interval

MODULES = (
    "run",
    "shared",
    "speed.cold_start",
    "speed.peers",
    "speed.throughput",
    "speed.merging",
    "speed.warm",
    "translation.content_words",
    "translation.coverage",
    "translation.sample",
)
QUERIES = (
    "cara menanam cabai di pot kecil",
    "harga beras hari ini",
    "resep zorblaxan ayam",
    "rumah Sutanegara dekat pantai",
    "best budget laptop",
    "how to learn python fast",
)
SCORER = """
import json, sys
assert sys.argv[1] == "--data" and sys.argv[3] == "--json"
figures = {"slang": {"share": 0.75, "n": 4, "worst": ["resep zorblaxan ayam"]}, "resep zorblaxan ayam": 1}
open(sys.argv[4], "w").write(json.dumps(figures))
sys.exit(1)
"""


def run(script: str, *arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """A benchmark in a process of its own."""
    command = [sys.executable, str(ROOT / "benchmarks" / script), *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=300, check=False)
    assert done.returncode == code, done.stderr
    return done


def figures_of(file: Path) -> Any:
    """What a benchmark wrote as JSON, after a look that it names no path and no query."""
    text = file.read_text(encoding="utf-8")
    assert str(ROOT) not in text and str(file.parent) not in text
    assert not [query for query in QUERIES if query in text]
    return json.loads(text)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with one evaluation set, whose lines hold more than a query."""
    folder = tmp_path / "data"
    (folder / "everyday").mkdir(parents=True)
    lines = [json.dumps({"query": query, "expected": "never read"}) for query in (*QUERIES, QUERIES[0])]
    (folder / "everyday" / "cases.jsonl").write_text("\n".join([*lines, json.dumps({"id": 3}), ""]), encoding="utf-8")
    return folder


def test_doctests_hold() -> None:
    assert [doctest.testmod(importlib.import_module(f"benchmarks.{name}")).failed for name in MODULES] == [0] * len(MODULES)


def test_queries_are_read_once_each_and_in_order(data: Path, tmp_path: Path) -> None:
    text = tmp_path / "more.txt"
    text.write_text("satu\n\ndua\nsatu\n", encoding="utf-8")
    assert read_queries([data, text]) == [*QUERIES, "satu", "dua"]


def test_a_line_that_is_no_object_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text('{"query": "satu"}\nnonsense\n', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"broken\.jsonl:2: this line is no JSON object"):
        read_queries([file])


def test_no_query_at_all_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no query"):
        read_queries([tmp_path])


def test_a_table_reads_the_same_on_a_terminal_and_in_a_document() -> None:
    table = Table("Title", ("what", "n"), (("long name", "7"),))
    assert as_text(table) == "Title\nwhat       n\nlong name  7"
    assert as_markdown(table) == "Title\n\n| what | n |\n| --- | ---: |\n| long name | 7 |"


def test_the_cold_start_is_compared_with_the_bare_interpreter(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    printed = run("speed/cold_start.py", "--runs", 2, "--json", out).stdout
    rows = figures_of(out)["rows"]
    assert [row["program"] for row in rows] == ["python -c pass", "import rewriter", 'python -m rewriter rewrite "nano banana" --json']
    assert rows[0]["min_ratio"] == 1 and all(row["min_ms"] <= row["median_ms"] for row in rows)
    assert all(row["program"] in printed for row in rows)


def test_the_peak_is_that_of_the_measured_process_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    run("speed/cold_start.py", "--runs", 1, "--json", out)
    bare, imported, called = [row["peak_mib"] for row in figures_of(out)["rows"]]
    if bare is None:
        pytest.skip("the system does not tell")
    assert bare < imported < called


def test_a_program_that_fails_is_not_measured() -> None:
    assert "failed" in run("speed/cold_start.py", "--runs", 1, "--python", sys.executable + "-none", code=1).stderr


def test_warm_calls_are_told_by_language_and_length(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    printed = run("speed/warm.py", data, "--json", out).stdout
    figures = figures_of(out)
    assert [(s["state"], s["calls"]) for s in figures["states"]] == [
        ("no turns", 6), ("no turns, first", 6), ("10 turns, seen", 6), ("10 turns, new", 6), ("50 turns, seen", 6), ("50 turns, new", 6),
    ]  # fmt: skip
    assert {("id", 6): 1, ("id", 4): 2}.items() <= {(row["language"], row["words"]): row["calls"] for row in figures["lengths"]}.items()
    assert figures["turns"]["exponents"].keys() == {"seen", "new"} and figures["words"]["exponent"] < 2
    assert "50 turns, new" in printed


def test_many_queries_are_measured_with_workers_memory_and_kills(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    printed = run("speed/throughput.py", data, "--rows", 50, "--kills", 1, "--json", out).stdout
    figures = figures_of(out)
    assert figures["process"]["no turns"]["per_s"] > 0 and figures["workers"]["rows"] == 50
    assert [m["rows"] for m in figures["memory"]] == [50, 100, 200] and all(10 < m["mib"] < 300 for m in figures["memory"])
    assert figures["kills"]["kills"] == 1 and "all equal" in printed


def test_growth_is_drawn_from_the_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    line = {"sizes": [5, 10], "median_ms": {"seen": [0.4, 0.5], "new": [1, 2]}, "exponents": {"seen": 0.32, "new": 1.0}}
    (tmp_path / "warm.json").write_text(json.dumps({"turns": line, "words": {"sizes": [4, 8], "median_ms": [1, 2], "exponent": 1.0}}))
    (tmp_path / "size.json").write_text(json.dumps({"exponent": 0.1, "rows": [{"senses": 10**n, "lookup_us": n} for n in (1, 2)]}))
    for name in ("a.svg", "b.svg"):
        run("speed/plot.py", tmp_path / "warm.json", tmp_path / "size.json", "-o", tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "<svg" in (tmp_path / "a.svg").read_text() and (tmp_path / "a.svg").stat().st_size > 5_000


def test_spark_is_measured_beside_one_process(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, and there is none")
    out = tmp_path / "out.json"
    run("speed/spark.py", data, "--rows", 40, "--json", out)
    assert figures_of(out)["second_per_s"] > 0


def test_peers_are_measured_in_one_run_and_missing_ones_are_named(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    out = tmp_path / "out.json"
    run("speed/peers.py", data, "--forms", 50, "--json", out)
    figures = figures_of(out)
    names = [row["name"] for row in figures["rows"]]
    assert names[:2] == ["rewriter, plan", "rewriter, plan as JSON"] and {"spaCy PhraseMatcher", "spaCy entity ruler"} <= set(names)
    assert len(names) + len(figures["missing"]) == 8 and figures["rows"][0]["ratio"] == 1 and figures["forms"] == 50


def test_merging_is_measured_over_sizes(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    run("speed/merging.py", "--rounds", 1, "--json", out)
    figures = figures_of(out)
    assert [row["results"] for row in figures["rows"]] == [500, 2_000, 8_000, 32_000]
    assert all(row["pages"] < row["results"] for row in figures["rows"]) and figures["exponent"] < 1.5


def test_turns_are_other_queries() -> None:
    for at, query in enumerate(QUERIES):
        turns = turns_before(QUERIES, at, 12)
        assert len(turns) == 12 and query not in [turn.content for turn in turns]
        assert [turn.role for turn in turns[-2:]] == ["assistant", "user"]


def test_coverage_tells_translated_words_from_names_and_unknown_ones(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    out = tmp_path / "out.json"
    printed = run("translation/coverage.py", data, "--list", 30, "--top", 5, "--json", out).stdout
    figures = figures_of(out)
    running = figures["running"]
    assert running["queries"] == 4 and running["left_out"] == {"english": 2}
    assert running["categories"]["uncovered"] == 1 and running["categories"]["name"] == 1
    assert running["share"] == 1 - 1 / running["words"]
    assert "uncovered in the queries: zorblaxan 1" in printed and "zorblaxan" not in out.read_text(encoding="utf-8")
    assert figures["listed"]["words"] == 30 and figures["listed"]["share"] > 0.9


def test_coverage_needs_no_queries() -> None:
    pytest.importorskip("wordfreq")
    assert "Running" not in run("translation/coverage.py", "--list", 5, "--top", 0).stdout


@pytest.mark.parametrize("kind", ["bilingual", "slang", "senses", "idioms", "jargon"])
def test_a_sample_names_file_and_line_of_each_entry(kind: str) -> None:
    header, *lines = run("translation/sample.py", "--seed", 3, "--n", 5, "--kind", kind).stdout.splitlines()
    assert header.split("\t")[:3] == ["right", "file", "line"] and len(lines) == 5
    for line in lines:
        right, file, number, form, *_ = line.split("\t")
        source = (ROOT / "lexicons" / file).read_text(encoding="utf-8").split("\n")[int(number) - 1]
        assert not right and form == source.split("\t")[0].strip("[]").split("]")[0]


def test_a_sample_depends_on_seed_and_content_alone() -> None:
    entries = list(read_entries("bilingual", ROOT / "lexicons"))
    sample = draw_sample(entries, 1, 40)
    assert draw_sample(entries[::-1], 1, 20) == sample[:20] != draw_sample(entries, 2, 20)
    changed = [entry for entry in entries if entry != sample[0]]
    assert draw_sample(changed, 1, 39) == sample[1:]


def test_a_sample_may_be_of_some_shards() -> None:
    entries = read_entries("bilingual", ROOT / "lexicons", ["food", "law"])
    assert {entry[0] for entry in entries} == {"bilingual/food.tsv", "bilingual/law.tsv"}
    with pytest.raises(SystemExit, match="no shard nowhere"):
        list(read_entries("bilingual", ROOT / "lexicons", ["nowhere"]))


def test_judgements_give_a_share_with_its_interval(tmp_path: Path) -> None:
    file, out = tmp_path / "judged.tsv", tmp_path / "out.json"
    file.write_text("right\tfile\n" + "1\tx\n" * 9 + "0\tx\n?\tx\n\tx\n", encoding="utf-8")
    assert "90.0 %" in run("translation/sample.py", "--judged", file, "--json", out).stdout
    figures = figures_of(out)
    assert (figures["judged"], figures["right"], figures["unsure"], figures["not_judged"]) == (10, 9, 1, 1)
    assert (figures["low"], figures["high"]) == wilson_interval(9, 10)
    assert round(figures["low"], 4) == 0.5958 and round(figures["high"], 4) == 0.9821


@pytest.mark.parametrize(
    ("text", "told"),
    [("right\tid\n2\tx\n", "judged.tsv:2: `right` is '2'"), ("id\nx\n", "no judged sample"), ("right\n\n", "no judgement yet")],
)
def test_a_sample_that_was_not_judged_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "judged.tsv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=told):
        count_judgements(file)


def test_all_sections_run_and_a_trial_writes_nothing(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    scorer, results = tmp_path / "scorer.py", tmp_path / "RESULTS.md"
    scorer.write_text(SCORER, encoding="utf-8")
    printed = run("run.py", "--data", data, "--scorer", scorer, "--quick", "--lexicon-size", "--results", results).stdout
    titles = ["Quality", "Coverage", "Cold start", "Warm calls", "Many queries", "Merging", "Preview", "Size of the lexicon"]
    assert [line[3:] for line in printed.splitlines() if line.startswith("== ")] == titles
    assert not results.exists()


def test_results_hold_figures_between_markers_and_no_query_and_no_path(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    scorer, results = tmp_path / "scorer.py", tmp_path / "RESULTS.md"
    scorer.write_text(SCORER, encoding="utf-8")
    results.write_text("# Mine\n\n<!-- begin quality -->\nold\n<!-- end quality -->\n\nKept.\n", encoding="utf-8")
    for _ in range(2):
        run("run.py", "--data", data, "--scorer", scorer, "--only", "quality", "--results", results)
        text = results.read_text(encoding="utf-8")
        assert text.startswith("# Mine\n\n<!-- begin quality -->\n## Quality\n") and text.endswith("<!-- end quality -->\n\nKept.\n")
        assert "| slang.share | 0.75 |\n| slang.n | 4 |" in text and "`python SCORER --data DEV`" in text and "signature `rewriter:" in text
        assert "old" not in text and "zorblaxan" not in text and str(tmp_path) not in text


def test_a_scorer_without_figures_is_told(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    scorer = tmp_path / "scorer.py"
    scorer.write_text("raise SystemExit('there is no such set')", encoding="utf-8")
    arguments = ("--data", data, "--scorer", scorer, "--only", "quality", "--results", tmp_path / "RESULTS.md")
    assert "`python SCORER --data DEV` gave no figures (exit code 1: there is no such set)" in run("run.py", *arguments, code=1).stderr


def test_only_plainly_named_numbers_of_a_scorer_are_figures() -> None:
    figures = {"a": 1, "two words": 2, "text": "cara masak", "rows": [{"name": "x", "share": 0.5}, {"query": "y", "share": 1}]}
    assert quality_tables(figures)[0].rows == (("a", "1"), ("rows.x.share", "0.5"))


def test_quality_rows_are_a_table_of_the_main_measures() -> None:
    """Sets and metrics as columns; a name of several words (it may be a query) and side measures are left out."""
    row = {"set": "urls", "metric": "right", "n": 12, "value": 0.98765, "lo": 0.9, "hi": 1.0, "target": 1.0, "floor": None, "main": True}
    figures = {"rows": [row, {**row, "main": False}, {**row, "metric": "a query of words"}]}
    table = quality_tables(figures)[0]
    assert table.headers[:3] == ("set", "measure", "n")
    assert table.rows == (("urls", "right", "12", "0.9877", "0.9", "1", "–", "1"),)
