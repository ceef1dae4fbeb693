"""Intervals by the bootstrap, for means of differences between two systems on the same cases.

Paired: what is resampled are cases with both systems' values, so that hard cases do not widen the interval.  Cases that belong together
(turns of a conversation, members of a minimal pair) are resampled together.  Several collections are resampled each in itself, and
their means averaged, so that a large collection does not outvote the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Estimate", "estimate_mean"]

Floats = npt.NDArray[np.float64]

RESAMPLES = 2_000
SEED = 20261130
BATCH = 100
"""Resamples drawn at once: some megabytes."""


class Estimate(NamedTuple):
    """A mean, its 95 % interval (None where there is only one group of cases), and the number of cases."""

    mean: float
    low: float | None
    high: float | None
    n: int

    def to_dict(self) -> dict[str, float | int | None]:
        """As in the JSON, rounded to four digits behind the point."""
        return {"mean": _round(self.mean), "low": _round(self.low), "high": _round(self.high), "n": self.n}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def estimate_mean(
    values: Sequence[float], groups: Sequence[Hashable] | None = None, strata: Sequence[Hashable] | None = None
) -> Estimate | None:
    """Mean of the values with its percentile interval; None where there is no value.

    `groups` says which cases go together (by default none do), `strata` which collection a case is of.

    >>> estimate_mean([1.0, 1.0, 1.0, 1.0])
    Estimate(mean=1.0, low=1.0, high=1.0, n=4)
    >>> estimate_mean([0.0] * 90 + [1.0] * 10, strata=["a"] * 90 + ["b"] * 10).mean
    0.5
    """
    if not values:
        return None
    groups = range(len(values)) if groups is None else groups
    strata = [""] * len(values) if strata is None else strata
    tables = [_sum_groups(values, groups, strata, name) for name in dict.fromkeys(strata)]
    mean = float(np.mean([t[:, 0].sum() / t[:, 1].sum() for t in tables]))
    if all(len(t) < 2 for t in tables):
        return Estimate(mean, None, None, len(values))
    chance = np.random.default_rng(SEED)
    draws = np.concatenate([_resample(tables, chance) for _ in range(0, RESAMPLES, BATCH)])
    low, high = np.percentile(draws, [2.5, 97.5])
    return Estimate(mean, float(low), float(high), len(values))


def _sum_groups(values: Sequence[float], groups: Sequence[Hashable], strata: Sequence[Hashable], name: Hashable) -> Floats:
    """Sum and number of the values of each group of a stratum."""
    sums: dict[Hashable, list[float]] = {}
    for value, group, stratum in zip(values, groups, strata, strict=True):
        if stratum == name:
            total = sums.setdefault(group, [0.0, 0.0])
            total[0] += value
            total[1] += 1
    return np.array(list(sums.values()))


def _resample(tables: Sequence[Floats], chance: np.random.Generator) -> Floats:
    means = []
    for table in tables:
        size = len(table)
        total = chance.multinomial(size, np.full(size, 1 / size), size=BATCH) @ table
        means.append(total[:, 0] / total[:, 1])
    return np.asarray(np.mean(means, axis=0))
