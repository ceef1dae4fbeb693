"""How the pack grows: lexicons of 1,000 to 1,000,000 invented senses, compiled, opened and asked.

    python benchmarks/speed/lexicon_size.py [--sizes 1000,10000,100000,1000000] [--json FILE] [--scratch FOLDER]

For each size: seconds to compile, MiB of the pack, milliseconds to open it (the best of several processes, the file in the
page cache, all modules loaded before), microseconds a lookup without the cache of parsed entries, and the resident memory of
a process that has made 10,000 lookups with it.  Half of the forms that are asked are known.  The last line fits
microseconds = a · size ** exponent.

The senses are laid over the shipped pack's frequencies, stems and rules, so none of the source libraries is needed.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import fit_exponent, write_json
from rewriter import default_resources
from rewriter.lexicon.entries import Sense
from rewriter.pack.compile import compile_entries
from rewriter.pack.store import write_atomic

LOOKUPS = 10_000
PROCESSES = 9
SYLLABLES = """ba be bi bo bu da de di do du ga gi gu ka ke ki ko ku la le li lo lu ma me mi mo mu na ni nu pa pi ra ri ru
    sa si su ta ti tu""".split()
ABOUT = {"name": "invented senses", "version": "", "licence": "CC0-1.0", "what": "senses for a benchmark"}

# Runs in a process of its own: a pack is opened, then asked; memory is that of this process alone.
CHILD = """
import json, os, sys, time
from pathlib import Path
import rewriter.pack.open
from rewriter.pack.mapped import map_pack
forms = json.loads(Path(sys.argv[2]).read_text())
rewriter.pack.open.CACHED_FORMS = int(sys.argv[3])
started = time.perf_counter()
pack = map_pack(Path(sys.argv[1]))
opened = time.perf_counter()
known = sum(1 for form in forms if pack.exact(form))
done = time.perf_counter()
pages = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
print(json.dumps([1e3 * (opened - started), 1e6 * (done - opened) / len(forms), pages / 2**20, known]))
"""


def make_name(number: int) -> str:
    """A word of four to seven syllables, another for each number."""
    digits = []
    number = number * 2_654_435_761 % 43**6 + 43**3
    while number:
        number, digit = divmod(number, len(SYLLABLES))
        digits.append(SYLLABLES[digit])
    return "".join(digits)


def make_senses(count: int) -> Iterator[Sense]:
    """Senses as the shipped lexicon has them: two forms, two names, two glosses, six cues."""
    chance = random.Random(count)
    for i in range(count):
        name, cues = make_name(i), tuple(make_name(chance.randrange(20_000)) for _ in range(6))
        yield Sense(
            f"{name}.thing", (name, f"{name} {cues[0]}"), f"{name} device", f"perangkat {name}", f"device of the kind {name} for {cues[1]}",
            f"perangkat jenis {name} untuk {cues[1]}", "technology", cues,
        )  # fmt: skip


def measure(count: int, scratch: Path) -> dict[str, float]:
    """One row of the table."""
    senses = list(make_senses(count))
    started = time.perf_counter()
    data = compile_entries(default_resources().pack, senses, ABOUT)
    compiled = time.perf_counter() - started
    path = scratch / f"{count}.pack"
    write_atomic(path, data)
    chance = random.Random(7)
    known = [make_name(chance.randrange(count)) for _ in range(LOOKUPS // 2)]
    forms = [form for name in known for form in (name, f"{name}x")]
    (scratch / "forms.json").write_text(json.dumps(forms), encoding="utf-8")
    megabytes = len(data) / 2**20
    del data, senses
    plain: list[list[float]] = []
    cached: list[list[float]] = []
    for _ in range(PROCESSES):
        for runs, cached_forms in ((plain, 1), (cached, 50_000)):
            command = [sys.executable, "-c", CHILD, str(path), str(scratch / "forms.json"), str(cached_forms)]
            runs.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    path.unlink()
    assert all(run[3] >= LOOKUPS // 2 for run in [*plain, *cached])
    return {
        "senses": count,
        "compile_s": compiled,
        "pack_mib": megabytes,
        "open_ms": min(run[0] for run in [*plain, *cached]),
        "lookup_us": min(run[1] for run in plain),
        "rss_mib": max(run[2] for run in cached),
    }


def main() -> None:
    """Print the table; write it as JSON where asked."""
    parser = argparse.ArgumentParser(description="Compile, open and ask lexicons of growing size.")
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--scratch", type=Path, help="where the packs are written (some 500 MB for a million senses)")
    options = parser.parse_args()
    rows = []
    print(f"{'senses':>10} {'compile s':>10} {'pack MiB':>9} {'open ms':>8} {'lookup µs':>10} {'RSS MiB':>8}")
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        for size in map(int, options.sizes.split(",")):
            row = measure(size, Path(folder))
            rows.append(row)
            print(
                f"{size:>10,} {row['compile_s']:>10.1f} {row['pack_mib']:>9.1f} {row['open_ms']:>8.1f} {row['lookup_us']:>10.1f} "
                f"{row['rss_mib']:>8.1f}",
                flush=True,
            )
    exponent = fit_exponent([r["senses"] for r in rows], [r["lookup_us"] for r in rows]) if len(rows) > 1 else 0.0
    print(f"exponent of the time for a lookup over the number of senses: {exponent:.3f}")
    write_json(options.json, {"rows": rows, "exponent": exponent})


if __name__ == "__main__":
    main()
