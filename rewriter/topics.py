"""What a turn names: quoted titles, commands, names, and the runs of common words that are no question, verb or talk."""

from __future__ import annotations

import re
from collections.abc import Callable

from rewriter.context import cut_turn
from rewriter.model import Turn
from rewriter.plain import plain_form
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.language import Zipf
from rewriter.text.normalise import fold
from rewriter.text.reference import ADJECTIVES, AMBIGUOUS_VERBS, BEFORE_VERB, COMPOUND_HEADS, KINDS, MODIFIERS, SEEING, TALK, VERB_FORMS

__all__ = ["Topic", "breaks", "topics_of"]

MAX_RUNS = 24
MAX_NAME_WORDS = 6
"""A longer run of capitals is a heading or a line of a menu, no name."""
QUERY_WORDS = 6
"""A turn of no more words is typed as a query: an acronym in it is part of its noun phrase."""


@record
class Topic:
    """Something a turn names: its text as written there, how it was seen (`name`, `quote`, `command`, `topic`), and where.

    `at` is the index of its first character in the turn, `definite` says that `the` or `this` stands before it, `count` how often
    the turn has it.  `where` is the place that stands behind it (`di bali`), `placed` says that it is such a place itself; `stems`
    are the stems of its content words.
    """

    text: str
    kind: str
    at: int
    definite: bool = False
    count: int = 1
    where: str = ""
    placed: bool = False
    stems: frozenset[str] = frozenset()


def topics_of(turn: Turn, resources: Resources) -> tuple[Topic, ...]:
    """What a turn names, best first; worked out when a follow-up asks for it."""
    cache = resources.cache("topics")
    key = (turn.role, turn.content)
    found: tuple[Topic, ...] | None = cache.get(key)
    if found is None:
        topics = _topics(turn.role, cut_turn(turn.content), resources)
        found = cache[key] = tuple([replace(t, stems=_stems(t.text, resources)) for t in topics[:MAX_TOPICS]])
    return found


MAX_TOPICS = 24
"""Things taken from one turn, best first: an answer of pages names no more that matters."""


def _stems(text: str, resources: Resources) -> frozenset[str]:
    return frozenset([resources.stem(w) for w in fold(text).split() if w not in en.FUNCTION and w not in id.FUNCTION])


_QUOTED = re.compile(r"[\"“«]([^\"”»\n]{2,60})[\"”»]")
_COMMAND = re.compile(r"(?<![\w-])[a-z][\w.]*(?: [a-z][\w.-]*){0,2} --?[a-z][\w-]*(?: [^\s]*[~/^\d][^\s]*)?")
_SENTENCE = re.compile(r"(?<![A-Z]\.)(?<![A-Z][a-z]\.)(?<=[.!?:;\n])\s+|\n+")
_NAME = re.compile(
    r"(?:[A-Z][\w'’&+.-]*|[a-z]+[A-Z][\w]*|\d+[A-Z]+\w*)"
    r"(?:[ ](?:(?:of|the|de|van|von|bin|al|dan|and|&)[ ](?:the[ ])?(?=[A-Z]))?(?:[A-Z][\w'’&+.-]*|[a-z]+[A-Z]\w*|\d[\w.]*))*"
)
_EDGE = en.FUNCTION | id.FUNCTION | en.QUESTION | id.QUESTION | id.ATTRIBUTES | en.ATTRIBUTES
_OPENERS = frozenset(
    """
    abis across along also ambil among anything around baca bagus banget banyak baru bayar belajar beli berapa beri berikan
    besides besok best beyond bikin buat bulan buying cari cariin carikan case ceritakan coba daftar day definisi dengar
    depan despite difference differences different during enak everything example examples except famous first getting good
    habis hal hari he's i'd i'll i'm i've ikut important including info informasi install jelaskan jual just kali kasih
    keburu kemarin kena key kind lack lalu last liat lihat long looking lot lots main making malam many masih maybe mengenai
    minggu month nanti netes new next nonton nothing now often ones only orang other pagi pakai pake pas pasang pengertian
    probably rame really recommend recommendation recommendations recommended regarding rekomendasi sedikit sekarang sempet
    sense seputar she's siang similar soal some someone something sore sort still tahu tahun tau tentang terlanjur terus
    then there they're thing things time tips today tomorrow tonight top toward towards trus typical udah until upon usually
    way ways we're week within year yesterday you're
    """.split()
)
_ADVERB = re.compile(r"[a-z]{3,}ly\Z")
_NO_ADVERB = frozenset("family july italy butterfly anomaly assembly monopoly jelly belly lily reply supply rally ally bully fly".split())
_RUN_BREAK = (_EDGE | en.NEGATIONS | id.NEGATIONS | _OPENERS | en.GENERIC | id.ADVERBS | VERB_FORMS | TALK) - {"cough", "batuk"}


