"""When Python looks for cycles: seldom, in a process that makes many objects which stay and have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["calm_collector", "collector_off"]


def calm_collector() -> None:
    """Look for cycles seldom, in a process that does one thing: plans and entries have none, and looking costs 8 to 30 % of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@contextmanager
def collector_off() -> Iterator[None]:
    """Look for no cycles meanwhile: a million objects that all stay take a sixth of the time."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()
