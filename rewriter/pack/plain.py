"""The plain data of a pack: arrays of whole numbers, little-endian, and marisa tries read in place."""

from __future__ import annotations

import sys
from array import array

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any, Literal

__all__ = ["array_bytes", "array_in", "code_below", "look_up", "mapped"]


def array_bytes(values: array[int]) -> bytes:
    """The bytes of an array in a pack."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def code_below(count: int) -> Literal["H", "I"]:
    """The code of numbers below a count: u16 where they fit, else u32."""
    return "H" if count <= 1 << 16 else "I"


def array_in(raw: memoryview, code: Literal["H", "I"]) -> Any:
    """The u16 or u32 numbers of a section: in place where the machine reads them so."""
    if sys.byteorder == "little":
        return raw.cast(code)
    values = array(code, bytes(raw))
    values.byteswap()
    return values


def mapped(trie: Any, raw: memoryview) -> Any:
    """A trie that reads a section in place."""
    trie.map(raw)
    return trie


def look_up(trie: Any, word: str) -> Any:
    """What a trie holds for a word; None for unknown words.

    No trie takes halves of surrogate pairs, and to one with values a NUL is the end of the word.
    """
    try:
        return None if "\0" in word else trie.get(word)
    except UnicodeEncodeError:
        return None
