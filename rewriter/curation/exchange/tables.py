"""CSV, TSV and XLSX: a row an entry, a column a field.  Lists stand in one cell, parted by ` | `; whatever is neither text nor a list
of texts stands as JSON.  They hold every field.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rewriter.curation.exchange.exchanged import Options, Read, Written, decode, refused
from rewriter.curation.rows import FLAGS, KINDS, LISTS, NUMBERS, ORDER, Row
from rewriter.errors import InputError
from rewriter.io.places import delimiter_of

__all__ = ["read", "write"]

COLUMNS = ("kind", "id", "form", "to", "pos", "when", *ORDER)
_PLAIN = frozenset(COLUMNS) - LISTS - NUMBERS - FLAGS - {"when", "examples"}
_PARTED = (LISTS | {"when"}) - NUMBERS
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
LONGEST_CELL = 32_767
"""Characters that a cell of XLSX holds."""


def write(rows: Sequence[Row], options: Options) -> Written:
    """A table with the columns that some row fills."""
    filled = {name for row in rows for name in row.fields}
    columns = [c for c in COLUMNS if c == "kind" or c in filled] + sorted(filled - set(COLUMNS))
    table = [[_cell(c, row.kind if c == "kind" else row.fields.get(c)) for c in columns] for row in rows]
    if options.format == "xlsx":
        return _write_xlsx(columns, table)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t" if options.format == "tsv" else ",", lineterminator="\n")
    writer.writerows([columns, *table])
    return out.getvalue().encode("utf-8"), ()


def read(data: bytes, options: Options) -> list[Read]:
    """Rows by the header's names; the kind is taken from the fields where no column names it."""
    table = _read_xlsx(data, options.name) if options.format == "xlsx" else _read_text(decode(data, options.name), options)
    header, *body = table or [(1, [])]
    columns = [str(c).strip() for c in header[1]]
    if not {"forms", "form"} & set(columns) or len(set(columns)) != len(columns):
        raise InputError(
            f"{options.name}:1: the header is {', '.join(columns) or 'empty'}; name each column once, `forms` or `form` among them."
        )
    return [_read_row(place, dict(zip(columns, cells, strict=False)), len(cells) > len(columns)) for place, cells in body if any(cells)]


def _read_row(place: int, cells: Mapping[str, str], too_long: bool) -> Read:
    where = f"row {place}"
    if too_long:
        return refused(where, "it has more cells than the header has columns; quote what holds the separator", cells)
    fields: dict[str, Any] = {}
    for name, cell in cells.items():
        if name != "kind" and cell != "":
            try:
                fields[name] = _value(name, cell)
            except ValueError as error:
                return refused(where, f"its {name} is {cell!r}, {error}", cells)
    kind = cells.get("kind") or _kind_of(fields)
    if kind not in KINDS:
        return refused(where, f"its kind is {kind!r}; known are {', '.join(KINDS)}", cells)
    wanted = ("id", "forms") if kind in KINDS[:3] else ("form", "to")
    missing = [name for name in wanted if not fields.get(name)]
    why = f"it has no {missing[0]}; a {kind} needs {' and '.join(wanted)}" if missing else ""
    return refused(where, why, cells) if missing else Read(where, Row(kind, fields))


def _kind_of(fields: Mapping[str, Any]) -> str:
    if "form" in fields:
        return "translation"
    return "jargon" if "expert.en" in fields or "expert.id" in fields else "sense"


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in _PARTED and isinstance(value, list) and all(isinstance(v, str) and v for v in value):
        return " | ".join(v.replace("\\", "\\\\").replace("|", "\\|") for v in value)
    if name in _PLAIN and isinstance(value, str):
        return value
    if name == "cue_weights" and isinstance(value, list):
        return " | ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False)


def _value(name: str, cell: str) -> Any:
    """`ValueError` with the rest of a sentence for a cell that holds no such value."""
    if name in _PARTED:
        return [p for p in (part.strip() for part in _split(cell)) if p]
    if name in _PLAIN:
        return cell
    if name == "cue_weights":
        try:
            return [int(part) for part in cell.split("|")]
        except ValueError:
            raise ValueError("which is no list of whole numbers parted by |") from None
    try:
        return json.loads(cell.lower() if name in FLAGS else cell)
    except ValueError:
        if name in COLUMNS:
            raise ValueError("which is no number, no true or false, no JSON") from None
        return cell


def _split(cell: str) -> list[str]:
    r"""Parts between bars; `\|` is a bar, `\\` a backslash.

    >>> _split(r"a | b\|c")
    ['a ', ' b|c']
    """
    parts = [""]
    at = 0
    while at < len(cell):
        if cell[at] == "\\" and at + 1 < len(cell):
            at += 1
            parts[-1] += cell[at]
        elif cell[at] == "|":
            parts.append("")
        else:
            parts[-1] += cell[at]
        at += 1
    return parts


def _read_text(text: str, options: Options) -> list[tuple[int, list[str]]]:
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text.partition("\n")[0]), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise InputError(f"{options.name}:{reader.line_num}: this line cannot be read ({error}); correct its quotes.") from None
    return rows


def _write_xlsx(columns: Sequence[str], table: Iterable[Sequence[str]]) -> Written:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("lexicon")
    sheet.append(list(columns))
    dropped = cut = 0
    for cells in table:
        line = []
        for text in cells:
            plain = _CONTROL.sub("", text)
            dropped += plain != text
            cut += len(plain) > LONGEST_CELL
            cell = WriteOnlyCell(sheet, value=plain[:LONGEST_CELL] or None)
            if plain:
                cell.data_type = "s"  # `=1+1` is text and no formula
            line.append(cell)
        sheet.append(line)
    out = io.BytesIO()
    book.save(out)
    told = [f"XLSX cannot hold control characters; they were left out of {dropped} cells."] if dropped else []
    told += [f"XLSX holds {LONGEST_CELL} characters a cell; {cut} cells were cut."] if cut else []
    return out.getvalue(), tuple(told)


def _read_xlsx(data: bytes, name: str) -> list[tuple[int, list[str]]]:
    from zipfile import BadZipFile

    from openpyxl import load_workbook

    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise InputError(f"{name} cannot be read as XLSX ({error}); give a workbook.") from None
    rows = []
    for number, cells in enumerate(book.worksheets[0].iter_rows(values_only=True), 1):
        line = ["" if c is None else str(c) for c in cells]
        while line and not line[-1]:
            line.pop()
        rows.append((number, line))
    return rows
