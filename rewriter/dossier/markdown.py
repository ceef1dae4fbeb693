"""The page as Markdown.  All text of queries, turns and results is data: nothing in it becomes markup, a link or an image."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.dossier.page import Block, Cell, Heading, Link, Rows
from rewriter.report import visible

__all__ = ["as_markdown"]

_MARKUP = re.compile(
    r"""  [\\`*\[\]<>|~$]            # 1. marks wherever they stand: code, emphasis, links, HTML, cells, strokes, formulas
        | (?<!\w)_ | _(?!\w)       # 2. emphasis, but not within a word
        | &(?=[#A-Za-z])           # 3. an entity would turn into its character
        | ^(?:[#+=-]|\d+(?=[.)]))  # 4. headings and lists at the start
    """,
    re.VERBOSE,
)


def as_markdown(blocks: Sequence[Block]) -> str:
    """The document, a final line end with it."""
    return "\n\n".join(_block(b) for b in blocks) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {escape(block.text)}"
    if isinstance(block, Rows):
        lines = [_line(block.headers), _line(["---"] * len(block.headers), raw=True), *[_line(row) for row in block.rows]]
        return "\n".join(lines)
    return escape(block.text)


def _line(cells: Sequence[Cell], raw: bool = False) -> str:
    return f"| {' | '.join(str(c) if raw else _cell(c) for c in cells)} |"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, Link):
        return escape(cell)
    title, url = escape(cell.text), escape(cell.url)
    return url if cell.text == cell.url else f"{title}<br>{url}"


def escape(text: str) -> str:
    r"""One line in which Markdown and HTML find no mark of the text's own.

    >>> escape("a|b <script> [x](javascript:1)"), escape("snake_case, 5-6 and _x_ &lt;"), escape("# C#")
    ('a\\|b \\<script\\> \\[x\\](javascript:1)', 'snake_case, 5-6 and \\_x\\_ \\&lt;', '\\# C#')
    """
    return _MARKUP.sub(lambda found: "\\" + found[0] if not found[0].isdigit() else found[0] + "\\", visible(text))
