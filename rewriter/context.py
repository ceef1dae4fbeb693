"""The conversation so far as data: which turns are read, what words they hold, which domains they speak of, what they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from rewriter.model import Turn
from rewriter.policy import ROLES, Policy
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text.keys import cue_keys
from rewriter.text.normalise import clean, words_in

__all__ = [
    "ContextItem", "Conversation", "TurnFacts", "cues_met", "cut_turn", "domain_phrases", "keys_of", "read_conversation", "read_turns",
]  # fmt: skip

MAX_TURN_CHARS = 20_000
"""Of a longer turn the beginning and the end are read, half each: pasted documents hide their point in neither middle."""
SHORT_TURN_CHARS = 300
"""Queries, of which many are remembered; of longer turns (answers) few are, since their words take a hundred times as much memory."""

ContextItem = Turn | Mapping[str, object] | str


@record
class TurnFacts:
    """A turn's words as lookup keys, the words of cues that only other forms of them meet, and its text as one line for phrases."""

    keys: frozenset[str]
    met: frozenset[str]
    line: str


@record
class Conversation:
    """The turns read, oldest first, with their facts.

    `ages` gives for each key the age of the newest turn that has it (0 newest), `met` the same for the words of cues that other forms meet.
    """

    turns: tuple[Turn, ...]
    facts: tuple[TurnFacts, ...]
    ages: Mapping[str, int]
    met: Mapping[str, int]

    def age_of(self, cue: str) -> int | None:
        """Age of the newest turn with a cue (a word or a phrase), None where no turn has it."""
        first, _, more = cue.partition(" ")
        if not more:
            return self.ages.get(cue)
        if first not in self.ages:
            return None
        needle = f" {cue} "
        return next((age for age, fact in enumerate(reversed(self.facts)) if needle in fact.line), None)


def read_turns(context: Sequence[ContextItem], query: str, policy: Policy) -> tuple[Turn, ...]:
    """The turns that a rewrite reads, oldest first.

    Raises `TypeError` for something that is no turn and `ValueError` for an unknown role; a last user turn that only
    repeats the query is dropped, and a turn that repeats the one before it.
    """
    if isinstance(context, (str, bytes)) or not isinstance(context, Sequence):
        raise TypeError(f"context must be a sequence of turns, not a {type(context).__name__}; put a single turn into a list.")
    turns = [_read_turn(item, number) for number, item in enumerate(context)]
    kept = [t for t in turns if t.role in policy.read_roles and t.content.strip()]
    if kept and kept[-1].role == "user" and clean(kept[-1].content).folded == clean(query[: policy.max_query_chars]).folded:
        kept.pop()
    said = [turn for i, turn in enumerate(kept) if not i or turn != kept[i - 1]]
    return tuple(said[-policy.max_turns :] if policy.max_turns else ())


def _read_turn(item: ContextItem, number: int) -> Turn:
    if isinstance(item, Turn):
        role, content = item.role, item.content
    elif isinstance(item, str):
        return Turn("user", item)
    elif isinstance(item, Mapping):
        role, content = item.get("role"), _content(item.get("content"), number)  # type: ignore[assignment]
    else:
        raise TypeError(f"context[{number}] is a {type(item).__name__}; a turn is a string, a Turn, or a mapping with role and content.")
    if role not in ROLES:
        raise ValueError(f"context[{number}] has the role {role!r}; known roles are {', '.join(ROLES)}.")
    if not isinstance(content, str):
        raise TypeError(f"context[{number}] has content of type {type(content).__name__}; it must be text.")
    return Turn(role, content)


def _content(content: object, number: int) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = [p.get("text") for p in content if isinstance(p, Mapping) and p.get("type") == "text"]
        return "\n".join([p for p in parts if isinstance(p, str)])
    raise TypeError(f"context[{number}] has content of type {type(content).__name__}; it must be a string, null, or a list of parts.")


def read_conversation(turns: tuple[Turn, ...], resources: Resources) -> Conversation:
    """Facts of each turn (kept by its text, so that a growing conversation is read once) and the index over all."""
    short, long = resources.cache("turn"), resources.cache("long turn")
    facts = []
    for turn in turns:
        key = (turn.role, turn.content)
        cache = short if len(turn.content) <= SHORT_TURN_CHARS else long
        fact = cache.get(key)
        if fact is None:
            fact = cache[key] = _read_facts(turn, resources)
        facts.append(fact)
    ages: dict[str, int] = {}
    met: dict[str, int] = {}
    for age, fact in zip(range(len(facts) - 1, -1, -1), facts, strict=True):  # the newest turn has the last word
        ages.update(dict.fromkeys(fact.keys, age))
        met.update(dict.fromkeys(fact.met, age))
    return Conversation(turns, tuple(facts), ages, met)


def keys_of(word: str, resources: Resources) -> tuple[str, ...]:
    """The forms under which a folded word meets a cue; those of the words of cues themselves stand in the pack."""
    cache = resources.cache("keys")
    found: tuple[str, ...] | None = cache.get(word)
    if found is None:
        found = cache[word] = resources.pack.cue_keys(word) or cue_keys(word, resources.stem, resources.zipf)
    return found


def cues_met(words: Iterable[str], resources: Resources) -> frozenset[str]:
    """The words of cues and names that folded words meet in any of their forms."""
    cache = resources.cache("met")
    met: list[str] = []
    for word in words:
        found: tuple[str, ...] | None = cache.get(word)
        if found is None:
            found = cache[word] = tuple([w for key in keys_of(word, resources) for w in (key, *resources.words_met(key))])
        met += found
    return frozenset(met)


def cut_turn(content: str) -> str:
    """Both ends of a text that is too long to be read whole."""
    return content if len(content) <= MAX_TURN_CHARS else content[: MAX_TURN_CHARS // 2] + "\n" + content[-MAX_TURN_CHARS // 2 :]


def _read_facts(turn: Turn, resources: Resources) -> TurnFacts:
    words = words_in(cut_turn(turn.content))
    keys = frozenset([*[k for w in dict.fromkeys(words) for k in keys_of(w, resources)], *domain_phrases(words, resources)])
    return TurnFacts(keys, cues_met(words, resources) - keys, f" {' '.join(words)} ")


def domain_phrases(words: Sequence[str], resources: Resources) -> list[str]:
    """Pairs of neighbours that together speak for a domain: `suku bunga`, `power supply`."""
    return [pair for a, b in pairwise(words) if resources.pack.domains_of(pair := f"{a} {b}")]
