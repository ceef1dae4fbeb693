"""The translation memory filled ahead of time: what goes out, what comes back, what is kept whatever happens."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import strategies as own
from hypothesis import example, given

import rewriter
from rewriter import InputError, Resources, RewriterError, load_resources, rewrite
from rewriter.command import main
from rewriter.io.memory import MemoryFile, Remembered, merge_memories, parse_memory, read_queries, settle_rows
from rewriter.io.translator import Job, Masked, NoTranslationError, Outcome, fill_memory, mask_query, parse_rate, unmask
from rewriter.text.normalise import memory_key

ROOT = Path(rewriter.__file__).parents[1]
QUERIES = ["harga beras hari ini", "cara main roblox", "obat batuk anak", "resep soto ayam", "jadwal kereta ke surabaya"]


# ── Services that are none ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Fake:
    """Translates by writing `in english:` before a text; subclasses misbehave.  `sent` holds what went out."""

    sent: list[str] = []  # noqa: RUF012

    def __init__(self, source: str, target: str) -> None:
        self.languages = (source, target)

    def translate(self, text: str) -> Any:
        self.sent.append(text)
        return self.answer(text)

    def answer(self, text: str) -> Any:
        return f"in english: {text}"


class Stubborn(Fake):
    """Fails at each first try for a text."""

    def answer(self, text: str) -> Any:
        if self.sent.count(text) == 1:
            raise RuntimeError("busy")
        return super().answer(text)


class Failing(Fake):
    def answer(self, text: str) -> Any:
        raise RuntimeError("out of order")


class Poisoned(Fake):
    """Fails for one query alone."""

    def answer(self, text: str) -> Any:
        if "batuk" in text:
            raise RuntimeError("cannot parse")
        return super().answer(text)


class Offline(Fake):
    """Answers twice, then the network is gone; the text of the error holds a key, as those of HTTP libraries do."""

    def answer(self, text: str) -> Any:
        if len(self.sent) > 2:
            raise ConnectionError("https://example.org/translate?api_key=SECRET")
        return super().answer(text)


class Refusing(Fake):
    def answer(self, text: str) -> Any:
        raise type("AuthorizationException", (Exception,), {})("Unauthorized access with the api key SECRET")


class Exhausted(Fake):
    def answer(self, text: str) -> Any:
        return "MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY."


class Unlucky(Fake):
    def answer(self, text: str) -> Any:
        raise type("TranslationNotFound", (Exception,), {})("no translation")


class Careless(Fake):
    """Drops every placeholder."""

    def answer(self, text: str) -> Any:
        return re.sub(r"XQ\d+X", "it", text)


class Doubling(Fake):
    def answer(self, text: str) -> Any:
        return f"{text} {text}"


class Silent(Fake):
    def answer(self, text: str) -> Any:
        return None


class Interrupted(Fake):
    """The user presses Ctrl-C during the third translation."""

    def answer(self, text: str) -> Any:
        if len(self.sent) == 3:
            signal.raise_signal(signal.SIGINT)
            time.sleep(5)
        return super().answer(text)


class NeedsKey(Fake):
    def __init__(self, source: str, target: str) -> None:
        raise type("ApiKeyException", (Exception,), {})('\nYou have to pass your api_key!\n\nExample: export KEY="your_api_key"\n')


@pytest.fixture(autouse=True)
def _nothing_sent() -> Iterator[None]:
    Fake.sent.clear()
    yield
    Fake.sent.clear()


class Run:
    """One run over the given queries, without waiting."""

    def __init__(self, folder: Path, resources: Resources, queries: list[str] = QUERIES, name: str = "memory.jsonl") -> None:
        self.file = folder / "queries.txt"
        self.file.write_text("".join(f"{q}\n" for q in queries), encoding="utf-8")
        self.memory, self.resources = folder / name, resources
        self.told: list[str] = []
        self.waits: list[float] = []
        self.steps: list[tuple[int, int]] = []

    def __call__(self, backend: type[Fake] = Fake, **options: Any) -> Outcome:
        job = Job(str(self.file), self.memory, f"{backend.__module__}:{backend.__name__}", **{"rate": "1000000/s", **options})
        return fill_memory(job, self.resources, self.told.append, lambda done, total: self.steps.append((done, total)), self.waits.append)

    @property
    def rows(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in self.memory.read_text(encoding="utf-8").splitlines()]

    @property
    def targets(self) -> dict[str, str]:
        return {row["source"]: row["target"] for row in self.rows}


@pytest.fixture
def run(tmp_path: Path, resources: Resources) -> Run:
    return Run(tmp_path, resources)


# ── What goes out and comes back ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("query", "sent", "stands_for"),
    [
        ("harga beras", "harga beras", []),
        ("harga rumah di Jakarta", "harga rumah di XQ0X", ["Jakarta"]),
        ("penyebab inflasi di jerman", "penyebab inflasi di XQ0X", ["Germany"]),
        ("cara main roblox", "cara main XQ0X", ["roblox"]),
        ("harga beras 17 Agustus 2024", "harga beras XQ0X", ["17 August 2024"]),
        ("sewa mobil Rp 2 juta", "sewa mobil XQ0X", ["IDR 2 million"]),
        ("headphone WH-1000XM5 bekas", "headphone XQ0X bekas", ["WH-1000XM5"]),
        ("lowongan kerja site:go.id -magang", "lowongan kerja XQ0X XQ1X", ["site:go.id", "-magang"]),
        ("arti “jual rugi” saham", "arti XQ0X saham", ['"jual rugi"']),
        ("cara buka https://contoh.id/a?b=1", "cara buka XQ0X", ["https://contoh.id/a?b=1"]),
        ('kue"kering""manis"', "kue XQ0X XQ1X", ['"kering"', '"manis"']),
        ("arti kode xq0x pada mesin", "arti kode XQ0X pada mesin", ["xq0x"]),
    ],
)
def test_names_and_protected_spans_go_out_as_placeholders(query: str, sent: str, stands_for: list[str], resources: Resources) -> None:
    assert mask_query(query, resources) == Masked(sent, tuple(stands_for))


def test_a_homonym_is_no_name_and_goes_out_as_it_is(resources: Resources) -> None:
    assert mask_query("bunga deposito tertinggi", resources) == Masked("bunga deposito tertinggi", ())


@pytest.mark.parametrize("query", ["", "???", "jakarta", "Rp 2 juta", "how to fix python import error", "makasih ya", "kata " * 500])
def test_what_would_never_be_recalled_is_not_sent(query: str, resources: Resources) -> None:
    assert mask_query(query, resources) is None


@given(own.queries())
@example("harga \ud800 beras")
@example('À"')
@example("C++5kg")
@example("İstanbul H\N{COMBINING MACRON BELOW} di 5kg")
def test_a_placeholder_stands_for_each_span_of_any_query(query: str) -> None:
    masked = mask_query(query, rewriter.default_resources())
    if masked is not None:
        assert re.findall(r"XQ(\d+)X", masked.text) == [str(n) for n in range(len(masked.spans))]
        assert unmask(masked.text, masked)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("rice in XQ0X for XQ1X", "rice in Jakarta for 5kg"),
        ("XQ1X of rice, XQ0X", "5kg of rice, Jakarta"),
        ("xq0x&#39;s rice, Xq 1 X.", "Jakarta's rice, 5kg."),
        ("  rice\nXQ0X\u200b  (XQ1X) ", "rice Jakarta (5kg)"),
    ],
)
def test_placeholders_come_back_wherever_and_however_they_stand(answer: str, expected: str) -> None:
    assert unmask(answer, Masked("beras XQ0X XQ1X", ("Jakarta", "5kg"))) == expected


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("rice in XQ0X", "lost the placeholder of '5kg'"),
        ("rice XQ0X XQ1X XQ1X", "repeats the placeholder of '5kg'"),
        ("rice XQ0X XQ1X XQ2X", "made up a placeholder"),
        ("rice XQ0XQ1X", "lost the placeholder of 'Jakarta'"),
        ("   ", "gave no text"),
        (None, "gave no text"),
    ],
)
def test_a_translation_without_its_placeholders_is_refused(answer: Any, why: str) -> None:
    with pytest.raises(NoTranslationError, match=why):
        unmask(answer, Masked("beras XQ0X XQ1X", ("Jakarta", "5kg")))


def test_a_span_that_looks_like_a_placeholder_is_put_back_as_it_is() -> None:
    assert unmask("code XQ0X", Masked("kode XQ0X", ("XQ7X",))) == "code XQ7X"


# ── Filling a memory ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_query_becomes_a_line_sorted_with_all_that_is_known_of_it(run: Run) -> None:
    assert run(Fake) == Outcome(5, 0, 0, 0, 0)
    assert [row["source"] for row in run.rows] == sorted(QUERIES)
    assert set(map(tuple, run.rows)) == {("source", "target", "backend", "date", "language")}
    first = run.rows[0]
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", first.pop("date"))
    assert first == {
        "source": "cara main roblox", "target": "in english: cara main roblox", "backend": f"{__name__}:Fake", "language": "id",
    }  # fmt: skip
    assert run.steps == [(n, 5) for n in range(6)]


def test_a_rewrite_recalls_the_lines_and_signs_with_them(run: Run) -> None:
    run(Fake)
    plan = rewrite("Harga  beras hari INI", resources=load_resources(memory=run.memory))
    english = next(v for v in plan.variants if v.pattern == "english")
    assert english.text == "in english: harga beras hari ini"
    assert {p.rule for p in english.pieces} == {"recall_translation"}
    assert "|mem:" in plan.signature
    assert "|mem:" not in rewrite("harga beras hari ini").signature


def test_what_is_known_is_not_asked_again(run: Run) -> None:
    run(Fake)
    before = run.memory.read_bytes()
    Fake.sent.clear()
    assert run(Fake) == Outcome(0, 5, 0, 0, 0)
    assert Fake.sent == []
    assert run.memory.read_bytes() == before


def test_equal_queries_are_asked_once_in_their_first_spelling(tmp_path: Path, resources: Resources) -> None:
    run = Run(tmp_path, resources, ["Harga  Beras", "harga beras", "HARGA BERAS\u200b"])
    assert run(Fake) == Outcome(1, 0, 0, 0, 0)
    assert (Fake.sent, list(run.targets)) == (["Harga Beras"], ["harga beras"])


def test_a_failing_service_is_asked_again_after_growing_pauses(tmp_path: Path, resources: Resources) -> None:
    run = Run(tmp_path, resources, QUERIES[:1])
    run(Failing, retries=4)
    assert len(Fake.sent) == 5
    pauses = [w for w in run.waits if w > 0.1]
    assert len(pauses) == 4
    assert all(0.5 * 2**n <= pause <= 2**n for n, pause in enumerate(pauses))


def test_a_failure_that_passes_costs_nothing(run: Run) -> None:
    assert run(Stubborn, retries=1) == Outcome(5, 0, 0, 0, 0)


def test_no_pause_is_longer_than_a_minute(tmp_path: Path, resources: Resources) -> None:
    run = Run(tmp_path, resources, QUERIES[:1])
    run(Failing, retries=12)
    assert 30 <= max(run.waits) <= 60


def test_requests_keep_to_the_rate(run: Run) -> None:
    run(Fake, rate="30/min")
    assert [round(w) for w in run.waits] == [2, 4, 6, 8], "nobody slept, so each waits for its place in the row"


@pytest.mark.parametrize("rate", ["", "0/s", "2/d", "-1/s", "fast", "2/s/s", "1e3/s"])
def test_a_rate_that_is_none_is_refused(rate: str) -> None:
    with pytest.raises(InputError, match="--rate"):
        parse_rate(rate)


def test_a_query_that_the_service_cannot_take_is_told_and_the_rest_goes_on(run: Run) -> None:
    assert run(Poisoned, retries=1) == Outcome(4, 0, 0, 1, 0)
    assert run.told == ["'obat batuk anak' is not translated: RuntimeError: cannot parse."]


def test_a_service_that_fails_for_five_queries_in_a_row_is_left(tmp_path: Path, resources: Resources) -> None:
    run = Run(tmp_path, resources, [*QUERIES, "manfaat daun kelor"])
    with pytest.raises(RewriterError, match="failed for 5 queries in a row, the last time with RuntimeError: out of order; 0 new"):
        run(Failing, retries=0)
    assert len(Fake.sent) == 5


def test_a_query_without_a_translation_is_not_asked_again(tmp_path: Path, resources: Resources) -> None:
    run = Run(tmp_path, resources, QUERIES[:2])
    assert run(Unlucky) == Outcome(0, 0, 0, 2, 0)
    assert len(Fake.sent) == 2


@pytest.mark.parametrize(("backend", "told"), [(Careless, "lost"), (Doubling, "repeats")])
def test_a_lost_placeholder_is_told_and_its_translation_not_kept(backend: type[Fake], told: str, run: Run) -> None:
    assert run(backend) == Outcome(3, 0, 0, 2, 0)
    assert run.told == [
        f"'cara main roblox' is not translated: the service {told} the placeholder of 'roblox'.",
        f"'jadwal kereta ke surabaya' is not translated: the service {told} the placeholder of 'Surabaya'.",
    ]
    assert "cara main roblox" not in run.targets


def test_lost_placeholders_do_not_end_a_run(tmp_path: Path, resources: Resources) -> None:
    run = Run(tmp_path, resources, [f"harga beras di {city}" for city in "jakarta bandung surabaya medan semarang makassar".split()])
    assert run(Careless).refused == 6


def test_no_answer_is_no_translation(tmp_path: Path, resources: Resources) -> None:
    run = Run(tmp_path, resources, QUERIES[:1])
    assert run(Silent).refused == 1


@pytest.mark.parametrize(
    ("backend", "told", "kept"),
    [
        (Offline, "cannot be reached: ConnectionError; 2 new translations are kept", 2),
        (Refusing, "refuses to translate: AuthorizationException; 0 new translations are kept", 0),
        (Exhausted, "refuses to translate: MYMEMORY WARNING: YOU USED ALL", 0),
    ],
)
def test_a_service_that_is_gone_is_one_sentence_and_what_is_done_stays(backend: type[Fake], told: str, kept: int, run: Run) -> None:
    with pytest.raises(RewriterError, match=told) as caught:
        run(backend, retries=1)
    assert "SECRET" not in str(caught.value)
    assert len(run.rows) == kept
    assert run(Fake) == Outcome(5 - kept, kept, 0, 0, 0)


def test_an_interrupted_run_keeps_what_is_done_and_says_so(run: Run) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(Interrupted)
    assert run.told == [f"Interrupted; 2 new translations are kept in {run.memory}, and the same command goes on from there."]
    assert len(run.rows) == 2


def test_a_service_that_never_answers_is_not_waited_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Sleeping(Fake):
        def answer(self, text: str) -> Any:
            time.sleep(3)

    monkeypatch.setattr("rewriter.io.translator.LONGEST_CALL", 0.05)
    monkeypatch.setattr(sys.modules[__name__], "Sleeping", Sleeping, raising=False)
    with pytest.raises(RewriterError, match="cannot be reached: TimeoutError"):
        run(Sleeping, retries=0)


@pytest.mark.parametrize(
    ("backend", "told"),
    [
        ("nosuchmodule:Class", "cannot be imported"),
        (f"{__name__}:Nobody", "cannot be used: AttributeError"),
        (f"{__name__}:QUERIES", "cannot be used: TypeError"),
        (f"{__name__}:NeedsKey", r"cannot be used: ApiKeyException: You have to pass your api_key!\.$"),
    ],
)
def test_a_backend_that_is_none_is_refused_before_anything_is_written(backend: str, told: str, run: Run) -> None:
    with pytest.raises(InputError, match=told):
        fill_memory(Job(str(run.file), run.memory, backend), run.resources, run.told.append, lambda *_: None)
    assert not run.memory.exists()


def test_services_are_named_as_in_deep_translator_and_get_their_own_codes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep_translator.py").write_text(
        f"import {__name__} as fakes\n__all__ = ['MyMemoryTranslator', 'batch_detection']\n"
        "class MyMemoryTranslator(fakes.Fake):\n    def answer(self, text): return text + ' {}>{}'.format(*self.languages)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "deep_translator", raising=False)
    job = Job(str(run.file), run.memory, "mymemory", rate="1000000")
    assert fill_memory(job, run.resources, run.told.append, lambda *_: None).translated == 5
    assert {t.split()[-1] for t in run.targets.values()} == {"id-ID>en-US"}
    with pytest.raises(InputError, match="'bing'; known are mymemory, and any module:Class"):
        fill_memory(job._replace(backend="bing"), run.resources, run.told.append, lambda *_: None)
    monkeypatch.delitem(sys.modules, "deep_translator")


def test_without_deep_translator_the_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deep_translator", None)
    with pytest.raises(InputError, match=r"google needs deep-translator .* install rewriter\[translate\]"):
        fill_memory(Job(str(run.file), run.memory), run.resources, run.told.append, lambda *_: None)


def test_a_memory_of_another_language_is_refused(run: Run) -> None:
    with pytest.raises(InputError, match="--target is 'fr'"):
        run(Fake, target="fr")


# ── The memory as a file ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def line(source: str, target: str, date: str = "", **more: Any) -> str:
    return json.dumps({"source": source, "target": target, "date": date, **more}) + "\n"


@given(own.queries())
@example("H\N{COMBINING MACRON BELOW}")
@example("J\N{COMBINING CARON} İ")
def test_the_key_of_a_key_is_itself(query: str) -> None:
    assert memory_key(memory_key(query)) == memory_key(query)


@given(own.any_text(), own.any_text())
@example("0", "\ud800\udc00")
def test_every_line_is_ascii_and_reads_back(source: str, target: str) -> None:
    target = target.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # JSON joins two halves
    row = Remembered(memory_key(source), target, "b", "2026-01-02", "id", {"note": target})
    if row.source and target.strip():
        rows, broken = parse_memory(row.line, "m")
        assert (rows, broken) == ([row._replace(place="m:1")], [])
        assert row.line.isascii()
        assert row.line.count(b"\n") == 1


def test_broken_lines_are_told_set_aside_and_the_rest_goes_on(run: Run) -> None:
    broken = ['{"source": "harga', "[1]", '{"source": "harga cabai"}', '{"source": 1, "target": "x"}', '{"source": "??", "target": " "}']
    run.memory.write_bytes(
        "".join(f"{b}\n" for b in broken).encode() + b"\xff\n" + line("harga beras hari ini", "rice price today").encode()
    )
    assert run(Fake) == Outcome(4, 1, 0, 0, 6)
    assert [re.sub(r"^.*:(\d+): .*", r"\1", told) for told in run.told] == ["1", "2", "3", "4", "5", "6"]
    assert Path(f"{run.memory}.broken").read_bytes().split(b"\n")[:-1] == [*[b.encode() for b in broken], b"\xff"]
    assert run.targets["harga beras hari ini"] == "rice price today"
    load_resources(memory=run.memory)


def test_a_line_cut_off_by_a_power_cut_harms_no_other(run: Run) -> None:
    run.memory.write_text(line("harga beras hari ini", "rice price today") + '{"source": "obat ba', encoding="utf-8")
    assert run(Fake) == Outcome(4, 1, 0, 0, 1)
    assert len(run.rows) == 5


def test_hand_written_lines_and_their_fields_stay(run: Run) -> None:
    run.memory.write_text('\ufeff{"target": "rice price", "source": "Harga BERAS hari ini", "note": "by hand"}\n', encoding="utf-8")
    run(Fake)
    kept = next(row for row in run.rows if row["source"] == "harga beras hari ini")
    assert kept == {"source": "harga beras hari ini", "target": "rice price", "backend": "", "date": "", "language": "", "note": "by hand"}


def test_only_one_run_fills_a_memory_at_a_time(run: Run) -> None:
    pytest.importorskip("fcntl")
    first = MemoryFile(run.memory, run.told.append)
    with pytest.raises(InputError, match="is being filled by another run"):
        run(Fake)
    first.close()
    assert run(Fake).translated == 5


def test_a_memory_keeps_its_permissions_and_its_link(run: Run, tmp_path: Path) -> None:
    real = tmp_path / "real.jsonl"
    real.write_text(line("b", "b") + line("a", "a"), encoding="utf-8")
    real.chmod(0o640)
    run.memory.symlink_to(real)
    run(Fake)
    assert run.memory.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert len(run.rows) == 7


def test_of_two_translations_the_newer_stays_and_the_other_is_told() -> None:
    rows, _ = parse_memory(
        (
            line("a", "old", "2025-01-01") + line("a", "new", "2026-01-01") + line("a", "older", "2024-01-01") + line("a", "undated")
            + line("b", "same", "2025-01-01") + line("b", "same", "2024-01-01") + line("a", "odd", "soon")
        ).encode(),
        "m",
    )  # fmt: skip
    kept, conflicts = settle_rows(rows)
    assert [(r.source, r.target) for r in kept] == [("a", "new"), ("b", "same")]
    assert [c.split(":")[1] for c in conflicts] == ["1", "3", "4", "7"]
    assert conflicts[0] == "m:1: 'old' for 'a' gives way to 'new' (2026-01-01, m:2)."


def test_merging_takes_the_newest_of_each_and_tells_conflicts(tmp_path: Path) -> None:
    a, b, c = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl"
    a.write_text(line("y", "1", "2026-01-01") + line("x", "same", "2026-01-01") + "broken\n", encoding="utf-8")
    b.write_text(line("y", "2", "2026-01-02") + line("x", "same", "2025-01-01") + line("z", "3"), encoding="utf-8")
    told: list[str] = []
    assert merge_memories([str(a), str(b)], str(c), told.append) == (3, 1, 1)
    assert [(r["source"], r["target"]) for r in map(json.loads, c.read_text(encoding="utf-8").splitlines())] == [
        ("x", "same"), ("y", "2"), ("z", "3"),
    ]  # fmt: skip
    assert told[0].startswith(f"{a}:3: ")
    assert told[1] == f"{a}:1: '1' for 'y' gives way to '2' (2026-01-02, {b}:1)."
    for order in ([a, b], [b, a]):
        merge_memories([str(p) for p in order], str(tmp_path / "d.jsonl"), told.append)
        assert (tmp_path / "d.jsonl").read_bytes() == c.read_bytes()


def test_merging_into_one_of_the_inputs_loses_no_line(tmp_path: Path) -> None:
    a = tmp_path / "a.jsonl"
    a.write_text("broken\n" + line("x", "1"), encoding="utf-8")
    merge_memories([str(a)], str(a), lambda _: None)
    assert (Path(f"{a}.broken").read_text(encoding="utf-8"), len(a.read_bytes().splitlines())) == ("broken\n", 1)


# ── Queries as files ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "data", "found", "broken"),
    [
        ("q.txt", b"harga beras\r\n\n  obat batuk \n", ["harga beras\r", "  obat batuk "], []),
        ("q", b"\xef\xbb\xbfharga beras\n\xffrusak\nobat", ["harga beras", "obat"], [2]),
        ("q.jsonl", b'{"query": "a"}\n"b"\n\n{"q": "c"}\n{"query": 1}\n[\n{"query": "d\\ud800"}', ["a", "b", "d\ud800"], [4, 5, 6]),
        ("q.txt", b'{"query": "a"}\n', ["a"], []),
        ("q.csv", b'query_id,query\r\n1,"a, b"\r\n\r\n2\r\n3,"c\nd"\r\n4,\xff\r\n5,e', ["a, b", "c\nd", "e"], [4, 7]),
        ("q.csv", b"query;n\na;1\n", ["a"], []),
        ("q.tsv", b"n\tquery\n1\ta, b\n", ["a, b"], []),
        ("q.txt", b"", [], []),
        ("q.csv", b"query\n", [], []),
    ],
)
def test_queries_are_read_from_text_jsonl_and_tables(name: str, data: bytes, found: list[str], broken: list[int], tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    queries, told = read_queries(str(file), "query")
    assert queries == found
    assert [int(t.removeprefix(f"{file}:").split(":")[0]) for t in told] == broken


def test_a_cell_longer_than_any_table_has_is_a_broken_line(tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    file.write_text(f"query\na\n{'b' * (csv.field_size_limit() + 1)}\nc\n", encoding="utf-8")
    queries, told = read_queries(str(file), "query")
    assert (queries, len(told)) == (["a", "c"], 1)


@pytest.mark.parametrize(("data", "told"), [("a,b\n1,2\n", "no column 'query' but a, b"), ("", "no column 'query' but none")])
def test_a_table_without_the_column_is_refused(data: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text(data, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_queries(str(tmp_path / "q.csv"), "query")


def test_another_column_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("q,query\na,b\n", encoding="utf-8")
    assert read_queries(str(tmp_path / "q.csv"), "q") == (["a"], [])


def test_a_missing_input_leaves_no_memory(run: Run) -> None:
    run.file.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        run(Fake)
    assert not run.memory.exists()


# ── The command ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

SLOW = """
import os, time
class Slow:
    def __init__(self, source, target): self.pause = float(os.environ["PAUSE"])
    def translate(self, text):
        time.sleep(self.pause)
        return "en " + text
