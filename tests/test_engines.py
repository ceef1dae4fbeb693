"""The examples of docs/batch.md for other engines give the plans of `rewrite`; each runs where its engine is installed."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rewriter
from rewriter import rewrite
from rewriter.batch.job import Columns
from rewriter.errors import InputError

pa = pytest.importorskip("pyarrow", reason="needs `pip install 'rewriter[batch]'`")
ROOT = Path(rewriter.__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "batch.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^### (\w+)\n\n```py\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL))
QUERIES = [f"{query} {n}" for n in range(400) for query in ("harga nano banana", "cara hapus akun instagram", "jaguar")]


def test_the_document_has_an_example_for_each_engine() -> None:
    assert list(EXAMPLES) == ["Ray", "Dask", "Polars", "DuckDB"]


@pytest.mark.parametrize("engine", EXAMPLES)
def test_an_engine_gives_the_plans_of_rewrite_in_order(engine: str, tmp_path: Path, resources: rewriter.Resources) -> None:
    import pyarrow.parquet as pq

    if importlib.util.find_spec(engine.lower()) is None:
        pytest.skip(f"{engine} is not installed: `pip install {engine.lower()}`")
    pq.write_table(pa.table({"query": QUERIES}), tmp_path / "log.parquet", row_group_size=500)
    program = f"import json\nif __name__ == '__main__':\n{''.join(f'    {x}' + chr(10) for x in EXAMPLES[engine].splitlines())}"
    (tmp_path / "example.py").write_text(program + "    json.dump(texts, open('texts.json', 'w'))\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    texts = json.loads((tmp_path / "texts.json").read_text())
    assert len(texts) == len(QUERIES)
    for number in (0, 1, 2, 500, 777, len(QUERIES) - 1):
        assert texts[number] == list(rewrite(QUERIES[number]).queries)


def test_a_table_is_taken_as_one_batch_and_an_empty_one_gives_none(resources: rewriter.Resources) -> None:
    from rewriter.batch.arrow import rewrite_batch
    from rewriter.batch.schema import plan_schema

    table = pa.concat_tables([pa.table({"query": ["jaguar"], "n": [1]}), pa.table({"query": ["bisa ular"], "n": [2]})])
    assert rewrite_batch(table, keep=["n"]).column("n").to_pylist() == [1, 2]
    empty = rewrite_batch(table.slice(0, 0), keep=["n"])
    assert empty.num_rows == 0 and empty.schema == plan_schema([pa.field("n", pa.int64())], error=True)


def test_what_a_batch_lacks_is_told(resources: rewriter.Resources) -> None:
    from rewriter.batch.arrow import rewrite_batch
    from rewriter.batch.schema import plan_schema

    batch = pa.RecordBatch.from_pylist([{"query": "jaguar", "intent": "x"}])
    for options, told in (
        ({"columns": Columns("q")}, "no column 'q' but query, intent"),
        ({"keep": ["day"]}, "no column 'day'"),
        ({"keep": ["intent"]}, "has the name 'intent', which the plan has too; rename it first"),
        ({"columns": Columns(session=("user",))}, "has no sessions"),
    ):
        with pytest.raises(InputError, match=told):
            rewrite_batch(batch, **options)  # type: ignore[arg-type]
    assert plan_schema().names == ["query", "query_id", "language", "intent", "variants", "clarification", "mentions", "trail", "signature"]


def test_an_unreadable_context_in_arrow_is_an_error_of_its_row(resources: rewriter.Resources) -> None:
    from rewriter.batch.arrow import rewrite_batch

    batch = pa.RecordBatch.from_pylist([{"query": "jaguar", "context": "[1"}, {"query": "jaguar", "context": '["mobil \\ud800"]'}])
    errors = rewrite_batch(batch).column("error").to_pylist()
    assert errors[0] == "`context` begins with [ and is no JSON list" and (errors[1] is None or "half of a character" in errors[1])
