"""Lexicon files on disk while people work on them: one lock a lexicon, whole files or none."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rewriter.errors import LexiconError
from rewriter.lexicon.parse import Located, kind_of, parse_file
from rewriter.pack.files import files_at, lexicons_folder
from rewriter.pack.known import lexicons_are_installed
from rewriter.pack.store import write_whole
from rewriter.pack.toml import load_toml

__all__ = ["LOCK", "hold", "load_items", "load_text", "root_of", "write_texts"]

LOCK = ".rewriter.lock"
"""Lies in the lexicon's folder, so that curators on one machine, or on one shared disk, wait for each other."""
PATIENCE = 60.0
"""Seconds until a lock counts as stuck: the longest write, an import of 100,000 rows, takes ten."""
_KINDS = ("senses", "idioms", "jargon", "bilingual", "slang", "templates")


def root_of(path: Path) -> Path:
    """The folder of the lexicon that a file belongs to: the one with `domains.toml`, or above `senses`, `jargon` …, or the file's own."""
    folder = path if path.is_dir() else path.parent
    for above in (folder, *folder.resolve().parents):
        if (above / "domains.toml").is_file():
            return above
    return folder.parent if folder.name in _KINDS else folder


@contextlib.contextmanager
def hold(root: Path) -> Iterator[None]:
    """Hold the lock of a lexicon to write to it; `LexiconError` for the installed ones, and when another curator holds it for a minute."""
    try:
        from filelock import FileLock, Timeout
    except ImportError:
        raise LexiconError("Lexicons are locked with filelock, which cannot be imported; run `pip install 'rewriter[curate]'`.") from None
    if lexicons_are_installed() and root.resolve() == lexicons_folder().resolve():
        raise LexiconError(
            f"{root} holds the installed lexicons, which the next update would replace; name a lexicon of your own "
            "(--lexicon, REWRITER_LEXICONS, or its file or folder), or install a checkout with `pip install -e '.[curate]'`."
        )
    made = [folder for folder in (root, *root.parents) if not folder.exists()]
    root.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(root / LOCK, timeout=PATIENCE):
            try:
                yield
            finally:
                _leave_nothing(root, made)
    except Timeout:
        raise LexiconError(f"{root} is being written by somebody else for a minute now; try again, or delete {root / LOCK}.") from None


def _leave_nothing(root: Path, made: Sequence[Path]) -> None:
    """Take away the folders that were made for the lock alone; where something was written they stay."""
    if not made or any(path.name != LOCK for path in root.iterdir()):
        return
    with contextlib.suppress(OSError):  # Windows keeps a lock file that is open
        (root / LOCK).unlink()
        for folder in made:
            folder.rmdir()


def load_text(file: Path) -> str:
    """A lexicon file's text with its line ends, "" for a file that is still to be made; `LexiconError` for what is no UTF-8."""
    try:
        return file.read_bytes().decode("utf-8-sig") if file.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise LexiconError(f"{file} cannot be read as UTF-8 text ({error}); save it as UTF-8.") from None


def load_items(root: Path) -> list[Located]:
    """All entries of a lexicon, in the order of its files; what cannot be read is left to the lint."""
    found: list[Located] = []
    for file in files_at(root) if root.exists() else ():
        if kind_of(file.as_posix()) not in ("domains", "templates"):
            found += parse_file(file.as_posix(), load_text(file), load_toml)[0]
    return found


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write each file whole; one that is killed in between leaves every file old or new, never half."""
    for file, text in texts.items():
        write_whole(file, text.encode())
