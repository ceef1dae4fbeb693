"""The output of a batch: nothing under its name before it is whole, and nothing lost when the run is killed.

While a run goes on, `NAME.part` holds the chunks that are done and `NAME.checkpoint` says how many of them are safe on the disk; a
continued run cuts the part there and goes on.  `finish` renames, and may itself be killed and repeated at each of its steps.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from rewriter.batch.formats import Encoding, opening, write_parquet
from rewriter.batch.work import Fault
from rewriter.errors import InputError
from rewriter.io.locks import lock_file
from rewriter.pack.store import write_atomic
from rewriter.record import fresh, record, replace

__all__ = ["FileOutput", "Progress", "StreamOutput"]

CHECKPOINT_SECONDS = 2.0
"""A kill costs the work of so many seconds at most, beside the chunks that were being worked on."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@record
class Progress:
    """How far a run is: rows read, a digest of them (the input must be the same when it goes on), and what was counted."""

    rows: int = 0
    digest: str = ""
    counts: Mapping[str, int] = fresh(dict)
    complete: bool = False


def fault_line(fault: Fault) -> bytes:
    """A line of the side file: `line`, `query_id` (null for none), `reason`."""
    return (json.dumps({"line": fault.line, "query_id": fault.query_id, "reason": fault.reason}) + "\n").encode("ascii")


