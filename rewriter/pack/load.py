"""`load_resources` and `default_resources`: lexicon files and packs from disk."""

from __future__ import annotations

import os
import threading
from functools import partial

from rewriter.errors import LexiconError
from rewriter.lexicon.entries import Entry
from rewriter.pack.mapped import SHIPPED, map_pack
from rewriter.pack.open import Pack
from rewriter.resources import Resources

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["default_resources", "lay_over", "load_resources", "read_layers"]

_default: list[Resources] = []
_lock = threading.Lock()


def default_resources() -> Resources:
    """The shipped lexicons, loaded once a process."""
    if not _default:
        with _lock:
            if not _default:
                _default.append(_shipped())
    return _default[0]


def load_resources(*lexicons: str | Path, memory: str | Path | None = None, base: bool = True, drafts: bool = False) -> Resources:
    """The shipped lexicons with the given files or folders (TOML, TSV, JSONL) laid over them, and a translation memory.

    An entry takes the place of those with its id (translations and slang: with its form) in the lexicons before it; one with the
    status `retired` only takes them away.  `drafts=True` uses entries that nobody has reviewed yet.  `base=False` takes senses, jargon
    and translations from the given ones alone.  `LexiconError` names the file and line of what cannot be read.
    """
    if not lexicons and memory is None and base:
        return default_resources()
    from pathlib import Path

    entries, retired = read_layers([Path(place) for place in lexicons], drafts=drafts)
    known, memory_hash = _read_memory(Path(memory)) if memory is not None else ({}, "")
    return lay_over(entries, retired, known, memory_hash, base=base)


def read_layers(lexicons: Sequence[Path], *, drafts: bool = False) -> tuple[list[Entry], frozenset[str]]:
    """What lexicons laid over one another say together: their entries, and the keys that they retire; later ones win."""
    from rewriter.lexicon.tables import entry_key
    from rewriter.pack.files import files_at, read_overlay

    entries: list[Entry] = []
    retired: frozenset[str] = frozenset()
    for place in lexicons:
        found, gone = read_overlay(files_at(place), drafts=drafts)
        own = gone.union(map(entry_key, found))
        entries = [e for e in entries if entry_key(e) not in own] + found
        retired |= gone
    return entries, retired


def lay_over(
    entries: Iterable[Entry], retired: frozenset[str], memory: Mapping[str, str] | None = None, memory_hash: str = "", *, base: bool = True
) -> Resources:
    """The shipped lexicons with these entries laid over them, without the entries of these keys."""
    import hashlib  # here and above: what only overlays need is loaded for overlays

    from rewriter.lexicon.tables import sort_key

    shipped = default_resources()
    ordered = sorted(entries, key=sort_key)
    said = [*[e.to_row() for e in ordered], *sorted(retired)]
    digest = hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()[:12] if said else ""
    return Resources(shipped.pack, shipped.reopen, ordered, digest, memory, memory_hash, retired, use_base=base)


def _shipped() -> Resources:
    if os.path.exists(SHIPPED):  # noqa: PTH110 (pathlib costs 4 ms of each start)
        pack = map_pack(SHIPPED)
        return Resources(pack, partial(map_pack, SHIPPED))
    from rewriter.pack.known import known_pack, lexicons_place

    pack = known_pack(lexicons_place()) or _compiled()
    return Resources(pack, partial(map_pack, pack.where) if os.path.isfile(pack.where) else _default_pack)  # noqa: PTH113


def _compiled() -> Pack:
    from rewriter.pack.checkout import checkout_pack
    from rewriter.pack.files import lexicons_folder

    return checkout_pack(lexicons_folder())


def _default_pack() -> Pack:
    """The pack of the default resources: what another process opens where the pack lives in memory."""
    return default_resources().pack


def _read_memory(path: Path) -> tuple[dict[str, str], str]:
    """A translation memory: JSONL of `source` and `target`; the last line for a source wins."""
    import hashlib
    import json

    from rewriter.text.normalise import memory_key

    known: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LexiconError(f"{path} cannot be read as a translation memory ({error}).") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            known[memory_key(row["source"])] = str(row["target"])
        except (ValueError, KeyError, TypeError, AttributeError):
            raise LexiconError(f"{path}:{number}: this line has no `source` and `target`; write one JSON object a line.") from None
    return known, hashlib.sha256(repr(sorted(known.items())).encode("utf-8", "surrogatepass")).hexdigest()[:12]
