"""What a command shows: rows on a terminal or in a pipe, and remarks on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from rewriter.calls import emit, printable

__all__ = ["on_terminal", "say", "show_rows"]


def on_terminal() -> bool:
    """Whether a person reads standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


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


def say(told: str) -> None:
    """A remark on standard error."""
    print(f"rewriter: {printable(told)}", file=sys.stderr)
