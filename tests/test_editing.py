"""Adding, editing and retiring: files stay readable, clean and laid out as they were; nobody's work is lost; no file is ever half."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import entry_rows, made_up_texts

from rewriter.curation.edit import change_row, find_rows
from rewriter.curation.edit_toml import add_table, change_table, drop_table
from rewriter.curation.exchange.exchanged import Read
from rewriter.curation.guard import collect
from rewriter.curation.imports import Defaults, plan_import
from rewriter.curation.near import find_near, search_items
from rewriter.curation.rows import Row, key_of, row_of
from rewriter.curation.store import load_items, load_text
from rewriter.curation.work import Refused, add_entry, edit_entry, retire_entry
from rewriter.errors import LexiconError
from rewriter.lexicon.checks import check_collection
from rewriter.pack.files import lexicons_folder

HOME = {"sense": "senses/a.toml", "jargon": "jargon/a.toml", "translation": "bilingual/a.tsv", "slang-id": "slang/id.tsv"}
LAID_OUT = """# What this file is about.

[kafka.apache]
forms        = ["kafka"]            # the short name
canonical.en = "Apache Kafka"
canonical.id = "Apache Kafka"
gloss.en     = "a message broker"
gloss.id     = "perantara pesan"
domain       = "technology/software/data"
cues = [
    "broker", "topic",  # what it is
    "stream",
]
source       = "curated"

