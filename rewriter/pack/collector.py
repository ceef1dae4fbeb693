"""When Python looks for cycles: seldom, in a process that makes many objects which stay and have none."""

from __future__ import annotations

import gc

__all__ = ["calm_collector"]


def calm_collector() -> None:
    """Look for cycles seldom, in a process that does one thing: plans and entries have none, and looking costs 8 to 30 % of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
