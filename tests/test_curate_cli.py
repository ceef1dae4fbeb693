"""The commands of curators as people call them: what they print, what they refuse, and their exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rewriter import load_resources
from rewriter.cli import full_app
from rewriter.command import main
from rewriter.curation.mine import MEASURES
from rewriter.curation.store import hold
from rewriter.errors import LexiconError
from rewriter.lexicon.entries import Translation

Call = Callable[..., tuple[int, str, str]]
SENSE = ["--id", "zorblat.mesin", "--form", "Zorblat  Mini", "--canonical-en", "Kwendra machine", "--canonical-id", "mesin Kwendra"]
SENSE += [
    "--gloss-en",
    "a machine",
    "--gloss-id",
    "sebuah mesin",
    "--domain",
    "technology/ai",
    "--cue",
    "oli",
    "--cue",
    "baut",
    "--cue",
    "mur",
]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """`rewriter lexicon …` in an empty folder: exit code, output, error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REWRITER_LEXICONS", raising=False)
    monkeypatch.delenv("REWRITER_REVIEWER", raising=False)
    capsys.readouterr()

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["lexicon", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_an_entry_is_added_edited_and_retired(call: Call) -> None:
    code, out, _ = call("add", "team/senses/a.toml", *SENSE)
    assert code == 0 and '+forms        = ["zorblat mini"]' in out
    assert (
        call("edit", "zorblat.mesin", "--lexicon", "team", "--set", "prior=200", "--append", "cues=servis", "--remove", "cues=mur")[0] == 0
    )
    text = Path("team/senses/a.toml").read_text(encoding="utf-8")
    assert '"oli", "baut", "servis"]' in text and "prior        = 200" in text
    assert call("retire", "zorblat mini", "--lexicon", "team")[0] == 2
    assert call("retire", "zorblat mini", "--lexicon", "team", "--reviewer", "ani")[0] == 0
    code, out, _ = call("search", "kwendra", "--lexicon", "team", "--json")
    assert code == 0 and json.loads(out)["status"] == "retired"
    assert call("show", "zorblat.mesin", "--lexicon", "team")[1].startswith("team/senses/a.toml:1\n[zorblat.mesin]\n")


def test_the_prompt_shows_what_is_there_and_asks_for_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answers = "Maung Bandung\n\nKlub Kita\nmaung-bandung.klub\nPersib Bandung club\nPersib\nthe club\nklub bola\n"
    answers += "sport/footbal\nsport/football\nbola, liga, gol\n"
    done = CliRunner().invoke(full_app(), ["lexicon", "add", "team/senses/a.toml", "-i"], input=answers)
    assert done.exit_code == 0, done.output
    assert "the entry needs id" in done.stderr and "E103 [Klub Kita]" in done.stderr
    assert "already there: maung-bandung.persib" in done.stderr and "there is no domain 'sport/footbal'" in done.stderr
    text = Path("team/senses/a.toml").read_text(encoding="utf-8")
    assert 'domain       = "sport/football"' in text and 'cues         = ["bola", "liga", "gol"]' in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["add", "a.toml"], "has no form; give --form"),
        (["add", "a.toml", "--form", "x"], "has no id; give --id"),
        (["add", "a.toml", "--form", "x", "--id", "Kafe Baru"], "E103 [Kafe Baru]: An id is"),
        (["add", "a.toml", *SENSE, "--status", "reviewed"], "A review is signed; give --reviewer"),
        (["edit", "maung-bandung.persib", "--set", "status=reviewed"], "A review is signed; give --reviewer"),
        (["search", "--near"], "--near needs a form"),
        (["add", "bilingual/a.tsv", "--form", "x"], "leads nowhere; give --to"),
        (["add", "bilingual/a.tsv", "--form", "x", "--form", "y", "--to", "z"], "one form, and 2 are given"),
        (["add", "a.txt", *SENSE], "must end in .toml, .tsv or .jsonl"),
        (["add", "a.toml", *SENSE, "--set", "colour=red"], "names the field 'colour'"),
        (["add", "a.toml", *SENSE, "--set", "prior=much"], "whole numbers"),
        (["add", "a.toml", *SENSE, "--set", "prior"], "write NAME=VALUE"),
        (["add", "a.toml", *SENSE, "--set", "gloss.en=\udc80"], "half of a character"),
        (["add", "a.toml", *SENSE, "--id", "Kafe Baru"], "E103 [Kafe Baru]: An id is `lexeme.sense`"),
        (["add", "a.toml", *SENSE, "--domain", "no/such"], "E105"),
        (["edit", "a.b", "--lexicon", "absent", "--status", "draft"], "There is no lexicon at absent"),
        (["search"], "nothing to search for"),
        (["import", "absent.csv", "--into", "team"], "absent.csv cannot be read"),
        (["import", "a.pdf", "--into", "team"], "give --format"),
        (["export", "a.csv", "--kind", "verb"], "--kind names 'verb'"),
        (["export", "a.rules", "--language", "fr"], "give id or en"),
        (["mine", "absent.csv"], "absent.csv cannot be read"),
        (["suggest", "pisang"], "WordNet is not shipped"),
        (["suggest", "pisang", "--wordnet", "."], "has no data.noun"),
        (["test", "absent.toml"], "absent.toml cannot be read"),
        (["stats", "absent"], "There is no lexicon at absent"),
        (["diff", "absent", "absent"], "REVISION:PATH"),
        (["preview", "--log", "absent.csv"], "nothing to preview"),
        (["lint", "--json", "--sarif"], "give one of them"),
    ],
)
def test_wrong_usage_is_one_sentence_and_writes_nothing(call: Call, arguments: list[str], told: str) -> None:
    code, out, err = call(*arguments)
    last = err.strip().split("\n")[-1]
    assert code == 2 and out == ""
    assert last.startswith("rewriter: ") and told in last
    assert [p for p in Path().rglob("*") if p.is_file() and p.name != ".rewriter.lock"] == []


