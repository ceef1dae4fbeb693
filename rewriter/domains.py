"""Which domains the words speak of: sums over the domain tree, so that a sense is scored by its path alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rewriter.context import Conversation
from rewriter.lexicon.entries import nodes_of
from rewriter.resources import Resources

__all__ = ["Tree", "domain_score", "query_tree", "strongest_field", "turns_tree"]

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
    found: tuple[dict[str, int], dict[str, tuple[tuple[str, ...], int]]] | None = cache.get(conversation.turns)
    if found is None:
        words = _domain_words(conversation, resources)
        found = cache[conversation.turns] = ({}, words)
        for paths, worth in words.values():
            _add(found[0], paths, worth)
    whole, words = found
    mine = [words[k] for k in own if k in words]
    if not mine:
        return whole
    rest = dict(whole)
    for paths, worth in mine:
        _add(rest, paths, -worth)
    return rest


def _domain_words(conversation: Conversation, resources: Resources) -> dict[str, tuple[tuple[str, ...], int]]:
    """Each domain word of the turns with its domains and its worth; a turn without any does not age the others."""
    words = [(key, age, paths) for key, age in conversation.ages.items() if (paths := resources.domains_of(key))]
    places = {age: place for place, age in enumerate(sorted({age for _, age, _ in words}))}
    return {key: (paths, max(OLDEST, 100 - STEP * places[age])) for key, age, paths in words}


def query_tree(keys: Iterable[str], resources: Resources) -> Tree:
    """Domain words in the query (`keys_of` its words), 100 each, summed as in `turns_tree`."""
    tree: dict[str, int] = {}
    for key in keys:
        _add(tree, resources.domains_of(key), 100)
    return tree


def strongest_field(tree: Tree) -> int:
    """What the words say for the field (the first level) of which they speak most."""
    return max([n for path, n in tree.items() if "/" not in path], default=0)


def domain_score(domain: str, tree: Tree, strongest: int, weight: int) -> int:
    """What a tree says for a domain: `weight` hundredths for each word at each level that it shares with the domain.

    Nothing where the words speak twice as much of another field (`strongest_field`): a long text has words of every field.
    """
    top = tree.get(domain.partition("/")[0], 0)
    if not top or 2 * top < strongest:
        return 0
    return sum([tree.get(node, 0) for node in nodes_of(domain)]) * weight // 100


def _add(tree: dict[str, int], paths: Iterable[str], worth: int) -> None:
    """Add to each path and to what stands above it."""
    for path in paths:
        for node in nodes_of(path):
            tree[node] = tree.get(node, 0) + worth
