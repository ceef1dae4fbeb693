"""Previews, overlays, versions: what a change does is told exactly, and no plan is ever made of two states."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import lexicons, synthetic_queries, to_jsonl

from rewriter import Plan, Resources, load_resources, rewrite
from rewriter.curation import share
from rewriter.curation.cases import Case
from rewriter.curation.diff import compare
from rewriter.curation.logs import Logged
from rewriter.curation.page import to_page
from rewriter.curation.pieces import alone
from rewriter.curation.preview import Preview, preview_log
from rewriter.curation.stats import count_reach
from rewriter.curation.versions import changed_entries, items_at, layer_of, opened, resources_of
from rewriter.errors import LexiconError
from rewriter.io.live import LiveResources
from rewriter.pack.files import lexicons_folder

JARGON = {"id": "zorblat.x", "forms": ["zorblat"], "expert": {"id": ["istilah"]}, "domain": "food/dishes", "source": "test"}
SENSE = {
    "id": "zorblat.mesin", "forms": ["zorblat mini"], "canonical": {"en": "Kwendra machine", "id": "mesin Kwendra"},
    "gloss": {"en": "a machine", "id": "sebuah mesin"}, "domain": "technology/ai", "cues": ["oli"], "prior": 300, "source": "test",
}  # fmt: skip


def folder_of(path: Path, rows: Sequence[Any]) -> Path:
    """A lexicon of these rows."""
    path.mkdir(exist_ok=True)
    (path / "a.jsonl").write_text(to_jsonl(rows), encoding="utf-8")
    return path


def seen(plan: Plan) -> tuple[Any, ...]:
    """What a user of a plan sees."""
    asked = plan.clarification
    return ([(v.pattern, v.text) for v in plan.variants], asked and asked.question, asked and asked.options)


def preview_of(old: Path | None, new: Path, log: Sequence[Logged], cases: Sequence[Case] = ()) -> tuple[Preview, Resources, Resources]:
    """A preview and the resources of both sides."""
    before, after = layer_of([old] if old else []), layer_of([new])
    was, now = resources_of(before), resources_of(after)
    return preview_log(log, cases, was, now, changed_entries(before, after)), was, now


# ── Previews ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=25)
@given(old=lexicons(), new=lexicons(), queries=st.lists(synthetic_queries(), min_size=1, max_size=8))
def test_a_preview_tells_exactly_the_plans_that_differ(
    old: list[Any], new: list[Any], queries: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.mktemp("preview")
    log = [Logged(query, context=("oli mesin",) if n % 2 else ()) for n, query in enumerate(queries)]
    shown, was, now = preview_of(folder_of(base / "old", old), folder_of(base / "new", new), log)
    expected = {
        (one.query, one.context)
        for one in log
        if seen(rewrite(one.query, one.context, resources=was)) != seen(rewrite(one.query, one.context, resources=now))
    }
    assert {(c.query, c.context) for c in shown.changed} == expected
    assert all(c.entries for c in shown.changed)


def test_an_entry_found_by_most_of_its_words_is_seen_to_change_a_plan(tmp_path: Path) -> None:
    row = {**JARGON, "forms": ["cairan bening keluar dari lutut bengkak"], "expert": {"id": ["zorblatitis"], "en": ["zorblatitis"]}}
    made = folder_of(tmp_path / "new", [row])
    query = "lutut bengkak keluar cairan"
    assert "zorblatitis" in str(rewrite(query, resources=load_resources(made)).queries)
    for old, new in ((None, made), (made, folder_of(tmp_path / "old", [{**row, "status": "retired"}]))):
        shown, _, _ = preview_of(old, new, [Logged(query)])
        assert [c.query for c in shown.changed] == [query] and shown.changed[0].entries == ("1 zorblat.x",)


def test_several_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = [Logged(f"harga {word} {n}") for n in range(120) for word in ("zorblat mini", "beras")]
    log += [Logged("beli zorblat mini", context=(f"oli nomor {n}",), count=2) for n in range(5)]
    before, after = layer_of([]), layer_of([folder_of(tmp_path / "new", [SENSE, JARGON])])
    was, now, changes = resources_of(before), resources_of(after), changed_entries(before, after)
    monkeypatch.setattr(share, "WORTH", 10)
    monkeypatch.setattr(share, "processors", lambda: 2)
    started: list[int] = []
    real = share.in_processes

    def told(pieces: Iterator[Any], workers: int, *given: Any) -> Iterator[Any]:
        started.append(workers)
        return real(pieces, workers, *given)

    monkeypatch.setattr(share, "in_processes", told)
    one, two = [preview_log(log, (), was, now, changes, share=how) for how in (alone, share.among_processes)]
    assert started == [2] and one == two and one.to_dict() == two.to_dict() and len(one.changed) > 100
    assert count_reach(log, now) == count_reach(log, now, share=share.among_processes)


def test_a_short_log_starts_no_process(monkeypatch: pytest.MonkeyPatch, resources: Resources) -> None:
    monkeypatch.setattr(share, "in_processes", lambda *_: pytest.fail("a process was started"))
    assert count_reach([Logged("harga beras")], resources, share=share.among_processes)["queries"] == 1


def test_changes_are_grouped_by_entry_and_counted_as_logged(tmp_path: Path) -> None:
    log = [Logged("harga zorblat mini", count=3), Logged("harga beras"), Logged("harga zorblat mini", count=2)]
    cases = [
        Case("c:1", {"query": "harga zorblat mini", "has": {"disambiguation": ["kwendra"]}}),
        Case("c:2", {"query": "harga zorblat mini", "equals": {"question": "Berapa harga zorblat mini?"}}),
        Case("c:3", {"query": "harga beras", "equals": {"literal": "harga beras"}}),
    ]
    shown, _, _ = preview_of(None, folder_of(tmp_path / "new", [SENSE, {**JARGON, "id": "brofta.x", "forms": ["brofta"]}]), log, cases)
    data = shown.to_dict()
    assert (data["queries"], data["queries_asked_in_log"], data["queries_touched"], data["plans_changed"]) == (2, 6, 1, 1)
    assert data["by_entry"] == [{"entry": "zorblat.mesin", "queries": ["harga zorblat mini"]}, {"entry": "brofta.x", "queries": []}]
    assert [c["count"] for c in data["changes"]] == [5]
    assert ([r["where"] for r in data["fixed"]], [r["where"] for r in data["regressions"]]) == (["c:1"], ["c:2"])


def test_newly_asked_queries_are_named(tmp_path: Path) -> None:
    other = {**SENSE, "id": "zorblat.buah", "canonical": {"en": "trantil fruit", "id": "buah trantil"}, "domain": "food/dishes", "prior": 0}
    one, two = {**SENSE, "prior": 0}, {**other, "gloss": {"en": "a fruit", "id": "sebuah buah"}}
    shown, _, _ = preview_of(folder_of(tmp_path / "old", [one]), folder_of(tmp_path / "new", [one, two]), [Logged("zorblat mini")])
    assert shown.to_dict()["newly_asked"] == ["zorblat mini"]
    back, _, _ = preview_of(tmp_path / "new", tmp_path / "old", [Logged("zorblat mini")])
    assert back.to_dict()["no_longer_asked"] == ["zorblat mini"]


def test_the_page_holds_no_markup_of_others_and_loads_nothing(tmp_path: Path) -> None:
    evil = {**SENSE, "gloss": {"en": "<script>alert(1)</script>", "id": "<b>mesin</b>"}}
    shown, _, _ = preview_of(None, folder_of(tmp_path / "new", [evil]), [Logged("harga <i> zorblat mini")])
    page = to_page(shown, "A & B")
    assert "&lt;script&gt;" in page and "A &amp; B" in page and "harga &lt;i&gt; zorblat mini" in page
    assert not any(sign in page for sign in ("<script", "<i>", "src=", "href=", "http:", "https:", "url(", "@import"))


# ── Versions ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_diff_tells_added_removed_changed_and_retired_entries(tmp_path: Path) -> None:
    kept, gone, grown = [{**JARGON, "id": f"{n}.x", "forms": [n]} for n in ("kept", "gone", "grown")]
    old = folder_of(tmp_path / "old", [kept, gone, grown, SENSE])
    new = folder_of(
        tmp_path / "new", [{**SENSE, "status": "retired"}, {**grown, "forms": ["grown", "more"]}, kept, {**JARGON, "id": "new.x"}]
    )
    changes = compare(items_at(old), items_at(new))
    assert [(c.what, c.name) for c in changes] == [
        ("removed", "gone.x"),
        ("changed", "grown.x"),
        ("added", "new.x"),
        ("retired", "zorblat.mesin"),
    ]
    assert dict(changes[1].fields) == {"forms": (["grown"], ["grown", "more"])}


def test_order_and_files_make_no_difference(tmp_path: Path) -> None:
    old = folder_of(tmp_path / "old", [JARGON, SENSE])
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "b.jsonl").write_text(to_jsonl([{**SENSE, "cues": ["oli"]}, JARGON]), encoding="utf-8")
    assert compare(items_at(old), items_at(tmp_path / "new")) == []


def test_a_whole_lexicon_counts_as_what_it_says_otherwise(tmp_path: Path) -> None:
    for file in ("domains.toml", "slang/en.tsv", "slang/id.tsv"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes((lexicons_folder() / file).read_bytes())
    layer = layer_of([tmp_path])
    assert layer.entries == {}
    assert "0 nano-banana.fruit" in layer.retired and not any(key.startswith("3 lol") for key in layer.retired)


def test_a_version_may_be_a_git_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder_of(tmp_path / "team", [JARGON])
    who = ["-c", "user.name=ani", "-c", "user.email=ani@example.org"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], check=True)
    folder_of(tmp_path / "team", [JARGON, SENSE])
    with opened("HEAD:team") as old, opened("team") as new:
        assert [(c.what, c.name) for c in compare(items_at(old), items_at(new))] == [("added", "zorblat.mesin")]
    with pytest.raises(LexiconError, match="REVISION:PATH"), opened("HEAD:absent"):
        pass


# ── Overlays ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_upper_of_two_overlays_wins_and_may_retire(tmp_path: Path) -> None:
    lower = folder_of(tmp_path / "lower", [SENSE])
    upper = folder_of(tmp_path / "upper", [{**SENSE, "canonical": {"en": "Brofta machine", "id": "mesin Brofta"}}])
    none = folder_of(tmp_path / "none", [{**SENSE, "status": "retired"}])
    assert [e.id for e in load_resources(lower, upper).exact("zorblat mini")] == ["zorblat.mesin"]
    assert rewrite("harga zorblat mini", resources=load_resources(lower, upper)).queries[1] == "harga mesin Brofta"
    assert load_resources(lower, none).exact("zorblat mini") == ()
    assert load_resources(none, lower).exact("zorblat mini") != ()


def test_a_retired_entry_takes_the_shipped_one_away(tmp_path: Path) -> None:
    rows = [{**SENSE, "id": "nano-banana.fruit", "forms": ["nano banana"], "status": "retired"}]
    resources = load_resources(folder_of(tmp_path / "team", rows))
    assert [e.id for e in resources.exact("nano banana")] == ["nano-banana.image-model"]
    assert resources != load_resources() and "+" in resources.identity


def test_drafts_are_used_only_on_request(tmp_path: Path) -> None:
    place = folder_of(tmp_path / "team", [{**SENSE, "status": "draft"}])
    assert load_resources(place).exact("zorblat mini") == ()
    assert [e.id for e in load_resources(place, drafts=True).exact("zorblat mini")] == ["zorblat.mesin"]


def test_lexicons_of_the_environment_are_for_the_command_line_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from rewriter.command import main

    place = folder_of(tmp_path / "team", [SENSE])
    monkeypatch.setenv("REWRITER_LEXICONS", str(place))
    assert "mesin Kwendra" not in "".join(rewrite("harga zorblat mini").queries)
    assert main(["rewrite", "harga zorblat mini", "--json"]) == 0
    assert "harga mesin Kwendra" in [v["text"] for v in json.loads(capsys.readouterr().out)["variants"]]
    assert main(["rewrite", "harga zorblat mini"]) == 0
    assert "harga mesin Kwendra" in capsys.readouterr().out


def test_a_running_process_never_sees_a_torn_state(tmp_path: Path) -> None:
    """Two entries belong together and carry one stamp; readers see equal stamps, whatever the writer is doing."""

    def rows(stamp: int) -> tuple[str, str]:
        name = f"mesin {stamp}"
        one = {**SENSE, "canonical": {"en": name, "id": name}}
        return to_jsonl([one]), to_jsonl([{**one, "id": "brofta.mesin", "forms": ["brofta"]}])

    place = tmp_path / "team"
    place.mkdir()

    def write(stamp: int) -> None:
        both = tmp_path / "next.jsonl"
        both.write_text("".join(rows(stamp)), encoding="utf-8")
        both.replace(place / "a.jsonl")

    write(0)
    live = LiveResources(place, every=0)
    stop = threading.Event()
    wrong: list[Any] = []
    stamps: set[str] = set()

    def read() -> None:
        while not stop.is_set():
            resources = live.current()
            names = {e.canonical_id for form in ("zorblat mini", "brofta") for e in resources.exact(form)}
            stamps.update(names)
            if len(names) != 1:
                wrong.append(names)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for stamp in range(1, 40):
        write(stamp)
        live.refresh()
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == [] and len(stamps) > 1
    assert {e.canonical_id for e in live.refresh().exact("zorblat mini")} == {"mesin 39"}


def test_a_file_that_cannot_be_read_leaves_the_last_good_state(tmp_path: Path) -> None:
    place = folder_of(tmp_path / "team", [SENSE])
    live = LiveResources(place, every=0)
    (place / "a.jsonl").write_text("{", encoding="utf-8")
    assert [e.id for e in live.current().exact("zorblat mini")] == ["zorblat.mesin"]
    assert live.error is not None and "a.jsonl:1" in live.error
    folder_of(place, [JARGON])
    assert [e.id for e in live.current().exact("zorblat")] == ["zorblat.x"] and live.error is None
    with pytest.raises(LexiconError):
        LiveResources(tmp_path / "absent")
