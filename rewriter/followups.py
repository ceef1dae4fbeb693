"""Queries that lean on the conversation: seen by shape, resolved by what the turns name last."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.context import Conversation
from rewriter.focus import Entity, entities_of
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.empty import EMPTY
from rewriter.text.normalise import fold
from rewriter.text.words import TOPIC, Word, inserted_words, replace_words

__all__ = ["FollowUp", "resolve_follow_up", "small_talk"]

_TIME = frozenset(
    """
    hari minggu bulan tahun malam pagi siang sore saat detik waktu kali musim akhir awal zaman jaman abad dekade week month year
    morning evening night time day weekend summer winter season
    """.split()
)
_PERSON = frozenset("dia ia beliau mereka he him his she her hers they them their".split())
_EN_POSSESSIVE = frozenset({"its", "their", "theirs", "his", "her", "hers"})
_DUMMY_AFTER = frozenset(
    """
    take takes cost possible safe better worth true legal ok okay normal bad good necessary important rain snow raining
    """.split()
)
_FIXED_BEFORE_IT = frozenset({"worth", "make", "made", "call"})
_OPENING = frozenset("kalau kalo klo terus trus lalu and what how but or also versus vs".split())
_PLACING = frozenset("in on at for with from without near under over to buat untuk di ke dari pakai pake dengan tanpa bagi pada".split())
_THING = frozenset("itu ini tersebut tadi".split())


@record
class FollowUp:
    """The query with its referent in place; `shape` says how the follow-up was seen, `entity` what it took."""

    words: tuple[Word, ...]
    shape: str
    entity: Entity


def small_talk(words: Sequence[Word]) -> bool:
    """Greetings, thanks, and commands to the chat itself: nothing to search."""
    spoken = [w.folded for w in words if w.spoken]
    if not spoken or len(spoken) > 6 or any(w.guard for w in words):
        return False
    if _TALK.issuperset(spoken):
        return not _GREETINGS.isdisjoint(spoken)
    return not _COMMANDS.isdisjoint(spoken) and _COMMANDING.issuperset(spoken)


_TALK_OBJECTS = frozenset(
    """
    singkat lebih detail jawaban jawabannya tadi bahasa answer short shorter detail previous above
    """.split()
)


def resolve_follow_up(words: tuple[Word, ...], conversation: Conversation, resources: Resources, language: str) -> FollowUp | str:
    """The query resolved from the conversation, or the reason why it is left alone (`complete`, `no-referent`)."""
    chosen = _resolve_ordinal(words, conversation, resources, language)
    if chosen is not None:
        return chosen
    seen = _see_shape(words, resources)
    if seen is None:
        return _resolve_definite(words, conversation, resources, language) or "complete"
    shape, at, end = seen
    if not conversation.turns:
        return "no-referent"
    entity = _referent(words, conversation, resources, words[at].folded if shape in ("person", "pronoun") else "")
    if entity is None:
        return "no-referent"
    rule = f"resolve_{shape}" + (TOPIC if entity.kind == "topic" else "")
    new = _bring_in(entity.text, entity.age, rule, language, resources)
    if not new:
        return "no-referent"
    resolved = _place(words, shape, at, end, new, language)
    return FollowUp(resolved, shape, entity)


_GREETINGS = id.GREETINGS | en.GREETINGS
_TALK = _GREETINGS | id.PARTICLES | en.PARTICLES
_COMMANDS = id.COMMANDS | en.COMMANDS
_COMMANDING = _COMMANDS | _TALK | id.FUNCTION | en.FUNCTION | _TALK_OBJECTS


def _see_shape(words: Sequence[Word], resources: Resources) -> tuple[str, int, int] | None:
    """How the query leans on what was said: (shape, start, end) of the words that the referent replaces or follows."""
    spoken = [i for i, w in enumerate(words) if w.spoken]
    if not spoken or len(spoken) > 9:
        return None
    folded = [w.folded for w in words]
    content = [i for i in spoken if not _empty(words[i])]
    named = [i for i in content if words[i].guard or not _attribute(folded[i])]
    # 1. -nya on an attribute or a verb, with nothing beside it that it could belong to
    for i in spoken:
        cut = None if words[i].guard else id.detach_clitic(folded[i])
        if not cut or cut[1] != "nya" or folded[i] in _NOT_CLITIC or not resources.zipf(cut[0])[0]:
            continue
        follows = [j for j in spoken if j > i and not _empty(words[j]) and not _is_quality(folded[j])]
        before = [j for j in named if j < i and not _verb(folded[j])]
        others = [j for j in content if j != i]
        if others and len(content) <= 4 and all([_common(words[j], resources) for j in others]) and cut[0] not in id.ATTRIBUTES:
            return ("clitic", i, i + 1)  # "tier gratisnya limit berapa"
        if not follows and not before and (cut[0] in id.ATTRIBUTES or cut[0].startswith(("me", "di")) or len(named) <= 1):
            return ("clitic", i, i + 1)
    # 2. pronouns
    for i in spoken:
        word = folded[i]
        if word in _PERSON:
            return ("person", i, i + 1)
        if word in ("it", "its") and not (i and folded[i - 1] in _FIXED_BEFORE_IT) and not _dummy(folded, i, len(named)):
            return ("pronoun", i, i + 1)
        if word in ("this", "that", "these", "those") and _stands_alone(folded, i):
            return ("pronoun", i, i + 1)
        if word in _THING and _points_back(words, folded, i, content):
            return ("pronoun", i, i + 1)
        if (
            word in ("one", "ones")
            and i
            and folded[i - 1] in ("the", "which", "that", "this", "first", "second", "last", "cheaper", "better")
        ):
            return ("ellipsis", 0, 0)
    # 3. a subject left out: "bisa online ga", "buka jam berapa"
    asked = folded[spoken[-1]] in id.QUESTION_TAGS or any([folded[i] in id.QUESTION for i in spoken])
    said = [i for i in named if folded[i] not in _MODAL_OR_TAG]
    if asked and len(spoken) <= 4 and len(said) <= 1 and not any([words[i].text[:1].isupper() for i in said]):
        if folded[spoken[0]] in id.MODALS and folded[spoken[-1]] in id.QUESTION_TAGS:
            return ("subject", 0, 0)
        if folded[spoken[0]] in id.EVENTS and all([folded[i] in id.EVENTS for i in said]):
            return ("subject", 0, 0)
    # 4. a bare quality or part: "yang murah", "kalau buat anak", "and in the US", "what about the pro"
    first = folded[spoken[0]]
    if first == "yang" and len(content) <= 3:
        return ("quality", 0, 0)
    if first in _OPENING and _opens(folded, spoken) and len(content) <= 4:
        end = _opening_end(folded, spoken)
        if not any([words[i].text[:1].isupper() for i in named]) or (folded[end : end + 1] and folded[end] in _PLACING):
            return ("addition", 0, end)
        return None
    # 5. only attributes and questions: "harga", "kapan rilis", "side effects", "kenapa"
    if content and not named and len(content) <= 4:
        return ("attribute", _behind_attribute(folded, spoken), 0)
    if len(named) == 1 and len(content) <= 3 and not words[named[0]].text[:1].isupper() and _RELATIONAL.intersection(folded):
        return ("attribute", named[0] + 1, 0)
    if not content and len(spoken) <= 3 and not _QUESTIONS.isdisjoint(folded):
        return ("question", 0, 0)
    return None


_MODAL_OR_TAG = id.MODALS | id.QUESTION_TAGS
_QUESTIONS = id.QUESTION | en.QUESTION
_ASKS = en.ATTRIBUTES | en.GENERIC | id.ATTRIBUTES
_RELATIONAL = frozenset("main key other similar typical different lain lainnya serupa utama".split())
"""`the main layers`, `other sources`: of something that was named before."""


def _common(word: Word, resources: Resources) -> bool:
    """A word of the language, no name and no number."""
    return not word.guard and not word.text[:1].isupper() and max(resources.language_zipf(word.folded)) >= 300


def _behind_attribute(folded: Sequence[str], spoken: Sequence[int]) -> int:
    """Index behind the last noun that asks for something of the referent; 0 where only verbs ask."""
    places = [i for i in spoken if folded[i] in _ASKS and folded[i] not in _QUALITIES]
    return places[-1] + 1 if places else 0


def _empty(word: Word) -> bool:
    return not word.spoken or (not word.guard and word.folded in EMPTY)


_QUALITIES = frozenset(
    """
    murah mahal bagus jelek baik buruk besar kecil baru lama cepat lambat mudah gampang susah sulit aman bahaya enak terbaru
    terbaik cheap good bad new old
    """.split()
)
_NOT_CLITIC = frozenset(
    """
    hanya punya tanya biasanya sebenarnya akhirnya misalnya sepertinya kayaknya rasanya pokoknya maksudnya artinya bertanya
    menanya penanya buahnya
    """.split()
)


def _is_quality(word: str) -> bool:
    return word in _QUALITIES


def _attribute(word: str) -> bool:
    cut = id.detach_clitic(word)
    english = word in en.ATTRIBUTES or word in en.GENERIC or word in en.VERBS or word in _RELATIONAL
    return english or word in id.ATTRIBUTES or bool(cut and cut[0] in id.ATTRIBUTES) or _is_quality(word)


def _verb(word: str) -> bool:
    return word.startswith(("me", "di", "ber"))


def _dummy(folded: Sequence[str], i: int, named: int) -> bool:
    """`how long does it take to …`, `is it safe to …`: nothing is meant by `it` when the query is complete without it."""
    after = folded[i + 1 : i + 3]
    return named >= 3 and any(w in _DUMMY_AFTER for w in after)


def _stands_alone(folded: Sequence[str], i: int) -> bool:
    """`is that true`, `how does this work`: a pronoun; `this phone`, `the phone that breaks`: none."""
    after = folded[i + 1] if i + 1 < len(folded) else ""
    before = folded[i - 1] if i else ""
    if not any(c.isalnum() for c in after):
        return True
    return before in _BEFORE_PRONOUN and (
        after in en.FUNCTION or after in ("work", "mean", "true", "cost", "happen", "works", "happens", "called", "safe", "good")
    )


_BEFORE_PRONOUN = en.AUXILIARIES | frozenset("about of for with like than to why do use".split())


def _points_back(words: Sequence[Word], folded: Sequence[str], i: int, content: Sequence[int]) -> bool:
    before = folded[i - 1] if i else ""
    if i and words[i - 1].text[:1].isupper() and words[i - 1].lang != "id":
        return False  # "Siti Badriah itu": named already
    after = next((j for j in range(i + 1, len(words)) if words[j].spoken), None)
    if before in _TIME or before in ("apa", "siapa", "seperti", "begitu", "kayak"):
        return before in ("seperti", "kayak")
    if after is not None and not _empty(words[after]) and before in ("", "apa"):
        last = next(w.folded for w in reversed(words) if w.spoken)
        return before == "" and folded[i] in ("itu", "ini") and last in id.QUESTION_TAGS and len(content) <= 3  # "itu halal ga"
    return len(content) <= 3 and (after is None or _empty(words[after]) or before in EMPTY)


def _opens(folded: Sequence[str], spoken: Sequence[int]) -> bool:
    first = folded[spoken[0]]
    second = folded[spoken[1]] if len(spoken) > 1 else ""
    if first in ("what", "how"):
        return second == "about"
    return len(spoken) > 1


def _opening_end(folded: Sequence[str], spoken: Sequence[int]) -> int:
    return spoken[1] + 1 if folded[spoken[0]] in ("what", "how") else spoken[0] + 1


CLOSE = 50
"""Percent of the weight of the thing in focus that another must have to be taken for its number or kind."""


def _referent(words: Sequence[Word], conversation: Conversation, resources: Resources, pronoun: str) -> Entity | None:
    """What is meant: the thing in focus that the query does not name itself.

    A person's pronoun takes a full name, `they` something plural and `it` something singular, where one is close to the focus.
    """
    said = {w.folded for w in words}
    entities = [e for e in entities_of(conversation, resources) if not said.issuperset(fold(e.text).split())]
    if not entities:
        return None
    if pronoun in _PERSON and pronoun not in ("they", "them", "their"):
        return next((e for e in entities if e.kind == "name" and " " in e.text), entities[0])
    if pronoun in ("they", "them", "their", "these", "those"):
        return next((e for e in _close(entities) if _is_plural(e.text)), entities[0])
    things = [e for e in entities if _persons_none(e.text)] or entities
    if pronoun in ("it", "its", "this", "that"):
        return next((e for e in _close(things) if not _is_plural(e.text)), things[0])
    return things[0]


def _close(entities: Sequence[Entity]) -> list[Entity]:
    return [e for e in entities if e.weight * 100 >= entities[0].weight * CLOSE]


def _persons_none(text: str) -> bool:
    return fold(text).split()[-1] not in _PERSONS_TOLD


_PERSONS_TOLD = en.PERSONS | id.PERSONS


def _is_plural(text: str) -> bool:
    last = fold(text).split()[-1]
    return (len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "'s"))) or f" and {last}" in f" {fold(text)}"


ORDINALS = {
    "pertama": 0, "kesatu": 0, "kedua": 1, "ketiga": 2, "keempat": 3, "kelima": 4, "terakhir": -1, "first": 0, "second": 1, "third": 2,
    "fourth": 3, "fifth": 4, "last": -1, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4,
}  # fmt: skip
_ITEM = re.compile(r"(?:^|\s)(?:\d{1,2}[.)]|[-*•])\s+(.+?)(?=\s\d{1,2}[.)]\s|\s[-*•]\s|\n|\Z)", re.DOTALL)
_ITEM_END = re.compile(r"\s*(?:[:–—(]|\s-\s|[.,;]?\s*\Z).*", re.DOTALL)


def _resolve_ordinal(words: tuple[Word, ...], conversation: Conversation, resources: Resources, language: str) -> FollowUp | None:
    """`yang kedua`, `nomor 2`, `the second one`: the item of the list that the assistant gave last."""
    texts = [w.folded for w in words]
    at = next(
        (
            i
            for i, t in enumerate(texts[:-1])
            if t in ("yang", "nomor", "no", "opsi", "the", "number", "option") and texts[i + 1] in ORDINALS
        ),
        None,
    )
    if at is None or sum([w.spoken for w in words]) > 9:
        return None
    end = at + 2 + (texts[at + 2 : at + 3] in (["one"], ["option"], ["item"]))
    if texts[at] == "the" and end == at + 2 and end < len(words) and words[end].spoken and texts[end] not in EMPTY:
        return None  # "the first dune" is no item of a list
    for age, turn in enumerate(reversed(conversation.turns)):
        if turn.role != "assistant":
            continue
        items = [_ITEM_END.sub("", item) for item in _ITEM.findall(turn.content)]
        place = ORDINALS[texts[at + 1]]
        if len(items) < 2 or place >= len(items) or not items[place]:
            return None
        item = " ".join(items[place].split()[:6])
        new = _bring_in(item, age, "resolve_ordinal", language, resources)
        return FollowUp(replace_words(words, at, end, new), "ordinal", Entity(item, "item", 100, age)) if new else None
    return None


def _resolve_definite(words: tuple[Word, ...], conversation: Conversation, resources: Resources, language: str) -> FollowUp | None:
    """`the experiment` after `the Stanford Experiment`: a definite noun that is the head of a name takes the name."""
    if language != "en" or not conversation.turns:
        return None
    said = {w.folded for w in words}
    for i in range(len(words) - 1):
        noun = words[i + 1]
        ends = i + 2 >= len(words) or not words[i + 2].spoken or words[i + 2].folded in EMPTY
        if words[i].folded != "the" or noun.guard or not ends or len(noun.folded) < 4:
            continue
        stem = resources.stem(noun.folded)
        for entity in entities_of(conversation, resources):
            parts = fold(entity.text).split()
            if len(parts) > 1 and resources.stem(parts[-1]) == stem and not said.issuperset(parts):
                new = _bring_in(entity.text, entity.age, "resolve_definite", language, resources)
                return FollowUp(replace_words(words, i + 1, i + 2, new), "definite", entity)
    return None


def _bring_in(text: str, age: int, rule: str, language: str, resources: Resources) -> tuple[Word, ...]:
    """What a turn named, as words of the query."""
    return inserted_words(text, resources.token_rules(language), resources.zipf, rule, (f"turn -{age + 1}",), "rewrite")


def _place(words: tuple[Word, ...], shape: str, at: int, end: int, new: tuple[Word, ...], language: str) -> tuple[Word, ...]:
    """The referent where the language wants it: behind the noun of `-nya`, for a pronoun, before `yang …`, behind an attribute."""
    if shape == "clitic":
        word = words[at]
        stem = word.folded[:-3].rstrip("-")
        if stem.startswith(("ng", "ny")) or stem == "cara":
            stem = word.text[: len(stem)]
        bare = replace(word, text=word.text[: len(stem)], folded=stem, kind="rewrite", rule="detach_clitic")
        if not word.text.lower().startswith(stem):
            bare = replace(bare, text=stem)
        return replace_words(words, at, end, (bare, *new))
    if shape in ("pronoun", "person"):
        if words[at].folded in _EN_POSSESSIVE:
            last = new[-1]
            mark = "'" if last.folded.endswith("s") else "'s"
            new = (*new[:-1], replace(last, text=last.text + mark, folded=last.folded + mark))
        before = words[at - 1].folded if at else ""
        noun = at and words[at].folded in _THING and not _empty(words[at - 1]) and not _attribute(before) and not _verb(before)
        return replace_words(words, at - 1 if noun else at, end, new)
    core = _without_end_mark(words)
    tail = words[len(core) :]
    link = replace(new[0], text="of", folded="of", space=True)
    if shape == "attribute" and language == "en" and 0 < at and core[0].folded in _ASKED | en.COMMANDS | _TELL:
        return (*words[:at], link, *new, *words[at:])
    if shape in ("quality", "subject", "addition") or (language == "en" and core and core[0].folded not in _ASKED):
        rest = core[end:] if shape == "addition" else core
        return (replace(new[0], space=False), *new[1:], *(rest and (replace(rest[0], space=True), *rest[1:])), *tail)
    if language == "en" and core and core[-1].folded not in ("of", "for", "with", "about", "in", "on", "to"):
        return (*core, link, *new, *tail)
    return (*core, *new, *tail)


_ASKED = en.QUESTION | en.AUXILIARIES
_TELL = frozenset({"tell", "give", "show", "list", "describe", "explain"})


def _without_end_mark(words: tuple[Word, ...]) -> tuple[Word, ...]:
    end = len(words)
    while end and not words[end - 1].spoken:
        end -= 1
    return words[:end]
