"""One entry added to, changed in or dropped from the text of a lexicon file, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewriter.curation.edit_lines import PROVENANCE, add_lines, columns_for, columns_of, json_line, replace_line, shard_line
from rewriter.curation.edit_toml import add_table, add_tables, change_table, drop_table
from rewriter.curation.rows import Row, key_of, row_of
from rewriter.errors import LexiconError
from rewriter.lexicon.checks_fields import id_is_misspelt, is_id
from rewriter.lexicon.parse import Located, kind_of, parse_file

__all__ = ["add_row", "add_rows", "change_row", "drop_row", "find_rows", "fits_file", "lost_fields"]

_HOLDS = {"senses": ("sense",), "idioms": ("idiom",), "jargon": ("jargon",), "bilingual": ("translation",)}


def fits_file(row: Row, file: str, text: str) -> str:
    """Why a row cannot stand in a file; "" where it can."""
    if row.kind in ("sense", "idiom", "jargon") and not is_id(row.id):  # a table's header is made of it, so nothing can be written first
        return f"E103 [{row.id}]: {id_is_misspelt.__doc__}".rstrip(".")
    folder = kind_of(file)
    if folder in ("domains", "templates"):
        return f"{file} holds {folder} and no entries"
    if file.endswith(".tsv"):
        if row.kind in ("sense", "idiom", "jargon"):
            return f"{file} is a shard of translations or slang, and [{row.id}] is a {row.kind}; give a .toml or .jsonl file"
        columns = columns_of(text)
        if text.strip() and columns[:2] != columns_for(row.kind)[:2]:
            return f"{file} has the columns {'  '.join(columns[:2])}, and a {row.kind} needs {'  '.join(columns_for(row.kind)[:2])}"
        return ""
    if file.endswith(".toml") and row.kind not in ("sense", "idiom", "jargon"):
        return f"{file} holds senses, and {row.id!r} is a {row.kind}; give a .tsv file"
    if file.endswith(".jsonl") and row.kind.startswith("slang"):
        return f"{file} cannot hold slang; give a .tsv file"
    if not file.endswith((".toml", ".jsonl")):
        return f"{file} is no lexicon file; its name must end in .toml, .tsv or .jsonl"
    if row.kind == "idiom" and folder != "idioms":
        return f"[{row.id}] is an idiom, which is known by its folder; give a file in a folder `idioms`"
    wanted = _HOLDS.get(folder)
    return f"the folder {folder} holds no {row.kind}; give another file" if wanted and row.kind not in wanted else ""


def add_row(file: str, text: str, row: Row) -> str:
    """The text with one more entry.  `LexiconError` where it has the entry already or cannot hold it."""
    why = fits_file(row, file, text)
    if why:
        raise LexiconError(f"{why}.")
    if file.endswith(".toml"):
        return add_table(text, row.id, _of_table(row), file)
    known = find_rows(file, text, key=key_of(row))
    if known:
        raise LexiconError(f"{file}:{known[0].line} has this entry already; use `rewriter lexicon edit`.")
    made, wrong = add_rows(file, text, [row])
    if wrong:
        raise LexiconError(f"{wrong[0]}.")
    return made


def add_rows(file: str, text: str, rows: Sequence[Row]) -> tuple[str, dict[int, str]]:
    """The text with many more entries, which nothing there has yet; and why some of them (by their number) cannot be written."""
    wrong: dict[int, str] = {}
    if file.endswith(".toml"):
        tables = {}
        for number, row in enumerate(rows):
            try:
                tables[number] = (row.id, _of_table(row))
            except LexiconError as error:
                wrong[number] = str(error).rstrip(".")
        made, odd = add_tables(text, list(tables.values()), file)
        numbers = list(tables)
        return made, wrong | {numbers[n]: why for n, why in odd.items()}
    if file.endswith(".tsv") and not text.strip() and rows:
        more = PROVENANCE if any(name in row.fields for row in rows for name in PROVENANCE) else ()
        text = "\t".join((*columns_for(rows[0].kind), *more)) + "\n"
    lines = []
    for number, row in enumerate(rows):
        try:
            lines.append(_line(file, text, row))
        except LexiconError as error:
            wrong[number] = str(error).rstrip(".")
    return add_lines(text, lines, is_sorted=file.endswith(".tsv")), wrong


def _line(file: str, text: str, row: Row) -> str:
    """An entry as a line of a shard or of JSONL."""
    if file.endswith(".tsv"):
        return shard_line(row, columns_of(text))
    if row.kind != "translation":
        return json_line(row.fields)
    return json_line({"id": row.fields["form"], "en": row.fields.get("to", ""), **_conditions(row)})


def change_row(file: str, text: str, item: Located, changes: Mapping[str, Any]) -> str:
    """The text with these fields of an entry changed (None: taken away); `item` is the entry as `parse_file` found it there."""
    row = row_of(item)
    if file.endswith(".toml"):
        return change_table(text, row.id, {k: v for k, v in changes.items() if k != "id"}, file)
    fields = {k: v for k, v in {**row.fields, **changes}.items() if v is not None}
    if file.endswith(".jsonl"):
        return replace_line(text, item.line, _line(file, text, Row(row.kind, fields)), is_sorted=False)
    columns = columns_of(text)
    unknown = [k for k in changes if k not in ("form", "to") and k not in columns and changes[k] is not None]
    if unknown:
        raise LexiconError(f"{file} has no column {unknown[0]!r}; it has {', '.join(columns)}.")
    return replace_line(text, item.line, shard_line(Row(row.kind, fields), columns), is_sorted=True)


def drop_row(file: str, text: str, item: Located) -> str:
    """The text without an entry."""
    if file.endswith(".toml"):
        return drop_table(text, row_of(item).id, file)
    return replace_line(text, item.line, None, is_sorted=file.endswith(".tsv"))


def find_rows(file: str, text: str, *, key: Sequence[str] | None = None) -> list[Located]:
    """Entries of a file, all or those of a key (`key_of`); what cannot be read is left to the lint."""
    found, _ = parse_file(file, text)
    return [item for item in found if key is None or key_of(row_of(item)) == tuple(key)]


def lost_fields(row: Row, columns: Sequence[str]) -> list[str]:
    """Fields of a translation or slang row that a shard with these columns cannot hold."""
    return [name for name in row.fields if name not in ("form", "to") and name not in columns]


def _of_table(row: Row) -> dict[str, Any]:
    fields = {k: v for k, v in row.fields.items() if k != "id"}
    if row.kind == "jargon" and not any(k.startswith("expert.") for k in fields):
        raise LexiconError(f"[{row.id}] has no expert term; give one in one language at least.")
    return fields


def _conditions(row: Row) -> dict[str, Any]:
    return {k: v for k, v in row.fields.items() if k not in ("form", "to")}
