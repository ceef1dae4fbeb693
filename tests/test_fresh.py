"""The scorer of the fresh held-out cases: what counts as right, what is recorded for good, and that it keeps the cases to itself."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.fresh import score
from benchmarks.fresh.score import (
    Judged,
    count_figures,
    holds,
    judge_follow_up,
    judge_jargon,
    judge_sense,
    make_figure,
    read_cases,
    resolve,
)
from benchmarks.run import SECTIONS
from benchmarks.shared import ROOT, as_markdown
from rewriter import Plan, Variant
from rewriter.io.lint import read_collection
from rewriter.lexicon.collection import Collection
from rewriter.model import Clarification, Option, Piece
from rewriter.pack.files import lexicons_folder

FRESH = ROOT / "benchmarks" / "fresh"
SIZES = {"senses": 150, "follow_ups": 100, "jargon": 150}
_CLEAR = {"ask": False, "any": ["ayam"], "none": ["sepatu"]}
_TOLD = {"ask": False, "any": ["qux"], "none": []}
_OPEN = {"ask": True, "any": [], "none": [], "options": [["qux"], ["quux"]]}
_SAME = {"changed": False, "any": [], "all": [], "none": ["qux"]}
TINY: dict[str, list[dict[str, Any]]] = {
    "senses": [
        {"id": "s1", "query": "zorblax resep ayam", "context": [], "kind": "clear", "expect": _CLEAR},
        {"id": "s2", "query": "zorblax harga", "context": ["beli zorblax"], "kind": "homonym", "expect": _TOLD},
        {"id": "s3", "query": "zorblax harga", "context": [], "kind": "no-context", "expect": _OPEN},
    ],
    "follow_ups": [{"id": "f1", "query": "zorblax cara menanam cabai di pot", "context": [], "language": "id", "expect": _SAME}],
    "jargon": [
        {"id": "j1", "query": "zorblax sakit kepala", "language": "id", "domain": "medicine", "any": ["qux"], "none": ["quux"]},
        {"id": "j2", "query": "zorblax yang rusak", "language": "id", "domain": "odd. domain", "any": ["qux"], "none": []},
    ],
}


def plan_of(query: str, options: Iterable[str] = (), **patterns: str | list[str]) -> Plan:
    """A plan with these variants after the literal; `options` are what it asks back."""
    texts = [
        ("literal", query),
        *[(name, text) for name, found in patterns.items() for text in ([found] if isinstance(found, str) else found)],
    ]
    variants = tuple([Variant(name, "id", (Piece(text, (), "insert", "test"),)) for name, text in texts])
    asked = Clarification("Maksudnya?", "id", tuple([Option("x.y", label, query) for label in options])) if options else None
    return Plan(query, None, "id", "other", variants, asked, (), (), "rewriter:test")


def sense(query: str, *, kind: str = "homonym", **expect: Any) -> dict[str, Any]:
    return {"query": query, "kind": kind, "expect": {"ask": False, "any": [], "none": [], **expect}}


def follow_up(query: str, **expect: Any) -> dict[str, Any]:
    return {"query": query, "language": "id", "expect": {"any": [], "all": [], "none": [], **expect}}


def run(*arguments: object, script: str = "fresh/score.py", code: int = 0) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own."""
    command = [sys.executable, str(ROOT / "benchmarks" / script), *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"}, timeout=300, check=False
    )
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """A folder of the three files, with a few cases whose queries share an invented word."""
    folder = tmp_path / "cases"
    folder.mkdir()
    for name, records in TINY.items():
        (folder / f"{name}.jsonl").write_text("".join([json.dumps(record) + "\n" for record in records]), encoding="utf-8")
    return folder


