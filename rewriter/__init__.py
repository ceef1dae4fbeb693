"""Short queries, in Indonesian or English, rewritten as the searches worth running.

    >>> from rewriter import rewrite
    >>> plan = rewrite("cara hapus akun instagram")
    >>> plan.queries[0]
    'cara hapus akun instagram'

`rewrite` is a pure function of its arguments: no model, no network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rewriter.context import ContextItem
from rewriter.engine import rewrite_all_with, rewrite_with
from rewriter.errors import InputError, LexiconError, PackError, PlanError, RewriterError
from rewriter.model import Merged, Plan, Request, Result, Source, Turn, Variant
from rewriter.pack.load import default_resources, load_resources
from rewriter.policy import Policy
from rewriter.resources import Resources
from rewriter.version import __version__

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "InputError", "LexiconError", "Merged", "PackError", "Plan", "PlanError", "Policy", "Request", "Resources", "Result", "RewriterError",
    "Source", "Turn", "Variant", "__version__", "default_resources", "load_resources", "merge", "rewrite", "rewrite_all",
]  # fmt: skip

_DEFAULT_POLICY = Policy()


def rewrite(
    query: str, context: Sequence[ContextItem] = (), *, resources: Resources | None = None, policy: Policy = _DEFAULT_POLICY
) -> Plan:
    """Rewrite `query` as the search variants worth running, or as a question to ask back.

    `context` holds the turns before the query, oldest first: strings (the user's), `Turn` objects, or mappings with `role` and
    `content`.  `resources` defaults to the shipped lexicons.  No text makes it raise; a wrong type is a `TypeError`, an
    unknown role a `ValueError`.
    """
    return rewrite_with(query, context, default_resources() if resources is None else resources, policy)


def rewrite_all(requests: Iterable[Request], *, resources: Resources | None = None, policy: Policy = _DEFAULT_POLICY) -> Iterator[Plan]:
    """Plans for many requests, lazily and in order."""
    return rewrite_all_with(requests, default_resources() if resources is None else resources, policy)


def merge(
    results: Mapping[str, Sequence[Result | Mapping[str, Any] | str]],
    *,
    k: int = 60,
    depth: int | None = None,
    limit: int | None = None,
    key: Callable[[Result], str] | None = None,
) -> list[Merged]:
    """The union of what the variants found, by page identity and reciprocal rank.

    `results` maps a variant's text (or any label) to its results in rank order: `Result` objects, mappings with the fields of
    `Result`, or URLs.  `k` damps high ranks, `depth` reads only so many of each list, `limit` returns only so many pages,
    `key` gives another identity than the canonical URL.  A wrong type is a `TypeError`, a negative number a `ValueError`.
    """
    from rewriter.fusion import fuse  # the URL parser is loaded when results are merged, not before each search

    return fuse(results, k=k, depth=depth, limit=limit, key=key)
