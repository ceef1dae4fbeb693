"""`rewriter batch`: what is read, what is written, in which order, and what happens to rows that cannot be read."""

from __future__ import annotations

import csv
import gzip
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
from hypothesis import given
from hypothesis import strategies as st
from strategies import json_queries, plain_queries

import rewriter
from rewriter import Plan, Policy, Resources, rewrite
from rewriter.batch.chunks import cut_chunks
from rewriter.batch.job import Columns, Job
from rewriter.batch.rows import Row
from rewriter.batch.run import run_batch
from rewriter.batch.sessions import SESSION_TURNS, Sessions
from rewriter.batch.tally import Summary
from rewriter.errors import InputError

ROOT = Path(rewriter.__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
QUERIES = ("harga nano banana", "cara hapus akun instagram", "jaguar", "yang murah", "best budget laptop", "resep rendang tanpa santan")


def silent(_: str) -> None:
    """Nothing is told."""


def run(resources: Resources, source: Path, target: Path, **options: Any) -> Summary:
    """A batch in this process, unless workers are asked for."""
    return run_batch(Job(str(source), str(target), **{"workers": 1, **options}), resources, Policy(), silent)


def write_lines(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def many(count: int) -> list[dict[str, object]]:
    """Rows of which each has its own id and words."""
    return [{"query_id": n, "query": f"{QUERIES[n % len(QUERIES)]} {n}", "user": n % 7} for n in range(count)]


def program(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rewriter", "batch", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=ENVIRONMENT, timeout=300, check=False, **options)


# ── Reading and writing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_line_of_the_output_is_the_plan_of_a_row_in_order(resources: Resources, tmp_path: Path) -> None:
    rows = [
        {"query_id": "a", "query": "harga nano banana", "context": ["model gambar AI"]},
        {"query": "yang murah", "context": [{"role": "assistant", "content": "Gitar akustik?"}, "harga gitar"]},
        "jaguar",
        {"query_id": 7, "query": ""},
    ]
    summary = run(resources, write_lines(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl")
    expected = [
        rewrite("harga nano banana", ["model gambar AI"]).to_json().replace('"query_id":null', '"query_id":"a"'),
        rewrite("yang murah", [{"role": "assistant", "content": "Gitar akustik?"}, "harga gitar"]).to_json(),
        rewrite("jaguar").to_json(),
        rewrite("").to_json().replace('"query_id":null', '"query_id":"7"'),
    ]
    assert (tmp_path / "out.jsonl").read_text().splitlines() == expected
    told = summary.to_dict()
    assert (told["rows"], told["plans"], told["errors"], told["blank"], told["asked"]) == (4, 4, 0, 1, 1)
    assert told["patterns"]["literal"] == 3 and told["skipped"]["no-words"] == 5
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"], "nothing else stays"


def test_columns_are_named_by_options(resources: Resources, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", [{"q": "yang murah", "n": 3, "chat": ["harga gitar"]}])
    run(resources, source, tmp_path / "out.jsonl", columns=Columns("q", "n", "chat"))
    plan = json.loads((tmp_path / "out.jsonl").read_text())
    assert plan["query_id"] == "3" and plan["variants"][1:] == rewrite("yang murah", ["harga gitar"]).to_dict()["variants"][1:]


def test_every_format_of_input_gives_the_same_plans(resources: Resources, tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    turns_of = (None, ["mobil", 'pasar, "baru"\nlagi'])
    rows: list[Any] = [{"query_id": str(n), "query": q, "context": turns_of[n % 2]} for n, q in enumerate(QUERIES)]
    source = write_lines(tmp_path / "in.jsonl", rows)
    (tmp_path / "packed").write_bytes(gzip.compress(source.read_bytes()[:150]) + gzip.compress(source.read_bytes()[150:]))
    (tmp_path / "in.jsonl.zst").write_bytes(pa.compress(source.read_bytes(), codec="zstd", asbytes=True))
    for name, delimiter in (("in.csv", ","), ("in.tsv", "\t"), ("semi.csv", ";")):
        with open(tmp_path / name, "w", encoding="utf-8-sig", newline="") as file:
            table = csv.writer(file, delimiter=delimiter)
            table.writerow(["query_id", "query", "context"])
            table.writerows([[r["query_id"], r["query"], json.dumps(r["context"]) if r["context"] else ""] for r in rows])
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    turns = [{**r, "context": [{"role": "user", "content": t} for t in r["context"] or ()]} for r in rows]
    pq.write_table(pa.Table.from_pylist(turns), tmp_path / "turns.parquet")
    run(resources, source, tmp_path / "expected.jsonl")
    expected = (tmp_path / "expected.jsonl").read_bytes()
    assert expected.count(b"\n") == len(QUERIES)
    for name in ("packed", "in.jsonl.zst", "in.csv", "in.tsv", "semi.csv", "in.parquet", "turns.parquet"):
        run(resources, tmp_path / name, tmp_path / "out.jsonl")
        assert (tmp_path / "out.jsonl").read_bytes() == expected, name


def test_every_format_of_output_holds_the_same_plans(resources: Resources, tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    source = write_lines(tmp_path / "in.jsonl", many(25))
    for name in ("out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.parquet", "out.csv"):
        run(resources, source, tmp_path / name, chunk_rows=10)
    plain = (tmp_path / "out.jsonl").read_bytes()
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == plain
    with pa.input_stream(str(tmp_path / "out.jsonl.zst"), compression="zstd") as file:
        assert file.read() == plain
    plans = [Plan.from_dict(json.loads(line)) for line in plain.splitlines()]
    assert [Plan.from_dict(row) for row in pq.read_table(tmp_path / "out.parquet").to_pylist()] == plans
    with open(tmp_path / "out.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    shown = [(p.query_id, str(n), v.pattern, v.text) for p in plans for n, v in enumerate(p.variants, 1)]
    assert [(line["query_id"], line["rank"], line["pattern"], line["text"]) for line in lines] == shown


def test_an_empty_input_gives_an_empty_output(resources: Resources, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "in.jsonl").write_text("\n \n")
    for name in ("out.jsonl", "out.parquet"):
        assert run(resources, tmp_path / "in.jsonl", tmp_path / name).to_dict()["rows"] == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b"" and pq.read_table(tmp_path / "out.parquet").num_rows == 0


def test_standard_streams(tmp_path: Path) -> None:
    done = program("-", "-o", "-", input='{"query": "jaguar"}\nnonsense\n')
    assert done.returncode == 0 and done.stdout == rewrite("jaguar").to_json() + "\n"
    assert "rewriter: line 2: this is no JSON" in done.stderr and "1 plans of 2 rows" in done.stderr


def test_text_is_a_query_a_line_and_csv_names_its_line(resources: Resources, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("jaguar\n\nbisa ular\n", encoding="utf-8")
    run(resources, tmp_path / "in.txt", tmp_path / "out.jsonl")
    assert [json.loads(line)["query"] for line in (tmp_path / "out.jsonl").open()] == ["jaguar", "bisa ular"]
    (tmp_path / "in.csv").write_bytes(b'query_id,query,context\n1,"satu\ndua",\n2,tiga,[nonsense\n3,\xff,\n')
    run(resources, tmp_path / "in.csv", tmp_path / "out.jsonl")
    faults = [json.loads(line) for line in (tmp_path / "out.jsonl.errors.jsonl").open()]
    assert faults == [
        {"line": 4, "query_id": "2", "reason": "`context` begins with [ and is no JSON list"},
        {"line": 5, "query_id": None, "reason": "this is no UTF-8 text"},
    ]


# ── Rows that cannot be read ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

BROKEN = [
    (b"{", "this is no JSON"),
    (b"[1]", "a line must be a JSON object or a text"),
    (b'{"query": 5}', "there is no text under `query` but 5"),
    (b"{}", "there is no text under `query`"),
    (b'{"query": "\xff"}', "this is no UTF-8 text"),
    (b'{"query": "a", "query_id": 1.5}', "`query_id` holds 1.5"),
    (b'{"query": "a", "context": 5}', "`context` holds 5, which is no list of turns"),
    (b'{"query": "a", "context": [5]}', "context[0] is a int"),
    (b'{"query": "a", "context": [{"role": "robot", "content": "b"}]}', "robot"),
    (b"[" * 100_000, "nested too deep"),
]


@pytest.mark.parametrize(("line", "reason"), BROKEN, ids=[reason for _, reason in BROKEN])
def test_a_row_that_cannot_be_read_is_told_and_the_others_go_on(resources: Resources, tmp_path: Path, line: bytes, reason: str) -> None:
    (tmp_path / "in.jsonl").write_bytes(b'{"query": "jaguar"}\n' + line + b'\n{"query": "bisa ular"}\n')
    summary = run(resources, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert [json.loads(x)["query"] for x in (tmp_path / "out.jsonl").open()] == ["jaguar", "bisa ular"]
    fault = json.loads((tmp_path / "out.jsonl.errors.jsonl").read_text())
    assert fault["line"] == 2 and reason in fault["reason"]
    assert summary.to_dict()["errors"] == 1


def test_errors_of_an_earlier_run_do_not_stay(resources: Resources, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"{\n")
    run(resources, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl.errors.jsonl").exists()
    (tmp_path / "in.jsonl").write_bytes(b'"jaguar"\n')
    run(resources, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl.errors.jsonl").exists()


def test_half_a_character_is_kept_by_json_and_told_by_the_others(resources: Resources, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "in.jsonl").write_text('{"query": "kopi \\ud800"}\n"jaguar"\n')
    assert run(resources, tmp_path / "in.jsonl", tmp_path / "out.jsonl").to_dict()["errors"] == 0
    for name in ("out.csv", "out.parquet"):
        assert run(resources, tmp_path / "in.jsonl", tmp_path / name).to_dict()["errors"] == 1
        assert "half of a character" in (tmp_path / f"{name}.errors.jsonl").read_text()


def test_a_line_of_many_megabytes_is_an_error_of_its_row(resources: Resources, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b'{"query": "' + b"a" * 40_000_000 + b'"}\n"jaguar"\n')
    run(resources, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text())["query"] == "jaguar"
    assert json.loads((tmp_path / "out.jsonl.errors.jsonl").read_text()) == {
        "line": 1, "query_id": None, "reason": "the line is longer than 16 MiB",
    }  # fmt: skip


# ── Sessions ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_earlier_queries_of_a_session_are_turns_and_two_columns_part_sessions(resources: Resources, tmp_path: Path) -> None:
    rows = [
        {"user": "a", "day": 1, "query": "spesifikasi iphone 16"},
        {"user": "b", "day": 1, "query": "resep rendang"},
        {"user": "a", "day": 2, "query": "harganya berapa"},
        {"user": "a", "day": 1, "query": "harganya berapa"},
        {"user": "a", "day": None, "query": "harganya berapa"},
    ]
    source = write_lines(tmp_path / "in.jsonl", rows)
    run(resources, source, tmp_path / "two.jsonl", columns=Columns(session=("user", "day")))
    second = [Plan.from_dict(json.loads(line)).queries[1:] for line in (tmp_path / "two.jsonl").open()]
    assert second[3][0] == "harga iphone 16 berapa" and second[2] == second[4] == rewrite("harganya berapa").queries[1:]
    run(resources, source, tmp_path / "one.jsonl", columns=Columns(session=("user",)))
    assert Plan.from_dict(json.loads((tmp_path / "one.jsonl").read_text().splitlines()[2])).queries[1] == "harga iphone 16 berapa"


def row(query: str, *session: str) -> Row:
    return Row(1, None, query, (), session or None, "")


def test_a_session_keeps_its_newest_queries() -> None:
    sessions = Sessions()
    for number in range(SESSION_TURNS + 5):
        last = sessions.place(row(f"q{number}", "s"))
    assert last.context == tuple(f"q{number}" for number in range(4, SESSION_TURNS + 4))


def test_what_sessions_hold_is_bounded_and_the_oldest_are_forgotten() -> None:
    sessions = Sessions(limit=5_000)
    for number in range(1_000):
        sessions.place(row("x" * 50, f"s{number}"))
    assert sessions.forgotten > 990
    assert sessions.place(row("y", "s999")).context == ("x" * 50,) and sessions.place(row("y", "s1")).context == ()


def test_a_faulty_row_leaves_no_turn() -> None:
    sessions = Sessions()
    sessions.place(Row(1, None, "broken", (), ("s",), "a fault"))
    assert sessions.place(row("fine", "s")).context == ()


# ── Workers, and going on ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_number_of_workers_changes_nothing(resources: Resources, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", [*many(60), 5, *many(40)])
    for workers in (1, 2, 3):
        run(resources, source, tmp_path / f"{workers}.jsonl", workers=workers, chunk_rows=9, columns=Columns(session=("user",)))
    outputs = {(tmp_path / f"{n}.jsonl").read_bytes() for n in (1, 2, 3)}
    faults = {(tmp_path / f"{n}.jsonl.errors.jsonl").read_bytes() for n in (1, 2, 3)}
    assert len(outputs) == len(faults) == 1 and outputs.pop().count(b"\n") == 100


class Stop(Exception):
    """A run that ends in the middle."""


@given(
    data=st.data(),
    rows=st.lists(st.one_of(json_queries(), plain_queries(), st.integers()), min_size=1, max_size=12),
    kind=st.sampled_from(("jsonl", "jsonl.gz", "csv", "parquet")),
    size=st.integers(1, 4),
)
def test_a_run_that_stops_anywhere_and_goes_on_ends_the_same(
    data: st.DataObject, rows: list[Any], kind: str, size: int, resources: Resources, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("resume")
    source = folder / "in.jsonl"
    source.write_text("".join(json.dumps({"query": row, "s": n % 2}) + "\n" for n, row in enumerate(rows)), encoding="utf-8")
    columns = Columns(session=("s",))
    whole = run(resources, source, folder / f"whole.{kind}", chunk_rows=size, columns=columns)
    target = folder / f"out.{kind}"
    stops = data.draw(st.lists(st.integers(1, len(rows)), max_size=3), label="rows after which it stops")
    for stop in stops:

        def watch(done: int, position: int, total: int | None, stop: int = stop) -> None:
            if done >= stop:
                raise Stop

        job = Job(str(source), str(target), columns, workers=1, chunk_rows=size, resume=True)
        try:
            run_batch(job, resources, Policy(), silent, watch)
        except Stop:
            assert not target.exists()
        else:
            break
        finally:
            for part in folder.glob("out.*part"):  # what a kill may leave behind the last safe place
                with open(part, "ab") as file:
                    file.write(b"torn")
    last = run(resources, source, target, chunk_rows=size, columns=columns, resume=True)
    assert target.read_bytes() == (folder / f"whole.{kind}").read_bytes()
    assert last.to_dict()["patterns"] == whole.to_dict()["patterns"]
    first, second = [folder / f"{name}.{kind}.errors.jsonl" for name in ("whole", "out")]
    assert first.exists() == second.exists() and (not first.exists() or first.read_bytes() == second.read_bytes())
    assert not list(folder.glob("*.part")) and not list(folder.glob("*.checkpoint"))


def stopped(resources: Resources, source: Path, target: Path, after: int, **options: Any) -> None:
    """A run that ends after some rows."""

    def watch(rows: int, *_: Any) -> None:
        if rows >= after:
            raise Stop

    with pytest.raises(Stop):
        run_batch(Job(str(source), str(target), **{"workers": 1, "chunk_rows": 5, **options}), resources, Policy(), silent, watch)


def test_an_unfinished_run_is_not_lost_by_forgetting_an_option(resources: Resources, tmp_path: Path) -> None:
    source, target = write_lines(tmp_path / "in.jsonl", many(20)), tmp_path / "out.jsonl"
    stopped(resources, source, target, 10)
    with pytest.raises(InputError, match="has an unfinished run of 10 rows; go on with --resume, or drop it with --restart"):
        run(resources, source, target, chunk_rows=5)
    assert run(resources, source, target, chunk_rows=5, resume=True).new_rows == 10
    stopped(resources, source, target, 10)
    assert run(resources, source, target, chunk_rows=5, restart=True).new_rows == 20


def test_a_run_goes_on_only_with_the_same_input_and_the_same_options(resources: Resources, tmp_path: Path) -> None:
    source, target = write_lines(tmp_path / "in.jsonl", many(20)), tmp_path / "out.jsonl"
    stopped(resources, source, target, 10)
    with pytest.raises(InputError, match=r"`chunk` was .* begin again with --restart"):
        run(resources, source, target, chunk_rows=6, resume=True)
    with pytest.raises(InputError, match="`signature` was"):
        run_batch(Job(str(source), str(target), workers=1, chunk_rows=5, resume=True), resources, Policy(ask=False), silent)
    write_lines(source, [{"query": "another"}, *many(20)])
    with pytest.raises(InputError, match="first 10 rows of the input are not those of the unfinished run"):
        run(resources, source, target, chunk_rows=5, resume=True)
    write_lines(source, many(20))
    assert run(resources, source, target, chunk_rows=5, resume=True).new_rows == 10


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize("fails", range(1, 6))
def test_a_kill_while_the_files_get_their_names_costs_nothing(
    resources: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, fails: int
) -> None:
    pytest.importorskip("pyarrow")
    source = write_lines(tmp_path / "in.jsonl", [*many(8), 5])
    run(resources, source, tmp_path / f"whole.{kind}")
    calls = [0]

    def fail_later(real: Any) -> Any:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            calls[0] += 1
            if calls[0] == fails:
                raise Stop
            return real(*arguments, **options)

        return wrapped

    target = tmp_path / f"out.{kind}"
    with monkeypatch.context() as patched:
        patched.setattr("rewriter.batch.output.os.replace", fail_later(os.replace))
        patched.setattr(Path, "unlink", fail_later(Path.unlink))
        with pytest.raises(Stop):
            run(resources, source, target)
    run(resources, source, target, resume=True)
    assert target.read_bytes() == (tmp_path / f"whole.{kind}").read_bytes()
    assert Path(f"{target}.errors.jsonl").read_bytes() == (tmp_path / f"whole.{kind}.errors.jsonl").read_bytes()
    assert not list(tmp_path.glob("*.part")) and not list(tmp_path.glob("*.checkpoint"))


def test_two_runs_do_not_write_one_output(resources: Resources, tmp_path: Path) -> None:
    source, target = write_lines(tmp_path / "in.jsonl", many(10)), tmp_path / "out.jsonl"

    def watch(*_: Any) -> None:
        with pytest.raises(InputError, match="is being filled by another run"):
            run(resources, source, target, resume=True)
        raise Stop

    with pytest.raises(Stop):
        run_batch(Job(str(source), str(target), workers=1, chunk_rows=5), resources, Policy(), silent, watch)


def test_a_damaged_checkpoint_is_told(resources: Resources, tmp_path: Path) -> None:
    source, target = write_lines(tmp_path / "in.jsonl", many(20)), tmp_path / "out.jsonl"
    stopped(resources, source, target, 10)
    (tmp_path / "out.jsonl.part").write_bytes(b"")
    with pytest.raises(InputError, match=r"shorter than .* says; begin again with --restart"):
        run(resources, source, target, chunk_rows=5, resume=True)
    (tmp_path / "out.jsonl.checkpoint").write_text("{")
    with pytest.raises(InputError, match="is damaged"):
        run(resources, source, target, chunk_rows=5, resume=True)


def start(source: Path, target: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "rewriter", "batch", str(source), "-o", str(target), *options]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.Popen(command, env=ENVIRONMENT, start_new_session=True, **pipes)


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_killed_at_random_moments_and_continued_it_ends_the_same(resources: Resources, tmp_path: Path, kind: str) -> None:
    """The program itself, with workers, killed without warning; its workers end with it."""
    pytest.importorskip("pyarrow")
    source, target = write_lines(tmp_path / "in.jsonl", [*many(700), 5, *many(700)]), tmp_path / f"out.{kind}"
    options = ("--workers", "2", "--chunk", "40", "--session-column", "user", "--resume")
    run(resources, source, tmp_path / f"whole.{kind}", chunk_rows=40, columns=Columns(session=("user",)))
    kills = 0
    moments = (0.3, 0.5, 0.7, 0.9, 1.1, 1.4, 0.8, 0.6, 1.7, 1.2)
    for seconds in moments:
        process = start(source, target, *options)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        finally:
            process.communicate(timeout=60)  # the pipes close only when the workers have ended too
        if target.exists():
            break
    while not target.exists():
        done = start(source, target, *options)
        assert "unfinished" not in done.communicate(timeout=300)[1]
        assert done.returncode == 0
    assert kills, "nothing was killed"
    assert target.read_bytes() == (tmp_path / f"whole.{kind}").read_bytes()


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_says_how_to_go_on_and_leaves_no_process(tmp_path: Path) -> None:
    source, target = write_lines(tmp_path / "in.jsonl", many(20_000)), tmp_path / "out.jsonl"
    process = start(source, target, "--workers", "2", "--chunk", "50")
    part = tmp_path / "out.jsonl.part"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (part.exists() and part.stat().st_size):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the whole group
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told == "rewriter: interrupted; the same command with --resume goes on.\n"
    assert not target.exists() and json.loads((tmp_path / "out.jsonl.checkpoint").read_text())["rows"] > 0


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the size of files")
def test_a_full_disk_is_one_sentence_and_loses_nothing(resources: Resources, tmp_path: Path) -> None:
    import resource

    source, target = write_lines(tmp_path / "in.jsonl", many(200)), tmp_path / "out.jsonl"
    run(resources, source, tmp_path / "whole.jsonl", chunk_rows=10)
    size = (tmp_path / "whole.jsonl").stat().st_size

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2))

    full = program(source, "-o", target, "--chunk", 10, "--workers", 1, preexec_fn=limit)
    assert full.returncode == 2 and not target.exists()
    assert full.stderr == f"rewriter: {target} cannot be written (File too large); make room, and go on with --resume.\n"
    rows = json.loads((tmp_path / "out.jsonl.checkpoint").read_text())["rows"]
    assert 50 < rows < 150
    done = program(source, "-o", target, "--chunk", 10, "--workers", 1, "--resume")
    assert done.returncode == 0 and target.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_damaged_input_is_told_with_its_line_and_what_was_read_is_kept(
    resources: Resources, tmp_path: Path, kind: str, workers: int
) -> None:
    pa = pytest.importorskip("pyarrow")
    plain = write_lines(tmp_path / "plain.jsonl", many(1500)).read_bytes()
    pieces = [plain[at : at + 3000] for at in range(0, len(plain), 3000)]
    pack = gzip.compress if kind == "gz" else lambda data: pa.compress(data, codec="zstd", asbytes=True)
    packed = b"".join(map(pack, pieces))
    source, target = tmp_path / f"in.jsonl.{kind}", tmp_path / "out.jsonl"
    source.write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(InputError, match=r"in\.jsonl\.(gz|zst):\d+: from here on it cannot be read \(.*\); mend the file"):
        run(resources, source, target, chunk_rows=10, workers=workers)
    assert json.loads((tmp_path / "out.jsonl.checkpoint").read_text())["rows"] > 100
    source.write_bytes(packed)
    run(resources, source, target, chunk_rows=10, workers=workers, resume=True)
    run(resources, tmp_path / "plain.jsonl", tmp_path / "whole.jsonl")
    assert target.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def unreadable(folder: Path) -> list[tuple[list[object], str]]:
    """Commands that cannot work, and what is told."""
    good, table = write_lines(folder / "good.jsonl", ["jaguar"]), folder / "table.csv"
    table.write_text("q,id\njaguar,1\n")
    (folder / "fake.parquet").write_bytes(b"PAR1 nonsense")
    out = folder / "out.jsonl"
    return [
        ([folder / "none.jsonl", "-o", out], "none.jsonl cannot be read (No such file or directory); give a file, or `-`."),
        ([folder, "-o", out], "cannot be read (Is a directory); give a file, or `-`."),
        ([table, "-o", out], "table.csv:1: there is no column 'query' but q, id; name one with --query-column."),
        ([table, "-o", out, "--query-column", "q", "--session-column", "s"], "no column 's' but q, id; name one with --session-column."),
        ([table, "-o", out, "--query-column", "q", "--id-column", "x"], "there is no column 'x' but q, id; name one with --id-column."),
        ([folder / "fake.parquet", "-o", out], "fake.parquet:1: from this row on it cannot be read as Parquet"),
        ([good, "-o", folder], "is a folder; give a file."),
        ([good, "-o", good], "is the input and the output; give another file with -o."),
        ([good, "-o", folder / "good.jsonl" / "out.jsonl"], "cannot be written (File exists); give another place with -o."),
        ([good, "-o", out, "--resume", "--restart"], "--resume goes on with an unfinished run and --restart drops it; give one of them."),
        ([good, "-o", "-", "--resume"], "What went to standard output cannot be continued"),
        ([good, "-o", "-", "--to", "parquet"], "Parquet is written to a file"),
        ([good, "-o", out, "--to", "xml"], "'xml' is not a format of --to; known are jsonl, csv, parquet."),
        ([good, "-o", out, "--engine", "ray"], "--engine is 'ray'; it is local or spark."),
        ([good, "-o", out, "--master", "yarn"], "--master goes with --engine spark."),
    ]


def test_what_cannot_work_is_one_sentence_and_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    from rewriter.command import main

    commands = unreadable(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    for arguments, told in commands:
        assert main(["batch", *map(str, arguments)]) == 2, arguments
        error = capsys.readouterr().err
        assert error.startswith("rewriter: ") and error.count("\n") == 1 and told in error, error
        assert sorted(p.name for p in tmp_path.iterdir()) == before, arguments


@given(sizes=st.lists(st.integers(0, 60), max_size=30), size=st.integers(1, 7))
def test_chunks_hold_every_row_once_and_depend_on_the_rows_alone(sizes: list[int], size: int) -> None:
    rows = [row("x" * n) for n in sizes]
    chunks = list(cut_chunks(iter(rows), size, Sessions()))
    assert [r for c in chunks for r in c.rows] == rows and all(0 < len(c.rows) <= size for c in chunks)
    assert chunks == list(cut_chunks(iter(rows), size, Sessions()))
    assert [c.rows_read for c in chunks] == [min(size * (n + 1), len(rows)) for n in range(len(chunks))]


def test_the_summary_is_written_as_data(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", [*many(3), 5])
    done = program(source, "-o", tmp_path / "out.jsonl", "--summary", tmp_path / "sum.json", "--no-ask", "--max-variants", 2)
    told = json.loads((tmp_path / "sum.json").read_text())
    assert done.returncode == 0 and (told["rows"], told["plans"], told["errors"], told["asked"]) == (4, 3, 1, 0)
    assert told["signature"].endswith("policy:max_variants=2,ask=False") and told["rows_per_second"] > 0
    assert f"errors: 1 in {tmp_path / 'out.jsonl.errors.jsonl'}" in done.stderr


def test_what_is_remembered_of_conversations_is_bounded(resources: Resources, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of long conversations must not gather them: the caches keep few of what is large."""
    import copy

    from rewriter import resources as module

    own = copy.copy(resources)
    monkeypatch.setattr(module, "LIMITS", dict.fromkeys(module.LIMITS, 7))
    before = [rewrite("harganya berapa", [f"spesifikasi iphone {n} " + "kamera " * 60], resources=resources).to_json() for n in range(40)]
    after = [rewrite("harganya berapa", [f"spesifikasi iphone {n} " + "kamera " * 60], resources=own).to_json() for n in range(40)]
    assert before == after
    found = {name: len(cache) for name, cache in own.caches.items() if name in module.LIMITS}
    assert {"entities", "long turn"} <= found.keys() and max(found.values()) <= 7
    assert max([len(turns[0].content) for _, turns, _ in own.caches["plans"] if turns], default=0) <= Policy().max_query_chars
