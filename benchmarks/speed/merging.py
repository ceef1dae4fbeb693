"""What does it cost to merge results, and to tell which page a URL is?

    python benchmarks/speed/merging.py [--rounds N] [--json OUT]

URLs are made up after the shapes that search engines give: half of them plain, the others with parameters, tracking, mobile and AMP
copies, escapes, or internationalised hosts.  Each size is merged from five lists that share a third of their pages; nothing is kept
between merges but what is known of hosts and names of parameters.  Times are of the processor; the best of the rounds is what the
program needs, the median what it took.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import Table, as_text, fit_exponent, write_json
from rewriter import merge
from rewriter.urls import page_identity

__all__ = ["make_lists", "make_tables"]

SIZES = (500, 2_000, 8_000, 32_000)
LISTS = 5
SHAPES = (
    "https://www.kabar{n}.example/2024/05/berita-hari-ini-{i}",
    "https://toko{n}.example/p/{i}?warna=hitam&asal=gayo",
    "https://kabar{n}.example/resep/kopi-susu-{i}/",
    "https://id.wikipedia.org/wiki/Kopi_{i}%20(minuman)#Sejarah",
    "https://www.forum{n}.example/utas/{i}/cara-menyeduh",
    "http://m.kabar{n}.example/berita/{i}?utm_source=surat&utm_medium=email&id={i}",
    "https://docs{n}.example/panduan/bab-{i}.html",
    "https://kabar{n}.example/baca/{i}/amp/?fbclid=Iw{i}",
    "https://blog{n}.example/{i}-kopi-tubruk",
    "https://bücher{n}.example/straße/{i}",
)
"""Shapes of URLs in turn: half of them plain, the others each with something to fold."""


def make_lists(size: int) -> dict[str, list[dict[str, str]]]:
    """Five lists of `size` results in all, a third of each list the same pages.

    >>> lists = make_lists(100)
    >>> sum(map(len, lists.values())), len(merge(lists)) < 100
    (100, True)
    """
    each = size // LISTS
    return {
        f"variant {number}": [
            {
                "url": SHAPES[i % len(SHAPES)].format(n=i % 50, i=i if i % 3 == 0 else i * LISTS + number),
                "title": f"Judul {i}",
                "snippet": "kata " * 20,
            }
            for i in range(each)
        ]
        for number in range(LISTS)
    }


def measure(rounds: int) -> dict[str, Any]:
    """Milliseconds of a merge by size, its exponent, and microseconds of an identity."""
    rows = []
    for size in SIZES:
        lists = make_lists(size)
        times = [_time(lambda lists=lists: merge(lists)) for _ in range(rounds)]
        rows.append({"results": size, "pages": len(merge(lists)), "best_ms": _ms(min(times)), "median_ms": _ms(statistics.median(times))})
    urls = [row["url"] for rows in make_lists(2_000).values() for row in rows]
    times = [_time(lambda: [page_identity(url) for url in urls]) for _ in range(rounds)]
    each = 1e6 / len(urls)
    identity = {"urls": len(urls), "best_us": round(each * min(times), 2), "median_us": round(each * statistics.median(times), 2)}
    exponent = fit_exponent([r["results"] for r in rows], [r["best_ms"] for r in rows])
    return {"rows": rows, "exponent": exponent, "identity": identity}


def _time(call: Any) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 3)


def make_tables(figures: Any) -> list[Table]:
    """The figures for a terminal or a document."""
    rows = tuple((f"{r['results']:,}", f"{r['pages']:,}", f"{r['best_ms']:.2f}", f"{r['median_ms']:.2f}") for r in figures["rows"])
    identity = figures["identity"]
    title = f"Merging {LISTS} lists; time grows with size to the power of {figures['exponent']:.2f}"
    cells = (f"{identity['urls']:,}", f"{identity['best_us']}", f"{identity['median_us']}")
    return [
        Table(title, ("results", "pages", "best ms", "median ms"), rows),
        Table("Which page a URL is", ("URLs", "best µs", "median µs"), (cells,)),
    ]


def main() -> None:
    """Measure, print tables, write JSON."""
    parser = argparse.ArgumentParser(description="What does it cost to merge results?")
    parser.add_argument("--rounds", type=int, default=15, metavar="N")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    figures = measure(max(1, options.rounds))
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