def test_doctests_hold() -> None:
    assert doctest.testmod(score).failed == 0


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("jaguar", "harga Jaguar", True), ("jaguar", "harga jaguarnya", True), ("box", "two boxes", True), ("story", "short stories", True),
        ("c++", "belajar C++ cepat", True), ("c", "belajar c++", True), ("anak", "anak-anak", True), ("ikan", "ikatan", False),
        ("tren", "trending", False), ("a", "as", False), ("5s", "5ss", False), ("ai", "air", False),
        ("mobil listrik", "mobil-listrik", False),
    ],
)  # fmt: skip
def test_a_term_is_found_at_word_boundaries_with_a_regular_ending(term: str, text: str, found: bool) -> None:
    assert holds([term], text) == found


def test_the_rule_to_the_letter_takes_no_ending() -> None:
    assert [holds(["box"], text, endings=False) for text in ("a BOX.", "boxes")] == [True, False]


def test_resolved_is_the_disambiguation_else_the_literal_and_nothing_where_the_plan_asks() -> None:
    assert resolve(plan_of("bank", disambiguation="bank sungai", english="river bank")) == "bank sungai"
    assert resolve(plan_of("bank", english="bank")) == "bank"
    assert resolve(plan_of("bank", disambiguation=["bank sungai", "bank uang"])) == "bank"
    assert resolve(plan_of("bank", ["sungai", "uang"], disambiguation=["bank sungai", "bank uang"])) is None


@pytest.mark.parametrize(
    ("plan", "right", "guessed", "passed"),
    [
        (plan_of("bank"), False, False, False),
        (plan_of("bank", disambiguation="bank sungai"), True, False, True),
        (plan_of("bank", disambiguation="bank sungainya"), True, False, False),
        (plan_of("bank", disambiguation="bank uang"), False, True, False),
        (plan_of("bank", disambiguation="bank sungai uang"), False, True, False),
        (plan_of("bank", disambiguation="bank data"), False, True, False),
        (plan_of("bank", ["sungai", "uang"], disambiguation=["bank sungai", "bank uang"]), False, False, False),
        (plan_of("bank", english="money bank uang"), False, False, False),
    ],
)
def test_a_sense_is_right_with_its_words_and_without_those_of_others(plan: Plan, right: bool, guessed: bool, passed: bool) -> None:
    verdicts = judge_sense(sense("bank", any=["sungai"], none=["uang"]), plan)
    assert (verdicts["sense_acc"], verdicts["wrong_guess"], verdicts["passed"]) == (right, guessed, passed)
    assert verdicts["as_typed"] is False


def test_a_word_that_the_query_has_already_counts_unless_to_the_letter() -> None:
    verdicts = judge_sense(sense("bank sungai", any=["sungai"]), plan_of("bank sungai", disambiguation="tepi kali"))
    assert (verdicts["sense_acc"], verdicts["passed"], verdicts["as_typed"]) == (True, False, True)


def test_where_a_question_is_expected_one_sense_taken_is_a_wrong_guess() -> None:
    case = sense("bank", ask=True, kind="no-context", options=[["sungai"], ["uang", "duit"]])
    assert judge_sense(case, plan_of("bank")) == {"ask_recall": False, "wrong_guess": False, "passed": False}
    assert judge_sense(case, plan_of("bank", disambiguation="bank uang")) == {"ask_recall": False, "wrong_guess": True, "passed": False}
    right = {"ask_recall": True, "wrong_guess": False, "ask_precision": True}
    assert judge_sense(case, plan_of("bank", ["tepi sungai", "tempat uang"])) == {**right, "passed": True}
    assert judge_sense(case, plan_of("bank", ["tempat uang", "simpan duit"])) == {**right, "passed": False}


def test_a_clear_query_is_polluted_by_any_variant() -> None:
    case = sense("kursi kayu", kind="clear", any=["kursi"], none=["jabatan"])
    assert judge_sense(case, plan_of("kursi kayu", english="wooden chair"))["pollution"] is False
    assert judge_sense(case, plan_of("kursi kayu", synonym="jabatan kayu"))["pollution"] is True


def figures_of(*judged: tuple[Mapping[str, Any], Plan]) -> dict[str, Any]:
    return count_figures("senses", [Judged(case, plan, judge_sense(case, plan)) for case, plan in judged])


