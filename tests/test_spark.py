"""Spark gives the plans of the local engine, row by row.  Needs PySpark and a Java of version 17 or newer."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rewriter
from rewriter import Plan, Policy, Resources, load_resources, rewrite
from rewriter.batch.job import Columns, Job
from rewriter.batch.run import run_batch
from rewriter.errors import InputError

pytest.importorskip("pyspark", reason="needs `pip install 'rewriter[spark]'`")
pytest.importorskip("pyarrow")


def java_version() -> int:
    """The version of the Java that Spark would start, 0 for none."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")
    if program is None:
        return 0
    told = subprocess.run([program, "-version"], capture_output=True, encoding="utf-8", check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', told)
    return int(found[1]) if found else 0


pytestmark = pytest.mark.skipif(java_version() < 17, reason=f"Spark needs OpenJDK 17 or newer, found {java_version() or 'no Java'}")

ROWS: list[Any] = [
    {"query_id": n, "query": f"{query} {n}" if n % 3 else query, "user": user, "day": day, "context": context}
    for n, (query, user, day, context) in enumerate(
        [
            ("spesifikasi iphone 16", "a", 1, None),
            ("resep rendang tanpa santan", "b", 1, ["masakan padang"]),
            ("harganya berapa", "a", 2, None),
            ("harganya berapa", "a", 1, [{"role": "assistant", "content": "iPhone 16 punya kamera baru."}]),
            ("nano banana", None, 1, "model gambar AI"),
            ("jaguar", "", 1, None),
            ("", "b", 1, None),
        ]
        * 12
    )
] + [5, {"query": "a", "context": [{"role": "robot", "content": "b"}]}, {"q": 1}, "bisa ular"]


@pytest.fixture(scope="module")
def spark(resources: Resources, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYSPARK_PYTHON", sys.executable)
        patched.setenv("PYTHONPATH", str(Path(rewriter.__file__).parents[1]), prepend=os.pathsep)
        options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "3", "spark.driver.host": "127.0.0.1"}
        builder = SparkSession.builder.master("local[2]").appName("tests")
        for name, value in options.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


def test_a_dataframe_gets_the_plans_of_rewrite(spark: Any, resources: Resources) -> None:
    from rewriter.integrations.spark import rewrite_dataframe

    rows = [(n, f"harga nano banana {n}", ["model gambar AI"] if n % 2 else None, n * 10) for n in range(40)]
    frame = spark.createDataFrame(rows, "query_id long, query string, context array<string>, size int").repartition(3)
    done = rewrite_dataframe(frame, keep=["size"], policy=Policy(ask=False))
    found = {row["size"]: row.asDict(recursive=True) for row in done.collect()}
    assert done.schema.fields[0].name == "size" and len(found) == 40
    for number, query, context, size in rows:
        row = found[size]
        assert row.pop("size") == size and row.pop("error") is None
        expected = rewrite(query, context or (), policy=Policy(ask=False)).to_dict() | {"query_id": str(number)}
        assert Plan.from_dict(row).to_dict() == expected


def test_rows_that_cannot_be_read_say_why_and_the_rest_goes_on(spark: Any, resources: Resources) -> None:
    from rewriter.integrations.spark import rewrite_dataframe

    frame = spark.createDataFrame([(None, None), ("jaguar", '[{"role": "robot"}]'), ("jaguar", None)], "query string, context string")
    errors = [row["error"] for row in rewrite_dataframe(frame.coalesce(1)).collect()]
    assert "there is no text under `query`" in errors[0] and "robot" in errors[1] and errors[2] is None
    with pytest.raises(InputError, match="no column 'q' but query, context"):
        rewrite_dataframe(frame, columns=Columns("q"))


def test_turns_of_a_session_are_made_from_an_order(spark: Any, resources: Resources) -> None:
    from rewriter.integrations.spark import rewrite_dataframe, session_turns

    rows = [(2, "a", "harganya berapa"), (1, "a", "spesifikasi iphone 16"), (3, "b", "harganya berapa"), (4, None, "harganya berapa")]
    frame = session_turns(spark.createDataFrame(rows, "at int, user string, query string"), ["user"], "at")
    found = {row["at"]: [v["text"] for v in row["variants"]] for row in rewrite_dataframe(frame, keep=["at"]).collect()}
    assert found[2][1] == "harga iphone 16 berapa" and found[3] == found[4] == list(rewrite("harganya berapa").queries)


def test_an_overlay_goes_with_the_job(spark: Any, tmp_path: Path) -> None:
    from rewriter.integrations.spark import rewrite_dataframe

    (tmp_path / "mine.jsonl").write_text(
        '{"id": "zorblat.machine", "forms": ["zorblat mini"], "canonical": {"en": "Kwendra engine", "id": "mesin Kwendra"}, "gloss": '
        '{"en": "an engine", "id": "sebuah mesin"}, "domain": "technology/ai", "cues": ["mesin"], "source": "test"}\n'
    )
    own = load_resources(tmp_path / "mine.jsonl")
    frame = spark.createDataFrame([("harga zorblat mini",)], "query string")
    (row,) = rewrite_dataframe(frame, resources=own).collect()
    assert row["signature"] == rewrite("a", resources=own).signature != rewrite("a").signature
    assert [v["text"] for v in row["variants"]] == list(rewrite("harga zorblat mini", resources=own).queries)


def test_an_executor_of_another_version_is_refused(resources: Resources) -> None:
    from rewriter.integrations.spark import check_version

    with pytest.raises(InputError, match=r"The driver has rewriter 9\.9 and this executor .*; install the same on both\."):
        check_version("9.9")


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize("session", [(), ("user", "day")], ids=["rows", "sessions"])
def test_the_batch_engines_give_the_same_rows(
    spark: Any, resources: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, session: tuple[str, ...]
) -> None:
    import pyarrow.parquet as pq

    from rewriter.integrations import spark_batch

    monkeypatch.setattr(spark_batch, "PARTITION_BYTES", 2_000)  # several tasks
    monkeypatch.setattr(type(spark), "stop", lambda _: None)
    source = tmp_path / "in.jsonl"
    source.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in ROWS) + b'\n{"query": "\xff"}\r\n"jaguar"\r\n')
    columns = Columns(session=session)
    local = run_batch(Job(str(source), str(tmp_path / f"local.{kind}"), columns, workers=1), resources, Policy(), print)
    done = spark_batch.run_spark(Job(str(source), str(tmp_path / f"spark.{kind}"), columns), resources, Policy(), None)
    parts = sorted((tmp_path / f"spark.{kind}").glob("part-*"))
    assert len(parts) > 1
    if kind == "jsonl":
        assert b"".join(part.read_bytes() for part in parts) == (tmp_path / "local.jsonl").read_bytes()
    else:
        rows = [row for part in parts for row in pq.read_table(part).to_pylist()]
        assert rows == pq.read_table(tmp_path / "local.parquet").to_pylist()
    expected = [json.loads(line) for line in (tmp_path / f"local.{kind}.errors.jsonl").open()]
    told = sorted((tmp_path / f"spark.{kind}.errors.jsonl").glob("part-*"))
    assert [json.loads(line) for part in told for line in part.open()] == expected and len(expected) == 4
    assert {**done.to_dict(), "output": 0, "seconds": 0, "rows_per_second": 0} == {
        **local.to_dict(), "output": 0, "seconds": 0, "rows_per_second": 0,
    }  # fmt: skip


