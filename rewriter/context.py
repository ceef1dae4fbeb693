"""The conversation so far as data: which turns are read, what words they hold, which domains they speak of, what they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rewriter.model import Turn
from rewriter.policy import ROLES, Policy
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.normalise import clean, fold

__all__ = ["ContextItem", "Conversation", "Topic", "TurnFacts", "domain_phrases", "keys_of", "read_conversation", "read_turns", "topics_of"]

MAX_TURN_CHARS = 20_000
"""Of a longer turn the beginning and the end are read, half each: pasted documents hide their point in neither middle."""
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*[+#]*")
_RARE_STEM = 150
"""A stem must be about as common as the word (1.5 Zipf below at most): `nilai` is not `nila` with a suffix."""

ContextItem = Turn | Mapping[str, object] | str


@record
class Topic:
    """Something a turn names: its text as written there, and how it was seen (`name`, `quote`, `sense`, `topic`)."""

    text: str
    kind: str


@record
class TurnFacts:
    """A turn's words as lookup keys, and its text as one line for phrases."""

    keys: frozenset[str]
    line: str


@record
class Conversation:
    """The turns read, oldest first, with their facts; `ages` gives for each key the age of the newest turn that has it (0 newest)."""

    turns: tuple[Turn, ...]
    facts: tuple[TurnFacts, ...]
    ages: Mapping[str, int]

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
    cache = resources.cache("turn")
    facts = []
    for turn in turns:
        key = (turn.role, turn.content)
        fact = cache.get(key)
        if fact is None:
            fact = cache[key] = _read_facts(turn, resources)
        facts.append(fact)
    ages: dict[str, int] = {}
    for age, fact in enumerate(reversed(facts)):
        for word in fact.keys:
            if word not in ages:
                ages[word] = age
    return Conversation(turns, tuple(facts), ages)


def keys_of(word: str, resources: Resources) -> tuple[str, ...]:
    """The forms under which a folded word meets a cue: itself, its English stem, what stands behind Indonesian affixes."""
    cache = resources.cache("keys")
    found: tuple[str, ...] | None = cache.get(word)
    if found is None:
        found = cache[word] = _keys(word, resources)
    return found


def _keys(word: str, resources: Resources) -> tuple[str, ...]:
    keys = {word: None, resources.stem(word): None}
    in_id, in_en = resources.zipf(word)
    half, _, other = word.partition("-")
    if other:
        keys[half] = None
        keys[other] = None
    if len(word) >= 5 and in_en <= in_id + 100:
        taken = 0
        for stem, _ in id.stems(word):
            zipf = resources.zipf(stem)[0]
            if len(stem) >= 4 and zipf and zipf >= in_id - _RARE_STEM:
                keys[stem] = None
                taken += 1
                if taken == 2:
                    break
    return tuple(keys)


def topics_of(turn: Turn, resources: Resources) -> tuple[Topic, ...]:
    """What a turn names, best first; worked out when a follow-up asks for it."""
    cache = resources.cache("topics")
    key = (turn.role, turn.content)
    found: tuple[Topic, ...] | None = cache.get(key)
    if found is None:
        found = cache[key] = tuple(_topics(turn.role, _cut(turn.content)))
    return found


