"""A TOML lexicon with one table added, changed or dropped, and every other byte as it was.

Only the lines of that table are read with tomlkit (a file of 300 KB would take a second and a half); the result is read again with
tomllib and refused where it does not say what it should.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rewriter.curation.rows import ORDER
from rewriter.errors import LexiconError
from rewriter.lexicon.parse import told_by_toml

__all__ = ["add_table", "add_tables", "change_table", "drop_table", "render_table", "render_value", "table_span"]

_HEADER = re.compile(r"^[ \t]*\[([^\[\]\n]+)\][ \t]*(?:#.*)?$", re.MULTILINE)
_PART = re.compile(r'"([^"]*)"|\'([^\']*)\'|([\w-]+)')
_FIELD = re.compile(r"^([\w.-]+)([ \t]*)=", re.MULTILINE)
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def table_span(text: str, name: str) -> tuple[int, int] | None:
    """Where the table `[name]` and its sub-tables begin and end, without the blank lines and comments before the next one."""
    headers = [(m.start(), ".".join(a or b or c for a, b, c in _PART.findall(m[1]))) for m in _HEADER.finditer(text)]
    at = next((n for n, (_, header) in enumerate(headers) if header == name), None)
    if at is None:
        return None
    end = next((start for start, header in headers[at + 1 :] if not header.startswith(f"{name}.")), len(text))
    return headers[at][0], headers[at][0] + len(_content(text[headers[at][0] : end]))


def _content(block: str) -> str:
    """The block without the blank lines and comments at its end: they belong to what follows."""
    lines = block.split("\n")
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return "\n".join(lines)


def render_table(name: str, fields: Mapping[str, Any]) -> str:
    """A new table as curators write it: fields in the usual order, the signs `=` under one another.

    >>> print(render_table("maag.gastritis", {"forms": ["maag"], "expert.en": ["gastritis"], "needs_cue": True}))
    [maag.gastritis]
    forms     = ["maag"]
    expert.en = ["gastritis"]
    needs_cue = true
    """
    names = [n for n in ORDER if n in fields] + [n for n in fields if n not in ORDER and n != "id"]
    wide = max(map(len, names), default=0)
    return "\n".join([f"[{_key(name)}]", *[f"{_key(n):<{wide}} = {render_value(fields[n])}" for n in names]])


def _key(name: str) -> str:
    """A name as TOML has it, each of its parts in quotes where it needs them."""
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part) for part in name.split("."))


def render_value(value: Any) -> str:
    """A value as TOML; `LexiconError` for what no lexicon holds."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k if _BARE.fullmatch(k) else _string(k)} = {render_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(render_value, value)) + "]"
    raise LexiconError(f"{value!r} cannot stand in a TOML lexicon; give text, whole numbers, true or false, or lists of them.")


def _string(text: str) -> str:
    """JSON's strings are TOML's, but for the delete character, which TOML wants escaped, and halves of characters, which it has not."""
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise LexiconError(f"{text!r} has half of a character (a lone surrogate), which no file can hold; delete it.")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def add_table(text: str, name: str, fields: Mapping[str, Any], where: str) -> str:
    """The text with a new table: behind the last one of its lexeme, else at the end."""
    if table_span(text, name):
        raise LexiconError(f"{where} has [{name}] already; use `rewriter lexicon edit`, or give the new sense another id.")
    wanted = _load(text, where)
    lexeme, _, sense = name.partition(".")
    siblings = [s for s in (table_span(text, f"{lexeme}.{other}") for other in wanted.get(lexeme, ())) if s]
    at = max((end for _, end in siblings), default=len(text.rstrip("\n")))
    before, behind = text[:at], text[at:]
    made = f"{before}\n\n{render_table(name, fields)}{behind or chr(10)}" if before.strip() else f"{render_table(name, fields)}\n"
    wanted.setdefault(lexeme, {})[sense] = _nested(fields)
    return _checked(made, wanted, where)


def add_tables(text: str, tables: Sequence[tuple[str, Mapping[str, Any]]], where: str) -> tuple[str, dict[int, str]]:
    """The text with many new tables (id, fields) at its end; and why some of them (by their number) cannot stand there."""
    wanted = _load(text, where)
    blocks = [text.rstrip("\n")] if text.strip() else []
    wrong: dict[int, str] = {}
    for number, (name, fields) in enumerate(tables):
        lexeme, _, sense = name.partition(".")
        if sense in wanted.get(lexeme, ()):
            wrong[number] = f"{where} has [{name}] already; use `rewriter lexicon edit`, or give the new sense another id"
            continue
        try:
            nested, block = _nested(fields), render_table(name, fields)
        except LexiconError as error:
            wrong[number] = str(error).rstrip(".")
            continue
        wanted.setdefault(lexeme, {})[sense] = nested
        blocks.append(block)
    try:
        return _checked("\n\n".join(blocks) + "\n", wanted, where), wrong
    except LexiconError:  # one table must not stop the others: those that cannot even stand alone are put aside
        odd = [n for n, table in enumerate(tables) if n not in wrong and not _stands_alone(*table)]
        if not odd:
            raise
        wrong |= {n: f"[{tables[n][0]}] cannot be written as a table; correct the names of its fields" for n in odd}
        return add_tables(text, [t for n, t in enumerate(tables) if n not in wrong], where)[0], wrong


