"""What the conversation is about: the things that its turns name, by how much and how lately they are spoken of."""

from __future__ import annotations

from rewriter.context import Conversation, Topic, topics_of
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.normalise import fold

__all__ = ["Entity", "entities_of"]

FADE = (100, 80, 64, 51, 41, 33, 26, 21, 17, 13, 11, 9)
"""Percent that a mention is worth by the age of its turn, newest first: a fifth less a turn, as the topic fades in talk."""
NAMED = 40
"""More for a name or a quoted title than for common words."""
LATER = 70
"""Percent for what a turn names after its first thing: the first is what the turn is about."""
ASSISTANT = 60
"""Percent for what only the assistant named."""
REACTION = 30
"""Percent for a turn of one or two common words (`insane`, `mantap sih`): more a reaction than a topic."""
CARRIED = 110
"""Worth of a pronoun in an earlier turn for the thing that was in focus: it stays in focus."""
_LEANS = frozenset("it its they them their he him his she her this that these those one ones itu ini tersebut dia mereka tadi".split())


@record
class Entity:
    """A thing named in the turns: its text as written there, how it was seen, its weight, and the age of the turn that named it last."""

    text: str
    kind: str
    weight: int
    age: int


def entities_of(conversation: Conversation, resources: Resources) -> tuple[Entity, ...]:
    """Everything that the turns name, the thing in focus first."""
    cache = resources.cache("entities")
    key = conversation.turns
    found: tuple[Entity, ...] | None = cache.get(key)
    if found is None:
        found = cache[key] = tuple(_weigh(conversation, resources))
    return found


class _Thing:
    """An entity in the making."""

    __slots__ = ("kind", "last", "text", "weights", "words")

    def __init__(self, text: str, kind: str, words: frozenset[str]) -> None:
        self.text, self.kind, self.words = text, kind, words
        self.weights: list[tuple[int, int]] = []
        self.last = 0


def _weigh(conversation: Conversation, resources: Resources) -> list[Entity]:
    things = _Things(resources)
    newest = len(conversation.turns) - 1
    for at, (turn, fact) in enumerate(zip(conversation.turns, conversation.facts, strict=True)):
        user = turn.role == "user"
        said = fact.line.split()
        topics = topics_of(turn, resources)
        if user and things.all and not _LEANS.isdisjoint(said):
            focus = max(things.all, key=lambda t: (_total(t, at), t.last, t.text))
            focus.weights.append((at, CARRIED))
        reaction = user and len(said) < 3 and all([t.kind == "topic" for t in topics])
        for place, topic in enumerate(topics):
            thing = things.find(topic, trusted=user or topic.kind != "topic")
            worth = 100 if place == 0 else LATER
            worth += NAMED if topic.kind != "topic" else 0
            share = REACTION if reaction else 100 if user else ASSISTANT
            thing.weights.append((at, worth * share // 100))
            thing.last = at
    found = [Entity(t.text, t.kind, _total(t, newest), newest - t.last) for t in things.all]
    return sorted(found, key=lambda e: (-e.weight, e.age, e.text))


def _total(thing: _Thing, now: int) -> int:
    return sum([worth * FADE[min(now - at, len(FADE) - 1)] // 100 for at, worth in thing.weights])


class _Things:
    """All things so far, and the places at which each word stands in one: a long conversation names thousands."""

    def __init__(self, resources: Resources) -> None:
        self.all: list[_Thing] = []
        self._places: dict[str, set[int]] = {}
        self._resources = resources

    def find(self, topic: Topic, *, trusted: bool) -> _Thing:
        """The thing that a topic speaks of again (`the crust` after `oceanic crust`), or a new one.

        A fuller name takes the place of a shorter one; not so a run of common words in an answer, which may hold more than the name.
        """
        words = frozenset([self._resources.stem(w) for w in fold(topic.text).split() if w not in en.FUNCTION and w not in id.FUNCTION])
        for at in sorted({p for w in words for p in self._places.get(w, ())}, reverse=True):
            thing = self.all[at]
            if words <= thing.words:
                return thing
            if thing.words < words and len(words) - len(thing.words) <= 2:
                if trusted:
                    thing.text, thing.words = topic.text, words
                    if topic.kind != "topic":
                        thing.kind = topic.kind
                    self._note(words, at)
                return thing
        self._note(words, len(self.all))
        self.all.append(_Thing(topic.text, topic.kind, words))
        return self.all[-1]

    def _note(self, words: frozenset[str], at: int) -> None:
        for word in words:
            self._places.setdefault(word, set()).add(at)
