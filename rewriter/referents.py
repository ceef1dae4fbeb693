"""Which of the things that the conversation is about a query means."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.agreement import agreement
from rewriter.context import Conversation
from rewriter.focus import Entity, entities_of
from rewriter.lean import Lean
from rewriter.resources import Resources
from rewriter.shapes import read_words, see_turn
from rewriter.text import en, id
from rewriter.text.normalise import fold
from rewriter.text.reference import PLURAL_PRONOUNS, VERB_FORMS
from rewriter.text.words import Word, as_text

__all__ = ["choose_referent", "find_head", "lasting_topics", "rank_entities", "rivals_of", "situation"]

OF_A_KIND = -60
"""For `yang murah`, `a new one`: what only an answer named is one of the kind, not the kind."""
PLACE = 80
"""For `di sana`: what stood behind `di`, `ke`, `in`, `to`."""
NAME_AS_PLACE = 20

MOST = 60
"""Things that are compared: the rest is too faint to be meant."""


def rank_entities(lean: Lean, words: Sequence[Word], conversation: Conversation, resources: Resources) -> list[tuple[int, Entity]]:
    """The things of the conversation that the query does not name itself, best first, with their scores."""
    said = frozenset([resources.stem(w.folded) for w in words])
    asked = frozenset([w.folded for w in words])
    scored = []
    for entity in entities_of(conversation, resources)[:MOST]:
        parts = [p for p in fold(entity.text).split() if p not in en.FUNCTION]
        if said.issuperset([resources.stem(p) for p in parts]):
            continue
        score = entity.weight + agreement(lean.head, entity.text, entity.kind, asked)
        if not entity.asked and (lean.shape in ("quality", "one", "kind") or (lean.shape == "addition" and "yang" in asked)):
            score += OF_A_KIND
        if lean.shape == "there":
            score += PLACE if entity.placed else NAME_AS_PLACE if entity.kind == "name" else 0
        scored.append((score, entity))
    return sorted(scored, key=lambda s: (-s[0], s[1].age, s[1].text))


def choose_referent(lean: Lean, words: Sequence[Word], conversation: Conversation, resources: Resources) -> Entity | None:
    """What is meant, or None where the conversation names nothing that fits."""
    ranked = rank_entities(lean, words, conversation, resources)
    return ranked[0][1] if ranked and ranked[0][0] > 0 else None


def rivals_of(entity: Entity, lean: Lean, words: Sequence[Word], conversation: Conversation, resources: Resources) -> tuple[Entity, ...]:
    """Other names that may be meant as well: the alternatives of one turn (`BCA atau Mandiri`), of which nothing since took up one.

    Where the query compares (`bedanya`, `which`), or a pronoun is a plural, all are meant and none is asked for.
    """
    if (
        lean.shape not in ("clitic", "pronoun", "person")
        or lean.head in PLURAL_PRONOUNS
        or not _COMPARES.isdisjoint([w.folded for w in words])
    ):
        return ()
    turn = conversation.turns[len(conversation.turns) - 1 - entity.age]
    if entity.kind != "name" or any([t.role == "user" for t in conversation.turns[len(conversation.turns) - entity.age :]]):
        return ()
    ranked = [e for _, e in rank_entities(lean, words, conversation, resources)[:RIVALS]]
    return tuple(
        [
            e
            for e in ranked
            if e is not entity and e.kind == "name" and e.age == entity.age and _are_joined(entity.text, e.text, turn.content)
        ]
    )


RIVALS = 4
_COMPARES = frozenset(
    "beda bedanya perbedaan perbedaannya mana which better lebih mending difference selisih selisihnya both keduanya".split()
)
_ALTERNATIVE = frozenset({"atau", "or", "sama", "apa", "/", "ama"})


def _are_joined(one: str, other: str, content: str) -> bool:
    """Does the turn name the two as alternatives?"""
    places = sorted([(content.find(one), len(one)), (content.find(other), len(other))])
    return places[0][0] >= 0 and content[sum(places[0]) : places[1][0]].strip(" ,").lower() in _ALTERNATIVE


def find_head(lean: Lean, words: Sequence[Word], conversation: Conversation, resources: Resources) -> Entity | None:
    """The fuller name of what a definite noun names (`the experiment`: the Stanford Experiment)."""
    stem = resources.stem(lean.head)
    for _, entity in rank_entities(lean, words, conversation, resources):
        parts = fold(entity.text).split()
        if len(parts) > 1 and resources.stem(parts[-1]) == stem:
            return entity
    return None


def lasting_topics(
    entity: Entity, lean: Lean, words: Sequence[Word], conversation: Conversation, resources: Resources
) -> tuple[Entity, ...]:
    """What the conversation began with, where it says more than the referent alone (`melatonin`: against jet lag).

    Two names are alternatives and not a thing and its topic.  What the last answer does not speak of any more is no topic.
    """
    if lean.shape in ("demonstrative", "clitic", "quality", "addition", "subject"):
        return ()
    stem = resources.stem
    said = frozenset([stem(w.folded) for w in words] + [stem(p) for p in fold(entity.text).split()])
    found = []
    for other in entities_of(conversation, resources):
        parts = [stem(p) for p in fold(other.text).split() if p not in en.FUNCTION]
        alternatives = other.kind != "topic" and entity.kind != "topic"
        if not other.opening or len(parts) > MAX_TOPIC_WORDS or alternatives or not said.isdisjoint(parts):
            continue
        if _spoken_of(other, conversation, resources):
            found.append(other)
    return tuple(sorted(found, key=lambda e: (-e.turns, e.text)))[:MAX_TOPICS]


MAX_TOPICS = 2
MAX_TOPIC_WORDS = 4


def _spoken_of(entity: Entity, conversation: Conversation, resources: Resources) -> bool:
    """Does the last answer still speak of it?"""
    last = len(conversation.turns) - 1
    if last < 0 or conversation.turns[last].role != "assistant":
        return False
    keys = conversation.facts[last].keys
    return all([p in keys or resources.stem(p) in keys for p in fold(entity.text).split() if p not in en.FUNCTION])


def situation(lean: Lean, words: Sequence[Word], conversation: Conversation, resources: Resources) -> Entity | None:
    """What the user told in his last turn, for `is that normal?`, `how do I fix this?`, `kenapa`; None where he told nothing.

    A turn that asks or leans, or that is long, tells no situation; nor does a mere name of a thing.
    """
    asks_why = lean.shape in ("bare", "attribute") and {"why", "kenapa", "mengapa", "kok", "knp"} & {w.folded for w in words}
    if lean.head not in ("this", "that", "itu", "ini") and not asks_why:
        return None
    for age, turn in enumerate(reversed(conversation.turns[-2:])):
        if turn.role != "user":
            continue
        told, language = read_words(turn.content, resources)
        spoken = [w for w in told if w.spoken]
        if not TOLD[0] <= len(spoken) <= TOLD[1] or see_turn(turn, resources)[0] is not None:
            return None
        asks = any([w.folded in en.QUESTION or w.folded in id.QUESTION or w.folded in id.ATTRIBUTES or w.folded in _ASKING for w in spoken])
        acts = (
            any([w.folded in VERB_FORMS or w.folded.endswith("ing") for w in spoken]) if language == "en" else asks_why and len(spoken) <= 6
        )
        if asks or spoken[0].folded in en.AUXILIARIES or not acts:
            return None
        while told and (not told[0].spoken or told[0].folded in _OWN):
            told = told[1:]
        return Entity(as_text(_sentence(told)), "topic", 100, age) if len(told) >= TOLD[0] else None
    return None


TOLD = (3, 10)
"""Least and most words of a turn that tells a situation."""
_OWN = frozenset("my i i'm i've hi hello help saya aku gw gue halo".split())
_ASKING = frozenset("best cheap recommend rekomendasi manfaat tell show list compare bandingkan price buy beli cari hotels flights".split())


def _sentence(words: tuple[Word, ...]) -> tuple[Word, ...]:
    end = len(words)
    while end and not words[end - 1].spoken:
        end -= 1
    return words[:end]
