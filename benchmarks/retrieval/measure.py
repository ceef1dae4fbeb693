"""Does a search find more with the variants than with the query alone?

    python benchmarks/retrieval/measure.py COLLECTIONS [--limit N] [--nltk-data FOLDER] [--report FOLDER] [--json OUT]

`COLLECTIONS` is a folder of test collections (`collection.py` says in which format).  Each query is searched by BM25 as it is, by each
variant alone, by all merged, and by simple baselines; every comparison is paired, on the same queries, with a 95 % interval.
`--report` writes retrieval.md with its plots there.  The WordNet baseline needs NLTK's `wordnet` (`--nltk-data`, or
wherever NLTK looks); without it, it is left out and the report says so.  Figures are aggregates: no query and no document.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.retrieval.baselines import Expand, open_wordnet
from benchmarks.retrieval.collection import Collection, find_collections, read_cases, read_documents
from benchmarks.retrieval.evaluate import DEPTH, Outcome, evaluate_case
from benchmarks.retrieval.index import K1, B, Index
from benchmarks.retrieval.summarise import summarise
from benchmarks.retrieval.tables import make_tables
from benchmarks.shared import as_text, track_progress, write_json
from rewriter import rewrite

__all__ = ["measure"]


def measure(folder: Path, limit: int | None = None, synonyms: Expand | None = None) -> dict[str, Any]:
    """All figures of the collections of a folder, of each the first `limit` queries."""
    about: dict[str, Any] = {}
    outcomes: list[Outcome] = []
    collections = find_collections(folder)
    for collection, index, cases in _open_all(collections):
        chosen = cases[:limit]
        about[collection.name] = {
            "queries": len(chosen), "documents": len(index.ids), "language": index.language,
            "relevant": round(sum(len(c.grades) for c in chosen) / len(chosen), 2), "reference": sum(bool(c.reference) for c in chosen),
            "with_turns": sum(bool(c.turns) for c in chosen), "groups": len({c.group for c in chosen}),
        }  # fmt: skip
        found = [evaluate_case(case, collection.name, index, synonyms) for case in track_progress(chosen, collection.name)]
        about[collection.name]["task"] = name_task(found, about[collection.name])
        outcomes += found
    settings = {"k1": K1, "b": B, "depth": DEPTH, "wordnet": synonyms is not None}
    return {
        "signature": rewrite("signature").signature,
        "settings": settings,
        "about": about,
        **summarise(outcomes, {name: a["task"] for name, a in about.items()}),
    }


LANGUAGES = {"en": "English", "id": "Indonesian"}


def name_task(outcomes: Sequence[Outcome], about: Mapping[str, Any]) -> str:
    """What kind of search a collection is: turns of a conversation, or the language of most of its queries and that of its documents."""
    if 2 * about["with_turns"] > len(outcomes):
        return "conversations"
    indonesian = sum(outcome.language == "id" for outcome in outcomes) > sum(outcome.language == "en" for outcome in outcomes)
    return f"{LANGUAGES['id' if indonesian else 'en']} queries, {LANGUAGES[about['language']]} documents"


def _open_all(collections: list[Collection]) -> Iterator[tuple[Collection, Index, list[Any]]]:
    """Each collection with its index; collections on one corpus share it."""
    corpus, index, known = None, None, frozenset[str]()
    for collection in collections:
        if collection.corpus != corpus or index is None:
            corpus, index = collection.corpus, Index(read_documents(collection.corpus))
            known = frozenset(index.ids)
        yield collection, index, read_cases(collection.cases, known)


def main() -> None:
    """Measure, print tables, write what was asked for."""
    parser = argparse.ArgumentParser(description="Does a search find more with the variants than with the query alone?")
    parser.add_argument("collections", type=Path, metavar="COLLECTIONS", help="folder of test collections")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N queries of each collection")
    parser.add_argument("--nltk-data", metavar="FOLDER", help="where NLTK's wordnet is")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write retrieval.md and its plots here")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    if not options.collections.is_dir():
        parser.error(f"{options.collections} is no folder")
    figures = measure(options.collections, options.limit, open_wordnet(options.nltk_data))
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    write_json(options.json, figures)
    if options.report:
        from benchmarks.retrieval.report import write_report  # plots need matplotlib

        write_report(figures, options.report)


if __name__ == "__main__":
    main()