def test_questions_are_told_by_recall_precision_and_f1() -> None:
    expected, other = sense("bank", ask=True, options=[]), sense("bisa", any=["racun"])
    asked, silent = plan_of("bank", ["sungai", "uang"]), plan_of("bank")
    figures = figures_of((expected, asked), (expected, silent), (expected, silent), (other, asked))
    told = {name: (figure["right"], figure["n"], figure["value"]) for name, figure in figures.items() if name.startswith("senses.ask")}
    assert told == {"senses.ask_recall": (1, 3, 0.3333), "senses.ask_precision": (1, 2, 0.5), "senses.ask_f1": (2, 5, 0.4)}
    assert figures["senses.ask_f1"]["low"] is None and figures["senses.wrong_guess"]["n"] == 4


def test_precision_without_a_question_has_no_value() -> None:
    figures = figures_of((sense("bank", any=["uang"]), plan_of("bank")))
    assert figures["senses.ask_precision"] == make_figure(0, 0) == {"right": 0, "n": 0, "value": None, "low": None, "high": None}


def test_a_pair_is_right_when_both_cases_are() -> None:
    river, money = sense("bank", any=["sungai"]), sense("Bank", any=["uang"])
    to_river, to_money = plan_of("bank", disambiguation="bank sungai"), plan_of("bank", disambiguation="bank uang")
    assert figures_of((river, to_river), (money, to_money))["senses.pair_acc"]["value"] == 1
    figures = figures_of((river, to_river), (money, to_river), (sense("kali"), plan_of("kali")))
    assert (figures["senses.pair_acc"]["right"], figures["senses.pair_acc"]["n"]) == (0, 1)
    assert figures["senses.kind=homonym.sense_acc"]["n"] == 3


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (plan_of("harganya"), (False, False, False, False, False)),
        (plan_of("harganya", english="price of the laptop asus"), (False, False, False, False, False)),
        (plan_of("harganya", disambiguation="harga laptop asus"), (True, True, True, True, True)),
        (plan_of("harganya", disambiguation="harga laptop"), (True, True, False, True, False)),
        (plan_of("harganya", disambiguation="harga laptop asus atau hp"), (True, True, True, False, False)),
        (plan_of("harganya", disambiguation="harga nya!"), (False, False, False, True, False)),
        (plan_of("harganya", ["a", "b"], disambiguation=["harga laptop asus", "harga hp"]), (False, False, False, False, False)),
    ],
)
def test_a_follow_up_takes_over_what_was_meant_and_nothing_else(plan: Plan, expected: tuple[bool, ...]) -> None:
    case = follow_up("harganya", changed=True, any=["laptop", "notebook"], all=["asus"], none=["hp"])
    verdicts = judge_follow_up(case, plan)
    assert tuple([verdicts[name] for name in ("changed_as_expected", "any", "all", "none", "total")]) == expected
    assert verdicts["passed"] == verdicts["total"] and "needless_edit" not in verdicts


@pytest.mark.parametrize(
    ("plan", "needless", "total"),
    [
        (plan_of("resep soto"), False, True),
        (plan_of("resep soto", disambiguation="Resep, soto?"), False, True),
        (plan_of("resep soto", disambiguation="resep soto laptop"), True, False),
        (plan_of("resep soto", ["a", "b"]), True, False),
    ],
)
def test_a_new_topic_is_left_alone(plan: Plan, needless: bool, total: bool) -> None:
    verdicts = judge_follow_up(follow_up("resep soto", changed=False, none=["laptop"]), plan)
    assert (verdicts["needless_edit"], verdicts["changed_as_expected"], verdicts["total"]) == (needless, not needless, total)
    assert not verdicts.keys() & {"any", "all"} and verdicts["as_typed"]


