"""Text of a lexicon file → entries.  A broken entry is a `Problem` with its line; the rest is read.

The functions take text, not files, so that they are pure; `rewriter.pack.load` opens the files.  Who opens many of them gives
`rewriter.pack.toml.load_toml` as what reads TOML, which remembers.
"""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rewriter.lexicon.entries import Domain, Entry, Jargon, Sense, Slang, Translation
from rewriter.record import record
from rewriter.text.normalise import clean, fold

__all__ = [
    "BILINGUAL_COLUMNS", "SLANG_COLUMNS", "Located", "Problem", "TomlReader", "kind_of", "parse_domains", "parse_file", "told_by_toml",
    "toml_problem",
]  # fmt: skip

BILINGUAL_COLUMNS = ("id", "en", "pos", "when", "domain", "status")
SLANG_COLUMNS = {"id": ("form", "id", "pos", "when", "domain", "status"), "en": ("form", "en", "pos", "when", "domain", "status")}
TomlReader = Callable[[str], dict[str, Any]]
_HEADER = re.compile(r"^\s*\[([^\[\]]+)\]", re.MULTILINE)
_TOML_KEY = re.compile(r"\((?:'[^']*',? ?)+\)")
_TOML_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


@record
class Problem:
    """Something in a file that cannot be read: where, and what to do."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


@record
class Located:
    """An entry, the fields it was written with, and its place."""

    entry: Entry
    fields: Mapping[str, Any]
    file: str
    line: int


def kind_of(file: str) -> str:
    """What a file of a lexicon folder holds, from its path: its folder, or what stands in it."""
    parts = file.replace("\\", "/").split("/")
    for folder in ("senses", "idioms", "jargon", "bilingual", "slang", "templates"):
        if folder in parts[:-1]:
            return folder
    return "domains" if parts[-1] == "domains.toml" else "entries"


def parse_file(file: str, text: str, toml: TomlReader = tomllib.loads) -> tuple[list[Located], list[Problem]]:
    """Entries of a TOML, TSV or JSONL file, and what could not be read."""
    if file.endswith(".toml"):
        return _parse_toml(file, text, toml)
    if file.endswith(".tsv"):
        return _parse_tsv(file, text)
    return _parse_jsonl(file, text)


def parse_domains(file: str, text: str, toml: TomlReader = tomllib.loads) -> tuple[list[Domain], list[Problem]]:
    """The domain tree."""
    try:
        data = toml(text)
    except tomllib.TOMLDecodeError as error:
        return [], [toml_problem(file, error)]
    lines = _header_lines(text)
    domains, problems = [], []
    for path, table in data.items():
        if not isinstance(table, dict) or not isinstance(table.get("label"), dict):
            problems.append(Problem(file, lines.get(path, 1), 1, f"Domain {path!r} has no label.en and label.id; give both."))
            continue
        domains.append(Domain(path, str(table["label"].get("en", "")), str(table["label"].get("id", "")), _strings(table.get("cues", ()))))
    return domains, problems


def _parse_toml(file: str, text: str, toml: TomlReader) -> tuple[list[Located], list[Problem]]:
    try:
        data = toml(text)
    except tomllib.TOMLDecodeError as error:
        return [], [toml_problem(file, error)]
    lines = _header_lines(text)
    found: list[Located] = []
    problems: list[Problem] = []
    for lexeme, senses in data.items():
        if not isinstance(senses, dict):
            problems.append(Problem(file, 1, 1, f"{lexeme!r} stands at the top of the file; put it into a table [lexeme.sense]."))
            continue
        for name, table in senses.items():
            where = lines.get(f"{lexeme}.{name}", 1)
            if not isinstance(table, dict):
                problems.append(Problem(file, where, 1, f"[{lexeme}] holds the field {name!r}; only [lexeme.sense] holds fields."))
                continue
            _keep(found, problems, file, where, {"id": f"{lexeme}.{name}", **table})
    return found, problems


def _parse_jsonl(file: str, text: str) -> tuple[list[Located], list[Problem]]:
    found: list[Located] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            problems.append(Problem(file, number, 1, f"This line is no JSON ({error}); write one object a line."))
            continue
        if not isinstance(row, dict):
            problems.append(Problem(file, number, 1, f"This line is a JSON {type(row).__name__}; write one object a line."))
            continue
        _keep(found, problems, file, number, row)
    return found, problems


def _parse_tsv(file: str, text: str) -> tuple[list[Located], list[Problem]]:
    lines = text.split("\n")
    columns = tuple(lines[0].rstrip("\r").split("\t"))
    slang = next((language for language, names in SLANG_COLUMNS.items() if columns[:2] == names[:2]), None)
    if slang is None and columns[:2] != BILINGUAL_COLUMNS[:2]:
        wanted = " or ".join("  ".join(c) for c in (BILINGUAL_COLUMNS, *SLANG_COLUMNS.values()))
        return [], [Problem(file, 1, 1, f"The header is {'  '.join(columns)!r}; it must be {wanted}.")]
    found, problems = [], []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = line.rstrip("\r").split("\t")
        if len(cells) > len(columns) or len(cells) < 2:
            problems.append(Problem(file, number, 1, f"{len(cells)} columns where the header has {len(columns)}; part columns by one tab."))
            continue
        row = dict(zip(columns, cells, strict=False))
        if not row[columns[0]].strip() or not row[columns[1]].strip():
            problems.append(Problem(file, number, 1, "The first or second column is empty; fill it or delete the line."))
            continue
        when = tuple(w.strip() for w in row.get("when", "").split(",") if w.strip())
        form, value = _form(row[columns[0]]), row[columns[1]].strip()
        entry: Entry
        if slang:
            entry = Slang(form, value, slang, row.get("pos", ""), when)
        else:
            entry = Translation(form, value, row.get("pos", "x") or "x", when, row.get("domain", ""))
        if form:
            found.append(Located(entry, row, file, number))
        else:
            problems.append(
                Problem(file, number, 1, f"The form {row[columns[0]]!r} has no visible character; write one or delete the line.")
            )
    return found, problems


def _keep(found: list[Located], problems: list[Problem], file: str, line: int, row: Mapping[str, Any]) -> None:
    try:
        entry = _entry(row, kind_of(file))
    except (ValueError, TypeError) as error:
        problems.append(Problem(file, line, 1, str(error)))
    else:
        found.append(Located(entry, row, file, line))


def _entry(row: Mapping[str, Any], folder: str) -> Entry:
    if "en" in row and "id" in row and "forms" not in row:
        return Translation(
            _form(str(row["id"])), str(row["en"]), str(row.get("pos", "x")), _strings(row.get("when", ())), str(row.get("domain", ""))
        )
    name = row.get("id")
    if not isinstance(name, str) or not name:
        raise ValueError("This entry has no id; give `lexeme.sense`.")
    if not isinstance(row.get("forms"), list):
        raise ValueError(f"[{name}] has no list `forms`; give the forms that people type.")
    forms = tuple(dict.fromkeys(f for f in map(_form, _strings(row["forms"])) if f))
    if not forms:
        raise ValueError(f"[{name}] has no form with a visible character; give the forms that people type.")
    if folder == "jargon" or any(name.split(".")[0] == "expert" for name in row):
        expert = _pair(row, "expert")
        return Jargon(
            name, forms, _strings(expert[0]), _strings(expert[1]), str(row.get("domain", "")), str(row.get("direction", "lay-to-expert")),
            _folded(row.get("cues", ())),
        )  # fmt: skip
    cues, weights = _cues(name, row)
    canonical, gloss = _pair(row, "canonical"), _pair(row, "gloss")
    return Sense(
        name, forms, str(canonical[0]), str(canonical[1]), str(gloss[0]), str(gloss[1]), str(row.get("domain", "")), cues, weights,
        _strings(row.get("synonyms", ())), _folded(row.get("literal_cues", ())), _strings(row.get("near", ())), int(row.get("prior", 0)),
        bool(row.get("needs_cue", False)), bool(row.get("keep_form", False)), folder == "idioms",
    )  # fmt: skip


def _cues(name: str, row: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Cues folded, with their weights; `cue_weights` may be a list beside `cues` or a mapping from cue to weight."""
    raw = _strings(row.get("cues", ()))
    given = row.get("cue_weights")
    if given is None:
        return tuple(dict.fromkeys(map(fold, raw))), ()
    if isinstance(given, Mapping):
        pairs = [(c, given.get(c, 100)) for c in raw] + [(c, w) for c, w in given.items() if c not in raw]
    elif len(given) != len(raw):
        raise ValueError(f"[{name}] has {len(raw)} cues and {len(given)} cue_weights; give one integer a cue.")
    else:
        pairs = list(zip(raw, given, strict=True))
    if not all(isinstance(w, int) and not isinstance(w, bool) for _, w in pairs):
        raise ValueError(f"[{name}] has a cue_weight that is no integer; weights are hundredths of a nat.")
    merged: dict[str, int] = {}
    for cue, weight in pairs:
        merged[fold(cue)] = max(weight, merged.get(fold(cue), weight))
    return tuple(merged), tuple(merged.values())


