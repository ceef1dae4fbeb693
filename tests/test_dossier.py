"""Dossiers: what is kept of a search, how it grows on disk, and the page that says what to inspect first."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import rewriter
from rewriter import Plan, Result, Turn, merge, rewrite
from rewriter.cli import app
from rewriter.dossier.contributions import list_contributions
from rewriter.dossier.diff import compare
from rewriter.dossier.entry import Dossier, make_dossier, read_dossier
from rewriter.dossier.findings import FINDINGS, inspect
from rewriter.dossier.html import as_html
from rewriter.dossier.markdown import as_markdown, escape
from rewriter.dossier.page import write_page
from rewriter.errors import InputError
from rewriter.io.dossier import append_dossier, pick_dossier, read_dossiers
from rewriter.io.results import parse_results

ROOT = Path(rewriter.__file__).parents[1]
CHAT = ["lagi bikin poster produk pakai AI"]
HOSTILE = "<script>alert(1)</script> | [x](javascript:alert(1)) ![i](http://t.id/p.png) \x1b[31m\u202e & &lt; `code`\n# h"


@pytest.fixture(scope="module")
def plan(resources: rewriter.Resources) -> Plan:
    return rewrite("harga nano banana", CHAT, resources=resources)


@pytest.fixture
def dossier(plan: Plan) -> Dossier:
    """Each variant finds a page of its own and one that all find."""
    results = {text: [f"https://{n}.id/", "https://all.id/"] for n, text in enumerate(plan.queries)}
    return make_dossier(plan, results, context=CHAT, times={"searched_at": "2026-11-30T10:00:00+07:00", "seconds": 2.5})


def codes_of(dossier: Dossier) -> list[str]:
    return [finding.code for finding in inspect(dossier)]


# --- the record -----------------------------------------------------------------------------------------------------------


def test_a_dossier_holds_plan_turns_results_union_and_times(dossier: Dossier, plan: Plan) -> None:
    assert (dossier.plan, dossier.context) == (plan, (Turn("user", CHAT[0]),))
    assert list(dossier.merged) == merge({label: list(rows) for label, rows in dossier.results.items()})
    assert dossier.times == {"searched_at": "2026-11-30T10:00:00+07:00", "seconds": 2.5}


def test_only_turns_that_are_read_are_context_used(plan: Plan) -> None:
    turns = [Turn("system", "obey"), Turn("user", "satu"), Turn("user", plan.query)]
    assert make_dossier(plan, {}, context=turns).context == (Turn("user", "satu"),)


TEXTS = st.text(st.characters(), max_size=20)
JSON_VALUES = st.recursive(st.none() | st.booleans() | st.integers() | TEXTS, lambda inner: st.lists(inner, max_size=2), max_leaves=4)
RESULTS = st.builds(Result, TEXTS, TEXTS, TEXTS, st.dictionaries(TEXTS, JSON_VALUES, max_size=2))
LISTS = st.dictionaries(TEXTS, st.lists(RESULTS, max_size=4), max_size=4)


@settings(deadline=None)
@given(LISTS, st.dictionaries(TEXTS, TEXTS, max_size=2), st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=2))
def test_a_dossier_goes_to_json_and_back(plan: Plan, results: Any, failures: Any, times: Any) -> None:
    dossier = make_dossier(plan, results, context=CHAT, failures=failures, times=times)
    line = dossier.to_json()
    assert line.isascii() and "\n" not in line
    assert read_dossier(json.loads(line)) == dossier


@settings(deadline=None)
@given(LISTS)
def test_no_text_makes_a_page_fail_and_every_row_is_told(plan: Plan, results: Any) -> None:
    dossier = make_dossier(plan, results)
    blocks = write_page(dossier)
    assert as_html(blocks).endswith("</html>\n") and as_markdown(blocks).startswith("# Dossier")
    assert sum(c.rows for c in list_contributions(dossier)) == sum(map(len, results.values()))
    assert sum(len(p.sources) for p in dossier.merged) == sum(map(len, results.values()))


def test_what_json_has_no_form_for_is_told(plan: Plan) -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        make_dossier(plan, {"kopi": [Result("x", extra={"a": object()})]}).to_json()
    with pytest.raises(TypeError, match="needs a Plan, not a str"):
        make_dossier("kopi", {})  # type: ignore[arg-type]


@pytest.mark.parametrize(("change", "message"), [
    (lambda d: d.pop("plan"), "no object with a plan"),
    (lambda d: d.update(dossier=2), "format 2, and this version reads 1"),
    (lambda d: d.pop("merged"), "lacks the field 'merged'"),
    (lambda d: d.update(results=[]), "field of a wrong shape"),
    (lambda d: d["merged"][0].pop("sources"), "lacks the field 'sources'"),
    (lambda d: d["plan"].pop("trail"), "lacks the field 'trail'"),
])  # fmt: skip
def test_data_that_is_no_dossier_is_refused(dossier: Dossier, change: Any, message: str) -> None:
    data = json.loads(dossier.to_json())
    change(data)
    with pytest.raises(rewriter.RewriterError, match=message):
        read_dossier(data)


# --- what each search brought ------------------------------------------------------------------------------------------------


def test_a_page_that_two_searches_found_is_nobodys_own(dossier: Dossier, plan: Plan) -> None:
    rows = list_contributions(dossier)
    assert [c.label for c in rows] == list(plan.queries)
    assert [[p.url for p in c.alone] for c in rows] == [[f"https://{n}.id/"] for n in range(len(rows))]
    assert {(c.rows, c.pages, c.early) for c in rows} == {(2, 2, 1)}


# --- what to inspect first -----------------------------------------------------------------------------------------------------


def test_a_sound_search_has_no_finding(dossier: Dossier) -> None:
    assert codes_of(dossier) == []


def test_a_failed_search_comes_first(plan: Plan) -> None:
    found: dict[str, list[str]] = {text: [] for text in plan.queries[1:]}
    codes = codes_of(make_dossier(plan, found, failures={plan.queries[0]: "timeout"}))
    assert codes[0] == "search-failed" and "found-nothing" in codes and "not-searched" not in codes


def test_a_variant_that_was_not_searched_and_a_search_that_was_not_planned_are_told(plan: Plan) -> None:
    codes = codes_of(make_dossier(plan, {plan.queries[0]: ["a"], "salah": ["b"]}))
    assert codes.count("not-searched") == len(plan.queries) - 1 and codes.count("not-planned") == 1


def test_an_unanswered_question_is_told(resources: rewriter.Resources) -> None:
    for policy in (rewriter.Policy(), rewriter.Policy(ask=False)):
        asked = rewrite("nano banana", resources=resources, policy=policy)
        assert codes_of(make_dossier(asked, {text: ["a"] for text in asked.queries}))[0] == "meaning-open"


def test_a_meaning_taken_by_a_narrow_lead_or_without_a_cue_is_told(plan: Plan) -> None:
    data = plan.to_dict()
    for score, cues, code in ((30, ["ai"], "sense-by-a-narrow-lead"), (300, [], "sense-without-cue")):
        data["mentions"][0]["candidates"][0] |= {"score": score, "cues": cues}
        changed = Plan.from_dict(data)
        assert codes_of(make_dossier(changed, {text: ["a", "b"] for text in changed.queries}))[0] == code


def test_a_variant_whose_pages_nobody_else_found_may_have_drifted(plan: Plan) -> None:
    same = [f"https://{n}.id" for n in range(5)]
    results = dict.fromkeys(plan.queries, same) | {plan.queries[2]: [f"https://x{n}.id" for n in range(5)]}
    codes = codes_of(make_dossier(plan, results))
    assert codes.count("drift") == 1 and codes.count("brought-nothing") == len(plan.queries) - 2


def test_a_fold_under_two_titles_is_told(plan: Plan) -> None:
    rows = [Result("https://a.id", "Kopi"), Result("https://www.a.id", "Teh"), Result("https://b.id", "X"), Result("https://b.id/", " x ")]
    assert codes_of(make_dossier(plan, dict.fromkeys(plan.queries, rows))).count("fold-of-two-titles") == 1


def test_every_rule_says_what_it_looks_for() -> None:
    assert all(rule.__doc__ for rule in FINDINGS)


# --- pages ---------------------------------------------------------------------------------------------------------------------


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


KNOWN_TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "table", "tr", "th", "td", "p", "a", "small"}


def hostile_dossier(plan: Plan) -> Dossier:
    data = plan.to_dict() | {"query": HOSTILE, "query_id": HOSTILE}
    rows = [Result("javascript:alert(1)", HOSTILE, HOSTILE), Result('https://a.id/"><img src=x>', HOSTILE), Result(HOSTILE)]
    return make_dossier(Plan.from_dict(data), {HOSTILE: rows}, context=[HOSTILE], failures={HOSTILE: HOSTILE}, times={HOSTILE: HOSTILE})


def test_html_loads_nothing_runs_nothing_and_links_only_to_the_web(plan: Plan) -> None:
    page = as_html(write_page(hostile_dossier(plan)))
    parsed = _Tags()
    parsed.feed(page)
    assert {tag for tag, _ in parsed.tags} <= KNOWN_TAGS
    assert all(not name.startswith("on") and name not in ("src", "style") for _, attributes in parsed.tags for name in attributes)
    links = [attributes["href"] for tag, attributes in parsed.tags if tag == "a"]
    assert links and all(str(link).startswith("https://") for link in links)
    assert "default-src 'none'" in page.replace("&#x27;", "'") and "\x1b" not in page and "\u202e" not in page


def test_markdown_of_hostile_text_is_text(plan: Plan) -> None:
    page = as_markdown(write_page(hostile_dossier(plan)))
    assert not re.search(r"(?<!\\)<(?!br>)", page) and not re.search(r"(?<!\\)\[", page) and "\x1b" not in page
    tables = [line for line in page.split("\n") if line.startswith("|")]
    inner = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    assert tables and all(count in (3, 4, 5, 6, 8) for count in inner)


@given(st.text(st.characters(), max_size=60))
def test_escaped_text_is_one_line_that_opens_nothing(text: str) -> None:
    line = escape(text)
    assert "\n" not in line and not re.search(r"(?<!\\)(?:\\\\)*[`*\[\]<>|~]", line)


def test_a_page_says_all_that_an_audit_asks(dossier: Dossier, plan: Plan) -> None:
    page = as_markdown(write_page(dossier))
    wanted = [plan.query, CHAT[0], "nano-banana.image-model", "chosen", "poster", *plan.queries, "no lexicon entry fits", "https://all.id/"]
    wanted += ["Nothing looks wrong.", "2026-11-30T10:00:00+07:00", "found by it alone", plan.signature.replace("|", r"\|")]
    assert [text for text in wanted if text not in page] == []
    assert page.index("Inspect first") < page.index("Query and context")


# --- comparing -----------------------------------------------------------------------------------------------------------------


def test_a_dossier_equals_itself(dossier: Dossier) -> None:
    assert compare(dossier, dossier) == []


def test_causes_come_before_effects(dossier: Dossier, resources: rewriter.Resources) -> None:
    bare = rewrite(dossier.plan.query, resources=resources)
    changes = compare(dossier, make_dossier(bare, {text: ["https://all.id/"] for text in bare.queries}))
    abouts = [change.about for change in changes]
    order = ["turn 1", "meaning of nano banana", "question", "search disambiguation", "no search english", "page https://0.id/"]
    assert [about for about in abouts if about in order] == order
    assert [c.after for c in changes if c.about == "page https://0.id/"] == [""] and "page https://all.id/" not in abouts


def test_a_changed_signature_names_the_part(dossier: Dossier) -> None:
    data = json.loads(dossier.to_json())
    data["plan"]["signature"] = re.sub(r"lex:\w+", "lex:0", data["plan"]["signature"])
    (change,) = compare(dossier, read_dossier(data))
    assert (change.about, change.after) == ("signature lex", "0")


# --- files ---------------------------------------------------------------------------------------------------------------------


def test_a_file_grows_by_whole_lines(dossier: Dossier, tmp_path: Path) -> None:
    file = tmp_path / "new" / "d.jsonl"
    for _ in range(3):
        append_dossier(file, dossier)
    assert list(read_dossiers(file)) == [dossier] * 3


def test_a_torn_line_costs_itself_alone(dossier: Dossier, tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl"
    append_dossier(file, dossier)
    with file.open("ab") as handle:
        handle.write(b'{"dossier":1,"pl')
    append_dossier(file, dossier)
    first, torn, last = read_dossiers(file)
    assert first == last == dossier and isinstance(torn, InputError) and "d.jsonl:2: this is no JSON" in str(torn)
    assert pick_dossier(file) == pick_dossier(file, 1) == pick_dossier(file, query=dossier.plan.query) == dossier
    with pytest.raises(InputError, match=r"d\.jsonl:2: this is no JSON"):
        pick_dossier(file, 2)


WRITER = """
import sys
from rewriter.io.dossier import append_dossier, pick_dossier
dossier = pick_dossier(sys.argv[1])
for _ in range(20):
    append_dossier(sys.argv[2], dossier)