def _stands_alone(name: str, fields: Mapping[str, Any]) -> bool:
    lexeme, _, sense = name.partition(".")
    try:
        _checked(render_table(name, fields), {lexeme: {sense: _nested(fields)}}, name)
    except LexiconError:
        return False
    return True


def change_table(text: str, name: str, changes: Mapping[str, Any], where: str) -> str:
    """The text with these fields of a table changed (None: taken away); comments, order and layout stay."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    span = table_span(text, name)
    if span is None:
        raise LexiconError(f"{where} has no table [{name}]; correct the id, or name the file that has it.")
    wanted = _load(text, where)
    lexeme, _, sense = name.partition(".")
    block = text[slice(*span)]
    try:
        document = tomlkit.parse(block)
        table: Any = document[lexeme][sense]
        fresh: dict[str, Any] = {}
        for field, value in changes.items():
            home, last = _home_of(table, field)
            if home is not None and last in home:
                _put(home, last, value)
            elif value is not None:
                fresh[field] = value
        block = document.as_string()
    except TOMLKitError as error:
        raise LexiconError(f"{where} has a table [{name}] that cannot be changed ({str(error).rstrip('.')}); edit it by hand.") from None
    for field, value in fresh.items():
        block = _insert(block, field, value)
    wanted[lexeme][sense] = _merge(wanted[lexeme][sense], changes)
    return _checked(text[: span[0]] + block + text[span[1] :], wanted, where)


def drop_table(text: str, name: str, where: str) -> str:
    """The text without a table and one of the blank lines around it."""
    span = table_span(text, name)
    if span is None:
        raise LexiconError(f"{where} has no table [{name}]; correct the id, or name the file that has it.")
    wanted = _load(text, where)
    lexeme, _, sense = name.partition(".")
    del wanted[lexeme][sense]
    if not wanted[lexeme]:
        del wanted[lexeme]
    return _checked(text[: span[0]] + text[span[1] :].lstrip("\n"), wanted, where)


def _home_of(table: Any, field: str) -> tuple[Any, str]:
    """The table that holds a field, and the field's last name: `gloss.en` stands in `gloss`."""
    first, _, last = field.partition(".")
    if not last:
        return table, field
    inner = table.get(first)
    return (inner, last) if isinstance(inner, Mapping) else (None, last)


def _put(home: Any, name: str, value: Any) -> None:
    """Replace a value; of a list that only grows the layout stays, comments inside it too."""
    if value is None:
        del home[name]
        return
    old = home[name]
    if isinstance(value, list) and isinstance(old, list) and len(value) > len(old) > 0 and list(old) == value[: len(old)]:
        for more in value[len(old) :]:
            old.append(more)
    elif old != value:
        home[name] = value


def _insert(block: str, field: str, value: Any) -> str:
    """A new line behind the fields that usually stand before it, its sign `=` under the others."""
    head, _, rest = block.partition("\n")
    first_sub = _HEADER.search(rest)
    body, tail = (rest[: first_sub.start()], rest[first_sub.start() :]) if first_sub else (rest, "")
    fields = [(m[1], m.start(), len(m[1]) + len(m[2])) for m in _FIELD.finditer(body)]
    widths = Counter(w for _, _, w in fields).most_common(1)
    wide = widths[0][0] if widths and 2 * widths[0][1] > len(fields) else 0  # most signs `=` stand under one another
    rank = ORDER.index(field) if field in ORDER else len(ORDER)
    after = [start for name, start, _ in fields if name in ORDER and ORDER.index(name) > rank]
    line = f"{field:<{max(wide - 1, 0)}} = {render_value(value)}"
    if after and field in ORDER:
        return f"{head}\n{body[: min(after)]}{line}\n{body[min(after) :]}{tail}"
    body = body.rstrip("\n")
    return f"{head}\n{body}{chr(10) if body else ''}{line}{chr(10) + chr(10) + tail if tail else ''}"


def _nested(fields: Mapping[str, Any]) -> dict[str, Any]:
    return _merge({}, {k: v for k, v in fields.items() if k != "id"})


def _merge(old: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What a table says after the changes."""
    made = {k: dict(v) if isinstance(v, Mapping) else v for k, v in old.items()}
    for field, value in changes.items():
        first, _, last = field.partition(".")
        home = made.setdefault(first, {}) if last else made
        if not isinstance(home, dict):
            raise LexiconError(f"The field {first!r} is one text for both languages; write {first}.en and {first}.id instead, by hand.")
        if value is None:
            home.pop(last or first, None)
        else:
            home[last or first] = value
    return {k: v for k, v in made.items() if v != {}}


def _load(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LexiconError(f"{where} is no TOML ({told_by_toml(error)}); run `rewriter lexicon lint` on it first.") from None


def _checked(made: str, wanted: Mapping[str, Any], where: str) -> str:
    """The text, once it says what it should: whatever tomlkit or the search for headers got wrong ends here."""
    try:
        said = tomllib.loads(made)
    except tomllib.TOMLDecodeError:
        said = {}
    if _tidy(said) != _tidy(wanted):
        raise LexiconError(f"{where} would not say the same afterwards; write one table [lexeme.sense] a sense, and edit this one by hand.")
    return made


def _tidy(data: Mapping[str, Any]) -> dict[str, Any]:
    """Without empty tables inside the senses, which say nothing."""
    return {
        lexeme: {s: {k: v for k, v in f.items() if v != {}} if isinstance(f, Mapping) else f for s, f in senses.items()}
        if isinstance(senses, Mapping)
        else senses
        for lexeme, senses in data.items()
        if senses != {}
    }
