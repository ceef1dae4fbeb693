"""Learning cues: what examples propose, that proposals depend on the examples alone, and what is written where."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rewriter
from rewriter import load_resources, rewrite
from rewriter.command import main
from rewriter.errors import LexiconError
from rewriter.lexicon.entries import Sense
from rewriter.lexicon.learn import Cue, Lesson, Options, Reader, learn_cues, read_examples, show_lesson, weigh_cue, write_cues

EVERYTHING = Options(min_count=1, min_weight=1, max_cues=1_000)
NOISE = ("kwendra", "oskavel", "nimruz", "garvola", "trantil", "fluxin")


def sense(name: str, *cues: str, weights: Sequence[int] = (), forms: Sequence[str] = ("zorblat",)) -> Sense:
    return Sense(f"zorblat.{name}", tuple(forms), name, name, name, name, "food/dishes", cues, tuple(weights))


def reader_of(*senses: Sense) -> Reader:
    """Words are what stands between spaces, met as they are, and in the plural with an s."""
    return Reader(
        words=lambda text: text.lower().split(),
        keys=lambda word: tuple(dict.fromkeys((word, word.removesuffix("s")))),
        stem=lambda word: word.removesuffix("s"),
        senses=lambda form: [s for s in senses if form in s.forms],
        turns=lambda context, query: [str(turn) for turn in context],
    )


THREE = (sense("mesin"), sense("buah"), sense("kapal"))


def rows_of(name: str, *texts: str) -> list[dict[str, Any]]:
    return [{"query": f"{text} zorblat", "sense": f"zorblat.{name}"} for text in texts]


def learn(rows: Sequence[dict[str, Any]], *senses: Sense, options: Options = EVERYTHING) -> dict[str, Lesson]:
    """The lessons of some rows, by the sense's name."""
    reader = reader_of(*senses or THREE)
    examples, left_out = read_examples("\n".join(map(json.dumps, rows)), reader)
    assert left_out == []
    return {lesson.sense.partition(".")[2]: lesson for lesson in learn_cues(examples, reader, options)[0]}


def weights_of(lesson: Lesson) -> dict[str, int]:
    return {cue.word: cue.weight for cue in lesson.weighed}


# ── What is proposed ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def texts(min_size: int = 1) -> st.SearchStrategy[list[str]]:
    """Queries of noise, as many as examples."""
    return st.lists(st.lists(st.sampled_from(NOISE), max_size=3).map(" ".join), min_size=min_size, max_size=6)


def labelled() -> st.SearchStrategy[list[dict[str, Any]]]:
    """Rows of three senses."""
    return st.tuples(texts(), texts(), texts(0)).map(
        lambda t: [row for name, found in zip(("mesin", "buah", "kapal"), t, strict=True) for row in rows_of(name, *found)]
    )


@given(labelled(), st.randoms(use_true_random=False), st.sampled_from((EVERYTHING, Options(), Options(1, 40, 2))))
def test_the_order_of_the_rows_does_not_matter(rows: list[dict[str, Any]], chance: random.Random, options: Options) -> None:
    shuffled = list(rows)
    chance.shuffle(shuffled)
    assert learn(shuffled, options=options) == learn(rows, options=options)


@given(texts(), texts(), texts(0))
def test_a_cue_of_all_examples_of_one_sense_and_none_of_the_others_is_proposed(own: list[str], others: list[str], more: list[str]) -> None:
    rows = [*rows_of("mesin", *[f"{text} oli" for text in own]), *rows_of("buah", *others), *rows_of("kapal", *more)]
    for options in (EVERYTHING, Options(min_count=1)):
        lesson = learn(rows, options=options)["mesin"]
        assert weights_of(lesson)["oli"] == max(weights_of(lesson).values()) > 100