"""


def test_several_writers_do_not_mix_their_lines(plan: Plan, tmp_path: Path) -> None:
    big = make_dossier(plan, {"kopi": [Result(f"https://a.id/{n}", "x" * 200) for n in range(500)]})
    source, file = tmp_path / "source.jsonl", tmp_path / "d.jsonl"
    append_dossier(source, big)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WRITER, str(source), str(file)]
    writers = [subprocess.Popen(command, env=environment) for _ in range(3)]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    assert list(read_dossiers(file)) == [big] * 60


def test_a_full_disk_leaves_the_file_as_it_was(dossier: Dossier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "d.jsonl"
    append_dossier(file, dossier)
    before = file.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        append_dossier(file, dossier)
    assert file.read_bytes() == before


@pytest.mark.parametrize(("options", "message"), [
    ({"at": 3}, "no dossier number 3: it has 2"), ({"at": 0}, "no dossier number 0"), ({"query": "x"}, "it has no dossier of 'x'"),
])  # fmt: skip
def test_a_dossier_that_is_not_there_is_told(dossier: Dossier, tmp_path: Path, options: Any, message: str) -> None:
    file = tmp_path / "d.jsonl"
    append_dossier(file, dossier)
    append_dossier(file, dossier)
    with pytest.raises(InputError, match=message):
        pick_dossier(file, **options)


# --- results from files ----------------------------------------------------------------------------------------------------------


def test_ranks_order_the_results_of_each_variant() -> None:
    lines = [{"variant": v, "rank": r, "url": u} for v, r, u in [("a", 3, "z"), ("b", 1, "y"), ("a", 1, "x")]]
    assert parse_results("\n".join(map(json.dumps, lines)), "f") == {"a": [{"url": "x"}, {"url": "z"}], "b": [{"url": "y"}]}


@pytest.mark.parametrize(("text", "message"), [
    ("nonsense", "f:1: this is no JSON"),
    ('{"variant": "a", "url": "x"}\n\n[1]', "f:3: a result is an object with variant and url, not"),
    ('{"url": "x"}', "f:1: the result has null as its variant"),
    ('{"variant": "a"}', "f:1: the result has null as its url; give a string"),
    ('{"variant": "a", "url": "x", "title": 5}', "f:1: the result has 5 as its title"),
    ('{"variant": "a", "url": "x", "rank": 0}', "f:1: the result has 0 as its rank"),
    ('{"variant": "a", "url": "x", "rank": true}', "f:1: the result has true as its rank"),
    ('{"variant": "a", "url": "x", "rank": 1}\n{"variant": "a", "url": "y"}', "f:2: some results of 'a' have a rank and some have none"),
    ('{"variant": "a", "url": "x", "extra": [1]}', "f:1: the result has \\[1\\] as its extra"),
    ('{"a": ["x", 5]}', "f, result 2 of 'a': a result is a URL or an object with url, not 5"),
])  # fmt: skip
def test_a_wrong_result_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_results(text, "f")


def test_no_line_is_no_result() -> None:
    assert parse_results("\n \n", "f") == {}


# --- the command line --------------------------------------------------------------------------------------------------------------


def run_app(arguments: list[str], given: str = "") -> tuple[int, str]:
    outcome = CliRunner().invoke(app, arguments, input=given)
    return outcome.exit_code, outcome.stdout


def test_merge_prints_where_a_page_was_found_and_what_was_folded() -> None:
    rows = json.dumps({"kopi": [{"url": "http://www.a.id/", "title": "A"}, "https://b.id"], "coffee": ["https://a.id"]})
    assert run_app(["merge", "-"], rows) == (
        0,
        "1\thttps://a.id\tA\tcoffee (1); kopi (1)\thttp://www.a.id/\n2\thttps://b.id\t\tkopi (2)\t\n",
    )
    code, out = run_app(["merge", "-", "--json", "--limit", "1"], rows)
    (page,) = [json.loads(line) for line in out.splitlines()]
    assert (code, page["folded"], [s["rank"] for s in page["sources"]]) == (0, ["http://www.a.id/"], [1, 1])


def test_commands_write_list_show_and_compare(plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.json").write_text(plan.to_json(), encoding="utf-8")
    Path("results.json").write_text(json.dumps({text: ["https://a.id/", f"https://{n}.id"] for n, text in enumerate(plan.queries)}))
    write = ["dossier", "write", "d.jsonl", "--plan", "plan.json", "--results", "results.json", "-c", CHAT[0], "--time", "at=a=b"]
    assert run_app(write)[0] == run_app(write)[0] == 0
    assert run_app(["dossier", "list", "d.jsonl"]) == (0, "".join(f"{n}\tat=a=b\t{plan.query}\t4\t5\t\n" for n in (1, 2)))
    code, page = run_app(["dossier", "show", "d.jsonl"])
    assert code == 0 and page == as_markdown(write_page(pick_dossier("d.jsonl"))) and "a=b" in page
    assert run_app(["dossier", "show", "d.jsonl", "--html", "-o", "d.html"])[0] == 0
    assert Path("d.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run_app(["dossier", "show", "d.jsonl", "--json"])[1] == Path("d.jsonl").read_text(encoding="utf-8").splitlines(True)[1]
    assert run_app(["dossier", "diff", "d.jsonl"])[0] == 0
    assert run_app([*write, "-c", "kopi"])[0] == 0
    code, out = run_app(["dossier", "diff", "d.jsonl"])
    assert (code, out) == (1, "turn 2\t–\tuser: kopi\n")
    code, out = run_app(["dossier", "diff", "d.jsonl", "d.jsonl", "--old-at", "1", "--new-at", "3", "--json"])
    assert (code, json.loads(out)) == (1, {"about": "turn 2", "before": "", "after": "user: kopi"})
