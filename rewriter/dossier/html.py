"""The page as one HTML file: no script, nothing loaded, links only to web addresses."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rewriter.dossier.page import Block, Cell, Heading, Link, Rows
from rewriter.report import visible

__all__ = ["as_html"]

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a browser may do with the file: show it."""
STYLE = """
:root { color-scheme: light dark; --line: #8884; --quiet: #777; --strong: #0b6; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; }
th { color: var(--quiet); font-weight: 500; } tr + tr td { border-top: 1px solid var(--line); } td { overflow-wrap: anywhere; }
td:last-child { color: var(--quiet); } small { color: var(--quiet); display: block; }
"""


def as_html(blocks: Sequence[Block]) -> str:
    """The document; its title is the first heading."""
    title = next((b.text for b in blocks if isinstance(b, Heading)), "Dossier")
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    )
    return head + "\n".join(_block(b) for b in blocks) + "\n</body>\n</html>\n"


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{_text(block.text)}</h{block.level}>"
    if isinstance(block, Rows):
        header = "".join(f"<th>{_text(h)}</th>" for h in block.headers)
        body = "\n".join("<tr>" + "".join(f"<td>{_cell(c)}</td>" for c in row) + "</tr>" for row in block.rows)
        return f"<table>\n<tr>{header}</tr>\n{body}\n</table>" if any(block.headers) else f"<table>\n{body}\n</table>"
    return f"<p>{_text(block.text)}</p>"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, Link):
        return _text(cell)
    address = cell.url.strip()
    if not address[:8].lower().startswith(("http://", "https://")):
        return f"{_text(cell.text)}<small>{_text(cell.url)}</small>"
    link = f'<a href="{escape(visible(address))}" rel="noopener noreferrer nofollow">{_text(cell.text)}</a>'
    return link if cell.text == cell.url else f"{link}<small>{_text(cell.url)}</small>"


def _text(text: str) -> str:
    return escape(visible(text))
