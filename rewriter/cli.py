"""The full command line.  Each command is one library call; around it stand only the reading of arguments and the showing of results.

Nothing but the modules of commands prints.  On a terminal results are tables, in a pipe one line a row, columns parted by tabs.
Whatever is refused becomes one sentence on standard error (`rewriter.command.main`).
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewriter import Plan, Policy, Resources, Turn, __version__, load_resources
from rewriter.calls import Call, emit, make_plans, named_lexicons, printable, report_error
from rewriter.cli_agents import init_agent_rules, search_variants, serve_tools
from rewriter.cli_batch import rewrite_file
from rewriter.cli_results import dossier_app, merge_results
from rewriter.errors import InputError, LexiconError, PackError
from rewriter.lexicon.entries import Sense
from rewriter.output import on_terminal, say, show_rows
from rewriter.pack.collector import calm_collector
from rewriter.report import purpose_of

if TYPE_CHECKING:
    from rewriter.lexicon.learn import Reader
    from rewriter.pack.open import Pack

__all__ = ["app", "full_app", "run"]

app = typer.Typer(
    help="Rewrite short Indonesian and English queries as the searches worth running.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
lexicon_app = typer.Typer(help="Compile, check and read the lexicons.", rich_markup_mode=None)
app.add_typer(lexicon_app, name="lexicon")
app.command("batch")(rewrite_file)
app.add_typer(dossier_app, name="dossier")
app.command("merge")(merge_results)
app.command("search")(search_variants)
app.command("mcp")(serve_tools)
app.command("init-agent")(init_agent_rules)

_OF_CURATORS = frozenset({"filelock", "nltk", "openpyxl", "rapidfuzz", "rdflib", "tomlkit"})
"""Libraries of the extra `curate` that commands load when they need them."""
_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[2]
"""`ClickException`, which typer exports only by its leaves."""

Lexicons = Annotated[
    list[Path] | None, typer.Option("--lexicon", metavar="PATH", help="A lexicon file or folder to lay over the shipped ones.")
]


def full_app() -> typer.Typer:
    """All commands: those of curators are added when somebody asks for more than a rewrite."""
    from rewriter.curation.commands import register

    register(lexicon_app)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; errors other than wrong usage go to the caller."""
    if list(arguments[:1]) == ["lexicon"]:
        calm_collector()
    try:
        wanted = app if list(arguments[:1]) in (["rewrite"], ["translate"]) else full_app()
        outcome = wanted(list(arguments), prog_name="rewriter", standalone_mode=False)
    except SystemExit as stop:  # typer's own end: a completion script was printed, or nobody reads our output any more
        return 0 if isinstance(stop.__context__, BrokenPipeError) else int(stop.code or 0)
    except typer.Abort:
        return 130
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _OF_CURATORS:
            raise
        told = f"This command needs {error.name}, which is not installed; run `pip install 'rewriter[curate]'`."
        return report_error(InputError(told))
    except _USAGE_ERROR as error:
        return report_error(InputError(_usage_sentence(error)))
    return outcome if isinstance(outcome, int) else 0


def _usage_sentence(error: Exception) -> str:
    message = " ".join(error.format_message().split()).rstrip(".")  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    return f"{message}; see `{context.command_path if context else 'rewriter'} --help`."


def _print_version(asked: bool) -> None:
    if asked:
        emit(f"rewriter {__version__}")
        raise typer.Exit


@app.callback()
def read_global_options(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")] = False,
) -> None:
    """Options before the command."""


@app.command("rewrite")
def rewrite_query(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", show_default=False, help="The query; `-` reads standard input, one query a line.")
    ],
    context: Annotated[
        list[str] | None, typer.Option("--context", "-c", metavar="TURN", help="A turn of the user before the query, oldest first.")
    ] = None,
    context_file: Annotated[
        str | None, typer.Option("--context-file", metavar="FILE", help="Turns before the query, JSON or JSONL; `-`: standard input.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the plan as a line of JSON.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Print what was found, what decided, and what is absent.")] = False,
    no_ask: Annotated[bool, typer.Option("--no-ask", help="Never ask back; the searches still cover each meaning.")] = False,
    max_variants: Annotated[int | None, typer.Option("--max-variants", metavar="N", min=1, help="Searches at most.")] = None,
    lexicon: Lexicons = None,
) -> None:
    """Rewrite a query as the searches worth running, or ask back."""
    if as_json and explain:
        raise InputError("--json and --explain are two ways to print one plan; give one of them.")
    call = Call(query, tuple(context or ()), context_file, not no_ask, max_variants)
    for number, plan in enumerate(make_plans(call, _resources(lexicon))):
        if as_json:
            emit(plan.to_json())
            continue
        if number:
            emit("")
        if explain:
            emit("\n".join(printable(line) for line in plan.explain().split("\n")))
        else:
            _show_plan(plan)


