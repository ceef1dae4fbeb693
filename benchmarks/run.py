"""Run the benchmarks and write their figures into RESULTS.md.

    python benchmarks/run.py --data DEV [--scorer SCORER] [--fresh] [--peers] [--spark] [--lexicon-size] [--only SECTION…] [--quick]

`--data` is a folder of evaluation sets (`*/cases.jsonl` with `query`); coverage and speed read nothing but the queries.  Test
collections and labelled sets among them are measured too, and their reports with plots go to `--reports` (`report/`).  `--scorer` is a
program that is called as `python SCORER --data FOLDER --json OUT` and writes its figures as JSON; without it quality is not measured.
`--fresh` adds the held-out cases of `fresh/`, beside their figures of the first time: seldom, since each look at them uses them up.
`--peers` and `--spark` add what must be installed first (`WORDNET=FOLDER` names the files of WordNet).  `--lexicon-size` adds the
benchmark of growing lexicons (minutes, 500 MB of disk).  `--quick` checks that everything runs; its figures say nothing, and go to
the terminal alone.

Only the sections that were run are written, each between its markers, with command, date, versions and signature; text outside of
the markers stays.  RESULTS.md holds aggregate figures: no query, and no path of the machine (`DEV`, `SCORER` and `REPORT` stand for them).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.fresh import score
from benchmarks.quality import measure as quality_measure
from benchmarks.quality.labelled import find_sets
from benchmarks.retrieval import tables as retrieval
from benchmarks.retrieval.collection import find_collections
from benchmarks.shared import ROOT, Table, as_markdown, as_text
from benchmarks.speed import cold_start, merging, peers, preview, spark, throughput, warm
from benchmarks.translation import coverage
from rewriter import __version__, rewrite

RESULTS = ROOT / "benchmarks" / "RESULTS.md"
REPORTS = ROOT / "benchmarks" / "report"
OPENING = "# Results\n\nWhat the benchmarks measured. [README.md](README.md) says how to read the figures and how to run them again.\n"
_PLAIN = re.compile(r"[A-Za-z0-9_.@+:/-]{1,60}")
"""A name of a figure: no white space, so that no query can pass for one of several words."""
_LABELS = ("name", "measure", "set", "dataset")


class Section(NamedTuple):
    """A part of RESULTS.md: its name, title, command (`DEV`, `SCORER` and `REPORT` stand for paths) and how its figures become tables."""

    name: str
    title: str
    command: tuple[str, ...]
    quick: tuple[str, ...]
    make_tables: Callable[[Any], list[Table]]


def quality_tables(figures: Any) -> list[Table]:
    """A scorer's main measures, a row each, where its JSON has `rows` of `set`, `metric` and `value`; else every number by its dotted name.

    Texts and unnamed lists are left out, since they may quote queries.
    """
    rows = figures.get("rows") if isinstance(figures, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(r, Mapping) and {"set", "metric", "value"} <= r.keys() for r in rows):
        return [Table("", ("measure", "value"), tuple(flatten(figures)))]
    main = [r for r in rows if r.get("main", True) and all(_PLAIN.fullmatch(str(r[k])) for k in ("set", "metric"))]
    cells = [(str(r["set"]), str(r["metric"]), *[_cell(r, key) for key in ("n", "value", "lo", "hi", "floor", "target")]) for r in main]
    return [Table("", ("set", "measure", "n", "value", "95 % from", "to", "floor", "target"), tuple(cells))]


def _cell(row: Mapping[str, Any], key: str) -> str:
    return next((text for _, text in flatten(row[key])), "–") if row.get(key) is not None else "–"


def flatten(figures: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Dotted names and values of the numbers in nested JSON.

    >>> list(flatten({"slang": {"share": 0.98765, "passed": True, "worst": ["a query"]}, "rows": [{"name": "x", "n": 3}]}))
    [('slang.share', '0.9877'), ('slang.passed', 'yes'), ('rows.x.n', '3')]
    """
    if isinstance(figures, bool):
        yield name, "yes" if figures else "no"
    elif isinstance(figures, int):
        yield name, str(figures)
    elif isinstance(figures, float):
        yield name, f"{figures:.4g}"
    elif isinstance(figures, Mapping):
        for key, value in figures.items():
            if _PLAIN.fullmatch(str(key)):
                yield from flatten(value, f"{name}.{key}" if name else str(key))
    elif isinstance(figures, list):
        for item in figures:
            label = next((item[key] for key in _LABELS if isinstance(item.get(key), str)), "") if isinstance(item, Mapping) else ""
            if _PLAIN.fullmatch(label):
                yield from flatten({label: item}, name)


