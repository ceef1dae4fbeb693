"""Spark on one machine: how long it takes to start, and rows a second beside the local engine.

    python benchmarks/speed/spark.py QUERIES… [--rows N] [--json OUT]

`local[2]`, the plans computed and thrown away (`noop`), twice: the first time starts the Python workers.  The local engine rewrites the
same rows in one process.  Needs `rewriter[spark]` and a Java of version 17.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import ROOT, Table, as_text, read_queries, write_json
from benchmarks.speed.warm import fresh_resources
from rewriter import rewrite

PARTITIONS = 4


def measure_spark(queries: Sequence[str], rows: int) -> dict[str, float]:
    """Seconds of the start, and rows a second: one local process, the first action of Spark, the second."""
    from pyspark.sql import SparkSession

    from rewriter.integrations.spark import rewrite_dataframe

    own = [queries[at % len(queries)] if at < len(queries) else f"{queries[at % len(queries)]} {at}" for at in range(rows)]
    resources = fresh_resources()
    started = time.perf_counter()
    for query in own:
        rewrite(query, resources=resources)
    local = rows / (time.perf_counter() - started)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    started = time.perf_counter()
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    begun = time.perf_counter() - started
    frame = spark.createDataFrame([(query,) for query in own], "query string").repartition(PARTITIONS)
    rates = []
    for _ in range(2):
        started = time.perf_counter()
        rewrite_dataframe(frame).write.format("noop").mode("overwrite").save()
        rates.append(rows / (time.perf_counter() - started))
    spark.stop()
    return {"rows": rows, "start_s": begun, "local_per_s": local, "first_per_s": rates[0], "second_per_s": rates[1]}


def make_tables(figures: Any) -> list[Table]:
    """The figures as a table."""
    rows = (
        ("one process", f"{figures['local_per_s']:,.0f}", "1.00"),
        *[
            (name, f"{figures[key]:,.0f}", f"{figures[key] / figures['local_per_s']:.2f}")
            for name, key in (("Spark local[2], first action", "first_per_s"), ("Spark local[2], second action", "second_per_s"))
        ],
    )
    title = f"{figures['rows']:,} rows; the session took {figures['start_s']:.1f} s to start"
    return [Table(title, ("engine", "rows/s", "of one process"), rows)]


def main() -> None:
    """Print the table; write the figures as JSON where asked."""
    parser = argparse.ArgumentParser(description="Spark on one machine.")
    parser.add_argument("queries", type=Path, nargs="+", help="JSONL with `query`, text with a query a line, or folders of such files")
    parser.add_argument("--rows", type=int, default=8_000, help="rows (8000)")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    figures = measure_spark(read_queries(options.queries), options.rows)
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
