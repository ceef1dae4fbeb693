"""What a list of documents is worth: recall, nDCG, success at one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

__all__ = ["ndcg", "recall", "success"]


def recall(found: Sequence[str], grades: Mapping[str, float]) -> float:
    """Share of the relevant documents that were found.

    >>> recall(["a", "x"], {"a": 1, "b": 2})
    0.5
    """
    return sum(name in grades for name in found) / len(grades)


def ndcg(found: Sequence[str], grades: Mapping[str, float], depth: int = 10) -> float:
    """Discounted gain of the first `depth` documents, of what the best order would give (gain is the grade; Järvelin and Kekäläinen 2002).

    >>> ndcg(["a", "b"], {"a": 1, "b": 1}), round(ndcg(["x", "a"], {"a": 1}), 3)
    (1.0, 0.631)
    """
    gain = sum(grades.get(name, 0) / math.log2(place + 2) for place, name in enumerate(found[:depth]))
    best = sum(grade / math.log2(place + 2) for place, grade in enumerate(sorted(grades.values(), reverse=True)[:depth]))
    return gain / best


def success(found: Sequence[str], grades: Mapping[str, float]) -> float:
    """1 where the first document is relevant, else 0.

    >>> success(["a"], {"a": 1}), success([], {"a": 1})
    (1.0, 0.0)
    """
    return float(bool(found) and found[0] in grades)
