"""Test collections: queries, documents, judgements, from a folder each.

`cases.jsonl` (or `.jsonl.gz`) has a query a line: `id`, `query`, `rel` (ids of relevant documents, or an object from id to grade), and
where there are any `ref` (the query as a person would have it: rewritten to stand alone, or in the documents' language), `history`
and `responses` (the user's earlier turns and the answers to them), `conv` (queries with the same value belong together).
`corpus.jsonl` (or `.jsonl.gz`) has a document a line: `id`, `text`, perhaps `title`.  A folder without a corpus searches that of the folder
beside it whose name is the longest beginning of its own: `news_id` that of `news`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Case", "Collection", "Document", "find_collections", "read_documents", "read_cases"]


class Document(NamedTuple):
    """What is searched: title and text as one."""

    id: str
    text: str


class Case(NamedTuple):
    """A query with the turns before it, grades by document id, the query as a person would have it (or None), and its group."""

    id: str
    query: str
    turns: tuple[tuple[str, str], ...]
    grades: Mapping[str, float]
    reference: str | None
    group: str


class Collection(NamedTuple):
    """A name, the file of its queries and that of its documents."""

    name: str
    cases: Path
    corpus: Path


def find_collections(folder: Path) -> list[Collection]:
    """The collections of a folder, by name, those on one corpus together; folders that have no documents to search are passed over."""
    corpora = {place.name: file for place in sorted(folder.iterdir()) if (file := _file(place, "corpus"))}
    found = []
    for place in sorted(folder.iterdir()):
        cases = _file(place, "cases")
        if cases is None or not _has_judgements(cases):
            continue
        base = max((name for name in corpora if place.name == name or place.name.startswith(name + "_")), key=len, default=None)
        if base is not None:
            found.append(Collection(place.name, cases, corpora[base]))
    if not found:
        raise SystemExit(
            f"{folder} has no test collection; give a folder of folders with cases.jsonl (`id`, `query`, `rel`) and corpus.jsonl."
        )
    return sorted(found, key=lambda c: (str(c.corpus), c.name))


def _file(place: Path, name: str) -> Path | None:
    return next((file for ending in (".jsonl", ".jsonl.gz") if (file := place / (name + ending)).is_file()), None)


def _has_judgements(cases: Path) -> bool:
    return "rel" in next(_read_rows(cases), (0, {}))[1]


def _read_rows(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line number and object of each line; whatever else is there ends the program with a sentence."""
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, Mapping):
                raise SystemExit(f"{file}:{number}: this line is no JSON object; write one a line.")
            yield number, row


def read_documents(file: Path) -> list[Document]:
    """The documents of a corpus in their order."""
    documents = []
    for number, row in _read_rows(file):
        if not isinstance(row.get("id"), str) or not isinstance(row.get("text"), str):
            raise SystemExit(f"{file}:{number}: a document needs `id` and `text`, both strings.")
        documents.append(Document(row["id"], f"{row['title']} {row['text']}" if row.get("title") else row["text"]))
    return documents


def read_cases(file: Path, known: frozenset[str]) -> list[Case]:
    """The queries of a collection; a judgement of a document that is not in the corpus (`known`) ends the program with a sentence."""
    cases = []
    for number, row in _read_rows(file):
        rel = row.get("rel")
        grades = rel if isinstance(rel, Mapping) else dict.fromkeys(rel, 1) if isinstance(rel, list) else {}
        grades = {str(name): float(grade) for name, grade in grades.items() if grade > 0}
        if not isinstance(row.get("id"), str) or not isinstance(row.get("query"), str) or not grades:
            raise SystemExit(f"{file}:{number}: a query needs `id`, `query` and `rel` with a relevant document.")
        lost = [name for name in grades if name not in known]
        if lost:
            raise SystemExit(f"{file}:{number}: the corpus has no document {lost[0]!r}, which is judged relevant; take the judgement out.")
        reference = row.get("ref")
        cases.append(Case(row["id"], row["query"], _turns(row), grades, reference or None, str(row.get("conv", row["id"]))))
    return cases


def _turns(row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Role and text, oldest first: each of the user's turns, and the answer to it."""
    turns: list[tuple[str, str]] = []
    responses = list(row.get("responses") or ())
    for number, text in enumerate(row.get("history") or ()):
        turns.append(("user", text))
        if number < len(responses) and responses[number]:
            turns.append(("assistant", responses[number]))
    return tuple(turns)