def _resources(lexicons: Sequence[Path] | None) -> Resources:
    return load_resources(*named_lexicons(lexicons or ()))


def _show_plan(plan: Plan) -> None:
    """The searches; on a terminal also what each is for, and the question to ask back."""
    if not on_terminal():
        show_rows(("pattern", "text"), [(v.pattern, v.text) for v in plan.variants])
        return
    if plan.clarification:
        emit(printable(plan.clarification.question))
        show_rows(("meaning", "search"), [(o.label, o.query) for o in plan.clarification.options])
        emit("")
    show_rows(("pattern", "text", "what it is for"), [(v.pattern, v.text, purpose_of(v.pattern, plan.to_dict())) for v in plan.variants])


@app.command("translate")
def fill_translations(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", show_default=False, help="Queries: text, JSONL, CSV; `-`: stdin.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="MEMORY", show_default=False, help="The memory, a JSONL file.")],
    backend: Annotated[str, typer.Option(help="A service of deep-translator (google, mymemory, libre ...), or a module:Class.")] = "google",
    source: Annotated[str, typer.Option(help="The language of the queries.")] = "id",
    target: Annotated[str, typer.Option(help="The kind of English to write.")] = "en",
    rate: Annotated[str, typer.Option(help="Requests by time at most: 2/s, 30/min, 1000/h.")] = "2/s",
    retries: Annotated[int, typer.Option(min=0, help="Tries after a failed one, each after a longer pause.")] = 5,
    column: Annotated[str, typer.Option(help="Where a CSV or JSONL file has its queries.")] = "query",
    merge: Annotated[bool, typer.Option("--merge", help="Translate nothing: the inputs are memories, put them into one.")] = False,
) -> None:
    """Fill a translation memory through a translation service; no other command calls one."""
    from rich.console import Console
    from rich.progress import Progress

    from rewriter.io.memory import merge_memories
    from rewriter.io.translator import Job, fill_memory

    if merge:
        entries, conflicts, broken = merge_memories(inputs, output, say)
        say(f"{output}: {entries} translations, {conflicts} conflicts, {broken} broken lines.")
    elif len(inputs) > 1:
        raise InputError(f"{inputs[1]!r} is a second input; give one at a time, or --merge to put memories together.")
    else:
        job = Job(inputs[0], Path(output), backend, source, target, rate, retries, column)
        with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
            task = bar.add_task("translating", total=None)
            outcome = fill_memory(job, _resources(None), say, lambda done, total: bar.update(task, completed=done, total=total))
        say(f"{output}: {outcome}.")
        broken = outcome.refused + outcome.broken
    if broken:
        raise typer.Exit(1)


@lexicon_app.command("compile")
def compile_lexicons(
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="Compile this lexicon folder instead of the shipped lexicons.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="OUT", help="Write the pack here (`-`: standard output), not into the cache.")
    ] = None,
    about: Annotated[bool, typer.Option("--about", help="Print what the pack is made from: sources, versions, licences.")] = False,
    check: Annotated[Path | None, typer.Option("--check", metavar="PACK", help="Compile nothing; verify this pack's checksums.")] = None,
) -> None:
    """Compile lexicons into a language pack and print where it is."""
    from rewriter.pack.checkout import checkout_key, compile_kept
    from rewriter.pack.files import compile_folder, lexicons_folder
    from rewriter.pack.load import default_resources
    from rewriter.pack.mapped import map_pack
    from rewriter.pack.sources import library_versions
    from rewriter.pack.store import obtain_pack, write_atomic

    if check is not None and (folder or output):
        raise InputError("--check reads a pack and compiles none; leave --folder and --output out.")
    if folder is not None and not (folder / "domains.toml").is_file():
        raise LexiconError(f"{folder} is no lexicon folder: it has no domains.toml; give a folder like the shipped one.")
    if check is not None:
        pack = map_pack(check)
        _verify(pack)
    elif output is not None:
        data = compile_folder(folder or lexicons_folder(), _say_progress)
        _say_progress("")
        if output == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        write_atomic(Path(output), data)
        pack = map_pack(Path(output))
    elif folder is not None:
        versions = library_versions()
        pack = obtain_pack(checkout_key(folder, versions), lambda: compile_kept(folder, versions, _say_progress))
        _say_progress("")
    else:
        pack = default_resources().pack
    size = f"{Path(pack.where).stat().st_size // 1024} KiB" if Path(pack.where).is_file() else "in memory"
    print(f"rewriter: {pack.contents['entries']} entries, {size}, lex:{pack.lexicon_hash}, pack:{pack.pack_hash}", file=sys.stderr)
    if about:
        rows = [(s["name"], s["version"] or __version__, s["licence"], s["what"]) for s in pack.contents["sources"]]
        show_rows(("source", "version", "licence", "what is taken from it"), rows)
    else:
        emit(printable(pack.where))


