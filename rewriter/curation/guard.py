"""What the lint would have against a change, before it is written: the findings that the old files do not have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from rewriter.curation.rows import names_of, row_of
from rewriter.io.lint import read_collection, shipped_senses
from rewriter.lexicon.checks import check_collection
from rewriter.lexicon.collection import Collection, Finding, Zipf
from rewriter.lexicon.parse import Located, kind_of, parse_file
from rewriter.pack.toml import load_toml
from rewriter.record import record

__all__ = ["Checked", "check_change", "collect"]

SMALL = 4_000
"""Entries up to which a whole lexicon is checked at each change (under a second); of a larger one, those that the change touches."""


@record
class Checked:
    """Findings that a change brings, the worst first."""

    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Those that nothing excuses."""
        return tuple([f for f in self.findings if f.severity == "error"])


def collect(root: Path, zipf: Zipf | None = None) -> Collection:
    """A lexicon as the lint sees it."""
    return read_collection([root], zipf=zipf) if root.exists() else read_collection([], zipf=zipf)


def check_change(before: Collection, texts: Mapping[str, str]) -> Checked:
    """What is wrong with the new `texts` (file → text) that was not wrong before, among all entries that they touch."""
    after, changed = _replaced(before, texts)
    if len(after.items) > SMALL:
        names = frozenset(name for item in changed for name in names_of(row_of(item)) if name)
        near = {id(i) for i in (*before.items, *after.items) if not names.isdisjoint(names_of(row_of(i)))}
        before, after = _narrowed(before, texts, near), _narrowed(after, texts, near)
    known = Counter((f.code, f.file, _stable(f.message)) for f in check_collection(before))
    fresh: list[Finding] = []
    for finding in check_collection(after):
        key = (finding.code, finding.file, _stable(finding.message))
        if known[key]:
            known[key] -= 1
        else:
            fresh.append(finding)
    return Checked(tuple(sorted(fresh, key=lambda f: (f.severity, f.file, f.line, f.code))))


def _stable(message: str) -> str:
    """A message without the lines of other files that it names: they move when something is added above."""
    return "".join(c for c in message if not c.isdigit())


def _replaced(before: Collection, texts: Mapping[str, str]) -> tuple[Collection, list[Located]]:
    """The collection with some files' new texts, and the entries that are new, changed or gone."""
    items: list[Located] = [item for item in before.items if item.file not in texts]
    problems = [p for p in before.problems if p.file not in texts]
    old: dict[str, list[Located]] = {}
    for item in before.items:
        if item.file in texts:
            old.setdefault(item.file, []).append(item)
    changed: list[Located] = []
    for file, text in texts.items():
        found, wrong = parse_file(file, text, load_toml) if kind_of(file) not in ("domains", "templates") else ([], [])
        items += found
        problems += wrong
        changed += _unlike(found, old.get(file, [])) + _unlike(old.get(file, []), found)
    order = {file: n for n, file in enumerate(sorted({i.file for i in items}))}
    items.sort(key=lambda i: (order[i.file], i.line))
    elsewhere = before.senses_elsewhere | shipped_senses(items)
    made = Collection(tuple(items), before.rules, tuple(problems), {**before.texts, **texts}, before.domains, elsewhere, before.zipf)
    return made, changed


def _unlike(items: Iterable[Located], others: Iterable[Located]) -> list[Located]:
    """Items whose fields no other item has."""
    seen = {repr(sorted(map(str, o.fields.items()))) for o in others}
    return [i for i in items if repr(sorted(map(str, i.fields.items()))) not in seen]


def _narrowed(collection: Collection, files: Iterable[str], near: set[int]) -> Collection:
    """The collection with the entries (by identity) that share a name with the change, and the texts of the changed files."""
    return Collection(
        tuple([i for i in collection.items if id(i) in near]),
        (),
        tuple([p for p in collection.problems if p.file in files]),
        {file: collection.texts[file] for file in files if file in collection.texts},
        collection.domains,
        collection.senses_elsewhere | {sense.id for _, sense in collection.senses},
        collection.zipf,
    )
