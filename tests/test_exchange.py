"""Lexicons in other formats: what goes out comes back, as far as the format can hold it, and what it cannot hold is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import entry_rows

from rewriter.curation.exchange.exchanged import Options
from rewriter.curation.exchange.formats import FORMATS, format_of, read_rows, write_rows
from rewriter.curation.exchange.targets import held_part
from rewriter.curation.rows import Row, key_of
from rewriter.errors import InputError

WHOLE = ("x.csv", "x.tsv", "x.xlsx", "x.jsonl")
LISTS_OF_ROWS = st.lists(entry_rows().map(lambda pair: Row(*pair)), min_size=1, max_size=6, unique_by=key_of)


def there_and_back(rows: list[Row], file: str, language: str = "id") -> tuple[list[Row], tuple[str, ...]]:
    """Rows written and read again, none of them refused; and what was told."""
    options = Options(format_of(file, None), file, language)
    data, told = write_rows(rows, options)
    reads = read_rows(data, options)
    assert [r.why for r in reads if r.row is None] == []
    return [r.row for r in reads if r.row is not None], told


def without_order(rows: list[Row]) -> list[Any]:
    """Rows as a set, their fields too."""
    return sorted((r.kind, sorted(r.fields.items())) for r in rows)


@pytest.mark.parametrize("file", WHOLE)
@given(rows=LISTS_OF_ROWS)
def test_tables_and_jsonl_hold_everything(file: str, rows: list[Row]) -> None:
    back, told = there_and_back(rows, file)
    assert (back, told) == (rows, ())


@pytest.mark.parametrize("file", ["x.ttl", "x.rdf", "x.nt", "x.jsonld"])
@given(rows=LISTS_OF_ROWS)
def test_skos_holds_everything_but_the_order_of_entries(file: str, rows: list[Row]) -> None:
    back, told = there_and_back(rows, file)
    assert (without_order(back), told) == (without_order(rows), ())


@pytest.mark.parametrize("language", ["id", "en"])
@given(rows=LISTS_OF_ROWS)
def test_solr_holds_both_sides_of_a_rule_and_tells_the_rest(language: str, rows: list[Row]) -> None:
    back, told = there_and_back(rows, "x.txt", language)
    expected = [held_part(row, language) for row in rows]
    leading = [r for r in expected if any(k in r.fields for k in ("to", f"canonical.{language}", f"expert.{language}"))]
    assert [(r.kind, dict(r.fields)) for r in back] == [(r.kind, dict(r.fields)) for r in leading]
    assert any("cannot hold" in sentence and "status" in sentence for sentence in told)
    assert len(leading) == len(rows) or any("left out" in sentence for sentence in told)


@given(rows=LISTS_OF_ROWS)
def test_querqy_holds_both_sides_and_some_properties(rows: list[Row]) -> None:
    back, told = there_and_back(rows, "x.rules")
    kept = {"domain", "source", "licence", "status", "pos", "when"}
    found = {(r.kind, r.id): r for r in back}
    for row in rows:
        if (row.kind, row.id) in found and sum(r.id == row.id for r in rows) == 1:
            expected = {**held_part(row, "id").fields, **{k: v for k, v in row.fields.items() if k in kept}}
            assert dict(found[(row.kind, row.id)].fields) == expected
    assert len(back) == len(rows) or any("left out" in sentence for sentence in told)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_header_says_what_parts_the_columns_of_a_table(mark: str) -> None:
    (read,) = read_rows(f"form{mark}to{mark}pos\nkata{mark}word{mark}n\n".encode(), Options("csv"))
    assert read.row == Row("translation", {"form": "kata", "to": "word", "pos": "n"})


def test_a_review_file_gives_only_what_was_accepted() -> None:
    data, _ = write_rows([Row("translation", {"form": f"kata {n}", "to": "word", "pos": "n"}) for n in range(3)], Options("review"))
    text = data.decode().replace('decision = ""', 'decision = "accept"', 1).replace('decision = ""', 'decision = "reject"', 1)
    first, last = read_rows(text.encode(), Options("review"))
    assert first.row == Row("translation", {"form": "kata 0", "to": "word", "pos": "n"})
    assert last.undecided and last.row is None


@pytest.mark.parametrize(
    ("format", "text", "place", "why"),
    [
        ("solr", "a => b => c", "row 1", "two arrows"),
        ("solr", "lonely", "row 1", "has one word"),
        ("solr", "a,,b => c", "row 1", "a word is empty"),
        ("querqy", "a =>\n  UP(5): b", "row 1", "says nothing about meaning"),
        ("querqy", "SYNONYM: b", "row 1", "before the first rule"),
        ("querqy", "a* =>\n  SYNONYM: b", "row 1", "signs that no form has"),
        ("csv", "forms,id,prior\na,b.c,much\n", "row 2", "no number"),
        ("csv", "forms,id\na,b.c,more\n", "row 2", "more cells"),
        ("csv", "forms,id\n,b.c\n", "row 2", "has no forms"),
        ("jsonl", "{}\n[]", "row 2", "JSON list"),
        ("jsonl", '{"kind": "verb"}', "row 1", "known are"),
        ("skos", "@prefix s: <http://www.w3.org/2004/02/skos/core#> . <urn:a> a s:Concept .", "urn:a", "no prefLabel"),
    ],
)
def test_a_refused_row_has_its_place_and_reason(format: str, text: str, place: str, why: str) -> None:
    refused = [r for r in read_rows(text.encode(), Options(format)) if r.row is None]
    assert [r.place for r in refused][-1] == place
    assert why in refused[-1].why


@pytest.mark.parametrize(
    ("format", "data"), [("xlsx", b"no zip"), ("skos", b"<<<"), ("csv", b"\xff"), ("csv", b"a,b\n1,2"), ("review", b"=")]
)
def test_a_file_that_is_no_such_format_is_one_sentence(format: str, data: bytes) -> None:
    with pytest.raises(InputError, match=r"x:1|x cannot|x is no"):
        read_rows(data, Options(format, "x"))


def test_a_foreign_concept_becomes_a_sense() -> None:
    text = """
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    <https://example.org/c/17> a skos:Concept ; skos:prefLabel "hypertension"@en , "hipertensi"@id ; skos:altLabel "Darah Tinggi"@id ;
        skos:definition "high blood pressure"@en .
    """
    (read,) = read_rows(text.encode(), Options("skos", "x.ttl"))
    assert read.row == Row(
        "sense",
        {
            "id": "hypertension.17", "forms": ["darah tinggi"], "canonical.en": "hypertension", "gloss.en": "high blood pressure",
            "canonical.id": "hipertensi",
        },
    )  # fmt: skip


def test_a_list_without_an_arrow_leads_to_its_first_word() -> None:
    (read,) = read_rows(b"ktp, kartu tanda penduduk, e-ktp", Options("solr"))
    assert read.row is not None
    assert (read.row.fields["forms"], read.row.fields["expert.id"]) == (["kartu tanda penduduk", "e-ktp"], ["ktp"])


def test_every_format_is_known_by_an_ending(tmp_path: Path) -> None:
    assert {format_of(f"a{ending}", None) for _, endings in FORMATS.values() for ending in endings} == FORMATS.keys()
    with pytest.raises(InputError, match="give --format"):
        format_of("a.pdf", None)