def _pair(row: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    """English and Indonesian of a field that is a table, a flat `name.en`, or one text for both."""
    value = row.get(name)
    if isinstance(value, Mapping):
        return value.get("en", ""), value.get("id", "")
    if value is None:
        return row.get(f"{name}.en", ""), row.get(f"{name}.id", "")
    return value, value


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)):
        with contextlib.suppress(AttributeError):  # of strings alone, asked by what they can: there are half a million
            return tuple([v for v in value if v.strip()])
    raise ValueError(f"{value!r} is no list of strings; write one.")


def _folded(value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(fold, _strings(value))))


def _form(text: str) -> str:
    return clean(text).folded


def _header_lines(text: str) -> dict[str, int]:
    """Line of each table header: `tomllib` gives none."""
    lines: dict[str, int] = {}
    line, counted = 1, 0
    for match in _HEADER.finditer(text):
        line += text.count("\n", counted, match.start(1))
        counted = match.start(1)
        lines.setdefault(".".join(_header_parts(match[1])), line)
    return lines


def _header_parts(header: str) -> Iterator[str]:
    for match in re.finditer(r'"([^"]*)"|\'([^\']*)\'|([\w-]+)', header):
        yield match[1] or match[2] or match[3] or ""


def toml_problem(file: str, error: tomllib.TOMLDecodeError) -> Problem:
    """What is wrong with a file that is no TOML, at its place."""
    place = _TOML_AT.search(str(error))
    line, column = (int(place[1]), int(place[2])) if place else (1, 1)
    return Problem(file, line, column, f"This is no TOML: {_TOML_AT.sub('', told_by_toml(error)).strip()}.")


def told_by_toml(error: tomllib.TOMLDecodeError) -> str:
    """What tomllib says, a key as the file has it and not as Python shows a tuple."""
    return _TOML_KEY.sub(lambda m: "[" + ".".join(re.findall("'([^']*)'", m[0])) + "]", str(error))
