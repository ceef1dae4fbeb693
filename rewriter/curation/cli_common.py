"""What the commands of curators share: where they work, values from the command line, progress."""

from __future__ import annotations

import contextlib
import datetime
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rewriter.calls import emit, named_lexicons, printable
from rewriter.errors import InputError
from rewriter.output import say

if TYPE_CHECKING:
    from rewriter.curation.work import Written
    from rewriter.lexicon.parse import Located

__all__ = [
    "Drafts", "Force", "Json", "Places", "Reviewer", "Setting", "parse_value", "place_shown", "places_or_shipped", "progress", "signature",
    "split_assignments", "split_list", "tell_written",
]  # fmt: skip

Places = Annotated[
    list[Path] | None,
    typer.Option("--lexicon", metavar="PATH", help="The lexicon to work in; else those of REWRITER_LEXICONS, else the shipped ones."),
]
Drafts = Annotated[bool, typer.Option("--drafts", help="Use entries with the status draft too.")]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A field (gloss.en, cues, prior …); lists parted by commas. Repeat it."),
]
Reviewer = Annotated[str, typer.Option("--reviewer", envvar="REWRITER_REVIEWER", show_default=False, help="Who signs for it.")]
Force = Annotated[bool, typer.Option("--force", help="Write although the lint would warn; errors are never written.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def places_or_shipped(given: Sequence[Path] | None) -> list[Path]:
    """The lexicons named, else those of the environment, else the shipped folder."""
    from rewriter.pack.files import lexicons_folder

    return list(given or ()) or [Path(p) for p in named_lexicons()] or [lexicons_folder()]


def place_shown(item: Located) -> str:
    """File and line of an entry, the file as seen from here; of the installed lexicons from their folder on."""
    from rewriter.pack.files import lexicons_folder

    file = Path(item.file).absolute()
    for base in (Path.cwd(), lexicons_folder().absolute().parent):
        if file.is_relative_to(base):
            return f"{file.relative_to(base).as_posix()}:{item.line}"
    return f"{item.file}:{item.line}"


def split_list(text: str) -> list[str]:
    """A list as a person types it, parted by commas; one between digits is a decimal sign.

    >>> split_list("gemini, gambar,2,5 persen,")
    ['gemini', 'gambar', '2,5 persen']
    """
    from rewriter.lexicon.checks_forms import COMMA

    return [part.strip() for part in COMMA.split(text) if part.strip()]


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
            return [int(part) for part in text.split(",") if part.strip()] if name in NUMBERS else split_list(text)
        if name in NUMBERS:
            return int(text)
    except ValueError:
        raise InputError(f"{option} has {name}={text!r}; give whole numbers, or a list parted by commas.") from None
    if name in FLAGS:
        if text.lower() not in ("true", "false"):
            raise InputError(f"{option} has {name}={text!r}; give true or false.")
        return text.lower() == "true" or None
    return text


def signature(fields: Mapping[str, Any], reviewer: str) -> dict[str, str]:
    """Reviewer and today's date for an entry that becomes reviewed or retired; `InputError` where nobody signs for that."""
    status = fields.get("status")
    if status not in ("reviewed", "retired") or (fields.get("reviewer") and fields.get("reviewed")):
        return {}
    if not reviewer:
        what = "review" if status == "reviewed" else "retirement"
        raise InputError(f"A {what} is signed; give --reviewer, or set REWRITER_REVIEWER.")
    return {"reviewer": reviewer, "reviewed": datetime.date.today().isoformat()}


def tell_written(written: Written) -> None:
    """What was written, as a diff on standard output; warnings that were let through on standard error."""
    file, change, warnings = written
    if not change:
        say(f"{file} says that already; nothing was written.")
        return
    for line in change.split("\n"):
        emit(printable(line.replace("\t", "  ")))
    for finding in warnings:
        say(f"written with --force: {finding}")
    say(f"{file} written")


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