def test_commas_part_items_as_in_every_other_option(call: Call) -> None:
    assert call("add", "team/senses/a.toml", *SENSE[:-6], "--cue", "oli, baut,mur 2,5 mm", "--form", "zorblat x, zorblat y")[0] == 0
    text = Path("team/senses/a.toml").read_text(encoding="utf-8")
    assert '["zorblat mini", "zorblat x", "zorblat y"]' in text and '["oli", "baut", "mur 2,5 mm"]' in text


def test_all_that_the_lint_says_is_told_and_no_folder_is_left(call: Call) -> None:
    code, _, err = call("add", "team/senses/a.toml", "--id", "zorblat.mesin", "--form", "zorblat", "--domain", "sport/footbal")
    assert code == 2 and not Path("team").exists()
    assert [err.count(c) for c in ("E105", "E106", "E108")] == [1, 1, 1] and "(likest: sport/football" in err and "Correct them." in err


def test_a_folder_of_no_kind_is_told(call: Call) -> None:
    code, _, err = call("add", "team/foo/x.toml", *SENSE)
    assert code == 0 and "team/foo/x.toml stands in no folder that names a kind" in err and "taken as a sense" in err


def test_a_shipped_entry_is_copied_into_the_overlay_to_be_changed_or_retired(call: Call) -> None:
    Path("over").mkdir()
    code, out, err = call("retire", "maung-bandung.persib", "--lexicon", "over", "--reviewer", "ani")
    assert code == 0 and "copied from the shipped lexicon" in err and '+status       = "retired"' in out
    assert load_resources(Path("over")).exact("maung bandung") == ()
    assert "over, laid over the shipped lexicon, has no entry 'zorblat'" in call("edit", "zorblat", "--lexicon", "over")[2]
    shipped = load_resources().exact("hak")
    assert call("edit", "hak=heel", "--lexicon", "over", "--set", "to=shoe heel")[0] == 0
    laid = {e.english for e in load_resources(Path("over")).exact("hak") if isinstance(e, Translation)}
    assert laid == {e.english for e in shipped if isinstance(e, Translation)} - {"heel"} | {"shoe heel"}


def test_what_an_overlay_replaces_is_told(call: Call) -> None:
    _, _, err = call("add", "team/bilingual/a.tsv", "--form", "kopi", "--to", "coffee", "--pos", "nu", "--status", "reviewed")
    assert "has the line 'kopi' = 'coffee' already" in err and "takes the place of all that the shipped lexicon has for it: coffee" in err


