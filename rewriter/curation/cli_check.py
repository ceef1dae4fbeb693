"""`lint`, `test`, `stats`: what is wrong with lexicons, whether they do what they promise, and what they hold."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from rewriter.calls import emit, printable
from rewriter.curation.cli_common import Drafts, Json, Places, places_or_shipped, progress
from rewriter.errors import InputError
from rewriter.output import count, on_terminal, say, show_rows

__all__ = ["lint_lexicons", "show_stats", "test_lexicons"]


def lint_lexicons(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATHS]...", show_default=False, help="Files or folders; else the shipped ones.")
    ] = None,
    select: Annotated[
        str | None, typer.Option("--select", metavar="CODES", help="Report these codes only (`W4`: all that begin so), parted by commas.")
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Correct what is safe to correct in the files, and report the rest.")] = False,
    carets: Annotated[
        bool | None, typer.Option("--carets/--no-carets", help="Show each line and mark the place; on a terminal by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each finding.")] = False,
    sarif: Annotated[bool, typer.Option("--sarif", help="Print SARIF 2.1.0 for code hosts.")] = False,
) -> None:
    """Check lexicon files; the exit code is 1 where something is found."""
    from rewriter.curation.sarif import to_sarif
    from rewriter.curation.store import load_text
    from rewriter.io.lint import check_files
    from rewriter.lexicon.checks import CHECKS
    from rewriter.lexicon.pointing import caret_lines
    from rewriter.pack.files import lexicons_folder

    if as_json and sarif:
        raise InputError("--json and --sarif are two ways to print findings; give one of them.")
    codes = [code.strip().upper() for code in (select or "").split(",") if code.strip()]
    unknown = [code for code in codes if not any(known.startswith(code) for known, _ in CHECKS)]
    if unknown:
        raise InputError(f"--select names {unknown[0]!r}; the codes go from {CHECKS[0][0]} to {CHECKS[-1][0]}.")
    places = paths or [lexicons_folder()]
    if fix:
        _fix(places, codes)
    findings = check_files(places, codes)
    if sarif:
        emit(json.dumps(to_sarif(findings), indent=1))
    texts: dict[str, str] = {}
    for finding in findings if not sarif else ():
        if as_json:
            emit(json.dumps(dataclasses.asdict(finding), default=str))
            continue
        emit(printable(str(finding)))
        if on_terminal() if carets is None else carets:
            text = texts.setdefault(finding.file, "") or texts.setdefault(finding.file, load_text(Path(finding.file)))
            for line in caret_lines(finding, text or load_text(Path(finding.file))):
                emit(printable(line))
    say(count(len(findings), "finding"))
    if findings:
        raise typer.Exit(1)


def _fix(places: list[Path], codes: list[str]) -> None:
    """Correct file by file, each whole and under the lock of its lexicon, until nothing more can be corrected."""
    from rewriter.curation.fixes import FIXABLE, fix_text
    from rewriter.curation.store import hold, load_text, root_of, write_texts
    from rewriter.io.lint import check_files

    wanted = [code for code in FIXABLE if not codes or code.startswith(tuple(codes))]
    done = 0
    for place in places:
        with hold(root_of(place)):
            for _ in range(3):  # a correction may bring out another: a form in lower case, that the next one repeats
                found = [f for f in check_files([place], wanted) if f.code in wanted] if wanted else []
                texts = {}
                for file in dict.fromkeys(f.file for f in found):
                    text = load_text(Path(file))
                    made = fix_text(file, text, [f for f in found if f.file == file])
                    if made != text:
                        texts[Path(file)] = made
                if not texts:
                    break
                write_texts(texts)
                done += len(found)
            done -= len(found) if found and texts else 0
    say(f"corrected {count(max(done, 0), 'finding')}")


def test_lexicons(
    cases: Annotated[
        list[str] | None, typer.Argument(metavar="[CASES]...", show_default=False, help="Case files, TOML or JSONL; `-`: JSONL of stdin.")
    ] = None,
    lexicon: Places = None,
    drafts: Drafts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each case that fails.")] = False,
) -> None:
    """Run case files and the examples that entries carry; the exit code is 1 where one fails."""
    from rewriter import rewrite
    from rewriter.curation.cases import check_plan, examples_of, parse_cases
    from rewriter.curation.versions import items_at, layer_of, resources_of
    from rewriter.io.places import name_of, read_text

    places = places_or_shipped(lexicon)
    run = [case for place in cases or () for case in parse_cases(read_text(place), name_of(place))]
    unused = ("retired",) if drafts else ("draft", "retired")
    examples = examples_of(i for place in places for i in items_at(place) if str(i.fields.get("status", "")) not in unused)
    if not run and not examples:
        raise InputError("There is nothing to test: no case file is given and no entry has examples; give a file, or add examples.")
    resources = resources_of(layer_of(places, drafts=drafts))
    failed = 0
    for case in (*run, *examples):
        try:
            plan = rewrite(case.fields["query"], case.fields.get("context", ()), resources=resources)
        except (TypeError, ValueError) as error:
            raise InputError(f"{case.where}: {error}") from None
        failures = check_plan(plan, case.fields)
        if not failures:
            continue
        failed += 1
        if as_json:
            row = {"case": case.name, "where": case.where, "failures": failures, "queries": list(plan.queries)}
            emit(json.dumps(row, ensure_ascii=False))
        else:
            emit(printable(f"{case.where}: {case.name}"))
            for line in failures:
                emit(printable(f"    {line}"))
    say(f"{count(len(run), 'case')} and {count(len(examples), 'example')}, {failed or 'none'} failed")
    if failed:
        raise typer.Exit(1)


def show_stats(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATHS]...", show_default=False, help="Files or folders; else the lexicons in use.")
    ] = None,
    log: Annotated[str | None, typer.Option("--log", metavar="QUERIES", help="Tell how much of this query log the lexicons reach.")] = None,
    column: Annotated[str, typer.Option(help="Where the log has its queries.")] = "query",
    as_json: Json = False,
) -> None:
    """Count entries by kind, status, source, domain and language; with a log, what they do for its queries."""
    from rewriter.curation.logs import Columns, read_log
    from rewriter.curation.share import among_processes
    from rewriter.curation.stats import count_entries, count_reach
    from rewriter.curation.versions import items_at, layer_of, resources_of

    places = places_or_shipped(paths)
    tables = count_entries(i for place in places for i in items_at(place))
    reach = None
    if log is not None:
        resources = resources_of(layer_of(places))
        with progress("queries") as tell:
            reach = count_reach(read_log(log, Columns(query=column)), resources, progress=tell, share=among_processes)
    if as_json:
        emit(json.dumps({"entries": tables} | ({"reach": reach} if reach else {}), ensure_ascii=False))
        return
    show_rows(("about", "what", "entries"), [(name, value, str(n)) for name, table in tables.items() for value, n in table.items()])
    if reach:
        total = max(1, reach["queries"])
        rows = [("reach", "queries", str(reach["queries"]), "")]
        rows += [("reach", name, str(n), f"{100 * n / total:.1f} %") for name, n in reach["reached"].items()]
        rows += [("untranslated", word, str(n), f"{100 * n / total:.1f} %") for word, n in reach["untranslated"].items()]
        show_rows(("about", "what", "queries", "share"), rows)
