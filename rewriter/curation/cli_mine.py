"""`mine` and `suggest`: candidates from query logs and from WordNet, for people to decide about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rewriter import load_resources
from rewriter.calls import emit, named_lexicons
from rewriter.curation.cli_common import progress
from rewriter.errors import InputError
from rewriter.output import count, say, show_rows

if TYPE_CHECKING:
    from rewriter.curation.rows import Row

__all__ = ["mine_queries", "suggest_for_form"]

_HEAD = (
    'Candidates from {source}.  Write accept or reject as each decision, and complete what is accepted ("" is to be filled in).\n'
    "Then: rewriter lexicon import {output} --into LEXICON"
)
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="REVIEW", help="Write a review file (TOML) to decide in.")]
Lexicons = Annotated[
    list[Path] | None, typer.Option("--lexicon", metavar="PATH", help="A lexicon file or folder to lay over the shipped ones.")
]


def mine_queries(
    log: Annotated[str, typer.Argument(metavar="QUERIES", show_default=False, help="A log: JSONL, CSV, TSV, Parquet or text; `-`: stdin.")],
    output: Output = None,
    group: Annotated[list[str] | None, typer.Option("--group", help="nicknames, phrases, slang, untranslated, lay; repeat it.")] = None,
    min_count: Annotated[int, typer.Option(min=1, help="How often it was typed, at least.")] = 5,
    measure: Annotated[
        str, typer.Option(help="How words keep company: likelihood_ratio, pmi, student_t, chi_sq, poisson_stirling.")
    ] = "likelihood_ratio",
    top: Annotated[int, typer.Option(min=1, help="Candidates of a group, at most.")] = 100,
    column: Annotated[str, typer.Option(help="Where the log has its queries.")] = "query",
    session: Annotated[str, typer.Option(help="Where the log has its sessions.")] = "session",
    count_column: Annotated[str, typer.Option(help="Where the log has how often a query was typed.")] = "count",
    lexicon: Lexicons = None,
    seen: Annotated[
        list[str] | None, typer.Option("--seen", metavar="REVIEW", help="Leave out what is decided in this review file. Repeat it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each candidate.")] = False,
) -> None:
    """Find nicknames, phrases, slang, untranslated words and lay terms in a query log; nothing is added unreviewed."""
    from rewriter.curation.exchange.review import decided
    from rewriter.curation.logs import Columns, read_log
    from rewriter.curation.mine import GROUPS, Options, mine_log, to_rows
    from rewriter.curation.versions import whole_resources
    from rewriter.io.places import read_text

    unknown = [g for g in group or () if g not in GROUPS]
    if unknown:
        raise InputError(f"--group names {unknown[0]!r}; known are {', '.join(GROUPS)}.")
    done = frozenset(key for file in seen or () for key in decided(read_text(file), file))
    resources = whole_resources([Path(place) for place in named_lexicons(lexicon or ())])
    with progress("queries") as tell:
        columns = Columns(query=column, session=session, count=count_column)
        found = mine_log(read_log(log, columns), resources, Options(min_count, measure, top), tell, done)
    found = [c for c in found if not group or c.group in group]
    told = _write_review(output, list(to_rows(found, resources)), log) if output is not None else ""
    if as_json:
        for c in found:
            row = {"group": c.group, "form": c.form, "count": c.count, "score": c.score, "proposal": c.proposal, "why": c.why}
            emit(json.dumps({**row, "examples": list(c.examples)}, ensure_ascii=False))
    elif output is None:
        show_rows(
            ("group", "form", "count", "why", "seen in"), [(c.group, c.form, str(c.count), c.why, " | ".join(c.examples)) for c in found]
        )
    say(f"{count(len(found), 'candidate')}{told}")


def _write_review(output: str, candidates: list[tuple[dict[str, Any], Row]], source: str) -> str:
    """Write a review file, or what an older one lacks behind what people wrote there; the rest of a sentence that tells it."""
    from rewriter.curation.exchange.review import extend_review, render_review
    from rewriter.io.places import read_text
    from rewriter.pack.store import write_whole

    if not Path(output).exists():
        write_whole(Path(output), render_review(candidates, _HEAD.format(source=source, output=output)).encode())
        return f" written to {output}"
    text, fresh = extend_review(read_text(output), candidates, output)
    if not fresh:
        return f", none new; {output} stays as it is"
    write_whole(Path(output), text.encode())
    return f", {fresh} new, written to {output} behind what stands there"


def suggest_for_form(
    form: Annotated[str, typer.Argument(metavar="FORM", show_default=False, help="A word or phrase of either language.")],
    wordnet: Annotated[
        Path | None,
        typer.Option("--wordnet", metavar="FOLDER", envvar="REWRITER_WORDNET", show_default=False, help="WordNet's database files."),
    ] = None,
    output: Output = None,
    lexicon: Lexicons = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each proposal.")] = False,
) -> None:
    """Propose senses and synonyms of a form from WordNet's files; the exit code is 1 where it has none."""
    from rewriter.curation.wordnet import open_wordnet, suggest_senses
    from rewriter.text.normalise import clean

    if wordnet is None:
        raise InputError("WordNet is not shipped; give --wordnet with the folder of its files, such as corpora/wordnet of NLTK's data.")
    resources = load_resources(*named_lexicons(lexicon or ()))
    found = list(suggest_senses(clean(form).folded, open_wordnet(wordnet), resources, resources.domains))
    told = _write_review(output, found, "WordNet") if output is not None and found else ""
    if as_json:
        for about, row in found:
            emit(json.dumps({**about, "kind": row.kind, **row.fields}, ensure_ascii=False))
    elif output is None:
        rows = [(str(a["synset"]), r.fields["gloss.en"], ", ".join(r.fields["synonyms"]), ", ".join(a["above"])) for a, r in found]
        show_rows(("synset", "gloss", "synonyms", "above"), rows)
    say(f"{count(len(found), 'proposal')}{told}")
    if not found:
        raise typer.Exit(1)
