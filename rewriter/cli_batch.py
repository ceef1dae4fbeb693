"""`rewriter batch`: the options of a batch, its progress bar and its summary."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewriter import Policy, load_resources
from rewriter.calls import printable
from rewriter.errors import InputError

if TYPE_CHECKING:
    from rewriter.batch.run import Watch

__all__ = ["rewrite_file"]


def rewrite_file(
    source: Annotated[str, typer.Argument(metavar="INPUT", show_default=False, help="JSONL, CSV, TSV, Parquet or text; `-`: stdin.")],
    target: Annotated[str, typer.Option("--output", "-o", metavar="OUTPUT", show_default=False, help="The plans; `-`: stdout.")],
    query: Annotated[str, typer.Option("--query-column", metavar="NAME", help="Where a row has its query.")] = "query",
    query_id: Annotated[str, typer.Option("--id-column", metavar="NAME", help="Where a row has its id.")] = "query_id",
    context: Annotated[str, typer.Option("--context-column", metavar="NAME", help="Where a row has its turns.")] = "context",
    session: Annotated[
        list[str] | None,
        typer.Option("--session-column", metavar="NAME", help="Earlier queries with the same value are turns; repeat it for several."),
    ] = None,
    read_as: Annotated[str, typer.Option("--from", metavar="FORMAT", help="jsonl, csv, tsv, parquet or text; else by the name.")] = "",
    write_as: Annotated[str, typer.Option("--to", metavar="FORMAT", help="jsonl, csv or parquet; else by the name.")] = "",
    workers: Annotated[int, typer.Option("--workers", metavar="N", min=0, help="Processes; 0: one for each processor.")] = 0,
    chunk: Annotated[int, typer.Option("--chunk", metavar="ROWS", min=1, help="Rows that a process takes at a time.")] = 1_000,
    errors: Annotated[
        str, typer.Option("--errors", metavar="FILE", help="Rows that cannot be read, with reasons; else OUTPUT.errors.jsonl.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished run.")] = False,
    restart: Annotated[bool, typer.Option("--restart", help="Drop an unfinished run.")] = False,
    summary: Annotated[Path | None, typer.Option("--summary", metavar="FILE", help="Write the summary as JSON.")] = None,
    no_ask: Annotated[bool, typer.Option("--no-ask", help="Never ask back; the searches still cover each meaning.")] = False,
    max_variants: Annotated[int | None, typer.Option("--max-variants", metavar="N", min=1, help="Searches at most.")] = None,
    lexicon: Annotated[
        list[Path] | None, typer.Option("--lexicon", metavar="PATH", help="A lexicon file or folder to lay over the shipped ones.")
    ] = None,
    memory: Annotated[Path | None, typer.Option("--memory", metavar="FILE", help="A translation memory.")] = None,
    engine: Annotated[str, typer.Option("--engine", metavar="ENGINE", help="local, or spark.")] = "local",
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="Where Spark runs: local[2], yarn, spark://HOST:7077.")
    ] = None,
) -> None:
    """Rewrite a file of queries, of any size."""
    from rewriter.batch.job import Columns, Job
    from rewriter.batch.run import run_batch
    from rewriter.pack.collector import calm_collector
    from rewriter.pack.store import write_atomic

    if engine not in ("local", "spark"):
        raise InputError(f"--engine is {engine!r}; it is local or spark.")
    if master and engine != "spark":
        raise InputError("--master goes with --engine spark.")
    job = Job(
        source, target, Columns(query, query_id, context, tuple(session or ())), read_as, write_as, workers, chunk, errors, resume, restart
    )
    policy = Policy(ask=not no_ask) if max_variants is None else Policy(ask=not no_ask, max_variants=max_variants)
    resources = load_resources(*lexicon or (), memory=memory)
    if engine == "spark":
        try:
            from rewriter.integrations.spark_batch import run_spark
        except ImportError:
            raise InputError("--engine spark needs PySpark; run `pip install 'rewriter[spark]'`.") from None

        done = run_spark(job, resources, policy, master)
    else:
        calm_collector()
        try:
            with _progress_bar() as watch:
                done = run_batch(job, resources, policy, _tell, watch)
        except KeyboardInterrupt:
            if target != "-":
                _tell("interrupted; the same command with --resume goes on.")
            raise
    for line in done.lines():
        _tell(line)
    if summary is not None:
        write_atomic(summary, (json.dumps(done.to_dict(), indent=1) + "\n").encode("ascii"))


def _tell(told: str) -> None:
    print(f"rewriter: {printable(told)}", file=sys.stderr)


@contextmanager
def _progress_bar() -> Iterator[Watch | None]:
    """Share of the input, rows, rate and time left on a terminal; nothing in a log."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rows]:,} rows"), TextColumn("{task.fields[rate]:,.0f}/s"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, rows=0, rate=0.0)
        first: list[int] = []

        def watch(rows: int, position: int, size: int | None) -> None:
            first.append(rows) if not first else None
            seconds = bar.tasks[0].elapsed or 0.0
            rate = (rows - first[0]) / seconds if seconds else 0.0
            bar.update(task, completed=position, total=size, rows=rows, rate=rate)

        yield watch
