"""Results of searches from a file: JSONL with a result a line, or the mapping that `merge` takes as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rewriter.errors import InputError
from rewriter.io.places import name_of, read_text

__all__ = ["parse_results", "read_result_file"]

Rows = dict[str, list[Mapping[str, Any]]]


def read_result_file(place: str) -> Rows:
    """The results of a file (`-`: of standard input) by variant, best first, as `merge` takes them.

    `InputError` names the file and the line of what cannot be read.
    """
    return parse_results(read_text(place, "give a JSONL file of results"), name_of(place))


def parse_results(text: str, where: str) -> Rows:
    r"""Results by variant, best first.

    A line of JSONL is an object with `variant` and `url`; `title`, `snippet` and `rank` may be there, other keys go to `extra`.  `rank`
    (from 1) orders the results of its variant, without it the lines do; a variant gives it in all of its lines or in none.
    A text that is one JSON object whose values are all lists is the mapping from variant to its results.

    >>> parse_results('{"variant": "kopi", "rank": 2, "url": "b"}\n{"variant": "kopi", "rank": 1, "url": "a"}', "f")
    {'kopi': [{'url': 'a'}, {'url': 'b'}]}
    >>> parse_results('{"kopi": ["a", {"url": "b"}]}', "f")
    {'kopi': [{'url': 'a'}, {'url': 'b'}]}
    """
    whole = _parse_mapping(text)
    if whole is not None:
        return {
            variant: [_check_row(row, f"{where}, result {n} of {variant!r}") for n, row in enumerate(rows, 1)]
            for variant, rows in whole.items()
        }
    ranked: dict[str, list[tuple[int | None, Mapping[str, Any]]]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            variant, rank, row = _parse_line(line, f"{where}:{number}")
            rows = ranked.setdefault(variant, [])
            if rows and (rows[0][0] is None) != (rank is None):
                raise InputError(f"{where}:{number}: some results of {variant!r} have a rank and some have none; give it to all or none.")
            rows.append((rank, row))
    return {variant: [row for _, row in sorted(rows, key=_by_rank)] for variant, rows in ranked.items()}


def _by_rank(item: tuple[int | None, object]) -> int:
    return item[0] or 0


def _parse_mapping(text: str) -> dict[str, list[Any]] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and all(isinstance(rows, list) for rows in data.values()) else None


def _parse_line(line: str, place: str) -> tuple[str, int | None, Mapping[str, Any]]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: this is no JSON ({error}); write a result a line, with variant and url.") from None
    if not isinstance(row, Mapping):
        raise InputError(f"{place}: a result is an object with variant and url, not {json.dumps(row)[:40]}.")
    variant, rank = row.get("variant"), row.get("rank")
    if not isinstance(variant, str):
        raise InputError(f"{place}: the result has {json.dumps(variant)[:40]} as its variant; give the text that was searched.")
    if rank is not None and (not isinstance(rank, int) or isinstance(rank, bool) or rank < 1):
        raise InputError(f"{place}: the result has {json.dumps(rank)[:40]} as its rank; ranks are whole numbers from 1.")
    return variant, rank, _check_row({k: v for k, v in row.items() if k not in ("variant", "rank")}, place)


def _check_row(row: Any, place: str) -> Mapping[str, Any]:
    if isinstance(row, str):
        return {"url": row}
    if not isinstance(row, Mapping):
        raise InputError(f"{place}: a result is a URL or an object with url, not {json.dumps(row)[:40]}.")
    for name in ("url", "title", "snippet"):
        value = row.get(name)
        if not isinstance(value, str) and (name == "url" or value is not None):
            raise InputError(f"{place}: the result has {json.dumps(value)[:40]} as its {name}; give a string.")
    if not isinstance(row.get("extra") or {}, Mapping):
        raise InputError(f"{place}: the result has {json.dumps(row['extra'])[:40]} as its extra; give an object.")
    return row
