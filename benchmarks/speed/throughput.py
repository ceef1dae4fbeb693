"""Many queries: plans a second with JSON, workers, memory, and what a kill costs.

    python benchmarks/speed/throughput.py QUERIES… [--rows N] [--kills N] [--json OUT]

One process: distinct queries, caches empty at first, each written as JSON; alone, and with ten turns that were seen.  Workers: the
program `rewriter batch` over a file of `--rows` rows, with one worker and two in turn; rows beyond the distinct queries carry a
number, so that none is a repeat.  Memory: the largest resident size of any process of such a batch, for growing files: it must not
grow with the file.  Kills: the program killed (`kill -9`) at moments drawn by chance and continued, until it was killed so often;
the output must equal that of a run that nobody disturbed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import ROOT, Table, as_text, read_queries, write_json
from benchmarks.speed.warm import fresh_resources, turns_before
from rewriter import rewrite

SEED = 11
ROUNDS = 3
KILLED = ("--chunk", "100", "--session-column", "user")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])}


def write_rows(path: Path, queries: Sequence[str], rows: int) -> None:
    """A log of so many rows, none twice."""
    with open(path, "w", encoding="utf-8") as file:
        for number in range(rows):
            round_, at = divmod(number, len(queries))
            query = queries[at] if not round_ else f"{queries[at]} {round_ + 1000}"
            file.write(json.dumps({"query_id": number, "query": query, "user": number % 997}) + "\n")


def measure_process(queries: Sequence[str], turns: int) -> dict[str, float]:
    """Plans a second with JSON in one process, by passed time and by that of the processor."""
    resources = fresh_resources()
    contexts = [turns_before(queries, at, turns) for at in range(len(queries))]
    started, worked = time.perf_counter(), time.process_time()
    size = sum([len(rewrite(q, c, resources=resources).to_json()) for q, c in zip(queries, contexts, strict=True)])
    return {
        "per_s": len(queries) / (time.perf_counter() - started),
        "per_cpu_s": len(queries) / (time.process_time() - worked),
        "bytes": size / len(queries),
    }


def command(source: Path, target: Path, workers: int, *more: str) -> list[str]:
    """The program, over a file."""
    own = [sys.executable, "-m", "rewriter", "batch", str(source), "-o", str(target), "--workers", str(workers)]
    return [*own, *more]


_MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)
"""


