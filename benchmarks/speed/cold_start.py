"""The cold start: what one call of the program costs a caller that starts a process for each search.

    python benchmarks/speed/cold_start.py [--runs N] [--python PATH] [--installed] [--json OUT]

Three programs take turns, so that whatever else the machine does meets all of them alike: the bare interpreter, the interpreter
that imports `rewriter`, and a whole call of the command line.  Each has been run once before, with bytecode written.  The
minimum is what the programs need, the median what this machine gave them; the ratio to the bare interpreter is what
may be compared between machines.

Peak memory is read by the program itself when it ends (`VmHWM`, Linux only), in a run that is not timed: what the system counts for
a child includes the size of the process that started it.

By default the checkout is measured.  `--installed` starts the programs in an empty folder, so that the package that `--python`
has installed is measured.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import ROOT, Table, as_text, write_json

QUERY = "nano banana"
PROGRAMS: dict[str, tuple[str, ...]] = {
    "python -c pass": ("-c", "pass"),
    "import rewriter": ("-c", "import rewriter"),
    f'python -m rewriter rewrite "{QUERY}" --json': ("-m", "rewriter", "rewrite", QUERY, "--json"),
}
# Put before the same program, run in the same process: at its end the peak of its memory goes to standard error.
PEAK = """
import atexit, sys
def _tell():
    with open("/proc/self/status") as status:
        sys.stderr.write("\\n" + next(line for line in status if line.startswith("VmHWM")).split()[1])
atexit.register(_tell)
"""
HAS_BYTECODE = "import pathlib, rewriter.engine as e; print(int(pathlib.Path(e.__cached__ or '/nowhere/').exists()))"


def measure_cold_start(python: str, runs: int, *, installed: bool = False) -> dict[str, Any]:
    """Milliseconds and MiB of each program, and whether bytecode could be written."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as empty:
        folder = Path(empty) if installed else ROOT
        if not installed:
            environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [environment.get("PYTHONPATH")])])
        for arguments in PROGRAMS.values():
            _run([python, *arguments], folder, environment)
        times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
        for _ in range(runs):
            for name, arguments in PROGRAMS.items():
                started = time.perf_counter()
                _run([python, *arguments], folder, environment)
                times[name].append(1e3 * (time.perf_counter() - started))
        peaks = {name: _peak([python, *_with_peak(arguments)], folder, environment) for name, arguments in PROGRAMS.items()}
        cached = _run([python, "-c", HAS_BYTECODE], folder, environment).stdout.strip() == b"1"
    bare = times[next(iter(PROGRAMS))]
    rows = [
        {
            "program": name,
            "min_ms": min(taken),
            "median_ms": statistics.median(taken),
            "min_ratio": min(taken) / min(bare),
            "median_ratio": statistics.median(taken) / statistics.median(bare),
            "peak_mib": peaks[name],
        }
        for name, taken in times.items()
    ]
    return {"runs": runs, "bytecode": cached, "installed": installed, "rows": rows}


def _run(command: list[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise SystemExit(f"The interpreter {command[0]} failed to start ({error.strerror}); give another with --python.") from None
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise SystemExit(f"`{' '.join(['python', *command[1:]])}` failed ({told}); it must run before it can be measured.")
    return done


def _with_peak(arguments: tuple[str, ...]) -> tuple[str, str]:
    """The arguments of a program that does the same and tells its peak."""
    if arguments[0] == "-c":
        return "-c", PEAK + arguments[1]
    program = f"import runpy\nsys.argv = {list(arguments[1:])!r}\nrunpy.run_module({arguments[1]!r}, run_name='__main__', alter_sys=True)"
    return "-c", PEAK + program


def _peak(command: list[str], folder: Path, environment: Mapping[str, str]) -> float | None:
    if not Path("/proc/self/status").exists():
        return None
    return int(_run(command, folder, environment).stderr.split()[-1]) / 1024


def make_tables(figures: Mapping[str, Any]) -> list[Table]:
    """The figures as a table."""
    what = f"Cold start, {figures['runs']} runs each, in turn" + (", installed package" if figures["installed"] else ", checkout")
    if not figures["bytecode"]:
        what += "; WITHOUT bytecode, which could not be written: not to be compared"
    rows = tuple(
        (
            row["program"], f"{row['min_ms']:.1f}", f"{row['median_ms']:.1f}", f"{row['min_ratio']:.2f}", f"{row['median_ratio']:.2f}",
            "–" if row["peak_mib"] is None else f"{row['peak_mib']:.1f}",
        )
        for row in figures["rows"]
    )  # fmt: skip
    return [Table(what, ("program", "min ms", "median ms", "ratio of min", "ratio of median", "peak MiB"), rows)]


def main() -> None:
    """Print the table; write it as JSON where asked."""
    parser = argparse.ArgumentParser(description="The cold start against the bare interpreter.")
    parser.add_argument("--runs", type=int, default=41)
    parser.add_argument("--python", default=sys.executable, help="the interpreter to start; this one by default")
    parser.add_argument("--installed", action="store_true", help="measure what is installed, not the checkout")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    figures = measure_cold_start(options.python, max(1, options.runs), installed=options.installed)
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
