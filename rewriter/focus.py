"""What the conversation is about: the things that its turns name, by who named them, how lately, and how they were spoken of since.

Time is counted in exchanges (a turn of the user and what is answered to it), since an answer speaks of what was asked.  A thing's
weight is that of its best mention, not the sum: what is talked about now beats what was talked about long.
"""

from __future__ import annotations

import re

from rewriter.agreement import agreement
from rewriter.context import Conversation
from rewriter.lean import Lean
from rewriter.model import Turn
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.shapes import see_turn
from rewriter.text.reference import IDENTITY, PLACING, RELATING
from rewriter.text.words import Word
from rewriter.topics import Topic, topics_of

__all__ = ["Entity", "entities_of"]

FADE = (100, 72, 56, 46, 39, 34, 30, 27, 24, 22, 20)
"""Percent that a mention is worth by the exchanges that have passed since: the next question mostly takes up the last one."""
ASKED = 100
"""Worth of the first thing that a turn of the user names."""
BESIDE = 82
"""Of a further thing in it."""
CARRIED = 104
"""Of the thing in focus when a turn of the user leans on it: it stays in focus before what that turn names beside it."""
BEHIND = 78
"""Of what such a turn names: `How is it related to GNI?` goes on about `it`."""
OBJECT = 70
"""Of common words behind a preposition in a question about something else (`the role of slavery`)."""
DEFINITE = 50
"""Of common words with which a turn leans: a part of what is talked about (`the drawing` of a lottery)."""
ANSWERED = 52
"""Of a name in an answer; the first is worth more than a further one."""
TOLD = 30
"""Of common words in an answer."""
IDENTIFIED = 112
"""Of the first name in an answer to a question for a name (`who directed it?`, `rekomendasi …`)."""
MOST_NAMES = 3
"""An answer with more names is a list, and none of them is what the talk is about."""
NAMED = 12
"""More for a name, a quoted title or a command than for common words."""
REACTION = 40
"""Percent for a turn of one or two common words (`insane`, `mantap sih`): more a reaction than a topic."""
AGAIN = 6
"""More for each further turn that names it, four at most."""
OPENING = 8
"""More for what the first turn named: what a conversation began with is what it is about."""


