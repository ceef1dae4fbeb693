"""The results of many searches as one list: reciprocal rank fusion over pages.

A page found by several variants, or high by one, comes first: each list gives it 1 / (k + rank) (Cormack, Clarke and
Buettcher, SIGIR 2009, who found k = 60).  What counts as the same page is `page_identity`'s business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from rewriter.model import Merged, Result, Source
from rewriter.urls import page_identity

__all__ = ["Item", "fuse", "page_identity", "read_result"]

Item = Result | Mapping[str, Any] | str
Row = tuple[int, str, Result]
"""Rank (from 1), variant, result.  Rank and variant together are unique, so rows sort without looking at results."""

FIELDS = frozenset({"url", "title", "snippet", "extra"})


def fuse(
    results: Mapping[str, Sequence[Item]],
    *,
    k: int = 60,
    depth: int | None = None,
    limit: int | None = None,
    key: Callable[[Result], str] | None = None,
) -> list[Merged]:
    """One ranked list of pages from `results`: variant text (or any label) to that search's results, best first.

    Each list's first `depth` results count; a repeat within one list adds no score and stays in `sources`.  Order: score, best
    rank, number of lists, identity; at most `limit` pages.  Neither order nor content depends on the order of the mapping.
    Address, title, snippet and extra are those of the best-ranked result; at one rank, that with https, then that with a title,
    then by variant.  A title or snippet that it lacks is the longest of the page's others.
    `key` says which page a result is; by default `page_identity` of its URL.
    A wrong type is a `TypeError`, a negative number a `ValueError`; no URL raises.

    >>> pages = fuse({"kopi susu": ["https://a.id/x", "https://b.id"], "milk coffee": [{"url": "http://www.b.id/", "title": "B"}]})
    >>> [(page.rank, page.url, page.title, len(page.sources)) for page in pages]
    [(1, 'http://www.b.id/', 'B', 2), (2, 'https://a.id/x', '', 1)]
    """
    k = _check_count("k", k)
    depth = None if depth is None else _check_count("depth", depth)
    limit = None if limit is None else _check_count("limit", limit)
    pages = group_rows(results, depth, key)
    drafts = sorted([(*weigh_rows(rows, k), identity) for identity, rows in pages.items()])
    return [
        build_page(identity, pages[identity], rank, -minus_score)
        for rank, (minus_score, _, _, identity) in enumerate(drafts[:limit], 1)
    ]  # fmt: skip


def group_rows(results: Mapping[str, Sequence[Item]], depth: int | None, key: Callable[[Result], str] | None) -> dict[str, list[Row]]:
    """The first `depth` rows of each list under the identity of their page, each page's rows by rank, then variant.

    >>> pages = group_rows({"b": ["https://a.id"], "a": ["http://a.id/"]}, None, None)
    >>> [(identity, [(rank, variant) for rank, variant, _ in rows]) for identity, rows in pages.items()]
    [('https://a.id/', [(1, 'a'), (1, 'b')])]
    """
    if not isinstance(results, Mapping):
        raise TypeError(f"merge() reads a mapping from variant to its results, not {_name_type(results)}.")
    pages: dict[str, list[Row]] = {}
    identities: dict[str, str] = {}  # variants find the same URLs: each is worked out once
    for variant, items in results.items():
        _check_list(variant, items)
        for rank, item in enumerate(islice(items, depth), 1):
            result = Result(item) if item.__class__ is str else read_result(item, variant, rank)
            if key is None:
                identity = identities.get(result.url)
                if identity is None:
                    identity = identities[result.url] = page_identity(result.url)
            else:
                identity = _call_key(key, result, variant, rank)
            rows = pages.get(identity)
            if rows is None:
                pages[identity] = [(rank, variant, result)]
            else:
                rows.append((rank, variant, result))
    for rows in pages.values():
        if len(rows) > 1:
            rows.sort(key=_place)
    return pages


def _place(row: Row) -> tuple[int, str]:
    return row[0], row[1]


def weigh_rows(rows: Sequence[Row], k: int) -> tuple[float, int, int]:
    """A page's place in the order, small first: minus its score, its best rank, minus the number of its lists.

    `rows` are sorted by rank.  Only a list's first row scores.

    >>> weigh_rows([(1, "a", Result("u")), (2, "a", Result("u")), (2, "b", Result("u"))], 1)
    (-0.8333333333333334, 1, -2)
    """
    if len(rows) == 1:
        return -1 / (k + rows[0][0]), rows[0][0], -1
    best: dict[str, int] = {}
    for rank, variant, _ in rows:
        best.setdefault(variant, rank)
    numerator, denominator = add_reciprocals([k + rank for rank in best.values()])
    return -(numerator / denominator), rows[0][0], -len(best)


def add_reciprocals(numbers: Sequence[int]) -> tuple[int, int]:
    """1/a + 1/b + … as numerator and denominator: exact, so that equal sums give equal scores in whatever order they are added.

    Floats would not do: 1/6 + 1/6 + 1/6 + 1/6 + 1/6 + 1/6 is less than 1.  By halves, so that very many lists cost little.

    >>> add_reciprocals([2, 3])
    (5, 6)
    """
    if len(numbers) == 1:
        return 1, numbers[0]
    half = len(numbers) // 2
    (a, b), (c, d) = add_reciprocals(numbers[:half]), add_reciprocals(numbers[half:])
    return a * d + c * b, b * d


def build_page(identity: str, rows: Sequence[Row], rank: int, score: float) -> Merged:
    """The page as callers see it: its best result, and all the places where it was found."""
    if len(rows) == 1:
        place, variant, best = rows[0]
        sources: tuple[Source, ...] = (Source(variant, place, best.url),)
        return Merged(identity, best.url, best.title, best.snippet, best.extra, rank, score, sources)
    best = choose_best(rows)
    return Merged(
        identity=identity,
        url=best.url,
        title=best.title if best.title.strip() else choose_longest([r.title for _, _, r in rows]),
        snippet=best.snippet if best.snippet.strip() else choose_longest([r.snippet for _, _, r in rows]),
        extra=best.extra,
        rank=rank,
        score=score,
        sources=tuple([Source(variant, place, result.url) for place, variant, result in rows]),
    )


def choose_best(rows: Sequence[Row]) -> Result:
    """The best-ranked result; at one rank that with https, then that with a title, then the first by variant.

    >>> choose_best([(1, "a", Result("http://a.id")), (1, "b", Result("https://a.id")), (2, "a", Result("https://a.id/"))]).url
    'https://a.id'
    """
    tied = [row for row in rows if row[0] == rows[0][0]]
    return min(tied, key=lambda row: (not is_secure(row[2].url), not row[2].title.strip(), row[1]))[2]


def is_secure(url: str) -> bool:
    """Whether the address is https, as typed."""
    return url[:64].lstrip()[:6].lower() == "https:"


def choose_longest(texts: Sequence[str]) -> str:
    """The longest that says anything, the first of equals; nothing where none does.

    >>> choose_longest(["", "Kopi", "Kopi susu", "  "])
    'Kopi susu'
    """
    return max([text for text in texts if text.strip()], key=len, default="")


def read_result(item: object, variant: str, rank: int) -> Result:
    """A `Result` from what a search gave: itself, a URL, or a mapping with `url` whose unknown keys go to `extra`.

    A title or snippet of None is an empty one: search APIs give null for what they lack.

    >>> read_result({"url": "https://a.id", "title": None, "age": 3}, "kopi", 1)
    Result(url='https://a.id', title='', snippet='', extra={'age': 3})
    """
    if isinstance(item, str):
        return Result(item)
    if isinstance(item, Result):
        result = item
    elif isinstance(item, (dict, Mapping)):  # dict first, here and below: asking an abstract class takes ten times as long
        result = _read_mapping(item)
    else:
        raise TypeError(f"Result {rank} of the list {variant!r} is {_name_type(item)}; give a URL, a Result or a mapping with a url.")
    texts = isinstance(result.url, str) and isinstance(result.title, str) and isinstance(result.snippet, str)
    if not texts or not isinstance(result.extra, (dict, Mapping)):
        _refuse_result(result, variant, rank)
    return result


def _read_mapping(item: Mapping[str, Any]) -> Result:
    title, snippet, extra = item.get("title"), item.get("snippet"), item.get("extra")
    others = {} if item.keys() <= FIELDS else {name: value for name, value in item.items() if name not in FIELDS}
    if extra is None:
        extra = others
    elif others and isinstance(extra, Mapping):
        extra = {**extra, **others}
    return Result(item.get("url"), "" if title is None else title, "" if snippet is None else snippet, extra)  # type: ignore[arg-type]


def _refuse_result(result: Result, variant: str, rank: int) -> None:
    for name, value in (("url", result.url), ("title", result.title), ("snippet", result.snippet)):
        if not isinstance(value, str):
            raise TypeError(f"Result {rank} of the list {variant!r} has {_name_type(value)} as its {name}; give a str.")
    raise TypeError(f"Result {rank} of the list {variant!r} has {_name_type(result.extra)} as its extra; give a mapping.")


def _call_key(key: Callable[[Result], str], result: Result, variant: str, rank: int) -> str:
    identity = key(result)
    if not isinstance(identity, str):
        raise TypeError(f"key() gave {_name_type(identity)} for result {rank} of the list {variant!r}; it must give a str.")
    return identity


def _check_list(variant: object, items: object) -> None:
    if not isinstance(variant, str):
        raise TypeError(f"merge() found {variant!r} as the name of a list; give the variant's text, a str.")
    if isinstance(items, (str, bytes, bytearray)) or not isinstance(items, Sequence):
        raise TypeError(f"The list {variant!r} is {_name_type(items)}; give a list of results, best first.")


def _check_count(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"merge() needs an int as {name}, not {_name_type(value)}.")
    if value < 0:
        raise ValueError(f"merge() was given {name}={value}; it must be 0 or more.")
    return value


def _name_type(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
