"""Queries that lean on the conversation: seen by shape, resolved by what the turns name."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.context import Conversation
from rewriter.focus import Entity
from rewriter.lean import FAINT, Lean, is_empty
from rewriter.lists import find_item
from rewriter.placing import add_topic, place_referent
from rewriter.record import record, replace
from rewriter.referents import choose_referent, find_head, lasting_topics, rivals_of, situation
from rewriter.resources import Resources
from rewriter.shapes import read_words, see_lean
from rewriter.text import en, id
from rewriter.text.words import TOPIC, Word, as_text, inserted_words, replace_words
from rewriter.variation import asking_sentence, asks_of_it, vary_question

__all__ = ["FollowUp", "resolve_follow_up", "small_talk"]


@record
class FollowUp:
    """The query with its referent in place; `shape` says how the follow-up was seen, `entity` what it took.

    `rivals` are the query with each other thing that may be meant as well, where nothing decides.
    """

    words: tuple[Word, ...]
    shape: str
    entity: Entity
    rivals: tuple[FollowUp, ...] = ()


def small_talk(words: Sequence[Word]) -> bool:
    """Greetings, thanks, and commands to the chat itself: nothing to search."""
    spoken = [w.folded for w in words if w.spoken]
    if not spoken or len(spoken) > 6 or any(w.guard for w in words):
        return False
    if _TALK.issuperset(spoken):
        return not _GREETINGS.isdisjoint(spoken)
    return not _COMMANDS.isdisjoint(spoken) and _COMMANDING.issuperset(spoken)


_TALK_OBJECTS = frozenset("singkat lebih detail jawaban jawabannya tadi bahasa answer short shorter detail previous above".split())
_GREETINGS = id.GREETINGS | en.GREETINGS
_TALK = _GREETINGS | id.PARTICLES | en.PARTICLES
_COMMANDS = id.COMMANDS | en.COMMANDS
_COMMANDING = _COMMANDS | _TALK | id.FUNCTION | en.FUNCTION | _TALK_OBJECTS


def resolve_follow_up(words: tuple[Word, ...], conversation: Conversation, resources: Resources, language: str) -> FollowUp | str:
    """The query resolved from the conversation, or the reason why it is left alone (`complete`, `no-referent`)."""
    item = find_item(words, conversation, resources) if conversation.turns else None
    if item is not None:
        new = _bring_in(item.text, item.age, "resolve_ordinal", language, resources)
        if new:
            return FollowUp(replace_words(words, item.start, item.end, new), "ordinal", Entity(item.text, "item", 100, item.age))
    lean = see_lean(words, resources, language)
    if lean is None:
        return "complete"
    if not conversation.turns:
        return "no-referent" if lean.shape not in _QUIET else "complete"
    found = _resolve(words, lean, conversation, resources, language)
    return found or ("no-referent" if lean.shape not in _QUIET else "complete")


_QUIET = frozenset({"about", "common", "definite", "kind", "object", "relating", "short"})
"""Shapes of queries that may be complete as well."""


def _resolve(words: tuple[Word, ...], lean: Lean, conversation: Conversation, resources: Resources, language: str) -> FollowUp | None:
    whole = find_head(lean, words, conversation, resources) if lean.shape in ("demonstrative", "definite", "short") else None
    if lean.shape == "short" and whole is None:
        return None
    entity = whole or situation(lean, words, conversation, resources) or choose_referent(lean, words, conversation, resources)
    if entity is None:
        return None
    if lean.head == FAINT and not _has_word(words[lean.end].folded, conversation, resources):
        return None
    if lean.shape in ("about", "addition"):
        varied = _vary(words, lean, entity, conversation, resources, language)
        if varied is not None and _adds(varied.words, words):
            return varied
        element = words[lean.end : lean.last]
        if lean.shape == "about" and (sum([w.spoken for w in element]) > MOST_ADDED or not asks_of_it(element)):
            return None
    rule = f"resolve_{lean.shape}" + (TOPIC if entity.kind == "topic" else "")
    where = f" {entity.where}" if entity.where and _PLACES.isdisjoint([w.folded for w in words]) and lean.shape in _WITH_PLACE else ""
    new = _bring_in(entity.text + where, entity.age, rule, language, resources)
    if not new:
        return None
    placed = place_referent(words, lean, new, language, whole=whole is not None)
    for topic in lasting_topics(entity, lean, words, conversation, resources) if language == "en" else ():
        placed = add_topic(placed, _bring_in(f"({topic.text})", topic.age, "resolve_topic" + TOPIC, language, resources))
    rivals = []
    for rival in rivals_of(entity, lean, words, conversation, resources):
        other = _bring_in(rival.text, rival.age, rule, language, resources)
        rivals.append(FollowUp(place_referent(words, lean, other, language), lean.shape, rival))
    return FollowUp(placed, lean.shape, entity, tuple(rivals))


def _has_word(word: str, conversation: Conversation, resources: Resources) -> bool:
    """Does the last question have the same preposition?"""
    asked = _last_question(conversation, resources)
    return asked is not None and (word == "without" or word in [w.folded for w in asked[0]])


def _adds(varied: tuple[Word, ...], words: tuple[Word, ...]) -> bool:
    """Does the varied question say more than the query itself?"""
    said = frozenset([w.folded for w in words])
    return any([w.folded not in said and not is_empty(w) for w in varied])


def _vary(
    words: tuple[Word, ...], lean: Lean, entity: Entity, conversation: Conversation, resources: Resources, language: str
) -> FollowUp | None:
    """The last question of the user, itself resolved, with the new element of this one."""
    asked = _last_question(conversation, resources)
    if asked is None:
        return None
    sentence, age = asked
    end = lean.last
    while end > lean.end and not words[end - 1].spoken:
        end -= 1
    earlier = _bring_in(as_text(sentence), age, "resolve_about" + TOPIC, language, resources)
    varied = vary_question(earlier, words[lean.end : end], entity.text, resources)
    if varied is None:
        return None
    varied = (replace(varied[0], space=lean.start > 0), *varied[1:])
    return FollowUp((*words[: lean.start], *varied, *words[end:]), "about", Entity(as_text(sentence), "question", 100, age))


def _last_question(conversation: Conversation, resources: Resources) -> tuple[tuple[Word, ...], int] | None:
    """The asking sentence of the last turn of the user that is no talk, resolved from what stood before it; and the turn's age."""
    for at in range(len(conversation.turns) - 1, max(len(conversation.turns) - 1 - LOOK_BACK, -1), -1):
        turn = conversation.turns[at]
        if turn.role != "user":
            continue
        words, language = read_words(turn.content, resources)
        if small_talk(words):
            continue
        before = Conversation(conversation.turns[:at], conversation.facts[:at], {}, {})
        cache = resources.cache("earlier")
        found = cache.get(conversation.turns[: at + 1])
        if found is None:
            made = resolve_follow_up(words, before, resources, language)
            found = cache[conversation.turns[: at + 1]] = asking_sentence(
                tuple([w for w in made.words if not w.rule.startswith("resolve_topic")]) if isinstance(made, FollowUp) else words
            )
        return found, len(conversation.turns) - 1 - at
    return None


_PLACES = frozenset("di ke in at near dekat to from dari sana situ".split())
_WITH_PLACE = frozenset({"attribute", "bare", "common", "definite", "kind", "clitic", "pronoun", "quality", "subject"})
MOST_ADDED = 5
"""Spoken words: a longer `what about …` says itself what it is about."""
LOOK_BACK = 6
"""Turns in which the last question is looked for."""


def _bring_in(text: str, age: int, rule: str, language: str, resources: Resources) -> tuple[Word, ...]:
    """What a turn named, as words of the query."""
    return inserted_words(text, resources.token_rules(language), resources.zipf, rule, (f"turn -{age + 1}",), "rewrite")
