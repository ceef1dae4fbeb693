"""A picture of how time grows: over turns and words from `warm.py --json`, over senses from `lexicon_size.py --json`.

    python benchmarks/speed/plot.py WARM.json [LEXICON.json] -o growth.svg

Both axes are logarithmic: a straight line is a power, its slope the exponent in the legend.  Needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Line = tuple[str, Sequence[float], Sequence[float]]


def lines_of(warm: Mapping[str, Any], lexicon: Mapping[str, Any] | None) -> list[Line]:
    """Name, sizes and milliseconds of each line."""
    turns, words = warm["turns"], warm["words"]
    found: list[Line] = [
        (f"turns, {name} ({turns['exponents'][name]:.2f})", turns["sizes"], turns["median_ms"][name]) for name in ("seen", "new")
    ]
    found.append((f"words of the query ({words['exponent']:.2f})", words["sizes"], words["median_ms"]))
    if lexicon is not None:
        rows = lexicon["rows"]
        found.append((f"senses, one lookup ({lexicon['exponent']:.2f})", [r["senses"] for r in rows], [r["lookup_us"] / 1e3 for r in rows]))
    return found


def draw(lines: Sequence[Line], target: Path) -> None:
    """Write the picture; its format goes by the name."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "growth"  # the same figures, the same file
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name, sizes, ms in lines:
        axes.loglog(sizes, ms, marker="o", label=name)
    axes.set(xlabel="turns, words or senses", ylabel="median milliseconds", title="How time grows (exponent)")
    axes.grid(True, which="both", alpha=0.25)
    axes.legend()
    figure.savefig(target, bbox_inches="tight", metadata={"Date": None} if target.suffix == ".svg" else None)
    pyplot.close(figure)


def main() -> None:
    """Draw what was measured."""
    parser = argparse.ArgumentParser(description="A picture of how time grows.")
    parser.add_argument("warm", type=Path, help="figures of warm.py")
    parser.add_argument("lexicon", type=Path, nargs="?", help="figures of lexicon_size.py")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="SVG, PNG or PDF by its name")
    options = parser.parse_args()
    read = [json.loads(path.read_text(encoding="utf-8")) if path else None for path in (options.warm, options.lexicon)]
    draw(lines_of(read[0], read[1]), options.output)


if __name__ == "__main__":
    main()