# About the writer.
[kafka.writer]
forms = ["kafka", "franz k"]
canonical.en = 'Franz Kafka'
canonical.id = "Franz Kafka"
gloss.en = "the writer"
gloss.id = "sastrawan"
domain = "entertainment/books"
cues = ["novel", "buku", "praha"]
source = "curated"
"""


def no_words(_: str) -> tuple[int, int]:
    """Frequencies of nothing: these tests are about files."""
    return (0, 0)


def findings(root: Path) -> list[str]:
    """All that the lint has against a folder."""
    return [str(f) for f in check_collection(collect(root, no_words))]


# ── Any sequence of commands ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), entry_rows()),
        st.tuples(st.just("edit"), st.tuples(st.integers(0, 30), st.sampled_from(("gloss.en", "to", "cues", "status")), made_up_texts())),
        st.tuples(st.just("retire"), st.integers(0, 30)),
    ),
    min_size=2,
    max_size=7,
)


@settings(max_examples=25)
@given(steps=STEPS)
def test_any_sequence_of_commands_keeps_the_lexicon_clean_and_readable(steps: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "senses").mkdir()
        (root / "senses" / "a.toml").write_text(LAID_OUT, encoding="utf-8")
        known = {("sense", "kafka.apache"), ("sense", "kafka.writer")}
        for what, given_ in steps:
            items = load_items(root)
            try:
                if what == "add":
                    row = Row(*given_)
                    add_entry(root / HOME[row.kind], row, zipf=no_words)
                    known.add(key_of(row)[:2])
                elif what == "retire":
                    retire_entry(root, _name(row_of(items[given_ % len(items)])), "ani", "2026-01-01", zipf=no_words)
                else:
                    number, field, value = given_
                    row = row_of(items[number % len(items)])
                    changes = {"cues": [value.lower(), "oli", "baut"], "status": "reviewed"}.get(field, value)
                    edit_entry(root, _name(row), {field: changes}, zipf=no_words)
            except LexiconError:
                pass  # refused, and then nothing was written
            assert findings(root) == []
            assert {key_of(row_of(i))[:2] for i in load_items(root)} == known
        assert "# About the writer.\n[kafka.writer]" in (root / "senses" / "a.toml").read_text(encoding="utf-8")


def _name(row: Row) -> str:
    return f"{row.id}={row.fields['to']}" if "to" in row.fields else row.id


# ── Layout ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_change_touches_only_its_value() -> None:
    made = change_table(LAID_OUT, "kafka.apache", {"gloss.en": "an event log", "cues": ["broker", "topic", "stream", "event"]}, "a.toml")
    gone = [line for line in LAID_OUT.split("\n") if line not in made.split("\n")]
    come = [line for line in made.split("\n") if line not in LAID_OUT.split("\n")]
    assert gone == ['gloss.en     = "a message broker"']
    assert come == ['gloss.en     = "an event log"', '    "event",']


def test_a_new_field_stands_where_it_usually_does() -> None:
    made = change_table(LAID_OUT, "kafka.apache", {"prior": 300, "reviewer": "ani"}, "a.toml")
    assert made.index("prior        = 300") < made.index('source       = "curated"') < made.index('reviewer     = "ani"')
    assert made.index('reviewer     = "ani"') < made.index("# About the writer.")


def test_a_new_sense_stands_behind_its_siblings_and_before_the_next_comment() -> None:
    made = add_table(LAID_OUT + "\n[other.thing]\nforms = ['x']\n", "kafka.city", {"forms": ["kafka"]}, "a.toml")
    assert [*tomllib.loads(made)["kafka"]] == ["apache", "writer", "city"]
    assert made.index("[kafka.city]") < made.index("[other.thing]")


def test_a_dropped_table_leaves_the_comment_of_the_next() -> None:
    made = drop_table(LAID_OUT, "kafka.apache", "a.toml")
    assert tomllib.loads(made).keys() == {"kafka"} and "# About the writer.\n[kafka.writer]" in made


@given(entry_rows("sense"), entry_rows("sense"))
def test_a_table_says_after_a_change_what_was_asked(first: tuple[str, dict[str, Any]], second: tuple[str, dict[str, Any]]) -> None:
    old, new = Row(*first), Row(*second)
    text = add_table("# head\n", old.id, {k: v for k, v in old.fields.items() if k != "id"}, "senses/a.toml")
    changes = {name: new.fields.get(name) for name in {*old.fields, *new.fields} - {"id"}}
    made = change_row("senses/a.toml", text, find_rows("senses/a.toml", text)[0], changes)
    assert dict(row_of(find_rows("senses/a.toml", made)[0]).fields) == {**new.fields, "id": old.id}


def test_windows_line_ends_stay() -> None:
    text = "id\ten\tpos\twhen\tdomain\tstatus\r\nair\twater\tnu\t\t\treviewed\r\n"
    made = change_row("a.tsv", text, find_rows("a.tsv", text)[0], {"status": "draft"})
    assert made == text.replace("reviewed", "draft")


def test_what_the_lint_would_report_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(LAID_OUT, encoding="utf-8")
    with pytest.raises(Refused, match="E105") as refused:
        edit_entry(tmp_path, "kafka.writer", {"domain": "no/such"}, force=True)
    assert [f.code for f in refused.value.findings] == ["E105"]
    with pytest.raises(Refused, match="--force"):
        edit_entry(tmp_path, "kafka.writer", {"cues": ["yang", "novel", "buku"]})
    assert file.read_text(encoding="utf-8") == LAID_OUT
    edit_entry(tmp_path, "kafka.writer", {"cues": ["yang", "novel", "buku"]}, force=True)
    assert '"yang"' in file.read_text(encoding="utf-8")


def test_a_form_with_several_lines_is_named_with_its_target(tmp_path: Path) -> None:
    shard = tmp_path / "a.tsv"
    shard.write_text(
        "id\ten\tpos\twhen\tdomain\tstatus\nbunga\tflower\tn\t\t\treviewed\nbunga\tinterest\tnu\tbank\t\treviewed\n", encoding="utf-8"
    )
    with pytest.raises(LexiconError, match=r"names 2 entries: bunga=flower .*; bunga=interest"):
        edit_entry(tmp_path, "bunga", {"pos": "nu"})
    edit_entry(tmp_path, "bunga=interest", {"when": ["bank", "kredit"]})
    assert shard.read_text(encoding="utf-8").endswith("bunga\tinterest\tnu\tbank,kredit\t\treviewed\n")


def test_near_matches_and_siblings_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(LAID_OUT, encoding="utf-8")
    near = find_near(["kafka", "frans k"], load_items(tmp_path))
    assert [row_of(i).id for i in near.siblings] == ["kafka.apache", "kafka.writer"]
    alike = find_near(["kafkaa"], load_items(tmp_path)).alike
    assert [(form, percent, row_of(i).id) for form, percent, i in alike] == [("kafka", 91, "kafka.apache"), ("kafka", 91, "kafka.writer")]


def test_a_search_is_ranked_by_what_it_found_where(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(LAID_OUT, encoding="utf-8")
    lines = "".join(f"{line}\tn\t\t\treviewed\n" for line in ("diskafkai\tx", "kafka\tKafka", "novel kafka\tnovel of Kafka"))
    (tmp_path / "b.tsv").write_text("id\ten\tpos\twhen\tdomain\tstatus\n" + lines, encoding="utf-8")
    found = [(row_of(i).id, field) for i, field in search_items("KAFKA", load_items(tmp_path))]
    assert found == [
        ("kafka.apache", "forms"), ("kafka.writer", "forms"), ("kafka", "form"), ("novel kafka", "form"), ("diskafkai", "form"),
    ]  # fmt: skip
    assert [(row_of(i).id, field) for i, field in search_items("praha", load_items(tmp_path))] == [("kafka.writer", "cues")]


def test_a_shipped_entry_that_names_others_can_be_copied(tmp_path: Path) -> None:
    shipped = [i for i in load_items(lexicons_folder() / "senses") if "near" in i.fields][:1]
    name = row_of(shipped[0]).id
    retire_entry(tmp_path, name, "ani", "2026-01-01", shipped=shipped, zipf=no_words)
    edit_entry(tmp_path, name, {"status": "draft"}, force=True, zipf=no_words)
    signs = {"status": "", "reviewer": "", "reviewed": ""}
    assert {**row_of(load_items(tmp_path)[0]).fields, **signs} == {**row_of(shipped[0]).fields, **signs}


def test_lines_of_a_form_are_copied_together_and_only_once(tmp_path: Path) -> None:
    shipped_root = tmp_path / "shipped"
    (shipped_root / "bilingual").mkdir(parents=True)
    (shipped_root / "domains.toml").touch()
    head = "id\ten\tpos\twhen\tdomain\tstatus\n"
    lines = "hak\theel\tn\tsepatu\t\treviewed\nhak\tright\tn\t\t\treviewed\n"
    (shipped_root / "bilingual" / "a.tsv").write_text(head + lines, encoding="utf-8")
    shipped, over = load_items(shipped_root), tmp_path / "over"
    over.mkdir()
    retire_entry(over, "hak=heel", "", "", shipped=shipped, zipf=no_words)
    assert (over / "bilingual" / "a.tsv").read_text(encoding="utf-8") == head + lines.replace("sepatu\t\treviewed", "sepatu\t\tretired")
    with pytest.raises(LexiconError, match="has no entry 'hak=hook'"):
        edit_entry(over, "hak=hook", {"pos": "v"}, shipped=shipped, zipf=no_words)


# ── Two at once, and killed ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _curate(folder: str, name: str, rounds: int) -> None:
    for number in range(rounds):
        row = Row("translation", {"form": f"{name} {number}", "to": f"word {number}", "pos": "n", "status": "reviewed"})
        add_entry(Path(folder) / "bilingual" / "a.tsv", row, zipf=no_words)
        fields = {"forms": [f"{name}{number}"], "expert.id": [f"istilah {number}"], "domain": "food/dishes", "source": "curated"}
        add_entry(Path(folder) / "jargon" / "a.toml", Row("jargon", {"id": f"{name}-{number}.x", **fields}), zipf=no_words)


def test_concurrent_writers_lose_nothing(tmp_path: Path) -> None:
    names = ("ani", "budi", "citra")
    work = multiprocessing.get_context("spawn")
    running = [work.Process(target=_curate, args=(str(tmp_path), name, 6)) for name in names]
    for process in running:
        process.start()
    for process in running:
        process.join(120)
    assert [p.exitcode for p in running] == [0, 0, 0]
    found = {row_of(i).id for i in load_items(tmp_path)}
    assert found == {f"{n} {k}" for n in names for k in range(6)} | {f"{n}-{k}.x" for n in names for k in range(6)}
    assert findings(tmp_path) == []


_ENDLESS = """
import sys
from pathlib import Path
from rewriter.curation.store import hold, write_texts
file, old, new = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
texts = [Path(p).read_text(encoding="utf-8") for p in (old, new)]
print("ready", flush=True)
while True:
    for text in texts:
        with hold(file.parent):
            write_texts({file: text})
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is of POSIX")
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    states = [tmp_path / "old.txt", tmp_path / "new.txt"]
    states[0].write_text(LAID_OUT * 400, encoding="utf-8")
    states[1].write_text(LAID_OUT.replace("kafka", "kofka") * 400, encoding="utf-8")
    whole = {state.read_bytes() for state in states}
    folder = tmp_path / "lexicon"
    folder.mkdir()
    file = folder / "a.toml"
    for delay in (0.01, 0.03, 0.05, 0.08, 0.12):
        command = [sys.executable, "-c", _ENDLESS, str(file), *map(str, states)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])})
        assert writer.stdout is not None and writer.stdout.readline() == b"ready\n"
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert not file.exists() or file.read_bytes() in whole
    assert file.exists()
    assert [p.name for p in folder.iterdir() if p.suffix in (".toml", ".tsv", ".jsonl")] == ["a.toml"]


