"""A warm call: what `rewrite` costs in a process that has loaded its resources.

    python benchmarks/speed/warm.py QUERIES… [--limit N] [--json OUT]       # JSONL with `query`, text, or folders of such files

Every query is asked once: no plan and no word list of a query is met again.  The states:

- *no turns*: caches empty at the start, filled by the queries before (a service that gets one new query after the other);
- *no turns, first*: caches empty before each call (a process's first real query);
- *10 turns, seen* and *50 turns, seen*: every turn has been read by an earlier call (a conversation that grew);
- *10 turns, new* and *50 turns, new*: caches empty and no turn ever read (a conversation handed over whole).

Empty caches are those of a fresh copy of the resources, which has answered an invented query in each language, so that what is read
once a process (rules, domains) is not counted.  The turns of a query are the queries that stand before it in the files, user and
assistant in turn; where there are fewer than needed they repeat.  The garbage collector is on.  Beside the 99th percentile of the time
that passed stands that of processor time: where they differ, other programs had the processor.  The exponents are those of
total time = a · size ** exponent: 0 does not grow, 1 grows in proportion.
"""

from __future__ import annotations

import argparse
import copy
import gc
import random
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import Table, as_text, count_words, fit_exponent, percentile, read_queries, write_json
from rewriter import Policy, Resources, Turn, default_resources, rewrite

WARM_UP = ("contoh kalimat untuk pemanasan", "example sentence for warming up")
SEED = 7
MOST_WORDS = 13
"""Longer queries share a row."""
LEAST_FOR_P99 = 100
"""Of fewer calls the 99th percentile is only the slowest one."""
LEAST_FOR_ROW = 5
"""The median of fewer calls is chance, and is not shown for a language and length."""
TURN_SIZES = (5, 10, 20, 50, 100, 200)
WORD_SIZES = (4, 8, 16, 32, 64, 128, 256, 512)
SAMPLES = 25
"""Calls for each size of a fit."""
UNBOUNDED = Policy(max_query_chars=10**9)
"""For the fit alone: a query beyond the limit is not rewritten, so that its time says nothing."""


class State(NamedTuple):
    """So many turns, and whether the caches are empty before each call."""

    name: str
    turns: int
    first: bool


STATES = (
    State("no turns", 0, False),
    State("no turns, first", 0, True),
    State("10 turns, seen", 10, False),
    State("10 turns, new", 10, True),
    State("50 turns, seen", 50, False),
    State("50 turns, new", 50, True),
)


class Call(NamedTuple):
    """A timed call: the query, the language that its plan gives, milliseconds that passed and that the processor worked."""

    query: str
    language: str
    ms: float
    cpu_ms: float


def fresh_resources() -> Resources:
    """The shipped lexicons with empty caches, warmed up by an invented query in each language."""
    resources = copy.copy(default_resources())
    for query in WARM_UP:
        rewrite(query, WARM_UP[:1], resources=resources)
    return resources


def turns_before(queries: Sequence[str], at: int, count: int) -> tuple[Turn, ...]:
    """The `count` queries before `queries[at]` as turns, the newest last, beginning again at the end of the list.

    >>> [turn.content for turn in turns_before(["a", "b", "c"], 0, 2)]
    ['b', 'c']
    """
    others = max(1, len(queries) - 1)
    places = [(at - 1 - k % others) % len(queries) for k in range(count)]
    return tuple([Turn("assistant" if k % 2 else "user", queries[place]) for k, place in enumerate(places)][::-1])


def time_call(query: str, turns: Sequence[Turn], resources: Resources, policy: Policy = UNBOUNDED) -> Call:
    """One call, timed."""
    started, started_cpu = time.perf_counter_ns(), time.thread_time_ns()
    plan = rewrite(query, turns, resources=resources, policy=policy)
    worked, taken = time.thread_time_ns() - started_cpu, time.perf_counter_ns() - started
    return Call(query, plan.language, taken / 1e6, worked / 1e6)


def time_state(queries: Sequence[str], places: Sequence[int], state: State, policy: Policy) -> list[Call]:
    """The calls of a state for the queries at `places`."""
    resources = fresh_resources()
    gc.collect()
    calls = []
    for at in places:
        turns = turns_before(queries, at, state.turns)
        if state.first:
            resources = fresh_resources()
        elif turns:
            rewrite(WARM_UP[0], turns, resources=resources)  # reads the turns, not the query
        calls.append(time_call(queries[at], turns, resources, policy))
    return calls


def measure_warm(queries: Sequence[str], limit: int) -> dict[str, Any]:
    """All figures: states, languages and lengths, exponents."""
    every = range(len(queries))
    some = sorted(random.Random(SEED).sample(every, min(limit, len(queries))))
    states = {s.name: time_state(queries, every if s == STATES[0] else some, s, Policy()) for s in STATES}
    return {
        "queries": len(queries),
        "sampled": len(some),
        "states": [{"state": name, **describe(calls)} for name, calls in states.items()],
        "lengths": describe_lengths(states),
        "turns": fit_turns(queries, some),
        "words": fit_words(queries),
    }


