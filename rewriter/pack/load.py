"""`load_resources` and `default_resources`: lexicon files and packs from disk."""

from __future__ import annotations

import hashlib
import json
import threading
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rewriter.errors import LexiconError
from rewriter.lexicon.entries import Domain, Entry
from rewriter.lexicon.tables import sort_key
from rewriter.pack.open import Pack
from rewriter.pack.store import SHIPPED, content_key, map_pack, obtain_pack
from rewriter.resources import Resources

__all__ = ["compile_folder", "default_resources", "lexicon_files", "lexicons_folder", "load_resources", "open_source", "read_lexicon"]

SUFFIXES = (".toml", ".tsv", ".jsonl")
_default: list[Resources] = []
_lock = threading.Lock()


def default_resources() -> Resources:
    """The shipped lexicons, loaded once a process."""
    if not _default:
        with _lock:
            if not _default:
                _default.append(_shipped())
    return _default[0]


def load_resources(*lexicons: str | Path, memory: str | Path | None = None, base: bool = True) -> Resources:
    """The shipped lexicons with the given files or folders (TOML, TSV, JSONL) laid over them, and a translation memory.

    `base=False` takes senses, jargon and translations from the given ones alone.  `LexiconError` names the file and line
    of what cannot be read.
    """
    shipped = default_resources()
    if not lexicons and memory is None and base:
        return shipped
    entries: list[Entry] = []
    for place in lexicons:
        path = Path(place)
        if not path.exists():
            raise LexiconError(f"There is no lexicon at {path}; give a file or a folder.")
        files = lexicon_files(path) if path.is_dir() else [path]
        entries += read_lexicon(files)[0]
    entries.sort(key=sort_key)
    digest = hashlib.sha256(repr([e.to_row() for e in entries]).encode("utf-8", "surrogatepass")).hexdigest()[:12] if entries else ""
    known, memory_hash = _read_memory(Path(memory)) if memory is not None else ({}, "")
    source = _source_of(shipped)
    return Resources(open_source(source), source, entries, digest, known, memory_hash, use_base=base)


def lexicons_folder() -> Path:
    """The shipped lexicons as files: beside the package in a wheel, at the top of a checkout."""
    inside = Path(__file__).parent.parent / "lexicons"
    return inside if (inside / "domains.toml").exists() else Path(__file__).parent.parent.parent / "lexicons"


def lexicon_files(folder: Path) -> list[Path]:
    """Lexicon files under a folder, sorted by their path."""
    return sorted((f for f in folder.rglob("*") if f.suffix in SUFFIXES and f.is_file()), key=lambda f: f.as_posix())


def read_lexicon(files: Iterable[Path]) -> tuple[list[Entry], list[Domain], dict[str, Any]]:
    """Entries, domains and templates of lexicon files; `LexiconError` with all that is wrong."""
    from rewriter.lexicon.parse import kind_of, parse_domains, parse_file

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
            found, wrong = parse_domains(str(file), text)
            domains += found
            problems += map(str, wrong)
        elif kind == "templates":
            try:
                templates[file.stem] = tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                problems.append(f"{file}:1:1: This is no TOML: {error}.")
        else:
            located, wrong = parse_file(str(file), text)
            entries += [item.entry for item in located if str(item.fields.get("status", "reviewed")) not in ("draft", "retired")]
            problems += map(str, wrong)
    if problems:
        raise LexiconError("\n".join(problems))
    return entries, domains, templates


def compile_folder(folder: Path, progress: Callable[[str], None] = lambda _: None) -> bytes:
    """The pack of a lexicon folder, as bytes."""
    from rewriter.pack.compile import compile_pack

    entries, domains, templates = read_lexicon(lexicon_files(folder))
    return compile_pack(entries, domains, templates, progress)


def open_source(source: Sequence[str]) -> Pack:
    """A pack from where `Resources` says it came from."""
    kind, where = source
    return map_pack(Path(where)) if kind == "file" else default_resources()._pack


def _source_of(resources: Resources) -> tuple[str, str]:
    source: tuple[str, str] = resources._source[0]
    return source


def _shipped() -> Resources:
    if SHIPPED.exists():
        pack = map_pack(SHIPPED)
        return Resources(pack, ("file", str(SHIPPED)))
    pack = _from_checkout()
    return Resources(pack, ("file", pack.where) if Path(pack.where).is_file() else ("default", ""))


def _from_checkout() -> Pack:
    """Compile the lexicons of a checkout at first use; afterwards the cache answers."""
    import sys

    from rewriter.pack.sources import library_versions

    folder = lexicons_folder()
    code = [Path(__file__).with_name(n) for n in ("compile.py", "sources.py", "format.py")]
    code += [Path(__file__).parent.parent / "lexicon" / n for n in ("entries.py", "parse.py", "tables.py")]
    key = content_key([*lexicon_files(folder), *code], [f"{n}={v}" for n, v in sorted(library_versions().items())])

    def build() -> bytes:
        def say(what: str) -> None:
            print(f"\rrewriter: compiling the language pack (once): {what:<40}", end="", file=sys.stderr, flush=True)

        data = compile_folder(folder, say)
        print(f"\rrewriter: compiled the language pack, {len(data) // 1024} KiB{'':<40}", file=sys.stderr)
        return data

    return obtain_pack(key, build)


def _read_memory(path: Path) -> tuple[dict[str, str], str]:
    """A translation memory: JSONL of `source` and `target`; the last line for a source wins."""
    from rewriter.text.normalise import clean

    known: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LexiconError(f"{path} cannot be read as a translation memory ({error}).") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            known[clean(row["source"]).folded] = str(row["target"])
        except (ValueError, KeyError, TypeError, AttributeError):
            raise LexiconError(f"{path}:{number}: this line has no `source` and `target`; write one JSON object a line.") from None
    return known, hashlib.sha256(repr(sorted(known.items())).encode("utf-8", "surrogatepass")).hexdigest()[:12]
