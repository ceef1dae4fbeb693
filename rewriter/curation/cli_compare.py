"""`diff` and `preview`: what differs between two versions of a lexicon, and what that does to logged queries."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewriter.calls import emit, printable
from rewriter.curation.cli_common import Drafts, Json, progress
from rewriter.errors import InputError
from rewriter.output import count, say, show_rows

if TYPE_CHECKING:
    from rewriter.curation.preview import Preview

__all__ = ["diff_versions", "preview_change"]


def diff_versions(
    old: Annotated[str, typer.Argument(metavar="OLD", show_default=False, help="A lexicon, or REVISION:PATH of a git repository.")],
    new: Annotated[str, typer.Argument(metavar="NEW", show_default=False, help="The same, to compare with.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each entry.")] = False,
) -> None:
    """Tell which entries were added, removed, changed or retired, whatever file or order they stand in."""
    from rewriter.curation.diff import compare, show_change
    from rewriter.curation.versions import items_at, opened

    with opened(old) as before, opened(new) as after:
        changes = compare(items_at(before), items_at(after))
    for change in changes:
        if as_json:
            emit(json.dumps(change.to_dict(), ensure_ascii=False, default=str))
        else:
            emit("\n".join(map(printable, show_change(change))))
    told = ", ".join(f"{n} {what}" for what in ("added", "removed", "changed", "retired") if (n := sum(c.what == what for c in changes)))
    say(told or "no entry differs")


def preview_change(
    log: Annotated[str, typer.Option("--log", metavar="QUERIES", help="A log: JSONL, CSV, TSV, Parquet or text; `-`: stdin.")],
    new: Annotated[
        list[str] | None,
        typer.Argument(metavar="NEW...", show_default=False, help="Lexicons as they will be: files, folders, or REVISION:PATH of git."),
    ] = None,
    old: Annotated[
        list[str] | None,
        typer.Option("--old", metavar="OLD", help="As they are; else the shipped lexicons alone. Repeat it, as for NEW."),
    ] = None,
    cases: Annotated[list[str] | None, typer.Option("--cases", metavar="FILE", help="Case files that must not break. Repeat it.")] = None,
    column: Annotated[str, typer.Option(help="Where the log has its queries.")] = "query",
    drafts: Drafts = False,
    as_json: Json = False,
    html: Annotated[str | None, typer.Option("--html", metavar="PAGE", help="Write a page to hand round.")] = None,
) -> None:
    """Show what a change of the lexicons does to the plans of logged queries; the exit code is 1 where cases break."""
    from rewriter.curation.cases import examples_of, parse_cases
    from rewriter.curation.logs import Columns, read_log
    from rewriter.curation.page import to_page
    from rewriter.curation.preview import preview_log
    from rewriter.curation.share import among_processes
    from rewriter.curation.versions import changed_entries, items_at, layer_of, opened, resources_of
    from rewriter.io.places import name_of, read_text
    from rewriter.pack.store import write_whole

    if not new:
        raise InputError("There is nothing to preview; give the new lexicon: a file, a folder, or REVISION:PATH of a git repository.")
    found = [case for place in cases or () for case in parse_cases(read_text(place), name_of(place))]
    with contextlib.ExitStack() as stack:
        after = [stack.enter_context(opened(spec)) for spec in new]
        before = [stack.enter_context(opened(spec)) for spec in old or ()]
        layers = [layer_of(places, drafts=drafts) for places in (before, after)]
        found += examples_of(i for place in after for i in items_at(place))
    changes = changed_entries(*layers)
    with progress("queries") as tell:
        was, now = map(resources_of, layers)
        shown = preview_log(read_log(log, Columns(query=column)), found, was, now, changes, progress=tell, share=among_processes)
    if html is not None:
        write_whole(Path(html), to_page(shown, f"Preview of {', '.join(new)}").encode())
    if as_json:
        emit(json.dumps(shown.to_dict(), ensure_ascii=False))
    else:
        _show_preview(shown)
    newly = sum(c.asks == "newly" for c in shown.changed)
    gone = sum(c.asks == "no longer" for c in shown.changed)
    broken = sum(not r.fixed for r in shown.regressions)
    say(
        f"{count(len(changes), 'entry')} changed, {count(shown.queries, 'query')}, {count(len(shown.changed), 'plan')} changed, "
        f"{newly} newly asked, {gone} no longer, {broken} of {shown.cases} cases broken"
    )
    if broken:
        raise typer.Exit(1)


def _show_preview(shown: Preview) -> None:
    from rewriter.curation.preview import name_of_key

    rows: list[tuple[str, ...]] = []
    for key, group in shown.by_entry().items():
        name = name_of_key(key)
        for change in group:
            was, now = [[f"{v.pattern}: {v.text}" for v in plan.variants] for plan in (change.before, change.after)]
            gone, come = [v for v in was if v not in now], [v for v in now if v not in was]
            asks = f"asked {change.asks}" if change.asks else ""
            rows.append((name, change.query, str(change.count), "; ".join(gone), "; ".join(come), asks))
        if not group:
            rows.append((name, "no plan changes", "", "", "", ""))
    if rows:
        show_rows(("entry", "query", "times", "before", "after", ""), rows)
    for regression in shown.regressions:
        emit(printable(f"{'fixed' if regression.fixed else 'broken'}: {regression.name} ({regression.where})"))
        for line in regression.failures:
            emit(printable(f"    {line}"))
