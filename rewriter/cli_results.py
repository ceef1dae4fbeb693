"""The commands about what the searches found: the union of results, and dossiers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from rewriter.calls import emit
from rewriter.errors import InputError
from rewriter.output import on_terminal, say, show_rows

__all__ = ["dossier_app", "merge_results"]

dossier_app = typer.Typer(help="Keep, read and compare what was asked, searched and found.", rich_markup_mode=None)

Context = Annotated[list[str] | None, typer.Option("--context", "-c", metavar="TURN", help="A turn that the plan was given, oldest first.")]
ContextFile = Annotated[str | None, typer.Option("--context-file", metavar="FILE", help="Turns that the plan was given, JSON or JSONL.")]
At = Annotated[int | None, typer.Option("--at", metavar="N", help="Its number in the file: 1 the first, -1 the last.", show_default="-1")]
Query = Annotated[str | None, typer.Option("--query", metavar="QUERY", help="Only dossiers of this query count.")]


def merge_results(
    results: Annotated[str, typer.Argument(metavar="RESULTS", show_default=False, help="JSONL: variant, url, rank, title …; `-`: stdin.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each page, with all that was folded into it.")] = False,
    k: Annotated[int, typer.Option("-k", min=0, help="Damps high ranks: a list gives a page 1 / (k + rank).")] = 60,
    depth: Annotated[int | None, typer.Option(metavar="N", min=0, help="Read only so many results of each variant.")] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=0, help="Print only so many pages.")] = None,
) -> None:
    """Merge what the variants found into one list of pages."""
    from rewriter import merge
    from rewriter.io.results import read_result_file

    found = read_result_file(results)
    pages = merge(found, k=k, depth=depth, limit=limit)
    if as_json:
        for page in pages:
            emit(json.dumps(page.to_dict(), ensure_ascii=True))
        return
    rows = []
    for page in pages:
        best: dict[str, int] = {}
        for source in page.sources:
            best.setdefault(source.variant, source.rank)
        rows.append((str(page.rank), page.url, page.title, "; ".join(f"{v} ({rank})" for v, rank in best.items()), " ".join(page.folded)))
    show_rows(("rank", "page", "title", "found by (rank)", "folded into it"), rows)
    if on_terminal():
        say(f"{sum(map(len, found.values()))} results of {len(found)} searches, {len(pages)} pages.")


@dossier_app.command("write")
def write_dossier(
    dossier: Annotated[Path, typer.Argument(metavar="DOSSIER", show_default=False, help="The JSONL file that grows by a line.")],
    plan: Annotated[str, typer.Option("--plan", metavar="PLAN", help="What `rewriter rewrite --json` printed; `-`: stdin.")],
    results: Annotated[str, typer.Option("--results", metavar="RESULTS", help="What the searches found, as for `rewriter merge`.")],
    context: Context = None,
    context_file: ContextFile = None,
    time: Annotated[list[str] | None, typer.Option("--time", metavar="NAME=VALUE", help="A time that you measured; repeat it.")] = None,
    failed: Annotated[list[str] | None, typer.Option("--failed", metavar="VARIANT=WHY", help="A search that failed; repeat it.")] = None,
) -> None:
    """Append a plan, its results and their union to a dossier file."""
    from rewriter.context import ContextItem
    from rewriter.dossier.entry import make_dossier
    from rewriter.io.dossier import append_dossier, read_plan
    from rewriter.io.results import read_result_file
    from rewriter.io.turns import read_turn_file

    if [plan, results, context_file].count("-") > 1:
        raise InputError("Standard input can be only one of --plan, --results and --context-file; give the others as files.")
    turns: tuple[ContextItem, ...] = read_turn_file(context_file) if context_file is not None else ()
    entry = make_dossier(
        read_plan(plan), read_result_file(results), context=(*turns, *(context or ())),
        times=dict(_pair(item, "--time", first=True) for item in time or ()),
        failures=dict(_pair(item, "--failed", first=False) for item in failed or ()),
    )  # fmt: skip
    append_dossier(dossier, entry)
    say(f"{dossier}: {len(entry.results)} searches, {len(entry.merged)} pages.")


def _pair(item: str, option: str, first: bool) -> tuple[str, str]:
    """Name and value about an `=`: the first one, or the last, since a query may hold one."""
    name, equals, value = item.partition("=") if first else item.rpartition("=")
    if not equals or not name.strip():
        raise InputError(f"{option} was given {item!r}; write a name, `=`, and what to record of it.")
    return name, value


@dossier_app.command("list")
def list_dossiers(
    dossier: Annotated[str, typer.Argument(metavar="DOSSIER", show_default=False, help="A JSONL file of dossiers; `-`: stdin.")],
) -> None:
    """List the dossiers of a file: number, times, query, searches, pages, and what to inspect first."""
    from rewriter.dossier.findings import inspect
    from rewriter.io.dossier import read_dossiers

    rows, damaged = [], 0
    for number, entry in enumerate(read_dossiers(dossier), 1):
        if isinstance(entry, InputError):
            damaged += 1
            say(str(entry))
            rows.append((str(number), "", "", "", "", "damaged"))
            continue
        found = inspect(entry)
        times = " ".join(f"{name}={value}" for name, value in entry.times.items())
        first = found[0].code if found else ""
        rows.append((str(number), times, entry.plan.query, str(len(entry.results)), str(len(entry.merged)), first))
    show_rows(("number", "times", "query", "searches", "pages", "inspect first"), rows)
    if damaged:
        raise typer.Exit(1)


@dossier_app.command("show")
def show_dossier(
    dossier: Annotated[str, typer.Argument(metavar="DOSSIER", show_default=False, help="A JSONL file of dossiers; `-`: stdin.")],
    at: At = None,
    query: Query = None,
    html: Annotated[bool, typer.Option("--html", help="One HTML file that loads nothing, instead of Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The dossier itself, as its line of JSON.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="OUT", help="Write the page here.")] = None,
) -> None:
    """Show a dossier as a page that begins with what to inspect first."""
    from rewriter.dossier.html import as_html
    from rewriter.dossier.markdown import as_markdown
    from rewriter.dossier.page import write_page
    from rewriter.io.dossier import pick_dossier
    from rewriter.pack.store import write_atomic

    if html and as_json:
        raise InputError("--html and --json are two ways to show one dossier; give one of them.")
    entry = pick_dossier(dossier, at, query)
    text = entry.to_json() + "\n" if as_json else (as_html if html else as_markdown)(write_page(entry))
    if output is None:
        emit(text, end="")
    else:
        write_atomic(output, text.encode())
        say(f"{output} is written.")


@dossier_app.command("diff")
def diff_dossiers(
    old: Annotated[str, typer.Argument(metavar="OLD", show_default=False, help="A JSONL file of dossiers.")],
    new: Annotated[
        str | None, typer.Argument(metavar="[NEW]", show_default=False, help="Another; else the last two of OLD are compared.")
    ] = None,
    query: Query = None,
    old_at: Annotated[int | None, typer.Option("--old-at", metavar="N", help="Number of the old one in its file.")] = None,
    new_at: Annotated[int | None, typer.Option("--new-at", metavar="N", help="Number of the new one in its file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each difference.")] = False,
) -> None:
    """Say what differs between two dossiers, causes first; the exit code is 1 where something does."""
    from rewriter.dossier.diff import compare
    from rewriter.io.dossier import pick_dossier

    if "-" in (old, new):
        raise InputError("`rewriter dossier diff` reads two places of a file and cannot read standard input; give a file.")
    before = pick_dossier(old, -2 if old_at is None and new is None else old_at, query)
    after = pick_dossier(old if new is None else new, new_at, query)
    changes = compare(before, after)
    if as_json:
        for change in changes:
            emit(json.dumps({"about": change.about, "before": change.before, "after": change.after}))
    else:
        show_rows(("what", "before", "after"), [(c.about, c.before or "–", c.after or "–") for c in changes])
    say(f"{len(changes) or 'no'} difference{'' if len(changes) == 1 else 's'}.")
    if changes:
        raise typer.Exit(1)
