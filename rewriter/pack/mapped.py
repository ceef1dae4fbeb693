"""Opening a pack by mmap: all that a start needs of the file system."""

from __future__ import annotations

import mmap
import os

from rewriter.errors import PackError
from rewriter.pack.open import Pack

__all__ = ["SHIPPED", "map_pack"]

SHIPPED = os.path.join(os.path.dirname(__file__), "rewriter.pack")  # noqa: PTH118, PTH120 (pathlib costs 4 ms of each start)
"""The pack that the build puts into a wheel."""


def map_pack(path: str | os.PathLike[str]) -> Pack:
    """Open a pack by mmap; `PackError` when it is damaged, foreign or unreadable."""
    try:
        with open(path, "rb") as file:
            return Pack(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), str(path), file.fileno())
    except PackError:
        raise
    except (OSError, ValueError) as error:
        raise PackError(f"{path} cannot be opened as a language pack ({error}); compile it again.") from None