@given(st.integers(1, 4), st.integers(0, 4), st.lists(st.integers(1, 4), min_size=2, max_size=3))
def test_a_word_equally_frequent_in_all_senses_is_never_proposed(held: int, free: int, sizes: list[int]) -> None:
    rows = []
    for name, size in zip(("mesin", "buah", "kapal"), sizes, strict=False):
        rows += rows_of(name, *["harganya"] * held * size, *["fluxin"] * free * size)
    assert all(lesson.weighed == () for lesson in learn(rows).values())


@given(labelled(), texts())
def test_more_examples_of_a_sense_leave_it_there_and_never_take_a_cue_that_they_hold(rows: list[dict[str, Any]], more: list[str]) -> None:
    before = learn(rows)
    after = learn([*rows, *rows_of("mesin", *more)])
    assert before.keys() <= after.keys()
    held = [word for word in weights_of(before["mesin"]) if all(word in text.split() for text in more)]
    assert all(weights_of(after["mesin"])[word] >= weights_of(before["mesin"])[word] for word in held)


def test_weights_are_log_odds_in_hundredths_of_a_nat() -> None:
    assert weigh_cue(3, 3, 0, 3) == 195  # ln (3.5 / 4) / (0.5 / 4) = ln 7
    assert weigh_cue(3, 3, 0, 30) > weigh_cue(3, 3, 0, 3) > weigh_cue(2, 3, 0, 3) > weigh_cue(2, 3, 1, 3) > weigh_cue(2, 3, 2, 3) == 0


def test_turns_teach_as_queries_do_and_the_form_teaches_nothing() -> None:
    rows = [
        {"query": "zorblat", "context": ["oli zorblat zorblats"], "sense": "zorblat.mesin"},
        {"form": "Zorblat", "context": "oli zorblatnya", "sense": "zorblat.mesin"},
        {"query": "zorblat", "sense": "zorblat.buah"},
    ]
    assert weights_of(learn(rows)["mesin"]) == {"oli": weigh_cue(2, 2, 0, 1)}


def test_function_words_of_both_languages_and_single_letters_teach_nothing() -> None:
    assert weights_of(learn([*rows_of("mesin", "yang the untuk with apa x oli"), *rows_of("buah", "")])["mesin"]).keys() == {"oli"}


def test_a_cue_is_shown_as_it_is_written_most_and_only_once() -> None:
    rows = [*rows_of("mesin", "gears", "gears", "gear"), *rows_of("buah", "jus")]
    assert learn(rows)["mesin"].weighed == (Cue("gears", weigh_cue(3, 3, 0, 1), 3),)


def test_of_words_with_a_common_base_the_base_is_the_cue() -> None:
    bases = {"membeli": ("membeli", "beli"), "dibeli": ("dibeli", "beli")}
    plain = reader_of(*THREE)
    reader = rewriter.record.replace(plain, keys=lambda word: bases.get(word, (word,)), stem=lambda word: word)
    rows = [*rows_of("mesin", "membeli", "dibeli"), *rows_of("buah", "jus", "jus")]
    examples, _ = read_examples("\n".join(map(json.dumps, rows)), reader)
    lessons = {lesson.sense: lesson for lesson in learn_cues(examples, reader, EVERYTHING)[0]}
    assert [(cue.word, cue.count) for cue in lessons["zorblat.mesin"].weighed] == [("beli", 2)]


def test_cues_come_by_weight_then_count_then_word_and_no_more_than_asked() -> None:
    rows = [*rows_of("mesin", "oli ban", "oli ban", "oli aki"), *rows_of("buah", "jus", "jus", "jus aki")]
    found = learn(rows)["mesin"].weighed
    assert [cue.word for cue in found] == ["oli", "ban"]
    assert learn(rows, options=Options(1, 1, 1))["mesin"].weighed == found[:1]
    assert learn(rows, options=Options(3, 1, 9))["mesin"].weighed == found[:1]
    assert learn(rows, options=Options(1, found[0].weight, 9))["mesin"].weighed == found[:1]


