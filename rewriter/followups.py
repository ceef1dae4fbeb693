"""Queries that lean on the conversation: seen by shape, resolved by what the turns name last."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.context import Conversation, Topic
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.normalise import fold
from rewriter.text.words import Word, inserted_words, replace_words

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
_OPENING = frozenset("kalau kalo klo terus trus lalu and what's what how but or also versus vs".split())
_THING = frozenset("itu ini tersebut tadi".split())


@record
class FollowUp:
    ""
    "The query with its referent in place; `shape` says how the follow-up was seen, `topic` what it took, `age` from which turn (0 newest)."
    ""

    words: tuple[Word, ...]
    shape: str
    topic: Topic
    age: int


def small_talk(words: Sequence[Word]) -> bool:
    """Greetings, thanks, and commands to the chat itself: nothing to search."""
    spoken = [w.folded for w in words if w.spoken and not w.guard]
    if not spoken or len(spoken) > 6 or any(w.guard for w in words):
        return False
    talk = id.GREETINGS | en.GREETINGS | id.PARTICLES | en.PARTICLES
    if all(w in talk for w in spoken):
        return any(w in id.GREETINGS | en.GREETINGS for w in spoken)
    commands = id.COMMANDS | en.COMMANDS
    return any(w in commands for w in spoken) and all(w in commands | talk | id.FUNCTION | en.FUNCTION | _TALK_OBJECTS for w in spoken)


_TALK_OBJECTS = frozenset("""
    singkat lebih detail jawaban jawabannya tadi bahasa answer short shorter detail previous above
    """.split())


def resolve_follow_up(words: tuple[Word, ...], conversation: Conversation, resources: Resources, language: str) -> FollowUp | str:
    """The query resolved from the conversation, or the reason why it is left alone (`complete`, `no-referent`)."""
    seen = _see_shape(words, resources)
    if seen is None:
        return "complete"
    shape, at, end = seen
    if not conversation.turns:
        return "no-referent"
    found = _referent(words, conversation, person=shape == "person")
    if found is None:
        return "no-referent"
    topic, age = found
    rules = resources.token_rules(language)
    new = inserted_words(topic.text, rules, resources.zipf, f"resolve_{shape}", (f"turn -{age + 1}",), "rewrite")
    if not new:
        return "no-referent"
    resolved = _place(words, shape, at, end, new, language)
    return FollowUp(resolved, shape, topic, age)


def _see_shape(words: Sequence[Word], resources: Resources) -> tuple[str, int, int] | None:
    """How the query leans on what was said: (shape, start, end) of the words that the referent replaces or follows."""
    spoken = [i for i, w in enumerate(words) if w.spoken]
    if not spoken or len(spoken) > 9:
        return None
    folded = [w.folded for w in words]
    content = [i for i in spoken if not _empty(words[i])]
    named = [i for i in content if not _attribute(folded[i])]
    # 1. -nya on an attribute or a verb, with nothing beside it that it could belong to
    for i in spoken:
        cut = None if words[i].guard else id.detach_clitic(folded[i])
        if not cut or cut[1] != "nya" or folded[i] in _NOT_CLITIC or not resources.zipf(cut[0])[0]:
            continue
        follows = [j for j in spoken if j > i and not _empty(words[j]) and not _is_quality(folded[j])]
        before = [j for j in named if j < i and not _verb(folded[j])]
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
    # 3. a bare quality or part: "yang murah", "kalau buat anak", "and in the US", "what about the pro"
    first = folded[spoken[0]]
    if first == "yang" and len(content) <= 3:
        return ("quality", 0, 0)
    if first in _OPENING and _opens(folded, spoken) and len(content) <= 4:
        return ("addition", 0, _opening_end(folded, spoken))
    # 4. only attributes and questions: "harga", "kapan rilis", "side effects", "kenapa"
    if content and not named and len(content) <= 3:
        return ("attribute", 0, 0)
    if not content and len(spoken) <= 3 and any(f in id.QUESTION | en.QUESTION for f in folded):
        return ("question", 0, 0)
    return None


def _empty(word: Word) -> bool:
    return not word.spoken or (not word.guard and word.folded in _EMPTY)


_EMPTY = id.FUNCTION | en.FUNCTION | id.QUESTION | en.QUESTION
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
    return word in id.ATTRIBUTES or word in en.ATTRIBUTES or bool(cut and cut[0] in id.ATTRIBUTES) or _is_quality(word)


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
    return before in en.AUXILIARIES | {"about", "of", "for", "with", "like", "than", "to", "why", "do", "use"} and (
        after in en.FUNCTION or after in ("work", "mean", "true", "cost", "happen", "works", "happens", "called", "safe", "good")
    )


def _points_back(words: Sequence[Word], folded: Sequence[str], i: int, content: Sequence[int]) -> bool:
    before = folded[i - 1] if i else ""
    if i and words[i - 1].text[:1].isupper() and words[i - 1].lang != "id":
        return False  # "Siti Badriah itu": named already
    after = next((j for j in range(i + 1, len(words)) if words[j].spoken), None)
    if before in _TIME or before in ("apa", "siapa", "seperti", "begitu", "kayak"):
        return before in ("seperti", "kayak")
    if after is not None and not _empty(words[after]) and before in ("", "apa"):
        return False
    return len(content) <= 3 and (after is None or _empty(words[after]) or before in _EMPTY)


def _opens(folded: Sequence[str], spoken: Sequence[int]) -> bool:
    first = folded[spoken[0]]
    second = folded[spoken[1]] if len(spoken) > 1 else ""
    if first in ("what", "how"):
        return second == "about"
    if first == "what's":
        return False
    if first in ("kalau", "kalo", "klo", "terus", "trus", "lalu"):
        return len(spoken) > 1
    return first in ("and", "but", "or", "also", "versus", "vs") and len(spoken) > 1


def _opening_end(folded: Sequence[str], spoken: Sequence[int]) -> int:
    return spoken[1] + 1 if folded[spoken[0]] in ("what", "how") else spoken[0] + 1


NAME_BONUS = {"quote": 30, "name": 30, "topic": 0}
"""A name is likelier meant than a run of common words; half a mention."""
MENTION = 20
"""Worth of each further turn that speaks of the thing: what a conversation is about comes up again."""
STEP_BACK = 12
"""Loss for each turn further back."""
USER = 15
"""What the user named, rather than the assistant."""
LOOK_BACK = 12


def _referent(words: Sequence[Word], conversation: Conversation, *, person: bool) -> tuple[Topic, int] | None:
    """What is meant: the thing that turns speak of most and latest, names before common words, a full name for a person."""
    said = {w.folded for w in words}
    recent = list(zip(reversed(conversation.turns), reversed(conversation.facts), strict=True))[:LOOK_BACK]
    best: tuple[tuple[int, int, int], Topic, int] | None = None
    for age, (turn, fact) in enumerate(recent):
        for place, topic in enumerate(fact.topics):
            folded = fold(topic.text)
            parts = folded.split()
            if folded in said or all(p in said for p in parts):
                continue
            if person and not (topic.kind == "name" and len(parts) > 1):
                continue
            mentions = sum([f" {parts[-1]} " in other.line or f" {parts[0]} " in other.line for _, other in recent])
            worth = NAME_BONUS[topic.kind] + MENTION * (mentions - 1) - STEP_BACK * age + (USER if turn.role == "user" else 0)
            rank = (worth, -age, -place)
            if best is None or rank > best[0]:
                best = (rank, topic, age)
    if best is None:
        return _referent(words, conversation, person=False) if person else None
    return best[1], best[2]


def _place(words: tuple[Word, ...], shape: str, at: int, end: int, new: tuple[Word, ...], language: str) -> tuple[Word, ...]:
    ""
    "The referent where the language wants it: behind the noun of `-nya`, for the pronoun, before `yang …`, at the end of a bare attribute."
    ""
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
        if words[at].folded in _EN_POSSESSIVE or words[at].folded == "its":
            last = new[-1]
            new = (*new[:-1], replace(last, text=last.text + "'s", folded=last.folded + "'s"))
        before = words[at - 1].folded if at else ""
        noun = at and words[at].folded in _THING and not _empty(words[at - 1]) and not _attribute(before) and not _verb(before)
        return replace_words(words, at - 1 if noun else at, end, new)
    core = _without_end_mark(words)
    tail = words[len(core) :]
    if shape == "quality":
        return (replace(new[0], space=False), *new[1:], replace(core[0], space=True), *core[1:], *tail)
    if shape == "addition":
        rest = core[end:]
        return (replace(new[0], space=False), *new[1:], *(rest and (replace(rest[0], space=True), *rest[1:])), *tail)
    if language == "en" and core and core[0].folded not in en.QUESTION | en.AUXILIARIES:
        return (replace(new[0], space=False), *new[1:], replace(core[0], space=True), *core[1:], *tail)
    if language == "en" and core and core[-1].folded not in ("of", "for", "with", "about", "in", "on", "to"):
        link = replace(new[0], text="of", folded="of", space=True)
        return (*core, link, *new, *tail)
    return (*core, *new, *tail)


def _without_end_mark(words: tuple[Word, ...]) -> tuple[Word, ...]:
    end = len(words)
    while end and not words[end - 1].spoken:
        end -= 1
    return words[:end]