def describe(calls: Sequence[Call]) -> dict[str, Any]:
    """Number, median and 99th percentile of calls."""
    taken, worked = [call.ms for call in calls], [call.cpu_ms for call in calls]
    enough = len(calls) >= LEAST_FOR_P99
    return {
        "calls": len(calls),
        "median_ms": statistics.median(taken) if taken else None,
        "p99_ms": percentile(taken, 99) if enough else None,
        "p99_cpu_ms": percentile(worked, 99) if enough else None,
    }


def describe_lengths(states: Mapping[str, Sequence[Call]]) -> list[dict[str, Any]]:
    """For each language and number of words the median of each state, and the 99th percentile of the first.

    The language is that of the query without turns: a conversation can decide it otherwise.
    """
    languages = {call.query: call.language for call in states[STATES[0].name]}
    cells: dict[tuple[str, int], dict[str, list[Call]]] = {}
    for name, calls in states.items():
        for call in calls:
            cell = languages[call.query], min(count_words(call.query), MOST_WORDS)
            cells.setdefault(cell, {}).setdefault(name, []).append(call)
    rows = []
    for (language, words), found in sorted(cells.items()):
        own = {name: describe(found.get(name, ())) for name in states}
        first = own[STATES[0].name]
        medians = {name: figures["median_ms"] if figures["calls"] >= LEAST_FOR_ROW else None for name, figures in own.items()}
        rows.append({
            "language": language, "words": words, "calls": first["calls"], "sampled": own[STATES[1].name]["calls"],
            "p99_ms": first["p99_ms"], "p99_cpu_ms": first["p99_cpu_ms"], "median_ms": medians,
        })  # fmt: skip
    return rows


def fit_turns(queries: Sequence[str], places: Sequence[int]) -> dict[str, Any]:
    """Medians over growing conversations, seen and new, with their exponents."""
    some = places[:: max(1, len(places) // SAMPLES)][:SAMPLES]
    medians = {
        name: [statistics.median([c.ms for c in time_state(queries, some, State(name, size, first), Policy())]) for size in TURN_SIZES]
        for name, first in (("seen", False), ("new", True))
    }
    return {"sizes": TURN_SIZES, "median_ms": medians, "exponents": {name: fit_exponent(TURN_SIZES, ms) for name, ms in medians.items()}}


def fit_words(queries: Sequence[str]) -> dict[str, Any]:
    """Medians over growing queries, made of the given ones strung together, with the exponent."""
    chance = random.Random(SEED)
    medians = []
    for size in WORD_SIZES:
        resources = fresh_resources()
        texts = [string_together(queries, size, chance) for _ in range(SAMPLES)]
        medians.append(statistics.median([time_call(text, (), resources).ms for text in texts]))
    return {"sizes": WORD_SIZES, "median_ms": medians, "exponent": fit_exponent(WORD_SIZES, medians)}


def string_together(queries: Sequence[str], size: int, chance: random.Random) -> str:
    """A text of `size` white-space chunks, from queries drawn by chance."""
    chunks: list[str] = []
    while len(chunks) < size:
        chunks += chance.choice(queries).split()
    return " ".join(chunks[:size])


def make_tables(figures: Mapping[str, Any]) -> list[Table]:
    """The figures as tables."""
    names = [state.name for state in STATES]
    states = tuple((s["state"], str(s["calls"]), _ms(s["median_ms"]), _ms(s["p99_ms"]), _ms(s["p99_cpu_ms"])) for s in figures["states"])
    lengths = tuple(
        (
            row["language"], f"{row['words']}+" if row["words"] == MOST_WORDS else str(row["words"]), str(row["calls"]), _ms(row["p99_ms"]),
            _ms(row["p99_cpu_ms"]), str(row["sampled"]), *[_ms(row["median_ms"][name]) for name in names],
        )
        for row in figures["lengths"]
    )  # fmt: skip
    turns, words = figures["turns"], figures["words"]
    fits = [
        (f"turns, {name}", str(turns["exponents"][name]), *_first_and_last(turns["sizes"], turns["median_ms"][name]))
        for name in ("seen", "new")
    ]
    fits.append(("words of the query", str(words["exponent"]), *_first_and_last(words["sizes"], words["median_ms"])))
    return [
        Table(
            f"Warm calls, {figures['queries']} distinct queries, each asked once",
            ("state", "calls", "median ms", "p99 ms", "p99 CPU ms"), states,
        ),
        Table(
            f"By language and words: median ms of each state; p99 of “no turns”, the other states over {figures['sampled']} queries",
            ("language", "words", "calls", "p99", "p99 CPU", "sampled", *names), lengths,
        ),
        Table("Growth", ("over", "exponent", "smallest", "median ms", "largest", "median ms"), tuple(fits)),
    ]  # fmt: skip


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _first_and_last(sizes: Sequence[int], medians: Sequence[float]) -> tuple[str, str, str, str]:
    return str(sizes[0]), _ms(medians[0]), str(sizes[-1]), _ms(medians[-1])


def main() -> None:
    """Print the tables; write the figures as JSON where asked."""
    parser = argparse.ArgumentParser(description="Warm calls of rewrite, without and with a conversation.")
    parser.add_argument("queries", type=Path, nargs="+", help="JSONL with `query`, text with a query a line, or folders of such files")
    parser.add_argument("--limit", type=int, default=600, help="queries for the states other than “no turns” (600)")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    figures = measure_warm(read_queries(options.queries), max(1, options.limit))
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
