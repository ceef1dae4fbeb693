"""The same signature and the same request give the same plan, byte for byte, wherever and in whatever order."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import strategies as own
from hypothesis import given
from hypothesis import strategies as st

import rewriter
from rewriter import Policy, Request, Resources, Turn, load_resources, rewrite, rewrite_all

CONTEXT = ["lagi belajar ngoding pakai python", "bagus, mau mulai dari mana?", "bandingkan iPhone 16 dan Samsung Galaxy S25"]


def plans_of(queries: list[str], resources: Resources | None = None) -> list[str]:
    """Each query alone and after a conversation, as JSON."""
    return [rewrite(q, context, resources=resources).to_json() for q in queries for context in ((), CONTEXT)]


# ── In one process ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(own.queries(), own.contexts())
def test_a_query_gives_the_same_plan_again(query: str, context: list[Turn]) -> None:
    assert rewrite(query, context).to_json() == rewrite(query, context).to_json()


def test_cached_and_uncached_resources_give_equal_plans(resources: Resources) -> None:
    queries = own.sample_queries(60, seed=3)
    warm = plans_of(queries, resources)
    assert plans_of(queries, resources) == warm
    fresh = pickle.loads(pickle.dumps(resources))
    assert not fresh.caches
    assert plans_of(queries[::-1], fresh)[::-1] == [p for pair in zip(warm[1::2], warm[::2], strict=True) for p in pair]


def test_an_earlier_request_leaves_no_trace_in_a_later_one(resources: Resources) -> None:
    alone = rewrite("jaguar", resources=pickle.loads(pickle.dumps(resources))).to_json()
    rewrite("jaguar", ["mobil sport mewah buatan Inggris"], resources=resources)
    rewrite("jaguar", ["kucing besar di hutan Amazon"], resources=resources)
    assert rewrite("jaguar", resources=resources).to_json() == alone


def test_threads_give_equal_plans(resources: Resources) -> None:
    queries = own.sample_queries(80, seed=4)
    expected = [rewrite(q, CONTEXT, resources=resources).to_json() for q in queries]
    fresh = pickle.loads(pickle.dumps(resources))
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda q: rewrite(q, CONTEXT, resources=fresh).to_json(), queries * 2))
    assert made == expected * 2


def test_threads_that_load_the_default_resources_share_them() -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: rewriter.default_resources(), range(16)))
    assert len({id(r) for r in found}) == 1


def test_a_batch_gives_the_plans_of_single_calls() -> None:
    queries = own.sample_queries(30, seed=5)
    requests = [Request(q, tuple(Turn("user", c) for c in CONTEXT)) for q in queries]
    assert [p.to_json() for p in rewrite_all(requests)] == [rewrite(q, CONTEXT).to_json() for q in queries]


# ── Across processes ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

_CHILD = """
import json, sys
import rewriter
queries, context = json.load(sys.stdin)
for query in queries:
    for turns in ((), context):
        print(rewriter.rewrite(query, turns).to_json())
