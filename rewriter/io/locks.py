"""One run at a time on a file: the lock goes with the open file, and the system lifts that of a process that was killed."""

from __future__ import annotations

import os
from pathlib import Path

from rewriter.errors import InputError

__all__ = ["lock_file"]


def lock_file(file: int, path: Path) -> bool:
    """Keep other runs off an open file; `InputError` where one has it, False on a system or a network drive without locks."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{path} is being filled by another run; wait for it, or give another file.") from None
    except (ImportError, OSError):
        return False
    if not path.exists() or not os.path.samestat(os.fstat(file), path.stat()):  # the other run has just ended and put a new file there
        raise InputError(f"{path} was just being filled by another run; start again.")
    return True
