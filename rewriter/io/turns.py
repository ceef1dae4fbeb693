"""A conversation from a file: a JSON list of turns, or JSONL with a turn a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewriter.context import ContextItem
from rewriter.errors import InputError
from rewriter.io.places import name_of, read_text
from rewriter.policy import ROLES

__all__ = ["parse_turns", "read_turn_file"]

_WHITE = re.compile(r"[ \t\r\n]*")


def read_turn_file(place: str | Path) -> tuple[ContextItem, ...]:
    """The turns of a file (`-`: of standard input), oldest first, as `rewrite` takes them.

    `InputError` names the file and the line of what cannot be read.
    """
    return parse_turns(read_text(str(place), "give a JSON or JSONL file of turns"), name_of(str(place)))


def parse_turns(text: str, where: str) -> tuple[ContextItem, ...]:
    r"""Turns of a JSON list, or of JSONL; a turn is a string (the user's) or an object with `role` and `content`.

    The first character decides: no turn is a list, so a text that begins with `[` is one JSON list.  Blank lines of JSONL are skipped.

    >>> parse_turns('["aku main gitar"]', "turns.json")
    ('aku main gitar',)
    >>> parse_turns('"hi"\n{"role": "assistant", "content": "Halo!"}', "turns.jsonl")
    ('hi', {'role': 'assistant', 'content': 'Halo!'})
    """
    if text.lstrip().startswith("["):
        turns = _load(text, where, 1)
        return tuple(_check_turn(turn, f"{where}:{_line_of(text, i)}" if _fault(turn) else "") for i, turn in enumerate(turns))
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return tuple(_check_turn(_load(line, where, number), f"{where}:{number}") for number, line in lines)


def _load(text: str, where: str, first_line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at, what = first_line + error.lineno - 1, f"{error.msg}, column {error.colno}"
    except (RecursionError, ValueError) as error:  # nested too deep, or a number of thousands of digits
        at, what = first_line, str(error)
    raise InputError(f"{where}:{at}: this is no JSON ({what}); write a list of turns, or one turn a line.")


def _check_turn(turn: Any, place: str) -> ContextItem:
    fault = _fault(turn)
    if fault:
        raise InputError(f"{place}: {fault}.")
    item: ContextItem = turn
    return item


def _fault(turn: Any) -> str:
    """What is wrong with a turn, empty where nothing is."""
    if isinstance(turn, str):
        return ""
    if not isinstance(turn, Mapping):
        return f"a turn must be a string or an object with role and content, not {json.dumps(turn)[:40]}"
    if turn.get("role") not in ROLES:
        return f"the turn has the role {json.dumps(turn.get('role'))[:40]}; known roles are {', '.join(ROLES)}"
    if not isinstance(turn.get("content"), (str, list, type(None))):
        return f"the turn has the content {json.dumps(turn['content'])[:40]}; it must be a string, null, or a list of parts"
    return ""


def _line_of(text: str, index: int) -> int:
    """The line on which an item of a (valid) JSON list begins.

    >>> _line_of('["a",\\n "b", 3]', 2)
    2
    """
    decoder = json.JSONDecoder()
    at = text.index("[")
    for number in range(index + 1):
        at = _skip_white(text, at + 1)
        if number < index:
            at = _skip_white(text, decoder.raw_decode(text, at)[1])
    return text.count("\n", 0, at) + 1


def _skip_white(text: str, at: int) -> int:
    match = _WHITE.match(text, at)
    return match.end() if match else at