def size_tables(figures: Any) -> list[Table]:
    """The figures of `lexicon_size.py`."""
    rows = tuple(
        (
            f"{row['senses']:,}", f"{row['compile_s']:.1f}", f"{row['pack_mib']:.1f}", f"{row['open_ms']:.1f}", f"{row['lookup_us']:.1f}",
            f"{row['rss_mib']:.0f}",
        )
        for row in figures["rows"]
    )  # fmt: skip
    title = f"Exponent of the time for a lookup over the number of senses: {figures['exponent']:.3f}"
    return [Table(title, ("senses", "compile s", "pack MiB", "open ms", "lookup µs", "resident MiB"), rows)]


def labelled_tables(figures: Any) -> list[Table]:
    """The measures of the labelled sets; parts stand in the report."""
    return quality_measure.make_tables(figures)[:1]


def retrieval_tables(figures: Any) -> list[Table]:
    """What the merged list finds, by collection, pattern and part; the rest stands in the report."""
    return [retrieval.merged_table(figures), retrieval.loss_table(figures), retrieval.part_table(figures)]


REPORTED = ("--report", "REPORT")
SECTIONS = (
    Section("labelled", "Labelled cases", ("benchmarks/quality/measure.py", "DEV", *REPORTED), ("--limit", "3"), labelled_tables),
    Section("retrieval", "Retrieval", ("benchmarks/retrieval/measure.py", "DEV", *REPORTED), ("--limit", "3"), retrieval_tables),
    Section("quality", "Quality", ("SCORER", "--data", "DEV"), (), quality_tables),
    Section("fresh", "Fresh held-out cases", ("benchmarks/fresh/score.py",), (), score.make_tables),
    Section("coverage", "Coverage", ("benchmarks/translation/coverage.py", "DEV", "--top", "0"), ("--list", "50"), coverage.make_tables),
    Section("cold-start", "Cold start", ("benchmarks/speed/cold_start.py",), ("--runs", "2"), cold_start.make_tables),
    Section("warm", "Warm calls", ("benchmarks/speed/warm.py", "DEV"), ("--limit", "3"), warm.make_tables),
    Section(
        "throughput",
        "Many queries",
        ("benchmarks/speed/throughput.py", "DEV"),
        ("--rows", "60", "--limit", "20", "--kills", "0"),
        throughput.make_tables,
    ),
    Section("spark", "Spark", ("benchmarks/speed/spark.py", "DEV"), ("--rows", "40"), spark.make_tables),
    Section("peers", "Peers", ("benchmarks/speed/peers.py", "DEV"), ("--limit", "5", "--forms", "50"), peers.make_tables),
    Section("merging", "Merging", ("benchmarks/speed/merging.py",), ("--rounds", "1"), merging.make_tables),
    Section("preview", "Preview", ("benchmarks/speed/preview.py", "DEV"), ("--limit", "20", "--entries", "2"), preview.make_tables),
    Section("lexicon-size", "Size of the lexicon", ("benchmarks/speed/lexicon_size.py",), ("--sizes", "100,1000"), size_tables),
)