def _cut(content: str) -> str:
    """Both ends of a text that is too long to be read whole."""
    return content if len(content) <= MAX_TURN_CHARS else content[: MAX_TURN_CHARS // 2] + "\n" + content[-MAX_TURN_CHARS // 2 :]


def _read_facts(turn: Turn, resources: Resources) -> TurnFacts:
    words = _WORD.findall(fold(_cut(turn.content)))
    keys = frozenset([*[k for w in dict.fromkeys(words) for k in keys_of(w, resources)], *domain_phrases(words, resources)])
    return TurnFacts(keys, f" {' '.join(words)} ")


def domain_phrases(words: Sequence[str], resources: Resources) -> list[str]:
    """Pairs of neighbours that together speak for a domain: `suku bunga`, `power supply`."""
    return [pair for a, b in pairwise(words) if resources.pack.domains_of(pair := f"{a} {b}")]


_QUOTED = re.compile(r"[\"“«]([^\"”»\n]{2,60})[\"”»]")
_SENTENCE = re.compile(r"(?<=[.!?:;\n])\s+|\n+")
_NAME = re.compile(
    r"(?:[A-Z][\w'’&+.-]*|[a-z]+[A-Z][\w]*|\d+[A-Z]+\w*)"
    r"(?:\s(?:(?:of|the|de|van|von|bin|al|dan|and|&)\s(?=[A-Z]))?(?:[A-Z][\w'’&+.-]*|[a-z]+[A-Z]\w*|\d[\w.]*))*"
)
_EDGE = en.FUNCTION | id.FUNCTION | en.QUESTION | id.QUESTION | id.ATTRIBUTES | en.ATTRIBUTES
_OPENERS = frozenset(
    """
    jelaskan ceritakan cari carikan cariin kasih beri berikan tahu tau info informasi tentang soal mengenai seputar tips belajar
    pengertian definisi difference differences best top good new looking first next last other different main important some
    many good famous typical similar key buat bikin pakai pake beli jual pasang coba liat lihat baca dengar nonton ikut ambil
    bayar daftar install making getting buying today tomorrow yesterday besok kemarin sekarang nanti pagi siang sore malam bulan
    minggu tahun depan lalu day week month year time long usually often really also only still just maybe probably berapa banyak
    sedikit kali orang hal thing things way ways ones
    """.split()
)
_ADVERB = re.compile(r"[a-z]{3,}ly\Z")
_RUN_BREAK = _EDGE | _OPENERS | en.VERBS | en.GENERIC | id.ADVERBS


def _topics(role: str, content: str) -> list[Topic]:
    """What a turn names, best first: quoted titles, names; then the runs of words that are no question, attribute, verb or talk."""
    found: dict[str, Topic] = {}
    for match in _QUOTED.finditer(content):
        found.setdefault(fold(match[1]), Topic(match[1].strip(), "quote"))
    for sentence in _SENTENCE.split(content)[:80]:
        for match in _NAME.finditer(sentence):
            name = _trim_name(match[0], at_start=match.start() == 0)
            if name:
                found.setdefault(fold(name), Topic(name, "name"))
    runs = _content_runs(content)[:MAX_RUNS]
    if role == "user" and len(content.split()) <= QUERY_WORDS:  # typed as a query: `perpanjang SIM` is one thing
        for name in [n for n, t in found.items() if t.kind == "name" and t.text.isupper()]:
            whole = next((run for run in runs if name in fold(run).split() and fold(run) != name), None)
            if whole is not None:
                found = {fold(whole) if key == name else key: Topic(whole, "topic") if key == name else t for key, t in found.items()}
    for run in runs:
        found.setdefault(fold(run), Topic(run, "topic"))
    return list(found.values())


MAX_RUNS = 24
QUERY_WORDS = 6
"""A turn of no more words is typed as a query: an acronym in it is part of its noun phrase."""


def _trim_name(name: str, *, at_start: bool) -> str:
    """A capital at the start of a sentence is no sign of a name: function words go; a single common word there is none."""
    words = name.rstrip(".,'’-").split(" ")
    while words and _breaks(fold(words[0])):
        words.pop(0)
        at_start = False
    if not words or (at_start and len(words) == 1 and words[0][1:].islower()):
        return ""
    return " ".join(words) if len("".join(words)) > 1 else ""


def _breaks(word: str) -> bool:
    """A word that is no part of a topic; a contraction is its first word (`it's`, `that's`, `I'm`)."""
    return word in _RUN_BREAK or word.replace("’", "'").partition("'")[0] in _RUN_BREAK


_HEADS = frozenset("obat aplikasi alat tempat jasa app apps software tool medicine".split())
"""Asked for by kind: part of the topic when its content follows (`obat batuk`), a mere question alone (`obatnya apa`)."""
_UNITS = frozenset("bulan tahun minggu hari kali orang month months year years week weeks day days".split())


def _content_runs(content: str) -> list[str]:
    """Runs of content words: what is left of a turn without questions, attributes, verbs and talk.

    >>> _content_runs("spesifikasi iphone 16"), _content_runs("what is docker compose")
    (['iphone 16'], ['docker compose'])
    >>> _content_runs("dosis obat batuk bayi 8 bulan"), _content_runs("obat apa")
    (['obat batuk bayi 8 bulan'], [])
    """
    runs: list[list[str]] = [[]]
    head = ""
    for raw in content.split():
        word = raw.strip(",.;:!?()\"'“”*`")
        folded = fold(word)
        cut = id.detach_clitic(folded)
        counted = folded in _UNITS and runs[-1] and runs[-1][-1].isdigit()
        if not word or (
            not counted and (_breaks(folded) or _ADVERB.match(folded) or (cut and cut[0] in id.ATTRIBUTES) or _is_verb(folded))
        ):
            runs.append([])
            head = word if folded in _HEADS else ""
        else:
            runs[-1] += [head, word] if head else [word]
            head = ""
        if raw[-1] in ",;:.!?)":
            runs.append([])
    return [" ".join(run[:5]) for run in runs if run and any(c.isalpha() for c in "".join(run))]


def _is_verb(word: str) -> bool:
    """By its active or passive prefix (`mengatasi`, `dipakai`)."""
    return (
        len(word) > 5
        and word.startswith(("mem", "men", "mel", "mer", "meng", "meny", "di"))
        and word.isalpha()
        and not word.startswith(("menu", "mental", "media", "diabet", "digital", "disney"))
    )
