"""A version of a lexicon: a file or folder as it lies there, or as a git revision has it (`HEAD:lexicons`)."""

from __future__ import annotations

import contextlib
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from rewriter.curation.store import load_items, load_text
from rewriter.errors import InputError, LexiconError
from rewriter.lexicon.entries import Entry
from rewriter.lexicon.parse import Located, kind_of, parse_file
from rewriter.lexicon.tables import entry_key
from rewriter.pack.files import files_at, lexicons_folder
from rewriter.pack.load import default_resources, lay_over, read_layers
from rewriter.record import record
from rewriter.resources import Resources

_PARTS = re.compile(r"^(?=\[)", re.MULTILINE)
_UNUSED = re.compile(r"""["'\t](?:draft|retired)(?:["'\t\r]|$)""", re.MULTILINE)
__all__ = ["Layer", "changed_entries", "items_at", "layer_of", "opened", "resources_of", "whole_resources"]


@contextlib.contextmanager
def opened(spec: str) -> Iterator[Path]:
    """The place of a version; one of a git revision is unpacked into a folder that is gone afterwards."""
    if Path(spec).exists():
        yield Path(spec)
        return
    revision, colon, path = spec.partition(":")
    if not colon or not revision or not path:
        raise LexiconError(f"There is no lexicon at {spec}; give a file, a folder, or REVISION:PATH of a git repository.")
    try:
        done = subprocess.run(["git", "archive", "--format=tar", revision, "--", path], capture_output=True, check=False)
    except OSError as error:
        raise InputError(f"{spec} needs git, which cannot be run ({error.strerror}).") from None
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise LexiconError(f"{spec} cannot be read from git ({told[0] if told else 'no reason given'}); give REVISION:PATH.")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder) / path


def items_at(place: Path) -> list[Located]:
    """All entries of a version; `LexiconError` where there is no lexicon."""
    if not place.exists():
        raise LexiconError(f"There is no lexicon at {place}; give a file or a folder.")
    return load_items(place)


@record
class Layer:
    """What lies over the shipped lexicons: entries by key, and keys that are retired."""

    entries: dict[str, tuple[Entry, ...]]
    retired: frozenset[str]

    def said(self, key: str) -> tuple[Entry, ...] | None:
        """What the layer says of a key: its entries, none where it is retired, None where it says nothing."""
        if key in self.entries:
            return self.entries[key]
        return () if key in self.retired else None


def layer_of(places: Iterable[Path], *, drafts: bool = False) -> Layer:
    """The layer of lexicons laid over one another.  A whole lexicon (a folder with `domains.toml`) counts as what it says otherwise
    than the shipped one.

    `LexiconError` where its domain tree or its templates differ, since those cannot be laid over.
    """
    entries: dict[str, tuple[Entry, ...]] = {}
    retired: frozenset[str] = frozenset()
    for place in places:
        found, gone = read_layers([place], drafts=drafts)
        own = _grouped(found)
        if (place / "domains.toml").is_file():
            _check_tree(place)
            shipped = _grouped(default_resources().pack.entries())
            gone = gone.union(k for k in shipped if k not in own and not _from_cldr(shipped[k]))
            own = {k: v for k, v in own.items() if shipped.get(k) != v}
        entries = {k: v for k, v in entries.items() if k not in gone} | own
        retired = (retired | gone) - own.keys()
    return Layer(entries, retired)


def _grouped(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry_key(entry), []).append(entry)
    return {key: tuple(sorted(group, key=lambda e: repr(e.to_row()))) for key, group in groups.items()}


def _from_cldr(entries: tuple[Entry, ...]) -> bool:
    """Names that the pack has from CLDR stand in no file."""
    return all(entry.KIND == 2 and entry.pos == "name" for entry in entries)  # type: ignore[union-attr]


def _check_tree(place: Path) -> None:
    """`LexiconError` where domains or templates are not those of the pack."""
    from rewriter.pack.files import lexicon_files, read_lexicon

    files = [place / "domains.toml", *(lexicon_files(place / "templates") if (place / "templates").is_dir() else ())]
    _, domains, templates = read_lexicon(files)
    shipped = default_resources()
    names = templates.pop("capitals", {}).get("words", [])
    spelled = {n.casefold(): n for n in names} == {n.casefold(): n for n in shipped.pack.spellings()}
    if {d.path: d for d in domains} != dict(shipped.domains) or (templates and not (spelled and templates == dict(shipped.templates))):
        raise LexiconError(
            f"{place} has other domains or templates than the lexicons in use, which no preview can lay over; "
            "commit those first, or compare the entries alone."
        )


def resources_of(layer: Layer) -> Resources:
    """The shipped lexicons with a layer over them."""
    return lay_over([e for group in layer.entries.values() for e in group], layer.retired)


def whole_resources(places: Iterable[Path]) -> Resources:
    """The shipped lexicons and those over them with all that stands there, drafts and retired entries too: what nobody needs to be
    shown as new."""
    entries, _ = read_layers(list(places))
    return lay_over([*entries, *(i.entry for place in (*places, lexicons_folder()) for i in _unused_items(place))], frozenset())


def _unused_items(place: Path) -> Iterator[Located]:
    """Drafts and retired entries.  Only tables and lines with the words are parsed: to parse all would take seconds for a handful."""
    for file in files_at(place):
        if kind_of(file.as_posix()) not in ("domains", "templates"):
            head, *parts = _PARTS.split(load_text(file)) if file.suffix == ".toml" else load_text(file).splitlines(keepends=True) or [""]
            text = "".join([head, *filter(_UNUSED.search, parts)])
            yield from (i for i in parse_file(file.as_posix(), text)[0] if i.fields.get("status") in ("draft", "retired"))


def changed_entries(old: Layer, new: Layer) -> dict[str, tuple[tuple[Entry, ...], tuple[Entry, ...]]]:
    """Key → entries before and after, for every key of which the two layers say different things."""
    keys = {k for layer in (old, new) for k in (*layer.entries, *layer.retired)}
    differing = {k for k in keys if old.said(k) != new.said(k)}
    shipped: dict[str, list[Entry]] = {}
    if any(layer.said(k) is None for layer in (old, new) for k in differing):
        for entry in default_resources().pack.entries():
            if entry_key(entry) in differing:
                shipped.setdefault(entry_key(entry), []).append(entry)
    found = {}
    for key in sorted(differing):
        before, after = [tuple(shipped.get(key, ())) if (said := layer.said(key)) is None else said for layer in (old, new)]
        if before != after or (old.said(key) is None) != (new.said(key) is None):  # what is laid over is weighed by its own words
            found[key] = (before, after)
    return found