def run_section(section: Section, arguments: Sequence[str], paths: Mapping[str, Path]) -> Any:
    """The figures that a section's program writes as JSON.  A scorer may end with 1: it found something below its bar."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "figures.json"
        command = [sys.executable, *[str(paths.get(part, part)) for part in arguments], "--json", str(out)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])}
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        fine = (0, 1) if section.name == "quality" else (0,)
        if done.returncode not in fine or not out.exists():
            told = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
            raise SystemExit(f"`python {' '.join(arguments)}` gave no figures (exit code {done.returncode}: {told}); run it alone.")
        return json.loads(out.read_text(encoding="utf-8"))


def describe_run(arguments: Sequence[str]) -> str:
    """Command, date, versions and signature, as lines of Markdown."""
    machine = f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"
    lines = (
        f"`python {' '.join(arguments)}`",
        f"{datetime.date.today().isoformat()} · rewriter {__version__} · {machine}, {os.cpu_count()} processors",
        f"signature `{rewrite('signature').signature}`",
    )
    return "\\\n".join(lines)


def replace_section(text: str, name: str, body: str) -> str:
    """A document with `body` between the markers of a section; a section that it has not goes to its end.

    >>> replace_section("a\\n<!-- begin x -->\\nold\\n<!-- end x -->\\nb\\n", "x", "new")
    'a\\n<!-- begin x -->\\nnew\\n<!-- end x -->\\nb\\n'
    """
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->\n"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if found and not closed:
        raise SystemExit(f"The section {name} of the results has no line `{end.strip()}`; put it back where the section ends.")
    return f"{before if found else text.rstrip() + chr(10) * 2}{begin}{body}\n{end}{after}"


def has_any(find: Callable[[Path], Sequence[object]], folder: Path) -> bool:
    """Whether a folder holds what a section measures."""
    try:
        return bool(find(folder))
    except SystemExit:
        return False


def main() -> None:
    """Run the sections that were asked for, one after the other, and write them."""
    names = [section.name for section in SECTIONS]
    parser = argparse.ArgumentParser(description="Run the benchmarks and write their figures into RESULTS.md.")
    parser.add_argument("--data", type=Path, required=True, metavar="DEV", help="folder of evaluation sets")
    parser.add_argument("--scorer", type=Path, metavar="SCORER", help="program that scores quality")
    parser.add_argument("--fresh", action="store_true", help="also the fresh held-out cases")
    parser.add_argument("--spark", action="store_true", help="also Spark, where it and Java are installed")
    parser.add_argument("--peers", action="store_true", help="also the peers that are installed")
    parser.add_argument("--lexicon-size", action="store_true", help="also lexicons of growing size")
    parser.add_argument("--only", nargs="+", choices=names, metavar="SECTION", help=f"of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="check that everything runs; nothing is written")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE")
    parser.add_argument("--reports", type=Path, default=REPORTS, metavar="FOLDER", help="where reports with plots go")
    options = parser.parse_args()
    if "quality" in (options.only or ()) and options.scorer is None:
        parser.error("quality needs --scorer")
    asked_for = {
        "quality": options.scorer is not None,
        "fresh": options.fresh,
        "lexicon-size": options.lexicon_size,
        "peers": options.peers,
        "spark": options.spark,
        "labelled": has_any(find_sets, options.data),
        "retrieval": has_any(find_collections, options.data),
    }
    wanted = set(options.only or [name for name in names if asked_for.get(name, True)])
    with tempfile.TemporaryDirectory() as spare:
        reports = Path(spare) if options.quick else options.reports.resolve()
        paths = {"DEV": options.data.resolve(), "REPORT": reports} | ({"SCORER": options.scorer.resolve()} if options.scorer else {})
        for section in SECTIONS:
            if section.name not in wanted:
                continue
            arguments = [*section.command, *(section.quick if options.quick else ())]
            tables = section.make_tables(run_section(section, arguments, paths))
            print(f"== {section.title}", *map(as_text, tables), sep="\n\n", end="\n\n", flush=True)
            if options.quick:
                continue
            body = "\n\n".join([f"## {section.title}", describe_run(arguments), *[as_markdown(table).strip() for table in tables]])
            before = options.results.read_text(encoding="utf-8") if options.results.exists() else OPENING
            options.results.write_text(replace_section(before, section.name, body), encoding="utf-8")


if __name__ == "__main__":
    main()
