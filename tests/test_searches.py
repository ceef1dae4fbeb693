"""`rewriter search`: a command for each variant, without a shell, bounded; what fails is told and the rest goes on."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text

import rewriter
from rewriter import InputError, Result, Variant, merge, rewrite
from rewriter.io.dossier import pick_dossier, read_dossiers
from rewriter.io.searches import Limits, fill_command, parse_output, read_command, run_searches
from rewriter.model import Piece

ROOT = Path(rewriter.__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
QUERY = "cara hapus akun instagram"
PYTHON = shlex.quote(sys.executable)

ENGINE = """\
import json, sys, time
query = sys.argv[1] if len(sys.argv) > 1 else sys.stdin.readline().rstrip("\\n")
if query.startswith("how"):
    if MODE == "fail":
        sys.exit("boom: no quota")
    if MODE == "slow":
        time.sleep(60)
    if MODE == "endless":
        while True:
            print("x" * 1000)
    if MODE == "noise":
        print("Searching...")
for url in ("https://a.id/x?utm_source=z", "http://www.a.id/x", "https://b.id/" + str(len(query))):
    print(json.dumps({"url": url, "title": "T " + query, "snippet": "s", "engine": "mine"}))
"""


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """A command that searches, as a person would write it; `engine.replace("ok", …)` lets the english variant fail."""
    for mode in ("ok", "fail", "slow", "endless", "noise"):
        (tmp_path / f"{mode}.py").write_text(f"MODE = {mode!r}\n{ENGINE}", encoding="utf-8")
    return f"{PYTHON} {shlex.quote(str(tmp_path))}/ok.py {{query}}"


def search(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rewriter", "search", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=ENVIRONMENT, cwd=folder, timeout=120, check=False)


def variant(text: str, language: str = "id", pattern: str = "literal") -> Variant:
    return Variant(pattern, language, (Piece(text, (), "copy", "test"),))


# The whole in one command


def test_every_variant_is_searched_merged_and_kept(engine: str, tmp_path: Path) -> None:
    done = search(tmp_path, QUERY, "--with", engine)
    plan = rewrite(QUERY)
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == [str(n) for n in range(1, len(rows) + 1)]
    assert rows[0][1] == "https://a.id/x?utm_source=z"
    assert sorted(rows[0][3].split("; ")) == sorted(plan.queries)
    assert done.stderr == f"rewriter: 3 of 3 searches, 9 results, {len(rows)} pages, kept in dossier.jsonl.\n"
    kept = pick_dossier(tmp_path / "dossier.jsonl")
    assert kept.plan == plan
    assert set(kept.results) == set(plan.queries)
    assert list(kept.merged) == merge(kept.results)
    assert kept.merged[0].extra == {"engine": "mine"}
    assert set(kept.times) == {"searched_at", "seconds"}


def test_a_second_search_is_another_line_and_the_context_is_kept(engine: str, tmp_path: Path) -> None:
    (tmp_path / "turns.json").write_text('["aku main gitar"]', encoding="utf-8")
    options = ["--context-file", "turns.json", "-c", "harga gitar", "--dossier", "d/k.jsonl"]
    for _ in range(2):
        done = search(tmp_path, "yang murah", "--with", engine, *options)
        assert done.returncode == 0, done.stderr
    first, second = read_dossiers(tmp_path / "d" / "k.jsonl")
    assert not isinstance(first, InputError) and not isinstance(second, InputError)
    assert [turn.content for turn in first.context] == ["aku main gitar", "harga gitar"]
    assert first.plan == second.plan == rewrite("yang murah", ["aku main gitar", "harga gitar"])


def test_json_limit_and_no_dossier(engine: str, tmp_path: Path) -> None:
    done = search(tmp_path, QUERY, "--with", engine, "--json", "--limit", "2", "--no-dossier", "--max-variants", "2")
    pages = [json.loads(line) for line in done.stdout.splitlines()]
    assert [page["rank"] for page in pages] == [1, 2]
    assert {source["variant"] for source in pages[0]["sources"]} == set(rewrite(QUERY).queries[:2])
    assert not (tmp_path / "dossier.jsonl").exists()


def test_without_a_place_for_it_the_query_is_on_standard_input(engine: str, tmp_path: Path) -> None:
    done = search(tmp_path, QUERY, "--with", engine.replace(" {query}", ""))
    assert QUERY in done.stdout


FAILING = {
    "fail": "how to delete account instagram: exit code 1, boom: no quota; the other searches count.",
    "slow": "how to delete account instagram: no answer within 3 seconds; the other searches count.",
    "endless": "how to delete account instagram: more than 16000000 bytes of output; the other searches count.",
}


@pytest.mark.parametrize("mode", FAILING)
def test_a_failing_variant_is_told_and_the_rest_goes_on(mode: str, engine: str, tmp_path: Path) -> None:
    started = time.monotonic()
    done = search(tmp_path, QUERY, "--with", engine.replace("ok.py", f"{mode}.py"), "--timeout", "3")
    assert time.monotonic() - started < 30
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == f"rewriter: {FAILING[mode]}"
    assert "2 of 3 searches, 6 results" in done.stderr
    kept = pick_dossier(tmp_path / "dossier.jsonl")
    assert list(kept.failures) == ["how to delete account instagram"]
    assert set(kept.results) == {QUERY, "Bagaimana cara menghapus akun Instagram?"}


def test_lines_that_are_no_results_are_told_and_hinder_nothing(engine: str, tmp_path: Path) -> None:
    done = search(tmp_path, QUERY, "--with", engine.replace("ok.py", "noise.py"))
    assert done.returncode == 0
    assert "how to delete account instagram: line 1 is no result: Searching..." in done.stderr
    assert "9 results" in done.stderr


def test_an_open_meaning_is_told_and_each_is_searched(engine: str, tmp_path: Path) -> None:
    done = search(tmp_path, "jaguar", "--with", engine)
    assert done.returncode == 0
    assert "Maksudnya kucing besar" in done.stderr
    assert "mobil Jaguar" in done.stdout


WRONG = [
    (["x", "--with", "no-such-command-at-all"], "no-such-command-at-all"),
    (["x", "--with", "a 'b"], "No closing quotation"),
    (["x", "--with", "  "], "no command"),
    (["x"], "--with"),
    (["x", "--with", "true", "--context-file", "nowhere.json"], "nowhere.json"),
    (["x", "--with", "true", "--jobs", "0"], "--jobs"),
    (["x", "--with", "true", "--dossier", "."], "."),
]


@pytest.mark.parametrize(("arguments", "named"), WRONG, ids=[" ".join(a) for a, _ in WRONG])
def test_wrong_usage_is_one_sentence(arguments: list[str], named: str, tmp_path: Path) -> None:
    done = search(tmp_path, *arguments)
    assert done.returncode == 2
    assert named in done.stderr
    assert done.stderr.splitlines()[-1].startswith("rewriter: ")
    assert "Traceback" not in done.stderr


# Bounds


def test_searches_are_bounded_in_number_and_keep_their_order(tmp_path: Path) -> None:
    script = tmp_path / "count.py"
    script.write_text(
        "import os, sys, time, pathlib\nhere = pathlib.Path(sys.argv[1])\n(here / str(os.getpid())).touch()\n"
        "n = len(list(here.iterdir()))\ntime.sleep(0.3)\n(here / str(os.getpid())).unlink()\nprint(f'\"u{n}-{sys.argv[2]}\"')\n",
        encoding="utf-8",
    )
    running = tmp_path / "running"
    running.mkdir()
    done: list[int] = []
    variants = [variant(f"q{n}") for n in range(6)]
    searches = run_searches(variants, [sys.executable, str(script), str(running), "{query}"], Limits(jobs=2), done.append)
    assert [s.variant for s in searches] == variants
    assert [s.results[0].url.split("-")[1] for s in searches] == [f"q{n}" for n in range(6)]
    assert max(int(s.results[0].url[1]) for s in searches) <= 2
    assert done == [1, 2, 3, 4, 5, 6]


def test_what_a_slow_command_started_ends_with_it(tmp_path: Path) -> None:
    place = str(tmp_path / "pid")
    child = f"import subprocess; p = subprocess.Popen(['sleep', '60']); open({place!r}, 'w').write(str(p.pid)); p.wait()"
    (found,) = run_searches([variant("kopi")], [sys.executable, "-c", child], Limits(timeout=1.5))
    assert found.failure == "no answer within 1.5 seconds"
    state = Path(f"/proc/{(tmp_path / 'pid').read_text()}/stat")
    deadline = time.monotonic() + 5
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


def test_much_output_within_the_bound_is_read(tmp_path: Path) -> None:
    code = "import json\nfor n in range(20000): print(json.dumps({'url': f'https://a.id/{n}', 'title': 'x' * 100}))"
    (found,) = run_searches([variant("kopi")], [sys.executable, "-c", code], Limits())
    assert (len(found.results), found.failure) == (20_000, "")
    (cut,) = run_searches([variant("kopi")], [sys.executable, "-c", code], Limits(max_bytes=100_000))
    assert cut.failure == "more than 100000 bytes of output"


# No shell, no options, no files

TRICKS = [
    "$(touch pwned)", "`touch pwned`", "; touch pwned", "| touch pwned", "&& touch pwned", "> pwned", "\n touch pwned",
    "' ; touch pwned ; '",
    "${IFS}touch${IFS}pwned", "--output=pwned", "-o pwned", "@/etc/passwd", "../../etc/passwd", "{query}{language}", "%s%n",
    "harga \x00 iphone",
    "\x1b]0;title\x07", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("text", TRICKS, ids=ascii)
def test_tricks_reach_the_command_as_text_alone(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import json, os, sys; print(json.dumps({'url': 'https://a.id', 'args': sys.argv[1:], 'here': sorted(os.listdir('.'))}))"
    monkeypatch.chdir(tmp_path)
    (found,) = run_searches([variant(text)], [sys.executable, "-c", code, "{query}", "--q={query}"], Limits())
    clean = re.sub("[\x00-\x1f]", " ", text).replace("\ud800", "\N{REPLACEMENT CHARACTER}")
    assert found.failure == ""
    alone, within = found.results[0].extra["args"]
    assert alone == (f" {clean}" if clean.startswith(("-", "@", "+")) else clean)
    assert within == f"--q={clean}"
    assert found.results[0].extra["here"] == []


@given(text=any_text(), language=st.sampled_from(["id", "en"]))
def test_any_text_is_one_argument_or_one_line(text: str, language: str) -> None:
    arguments, stdin = fill_command(["find", "--lang={language}", "{query}"], variant(text, language))
    assert arguments[:2] == ("find", f"--lang={language}")
    assert len(arguments) == 3 and stdin == b""
    assert not arguments[2].startswith(("-", "@", "+"))
    assert "\0" not in arguments[2]
    assert arguments[2].encode().decode() == arguments[2]
    arguments, stdin = fill_command(["find"], variant(text, language))
    assert arguments == ("find",)
    assert stdin.count(b"\n") == 1 and stdin.endswith(b"\n")


def test_a_query_too_long_for_an_argument_is_told() -> None:
    (found,) = run_searches([variant("a" * 3_000_000)], [sys.executable, "-c", "print(1)", "{query}"], Limits())
    assert found.failure.startswith("the command cannot be run")


def test_a_shell_is_only_there_where_the_user_writes_one() -> None:
    assert read_command("sh -c 'echo $1' x {query}") == ("sh", "-c", "echo $1", "x", "{query}")


# Output

OUTPUTS = {
    '{"url": "https://a.id"}': ["https://a.id"],
    '"https://a.id"\n"https://b.id"': ["https://a.id", "https://b.id"],
    "https://a.id\nhttps://b.id\r\n": ["https://a.id", "https://b.id"],
    '[{"href": "https://a.id", "body": "s"}, {"link": "https://b.id"}]': ["https://a.id", "https://b.id"],
    '{"results": [{"url": "https://a.id"}], "number": 1}': ["https://a.id"],
    '[\n {"url": "https://a.id"},\n {"title": "no url"}\n]': ["https://a.id"],
    "": [],
    "[]": [],
    "null": [],
    "[" * 100_000: [],
    '{"url": ' + "9" * 10_000 + "}": [],
}


@pytest.mark.parametrize("text", OUTPUTS, ids=lambda text: text[:40])
def test_outputs_of_many_tools_are_read(text: str) -> None:
    assert [result.url for result in parse_output(text)[0]] == OUTPUTS[text]


def test_fields_are_taken_by_their_names_and_the_others_are_kept() -> None:
    (result,), remarks = parse_output('{"link": "https://a.id", "title": "A", "abstract": "s", "score": NaN, "body": "b"}')
    assert result == Result("https://a.id", "A", "s", {"score": None, "body": "b"})
    assert remarks == []


@given(text=any_text())
def test_any_output_is_results_and_remarks(text: str) -> None:
    results, remarks = parse_output(text)
    assert all(isinstance(result.url, str) and result.url for result in results)
    assert len(results) + len(remarks) >= bool(text.strip() and not text.strip().startswith(("[", "{", "null")))
