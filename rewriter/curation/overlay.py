"""A shipped entry copied into the lexicon that is laid over it, so that it can be changed or retired there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rewriter.curation.edit import add_row, find_rows
from rewriter.curation.rows import key_of, row_of
from rewriter.curation.store import load_text, root_of
from rewriter.errors import LexiconError
from rewriter.lexicon.parse import Located
from rewriter.lexicon.tables import entry_key

__all__ = ["copy_entry"]


def copy_entry(root: Path, items: Iterable[Located], shipped: Sequence[Located], item: Located) -> tuple[Path, str, Located]:
    """The overlay's file, its text with the shipped `item`, and the entry there; `root` is the overlay, `items` what it has.

    A folder gets the file of the same name as the shipped one.  Lines of a form are replaced together by an overlay: with one go all
    of them, unless it has lines of that form, which have replaced them already.
    """
    source = Path(item.file)
    file = root / source.relative_to(root_of(source)) if root.is_dir() else root
    key = entry_key(item.entry)
    together = [item] if any(entry_key(i.entry) == key for i in items) else [i for i in shipped if entry_key(i.entry) == key]
    text = load_text(file)
    for one in together:
        row = row_of(one)
        if row.kind != row_of(item).kind:
            raise LexiconError(
                f"{row.id!r} stands in {one.file} too, which an overlay replaces together with {item.file}; "
                "add the lines that should stay to the overlay first."
            )
        text = add_row(file.as_posix(), text, row)
    wanted = row_of(item)
    copied = [i for i in find_rows(file.as_posix(), text, key=key_of(wanted)) if i.entry == item.entry]
    return file, text, copied[0]