def _say_progress(what: str) -> None:
    """One line on a terminal that overwrites itself; nothing in a log."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r{f'rewriter: compiling, {what}' if what else '':<70}", end="" if what else "\r", file=sys.stderr, flush=True)


def _verify(pack: Pack) -> None:
    """Checksums of all sections, also of the large ones that opening a pack does not read."""
    for name, (_, _, expected) in sorted(pack.contents["sections"].items()):
        if zlib.crc32(pack.read_section(name)) != expected:
            raise PackError(f"{pack.where} is damaged in section {name!r}; compile it again.")


@lexicon_app.command("learn-cues")
def learn_sense_cues(
    examples: Annotated[
        str, typer.Argument(metavar="EXAMPLES", show_default=False, help="JSONL rows: form or query, context, sense; `-`: stdin.")
    ],
    lexicon: Lexicons = None,
    min_count: Annotated[int, typer.Option(min=1, help="Examples of the sense that hold a cue, at least.")] = 2,
    min_weight: Annotated[int, typer.Option(min=1, help="Weight of a cue in hundredths of a nat, at least.")] = 50,
    max_cues: Annotated[int, typer.Option(min=0, help="Cues of a sense at most, with those it has that the examples confirm.")] = 25,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each sense.")] = False,
    apply: Annotated[
        Path | None, typer.Option("--apply", metavar="FILE", help="Write cues and weights into the tables of this TOML file.")
    ] = None,
) -> None:
    """Propose cues with weights from labelled examples; the exit code is 1 where rows were left out."""
    from rewriter.io.places import name_of, read_text
    from rewriter.lexicon.learn import Options, learn_cues, read_examples, show_lesson, write_cues
    from rewriter.pack.store import write_whole

    if apply is not None and (apply.suffix != ".toml" or not apply.is_file()):
        raise InputError(f"--apply names {apply}, which is no TOML file; name the file whose tables are to be written.")
    reader = _reader_of(_resources(list(dict.fromkeys([*(lexicon or ()), *((apply,) if apply else ())]))))
    found, left_out = read_examples(read_text(examples), reader)
    lessons, more = learn_cues(found, reader, Options(min_count, min_weight, max_cues))
    for lesson in lessons:
        emit(json.dumps(lesson.to_dict()) if as_json else "\n".join(map(printable, show_lesson(lesson))))
    left_out = sorted([*left_out, *more], key=lambda item: (item.line, item.why))
    for item in left_out:
        say(f"{name_of(examples)}:{item.line}: {item.why}")
    if apply is not None:
        news = [lesson for lesson in lessons if lesson.added or lesson.changed]
        text, written = write_cues(read_text(str(apply)), news, str(apply))
        if written:
            write_whole(apply, text.encode())
        absent = [f"[{lesson.sense}]" for lesson in news if lesson.sense not in written]
        say(f"{apply}: {len(written)} senses written{'; it has no table for ' if absent else ''}{', '.join(absent)}.")
    rows = sum(item.rows for item in left_out)
    say(f"{len(lessons)} senses from {sum(lesson.examples for lesson in lessons)} rows, {rows} rows left out.")
    if rows:
        raise typer.Exit(1)


def _reader_of(resources: Resources) -> Reader:
    """Words, keys and turns as a rewrite with these resources reads them."""
    from rewriter.context import keys_of, read_conversation, read_turns
    from rewriter.lexicon.learn import Reader

    return Reader(
        words=lambda text: read_conversation((Turn("user", text),), resources).facts[0].line.split(),
        keys=lambda word: keys_of(word, resources),
        stem=resources.stem,
        senses=lambda form: [e for e in resources.exact(form) if isinstance(e, Sense)],
        turns=lambda context, query: [turn.content for turn in read_turns(context, query, Policy())],
    )