def test_cues_of_the_sense_are_weighed_anew_kept_where_unseen_and_doubted_where_they_say_nothing() -> None:
    mesin = sense("mesin", "oli", "ban dalam", "aki", "busi", weights=(100, 90, 80, 70))
    rows = [*rows_of("mesin", "oli ban dalam aki", "oli ban dalam aki ring"), *rows_of("buah", "ban aki", "aki dalam ban")]
    lesson = learn(rows, mesin, sense("buah"))["mesin"]
    best = weigh_cue(2, 2, 0, 2)
    assert lesson.changed == (Cue("ban dalam", best, 2, 90), Cue("oli", best, 2, 100))
    assert (lesson.unseen, lesson.unclear) == ((Cue("busi", 70, 0, 70),), (Cue("aki", 80, 2, 80),))
    assert lesson.added == (Cue("ring", weigh_cue(1, 2, 0, 2), 1),)
    assert show_lesson(lesson) == [
        "[zorblat.mesin]  2 examples beside 2 of its siblings",
        f"  + ring             {lesson.added[0].weight}  in 1",
        f"  ~ ban dalam   90 → {best}  in 2",
        f"  ~ oli        100 → {best}  in 2",
        "  ? never seen: busi",
        "  ! too few, or as often elsewhere: aki",
    ]


def test_a_sense_is_told_apart_from_the_senses_of_all_its_forms() -> None:
    mesin, buah, kapal = sense("mesin", forms=("zorblat", "zb")), sense("buah"), sense("kapal", forms=("zb",))
    rows = [*rows_of("mesin", "oli"), *rows_of("buah", "jus"), {"query": "zb laut", "sense": "zorblat.kapal"}]
    found = learn(rows, mesin, buah, kapal)
    assert {name: lesson.others for name, lesson in found.items()} == {"mesin": 2, "buah": 1, "kapal": 1}


# ── What is left out ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

GOOD = [*rows_of("mesin", "oli", "oli"), *rows_of("buah", "jus", "jus")]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("{", "this line is no JSON"),
        ("[]", "this line has no `sense`"),
        ('{"sense": "zorblat.mesin"}', "this line has neither `form` nor `query`"),
        ('{"query": 3, "sense": "zorblat.mesin"}', "this line has neither `form` nor `query`"),
        ('{"form": "zorblat", "sense": "zorblat.band"}', "'zorblat' has [zorblat.mesin], [zorblat.buah], not [zorblat.band]"),
        ('{"form": "xyz", "sense": "zorblat.buah"}', "'xyz' is in no lexicon, not [zorblat.buah]"),
        ('{"query": "a zorblat b", "sense": "zorblat.band"}', "'a zorblat b' holds no form of [zorblat.band]"),
        ('{"query": "kwimpi", "sense": "kwimpi.obat"}', "'kwimpi' has the sense [kwimpi.obat] alone"),
    ],
)
def test_a_row_that_is_no_example_is_told_with_its_line_and_the_rest_goes_on(row: str, why: str) -> None:
    alone = Sense("kwimpi.obat", ("kwimpi",), "", "", "", "", "", ())
    reader = reader_of(sense("mesin"), sense("buah"), alone)
    lines = [json.dumps(r) for r in GOOD]
    examples, left_out = read_examples("\n".join([*lines[:2], "", row, *lines[2:]]), reader)
    assert len(examples) == len(GOOD)
    (told,) = left_out
    assert (told.line, told.rows) == (4, 1)
    assert told.why.startswith(why)
    assert told.why.endswith(".")


def test_senses_with_too_few_examples_or_without_a_sibling_are_told_once() -> None:
    reader = reader_of(*THREE)
    one = "\n".join(map(json.dumps, [*GOOD, *rows_of("kapal", "laut")]))
    lessons, left_out = learn_cues(read_examples(one, reader)[0], reader, Options())
    assert [lesson.sense for lesson in lessons] == ["zorblat.buah", "zorblat.mesin"]
    assert [(told.line, told.rows) for told in left_out] == [(5, 1)]
    assert left_out[0].why.startswith("[zorblat.kapal] has 1 example and needs 2")
    lessons, left_out = learn_cues(read_examples("\n".join(map(json.dumps, GOOD[:2])), reader)[0], reader, Options())
    assert (lessons, [(told.line, told.rows) for told in left_out]) == ([], [(1, 2)])
    assert "no other sense of its forms has enough" in left_out[0].why


