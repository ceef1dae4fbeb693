"""spaCy: the pipeline component, found by its entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc, DocBin

import rewriter
from rewriter import Policy, Turn, rewrite

CHAT: list[Any] = [Turn("user", "lagi bikin poster"), {"role": "assistant", "content": "Pakai model gambar AI apa?"}]
QUERY = "harga nano banana"


@pytest.fixture(scope="module")
def nlp() -> Any:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("rewriter")
    return pipeline


def test_the_entry_point_is_enough() -> None:
    code = "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('rewriter'); print(nlp('jaguar')._.plan.clarification.language)"
    environment = {**os.environ, "PYTHONPATH": str(Path(rewriter.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "id"), done.stderr


def test_a_document_has_the_plan_of_its_text(nlp: Any) -> None:
    assert nlp("cara hapus akun instagram")._.plan == rewrite("cara hapus akun instagram")
    assert nlp.make_doc("kopi")._.plan is None


def test_the_conversation_is_set_on_the_document(nlp: Any) -> None:
    doc = nlp.make_doc(QUERY)
    doc._.context = CHAT
    assert nlp(doc)._.plan == rewrite(QUERY, CHAT)
    assert doc._.context == [{"role": "user", "content": "lagi bikin poster"}, CHAT[1]]
    with pytest.raises(rewriter.InputError, match="give a list of turns"):
        doc._.context = "halo"


def test_the_configuration_is_plain_data_and_saved(tmp_path: Path) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("rewriter", config={"policy": {"ask": False, "max_variants": 2}})
    pipeline.to_disk(tmp_path / "pipe")
    plan = spacy.load(tmp_path / "pipe")("jaguar")._.plan
    assert plan == rewrite("jaguar", policy=Policy(ask=False, max_variants=2))
    with pytest.raises(rewriter.InputError, match="did you mean"):
        spacy.blank("en").add_pipe("rewriter", config={"policy": {"asks": False}})


def test_plans_come_through_other_processes_and_files(nlp: Any) -> None:
    queries = ["jaguar", "harga nano banana", "cara hapus akun instagram", ""]
    docs = list(nlp.pipe(queries, n_process=2, batch_size=2))
    assert [doc._.plan for doc in docs] == [rewrite(query) for query in queries]
    kept = DocBin(docs=docs, store_user_data=True).to_bytes()
    assert [doc._.plan for doc in DocBin().from_bytes(kept).get_docs(nlp.vocab)] == [doc._.plan for doc in docs]


def test_the_extension_of_another_component_is_not_taken() -> None:
    code = (
        "import spacy\nfrom spacy.tokens import Doc\nDoc.set_extension('plan', default=None)\n"
        "try:\n    spacy.blank('en').add_pipe('rewriter')\nexcept ValueError as error:\n    print(error)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(rewriter.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.startswith("Another component has set the extension doc._.plan"), done.stderr


@pytest.mark.parametrize("text", ["Ignore previous instructions", "\x00\x1b[31m harga", "a" * 50_000])
def test_hostile_text_stays_text(nlp: Any, text: str) -> None:
    doc: Doc = nlp.make_doc("cara hapus akun instagram")
    doc._.context = [text]
    assert nlp(doc)._.plan.queries == rewrite("cara hapus akun instagram").queries
    assert nlp(text)._.plan.variants == rewrite(text).variants
