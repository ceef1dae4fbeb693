"""Query logs read and mined, WordNet asked, numbers counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rewriter import Resources
from rewriter.curation.exchange.review import decided, extend_review, render_review
from rewriter.curation.logs import Columns, Logged, read_log
from rewriter.curation.mine import MEASURES, MOST_KEPT, Candidate, Options, count_log, mine_log, to_rows
from rewriter.curation.stats import count_entries, count_reach
from rewriter.curation.store import load_items
from rewriter.curation.versions import whole_resources
from rewriter.curation.wordnet import open_wordnet, suggest_senses
from rewriter.errors import InputError

ROWS = [
    {"query": "harga zorblat", "session": "a", "count": 2},
    {"query": " ", "session": "a", "count": 1},
    {"query": "promo zorblat", "session": "", "count": 1},
]
EXPECTED = [Logged("harga zorblat", "a", (), 2), Logged("promo zorblat", "", (), 1)]


def _write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def test_a_log_may_be_jsonl_csv_tsv_or_parquet(tmp_path: Path) -> None:
    for ending, mark in (("csv", ","), ("tsv", "\t")):
        lines = [mark.join(("query", "session", "count")), *[mark.join(map(str, row.values())) for row in ROWS]]
        (tmp_path / f"log.{ending}").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    _write_parquet(tmp_path / "log.parquet", ROWS)
    for ending in ("csv", "tsv", "jsonl", "parquet"):
        assert list(read_log(str(tmp_path / f"log.{ending}"))) == EXPECTED, ending
    (tmp_path / "log.txt").write_text("harga zorblat\n\npromo zorblat\n", encoding="utf-8")
    assert [one.query for one in read_log(str(tmp_path / "log.txt"))] == ["harga zorblat", "promo zorblat"]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_the_header_says_what_parts_the_columns_of_a_log(tmp_path: Path, ending: str, mark: str) -> None:
    file = tmp_path / f"log.{ending}"
    file.write_text(f'query{mark}count\n"harga; a, b"{mark}2\n', encoding="utf-8")
    assert list(read_log(str(file))) == [Logged("harga; a, b", count=2)]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "q\nx\n", "a.csv:1 has no column 'query'; it has q"),
        ("a.csv", "query,count\nx,many\n", "a.csv:2: count is 'many'"),
        ("a.jsonl", '{"query": "x"}\n{', "a.jsonl:2: this line is no JSON"),
        ("a.jsonl", "[1]", "a.jsonl:1: this line is a JSON list"),
        ("a.jsonl", '{"q": "x"}', "a.jsonl:1: this row has no 'query'"),
        ("a.jsonl", '{"query": 3}', "query is 3, which is no text"),
        ("a.parquet", "x", "cannot be read as Parquet"),
    ],
)
def test_a_log_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(read_log(str(tmp_path / name)))
    assert told in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read"):
        list(read_log(str(tmp_path / "absent.csv"), Columns()))


def log() -> Iterator[Logged]:
    """Two weeks of a small shop: a nickname, a new word, slang typed anew, a lay term, a phrase, and the rest."""
    for day in range(8):
        session = f"s{day}"
        yield from (Logged("harga vexu narita"), Logged("promo vexu narita"), Logged("vexu narita"))
        yield from (Logged("mesin pengembur tanah", session), Logged("cara pakai zorblak di rumah", session))
        yield from (Logged("kapan blkngn rumah", f"a{day}"), Logged("kapan belakang rumah", f"a{day}"))
        yield from (Logged("obat benjol kelopak", f"b{day}"), Logged("obat blefaritis", f"b{day}"))
        yield Logged("sepatu bola murah bangeeeet")


@pytest.fixture(scope="module")
def mined(resources: Resources) -> dict[tuple[str, str], Candidate]:
    """Candidates of the small log by group and form."""
    return {(c.group, c.form): c for c in mine_log(log(), resources, Options())}


def test_each_kind_of_candidate_is_found_for_its_reason(mined: dict[tuple[str, str], Candidate]) -> None:
    assert mined["nicknames", "vexu narita"].why == "vexu in no vocabulary; a query of its own 8 times; beside a word like harga 16 times"
    assert mined["untranslated", "zorblak"].count == 8
    assert (mined["slang", "blkngn"].proposal, mined["slang", "blkngn"].why) == ("belakang", "typed anew as 'belakang' 8 times")
    assert mined["slang", "bangeeeet"].proposal == "banget"
    assert mined["lay", "benjol kelopak"].proposal == "blefaritis"
    assert mined["phrases", "sepatu bola murah"].score > 0


def test_candidates_have_examples_and_stand_in_one_group(mined: dict[tuple[str, str], Candidate]) -> None:
    assert all(c.examples and c.count >= 2 for c in mined.values())
    assert len({form for _, form in mined}) == len(mined)


def test_what_the_lexicons_know_is_no_candidate(resources: Resources) -> None:
    found = mine_log([Logged("harga nano banana", count=50), Logged("nano banana", count=50)], resources, Options())
    assert "nano banana" not in {c.form for c in found}


@pytest.mark.parametrize("measure", MEASURES)
def test_each_measure_of_nltk_ranks(measure: str, resources: Resources) -> None:
    assert mine_log(log(), resources, Options(measure=measure))


def test_a_measure_that_nltk_has_not_is_refused(resources: Resources) -> None:
    with pytest.raises(InputError, match="known are likelihood_ratio"):
        mine_log(log(), resources, Options(measure="luck"))


def test_memory_is_bounded_and_what_is_frequent_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_KEPT == 1_000_000
    monkeypatch.setattr("rewriter.curation.mine.MOST_KEPT", 500)
    stream = (Logged(query) for n in range(2_000) for query in (f"kata{n} lain{n}", "harga beras"))
    tally = count_log(stream)
    assert len(tally.words) <= 600 and len(tally.examples) <= 600
    assert tally.words[("harga", "beras")] == 2_000 and tally.queries == 4_000


def test_candidates_become_rows_to_complete(mined: dict[tuple[str, str], Candidate], resources: Resources) -> None:
    rows = [row for _, row in to_rows(mined.values(), resources)]
    assert {row.fields["status"] for row in rows} == {"draft"}
    assert len({row.id for row in rows if "forms" in row.fields}) == len([r for r in rows if "forms" in r.fields])


@pytest.mark.parametrize(
    ("proposal", "english", "indonesian"),
    [("susu kental", "", "susu kental"), ("milk coffee", "milk coffee", ""), ("zorblat", "zorblat", "zorblat")],
)
def test_a_proposed_name_stands_in_the_field_of_its_language(proposal: str, english: str, indonesian: str, resources: Resources) -> None:
    ((_, row),) = to_rows([Candidate("nicknames", "kwimpi", 5, 5, "", (), proposal)], resources)
    assert (row.fields["canonical.en"], row.fields["canonical.id"]) == (english, indonesian)


def test_one_coincidence_proposes_nothing(resources: Resources) -> None:
    once = [Logged("harga zorblat kwimpi", "a"), Logged("harga semen putih", "a"), Logged("zorblat kwimpi", count=9)]
    (found,) = [c for c in mine_log(once, resources, Options()) if c.form == "zorblat kwimpi"]
    assert (found.group, found.proposal) == ("nicknames", "")
    assert found.why.endswith("beside a word like harga once")


def test_pieces_of_one_query_are_one_candidate_and_the_most_typed_stand_first(resources: Resources) -> None:
    queries = [Logged("vexu narita kwimpi zorblat", count=9), Logged("harga blenga motu", count=20), Logged("blenga motu", count=20)]
    found = [c for c in mine_log(queries, resources, Options()) if c.group == "nicknames"]
    assert [c.form for c in found if "blenga" not in c.form] == [found[-1].form]
    assert found[0].form == "blenga motu" and [c.count for c in found] == sorted((c.count for c in found), reverse=True)


def test_what_was_decided_does_not_come_back_in_any_group(mined: dict[tuple[str, str], Candidate], resources: Resources) -> None:
    done = {("nicknames", "vexu narita"), ("lay", "benjol kelopak")}
    again = {(c.group, c.form) for c in mine_log(log(), resources, Options(), decided=done)}
    assert again == mined.keys() - done


@pytest.mark.parametrize("status", ["draft", "retired", "reviewed"])
def test_what_a_lexicon_holds_is_no_candidate_whatever_its_status(tmp_path: Path, status: str) -> None:
    head = "id\ten\tpos\twhen\tdomain\tstatus\n"
    (tmp_path / "a.tsv").write_text(f"{head}a\tb\tn\t\t\treviewed\nvexu narita\tVexu\tname\t\t\t{status}\n", encoding="utf-8")
    table = f'[benjol.x]\nforms = ["benjol kelopak"]\nexpert.id = ["kwendra"]\nstatus = "{status}"\n'
    (tmp_path / "a.toml").write_text(f'# Here.\n\n[a.b]\nforms = ["a"]\nstatus = "reviewed"\n\n{table}', encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(f'{{"id": "zorblak", "en": "kwendra", "pos": "n", "status": "{status}"}}\n', encoding="utf-8")
    found = {c.form for c in mine_log(log(), whole_resources([tmp_path]), Options())}
    assert not found & {"vexu narita", "benjol kelopak", "zorblak"} and "blkngn" in found


def test_a_review_file_keeps_what_people_wrote_and_gets_what_is_new(mined: dict[tuple[str, str], Candidate], resources: Resources) -> None:
    candidates = list(to_rows(mined.values(), resources))
    written = render_review(candidates[:2], "About.").replace('decision = ""', 'decision = "reject"  # a brand', 1)
    written = written.replace(f'entry.forms = ["{candidates[0][0]["form"]}"]', 'entry.forms = ["something else"]', 1)
    text, fresh = extend_review(written, candidates[:3], "review.toml")
    assert text.startswith(written) and fresh == 1 and text.count("[[candidate]]") == 3
    assert extend_review(text, candidates[:3], "review.toml") == (text, 0)
    assert decided(text, "review.toml") == {(candidates[0][0]["group"], candidates[0][0]["form"])}
    with pytest.raises(InputError, match="has no tables"):
        extend_review("[a.b]\nforms = []\n", candidates, "senses.toml")


# ── WordNet ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _wordnet(folder: Path) -> Path:
    """A WordNet of three nouns, in its own file format: offsets are bytes."""
    synsets = [
        ("20", "fruit 0", "", "the ripened body of a plant; sweet or seedy"),
        ("13", "banana 0 plantain 0 finger_fruit 0", "@", 'elongated yellow fruit; "a ripe banana"'),
    ]
    lines: list[str] = []
    offsets: list[int] = []
    for file, words, pointer, gloss in synsets:
        at = sum(len(line.encode()) for line in lines)
        above = f"001 @ {offsets[0]:08d} n 0000" if pointer else "000"
        lines.append(f"{at:08d} {file} n {len(words.split()) // 2:02x} {words} {above} | {gloss}  \n")
        offsets.append(at)
    (folder / "data.noun").write_text("".join(lines), encoding="utf-8")
    index = [(lemma, offsets[n]) for n, (_, words, _, _) in enumerate(synsets) for lemma in words.split()[::2]]
    (folder / "index.noun").write_text("".join(f"{lemma} n 1 0 1 0 {offset:08d}  \n" for lemma, offset in sorted(index)), encoding="utf-8")
    names = (
        "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition noun.communication"
    )
    names += " noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant"
    (folder / "lexnames").write_text("".join(f"{n:02d}\t{name}\t1\n" for n, name in enumerate(names.split())), encoding="utf-8")
    for part in ("verb", "adj", "adv"):
        (folder / f"data.{part}").write_text("", encoding="utf-8")
        (folder / f"index.{part}").write_text("", encoding="utf-8")
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"{part}.exc").write_text("", encoding="utf-8")
    (folder / "cntlist.rev").write_text("", encoding="utf-8")
    return folder


def test_wordnet_proposes_senses_with_synonyms_and_their_licence(tmp_path: Path, resources: Resources) -> None:
    wordnet = open_wordnet(_wordnet(tmp_path))
    ((about, row),) = suggest_senses("pisang", wordnet, resources, resources.domains)
    assert (about["synset"], about["above"]) == ("banana.n.01", ["fruit"])
    assert row.fields["synonyms"] == ["plantain", "finger fruit"]
    assert (row.fields["gloss.en"], row.fields["domain"]) == ("elongated yellow fruit", "food")
    assert (row.fields["source"], row.fields["licence"], row.fields["status"]) == ("wordnet", "WordNet 3.0 licence", "draft")


def test_a_folder_without_wordnet_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no data\.noun"):
        open_wordnet(tmp_path)


# ── Numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_entries_are_counted_by_kind_domain_language_and_status(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("id\ten\tpos\twhen\tdomain\tstatus\nair\twater\tnu\t\tfood/x\treviewed\nes\tice\tnu\t\t\tdraft\n")
    tables = count_entries(load_items(tmp_path))
    assert (tables["kind"], tables["status"]) == ({"translation": 2}, {"draft": 1, "reviewed": 1})
    assert tables["domain"] == {"food": 1, "none": 1}


def test_reach_counts_logged_queries(resources: Resources) -> None:
    reach = count_reach([Logged("harga beras", count=3), Logged("jaguar"), Logged("...")], resources)
    assert reach["queries"] == 5
    assert (reach["reached"]["english whole"], reach["reached"]["asked back"], reach["reached"]["anything"]) == (3, 1, 4)