def _topics(role: str, content: str, resources: Resources) -> list[Topic]:
    found: dict[str, Topic] = {}

    def note(topic: Topic) -> None:
        key = fold(topic.text)
        old = found.get(key)
        found[key] = topic if old is None else replace(old, count=old.count + 1)

    user = role == "user"
    for match in _COMMAND.finditer(content) if user else ():
        words = match[0].split()
        while len(words) > 2 and breaks(words[0]):
            words.pop(0)
        note(Topic(" ".join(words), "command", match.start()))
    for match in _QUOTED.finditer(content):
        note(Topic(match[1].strip(), "quote", match.start()))
    at = 0
    for sentence in _SENTENCE.split(content)[:80]:
        at = max(content.find(sentence, at), at)
        for match in _NAME.finditer(sentence):
            name = _trim_name(match[0], at_start=match.start() == 0)
            if name and fold(name) not in _CALENDAR:
                note(Topic(name, "name", at + match.start() + match[0].find(name)))
    runs = _content_runs(content, resources.zipf, lambda word: _plain(word, resources))[:MAX_RUNS]
    if user and len(content.split()) <= QUERY_WORDS:  # typed as a query: `perpanjang SIM` is one thing
        for name in [n for n, t in found.items() if t.kind == "name" and t.text.isupper()]:
            whole = next((run for run in runs if name in fold(run.text).split() and fold(run.text) != name), None)
            if whole is not None:
                found = {fold(whole.text) if key == name else key: whole if key == name else t for key, t in found.items()}
    names = [key for key, t in found.items() if t.kind != "topic"]
    for run in runs:
        folded = f" {fold(run.text)} "
        if not any(f" {name} " in folded and not folded.startswith(f" {name} ") for name in names):
            note(run)
    topics = list(found.values())
    if not user:
        return topics
    topics.sort(key=lambda t: t.at)
    return _place_topics(topics, content)


def _place_topics(topics: list[Topic], content: str) -> list[Topic]:
    """Things with the place that stands right behind them: `sewa mobil di bali`, `hotels in Bali`."""
    for i, topic in enumerate(topics):
        before = content[: i and topics[i - 1].at + len(topics[i - 1].text)], content[: topic.at]
        gap = before[1][len(before[0]) :].strip().lower()
        if content[: topic.at].rstrip().lower().endswith((" di", " ke", " in", " at", " near", " dekat", " to")) or gap in ("di", "ke"):
            topics[i] = replace(topic, placed=True)
            if i and gap in ("di", "in", "dekat", "near", "ke", "to") and len(content.split()) <= PLACED_WORDS:
                topics[i - 1] = replace(topics[i - 1], where=f"{gap} {topic.text}")
    return topics


PLACED_WORDS = 8
"""Words of a turn whose places are part of what it asks for; in a longer one they are part of a tale."""


def _trim_name(name: str, *, at_start: bool) -> str:
    """A capital at the start of a sentence is no sign of a name: function words go; a single common word there is none."""
    words = re.sub(r"['’]s?\Z", "", name.rstrip(".,'’-")).split(" ")
    while (
        words
        and ((fold(words[0]).endswith("nya") and len(words) > 1) or breaks(fold(words[0])))
        and (at_start or len(words) == 1 or fold(words[0]) in _EDGE)
    ):
        words.pop(0)
        at_start = False
    while words and fold(words[-1]) in ("the", "of", "and", "dan", "&"):
        words.pop()
    if not words or len(words) > MAX_NAME_WORDS or (at_start and len(words) == 1 and words[0][1:].islower()):
        return ""
    return " ".join(words) if len("".join(words)) > 1 else ""


def breaks(word: str) -> bool:
    """A folded word that is no part of a topic; a contraction is its first word (`it's`, `that's`, `I'm`)."""
    return word in _RUN_BREAK or word.partition("'")[0] in _RUN_BREAK or (_ADVERB.match(word) is not None and word not in _NO_ADVERB)


_HEADS = frozenset("kantor hotel tiket wisata obat aplikasi alat tempat jasa app apps software tool medicine".split())
"""Asked for by kind: part of the topic when its content follows (`obat batuk`), a mere question alone (`obatnya apa`)."""
_UNITS = frozenset("bulan tahun minggu hari kali orang month months year years week weeks day days".split())
_DEFINITE = frozenset("the this that these those".split())