# ── Imports ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _plan(root: Path, reads: list[Read], *, update: bool = False) -> tuple[list[tuple[str, str]], dict[str, str]]:
    before = collect(root, no_words)
    texts = {f.as_posix(): load_text(f) for f in sorted(root.rglob("*.t*"))}
    plan = plan_import(reads, before, root, "peers", Defaults("peers", "CC0-1.0", "draft", "food/dishes"), texts, update=update)
    return [(r.verdict, r.why) for r in plan.rows], dict(plan.texts)


def test_an_import_tells_added_changed_conflicting_and_rejected_rows_apart(tmp_path: Path) -> None:
    (tmp_path / "senses").mkdir()
    (tmp_path / "senses" / "a.toml").write_text(LAID_OUT, encoding="utf-8")
    good = {"id": "soto.hidangan", "forms": ["soto zorblat"], "expert.id": ["sup zorblat"]}
    reads = [
        Read("row 2", Row("jargon", good)),
        Read("row 3", Row("jargon", {**good, "expert.id": ["kuah zorblat"]})),
        Read("row 4", Row("sense", {"id": "kafka.writer", "forms": ["kafka", "franz k"], "gloss.en": "novelist"})),
        Read("row 5", Row("sense", {"id": "kafka.apache", "forms": ["kafka"], "gloss.en": "a message broker"})),
        Read("row 6", Row("sense", {"id": "zorblat.x", "forms": ["zorblat"], "canonical.en": "Zorblat X"})),
        Read("row 7", None, "it has no id"),
        Read("row 8", Row("translation", {"form": "\N{ZERO WIDTH SPACE}", "to": "nothing"})),
    ]
    verdicts, texts = _plan(tmp_path, reads)
    assert [v for v, _ in verdicts] == ["added", "conflict", "changed", "same", "rejected", "rejected", "rejected"]
    assert verdicts[1][1] == "row 2 gives the same entry otherwise; keep one of them"
    assert verdicts[2][1] == "gloss.en: 'the writer' → 'novelist'"
    assert verdicts[4][1].startswith(("E106 [zorblat.x]", "E108 [zorblat.x]"))
    (jargon,) = [row_of(i) for i in find_rows("jargon/peers.toml", texts[f"{tmp_path.as_posix()}/jargon/peers.toml"])]
    assert {k: jargon.fields[k] for k in ("source", "licence", "origin", "status", "domain")} == {
        "source": "peers", "licence": "CC0-1.0", "origin": "peers, row 2", "status": "draft", "domain": "food/dishes",
    }  # fmt: skip
    assert f"{tmp_path.as_posix()}/senses/a.toml" not in texts
    assert 'gloss.en = "novelist"' in _plan(tmp_path, reads, update=True)[1][f"{tmp_path.as_posix()}/senses/a.toml"]


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"id": "Bad Id!"}, "E103 [Bad Id!]: An id is `lexeme.sense`"),
        ({"id": "nosense"}, "E103 [nosense]"),
        ({"id": ""}, "E103 []"),
        ({"Some Column": "x"}, "E104 [oncom.hidangan] has 'Some Column'"),
        ({"gloss": "x", "gloss.en": "y"}, "correct the names of its fields"),
        ({"a..b": "x"}, "correct the names of its fields"),
        ({"prior": "many"}, "'many'"),
    ],
)
def test_an_odd_row_is_rejected_and_the_others_are_judged(tmp_path: Path, odd: dict[str, Any], why: str) -> None:
    good = {"id": "soto.hidangan", "forms": ["soto zorblat"], "gloss.en": "a soup", "gloss.id": "sup"}
    good |= {"canonical.en": "Zorblat soup", "canonical.id": "sup Zorblat", "cues": ["kuah", "mangkuk", "sendok"]}
    bad = {**good, "id": "oncom.hidangan", "forms": ["oncom kwimpi"], "canonical.en": "Kwimpi", "canonical.id": "kwimpi", **odd}
    verdicts, texts = _plan(tmp_path, [Read("row 2", Row("sense", bad)), Read("row 3", Row("sense", good))])
    assert [v for v, _ in verdicts] == ["rejected", "added"]
    assert why in verdicts[0][1]
    assert [text.count("forms ") for text in texts.values()] == [1]