def test_search_puts_whole_forms_first_and_says_how_many_more(call: Call) -> None:
    code, out, err = call("search", "nasi")
    rows = [line.split("\t") for line in out.splitlines()]
    assert code == 0 and len(rows) == 20 and "more not shown; --limit 0 shows all" in err
    assert rows[0][1] == "nasi" and rows[0][4] == "form"
    assert all("nasi" in re.findall(r"\w+", row[1]) for row in rows if row[4] in ("form", "forms"))
    assert rows[0][3].startswith("lexicons/bilingual/")


def test_search_near_keeps_its_filters(call: Call) -> None:
    _, out, _ = call("search", "maung bandungg", "--near", "--domain", "sport")
    assert [line.split("\t")[0] for line in out.splitlines()] == ["maung-bandung.persib"]
    assert call("search", "maung bandungg", "--near", "--domain", "food")[0] == 1


def test_domains_are_found_by_their_labels(call: Call) -> None:
    assert call("domains", "Makanan")[1].splitlines()[0] == "food\tfood\tmakanan"
    assert call("domains", "transport")[1].startswith("travel/transport\t")
    assert call("domains", "xyzzy")[0] == 1


def test_installed_lexicons_are_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "rewriter"
    (package / "lexicons").mkdir(parents=True)
    (package / "lexicons" / "domains.toml").touch()
    monkeypatch.setattr("rewriter.pack.known._PACKAGE", str(package))
    with pytest.raises(LexiconError, match="name a lexicon of your own"), hold(package / "lexicons"):
        pass
    assert [p.name for p in (package / "lexicons").iterdir()] == ["domains.toml"]


def test_lint_corrects_what_is_safe_and_reports_the_rest(call: Call) -> None:
    Path("slang").mkdir()
    head = "form\tid\tpos\twhen\tdomain\tstatus\n"
    Path("slang/id.tsv").write_text(
        head + "kmrn\tkemarin \tadv\t\t\treviewed\nBsk\tbesok\tadv\t\t\treviewed\nx\ty\tzz\t\t\treviewed\n", encoding="utf-8"
    )
    code, out, err = call("lint", "slang", "--fix", "--carets")
    assert (code, err) == (1, "rewriter: corrected 3 findings\nrewriter: 1 finding\n")
    assert out.split("\n")[:3] == [out.split("\n")[0], "    x y zz   reviewed", "        ^^"] and "E112" in out
    assert Path("slang/id.tsv").read_text(encoding="utf-8").startswith(head + "bsk\tbesok\tadv\t\t\treviewed\nkmrn\tkemarin\t")


def test_what_an_import_refuses_is_told_and_the_rest_is_written(call: Call) -> None:
    Path("a.csv").write_text("form,to,pos\nzorblat,machine,n\n,x,n\nkwimpi,fruit,zz\n", encoding="utf-8")
    code, out, err = call("import", "a.csv", "--into", "team", "--licence", "CC0-1.0", "--apply")
    assert code == 1 and "row 3" in out and "E112" in out and err.startswith("rewriter: 1 added, 0 changed")
    assert Path("team/bilingual/a.tsv").read_text(encoding="utf-8") == (
        "id\ten\tpos\twhen\tdomain\tstatus\tsource\tlicence\torigin\nzorblat\tmachine\tn\t\t\tdraft\ta\tCC0-1.0\ta, row 2\n"
    )


def test_a_change_that_is_not_written_is_not_called_changed(call: Call) -> None:
    Path("team/bilingual").mkdir(parents=True)
    Path("team/bilingual/a.tsv").write_text("id\ten\tpos\twhen\tdomain\tstatus\nzorblat\tmachine\tn\t\t\treviewed\n", encoding="utf-8")
    Path("a.csv").write_text("kind,form,to,pos\ntranslation,zorblat,engine,n\nslang-id,zblt,,n\n", encoding="utf-8")
    code, out, err = call("import", "a.csv", "--into", "team", "--apply")
    assert code == 1 and out.splitlines()[0] == "not written\tzorblat\tto: 'machine' → 'engine'\trow 2"
    assert out.splitlines()[1].startswith("rejected\tzblt\tit has no to") and "written with --update" in err
    assert call("import", "a.csv", "--into", "team", "--update")[1].startswith("changed\tzorblat\t")