@record
class Entity:
    """A thing named in the turns: its text as written there, how it was seen, its weight, and the age of the turn that named it last.

    `asked` says that the user named it, `turns` in how many turns it stands, `opening` that the first turn is about it, `where` is the
    place that was said with it (`di bali`), and `placed` says that it is a place itself.
    """

    text: str
    kind: str
    weight: int
    age: int
    asked: bool = True
    turns: int = 1
    opening: bool = False
    where: str = ""
    placed: bool = False


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

    __slots__ = ("asked", "best", "first", "kind", "last", "opening", "placed", "text", "turns", "where", "words")

    def __init__(self, text: str, kind: str, words: frozenset[str]) -> None:
        self.text, self.kind, self.words = text, kind, words
        self.best: dict[int, int] = {}
        self.last, self.turns, self.asked, self.opening, self.first = 0, 0, False, False, False
        self.where, self.placed = "", False

    def weight(self, now: int) -> int:
        """Worth of the best mention, faded, and what repetition adds."""
        best = max([worth * FADE[min(now - at, len(FADE) - 1)] // 100 for at, worth in self.best.items()], default=0)
        return best + AGAIN * min(self.turns - 1, 4) + OPENING * self.opening

    def mention(self, exchange: int, worth: int) -> None:
        """A mention in an exchange; of several in one the best counts."""
        if worth > self.best.get(exchange, 0):
            self.best[exchange] = worth
        if len(self.best) > 3:  # the newest three decide: fading halves a mention in three exchanges
            del self.best[min(self.best)]


def _weigh(conversation: Conversation, resources: Resources) -> list[Entity]:
    things = _Things()
    newest = len(conversation.turns) - 1
    exchange, wants_name, named_now = -1, False, False
    for at in _window(conversation):
        turn, fact = conversation.turns[at], conversation.facts[at]
        topics = topics_of(turn, resources)
        if turn.role == "user":
            exchange += 1
            said = fact.line.split()
            wants_name = not IDENTITY.isdisjoint(said)
            named_now = any([t.kind != "topic" and not (t.text.isupper() and len(t.text) <= ACRONYM) for t in topics])
            _hear_user(things, topics, turn, said, at, exchange, resources)
        else:
            exchange = max(exchange, 0)
            if wants_name and not named_now:
                topics = _propose(topics, turn.content)
            proposes = not named_now and (wants_name or _is_proposal(topics, turn.content))
            _hear_answer(things, topics, at, exchange, proposes)
    found = [Entity(t.text, t.kind, t.weight(exchange), newest - t.last, t.asked, t.turns, t.first, t.where, t.placed) for t in things.all]
    return sorted(found, key=lambda e: (-e.weight, e.age, e.text))


WINDOW = 24
"""Turns in which things are looked for, beside the first turn of the user: what was named earlier has faded to a fifth."""


def _window(conversation: Conversation) -> list[int]:
    """The turns that are read, oldest first: the first of the user, then the newest; so a long talk costs no more than a short one."""
    size = len(conversation.turns)
    newest = range(max(size - WINDOW, 0), size)
    first = next((at for at in range(min(size, LATE_START)) if conversation.turns[at].role == "user"), 0)
    return [*([first] if first < newest.start else []), *newest]


LATE_START = 4
"""A conversation whose first turns are all answers has no opening."""


def _hear_user(
    things: _Things, topics: tuple[Topic, ...], turn: Turn, said: list[str], at: int, exchange: int, resources: Resources
) -> None:
    """What a turn of the user names, and what it leans on."""
    lean, words = see_turn(turn, resources)
    reaction = len(said) < 3 and all([t.kind == "topic" for t in topics])
    carries = bool(things.all) and not _names_anew(lean, words) and (lean is not None or not topics or reaction)
    if carries:
        asked = frozenset(said)
        head = lean.head if lean is not None else ""
        named = frozenset([w for t in topics for w in t.stems])
        free = [t for t in things.all if not t.words <= named] or things.all
        ranked = sorted([(t.weight(exchange), t.last, t.text, t) for t in free], key=lambda r: r[:3], reverse=True)[:BEST]
        focus = max(ranked, key=lambda r: (r[0] + agreement(head, r[2], r[3].kind, asked), *r[1:3]))[3]
        focus.mention(exchange, BESIDE if lean is not None and lean.shape in ("object", "relating") else CARRIED)
    start = words[lean.start].start if lean is not None and lean.start < len(words) else len(turn.content)
    end = words[lean.end - 1].end if lean is not None and lean.start < lean.end else start
    whole = lean is not None and lean.shape in ("common", "bare", "attribute", "kind")
    for place, topic in enumerate(topics):
        name = topic.kind != "topic"
        if not carries or (lean is not None and lean.shape in ("object", "relating")):
            relates = exchange and place == 0 and not RELATING.isdisjoint(said) and _BEFORE_OBJECT.search(turn.content, 0, topic.at)
            relates = relates or (len(topics) > 1 and _DOING.search(turn.content, 0, topic.at))
            worth = OBJECT if relates else BESIDE if place else ASKED
        else:
            worth = DEFINITE if not name and (whole or start <= topic.at < end) else BEHIND
        worth += NAMED if name else 0
        thing = things.find(topic, trusted=True)
        thing.mention(exchange, worth * REACTION // 100 if reaction and things.all[0] is not thing else worth)
        thing.last, thing.asked, thing.opening = at, True, thing.opening or exchange == 0
        thing.where, thing.placed = topic.where or thing.where, topic.placed or thing.placed
        thing.first = thing.first or (exchange == 0 and place < FIRST)
        thing.turns += 1


FIRST = 2
"""Things of the first turn that the conversation is said to be about."""


def _names_anew(lean: Lean | None, words: tuple[Word, ...]) -> bool:
    """`what about Ivanka?`, `I mean yoga`, `the Squad`: leans, and yet the thing named is what the talk goes on about."""
    if lean is None or lean.shape not in ("about", "short"):
        return False
    return lean.shape == "short" or (lean.end < len(words) and words[lean.end].folded not in PLACING)


BEST = 8
"""Of the things so far those with the most weight can be meant: the rest lags by more than agreement gives."""
_DOING = re.compile(r"(?i)\b(?:lagi|sedang) \Z")
"""`lagi puasa terus …`: what the user is doing, beside what is asked about."""
_BEFORE_OBJECT = re.compile(r"(?:\b(?:of|for|in|with|between) (?:the |a |an )?)\Z")


def _propose(topics: tuple[Topic, ...], content: str) -> tuple[Topic, ...]:
    """What a short answer without a name proposes (`Bisa minum ibuprofen.`) is the name that was asked for."""
    if any([t.kind != "topic" for t in topics]) or len(content.split()) > SHORT_ANSWER:
        return topics
    return tuple([replace(t, kind="name") if _PROPOSING.search(content, 0, t.at) else t for t in topics[:1]]) + topics[1:]


def _is_proposal(topics: tuple[Topic, ...], content: str) -> bool:
    """Does a short answer put a name forward, first of all or behind a verb that offers it, and not by the way (`lewat X`)?"""
    name = next((t for t in topics if t.kind != "topic"), None)
    if name is None or len(content.split()) > PROPOSING_ANSWER or _AGREES.match(content):
        return False
    return not content[: name.at].strip() or _PUTTING.search(content, 0, name.at) is not None


PROPOSING_ANSWER = 30
_AGREES = re.compile(r"(?i)(?:yes|no|yeah|yep|nope|iya|ya|tidak|nggak|gak|belum|sudah|betul|benar|masih)\b")
_PUTTING = re.compile(
    r"(?i)\b(?:coba|cobain|ada|bisa|pakai|pake|gunakan|pilih|seperti|misalnya|namanya|yaitu|adalah|ambil|beli|try|use|consider|get|recommend|suggest"
    r"|called|the|a|an|is|would be)(?: \w+)? \Z"
)
ACRONYM = 3
"""Letters of an acronym that may be the name of a kind (`HP`, `TV`, `AC`) and not of one thing."""
SHORT_ANSWER = 15
_PROPOSING = re.compile(
    r"(?i)\b(?:coba|cobain|minum|pakai|gunakan|pilih|namanya|disebut|try|use|take|consider|recommend|called)(?: \w+)? \Z"
)


def _hear_answer(things: _Things, topics: tuple[Topic, ...], at: int, exchange: int, wants_name: bool) -> None:
    """What an answer names: names before common words, the first before the others, the name that was asked for before all."""
    names = [t for t in topics if t.kind != "topic" and not t.text[0].isdigit()]
    for topic in topics:
        first = bool(names) and topic is names[0]
        wants_name = wants_name and len(names) <= MOST_NAMES
        if topic.kind != "topic":
            worth = IDENTIFIED if first and wants_name else ANSWERED + (NAMED if first else 0)
        else:
            worth = TOLD
        thing = things.find(topic, trusted=topic.kind != "topic" and topic.count > 1)
        thing.mention(exchange, worth + min(topic.count - 1, 3) * AGAIN)
        thing.last = at
        thing.turns += 1


class _Things:
    """All things so far, and the places at which each word stands in one: a long conversation names thousands."""

    def __init__(self) -> None:
        self.all: list[_Thing] = []
        self._places: dict[str, list[int]] = {}

    def find(self, topic: Topic, *, trusted: bool) -> _Thing:
        """The thing that a topic speaks of again (`the crust` after `oceanic crust`), or a new one.

        A fuller name takes the place of a shorter one; not so a run of common words in an answer, which may hold more than the name.
        """
        words = topic.stems
        for at in sorted({p for w in words for p in self._places.get(w, ())[-LATEST:]}, reverse=True):
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
            places = self._places.setdefault(word, [])
            if not places or places[-1] != at:
                places.append(at)


LATEST = 12
"""Of the things with a word the newest are looked at: a word that names hundreds tells none from another."""
