"""Lay expressions that a query says in other words: by most of its words, never against a negation, and not where two fit as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter import load_resources, rewrite
from rewriter.resources import Resources

ENTRY = """
[{id}]
forms = {forms}
expert.en = {en}
expert.id = {id_}
gloss.en = "x"
gloss.id = "x"
domain = "technology"
direction = "{direction}"
source = "curated"
"""


def entry(name: str, forms: list[str], en: str, id_: str = "", direction: str = "lay-to-expert") -> str:
    quoted = "[" + ", ".join(f'"{f}"' for f in forms) + "]"
    return ENTRY.format(id=name, forms=quoted, en=f'["{en}"]', id_=f'["{id_ or en}"]', direction=direction)


LEXICON = "".join(
    [
        entry("wall.crack", ["tembok rumah retak", "dinding pecah memanjang", "long cracks in a wall"], "large crack", "retak struktural"),
        entry("damp.mould", ["jamur hitam di dinding kamar mandi", "black spots on bathroom wall"], "mould growth", "pertumbuhan jamur"),
        entry("net.down", ["wifi nyambung tapi internet tidak jalan", "connected without internet access"], "no connectivity"),
        entry("net.slow", ["internet jalan tapi lambat sekali", "internet access is slow"], "low bandwidth"),
        entry("ship.late", ["paket belum sampai lewat tanggal", "parcel arrives after the date"], "delivery delay"),
        entry("ship.lost", ["paket belum sampai hilang kurir", "parcel never arrives courier lost it"], "lost shipment"),
        entry("term.back", ["selling shares to everybody first time"], "initial public offering", direction="expert-to-lay"),
    ]
)


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lexicon") / "jargon" / "lay.toml"
    path.parent.mkdir()
    path.write_text(LEXICON, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def small(lexicon: Path) -> Resources:
    return load_resources(lexicon, base=False)


def synonym_of(query: str, resources: Resources) -> str:
    return next((v.text for v in rewrite(query, resources=resources).variants if v.pattern == "synonym"), "")


@pytest.mark.parametrize(
    ("query", "synonym"),
    [
        ("dinding rumah retak memanjang", "retak struktural"),  # of two expressions a part each
        ("retak panjang di tembok", "retak struktural"),  # `panjang` is `long`: the English expression has it
        ("tembok kamar mandi bintik hitam", "pertumbuhan jamur"),  # `kamar mandi` is one word, `bathroom`, and no room
        ("walls with black spots", "mould growth"),
        ("wifi jalan tapi internet tidak", "no connectivity"),  # denied, as the expression is
        ("wifi jalan tapi internet lambat", "wifi low bandwidth"),  # not denied: the other one
        ("paket belum sampai", ""),  # both fit as well
        ("paket belum sampai lewat tanggal", "delivery delay"),
        ("retak", ""),  # one word describes nothing
        ("hati retak", ""),  # of two words both must agree
        ("kenapa tembok kantor di jakarta utara banyak retak", ""),  # a question of which half is about something else
        ("selling shares to everyone first time", ""),  # an entry for the way back
        ('"dinding rumah" retak memanjang', ""),  # what is protected stays and counts for nothing
    ],
)
def test_a_description_is_found_by_most_of_its_words(query: str, synonym: str, small: Resources) -> None:
    assert synonym_of(query, small) == synonym


def test_what_the_description_does_not_say_stays(small: Resources) -> None:
    assert synonym_of("dinding kiri retak memanjang", small) == "retak struktural kiri"
    assert synonym_of("dinding rumah retak memanjang Semarang", small) == "retak struktural Semarang"


def test_a_word_that_speaks_for_another_domain_alone_leaves_the_entry_out(tmp_path: Path) -> None:
    own = tmp_path / "jargon" / "own.toml"
    own.parent.mkdir()
    text = entry("house.staging", ["rumah bekas biar cepat laku dijual", "rumah kosong biar menarik pembeli"], "home staging")
    own.write_text(text.replace('"technology"', '"property/housing"'), encoding="utf-8")
    alone = load_resources(own, base=False)
    assert synonym_of("rumah bekas pojokan cepat dijual", alone) == "home staging pojokan"
    assert synonym_of("mobil bekas bensin boros cepat dijual", alone) == ""


_SAID = ["dinding", "tembok", "rumah", "retak", "memanjang", "pecah"]


@given(words=st.permutations(_SAID[:1] + _SAID[2:5]))
def test_the_order_of_a_description_does_not_matter(words: list[str], small: Resources) -> None:
    assert synonym_of(" ".join(words), small) == "retak struktural"


@given(query=st.lists(st.sampled_from([*LEXICON.split(), "tidak", "not", "\0", "\ud800", "kamar", "’s"]), max_size=12).map(" ".join))
def test_no_words_make_it_raise_or_differ(query: str, small: Resources) -> None:
    assert rewrite(query, resources=small) == rewrite(query, resources=small)


def test_an_overlay_goes_before_and_takes_away(tmp_path: Path, resources: Resources) -> None:
    query = "helm bluetooth lagu"
    own = tmp_path / "jargon" / "own.toml"
    own.parent.mkdir()
    forms = ["helm buat denger lagu", "bluetooth in a helmet"]
    own.write_text(entry("helm.audio", forms, "helmet intercom", "interkom helm"), encoding="utf-8")
    assert synonym_of(query, load_resources(own)) == "interkom helm"
    assert "interkom helm" not in synonym_of(query, resources)
    own.write_text(own.read_text(encoding="utf-8") + 'status = "retired"\n', encoding="utf-8")
    assert synonym_of(query, load_resources(own)) == synonym_of(query, resources)