def test_the_form_of_a_query_is_the_longest_that_has_the_sense_with_or_without_a_clitic() -> None:
    short, long = sense("mesin"), sense("besar", forms=("zorblat mini", "zorblat"))
    reader = reader_of(short, long, sense("kecil", forms=("zorblat mini",)))
    rows = [("beli zorblat mini", "besar", "zorblat mini"), ("beli zorblat mini", "mesin", "zorblat"), ("zorblatnya", "mesin", "zorblat")]
    text = "\n".join(json.dumps({"query": query, "sense": f"zorblat.{name}"}) for query, name, _ in rows)
    assert [e.own for e in read_examples(text, reader)[0]] == [frozenset(form.split()) for _, _, form in rows]


# ── What is written ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

LESSON = Lesson("zz.a", 3, 3, (Cue("baru", 120, 2), Cue("satu", 90, 2, 100)), (), ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '# top\n[zz.a]\nforms = ["b"]\ncues = ["Satu", "dua"]  # best first\nneeds_cue = true\n\n# next\n[zz.b]\nforms = ["b"]\n',
            '# top\n[zz.a]\nforms = ["b"]\ncues = ["Satu", "dua", "baru"]  # best first\ncue_weights = [90, 100, 120]\n'
            'needs_cue = true\n\n# next\n[zz.b]\nforms = ["b"]\n',
        ),
        (
            '[zz.a]\nforms = ["b"]\ncues = [\n  "satu",  # one\n  "dua",\n]\ncue_weights = [7, 8]\n\n'
            '[yy.x]\nforms = ["c"]\n[zz.b]\nforms = ["b"]\n',
            '[zz.a]\nforms = ["b"]\ncues = [\n  "satu",  # one\n  "dua",\n  "baru",\n]\ncue_weights = [90, 8, 120]\n\n'
            '[yy.x]\nforms = ["c"]\n[zz.b]\nforms = ["b"]\n',
        ),
        (
            '[zz.a]\nforms = ["b"]\n\n# next\n[zz.b]\nforms = ["b"]\n',
            '[zz.a]\nforms = ["b"]\ncues = ["baru"]\ncue_weights = [120]\n\n# next\n[zz.b]\nforms = ["b"]\n',
        ),
        (
            '[zz.a]\nforms = ["b"]\ncues = ["satu"]\ncue_weights = {satu = 5, tiga = 6}\n',
            '[zz.a]\nforms = ["b"]\ncues = ["satu", "tiga", "baru"]\ncue_weights = [90, 6, 120]\n',
        ),
        ('[zz.a]\nforms = ["b"]\ncues = "satu"\n', '[zz.a]\nforms = ["b"]\ncues = ["satu", "baru"]\ncue_weights = [90, 120]\n'),
        ('[zz.a]\r\nforms = ["b"]\r\n', '[zz.a]\r\nforms = ["b"]\r\ncues = ["baru"]\r\ncue_weights = [120]\r\n'),
    ],
    ids=["list", "lines and weights", "no cues", "mapping", "one string", "crlf"],
)
def test_cues_and_weights_are_written_and_all_else_stays(before: str, after: str) -> None:
    assert write_cues(before, [LESSON]) == (after, ["zz.a"])
    assert write_cues(after, [LESSON]) == (after, ["zz.a"])


def test_a_sense_without_a_table_is_not_written() -> None:
    assert write_cues('[zz.b]\nforms = ["b"]\n', [LESSON]) == ('[zz.b]\nforms = ["b"]\n', [])


@pytest.mark.parametrize("text", ["[zz.a", '[zz.a]\nforms = ["b"]\ncues = ["satu", " "]\n'])
def test_a_file_that_cannot_be_rewritten_is_refused(text: str) -> None:
    with pytest.raises(LexiconError, match=r"^own.toml cannot take the cues"):
        write_cues(text, [LESSON], "own.toml")