"""
MANY = [f"harga beras {word} di {city}" for word in ("murah", "merah", "organik") for city in "jakarta bandung medan bogor solo".split()]


def start_command(folder: Path, memory: str, pause: float) -> subprocess.Popen[str]:
    (folder / "slowly.py").write_text(SLOW, encoding="utf-8")
    (folder / "queries.txt").write_text("\n".join(MANY), encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-m", "rewriter", "translate", "queries.txt", "-o", memory, "--backend", "slowly:Slow", "--rate", "1000/s"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "PAUSE": str(pause)}, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip


def wait_for_lines(file: Path, count: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while not file.exists() or file.read_bytes().count(b"\n") < count:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_killed_run_goes_on_and_gives_the_file_of_an_unbroken_one(tmp_path: Path, resources: Resources) -> None:
    assert "rewriter: whole.jsonl: 15 translated, 0 known" in start_command(tmp_path, "whole.jsonl", 0).communicate()[1]
    broken = tmp_path / "broken.jsonl"
    for count in (3, 8):
        process = start_command(tmp_path, "broken.jsonl", 0.1)
        wait_for_lines(broken, count, process)
        process.kill()
        process.communicate()
        assert all(json.loads(row) for row in broken.read_text(encoding="utf-8").splitlines())
    done = broken.read_bytes().count(b"\n")
    assert 8 <= done < 15
    process = start_command(tmp_path, "broken.jsonl", 0)
    assert f"rewriter: broken.jsonl: {15 - done} translated, {done} known before" in process.communicate()[1]
    assert process.returncode == 0
    assert broken.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_ctrl_c_leaves_a_sorted_memory_and_the_exit_code_of_an_interrupt(tmp_path: Path, resources: Resources) -> None:
    process = start_command(tmp_path, "m.jsonl", 0.1)
    wait_for_lines(tmp_path / "m.jsonl", 3, process)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    sources = [json.loads(row)["source"] for row in (tmp_path / "m.jsonl").read_text(encoding="utf-8").splitlines()]
    assert f"Interrupted; {len(sources)} new translations are kept in m.jsonl" in told
    assert sources == sorted(sources)


def call_command(*arguments: str) -> int:
    return main(["translate", *arguments])


def test_the_command_reads_standard_input_and_sums_up(
    tmp_path: Path, resources: Resources, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"harga beras\nbest laptop for students\n")))
    memory = str(tmp_path / "m.jsonl")
    assert call_command("-", "-o", memory, "--backend", f"{__name__}:Fake") == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"rewriter: {memory}: 1 translated, 0 known before, 1 with nothing to translate, 0 refused, 0 broken lines.\n"


def test_something_refused_is_a_finding_and_a_service_that_is_gone_an_error(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    options = [str(run.file), "-o", str(run.memory), "--rate", "1000000", "--retries", "0", "--backend"]
    assert call_command(*options, f"{__name__}:Careless") == 1
    assert call_command(*options, f"{__name__}:Refusing") == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"rewriter: {__name__}:Refusing refuses to translate")
    assert len(run.rows) == 3


def test_merge_writes_a_file_or_standard_output(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    a.write_text(line("x", "1", "2026-01-01"), encoding="utf-8")
    b.write_text(line("x", "2", "2026-01-02"), encoding="utf-8")
    assert call_command("--merge", str(a), str(b), "-o", str(tmp_path / "c.jsonl")) == 0
    assert json.loads((tmp_path / "c.jsonl").read_text(encoding="utf-8"))["target"] == "2"
    capfdbinary.readouterr()
    assert call_command("--merge", str(a), str(tmp_path / "none.jsonl"), "-o", "-") == 2
    assert capfdbinary.readouterr().out == b""


def test_two_inputs_without_merge_are_refused(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert call_command(str(run.file), "other.txt", "-o", str(run.memory)) == 2
    assert "'other.txt' is a second input" in capsys.readouterr().err


def test_a_shuffled_input_gives_the_same_memory(tmp_path: Path, resources: Resources) -> None:
    shuffled = random.Random(1).sample(QUERIES, len(QUERIES))
    first, second = Run(tmp_path, resources, QUERIES, "a.jsonl"), Run(tmp_path, resources, shuffled, "b.jsonl")
    for run, queries in ((first, QUERIES), (second, shuffled)):
        run.file.write_text("\n".join(queries), encoding="utf-8")
        run(Fake)
    assert first.memory.read_bytes() == second.memory.read_bytes()


def test_a_query_whose_letters_compose_when_folded_twice_is_recalled(tmp_path: Path) -> None:
    memory = tmp_path / "memory.jsonl"
    memory.write_text(json.dumps({"source": memory_key("harga H\u0331ijau"), "target": "green price"}) + "\n", encoding="utf-8")
    plan = rewrite("harga H\u0331ijau", resources=load_resources(memory=memory))
    assert [v.text for v in plan.variants if v.pattern == "english"] == ["green price"]
