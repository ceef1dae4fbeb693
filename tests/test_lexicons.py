"""The shipped lexicons: nothing for the lint to find, and as much in them as their README promises."""

from __future__ import annotations

import pytest

from rewriter.io.lint import read_collection
from rewriter.lexicon.checks import check_collection
from rewriter.lexicon.collection import Collection
from rewriter.pack.files import lexicons_folder
from rewriter.pack.load import default_resources


@pytest.fixture(scope="module")
def shipped() -> Collection:
    """All lexicon files of the package."""
    return read_collection([lexicons_folder()], zipf=default_resources().zipf)


def test_the_lint_finds_nothing(shipped: Collection) -> None:
    assert [str(f) for f in check_collection(shipped)] == []


def test_there_are_3500_senses_of_1800_forms_in_15_domains(shipped: Collection) -> None:
    senses = [s for _, s in shipped.senses if not s.idiom]
    domains = {s.domain.split("/")[0] for s in senses}
    forms = {f for s in senses for f in s.forms}
    assert len(senses) >= 3_500 and len(forms) >= 1_800 and len(domains) >= 15, (len(senses), len(forms), sorted(domains))


def test_there_are_14000_bilingual_entries_of_which_4000_are_phrases(shipped: Collection) -> None:
    forms = {t.form for _, t in shipped.translations}
    phrases = [f for f in forms if " " in f]
    assert len(forms) >= 14_000 and len(phrases) >= 4_000, (len(forms), len(phrases))


def test_there_are_1500_slang_spellings(shipped: Collection) -> None:
    assert len({(s.language, s.form) for _, s in shipped.slang}) >= 1_500


def test_there_are_10000_jargon_entries(shipped: Collection) -> None:
    assert len(shipped.jargon) >= 10_000


def test_there_are_600_idioms(shipped: Collection) -> None:
    assert len([s for _, s in shipped.senses if s.idiom]) >= 600


def test_no_context_asks_what_a_nano_banana_is(shipped: Collection) -> None:
    assert {s.id: s.prior for _, s in shipped.senses if "nano banana" in s.forms} == {"nano-banana.fruit": 0, "nano-banana.image-model": 0}