TABLES = """# Senses of a word that nobody uses.

[zorblat.mesin]
forms = ["zorblat"]
canonical.en = "Zorblat engine"
canonical.id = "mesin Zorblat"
gloss.en = "an engine"
gloss.id = "mesin"
domain = "transport/cars"
cues = ["oli", "piston"]  # best first
source = "test"

# The fruit.
[zorblat.buah]
forms = ["zorblat"]
canonical.en = "Zorblat fruit"
canonical.id = "buah Zorblat"
gloss.en = "a fruit"
gloss.id = "buah"
domain = "food/fruit"
source = "test"
"""
ROWS = [
    {"query": "zorblat bocor oli", "context": ["servis di bengkel"], "sense": "zorblat.mesin"},
    {"query": "servis zorblat", "context": [{"role": "assistant", "content": "Bengkel resmi, ganti oli."}], "sense": "zorblat.mesin"},
    {"query": "resep zorblat", "context": "memasak jus segar", "sense": "zorblat.buah"},
    {"form": "zorblat", "context": ["resep jus"], "sense": "zorblat.buah"},
]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resources: rewriter.Resources) -> Path:
    """A folder with a lexicon and examples, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text(TABLES, encoding="utf-8")
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return tmp_path


def senses_in(folder: Path) -> dict[str, Sense]:
    return {e.id: e for e in load_resources(folder / "own.toml").exact("zorblat") if isinstance(e, Sense)}


def test_the_command_shows_what_it_would_change_and_changes_nothing(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "learn-cues", "rows.jsonl", "--lexicon", "own.toml"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "[zorblat.buah]  2 examples beside 2 of its siblings",
        "  + jus    161  in 2",
        "  + resep  161  in 2",
        "[zorblat.mesin]  2 examples beside 2 of its siblings",
        "  + bengkel        161  in 2",
        "  + servis         161  in 2",
        "  ~ oli      100 → 161  in 2",
        "  ? never seen: piston",
    ]
    assert err == "rewriter: 2 senses from 4 rows, 0 rows left out.\n"
    assert (own / "own.toml").read_text(encoding="utf-8") == TABLES


def test_json_is_a_line_a_sense(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "learn-cues", "rows.jsonl", "--lexicon", "own.toml", "--json", "--max-cues", "2"]) == 0
    buah, mesin = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert buah["add"] == [{"cue": "jus", "weight": 161, "count": 2}, {"cue": "resep", "weight": 161, "count": 2}]
    assert mesin == {
        "sense": "zorblat.mesin",
        "examples": 2,
        "others": 2,
        "add": [{"cue": "bengkel", "weight": 161, "count": 2}],
        "change": [{"cue": "oli", "weight": 161, "count": 2, "before": 100}],
        "unseen": [{"cue": "piston", "weight": 100, "count": 0, "before": 100}],
        "unclear": [],
    }


def test_apply_writes_what_a_loaded_lexicon_then_decides_by(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mode = (own / "own.toml").stat().st_mode
    assert main(["lexicon", "learn-cues", "rows.jsonl", "--apply", "own.toml"]) == 0
    assert "own.toml: 2 senses written." in capsys.readouterr().err
    found = senses_in(own)
    assert {name: (s.cues, s.weights) for name, s in found.items()} == {
        "zorblat.buah": (("jus", "resep"), (161, 161)),
        "zorblat.mesin": (("oli", "piston", "bengkel", "servis"), (161, 100, 161, 161)),
    }
    text = (own / "own.toml").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if not line.startswith("cue")] == [
        line for line in TABLES.splitlines() if not line.startswith("cue")
    ]
    assert (own / "own.toml").stat().st_mode == mode
    assert sorted(file.name for file in own.iterdir()) == ["own.toml", "rows.jsonl"]
    (mention,) = rewrite("zorblat resep", resources=load_resources(own / "own.toml")).mentions
    assert (mention.candidates[0].sense, mention.candidates[0].cues) == ("zorblat.buah", ("resep",))
    assert mention.candidates[0].score >= 2 * 161
    assert main(["lexicon", "learn-cues", "rows.jsonl", "--apply", "own.toml"]) == 0
    assert (own / "own.toml").read_text(encoding="utf-8") == text


@given(labelled())
def test_what_is_applied_is_what_is_loaded(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> None:
    names = ("mesin", "buah", "kapal")
    lessons = learn(rows, *[sense(name, "fluxin", "piston") for name in names])
    text = "".join(f'[zorblat.{name}]\nforms = ["zorblat"]\ncues = ["fluxin", "piston"]\n\n' for name in names)
    file = tmp_path_factory.mktemp("own") / "own.toml"
    file.write_text(write_cues(text, lessons.values())[0], encoding="utf-8")
    for name, lesson in lessons.items():
        loaded = senses_in(file.parent)[f"zorblat.{name}"]
        assert dict(zip(loaded.cues, loaded.weights, strict=True)) == {"fluxin": 100, "piston": 100} | weights_of(lesson)


def test_rows_left_out_are_told_by_line_and_the_exit_code_is_1(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [*ROWS, {"form": "zorblat", "sense": "zorblat.band"}, {"form": "zorblat", "context": 3, "sense": "zorblat.buah"}]
    rows.append({"form": "zorblat", "context": [{"role": "robot", "content": ""}], "sense": "zorblat.buah"})
    (own / "rows.jsonl").write_text("\n".join([*map(json.dumps, rows), "broken"]), encoding="utf-8")
    assert main(["lexicon", "learn-cues", "rows.jsonl", "--apply", "own.toml"]) == 1
    *told, applied, total = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[1] for line in told] == [f"rows.jsonl:{n}" for n in (5, 6, 7, 8)]
    assert all(line.endswith(".") for line in told)
    assert (applied, total) == ("rewriter: own.toml: 2 senses written.", "rewriter: 2 senses from 4 rows, 4 rows left out.")


def test_senses_of_other_lexicons_are_shown_and_not_written(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "other.toml").write_text('[xx.y]\nforms = ["kwimpi"]\ncues = []\n', encoding="utf-8")
    assert main(["lexicon", "learn-cues", "rows.jsonl", "--lexicon", "own.toml", "--apply", "other.toml"]) == 0
    out, err = capsys.readouterr()
    assert "+ bengkel" in out
    assert "other.toml: 0 senses written; it has no table for [zorblat.buah], [zorblat.mesin]." in err
    assert (own / "own.toml").read_text(encoding="utf-8") == TABLES


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["absent.jsonl"], "absent.jsonl cannot be read"),
        (["own.toml", "--apply", "rows.jsonl"], "--apply names rows.jsonl, which is no TOML file"),
        (["rows.jsonl", "--apply", "absent.toml"], "--apply names absent.toml, which is no TOML file"),
        (["rows.jsonl", "--lexicon", "absent.toml"], "There is no lexicon at absent.toml"),
        (["rows.jsonl", "--min-count", "0"], "Invalid value for '--min-count'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_read_is_one_sentence(own: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "learn-cues", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"rewriter: {sentence}")


def test_shipped_senses_are_learnt_with_stems_and_affixes_and_no_file_is_touched(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"query": "jaguar servicing", "context": ["bengkelnya di mana"], "sense": "jaguar.car"},
        {"query": "jaguar services", "context": ["bengkel resmi"], "sense": "jaguar.car"},
        {"query": "jaguar berburu", "context": ["binatang buas"], "sense": "jaguar.animal"},
        {"query": "jaguar diburu", "context": ["binatang liar"], "sense": "jaguar.animal"},
    ]
    (own / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main(["lexicon", "learn-cues", "rows.jsonl", "--json"]) == 0
    animal, car = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["cue"] for row in animal["add"]} == {"binatang", "buru"}
    assert {row["cue"] for row in car["add"]} >= {"bengkel"}
    assert (own / "own.toml").read_text(encoding="utf-8") == TABLES