def test_a_parquet_file_is_read_by_both_engines(spark: Any, resources: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from rewriter.integrations import spark_batch

    monkeypatch.setattr(type(spark), "stop", lambda _: None)
    rows = [{"q": row["query"], "user": row["user"], "chat": ["mobil"]} for row in ROWS[:30]]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    columns = Columns("q", context="chat", session=("user",))
    source = str(tmp_path / "in.parquet")
    run_batch(Job(source, str(tmp_path / "local.jsonl"), columns, workers=1), resources, Policy(), print)
    spark_batch.run_spark(Job(source, str(tmp_path / "spark.jsonl"), columns), resources, Policy(), None)
    parts = sorted((tmp_path / "spark.jsonl").glob("part-*"))
    assert b"".join(part.read_bytes() for part in parts) == (tmp_path / "local.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"source": "-"}, "has no standard input and output"),
        ({"source": "in.csv"}, "use the local engine for CSV"),
        ({"target": "out.csv"}, "use the local engine for CSV"),
        ({"target": "out.jsonl.zst"}, "plain or as .gz"),
        ({"resume": True}, "leave --resume and --restart out"),
    ],
)
def test_what_spark_does_not_do_is_told(resources: Resources, options: dict[str, Any], told: str) -> None:
    from rewriter.integrations.spark_batch import run_spark

    with pytest.raises(InputError, match=re.escape(told)):
        run_spark(Job(**{"source": "in.jsonl", "target": "out.jsonl", **options}), resources, Policy(), None)


def test_the_example_of_the_document(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    monkeypatch.chdir(tmp_path)
    rows = [{"user": "a", "time": 1, "query": "spesifikasi iphone 16"}, {"user": "a", "time": 2, "query": "harganya berapa"}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "log.parquet")
    document = (Path(rewriter.__file__).parents[1] / "docs" / "batch.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^## Spark\n.*?^```py\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    names = {"spark": _Reader(spark, str(tmp_path))}
    exec(example, names)
    assert names["texts"][1][1] == "harga iphone 16 berapa"  # type: ignore[index]


class _Reader:
    """A session whose `read` finds relative paths in a folder: the session's own folder is that of its start."""

    def __init__(self, spark: Any, folder: str) -> None:
        self.spark, self.folder, self.read = spark, folder, self

    def parquet(self, place: str) -> Any:
        return self.spark.read.parquet(f"{self.folder}/{place}")
