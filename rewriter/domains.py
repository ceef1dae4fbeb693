"""Which domains the words speak of: sums over the domain tree, so that a sense is scored by its path alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rewriter.context import Conversation, keys_of
from rewriter.resources import Resources

__all__ = ["Tree", "domain_score", "profile_score", "query_tree", "turns_tree"]

OLDEST = 25
STEP = 8
"""A domain word in the last turn counts 100, eight less for each turn further back, never below 25: domains fade slower than cues."""

Tree = Mapping[str, int]


def turns_tree(conversation: Conversation, own: frozenset[str], resources: Resources) -> Tree:
    """Domain words in the turns: for each node of the tree the sum over all domains at and below it.

    Each word counts once, where it was said last.  The form's `own` words say nothing: that a turn holds `sd` too does not
    tell which.
    """
    cache = resources.cache("turns_tree")
    whole: dict[str, int] | None = cache.get(conversation.turns)
    if whole is None:
        whole = {}
        for key, age in conversation.ages.items():
            _add(whole, resources.domains_of(key), max(OLDEST, 100 - STEP * age))
        cache[conversation.turns] = whole
    mine = [k for k in own if k in conversation.ages and resources.domains_of(k)]
    if not mine:
        return whole
    rest = dict(whole)
    for key in mine:
        _add(rest, resources.domains_of(key), -max(OLDEST, 100 - STEP * conversation.ages[key]))
    return rest


def query_tree(keys: Iterable[str], resources: Resources) -> Tree:
    """Domain words in the query (`keys_of` its words), 100 each, summed as in `turns_tree`."""
    tree: dict[str, int] = {}
    for key in keys:
        _add(tree, resources.domains_of(key), 100)
    return tree


def domain_score(domain: str, tree: Tree, weight: int) -> int:
    """What a tree says for a domain: `weight` hundredths for each word at each level that it shares with the domain."""
    return sum([tree.get(node, 0) for node in _nodes(domain)]) * weight // 100 if tree else 0


PROFILE_WEIGHT = 10
"""Hundredths of a nat for a domain word, at a log-odds of one: a tenth of what a cue of that weight says itself."""


def profile_score(cues: Sequence[str], others: Sequence[Sequence[str]], tree: Tree, resources: Resources) -> int:
    """What domain words say for a sense whose own domain is not in the tree: by the domains of its cues against its rivals' cues.

    So a lexicon of words alone profits from the tree: a context of kitchen words speaks for the sense whose cues are kitchen words.
    """
    mine = _profile(cues, resources)
    rivals = [_profile(o, resources) for o in others]
    if not mine or not rivals:
        return 0
    total = 0
    for path in sorted(mine[0].keys() | {p for r in rivals if r for p in r[0]}):
        hits = tree.get(path, 0)
        if hits:
            share = (2 * mine[0].get(path, 0) + 1) / (2 * mine[1] + 2)
            rival = max([(2 * r[0].get(path, 0) + 1) / (2 * r[1] + 2) for r in rivals if r] or [share])
            total += round(hits * PROFILE_WEIGHT * math.log(share / rival)) // 100
    return total


def _profile(cues: Sequence[str], resources: Resources) -> tuple[dict[str, int], int] | None:
    """How many cues speak for each domain, and for all together; kept for each list of cues."""
    cache = resources.cache("profile")
    key = tuple(cues)
    if key not in cache:
        counts: dict[str, int] = {}
        for word in dict.fromkeys([k for cue in cues for k in keys_of(cue, resources)]):
            for path in resources.domains_of(word):
                counts[path] = counts.get(path, 0) + 1
        cache[key] = (counts, sum(counts.values())) if counts else None
    found: tuple[dict[str, int], int] | None = cache[key]
    return found


def _add(tree: dict[str, int], paths: Iterable[str], worth: int) -> None:
    """Add to each path and to what stands above it."""
    for path in paths:
        for node in _nodes(path):
            tree[node] = tree.get(node, 0) + worth


def _nodes(path: str) -> Iterator[str]:
    """A path and what stands above it, from the top: `food`, `food/fruit`."""
    at = 0
    while at >= 0:
        at = path.find("/", at + 1)
        yield path if at < 0 else path[:at]
