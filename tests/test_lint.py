"""Each code of the lint is earned by one small bad file, `lint/CODE.*` (a folder where it takes two files), and by that alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewriter.curation.fixes import FIXABLE, fix_text
from rewriter.curation.sarif import to_sarif
from rewriter.errors import LexiconError
from rewriter.io.lint import check_files, read_collection
from rewriter.lexicon.checks import CHECKS, Finding, check_collection
from rewriter.lexicon.pointing import caret_lines, point_at

BAD = sorted((Path(__file__).parent / "lint").iterdir())
DOMAINS = dict.fromkeys(("technology/software/data", "entertainment/books", "health/medicine"), ())
ZIPF = {"bank": (520, 480), "sakit": (540, 150), "item": (380, 470), "angkot": (380, 0)}
"""A few frequencies of its own, so that the test does not move with the word lists."""

GOOD = """
[kafka.apache]
forms = ["kafka"]
canonical.en = "Apache Kafka"
canonical.id = "Apache Kafka"
gloss.en = "a message broker"
gloss.id = "perantara pesan"
domain = "technology/software/data"
cues = ["broker", "topic", "stream"]
near = ["kafka.writer"]
since = 2011-01-01
source = "curated"

[kafka.writer]
forms = ["kafka", "franz k"]
canonical.en = "Franz Kafka"
canonical.id = "Franz Kafka"
gloss.en = "the writer"
gloss.id = "sastrawan"
domain = "entertainment/books"
cues = ["novel", "buku", "praha"]
source = "curated"
"""


def lint(*paths: Path, select: tuple[str, ...] = ()) -> list[Finding]:
    """Findings with this test's own domains and frequencies."""
    return check_collection(read_collection(paths, zipf=lambda word: ZIPF.get(word, (0, 0)), domains=DOMAINS), select)


@pytest.mark.parametrize("bad", BAD, ids=lambda path: path.stem)
def test_a_bad_file_gives_exactly_its_code(bad: Path) -> None:
    assert [*dict.fromkeys(f.code for f in lint(bad))] == [bad.stem]


def test_every_code_has_a_bad_file() -> None:
    assert [code for code, _ in CHECKS] == [path.stem for path in BAD]


def test_a_docstring_is_the_message_in_one_line() -> None:
    wrong = [code for code, check in CHECKS if not check.__doc__ or "\n" in check.__doc__ or not check.__doc__.endswith(".")]
    assert wrong == []