def test_mining_again_keeps_what_was_decided(call: Call) -> None:
    Path("log.txt").write_text("harga vexu narita\n" * 9 + "cara pakai zorblak di rumah\n" * 9, encoding="utf-8")
    assert call("mine", "log.txt", "-o", "review.toml")[2] == "rewriter: 2 candidates written to review.toml\n"
    text = Path("review.toml").read_text(encoding="utf-8").replace('decision = ""', 'decision = "reject"', 1)
    Path("review.toml").write_text(text, encoding="utf-8")
    assert call("mine", "log.txt", "-o", "review.toml")[2] == "rewriter: 2 candidates, none new; review.toml stays as it is\n"
    assert Path("review.toml").read_text(encoding="utf-8") == text
    assert [line.split("\t")[1] for line in call("mine", "log.txt", "--seen", "review.toml")[1].splitlines()] == ["zorblak"]
    Path("log.txt").write_text("kenapa kwimpi hilang\n" * 9, encoding="utf-8")
    assert "1 candidate, 1 new, written to review.toml behind" in call("mine", "log.txt", "-o", "review.toml")[2]
    assert Path("review.toml").read_text(encoding="utf-8").startswith(text)
    code, _, err = call("export", "review.toml", "--domain", "food")
    assert code == 2 and "holds decisions" in err and Path("review.toml").read_text(encoding="utf-8").startswith(text)
    Path("notes.toml").write_text("[mine]\n", encoding="utf-8")
    assert call("mine", "log.txt", "-o", "notes.toml")[0] == 2 and Path("notes.toml").read_text(encoding="utf-8") == "[mine]\n"


def test_the_help_names_each_measure(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    told = call("mine", "--help")[1]
    assert [m for m in MEASURES if m not in told] == []


WRITTEN = {
    "senses/a.toml": """[zorblat.mesin]
forms = ["zorblat mini", "aa zorblat"]
canonical.en = "Kwendra machine"
canonical.id = "mesin Kwendra"
gloss.en = "a machine"
gloss.id = "sebuah mesin"
domain = "technology/ai"
cues = ["oli", "baut", "mur"]
synonyms = ["zebra kwimpi", "anu kwimpi"]
source = "curated"
""",  # in use without saying so
    "jargon/a.toml": """[soto.zup]
forms = ["kuah zorblat"]
expert.id = ["zup kwimpi", "anu kwendra", "bla kwimpi"]
gloss.en = "a soup"
gloss.id = "sup"
domain = "food/dishes"
source = "curated"
status = "draft"
""",
    "bilingual/id.tsv": "id\ten\tpos\twhen\tdomain\tstatus\nzblt\tkata\tn\t\t\treviewed\nzblt\tkota\tn\tpeta\t\tdraft\n",
    "slang/id.tsv": "form\tid\tpos\twhen\tdomain\tstatus\nzblt\tkata\tn\t\t\treviewed\n",
}


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "jsonl", "ttl", "rdf"])
def test_what_is_exported_and_imported_differs_in_nothing(call: Call, ending: str) -> None:
    for name, text in WRITTEN.items():
        file = Path("team", name)
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    assert call("export", f"x.{ending}", "team")[0] == 0
    assert call("import", f"x.{ending}", "--into", "other", "--apply")[0] == 0
    assert call("diff", "team", "other") == (0, "", "rewriter: no entry differs\n")
    assert "0 added, 0 changed, 5 unchanged" in call("import", f"x.{ending}", "--into", "team")[2]


def test_a_case_that_breaks_is_exit_code_1(call: Call) -> None:
    Path("c.jsonl").write_text('{"query": "harga zorblat mini", "equals": {"question": "Berapa harga zorblat mini?"}}\n', encoding="utf-8")
    Path("log.txt").write_text("harga zorblat mini\n", encoding="utf-8")
    assert call("add", "team/senses/a.toml", *SENSE, "--status", "reviewed", "--reviewer", "ani")[0] == 0
    assert call("preview", "team", "--log", "log.txt", "--html", "p.html")[0] == 0
    code, out, err = call("preview", "team", "--log", "log.txt", "--cases", "c.jsonl", "--json")
    assert code == 1 and json.loads(out)["regressions"][0]["where"] == "c.jsonl:1" and "1 of 1 cases broken" in err
    code, out, _ = call("test", "c.jsonl", "--lexicon", "team")
    assert code == 1 and out.startswith("c.jsonl:1: harga zorblat mini\n    question is")
