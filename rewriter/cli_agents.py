"""The commands for agents: the MCP server, a search in all variants, and the rules for a project."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from rewriter import Plan, Policy, load_resources, merge, rewrite
from rewriter.calls import emit, printable
from rewriter.context import ContextItem
from rewriter.errors import InputError
from rewriter.output import say, show_rows

__all__ = ["init_agent_rules", "search_variants", "serve_tools"]

Lexicons = Annotated[
    list[Path] | None, typer.Option("--lexicon", metavar="PATH", help="A lexicon file or folder to lay over the shipped ones.")
]


def search_variants(
    query: Annotated[str, typer.Argument(metavar="QUERY", show_default=False, help="The query.")],
    command: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="COMMAND",
            show_default=False,
            help="The search command: {query} is the text to search, without it standard input is; it prints results as JSON lines.",
        ),
    ],
    context: Annotated[
        list[str] | None, typer.Option("--context", "-c", metavar="TURN", help="A turn of the user before the query, oldest first.")
    ] = None,
    context_file: Annotated[
        str | None, typer.Option("--context-file", metavar="FILE", help="Turns before the query, JSON or JSONL; `-`: standard input.")
    ] = None,
    dossier: Annotated[Path, typer.Option("--dossier", metavar="FILE", help="The JSONL file that grows by this search.")] = Path(
        "dossier.jsonl"
    ),
    no_dossier: Annotated[bool, typer.Option("--no-dossier", help="Write no dossier.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each page.")] = False,
    limit: Annotated[int | None, typer.Option(metavar="N", min=0, help="Print only so many pages.")] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", min=0, help="Read only so many results of each variant.")] = None,
    max_variants: Annotated[int | None, typer.Option("--max-variants", metavar="N", min=1, help="Searches at most.")] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, max=32, help="Searches at a time.")] = 4,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="For each search.")] = 30.0,
    lexicon: Lexicons = None,
) -> None:
    """Search every variant of a query with a command, merge what they find, and write the dossier; 1 where a search failed."""
    from rich.console import Console
    from rich.progress import Progress

    from rewriter.dossier.entry import make_dossier
    from rewriter.io.dossier import append_dossier
    from rewriter.io.searches import Limits, read_command, run_searches
    from rewriter.io.turns import read_turn_file

    words = read_command(command)
    turns: tuple[ContextItem, ...] = (*(read_turn_file(context_file) if context_file is not None else ()), *(context or ()))
    policy = Policy() if max_variants is None else Policy(max_variants=max_variants)
    plan = rewrite(query, turns, resources=load_resources(*lexicon or ()), policy=policy)
    _report_question(plan)
    started = datetime.now(UTC)
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task("searching", total=len(plan.variants))
        searches = run_searches(plan.variants, words, Limits(jobs, timeout), lambda count: bar.update(task, completed=count))
    failures = {search.variant.text: search.failure for search in searches if search.failure}
    results = {search.variant.text: search.results for search in searches if not search.failure}
    for search in searches:
        for remark in search.remarks[:3]:
            say(f"{search.variant.text}: {remark}")
        if search.failure:
            say(f"{search.variant.text}: {search.failure}; the other searches count.")
    pages = merge(results, depth=depth)
    if not no_dossier:
        times = {"searched_at": started.isoformat(timespec="seconds"), "seconds": round(sum(search.seconds for search in searches), 3)}
        append_dossier(dossier, make_dossier(plan, results, context=turns, merged=pages, failures=failures, times=times, policy=policy))
    if as_json:
        for page in pages[:limit]:
            emit(json.dumps(page.to_dict()))
    else:
        show_rows(
            ("rank", "page", "title", "found by"),
            [(str(page.rank), page.url, page.title, "; ".join(page.variants)) for page in pages[:limit]],
        )
    count = sum(map(len, results.values()))
    kept = "" if no_dossier else f", kept in {dossier}"
    say(f"{len(results)} of {len(searches)} searches, {count} results, {len(pages)} pages{kept}.")
    if failures:
        raise typer.Exit(1)


def _report_question(plan: Plan) -> None:
    """The meaning is open: the searches cover each, and whoever reads along may say which is meant."""
    if plan.clarification is not None:
        say(f"{printable(plan.clarification.question)} Each meaning is searched; a turn (-c) that says which is meant narrows it.")


def serve_tools(
    http: Annotated[bool, typer.Option("--http", help="Streamable HTTP on this machine, instead of standard input and output.")] = False,
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen on, with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="The port, with --http; 0 takes a free one.")] = 8765,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", metavar="NAME:PORT", help="Another Host header to answer; repeat it.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None, typer.Option("--allow-origin", metavar="ORIGIN", help="Another Origin header to answer; repeat it.")
    ] = None,
    lexicon: Lexicons = None,
) -> None:
    """Serve the tools rewrite_query, merge_results and lookup_sense by the Model Context Protocol."""
    try:
        from rewriter.integrations.mcp import serve_http, serve_stdio
    except ImportError as error:
        raise InputError(str(error)) from None

    resources = load_resources(*lexicon or ())
    if http:
        serve_http(resources, host, port, allow_host or (), allow_origin or (), say)
    else:
        serve_stdio(resources)


def init_agent_rules(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", show_default=False, help="The project; else the current folder.")] = Path(),
    skills: Annotated[str, typer.Option(metavar="PATH", help="Where your agent looks for skills, below the folder.")] = ".agents/skills",
    language: Annotated[
        list[str] | None, typer.Option("--language", metavar="CODE", help="Of the paragraph: en or id; repeat it.", show_default="en")
    ] = None,
) -> None:
    """Write the skill rewrite-before-search and a paragraph in AGENTS.md into a project; nothing is overwritten."""
    from rewriter.integrations.project import init_agent

    done = init_agent(folder, skills, tuple(language or ("en",)))
    show_rows(("file", "done"), [(str(place), what) for place, what in done])
    if any(what == "kept" for _, what in done):
        say("what was there differs and stays; take it away to get the new one.")
