"""What the commands of curators share: where they work, values from the command line, progress."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from rewriter.calls import named_lexicons
from rewriter.errors import InputError

__all__ = ["Drafts", "Json", "Places", "parse_value", "places_or_shipped", "progress", "split_assignments"]

Places = Annotated[
    list[Path] | None,
    typer.Option("--lexicon", metavar="PATH", help="The lexicon to work in; else those of REWRITER_LEXICONS, else the shipped ones."),
]
Drafts = Annotated[bool, typer.Option("--drafts", help="Use entries with the status draft too.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def places_or_shipped(given: Sequence[Path] | None) -> list[Path]:
    """The lexicons named, else those of the environment, else the shipped folder."""
    from rewriter.pack.files import lexicons_folder

    return list(given or ()) or [Path(p) for p in named_lexicons()] or [lexicons_folder()]


def split_assignments(given: Sequence[str] | None, option: str) -> list[tuple[str, str]]:
    """`NAME=VALUE` taken apart."""
    pairs = []
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise InputError(f"{option} has {text!r}; write NAME=VALUE, such as prior=300 or cues=gemini,gambar.")
        pairs.append((name.strip(), value.strip()))
    return pairs


def parse_value(name: str, text: str, option: str = "--set") -> Any:
    """A field's value as a person types it: lists parted by commas (or as JSON), whole numbers, true or false; "" takes a field away.

    >>> parse_value("cues", "gemini, gambar"), parse_value("prior", "300"), parse_value("gloss.en", "a, b"), parse_value("since", "")
    (['gemini', 'gambar'], 300, 'a, b', None)
    """
    from rewriter.curation.rows import FLAGS, LISTS, NUMBERS, ORDER, SHARD_FIELDS

    if name not in (*ORDER, *SHARD_FIELDS):
        raise InputError(f"{option} names the field {name!r}; known are {', '.join(dict.fromkeys((*ORDER, *SHARD_FIELDS)))}.")
    if text == "":
        return None
    try:
        if text.startswith(("[", "{")) and (name in LISTS or name == "examples"):
            return json.loads(text)
        if name == "examples":
            return [{"query": text}]
        if name in LISTS or name == "when":
            parts = [part.strip() for part in text.split(",") if part.strip()]
            return [int(part) for part in parts] if name in NUMBERS else parts
        if name in NUMBERS:
            return int(text)
    except ValueError:
        raise InputError(f"{option} has {name}={text!r}; give whole numbers, or a list parted by commas.") from None
    if name in FLAGS:
        if text.lower() not in ("true", "false"):
            raise InputError(f"{option} has {name}={text!r}; give true or false.")
        return text.lower() == "true" or None
    return text


@contextlib.contextmanager
def progress(what: str) -> Iterator[Callable[[int], None]]:
    """A counter on standard error while something long goes on; silent where that is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.update(task, completed=done)
