"""Lexicons that are read again when their files change, for processes that run for weeks.

    live = LiveResources("team/")
    plan = rewrite(query, resources=live.current())

A request takes one `Resources` and keeps it: it is frozen, so that no plan is made of two states.  Files that change while they are
read are read again; files that cannot be read leave the last good state in use, and say so in `error`.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

from rewriter.errors import LexiconError
from rewriter.pack.files import files_at
from rewriter.pack.load import load_resources
from rewriter.resources import Resources

__all__ = ["LiveResources"]

TRIES = 20
"""Readings of files that go on changing, until the next call tries again."""


class LiveResources:
    """The shipped lexicons with files or folders laid over them, as they are now.

    `every` is the least time in seconds between two looks at the files.  The first reading raises `LexiconError` as `load_resources`
    does; later ones keep the last good state and set `error` (None: the files are in use as they are).
    """

    def __init__(self, *lexicons: str | Path, every: float = 1.0, drafts: bool = False, base: bool = True) -> None:
        self._places = tuple(map(Path, lexicons))
        self._every, self._drafts, self._base = every, drafts, base
        self._lock = threading.Lock()
        self._looked = time.monotonic()
        self.error: str | None = None
        self._stamp, self._resources = self._read()

    def current(self) -> Resources:
        """The newest state that could be read.  One thread reads; the others go on with the state before."""
        if time.monotonic() - self._looked >= self._every and self._lock.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._lock.release()
        return self._resources

    def refresh(self) -> Resources:
        """Look at the files now, however short ago that was, and wait for the answer."""
        with self._lock:
            self._look()
        return self._resources

    def _look(self) -> None:
        try:
            if self._stamps() != self._stamp:
                self._stamp, self._resources = self._read()
            self.error = None
        except (LexiconError, OSError) as error:
            self.error = str(error)
        self._looked = time.monotonic()

    def _read(self) -> tuple[tuple[object, ...], Resources]:
        """A state whose files did not change from before the first to after the last of them was read."""
        for _ in range(TRIES):
            before = self._stamps()
            try:
                found = load_resources(*self._places, drafts=self._drafts, base=self._base)
            except (LexiconError, OSError):
                if self._stamps() == before:
                    raise
                continue
            if self._stamps() == before:
                return before, found
        raise LexiconError(
            f"{', '.join(map(str, self._places))} changed {TRIES} times while being read; they are read again at the next call."
        )

    def _stamps(self) -> tuple[object, ...]:
        """Names, sizes, times and inodes of all files: an atomic write changes the inode, even within one tick of the clock."""
        stamps = []
        for place in self._places:
            for file in files_at(place):
                found = file.stat()
                stamps.append((str(file), found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino))
        return tuple(stamps)
