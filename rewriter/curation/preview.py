"""What a change of the lexicons does to logged queries: their plans before and after, grouped by the entries that made the difference.

A plan is a function of what the lexicons answer.  So the new plan of a query is made with resources that note whether a changed entry,
in its old or new shape, could have answered; where none could, the old plan is the same, and is not made at all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any

from rewriter.context import ContextItem
from rewriter.curation.cases import Case, check_plan
from rewriter.curation.logs import Logged
from rewriter.curation.pieces import Share, alone
from rewriter.engine import rewrite_with
from rewriter.lexicon.entries import Entry
from rewriter.lexicon.tables import MemoryForms, entry_key
from rewriter.model import Plan
from rewriter.pack.phrases import PhraseIndex
from rewriter.policy import Policy
from rewriter.record import record
from rewriter.resources import Resources, index_overlay

__all__ = ["Changed", "Noting", "Preview", "Regression", "name_of_key", "preview_log"]

_OF_ENTRIES = frozenset({"earlier", "entities", "leans", "plain", "plans", "topics", "turn"})
"""Caches of derived values that rest on entries: with them a second query would be answered without asking."""
Outcome = tuple[Plan | None, Plan | None, tuple[str, ...]]
Changes = Mapping[str, tuple[tuple[Entry, ...], tuple[Entry, ...]]]


class Noting(Resources):
    """Resources that note which of the changed entries a query could have met since `touched` was last emptied."""

    __slots__ = ("_changes", "_like", "_noted", "_probe", "touched")

    def __init__(self, like: Resources, changes: Changes) -> None:
        reopen, overlay, overlay_hash, memory, memory_hash, retired, use_base = like._made_of
        super().__init__(like.pack, reopen, overlay, overlay_hash, memory, memory_hash, retired, use_base=use_base)
        self._probe = MemoryForms(entry for pair in changes.values() for group in pair for entry in group)
        self.touched: set[str] = set()
        self._noted = (index_overlay(self._probe.entries, self), *super().phrase_indexes())
        self.touched = set()  # making the indexes asked for forms as well
        self._like, self._changes = like, changes

    def __reduce__(self) -> tuple[Any, ...]:
        return (Noting, (self._like, self._changes))

    def starting_at(self, text: str, start: int, ends: Container[int]) -> list[tuple[int, tuple[Entry, ...]]]:
        """As ever; notes changed entries whose form begins there."""
        for end, entries in self._probe.starting_at(text, start):
            if end in ends:
                self.touched.update(map(entry_key, entries))
        return super().starting_at(text, start, ends)

    def exact(self, form: str) -> tuple[Entry, ...]:
        """As ever; notes changed entries of the form."""
        self.touched.update(map(entry_key, self._probe.exact(form)))
        return super().exact(form)

    def jargon_of_words(self, key: str) -> tuple[str, tuple[Entry, ...]]:
        """As ever; notes changed jargon of these words."""
        form = self._probe.bag(key, self.stem)
        if form:
            self.touched.update(map(entry_key, self._probe.exact(form)))
        return super().jargon_of_words(key)

    def phrase_indexes(self) -> tuple[tuple[PhraseIndex, Callable[[int], Entry | None]], ...]:
        """As ever; notes changed jargon that the words of the query describe, and lets the others answer."""
        (index, entry_at), *others = self._noted

        def note(place: int) -> None:
            entry = entry_at(place)
            if entry is not None:
                self.touched.add(entry_key(entry))

        return ((index, note), *others)

    def cache(self, name: str) -> dict[Any, Any]:
        """As ever, but nothing that rests on entries is kept from one query to the next."""
        return {} if name in _OF_ENTRIES else super().cache(name)


@record
class Changed:
    """A query whose plan changes: how often it was logged, by which entries, and both plans."""

    query: str
    context: tuple[ContextItem, ...]
    count: int
    entries: tuple[str, ...]
    before: Plan
    after: Plan

    @property
    def asks(self) -> str:
        """`newly`, `no longer`, `otherwise`, or "" where asking back stays as it was."""
        was, now = self.before.clarification, self.after.clarification
        if was == now:
            return ""
        return "newly" if was is None else "no longer" if now is None else "otherwise"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        sides = {
            name: {"variants": [{"pattern": v.pattern, "text": v.text} for v in plan.variants], "asks": _question(plan)}
            for name, plan in (("before", self.before), ("after", self.after))
        }
        return {"query": self.query, "context": list(map(_turn, self.context)), "count": self.count, "entries": list(self.entries), **sides}


@record
class Regression:
    """A case that a version passes and the other fails; `failures` are what the failing one has against it."""

    name: str
    where: str
    fixed: bool
    failures: tuple[str, ...]


@record
class Preview:
    """Everything that a change does to a log and to cases."""

    entries: Changes
    queries: int
    asked: int
    touched: int
    changed: tuple[Changed, ...]
    regressions: tuple[Regression, ...]
    cases: int

    def by_entry(self) -> dict[str, list[Changed]]:
        """Entry → queries that it changes, the entry with the most logged queries first; one that changes none has an empty list."""
        groups: dict[str, list[Changed]] = {key: [] for key in self.entries}
        for one in self.changed:
            for key in one.entries:
                groups[key].append(one)
        return dict(sorted(groups.items(), key=lambda pair: (-sum(c.count for c in pair[1]), pair[0])))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        groups = self.by_entry()
        return {
            "entries_changed": len(self.entries),
            "queries": self.queries,
            "queries_asked_in_log": self.asked,
            "queries_touched": self.touched,
            "plans_changed": len(self.changed),
            "newly_asked": [c.query for c in self.changed if c.asks == "newly"],
            "no_longer_asked": [c.query for c in self.changed if c.asks == "no longer"],
            "by_entry": [{"entry": name_of_key(k), "queries": [c.query for c in group]} for k, group in groups.items()],
            "changes": [c.to_dict() | {"entries": [name_of_key(k) for k in c.entries]} for c in self.changed],
            "cases": self.cases,
            "regressions": [_case(r) for r in self.regressions if not r.fixed],
            "fixed": [_case(r) for r in self.regressions if r.fixed],
        }


def preview_log(
    log: Iterable[Logged],
    cases: Sequence[Case],
    old: Resources,
    new: Resources,
    changes: Changes,
    policy: Policy = Policy(),  # noqa: B008 (frozen)
    progress: Callable[[int], None] = lambda _: None,
    share: Share = alone,
) -> Preview:
    """Plans of a log and of cases under two lexicons that differ in `changes`; equal queries are planned once.

    `share` says who plans: this process alone, or several (`rewriter.curation.share`).
    """
    counts: dict[tuple[str, str], tuple[Logged, int]] = {}
    asked = 0
    for one in log:
        asked += one.count
        key = (one.query, repr(one.context))
        counts[key] = (one, counts[key][1] + one.count if key in counts else one.count)
    noting = Noting(new, changes)
    changed, touched = [], 0
    outcomes = share(_outcomes, [one for one, _ in counts.values()], (old, noting, policy))
    for number, ((one, count), (before, after, keys)) in enumerate(zip(counts.values(), outcomes, strict=True), 1):
        touched += bool(keys)
        if before is not None and after is not None:
            changed.append(Changed(one.query, one.context, count, keys, before, after))
        progress(number)
    regressions = [r for case in cases if (r := _compare_case(case, old, noting, policy)) is not None]
    ordered = tuple(sorted(changed, key=lambda c: (-c.count, c.query)))
    return Preview(changes, len(counts), asked, touched, ordered, tuple(regressions), len(cases))


def _outcomes(queries: Sequence[Logged], old: Resources, noting: Noting, policy: Policy) -> list[Outcome]:
    """`_both` of each query; no plan where nothing changes: none is sent from one process to another for nothing."""
    found = [_both(one.query, one.context, old, noting, policy) for one in queries]
    return [(before, None if before is None else after, keys) for before, after, keys in found]


def _both(
    query: str, context: Sequence[ContextItem], old: Resources, noting: Noting, policy: Policy
) -> tuple[Plan | None, Plan, tuple[str, ...]]:
    """The plan before (None: the same), the plan after, and the changed entries that could have a part in it."""
    noting.touched = set()
    after = rewrite_with(query, context, noting, policy)
    keys = tuple(sorted(noting.touched))
    if not keys:
        return None, after, ()
    before = rewrite_with(query, context, old, policy)
    same = _content(before) == _content(after)
    return (None if same else before), after, keys


def _content(plan: Plan) -> tuple[Any, ...]:
    """What a user of the plan sees: the searches and the question."""
    asked = plan.clarification
    options = (asked.question, *[(o.sense, o.query) for o in asked.options]) if asked else ()
    return (plan.queries, tuple([v.pattern for v in plan.variants]), options)


def _compare_case(case: Case, old: Resources, noting: Noting, policy: Policy) -> Regression | None:
    query, context = case.fields["query"], tuple(case.fields.get("context", ()))
    before, after, _ = _both(query, context, old, noting, policy)
    if before is None:
        return None
    was, now = check_plan(before, case.fields), check_plan(after, case.fields)
    if bool(was) == bool(now):
        return None
    return Regression(case.name, case.where, not now, tuple(now or was))


def name_of_key(key: str) -> str:
    """The key of an entry as people call it.

    >>> name_of_key("0 nano-banana.fruit"), name_of_key("2 kucing")
    ('nano-banana.fruit', 'kucing (translation)')
    """
    kind, _, name = key.partition(" ")
    return {"2": f"{name} (translation)", "3": f"{name} (slang)"}.get(kind, name)


def _question(plan: Plan) -> str | None:
    return plan.clarification.question if plan.clarification else None


def _turn(turn: ContextItem) -> Any:
    return dict(turn) if isinstance(turn, Mapping) else turn if isinstance(turn, str) else {"role": turn.role, "content": turn.content}


def _case(regression: Regression) -> dict[str, Any]:
    return {"case": regression.name, "where": regression.where, "failures": list(regression.failures)}
