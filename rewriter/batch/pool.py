"""Pieces of work through worker processes, and back in their order.

A worker opens the pack by itself: it is mapped, so that all of them share its pages.  Workers are started anew (`spawn`), not forked:
they hold no copy of the output file and its lock, and end with the process that started them, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from multiprocessing.connection import wait
from typing import Any, TypeVar

from rewriter import Policy, Resources
from rewriter.batch.chunks import Chunk
from rewriter.batch.formats import Encoding
from rewriter.batch.work import Done, rewrite_rows
from rewriter.errors import InputError
from rewriter.pack.collector import calm_collector

__all__ = ["in_processes", "processors", "rewrite_chunks"]

AHEAD = 2
"""Pieces for each worker that are read ahead: enough that none waits, and a bound for what is in memory."""

T = TypeVar("T")
R = TypeVar("R")
_worker: list[Any] = []
"""What a worker process was started with, pickled until its first piece: an error then is an error of the work, with its sentence."""


def processors() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def rewrite_chunks(
    chunks: Iterable[Chunk], workers: int, encoding: Encoding, resources: Resources, policy: Policy
) -> Iterator[tuple[Chunk, Done]]:
    """Each chunk with what it gave, in order.  One worker, or one chunk, is done in this process."""
    source = iter(chunks)
    first = next(source, None)
    second = next(source, None) if first is not None and workers > 1 else None
    if first is None:
        return
    if second is None:
        for chunk in chain([first], source):
            yield chunk, rewrite_rows(chunk.rows, encoding, resources, policy)
        return
    try:
        yield from in_processes(chain([first, second], source), workers, _rewrite_chunk, (encoding, resources, policy))
    except BrokenProcessPool:
        told = "A worker process was ended from outside, perhaps for want of memory"
        raise InputError(f"{told}; give fewer --workers or a smaller --chunk, and go on with --resume.") from None


def _rewrite_chunk(chunk: Chunk, encoding: Encoding, resources: Resources, policy: Policy) -> Done:
    return rewrite_rows(chunk.rows, encoding, resources, policy)


def in_processes(pieces: Iterator[T], workers: int, work: Callable[..., R], given: tuple[Any, ...]) -> Iterator[tuple[T, R]]:
    """Each piece with what `work(piece, *given)` gave, in order; `given` goes to each process once.

    `BrokenProcessPool` where a process was ended from outside.
    """
    started_with = pickle.dumps((work, given))
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start_worker, (started_with,))
    waiting: deque[tuple[T, Future[R]]] = deque()
    broken: InputError | None = None
    try:
        while True:
            try:
                piece = next(pieces, None)
            except InputError as error:  # the input is damaged from here on; what was read before is still written
                piece, broken = None, error
            if piece is None:
                break
            waiting.append((piece, pool.submit(_work, piece)))
            if len(waiting) >= workers * AHEAD:
                oldest, future = waiting.popleft()
                yield oldest, future.result()
        while waiting:
            oldest, future = waiting.popleft()
            yield oldest, future.result()
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:  # what they are at is done again
            child.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if broken is not None:
        raise broken


def _start_worker(started_with: bytes) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent ends its workers
    calm_collector()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker.append(started_with)


def _end_with_parent() -> None:
    """A killed parent says nothing; its workers would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(piece: Any) -> Any:
    if isinstance(_worker[0], bytes):
        _worker[0] = pickle.loads(_worker[0])
    work, given = _worker[0]
    return work(piece, *given)
