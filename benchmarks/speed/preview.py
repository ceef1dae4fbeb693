"""A preview: how long a curator waits to see what a change does to a log.

    python benchmarks/speed/preview.py QUERIES… [--limit 5000] [--entries 50] [--json OUT]

`QUERIES` are JSONL with `query`, text, or folders of such files.  The change gives so many senses of the shipped lexicons another
canonical name, drawn by a fixed seed among those whose forms stand in the queries and, where these are too few, among all others.  The
time is that of the whole command but for the start of Python: both lexicons are read, the difference is taken, the queries are planned.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import Table, as_text, read_queries, write_json
from rewriter import default_resources
from rewriter.curation.logs import Logged
from rewriter.curation.preview import preview_log
from rewriter.curation.share import among_processes
from rewriter.curation.versions import changed_entries, layer_of, resources_of
from rewriter.lexicon.entries import Sense

SEED = 7


def write_change(folder: Path, queries: Sequence[str], entries: int) -> None:
    """A lexicon file that changes so many senses."""
    text = " ".join(queries).casefold()
    senses = [e for e in default_resources().pack.entries() if isinstance(e, Sense)]
    random.Random(SEED).shuffle(senses)
    senses.sort(key=lambda s: not any(f" {form} " in text for form in s.forms))
    rows = [
        {
            "id": s.id, "forms": s.forms, "canonical": {"en": f"{s.canonical_en} other", "id": f"{s.canonical_id} lain"},
            "gloss": {"en": s.gloss_en, "id": s.gloss_id}, "domain": s.domain, "cues": s.cues, "prior": s.prior, "source": "curated",
        }
        for s in senses[:entries]
    ]  # fmt: skip
    (folder / "change.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def used_seconds() -> float:
    """Seconds of the processors that this process and its finished workers used."""
    return sum(os.times()[:4])


def measure(queries: Sequence[str], entries: int) -> dict[str, Any]:
    """Seconds, and how much was to do."""
    with tempfile.TemporaryDirectory() as folder:
        write_change(Path(folder), queries, entries)
        start, used = time.perf_counter(), used_seconds()
        old, new = layer_of([]), layer_of([Path(folder)])
        changes = changed_entries(old, new)
        shown = preview_log(map(Logged, queries), (), resources_of(old), resources_of(new), changes, share=among_processes)
        seconds, processor = time.perf_counter() - start, used_seconds() - used
    counts = {"queries": shown.queries, "entries": len(changes), "touched": shown.touched, "changed": len(shown.changed)}
    return counts | {"seconds": round(seconds, 1), "processor seconds": round(processor, 1), "signature": default_resources().identity}


def make_tables(figures: dict[str, Any]) -> list[Table]:
    """What was previewed, and how long it took."""
    names = ("queries", "entries", "touched", "changed", "seconds", "processor seconds")
    return [Table("The queries of a log under the shipped lexicons and a change of them", names, (tuple(str(figures[n]) for n in names),))]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("queries", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=5_000)
    parser.add_argument("--entries", type=int, default=50)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    queries = read_queries(given.queries)
    random.Random(SEED).shuffle(queries)
    found = measure(queries[: given.limit], given.entries)
    for table in make_tables(found):
        print(as_text(table))
    write_json(given.json, found)


if __name__ == "__main__":
    main()