def _content_runs(content: str, zipf: Zipf, plain: Callable[[str], str]) -> list[Topic]:
    """Runs of content words: what is left of a turn without questions, attributes, verbs and talk.

    >>> def runs(text): return [t.text for t in _content_runs(text, lambda word: (0, 0), str)]
    >>> runs("spesifikasi iphone 16"), runs("what is docker compose"), runs("dosis obat batuk bayi 8 bulan"), runs("obat apa")
    (['iphone 16'], ['docker compose'], ['obat batuk bayi 8 bulan'], [])
    """
    found: list[Topic] = []
    run: list[str] = []
    start, definite, before, head = 0, False, "", ("", 0)

    def close() -> None:
        words = run[:5]
        while words and fold(words[-1]) in _CONNECTING:
            words = words[:-1]
        while len(words) > 1 and (fold(words[0]) in SEEING or fold(words[0]) in ADJECTIVES):
            words = words[1:]
        while len(words) > 1 and fold(words[-1]) in ADJECTIVES and not keywords:
            words = words[:-1]
        text = " ".join(words)
        after = _AFTER.match(content, start + len(text)) if content.startswith(text, start) else None
        if len(words) == 1 and fold(text) in MODIFIERS:
            text = ""
        elif after is not None:
            text += after[0]
        if any([c.isalpha() for c in text]) and not (len(words) == 1 and fold(text) in ADJECTIVES):
            found.append(Topic(text, "topic", start, definite))
        run.clear()

    keywords = len(content.split()) <= QUERY_WORDS and _ENGLISH.isdisjoint(fold(content).split())
    for match in _CHUNK.finditer(content):
        raw = match[0]
        word = raw.strip(",.;:!?()\"'“”*`[]")
        folded = plain(fold(word))
        owner = folded.endswith("'s")
        if owner:
            word, folded = word[:-2], folded[:-2]
        cut = id.detach_clitic(folded) if folded.endswith(("nya", "ku", "mu")) else None
        counted = folded in _UNITS and run and run[-1].isdigit()
        acts = (folded.endswith("ing") and before in _BE and len(folded) > 5) or (folded in AMBIGUOUS_VERBS and before in BEFORE_VERB)
        goes_on = counted or (bool(run) and _goes_on(folded, run[-1], keywords)) or _is_first_of_two(folded, content, match.end())
        owned = bool(cut and cut[0] in id.ATTRIBUTES)
        if not word or (not goes_on and (acts or owned or breaks(folded) or _is_verb(folded, zipf))):
            close()
            before = folded
            head = (word, match.start()) if folded in _HEADS else ("", 0)
        else:
            if not run:
                start, definite = (head[1] if head[0] else match.start()), before in _DEFINITE
                run += [head[0]] if head[0] else []
            run.append(word)
            head = ("", 0)
            before = folded
        if owner or raw[-1] in ",;:.!?)":
            close()
    close()
    return found


_CHUNK = re.compile(r"\S+")
_ENGLISH = (en.FUNCTION | en.QUESTION | en.AUXILIARIES) - {"and", "or", "vs", "to"}


def _goes_on(word: str, previous: str, keywords: bool) -> bool:
    """Words that elsewhere end a topic, and here go on with it: `Spanish people`, `react vs vue`, `digestive issues`, `baju koko anak`."""
    if word in ("people", "person"):
        return previous[:1].isupper()
    if word in _JOINING or (word in COMPOUND_HEADS and fold(previous) not in MODIFIERS):
        return True
    return keywords and (word in _MERE_VERBS or word in _WITHIN or word in ("and", "dan"))


def _is_first_of_two(word: str, content: str, end: int) -> bool:
    """`react vs vue`: a verb elsewhere, here one of two things."""
    return word in _BASE_VERBS and content.startswith((" vs ", " or "), end)


def _plain(word: str, resources: Resources) -> str:
    """Function words of talk in full (`yg`, `utk`); whatever else stays as typed."""
    full = plain_form(word, resources)
    return full if full != word and breaks(full) else word


_CALENDAR = frozenset().union(*[kind for kind in KINDS if kind & {"senin", "januari"}])
"""Days and months have capitals and are no things."""
_ASKED = frozenset(
    """
    alamat biaya harga jadwal link lokasi promo resep review rilis spek spesifikasi stok tutorial ulasan website
    """.split()
)
_WITHIN = (id.ATTRIBUTES - _ASKED) | frozenset("belajar led malam pagi siang sore tinggi".split())
"""Words that elsewhere ask or tell a time: behind another keyword they are part of the name (`baju koko anak`, `darah tinggi`)."""
_JOINING = frozenset("vs versus or atau".split())
"""Two things that are compared are one topic (`react vs vue`)."""
_MERE_VERBS = (VERB_FORMS | en.VERBS) - _EDGE - _OPENERS - en.GENERIC - id.ADVERBS - TALK
_CONNECTING = _JOINING | {"and", "dan"}
_BASE_VERBS = VERB_FORMS | en.VERBS
_BE = frozenset("am is are was were be been i'm i've he's she's they're we're you're it's keep start started stop stopped".split())
"""Behind these a word in -ing is what somebody does (`I've been experiencing`)."""
_AFTER = re.compile(
    r" (?:in the (?:morning|evening|afternoon|winter|summer)|at night|during pregnancy|in (?:children|babies|adults|dogs|cats|pregnancy))\b"
)
"""When and in whom something is: part of a complaint or a custom."""


KNOWN = 250
"""Zipf frequency in hundredths of a base verb behind `di-`."""


def _is_verb(word: str, zipf: Zipf) -> bool:
    """By its active or passive prefix (`mengatasi`, `dipakai`), where Indonesian has the word and English has it less."""
    if not (len(word) > 5 and word.startswith(("mem", "men", "mel", "mer", "di")) and word.isalpha()):
        return False
    in_id, in_en = zipf(word)
    if word.startswith("di") and zipf(word[2:])[0] < KNOWN:
        return False  # `diponegoro`
    return in_id > in_en + 60 and not word.startswith(("menu", "mental", "media", "merah", "merek", "melon", "merc"))
