"""Lexicon files from disk, checked as one collection."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rewriter.errors import LexiconError
from rewriter.lexicon.alike import Labels, labels_of
from rewriter.lexicon.checks import check_collection
from rewriter.lexicon.checks_templates import parse_rules
from rewriter.lexicon.collection import Collection, Finding, LocatedRule, Zipf
from rewriter.lexicon.entries import Domain, Sense
from rewriter.lexicon.parse import Located, Problem, kind_of, parse_domains, parse_file
from rewriter.lexicon.pointing import point_at
from rewriter.pack.files import files_at, lexicon_files, lexicons_folder
from rewriter.pack.load import default_resources
from rewriter.pack.toml import load_toml

__all__ = ["check_files", "read_collection", "shipped_senses"]


def check_files(paths: Sequence[Path], select: Sequence[str] = ()) -> list[Finding]:
    """Everything wrong with lexicon files or folders, by place; `select` keeps codes that begin so (`E`, `W3`, `W301`).

    Frequencies and domains are those of the shipped lexicons; a `domains.toml` among the files takes the place of the latter.
    """
    collection = read_collection(paths)
    found = [point_at(finding, collection.texts.get(finding.file, "")) for finding in check_collection(collection, select)]
    return sorted(found, key=lambda f: (f.file, f.line, f.column, f.code, f.message))


def read_collection(paths: Sequence[Path], *, zipf: Zipf | None = None, domains: Labels | None = None) -> Collection:
    """Entries, rules and texts of files and folders (folders as `lexicon_files` lists them).

    A file that is no UTF-8 is a problem at its first line; a path that does not exist is a `LexiconError`.  `zipf` and `domains`
    default to the shipped ones.
    """
    items: list[Located] = []
    rules: list[LocatedRule] = []
    tree: list[Domain] = []
    problems: list[Problem] = []
    texts: dict[str, str] = {}
    for file in list(dict.fromkeys([file for path in paths for file in files_at(path)])):
        name = file.as_posix()
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(name, 1, 1, f"This is no UTF-8 text ({error}); save it as UTF-8."))
            continue
        texts[name] = text
        kind = _kind(file, text)
        wrong: list[Problem]
        if kind == "domains":
            found, wrong = parse_domains(name, text, load_toml)
            tree += found
        elif kind == "templates":
            made, wrong = parse_rules(name, text, load_toml)
            rules += made
        else:
            located, wrong = parse_file(name, text, load_toml)
            items += located
        problems += wrong
    return Collection(
        tuple(items),
        tuple(rules),
        tuple(problems),
        texts,
        labels_of(tree) or (_shipped_domains() if domains is None else domains),
        shipped_senses(items),
        zipf or _shipped_zipf(),
    )


def _kind(file: Path, text: str) -> str:
    """By its folder, else by what stands in it: rules are templates wherever they stand."""
    kind = kind_of(file.as_posix())
    return "templates" if kind == "entries" and file.suffix == ".toml" and "[[rule]]" in text else kind


def _shipped_domains() -> Labels:
    file = lexicons_folder() / "domains.toml"
    return labels_of(parse_domains(str(file), file.read_text(encoding="utf-8"), load_toml)[0])


def shipped_senses(items: Sequence[Located]) -> frozenset[str]:
    """Ids of the shipped senses, where an entry points to a sense that is not among `items`."""
    own = {i.entry.id for i in items if isinstance(i.entry, Sense)}
    wanted = {other for i in items if isinstance(i.entry, Sense) for other in i.entry.near} - own
    if not wanted:
        return frozenset()
    found: set[str] = set()
    for folder in ("senses", "idioms"):
        for file in lexicon_files(lexicons_folder() / folder):
            located, _ = parse_file(file.as_posix(), file.read_text(encoding="utf-8"), load_toml)
            found.update(i.entry.id for i in located if isinstance(i.entry, Sense))
    return frozenset(found)


def _shipped_zipf() -> Zipf:
    """Frequencies of the language pack; none while a shipped lexicon cannot be read, which is what the lint is then about."""
    try:
        return default_resources().zipf
    except LexiconError:
        return lambda word: (0, 0)