def test_good_entries_give_no_finding(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    assert lint(tmp_path) == []


def test_a_finding_names_place_code_and_remedy() -> None:
    bad = Path(__file__).parent / "lint" / "E111.tsv"
    message = "'kucing' = 'cat' has the status 'done': The status is draft, reviewed or retired."
    assert str(lint(bad)[0]) == f"{bad.as_posix()}:2:1: E111 {message}"


def test_an_invisible_character_is_found_at_its_column() -> None:
    found = lint(Path(__file__).parent / "lint" / "W204.toml")[0]
    assert (found.line, found.column, found.severity) == (5, 22, "warning")


def test_select_keeps_codes_that_begin_so() -> None:
    assert {f.code for f in lint(*BAD, select=("W6", "E117"))} == {"E117", "W601", "W602", "W603", "W604", "W605"}


def test_a_missing_language_is_named(tmp_path: Path) -> None:
    text = GOOD.replace('gloss.id = "perantara pesan"\n', "").replace('canonical.en = "Franz Kafka"\ncanonical.id = "Franz Kafka"\n', "")
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    told = [f.message.split(":")[0] for f in lint(tmp_path)]
    assert told == ["[kafka.apache] has no gloss.id", "[kafka.writer] has no canonical.en and no canonical.id"]


def test_an_unknown_domain_is_told_with_those_like_it(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(GOOD.replace("entertainment/books", "entertainment/book"), encoding="utf-8")
    assert "'entertainment/book' (likest: entertainment/books): The domain" in lint(tmp_path)[0].message


def test_the_folder_decides_what_an_entry_is(tmp_path: Path) -> None:
    (tmp_path / "jargon").mkdir()
    (tmp_path / "jargon" / "a.toml").write_text('[a.b]\nforms = ["a"]\ndomain = "health/medicine"\nsource = "curated"\n', encoding="utf-8")
    assert [f.code for f in lint(tmp_path)] == ["E109"]


def test_messages_have_one_stop_and_no_python(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("id\ten\na\tb\tc\n", encoding="utf-8")
    (tmp_path / "b.toml").write_text("[warkop-jaya.kafe]\n[warkop-jaya.kafe]\n", encoding="utf-8")
    told = [f.message for f in lint(tmp_path)]
    assert told[0].endswith("part columns by one tab: It cannot be read.")
    assert told[1] == "This is no TOML: Cannot declare [warkop-jaya.kafe] twice: It cannot be read."


def test_a_decimal_comma_is_part_of_a_form() -> None:
    (found,) = lint(Path(__file__).parent / "lint" / "W209.toml")
    assert "has in cues 'broker, topic'" in found.message


def test_retired_entries_keep_their_id_and_nothing_else(tmp_path: Path) -> None:
    retired = GOOD.replace('source = "curated"\n\n[kafka.writer]', 'source = "curated"\nstatus = "retired"\n\n[kafka.writer]')
    (tmp_path / "a.toml").write_text(retired.replace("kafka.apache", "kafka.old"), encoding="utf-8")
    (tmp_path / "b.toml").write_text(GOOD[: GOOD.index("[kafka.writer]")].replace("kafka.apache", "kafka.old"), encoding="utf-8")
    assert {f.code for f in lint(tmp_path)} == {"E102", "W301"}


def test_a_file_that_is_no_utf8_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"id\ten\xff\n")
    assert [f.code for f in lint(tmp_path)] == ["E101"]


def test_a_path_that_does_not_exist_is_refused() -> None:
    with pytest.raises(LexiconError, match="There is no lexicon at absent"):
        check_files([Path("absent")])


def test_the_document_has_every_code_with_its_message() -> None:
    text = (Path(__file__).parents[1] / "docs" / "curation.md").read_text(encoding="utf-8")
    rows = [line for line in text.split("\n") if line.startswith(("| E", "| W"))]
    assert rows == [f"| {code} | {check.__doc__} |" for code, check in CHECKS]


# ── Places ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_caret_line_marks_the_culprit() -> None:
    file = Path(__file__).parent / "lint" / "W307.toml"
    text = file.read_text(encoding="utf-8")
    found = point_at(lint(file)[0], text)
    assert (found.line, found.column, found.width) == (8, 9, 6)
    assert caret_lines(found, text) == ['    cues = ["yang", "broker", "topic"]', "            ^^^^^^"]


@pytest.mark.parametrize("bad", BAD, ids=lambda path: path.stem)
def test_every_finding_points_into_its_file(bad: Path) -> None:
    for found in lint(bad):
        text = Path(found.file).read_text(encoding="utf-8")
        placed = point_at(found, text)
        line = text.split("\n")[placed.line - 1]
        assert 1 <= placed.column <= max(1, len(line)) and placed.width >= 1
        code, marks = caret_lines(placed, text)
        assert marks.strip("^ ") == "" and "^" in marks and len(code) <= 124


def test_a_long_line_is_cut_around_the_culprit() -> None:
    text = "x" * 500 + "?" + "x" * 500
    code, marks = caret_lines(Finding("W204", "warning", "a.toml", 1, 501, "U+003F: A."), text)
    assert code[marks.index("^")] == "?"


# ── Corrections ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("code", FIXABLE)
def test_a_correction_leaves_nothing_of_its_code_and_nothing_new(code: str, tmp_path: Path) -> None:
    (bad,) = [path for path in BAD if path.stem == code]
    text = bad.read_text(encoding="utf-8")
    if code == "W205":
        text = text.replace("\N{CYRILLIC SMALL LETTER A}", "a").replace("message broker", "message\N{NO-BREAK SPACE}broker")
    made = fix_text(bad.name, text, lint(bad))
    (tmp_path / bad.name).write_text(made, encoding="utf-8")
    assert made != bad.read_text(encoding="utf-8")
    assert lint(tmp_path) == []
    assert fix_text(bad.name, made, []) == made


def test_what_needs_a_judgement_is_left() -> None:
    for bad in BAD:
        if bad.is_file() and bad.stem not in FIXABLE:
            text = bad.read_text(encoding="utf-8")
            assert fix_text(bad.name, text, lint(bad)) == text, bad.name


def test_a_correction_keeps_comments_and_layout() -> None:
    text = "# head\n" + GOOD.replace('forms = ["kafka"]', 'forms = ["Kafka ", "kafka"]  # short')
    found = [Finding("W202", "warning", "a.toml", 3, 1, "x")]
    assert fix_text("a.toml", text, found) == "# head\n" + GOOD.replace('forms = ["kafka"]', 'forms = ["kafka"]  # short')


# ── SARIF ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_sarif_has_a_rule_for_each_code_and_a_result_for_each_finding() -> None:
    found = lint(*BAD)
    (run,) = to_sarif(found)["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [code for code, _ in CHECKS]
    assert len(run["results"]) == len(found) > len(CHECKS)
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert rule["id"] == result["ruleId"] and rule["defaultConfiguration"]["level"] == result["level"]
        assert region["endColumn"] > region["startColumn"] >= 1 and region["startLine"] >= 1
