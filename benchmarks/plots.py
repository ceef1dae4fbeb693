"""Plots of differences with intervals, as SVG that is the same bytes for the same figures."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "rewriter", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.6, "axes.axisbelow": True,
    "legend.frameon": False, "figure.facecolor": "white",
})  # fmt: skip
import matplotlib.pyplot as plt  # noqa: E402  after the choice of the backend

__all__ = ["COLOURS", "plot_curves", "plot_intervals", "plot_panels", "save"]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito's colours, which most colour-blind readers tell apart."""


def plot_intervals(rows: Sequence[tuple[str, Mapping[str, Any]]], title: str, label: str) -> Any:
    """One dot a row with its interval, from the top down; rows are name and estimate (`mean`, `low`, `high`, `n`)."""
    figure, axes = plt.subplots(figsize=(7, 0.9 + 0.3 * len(rows)))
    for place, (_, estimate) in enumerate(rows):
        if estimate["low"] is not None:
            axes.plot([estimate["low"], estimate["high"]], [place, place], color=COLOURS[0], linewidth=2, solid_capstyle="butt")
        axes.plot(estimate["mean"], place, "o", color=COLOURS[0], markersize=5)
    axes.set_yticks(range(len(rows)), [f"{name}  (n={estimate['n']})" for name, estimate in rows])
    axes.invert_yaxis()
    axes.axvline(0, color="#444444", linewidth=1)
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(label)
    axes.grid(axis="y", visible=False)
    return figure


def plot_curves(curves: Mapping[str, Sequence[tuple[float, Mapping[str, Any]]]], title: str, labels: tuple[str, str]) -> Any:
    """A line a name over whole numbers, with the band of its interval."""
    figure, axes = plt.subplots(figsize=(7, 3.4))
    for colour, (name, points) in zip(COLOURS, curves.items(), strict=False):
        places, means = [p for p, _ in points], [e["mean"] for _, e in points]
        axes.plot(places, means, "o-", color=colour, label=f"{name} (n={points[0][1]['n']})")
        if all(e["low"] is not None for _, e in points):
            axes.fill_between(places, [e["low"] for _, e in points], [e["high"] for _, e in points], color=colour, alpha=0.15, linewidth=0)
    axes.axhline(0, color="#444444", linewidth=1)
    axes.set_xticks(sorted({place for points in curves.values() for place, _ in points}))
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.legend(loc="best")
    return figure


def plot_panels(panels: Mapping[str, Sequence[tuple[str, float, Mapping[str, Any]]]], title: str, labels: tuple[str, str]) -> Any:
    """A panel a name, with points: name, place on the horizontal axis, and estimate on the vertical one; a colour a name throughout."""
    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    figure, grid = plt.subplots(lines, columns, figsize=(3.9 * columns, 0.6 + 2.6 * lines), squeeze=False, sharex=True)
    names = list(dict.fromkeys(name for points in panels.values() for name, _, _ in points))
    places = [axes for row in grid for axes in row]
    for axes, (panel, points) in zip(places, panels.items(), strict=False):
        for name, place, estimate in points:
            colour = ("#444444", *COLOURS)[names.index(name) % (len(COLOURS) + 1)]
            if estimate["low"] is not None:
                axes.plot([place, place], [estimate["low"], estimate["high"]], color=colour, linewidth=1.5, alpha=0.6)
            axes.plot(place, estimate["mean"], "o", color=colour, label=name)
        axes.axhline(0, color="#444444", linewidth=1)
        axes.margins(x=0.1)
        axes.set_title(panel, loc="left", fontsize=9)
    for axes in places[len(panels) :]:
        axes.set_visible(False)
    found: dict[str, Any] = {}
    for axes in places:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(name, handle)
    figure.legend(found.values(), found.keys(), loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4)
    figure.suptitle(title, x=0.02, ha="left", fontsize=10)
    figure.supxlabel(labels[0], fontsize=9)
    figure.supylabel(labels[1], fontsize=9)
    figure.tight_layout()
    return figure


def save(figure: Any, path: Path) -> None:
    """Write the figure and forget it."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    path.write_text("\n".join(line.rstrip() for line in drawn.getvalue().splitlines()) + "\n", encoding="utf-8")