"""


def test_processes_and_hash_seeds_give_equal_plans(resources: Resources) -> None:
    queries = own.sample_queries(200, seed=6)
    expected = plans_of([json.loads(json.dumps(q)) for q in queries], resources)
    for seed in ("1", "4242"):
        made = run_child(_CHILD, json.dumps([queries, CONTEXT]), seed).splitlines()
        assert _digest(made) == _digest(expected), next((a, b) for a, b in zip(made, expected, strict=True) if a != b)


def run_child(code: str, stdin: str, seed: str) -> str:
    """Standard output of Python code in a process of its own, with this package on its path."""
    package = str(Path(rewriter.__file__).parent.parent)
    path = os.pathsep.join(p for p in (package, os.environ.get("PYTHONPATH", "")) if p)
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], input=stdin, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


# ── Order of files and entries ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def load_files(files: dict[str, str], names: list[str] | None = None) -> Resources:
    """Resources of files in a folder of their own: the folder, or the files one by one in a given order."""
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        return load_resources(*([Path(folder, n) for n in names] if names is not None else [folder]))


@given(own.lexicons(min_size=2), own.synthetic_queries(), st.data())
def test_the_order_of_senses_and_files_does_not_matter(rows: list[own.Row], query: str, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    write, suffix = data.draw(st.sampled_from([(own.to_jsonl, "jsonl"), (own.to_toml, "toml")]))
    files = {f"a.{suffix}": write(shuffled[:cut]), f"b.{suffix}": write(shuffled[cut:])}
    names = data.draw(st.permutations(sorted(files)))
    expected = load_files({"all.jsonl": own.to_jsonl(rows)})
    for made in (load_files(files), load_files(files, names)):
        assert made == expected
        assert rewrite(query, ["kode"], resources=made).to_json() == rewrite(query, ["kode"], resources=expected).to_json()


def test_the_order_of_translations_does_not_matter() -> None:
    lines = ["zorblat\tengine\tn\t\t\t", "zorblat\tfruit\tn\tmakan\t\t", "kwimpi\tship\tn\t\t\t"]
    header = "id\ten\tpos\twhen\tdomain\tstatus"
    one, other = (load_files({"t.tsv": "\n".join([header, *order]) + "\n"}) for order in (lines, lines[::-1]))
    assert one == other
    assert rewrite("harga zorblat", resources=one) == rewrite("harga zorblat", resources=other)


def test_a_folder_and_its_files_are_the_same_lexicon() -> None:
    row = {"id": "zz.one", "forms": ["zorblat"], "canonical": {"en": "Z", "id": "Z"}, "gloss": {"en": "z", "id": "z"}, "domain": "x"}
    other = {**row, "id": "zz.two"}
    files = {"a.jsonl": own.to_jsonl([row]), "b.jsonl": own.to_jsonl([other])}
    assert load_files(files) == load_files(files, ["b.jsonl", "a.jsonl"])


# ── Signature ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

ROW: own.Row = {
    "id": "zz.one", "forms": ["zorblat"], "canonical": {"en": "Kwendra engine", "id": "mesin Kwendra"},
    "gloss": {"en": "an engine", "id": "sebuah mesin"}, "domain": "technology/ai", "cues": ["kode"], "source": "test",
}  # fmt: skip
CHANGES: dict[str, Any] = {
    "id": "zz.two", "forms": ["zorblat", "kwimpi"], "canonical": {"en": "Kwendra", "id": "mesin Kwendra"},
    "gloss": {"en": "an engine", "id": "mesin"}, "domain": "food/dishes", "cues": ["kode", "mesin"], "prior": 50, "needs_cue": True,
    "literal_cues": ["makan"], "near": ["zz.three"], "synonyms": ["Kwendra motor"], "keep_form": True, "cue_weights": [150],
}  # fmt: skip


def test_the_same_files_have_the_same_signature() -> None:
    signatures = {rewrite("zorblat", resources=load_files({name: own.to_jsonl([ROW])})).signature for name in ("a.jsonl", "b.jsonl")}
    assert len(signatures) == 1


@pytest.mark.parametrize("field", CHANGES)
def test_a_changed_entry_changes_the_signature(field: str) -> None:
    before = rewrite("halo", resources=load_files({"a.jsonl": own.to_jsonl([ROW])})).signature
    after = rewrite("halo", resources=load_files({"a.jsonl": own.to_jsonl([{**ROW, field: CHANGES[field]}])})).signature
    assert before != after


_OTHER_VALUES: dict[str, Any] = {"ask": False, "recency_percent": (100, 50), "read_roles": ("user",)}


@pytest.mark.parametrize("field", [f.name for f in fields(Policy)])
def test_a_changed_policy_field_changes_the_signature(field: str) -> None:
    value: Any = _OTHER_VALUES[field] if field in _OTHER_VALUES else getattr(Policy(), field) + 1
    changed: dict[str, Any] = {field: value}
    assert rewrite("halo", policy=replace(Policy(), **changed)).signature != rewrite("halo").signature


def test_the_memory_is_part_of_the_signature() -> None:
    with TemporaryDirectory() as folder:
        first, same, other = (Path(folder, name) for name in ("a.jsonl", "b.jsonl", "c.jsonl"))
        lines = ['{"source": "harga beras", "target": "rice price"}\n', '{"source": "resep kue", "target": "cake recipe"}\n']
        first.write_text("".join(lines), encoding="utf-8")
        same.write_text("".join(lines[::-1]), encoding="utf-8")
        other.write_text(lines[0].replace("rice price", "price of rice"), encoding="utf-8")
        signatures = [rewrite("halo", resources=load_resources(memory=path)).signature for path in (first, same, other)]
        assert signatures[0] == signatures[1]
        assert len({*signatures, rewrite("halo").signature}) == 3


def test_what_the_base_gives_is_part_of_the_signature() -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "a.jsonl").write_text(own.to_jsonl([ROW]), encoding="utf-8")
        assert load_resources(folder) != load_resources(folder, base=False)


# ── Pickle ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_resources_survive_pickling() -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "a.jsonl").write_text(own.to_jsonl([ROW]), encoding="utf-8")
        memory = Path(folder, "memory")
        memory.write_text('{"source": "harga beras", "target": "rice price"}\n', encoding="utf-8")
        resources = load_resources(Path(folder, "a.jsonl"), memory=memory)
    again = pickle.loads(pickle.dumps(resources))
    queries = ["harga zorblat", "harga beras", *own.sample_queries(20, seed=7)]
    assert again == resources
    assert hash(again) == hash(resources)
    assert plans_of(queries, again) == plans_of(queries, resources)


def test_pickled_resources_are_small(resources: Resources) -> None:
    rewrite("harga iphone 16", resources=resources)
    assert len(pickle.dumps(resources)) < 10_000


def test_plans_survive_pickling() -> None:
    for query in own.sample_queries(20, seed=8):
        plan = rewrite(query, CONTEXT)
        assert pickle.loads(pickle.dumps(plan)) == plan