def test_two_kinds_under_one_id_do_not_stop_an_import_into_one_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(LAID_OUT, encoding="utf-8")
    row = Row("jargon", {"id": "kafka.writer", "forms": ["kafka zorblat"], "expert.en": ["Kwendra"]})
    more = Row("jargon", {"id": "soto.hidangan", "forms": ["soto zorblat"], "expert.en": ["Kwimpi"]})
    texts = {file.as_posix(): load_text(file)}
    given_ = Defaults("peers", "CC0-1.0", "draft", "food/dishes")
    plan = plan_import([Read("row 2", row), Read("row 3", more)], collect(tmp_path, no_words), file, "a", given_, texts, update=False)
    assert [(r.verdict, "has [kafka.writer] already" in r.why) for r in plan.rows] == [("rejected", True), ("added", False)]


@settings(max_examples=20)
@given(rows=st.lists(entry_rows().map(lambda pair: Row(*pair)), min_size=1, max_size=6))
def test_an_import_leaves_nothing_for_the_lint(rows: list[Row]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        verdicts, texts = _plan(root, [Read(f"row {n}", row) for n, row in enumerate(rows, 1)])
        for file, text in texts.items():
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text, encoding="utf-8")
        assert findings(root) == []
        assert len(load_items(root)) == sum(v == "added" for v, _ in verdicts)
