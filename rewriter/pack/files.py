"""Lexicon files from disk: which they are, what they hold, and their pack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rewriter.errors import LexiconError, PackError
from rewriter.lexicon.entries import Domain, Entry
from rewriter.pack.known import files_under, lexicons_place

__all__ = ["compile_folder", "files_at", "lexicon_files", "lexicons_folder", "read_lexicon", "read_overlay"]


def lexicons_folder() -> Path:
    """The shipped lexicons as files: beside the package in a wheel, at the top of a checkout."""
    return Path(lexicons_place())


def lexicon_files(folder: Path) -> list[Path]:
    """Lexicon files under a folder, sorted by their path."""
    return [Path(name) for name in files_under(str(folder))]


def files_at(path: Path) -> list[Path]:
    """A lexicon file, or those of a folder; `LexiconError` where there is none."""
    if not path.exists():
        raise LexiconError(f"There is no lexicon at {path}; give a file or a folder.")
    return lexicon_files(path) if path.is_dir() else [path]


def read_lexicon(files: Iterable[Path]) -> tuple[list[Entry], list[Domain], dict[str, Any]]:
    """Entries, domains and templates of lexicon files; `LexiconError` with all that is wrong."""
    import tomllib

    from rewriter.lexicon.parse import kind_of, parse_domains, parse_file, toml_problem
    from rewriter.pack.toml import load_toml

    entries: list[Entry] = []
    domains: list[Domain] = []
    templates: dict[str, Any] = {}
    problems: list[str] = []
    for file in files:
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise LexiconError(f"{file} cannot be read as UTF-8 text ({error}).") from None
        kind = kind_of(file.as_posix())
        if kind == "domains":
            found, wrong = parse_domains(str(file), text, load_toml)
            domains += found
            problems += map(str, wrong)
        elif kind == "templates":
            try:
                templates[file.stem] = load_toml(text)
            except tomllib.TOMLDecodeError as error:
                problems.append(str(toml_problem(str(file), error)))
        else:
            located, wrong = parse_file(str(file), text, load_toml)
            entries += [item.entry for item in located if str(item.fields.get("status", "reviewed")) not in ("draft", "retired")]
            problems += map(str, wrong)
    if problems:
        raise LexiconError("\n".join(problems))
    return entries, domains, templates


def read_overlay(files: Iterable[Path], *, drafts: bool = False) -> tuple[list[Entry], frozenset[str]]:
    """Entries in use of the files laid over a lexicon (with `drafts`, those too), and the keys of those that they retire.

    `LexiconError` with all that is wrong; domains and templates are not laid over.
    """
    from rewriter.lexicon.parse import kind_of, parse_file
    from rewriter.lexicon.tables import entry_key
    from rewriter.pack.toml import load_toml

    unused = ("retired",) if drafts else ("draft", "retired")
    entries: list[Entry] = []
    retired: set[str] = set()
    problems: list[str] = []
    for file in files:
        if kind_of(file.as_posix()) in ("domains", "templates"):
            continue
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise LexiconError(f"{file} cannot be read as UTF-8 text ({error}).") from None
        located, wrong = parse_file(str(file), text, load_toml)
        problems += map(str, wrong)
        for item in located:
            status = str(item.fields.get("status", ""))
            if status not in unused:
                entries.append(item.entry)
            elif status == "retired":
                retired.add(entry_key(item.entry))
    if problems:
        raise LexiconError("\n".join(problems))
    return entries, frozenset(retired)


def compile_folder(
    folder: Path, progress: Callable[[str], None] = lambda _: None, base: Callable[[], Mapping[str, bytes]] | None = None
) -> bytes:
    """The pack of a lexicon folder, as bytes; `PackError` where a library that it is compiled with is missing.

    `base` gives what `compile_sources` does, where it is kept.
    """
    from rewriter.pack.compile import compile_pack

    try:
        kept = base() if base is not None else None
        progress("lexicon files")
        entries, domains, templates = read_lexicon(lexicon_files(folder))
        return compile_pack(entries, domains, templates, progress, kept)
    except ImportError as error:
        raise PackError(
            f"The language pack is compiled with {error.name}, which cannot be imported; run `pip install 'rewriter[curate]'`, "
            "or install the wheel, which carries a compiled pack."
        ) from None