def run_batch(source: Path, target: Path, workers: int) -> tuple[float, float, float]:
    """Seconds, MiB of the largest process, and processor seconds of a batch."""
    started = time.perf_counter()
    told = subprocess.run(
        [sys.executable, "-c", _MEASURED, *command(source, target, workers)], env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.split()
    return time.perf_counter() - started, float(told[0]), float(told[1])


def measure_workers(folder: Path, queries: Sequence[str], rows: int) -> dict[str, Any]:
    """One worker and two, in turn; the medians of their times.  Where both processors are not free, the ratio says little."""
    source = folder / "workers.jsonl"
    write_rows(source, queries, rows)
    taken: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for workers, runs in taken.items():
            runs.append(run_batch(source, folder / f"{workers}.jsonl", workers))
    if (folder / "1.jsonl").read_bytes() != (folder / "2.jsonl").read_bytes():
        raise SystemExit("One worker and two wrote different files.")
    seconds = {workers: statistics.median([s for s, _, _ in runs]) for workers, runs in taken.items()}
    cpu = {workers: statistics.median([c for _, _, c in runs]) for workers, runs in taken.items()}
    best = {workers: min([s for s, _, _ in runs]) for workers, runs in taken.items()}
    return {
        "rows": rows, "seconds": seconds, "cpu_seconds": cpu, "ratio": seconds[1] / seconds[2], "ratio_of_best": best[1] / best[2],
        "ratio_of_work": 2 * cpu[1] / cpu[2],
        "load": os.getloadavg()[0],
    }  # fmt: skip


def measure_memory(folder: Path, queries: Sequence[str], rows: int) -> list[dict[str, float]]:
    """The largest process of a batch with two workers, for files of a quarter, a half and all of the rows."""
    found = []
    for part in (4, 2, 1):
        source = folder / "memory.jsonl"
        write_rows(source, queries, rows // part)
        _, mib, _ = run_batch(source, folder / "memory.out.jsonl", 2)
        found.append({"rows": rows // part, "mib": mib})
    return found


def measure_kills(folder: Path, queries: Sequence[str], kills: int, rows: int) -> dict[str, int]:
    """Kill and continue until the program was killed so often in the middle of its work; then let it end, and compare."""
    source, target, whole = folder / "kills.jsonl", folder / "kills.out.jsonl", folder / "whole.jsonl"
    write_rows(source, queries, rows)
    subprocess.run(command(source, whole, 2, *KILLED), env=ENVIRONMENT, check=True, stderr=subprocess.DEVNULL)
    chance, killed, runs = random.Random(SEED), 0, 0
    while killed < kills:
        if target.exists():  # it came to its end: once more from the beginning
            target.unlink()
            runs += 1
        resumed = command(source, target, 2, *KILLED, "--resume")
        process = subprocess.Popen(resumed, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        try:
            process.wait(0.4 + chance.random() * 3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
        if target.exists() and target.read_bytes() != whole.read_bytes():
            raise SystemExit("A run that was killed and continued wrote another file.")
    while not target.exists():
        subprocess.run(command(source, target, 2, *KILLED, "--resume"), env=ENVIRONMENT, check=True, stderr=subprocess.DEVNULL)
    if target.read_bytes() != whole.read_bytes():
        raise SystemExit("A run that was killed and continued wrote another file.")
    return {"kills": killed, "outputs": runs + 1}


def make_tables(figures: Any) -> list[Table]:
    """The figures as tables."""
    rows = tuple((name, f"{f['per_s']:,.0f}", f"{f['per_cpu_s']:,.0f}", f"{f['bytes']:,.0f}") for name, f in figures["process"].items())
    work, memory, kills = figures["workers"], figures["memory"], figures["kills"]
    workers = tuple(
        (n, f"{work['seconds'][n]:.1f}", f"{work['cpu_seconds'][n]:.1f}", f"{work['rows'] / work['seconds'][n]:,.0f}")
        for n in sorted(work["seconds"])
    )
    tables = [
        Table("Plans with JSON in one process", ("queries", "a second", "a processor second", "bytes a plan"), rows),
        Table(
            f"`rewriter batch`, {work['rows']:,} rows; two workers are {work['ratio']:.2f} times as fast as one (best runs: "
            f"{work['ratio_of_best']:.2f}; by processor time, were both free: {work['ratio_of_work']:.2f}); load {work['load']:.1f}",
            ("workers", "s", "processor s", "rows/s"), tuple((str(n), *rest) for n, *rest in workers),
        ),
        Table("Largest process of a batch", ("rows", "MiB"), tuple((f"{m['rows']:,}", f"{m['mib']:.0f}") for m in memory)),
    ]  # fmt: skip
    if kills:
        told = (str(kills["kills"]), str(kills["outputs"]), "all equal")
        tables.append(
            Table("Killed (`kill -9`) at random and continued", ("kills", "outputs", "compared with an undisturbed run"), (told,))
        )
    return tables


def main() -> None:
    """Print the tables; write the figures as JSON where asked."""
    parser = argparse.ArgumentParser(description="Many queries: plans a second, workers, memory, kills.")
    parser.add_argument("queries", type=Path, nargs="+", help="JSONL with `query`, text with a query a line, or folders of such files")
    parser.add_argument("--rows", type=int, default=4_000, help="rows of the file for workers; four times as many for memory (4000)")
    parser.add_argument("--limit", type=int, default=4_000, help="queries for one process (4000)")
    parser.add_argument("--kills", type=int, default=20, help="times that the program is killed (20; 0: none)")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    queries = read_queries(options.queries)
    some = queries[:: max(1, len(queries) // options.limit)][: options.limit]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = {
            "process": {"no turns": measure_process(some, 0), "10 turns": measure_process(some[: len(some) // 4 or 1], 10)},
            "workers": measure_workers(folder, queries, options.rows),
            "memory": measure_memory(folder, queries, 4 * options.rows),
            "kills": measure_kills(folder, queries, options.kills, max(1_500, options.rows // 2)) if options.kills else {},
        }
    as_read = json.loads(json.dumps(figures))
    print(*map(as_text, make_tables(as_read)), sep="\n\n")
    write_json(options.json, as_read)


if __name__ == "__main__":
    main()