class FileOutput:
    """An output file with its side file of errors.  `settings` are what must not change between a run and its continuation."""

    def __init__(self, target: str, errors: str, encoding: Encoding, settings: Mapping[str, Any]) -> None:
        self.target = Path(os.path.realpath(target))
        self.errors = Path(errors or f"{target}.errors.jsonl").absolute()
        self.part = Path(f"{self.target}.part")
        self.errors_part = Path(f"{self.errors}.part")
        self.checkpoint = Path(f"{self.target}.checkpoint")
        self._encoding, self._settings = encoding, dict(settings)
        self._data: IO[bytes] = io.BytesIO()  # until `open`
        self._faults: IO[bytes] = io.BytesIO()
        self._locked = False
        self._sizes = (0, 0)
        self._saved_at = time.monotonic()
        self._state = Progress()

    def open(self, resume: bool, restart: bool) -> Progress:
        """Begin, or go on where the last run was safe; `InputError` where that is not possible, or not what was asked."""
        try:
            for path in (self.target, self.errors):
                if path.is_dir():
                    raise InputError(f"{path} is a folder; give a file.")
                path.parent.mkdir(parents=True, exist_ok=True)
            self._data = _open_kept(self.part)
            self._locked = lock_file(self._data.fileno(), self.part)
            saved = json.loads(self.checkpoint.read_bytes()) if self.checkpoint.exists() and not restart else None
            self._faults = _open_kept(self.errors_part)
            if saved is not None and not resume:
                told = f"{self.target} has an unfinished run of {saved['rows']:,} rows"
                raise InputError(f"{told}; go on with --resume, or drop it with --restart.")
            if saved is None:
                self._begin()
            else:
                self._go_on(saved)
        except (ValueError, KeyError, TypeError) as error:
            self.close()
            if isinstance(error, InputError):
                raise
            raise InputError(f"{self.checkpoint} is damaged ({error}); begin again with --restart.") from None
        except OSError as error:
            self.close()
            raise self._refused(error) from None
        return self._state

    def _begin(self) -> None:
        self.checkpoint.unlink(missing_ok=True)
        for file in (self._data, self._faults):
            file.truncate(0)
            file.seek(0)
        self._write(self._data, opening(self._encoding))
        self._sizes = (self._data.tell(), 0)

    def _go_on(self, saved: Mapping[str, Any]) -> None:
        settings = saved["settings"]
        changed = sorted(name for name in {*settings, *self._settings} if settings.get(name) != self._settings.get(name))
        if changed:
            name = changed[0]
            told = f"`{name}` was {settings.get(name)!r} and is {self._settings.get(name)!r}"
            raise InputError(f"The unfinished run of {self.target} was another: {told}; make it the same, or begin again with --restart.")
        self._state = Progress(saved["rows"], saved["digest"], saved["counts"], saved["complete"])
        self._sizes = (saved["bytes"], saved["error_bytes"])
        for file, size in zip((self._data, self._faults), self._sizes, strict=True):
            there = file.seek(0, os.SEEK_END)
            if there < size and not (self._state.complete and not there):  # of a complete run it may have its name already
                raise InputError(f"{self.part} or its side file is shorter than {self.checkpoint} says; begin again with --restart.")
            if there > size:
                file.truncate(size)
            file.seek(0, os.SEEK_END)

    def append(self, data: bytes, faults: Sequence[Fault], state: Progress) -> None:
        """Put a chunk behind the others; now and then make all of them safe."""
        try:
            self._write(self._data, data)
            self._write(self._faults, b"".join(map(fault_line, faults)))
            self._state, self._sizes = state, (self._data.tell(), self._faults.tell())
            if time.monotonic() - self._saved_at >= CHECKPOINT_SECONDS:
                self.save()
        except OSError as error:
            raise self._refused(error) from None

    def _write(self, file: IO[bytes], data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]

    def save(self) -> None:
        """Make what was appended safe."""
        os.fsync(self._data.fileno())
        os.fsync(self._faults.fileno())
        state = self._state  # its sizes are those of whole chunks: a full disk may have taken half of one
        said = {
            "rows": state.rows, "digest": state.digest, "counts": dict(state.counts), "complete": state.complete,
            "bytes": self._sizes[0], "error_bytes": self._sizes[1], "settings": self._settings,
        }  # fmt: skip
        write_atomic(self.checkpoint, json.dumps(said, indent=1).encode("ascii"))
        self._saved_at = time.monotonic()

    def finish(self, state: Progress) -> None:
        """Give the files their names.  Repeating it after a kill at any step ends the same."""
        try:
            if not self._state.complete:
                self._state = replace(state, complete=True)
                self.save()
            if not self._locked:  # where nothing can be locked (Windows), an open file cannot be renamed either
                self.close()
            self._rename()
            for leftover in (self.part, self.errors_part, self.checkpoint):
                leftover.unlink(missing_ok=True)
        except OSError as error:
            raise self._refused(error) from None
        finally:
            self.close()

    def _rename(self) -> None:
        """A part that is empty and should not be has its name already: the run was killed here."""
        size, error_size = self._sizes
        if not error_size:
            self.errors.unlink(missing_ok=True)  # of an earlier run: its lines would speak of rows that are fine now
        elif self.errors_part.stat().st_size:
            os.replace(self.errors_part, self.errors)
        if size and not self.part.stat().st_size:
            return
        if self._encoding.kind == "parquet":
            whole = Path(f"{self.target}.whole")
            write_parquet(self.part, whole)
            os.replace(whole, self.target)
        else:
            os.replace(self.part, self.target)

    def give_up(self) -> None:
        """After an error or Ctrl-C: make safe what can be; a run that has nothing leaves nothing behind."""
        try:
            if self._state.rows:
                with contextlib.suppress(OSError):
                    self.save()
            elif not self.checkpoint.exists():
                for leftover in (self.part, self.errors_part):
                    leftover.unlink(missing_ok=True)
        finally:
            self.close()

    def close(self) -> None:
        """Let the files go, and with them the lock."""
        self._data.close()
        self._faults.close()

    def _refused(self, error: OSError) -> InputError:
        where = f"{self.target} cannot be written ({error.strerror or error})"
        if error.errno in _FULL:
            return InputError(f"{where}; make room, and go on with --resume.")
        return InputError(f"{where}; give another place with -o.")


def _open_kept(path: Path) -> IO[bytes]:
    """A file to read and write, with what it holds."""
    return open(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b", buffering=0)


class StreamOutput:
    """Standard output: chunks as they are done, nothing to continue.  Errors go to their file, or are told by `report`."""

    def __init__(self, errors: str, encoding: Encoding, report: Callable[[str], None]) -> None:
        self._errors, self._report = errors, report
        self._faults: list[bytes] = []
        self._encoding = encoding

    def open(self, resume: bool, restart: bool) -> Progress:
        """Write what stands before the first chunk."""
        self._put(opening(self._encoding))
        return Progress()

    def append(self, data: bytes, faults: Sequence[Fault], state: Progress) -> None:
        """Hand a chunk on, at once."""
        self._put(data)
        for fault in faults:
            if self._errors:
                self._faults.append(fault_line(fault))
            else:
                self._report(f"line {fault.line}: {fault.reason}.")

    def _put(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def finish(self, state: Progress) -> None:
        """Write the side file where there are errors."""
        if self._errors and self._faults:
            write_atomic(Path(self._errors), b"".join(self._faults))

    def give_up(self) -> None:
        """Write what is known of errors."""
        self.finish(Progress())
