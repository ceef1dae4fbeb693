"""`import` and `export`: lexicons from and into other formats."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewriter.calls import emit
from rewriter.curation.cli_common import Json, places_or_shipped
from rewriter.errors import InputError
from rewriter.output import count, say, show_rows

if TYPE_CHECKING:
    from rewriter.curation.imports import Plan

__all__ = ["export_lexicons", "import_file"]

Format = Annotated[
    str | None, typer.Option("--format", help="csv, tsv, xlsx, jsonl, solr, querqy, skos or review; else by the file's ending.")
]
Language = Annotated[str, typer.Option("--language", help="id or en: the side that formats with one side hold (solr, querqy).")]


def import_file(
    file: Annotated[
        str, typer.Argument(metavar="FILE", show_default=False, help="The file to import; `-`: standard input, with --format.")
    ],
    into: Annotated[Path, typer.Option("--into", metavar="PATH", help="A lexicon file, or a folder: then each kind goes to its file.")],
    format: Format = None,
    language: Language = "id",
    source: Annotated[str, typer.Option("--source", show_default=False, help="Where it comes from; else the file's name.")] = "",
    licence: Annotated[str, typer.Option("--licence", show_default=False, help="Under which licence.")] = "",
    domain: Annotated[str, typer.Option("--domain", show_default=False, help="For entries that have none.")] = "",
    status: Annotated[str, typer.Option("--status", help="For entries that have none.")] = "draft",
    update: Annotated[bool, typer.Option("--update", help="Also write what the file says otherwise than the lexicon.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Write; without it the import is only shown.")] = False,
    as_json: Json = False,
) -> None:
    """Show what an import would add, change and refuse, and with --apply write it; the exit code is 1 where rows are refused."""
    from rewriter.curation.exchange.exchanged import Options
    from rewriter.curation.exchange.formats import format_of, read_rows
    from rewriter.curation.guard import collect
    from rewriter.curation.imports import Defaults, plan_import
    from rewriter.curation.store import hold, load_text, root_of, write_texts
    from rewriter.io.places import name_of, read_bytes

    _check_language(language)
    name = format_of(file, format)
    stem = Path(file).name.split(".")[0] if file != "-" else "import"
    reads = read_rows(read_bytes(file), Options(name, name_of(file), language))
    root = into if not into.suffix and not into.exists() else root_of(into)
    own = name == "review"  # what people here decided about is theirs
    given = Defaults(source or ("curated" if own else stem), licence, status, domain)
    with hold(root):
        before = collect(root)
        texts = {f: load_text(Path(f)) for f in dict.fromkeys([*(i.file for i in before.items), *_targets(into)])}
        plan = plan_import(reads, before, into, stem, given, texts, update=update)
        if apply:
            write_texts({Path(f): text for f, text in plan.texts.items()})
    _show_plan(plan, as_json, update=update)
    counts = plan.counts()
    told = ", ".join(f"{n} {'unchanged' if verdict == 'same' else verdict}" for verdict, n in counts.items())
    left = "" if update or not counts["changed"] else " (changes are written with --update)"
    say(f"{told}{left}; {'written' if apply and plan.texts else 'nothing was written' + ('' if apply else '; --apply writes')}")
    if counts["rejected"] or counts["conflict"]:
        raise typer.Exit(1)


def _targets(into: Path) -> list[str]:
    """Files that the import may write and that exist."""
    if into.suffix:
        return [into.as_posix()]
    return [f.as_posix() for f in sorted(into.rglob("*")) if f.suffix in (".toml", ".tsv", ".jsonl")] if into.is_dir() else []


def _show_plan(plan: Plan, as_json: bool, *, update: bool) -> None:
    rows = []
    for one in plan.rows:
        verdict = "not written" if one.verdict == "changed" and not update else one.verdict
        why = "; ".join([*([one.why] if one.why else []), *one.notes])
        if as_json:
            row = {"place": one.place, "verdict": verdict, "entry": one.entry, "why": why, "file": one.file}
            emit(json.dumps(row, ensure_ascii=False))
        elif verdict not in ("same", "undecided"):
            rows.append((verdict, one.entry, why or one.file, one.place))
    if rows:
        show_rows(("", "entry", "why or where", "row"), rows)


def export_lexicons(
    output: Annotated[
        str, typer.Argument(metavar="OUT", show_default=False, help="The file to write; `-`: standard output, with --format.")
    ],
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATHS]...", show_default=False, help="Files or folders; else the lexicons in use.")
    ] = None,
    format: Format = None,
    language: Language = "id",
    kind: Annotated[
        list[str] | None, typer.Option("--kind", help="sense, idiom, jargon, translation, slang-id, slang-en; repeat it.")
    ] = None,
    domain: Annotated[str, typer.Option("--domain", show_default=False, help="Only entries at or below this domain.")] = "",
    status: Annotated[str, typer.Option("--status", show_default=False, help="Only entries with this status.")] = "",
) -> None:
    """Write entries in another format, and say what the format cannot hold."""
    from rewriter.curation.exchange.exchanged import Options
    from rewriter.curation.exchange.formats import format_of, write_rows
    from rewriter.curation.exchange.review import decided
    from rewriter.curation.near import filter_items
    from rewriter.curation.rows import KINDS, in_full, row_of
    from rewriter.curation.versions import items_at
    from rewriter.io.places import read_text
    from rewriter.pack.store import write_whole

    _check_language(language)
    unknown = [k for k in kind or () if k not in KINDS]
    if unknown:
        raise InputError(f"--kind names {unknown[0]!r}; known are {', '.join(KINDS)}.")
    name = format_of(output, format)
    if name == "review" and output != "-" and Path(output).exists() and decided(read_text(output), output):
        raise InputError(f"{output} holds decisions, which an export would write over; name another file.")
    items = filter_items((i for p in places_or_shipped(paths) for i in items_at(p)), status=status, domain=domain)
    rows = [in_full(row) for row in map(row_of, items) if not kind or row.kind in kind]  # elsewhere nobody knows what is left out here
    if name in ("solr", "querqy") and not status:
        used = [row for row in rows if row.fields.get("status", "reviewed") == "reviewed"]
        if len(used) < len(rows):
            say(f"{count(len(rows) - len(used), 'entry')} that are drafts or retired were left out; --status exports them")
        rows = used
    data, told = write_rows(rows, Options(name, output, language))
    if output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_whole(Path(output), data)
    for sentence in told:
        say(sentence)
    say(f"{count(len(rows), 'entry')} written as {name}")


def _check_language(language: str) -> None:
    if language not in ("id", "en"):
        raise InputError(f"--language is {language!r}; give id or en.")