def test_jargon_is_hit_in_the_synonym_variant_and_wrong_in_any_but_the_literal() -> None:
    case = {"query": "sakit maag", "any": ["gastritis"], "none": ["kanker", "maag"]}
    assert judge_jargon(case, plan_of("sakit maag", english="gastritis")) == {"hit": False, "wrong": False, "passed": False}
    assert judge_jargon(case, plan_of("sakit maag", synonym="gastritis")) == {"hit": True, "wrong": False, "passed": True}
    assert judge_jargon(case, plan_of("sakit maag", synonym="gastritis", english="kanker")) == {"hit": True, "wrong": True, "passed": True}
    assert judge_jargon(case, plan_of("sakit maag", synonym="gastritis kanker")) == {"hit": True, "wrong": True, "passed": False}


def test_no_text_of_a_case_is_printed_or_written(cases: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    printed = run("--cases", cases, "--json", out).stdout
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert not [word for word in ("zorblax", "qux", str(cases)) if word in printed + out.read_text(encoding="utf-8")]
    assert figures["first"] == {} and figures["signature"].startswith("rewriter:") and not (cases / "figures.json").exists()
    current = figures["current"]
    assert current["senses.sense_acc"] == make_figure(1, 2) and current["senses.ask_recall"] == make_figure(0, 1)
    assert current["follow_ups.total"] == make_figure(1, 1) and current["jargon.hit"] == make_figure(0, 2)
    assert current["jargon.domain=odd. domain.hit"] == make_figure(0, 1) and "senses.kind=clear.pollution" in current
    assert "sense_acc      2  50.0 %  9.4 to 90.5 %" in printed and "odd. domain  0/1" in printed


def test_only_the_sets_asked_for_are_scored_and_failed_cases_shown_on_demand(cases: Path) -> None:
    printed = run("jargon", "--show", 1, "--cases", cases).stdout
    assert "j1 [hit, passed] zorblax sakit kepala →" in printed and "j2" not in printed
    assert "senses" not in printed and "follow_ups" not in printed


def test_first_figures_stay_and_current_ones_follow(cases: Path, tmp_path: Path) -> None:
    book, out = cases / "figures.json", tmp_path / "out.json"
    run("jargon", "--record", "before", "--cases", cases)
    before = json.loads(book.read_text(encoding="utf-8"))
    assert before["first"] == before["current"] and before["first"]["jargon.hit"]["name"] == "before"
    assert before["first"]["jargon.hit"].keys() == {"right", "n", "value", "low", "high", "name", "date", "signature", "cases"}
    before["first"]["jargon.hit"]["value"] = before["first"]["jargon.hit"]["high"] = 0.125
    book.write_text(json.dumps(before), encoding="utf-8")
    run("--record", "after", "--cases", cases, "--json", out)
    after = json.loads(book.read_text(encoding="utf-8"))
    assert {key: after["first"][key] for key in before["first"]} == before["first"]
    assert after["first"]["senses.sense_acc"]["name"] == "after" and {entry["name"] for entry in after["current"].values()} == {"after"}
    assert "senses.ask_precision" not in after["first"] and "senses.ask_precision" in after["current"]
    [section] = [section for section in SECTIONS if section.name == "fresh"]
    text = "\n\n".join(map(as_markdown, section.make_tables(json.loads(out.read_text(encoding="utf-8")))))
    assert "| measure | n | first | 95 % (Wilson) | current | 95 % (Wilson) |" in text
    assert (
        "| hit | 2 | 12.5 % | 0.0 to 12.5 % | 0.0 % |" in text and "jargon; first: before, " in text and "| medicine | 0/1 → 0/1 |" in text
    )
    assert "zorblax" not in text


def test_figures_of_other_cases_are_not_recorded_beside_the_first(cases: Path) -> None:
    run("jargon", "--record", "before", "--cases", cases)
    recorded = (cases / "figures.json").read_bytes()
    with (cases / "jargon.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    told = run("--record", "after", "--cases", cases, code=1).stderr
    assert "The cases of jargon are not those of the first record" in told and (cases / "figures.json").read_bytes() == recorded


def test_what_cannot_be_scored_is_told_by_its_place_alone(cases: Path, tmp_path: Path) -> None:
    assert "there is no set sences; give some of senses, follow_ups, jargon" in run("sences", code=2).stderr
    with pytest.raises(SystemExit, match=r"none\.jsonl cannot be read"):
        read_cases(tmp_path / "none.jsonl", ("id",))
    (cases / "senses.jsonl").write_text('{"id": 1, "query": "zorblax"}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"senses\.jsonl:1: this line is no case with `kind`;"):
        read_cases(cases / "senses.jsonl", ("id", "query", "kind"))
    (cases / "figures.json").write_text("{}", encoding="utf-8")
    assert "is no record with `first` and `current`" in run("jargon", "--cases", cases, code=1).stderr


def test_held_out_cases_run_with_the_benchmarks_only_when_asked_for(tmp_path: Path) -> None:
    queries, results = tmp_path / "data", tmp_path / "RESULTS.md"
    queries.mkdir()
    run("--data", queries, "--only", "fresh", "--results", results, script="run.py")
    text = results.read_text(encoding="utf-8")
    assert text.count("<!-- begin ") == 1 and "## Fresh held-out cases" in text and "`python benchmarks/fresh/score.py`" in text
    assert not [case["id"] for case in shipped_cases() if case["id"] in text or (" " in case["query"] and case["query"] in text)]


def shipped_cases() -> list[Mapping[str, Any]]:
    return [case for name, parts in score.SETS.items() for case in read_cases(FRESH / f"{name}.jsonl", parts.fields)]


def test_the_cases_are_all_there_and_each_has_its_own_id() -> None:
    assert {name: len(read_cases(FRESH / f"{name}.jsonl", parts.fields)) for name, parts in score.SETS.items()} == SIZES
    assert len({case["id"] for case in shipped_cases()}) == sum(SIZES.values())


Said = tuple[str, tuple[str, ...]]


def said_in(record: Any) -> Said:
    """Query and turns of a case or an example, without case, spaces and punctuation."""
    if not isinstance(record, Mapping):
        return score.squash(str(record)), ()
    turns = record.get("context") or ()
    texts = [turn["content"] if isinstance(turn, Mapping) else turn for turn in ([turns] if isinstance(turns, str) else turns)]
    return score.squash(str(record.get("query", ""))), tuple([score.squash(str(text)) for text in texts])


def find_copies(collection: Collection, cases: Iterable[Mapping[str, Any]]) -> list[str]:
    """Places of entries one of whose `examples` is a held-out case, with the case's id and not its text."""
    ids = {said_in(case): case["id"] for case in cases}
    found = [(item, ids.get(said_in(example))) for item in collection.items for example in as_list(item.fields.get("examples"))]
    return [f"{item.file}:{item.line}: an example is the held-out case {copied}; write another" for item, copied in found if copied]


def as_list(examples: Any) -> list[Any]:
    """`examples` as a list: one alone may be written without brackets."""
    return examples if isinstance(examples, list) else [] if examples is None else [examples]


def test_no_example_of_the_lexicons_is_a_held_out_case() -> None:
    assert find_copies(read_collection([lexicons_folder()]), shipped_cases()) == []


def test_a_copied_example_is_found_whatever_its_case_and_punctuation(tmp_path: Path) -> None:
    lexicon = """
[bisa.racun]
forms = ["bisa"]
examples = [
  {query = "obat bisa", context = ["gigitan ular"], sense = "bisa.racun"},
  {query = "%s", context = [%s], sense = "bisa.racun"},
]
"""
    (tmp_path / "a.toml").write_text(lexicon % ("Zorblax harga?", '{role = "user", content = "Beli zorblax!"}'), encoding="utf-8")
    [told] = find_copies(read_collection([tmp_path]), TINY["senses"])
    assert told.endswith("a.toml:2: an example is the held-out case s2; write another")
    (tmp_path / "a.toml").write_text(lexicon % ("zorblax harga", '"jual zorblax"'), encoding="utf-8")
    assert find_copies(read_collection([tmp_path]), TINY["senses"]) == []
