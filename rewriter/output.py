"""How commands show results: a table on a terminal, one line a row in a pipe, what is told besides on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from rewriter.calls import emit, printable

__all__ = ["count", "on_terminal", "say", "show_rows"]


def on_terminal() -> bool:
    """Is standard output a terminal?"""
    return sys.stdout is not None and sys.stdout.isatty()


def say(told: str) -> None:
    """A line on standard error."""
    print(f"rewriter: {printable(told)}", file=sys.stderr)


def count(number: int, what: str) -> str:
    """A number with its noun.

    >>> count(1, "finding"), count(0, "entry"), count(2, "entry")
    ('1 finding', 'no entries', '2 entries')
    """
    several = f"{what[:-1]}ies" if what.endswith("y") and what[-2:-1] not in "aeiou" else f"{what}s"
    return f"{number or 'no'} {what if number == 1 else several}"


def show_rows(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on a terminal, else a line a row, parted by tabs, without headers.  Control characters reach neither."""
    if not on_terminal():
        for row in rows:
            emit("\t".join(printable(cell) for cell in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, header in enumerate(headers):
        table.add_column(header, style=("cyan", "bold", "", "dim")[min(number, 3)], overflow="fold")
    for row in rows:
        table.add_row(*[Text(printable(cell)) for cell in row])
    console = Console(color_system=None if os.environ.get("NO_COLOR") else "auto")  # no bold or dim either, unlike `no_color`
    with console.capture() as captured:
        console.print(table)
    emit(captured.get(), end="")
