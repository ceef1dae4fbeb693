"""Words that speak for a domain without being listed there: learnt from the senses and lay terms that the lexicon keeps in it.

A curator writes a hundred words for a domain; the two thousand senses below it carry ten thousand more.  A word that is a cue of several
of them, and of few elsewhere, speaks for what they have in common (`mabar`: games); an unambiguous name speaks for the domain of its one
sense (`redmi`: gadgets).  Counted when a pack is compiled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rewriter.lexicon.entries import Domain, Entry, Jargon, Sense, nodes_of
from rewriter.text.normalise import fold

__all__ = ["domain_vocabulary"]

LEAST_SENSES = 2
"""A cue of one sense alone says nothing of its domain."""
LEAST_PERCENT = 60
"""Of the senses with a cue so many must lie at or below the domain."""


def domain_vocabulary(domains: Sequence[Domain], entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """Folded word or phrase → paths of the domains that it speaks for, sorted.

    What `domains` list themselves stands as it is.  Any other word gets the deepest domains that hold enough of the senses with it.
    """
    listed: dict[str, set[str]] = {}
    for domain in domains:
        for cue in domain.cues:
            listed.setdefault(cue, set()).add(domain.path)
    paths = {d.path for d in domains}
    entries = list(entries)
    found = {**_of_names(entries, paths), **_of_cues(entries, paths)}
    return {word: tuple(sorted(where)) for word, where in {**found, **listed}.items()}


def _of_cues(entries: Iterable[Entry], paths: set[str]) -> dict[str, set[str]]:
    """Words by the domains of the senses whose cues they are.  A sense counts once, and senses of one lexeme and domain together."""
    seen: dict[str, set[tuple[str, str]]] = {}
    for entry in entries:
        if isinstance(entry, Sense) and not entry.idiom and entry.domain in paths:
            lexeme = entry.id.partition(".")[0]
            for cue in entry.cues:
                seen.setdefault(cue, set()).add((lexeme, entry.domain))
    found: dict[str, set[str]] = {}
    for word, senses in seen.items():
        if len(senses) >= LEAST_SENSES:
            nodes = Counter(node for _, path in senses for node in nodes_of(path))
            strong = {node for node, n in nodes.items() if n >= LEAST_SENSES and 100 * n >= LEAST_PERCENT * len(senses)}
            deepest = {node for node in strong if not any(other.startswith(f"{node}/") for other in strong)}
            if deepest:
                found[word] = deepest
    return found


def _of_names(entries: Iterable[Entry], paths: set[str]) -> dict[str, set[str]]:
    """Forms with one sense that is no everyday word, names of senses, and lay and practitioners' terms: by their domain."""
    where: dict[str, set[str]] = {}
    common: set[str] = set()
    for entry in entries:
        if not isinstance(entry, (Sense, Jargon)) or entry.domain not in paths:
            continue
        names: list[str] = list(entry.forms)
        if isinstance(entry, Sense):
            if entry.idiom or entry.needs_cue:
                common.update(names)
                continue
            names += [entry.canonical_en, entry.canonical_id]
        else:
            names += [*entry.expert_en, *entry.expert_id]
        for name in names:
            where.setdefault(fold(name), set()).add(entry.domain)
    return {name: found for name, found in where.items() if name and len(found) == 1 and name not in common}
