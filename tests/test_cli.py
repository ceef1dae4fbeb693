"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import rewriter
from rewriter import Policy, rewrite
from rewriter.calls import printable
from rewriter.cli import app
from rewriter.command import main, parse_call
from rewriter.errors import InputError
from rewriter.io.turns import parse_turns

ROOT = Path(rewriter.__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


@pytest.fixture(autouse=True, scope="module")
def _pack(resources: rewriter.Resources) -> None:
    """The pack is compiled before anything is said on standard error."""


def run_program(arguments: Sequence[str], given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    process = start_program(arguments, encoding="utf-8", errors="surrogateescape", env={**ENVIRONMENT, **environment})
    out, err = process.communicate(given, timeout=120)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def start_program(arguments: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": ENVIRONMENT}
    return subprocess.Popen([sys.executable, "-m", "rewriter", *arguments], **{**pipes, **options})


def run_app(arguments: Sequence[str], given: str = "") -> str:
    """The full command line, whatever the quick parser would have taken."""
    result = CliRunner().invoke(app, list(arguments), input=given)
    assert result.exit_code == 0, result.output
    return result.stdout


TURNS = '["aku main gitar", {"role": "assistant", "content": "Gitar apa?"}]'

CALLS = [
    ["rewrite", "nano banana", "--json"],
    ["rewrite", "--json", "nano banana"],
    ["rewrite", "jaguar", "--json", "--no-ask"],
    ["rewrite", "jaguar", "--json", "-c", "mobil inggris", "--context", "harga bekas"],
    ["rewrite", "--max-variants", "2", "cara hapus akun instagram", "--json"],
    ["rewrite", "--max-variants", "2", "--max-variants", "1", "cara hapus akun instagram", "--json"],
    ["rewrite", "yang murah", "--json", "--context-file", "turns.json", "-c", "harga gitar"],
    ["rewrite", "yang murah", "--json", "--context-file", "-"],
    ["rewrite", "-", "--json", "--no-ask"],
    ["rewrite", "bisa ular", "-c", "--json", "--json"],
    ["rewrite", "bisa ular", "-c", "-", "--json"],
    ["rewrite", "", "--json"],
    ["rewrite", "kopi \udcff\x1b[31m", "--json"],
    ["rewrite", "berita '--explain'", "--json", "--json"],
]


@pytest.mark.parametrize("arguments", CALLS, ids=" ".join)
def test_quick_parser_and_full_command_line_give_the_same_json(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("turns.json").write_text(TURNS, encoding="utf-8")
    given = "gojek\n\nbisa ular\r\n" if "--context-file" not in arguments else TURNS
    assert parse_call(arguments) is not None
    expected = run_app(arguments, given)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    assert main(arguments) == 0
    assert capsys.readouterr() == (expected, "")
    assert all(json.loads(line)["signature"] for line in expected.splitlines())


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--help"],
        ["--json", "rewrite", "a"],
        ["rewrite", "a"],
        ["rewrite", "--json"],
        ["rewrite", "a", "b", "--json"],
        ["rewrite", "a", "--json", "--explain"],
        ["rewrite", "a", "--json", "--help"],
        ["rewrite", "a", "--json", "-c"],
        ["rewrite", "a", "--json", "--context=b"],
        ["rewrite", "a", "--json", "-cb"],
        ["rewrite", "a", "--json", "--", "-b"],
        ["rewrite", "a", "--json", "--lexicon", "x.toml"],
        ["rewrite", "a", "--json", "--max-variants", "0"],
        ["rewrite", "a", "--json", "--max-variants", "two"],
        ["lexicon", "show", "a"],
    ],
    ids=" ".join,
)
def test_quick_parser_leaves_everything_else_to_the_full_command_line(arguments: list[str]) -> None:
    assert parse_call(arguments) is None


def test_json_is_the_plan_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rewrite", "jaguar", "--json", "--no-ask", "--max-variants", "3", "-c", "mobil"])
    assert capsys.readouterr().out == rewrite("jaguar", ["mobil"], policy=Policy(ask=False, max_variants=3)).to_json() + "\n"


def test_turns_of_the_file_are_older_than_the_turns_of_the_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_text('"harga iphone 15"\n\n{"role": "assistant", "content": null}\n', encoding="utf-8")
    main(["rewrite", "yang bekas", "--json", "-c", "harga macbook air", "--context-file", str(file)])
    context = ["harga iphone 15", {"role": "assistant", "content": None}, "harga macbook air"]
    assert capsys.readouterr().out == rewrite("yang bekas", context).to_json() + "\n"


def test_each_line_of_standard_input_is_a_query_and_a_blank_line_is_a_plan_without_variants() -> None:
    done = run_program(["rewrite", "-", "--json"], "gojek\n\nbisa ular\r\n\u2028x")
    assert [json.loads(line)["query"] for line in done.stdout.splitlines()] == ["gojek", "", "bisa ular", "\u2028x"]


def test_bytes_that_are_no_utf8_are_a_query_like_any_other() -> None:
    done = run_program(["rewrite", "-", "--json"], "kopi \udcff susu\n")
    assert (done.returncode, json.loads(done.stdout)["query"], done.stderr) == (0, "kopi \udcff susu", "")


@pytest.mark.parametrize(
    "arguments", [["rewrite", "nano banana", "--json"], ["rewrite", "a", "-c", "b", "--context-file", "turns.json", "--json"]]
)
def test_json_imports_no_command_line_library(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "turns.json").write_text(TURNS, encoding="utf-8")
    code = (
        "import sys; from rewriter.command import main; assert main(sys.argv[1:]) == 0; "
        "print(sorted({'typer', 'click', 'rich', 'spacy', 'nltk', 'wordfreq', 'numpy'} & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=ENVIRONMENT, cwd=tmp_path, check=True
    )
    assert done.stderr == "[]\n"


def test_a_pipe_gets_pattern_and_text_parted_by_a_tab(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rewrite", "nano banana"]) == 0
    plan = rewrite("nano banana")
    assert capsys.readouterr() == ("".join(f"{v.pattern}\t{v.text}\n" for v in plan.variants), "")


def test_explain_prints_the_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rewrite", "bisa ular", "--explain"]) == 0
    assert capsys.readouterr().out == rewrite("bisa ular").explain() + "\n"


def test_a_lexicon_is_laid_over_the_shipped_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        '[si-kuning.kereta]\nforms = ["si kuning"]\ncanonical.id = "kereta Sancaka"\ncanonical.en = "Sancaka train"\n'
        'gloss.id = "kereta api"\ngloss.en = "train"\ndomain = "travel"\ncues = ["stasiun"]\nsource = "curated"\n',
        encoding="utf-8",
    )
    assert main(["rewrite", "jadwal si kuning", "--lexicon", str(file)]) == 0
    assert "kereta Sancaka" in capsys.readouterr().out
    assert main(["lexicon", "show", "Si  Kuning", "--lexicon", str(file)]) == 0
    assert capsys.readouterr().out == "si-kuning.kereta\ttrain\ttravel\tstasiun\n"


# --- terminals -------------------------------------------------------------------------------------------------------------------


def run_on_terminal(arguments: Sequence[str], **environment: str) -> str:
    """What a terminal of 100 columns is sent."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals are a Unix thing")
    ours, theirs = pty.openpty()
    environment = {**ENVIRONMENT, "TERM": "xterm-256color", "COLUMNS": "100", **environment}
    for name in ("NO_COLOR", "FORCE_COLOR"):
        if not environment.get(name):
            environment.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-m", "rewriter", *arguments], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=environment
    )
    os.close(theirs)
    sent = b""
    try:
        while chunk := os.read(ours, 65536):
            sent += chunk
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(ours)
    assert process.wait() == 0, sent
    return sent.decode("utf-8", "replace")


def test_a_terminal_gets_a_coloured_table_and_the_question_to_ask_back() -> None:
    sent = run_on_terminal(["rewrite", "jaguar"], NO_COLOR="")
    plan = rewrite("jaguar")
    assert plan.clarification is not None
    assert plan.clarification.question in sent
    assert all(text in sent for option in plan.clarification.options for text in (option.label, option.query))
    assert "the query as given" in sent
    assert "\x1b[" in sent


def test_no_color_leaves_no_escape_sequence() -> None:
    sent = run_on_terminal(["rewrite", "jaguar"], NO_COLOR="1")
    assert "the query as given" in sent
    assert "\x1b" not in sent


HOSTILE = "kopi\x1b]0;title\x07 \x1b[31m\x9b2J\tsusu\r\n[bold]enak[/bold] \u202eterbalik"


@pytest.mark.parametrize("option", [[], ["--explain"]])
def test_escape_sequences_of_a_query_reach_no_terminal(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for sent in (
        run_on_terminal(["rewrite", HOSTILE, *option], NO_COLOR="1"),
        main(["rewrite", HOSTILE, *option]) or capsys.readouterr().out,
    ):
        assert not set(sent) & set("\x1b\x07\x9b\u202e")
        assert "[bold]enak[/bold]" in sent


def test_escape_sequences_of_an_argument_reach_no_terminal_by_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["rewrite", "a", "--\x1b[31m"], ["rewrite", "a", "--context-file", "\x1b[31m"], ["lexicon", "show", "\x1b[31m"]):
        assert main(arguments) in (1, 2)
        assert "\x1b" not in capsys.readouterr().err


def test_printable_shows_one_line() -> None:
    assert printable("a\tb\nc\x00d\ud800") == "a b c\N{REPLACEMENT CHARACTER}d\N{REPLACEMENT CHARACTER}"


def test_characters_that_the_output_encoding_lacks_are_no_error() -> None:
    done = run_program(["rewrite", "naïve kopi"], PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout.splitlines()[0], done.stderr) == (0, "literal\tna?ve kopi", "")


# --- errors and exit codes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Missing command"),
        (["rewrit", "a"], "No such command 'rewrit'"),
        (["rewrite"], "Missing argument 'QUERY'"),
        (["rewrite", "a", "--bogus"], "No such option: --bogus"),
        (["rewrite", "a", "--json", "--explain"], "--json and --explain are two ways"),
        (["rewrite", "a", "--json", "--max-variants", "0"], "Invalid value for '--max-variants'"),
        (["rewrite", "a", "--json", "--context-file", "absent.json"], "absent.json cannot be read (No such file or directory)"),
        (["rewrite", "-", "--json", "--context-file", "-"], "Query and --context-file are both `-`"),
        (["rewrite", "a", "--lexicon", "absent.toml"], "There is no lexicon at absent.toml"),
        (["lexicon", "compile", "--folder", "absent"], "absent is no lexicon folder"),
        (["lexicon", "compile", "--check", "absent.pack"], "absent.pack cannot be opened as a language pack"),
        (["lexicon", "compile", "--check", "x.pack", "-o", "y.pack"], "--check reads a pack and compiles none"),
        (["lexicon", "lint", "absent.toml"], "There is no lexicon at absent.toml"),
        (["lexicon", "lint", "--select", "X"], "--select names 'X'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused_is_one_sentence_and_exit_code_2(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"rewriter: {sentence}")
    assert err.count("\n") == 1
    assert err.endswith(".\n")


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ('["a",\n "b",\n c]', 3, "this is no JSON"),
        ('["a",\n "b"', 2, "this is no JSON"),
        ('"a"\n\n{"role": "user", }\n', 3, "this is no JSON"),
        ('["a",\n\n 7]', 3, "a turn must be a string or an object"),
        ('[{"role": "user", "content": "a"},\n {"role": "robot", "content": "b"}]', 2, 'the turn has the role "robot"'),
        ('"a"\n{"content": "b"}', 2, "the turn has the role null"),
        ('"a"\n{"role": "user", "content": 3}', 2, "the turn has the content 3"),
        ("[" * 100_000, 1, "this is no JSON"),
    ],
)
def test_broken_turns_are_one_sentence_with_file_and_line(
    text: str, place: int, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "turns.json"
    file.write_text(text, encoding="utf-8")
    assert main(["rewrite", "a", "--json", "--context-file", str(file)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"rewriter: {file}:{place}: {what}")
    assert err.count("\n") == 1


def test_turns_that_are_no_utf8_are_named_by_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_bytes(b'"a"\n"\xff"\n')
    assert main(["rewrite", "a", "--json", "--context-file", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"rewriter: {file}:2: this is no UTF-8 text")


def test_no_text_is_no_turns() -> None:
    assert parse_turns("", "x") == parse_turns(" []\n", "x") == parse_turns("\n\n", "x") == ()


def test_a_list_is_not_one_turn_of_many() -> None:
    with pytest.raises(InputError, match=r"x:2: this is no JSON"):
        parse_turns('["a"]\n["b"]', "x")


def test_version_and_help_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rewriter {rewriter.__version__}\n"
    assert main(["rewrite", "--help"]) == 0
    assert "--context-file FILE" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="closed pipes are told otherwise")
@pytest.mark.parametrize("arguments", [["rewrite", "-", "--json"], ["rewrite", "-"], ["--help"]], ids=" ".join)
def test_a_closed_pipe_is_the_quiet_end(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = start_program(arguments, stdout=writing)
    os.close(writing)
    _, err = process.communicate(b"gojek\n" * 50)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent otherwise")
@pytest.mark.parametrize("arguments", [["rewrite", "-", "--json"], ["rewrite", "-"]], ids=" ".join)
def test_an_interrupt_is_quiet_and_exits_130(arguments: list[str]) -> None:
    process = start_program(arguments)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"gojek\n")
    process.stdin.flush()
    process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert process.communicate()[1] == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("option", [["--json"], []], ids=["json", "plain"])
def test_a_full_disk_is_one_sentence(option: list[str]) -> None:
    with open("/dev/full", "w") as full:
        process = start_program(["rewrite", "gojek", *option], stdout=full)
        assert process.communicate()[1] == b"rewriter: No space left on device.\n"
    assert process.returncode == 2


# --- lexicons --------------------------------------------------------------------------------------------------------------------


def test_compile_without_options_names_the_pack_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "compile"]) == 0
    out, err = capsys.readouterr()
    assert Path(out.removesuffix("\n")).is_file()
    assert rewriter.default_resources().identity.split("|")[0] in err


def test_compile_about_names_sources_versions_and_licences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "compile", "--about"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert {row[0] for row in rows} >= {"babel", "nltk", "spacy", "wordfreq", "rewriter lexicons"}
    assert all(len(row) == 4 and all(row) for row in rows)


def test_a_compiled_pack_passes_its_check_until_a_byte_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["lexicon", "compile"])
    data = bytearray(Path(capsys.readouterr().out.strip()).read_bytes())
    pack = tmp_path / "own.pack"
    pack.write_bytes(data)
    assert main(["lexicon", "compile", "--check", str(pack)]) == 0
    assert capsys.readouterr().out == f"{pack}\n"
    data[-1] ^= 1
    pack.write_bytes(data)
    assert main(["lexicon", "compile", "--check", str(pack)]) == 2
    assert "is damaged in section" in capsys.readouterr().err


def test_compile_writes_the_pack_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("spacy")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "domains.toml").write_text('[food]\nlabel.en = "food"\nlabel.id = "makanan"\ncues = ["makan"]\n', encoding="utf-8")
    assert main(["lexicon", "compile", "--folder", str(tmp_path / "own"), "-o", str(tmp_path / "own.pack")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'own.pack'}\n"
    assert main(["lexicon", "compile", "--check", str(tmp_path / "own.pack")]) == 0


BROKEN = "id\ten\tpos\twhen\tdomain\tstatus\nkucing\tcat\tnoun\t\t\tnonsense\n"


def test_lint_names_place_and_code_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bilingual" / "own.tsv"
    file.parent.mkdir()
    file.write_text(BROKEN, encoding="utf-8")
    assert main(["lexicon", "lint", str(file), "--select", "E111"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(f"{file.as_posix()}:2:")
    assert " E111 " in out
    assert err == "rewriter: 1 finding\n"
    assert main(["lexicon", "lint", str(tmp_path), "--select", "E111", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["code"], found["severity"], found["line"]) == ("E111", "error", 2)
    assert main(["lexicon", "lint", str(file), "--select", "E102, W6"]) == 0
    assert capsys.readouterr() == ("", "rewriter: no findings\n")


def test_show_lists_every_sense_of_a_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "show", "Nano  Banana"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert {row[0] for row in rows} >= {"nano-banana.image-model", "nano-banana.fruit"}
    assert all(len(row) == 4 for row in rows)


def test_show_says_when_a_form_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "show", "xyzzyq"]) == 1
    assert capsys.readouterr() == ("", "rewriter: no lexicon entry has the form 'xyzzyq'.\n")


def test_a_completion_script_is_printed_for_a_shell() -> None:
    done = run_program([], _REWRITER_COMPLETE="complete_bash", COMP_WORDS="rewriter lex", COMP_CWORD="1")
    assert (done.returncode, done.stdout.split()) == (0, ["lexicon"])
