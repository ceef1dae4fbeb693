"""A sample of lexicon entries for people to judge, and the share that they found right.

    python benchmarks/translation/sample.py --seed S [--n 300] [--kind KIND] [--shards NAME…]       # prints TSV
    python benchmarks/translation/sample.py --judged FILE [--json OUT]

Kinds: bilingual, slang, senses, idioms, jargon.  The same seed and the same lexicon give the same lines, on every machine.  Entries stand
in the order of a hash of the seed and their content: any first part of the sample is a sample as well, and an entry that is
added or changed moves no other one.

A judge fills the column `right`: `1` (any user of the domain would agree), `0` (wrong, or not what people say), `?` (cannot
tell).  `--judged` gives the share of `1` among `1` and `0` with its Wilson interval of 95 %.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import ROOT, Table, as_text, write_json
from rewriter.lexicon.parse import parse_file

TABLES = {"bilingual": ("id", "en", "pos", "when"), "slang": ("form", "normal", "pos", "when")}
SENSES = ("id", "forms", "canonical.id", "canonical.en", "gloss.id", "gloss.en", "domain")
RECORDS = {"senses": SENSES, "idioms": SENSES, "jargon": ("id", "forms", "expert.id", "expert.en", "gloss.id", "gloss.en", "direction")}
NAMED = {"bilingual": ("form", "english", "pos", "when")}
"""Headers, where they differ from the names of the fields."""
NORMAL = 1.959964
"""Standard deviations on either side that hold 95 %."""


def read_entries(kind: str, folder: Path, shards: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
    """File, line and fields of every entry of a kind; `shards` are names of files without their ending."""
    files = [file for file in sorted((folder / kind).glob("*.t*")) if not shards or file.stem in shards]
    unknown = sorted(set(shards) - {file.stem for file in files})
    if unknown or not files:
        raise SystemExit(f"{kind} has no shard {unknown[0] if unknown else '*'}; look into the folder of lexicons for their names.")
    for file in files:
        located, _ = parse_file(f"{kind}/{file.name}", file.read_text(encoding="utf-8"))
        for item in located:
            row = {**item.fields, "normal": getattr(item.entry, "normal", "")}
            yield item.file, str(item.line), *[_as_cell(row, field) for field in TABLES.get(kind) or RECORDS[kind]]


def _as_cell(record: dict[str, Any], field: str) -> str:
    """A field of a record as text; lists parted by semicolons."""
    value: Any = record
    for part in field.split("."):
        value = value.get(part, "") if isinstance(value, dict) else ""
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def draw_sample(entries: Iterable[tuple[str, ...]], seed: int, count: int) -> list[tuple[str, ...]]:
    """The entries whose content, hashed with the seed, comes first; an entry that stands in two files is one."""
    hashed = {hashlib.sha256("\t".join([str(seed), *entry[2:]]).encode()).hexdigest(): entry for entry in entries}
    return [entry for _, entry in sorted(hashed.items())[:count]]


def write_sample(kind: str, sample: Iterable[tuple[str, ...]]) -> str:
    """A sample as TSV, with an empty column for the judgement."""
    names = NAMED.get(kind) or TABLES.get(kind) or RECORDS[kind]
    rows = [["right", "file", "line", *names], *[["", *entry] for entry in sample]]
    return "".join(["\t".join([re.sub(r"\s", " ", cell) for cell in row]) + "\n" for row in rows])


def count_judgements(file: Path) -> dict[str, Any]:
    """Numbers of judgements in a sample that was judged, the share right, and its interval."""
    try:
        header, *lines = file.read_text(encoding="utf-8-sig").rstrip("\n").split("\n")
        place = header.split("\t").index("right")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise SystemExit(f"{file} is no judged sample ({error}); give TSV with a column `right`.") from None
    counts = dict.fromkeys(("1", "0", "?", ""), 0)
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        judgement = cells[place].strip() if place < len(cells) else ""
        if judgement not in counts:
            raise SystemExit(f"{file}:{number}: `right` is {judgement!r}; it must be 1, 0, ? or empty.")
        counts[judgement] += 1
    judged = counts["1"] + counts["0"]
    if not judged:
        raise SystemExit(f"{file} has no judgement yet; fill the column `right` with 1, 0 or ?.")
    low, high = wilson_interval(counts["1"], judged)
    return {
        "judged": judged, "right": counts["1"], "unsure": counts["?"], "not_judged": counts[""], "share": counts["1"] / judged, "low": low,
        "high": high,
    }  # fmt: skip


def wilson_interval(right: int, judged: int) -> tuple[float, float]:
    """Wilson's score interval of 95 % for a share (E. B. Wilson, 1927).

    >>> [round(end, 4) for end in wilson_interval(290, 300)]
    [0.9397, 0.9818]
    """
    share, squared = right / judged, NORMAL**2
    middle = (share + squared / (2 * judged)) / (1 + squared / judged)
    reach = NORMAL * math.sqrt(share * (1 - share) / judged + squared / (4 * judged**2)) / (1 + squared / judged)
    return middle - reach, middle + reach


def make_tables(figures: dict[str, Any]) -> list[Table]:
    """The judgements as a table."""
    interval = f"{100 * figures['low']:.1f} to {100 * figures['high']:.1f} %"
    row = (f"{100 * figures['share']:.1f} %", interval, *[str(figures[name]) for name in ("judged", "right", "unsure", "not_judged")])
    return [Table("Entries judged", ("right", "95 % (Wilson)", "judged", "of them right", "unsure", "not judged"), (row,))]


def main() -> None:
    """Print a sample, or what its judges found."""
    parser = argparse.ArgumentParser(description="A sample of lexicon entries for judging, and the share right.")
    parser.add_argument("--seed", type=int, help="another seed, another sample")
    parser.add_argument("--n", type=int, default=300, help="entries (300)")
    parser.add_argument("--kind", choices=[*TABLES, *RECORDS], default="bilingual")
    parser.add_argument("--shards", nargs="+", default=[], metavar="NAME", help="only these files, by name without ending")
    parser.add_argument("--lexicons", type=Path, default=ROOT / "lexicons", metavar="FOLDER")
    parser.add_argument("--judged", type=Path, metavar="FILE", help="a sample with its column `right` filled")
    parser.add_argument("--json", type=Path, metavar="OUT", help="with --judged: the figures")
    options = parser.parse_args()
    if options.judged is not None:
        figures = count_judgements(options.judged)
        print(*map(as_text, make_tables(figures)), sep="\n\n")
        write_json(options.json, figures)
    elif options.seed is None:
        parser.error("give --seed to draw a sample, or --judged to count one")
    else:
        entries = read_entries(options.kind, options.lexicons, options.shards)
        print(write_sample(options.kind, draw_sample(entries, options.seed, options.n)), end="")


if __name__ == "__main__":
    main()
