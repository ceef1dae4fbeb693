"""A long list of work over all processors of this machine: results in the order of the list, the same as from one processor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from rewriter.batch.pool import in_processes, processors
from rewriter.curation.pieces import alone, pieces_of
from rewriter.errors import InputError

__all__ = ["among_processes"]

WORTH = 2_000
"""Queries from which on other processes save time: each needs a second to start, which is 500 plans, and fills its own caches."""


def among_processes(work: Callable[..., Sequence[Any]], items: Sequence[Any], given: tuple[Any, ...]) -> Iterator[Any]:
    """`work(piece, *given)` for each piece of the list, by as many processes as there are processors."""
    workers = processors()
    if workers < 2 or len(items) < WORTH:
        yield from alone(work, items, given)
        return
    try:
        for _, found in in_processes(pieces_of(items), workers, work, given):
            yield from found
    except BrokenProcessPool:
        raise InputError("A worker process was ended from outside, perhaps for want of memory; try again.") from None
