"""How an Indonesian query leans on the conversation: `-nya`, `itu`, `yang murah`, `kalau buat anak`, a subject left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rewriter.lean import Lean
from rewriter.plain import plain_form
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.empty import EMPTY
from rewriter.text.reference import PLACING, TIMES
from rewriter.text.words import Word

__all__ = ["see_indonesian"]

MAX_WORDS = 9
"""Spoken words: a longer query says itself what it is about."""

_PERSON = frozenset("beliau dia he her hers him his ia mereka she their them they".split())
_THING = frozenset("ini itu tadi tersebut".split())
_THERE = frozenset("disana disitu kesana kesitu sana situ".split())
_BEFORE_TIME = frozenset("apa begitu kayak seperti siapa".split())
_FIXED_BEFORE_IT = frozenset("call made make worth".split())
_DUMMY_AFTER = frozenset(
    """
    bad better cost good important legal necessary normal ok okay possible rain raining safe snow take takes true worth
    """.split()
)
_OPENING = frozenset("also and but dan how kalau kalo klo lalu nah or terus trus versus vs what".split())
_COMPARING = frozenset("daripada dengan dibanding dibandingkan ketimbang sama versus vs".split())
_JUDGED = frozenset(
    """
    aman asli bagus bahaya berbahaya beracun cocok enak gratis halal haram legal mahal mending murah palsu penting worth
    """.split()
)
"""What a thing is judged to be: before it the thing itself is left out."""
_NEEDING = frozenset("bawa bayar beli butuh daftar download order pesan habis isi makan minum pakai perlu siapin tahan".split())
"""Verbs that ask for something on behalf of a thing: `bawa apa aja`."""
_GIVING = frozenset("cariin jelasin kasi kasih minta sebutin tolong".split())
_WITH = frozenset("buat dengan pakai pake tanpa untuk".split())
_QUALITIES = frozenset(
    """
    aman asli awet bagus bahaya baik baru berbayar besar buruk cepat cheap enak gampang good gratis jelek kecil lama lambat lengkap mahal
    mudah murah new old ori original populer resmi ringan sulit susah terbaik terbaru terdekat terlaris bad
    """.split()
)
_NOT_CLITIC = frozenset(
    """
    akhirnya artinya bertanya biasanya buahnya hanya kayaknya maksudnya menanya misalnya penanya pokoknya punya rasanya sebenarnya
    sepertinya tanya
    """.split()
)
_DAYS = frozenset("besok lusa kemarin sekarang senin selasa rabu kamis jumat sabtu depan lalu ini nanti".split())
_RELATIONAL = frozenset("different key lain lainnya main other serupa similar typical utama".split())
"""`the main layers`, `other sources`: of something that was named before."""
_QUESTIONS = id.QUESTION | en.QUESTION


@record
class _Query:
    """A query with the places of its words: all that are spoken, those with content, and those that name something."""

    words: Sequence[Word]
    folded: tuple[str, ...]
    spoken: tuple[int, ...]
    content: tuple[int, ...]
    named: tuple[int, ...]
    resources: Resources

    def lean(self, shape: str, start: int = 0, end: int = 0, head: str = "") -> Lean:
        """A lean of the whole query."""
        return Lean(shape, start, end, head, 0, len(self.words))

    @property
    def opens(self) -> str:
        """The first word."""
        return self.folded[self.spoken[0]]

    @property
    def asked(self) -> bool:
        """Does a question word or tag ask?"""
        return self.folded[self.spoken[-1]] in id.QUESTION_TAGS or any([self.folded[i] in id.QUESTION for i in self.spoken])

    def empty(self, i: int) -> bool:
        """Carries the word no content?"""
        return not self.words[i].spoken or (not self.words[i].guard and self.folded[i] in EMPTY)

    def names(self, places: Sequence[int]) -> bool:
        """Has one of the words a capital, as names have?"""
        return any([self.words[i].text[:1].isupper() for i in places])


def see_indonesian(words: Sequence[Word], resources: Resources) -> Lean | None:
    """How a query in Indonesian or in both languages leans on what was said, in the order of SHAPES; None where it is complete."""
    spoken = tuple([i for i, w in enumerate(words) if w.spoken])
    if not spoken or len(spoken) > MAX_WORDS:
        return None
    folded = tuple([w.folded if w.guard else plain_form(w.folded, resources) for w in words])
    content = tuple([i for i in spoken if words[i].guard or folded[i] not in EMPTY])
    named = tuple(
        [i for i in content if words[i].guard or not (_attribute(folded[i]) or folded[i] in _GIVING or _is_passive(folded[i], resources))]
    )
    query = _Query(words, folded, spoken, content, named, resources)
    return next((lean for see, _ in SHAPES if (lean := see(query)) is not None), None)


def _see_clitic(query: _Query) -> Lean | None:
    """`harganya berapa`, `bedanya sama yang pro`, `tier gratisnya limit berapa`: -nya with nothing beside it that it could belong to."""
    words, folded = query.words, query.folded
    for i in query.spoken:
        cut = None if words[i].guard else id.detach_clitic(folded[i])
        if not cut or cut[1] != "nya" or folded[i] in _NOT_CLITIC or not query.resources.zipf(cut[0])[0]:
            continue
        clitic = query.lean("clitic", i, i + 1)
        if cut[0] in id.ATTRIBUTES and any([folded[j] in _COMPARING for j in range(i + 1, len(words))]):
            return clitic
        follows = [j for j in query.spoken if j > i and not query.empty(j) and not _says_how(query, i, j)]
        before = [j for j in query.named if j < i and not _verb(folded[j]) and (j == 0 or folded[j - 1] not in PLACING)]
        others = [j for j in query.content if j != i]
        owners = [j for j in query.named if j <= i or not _says_how(query, i, j)]
        if others and len(query.content) <= 4 and all([_common(query, j) for j in others]) and cut[0] not in id.ATTRIBUTES:
            return clitic
        if not follows and not before and (cut[0] in id.ATTRIBUTES or cut[0].startswith(("me", "di")) or len(owners) <= 1):
            return clitic
    return None


def _says_how(query: _Query, at: int, j: int) -> bool:
    """Is a word behind the clitic no owner of it: a quality, a time, a number, or behind a preposition (`ongkirnya ke medan`)?"""
    word = query.folded[j]
    placed = any([query.folded[k] in PLACING for k in range(at + 1, j)])
    return (
        placed or word in _QUALITIES or word in TIMES or word in id.MODALS or query.words[j].guard in ("number", "amount") or word.isdigit()
    )


def _see_pronoun(query: _Query) -> Lean | None:
    """`itu halal ga`, `dia lahir di mana`, `di sana ada apa`, `battery life nya`, `yang tadi`."""
    folded, size = query.folded, len(query.words)
    for i in query.spoken:
        word = folded[i]
        after = folded[i + 1] if i + 1 < size else ""
        if word == "nya" and i:
            return query.lean("pronoun", i, i + 1)
        if word in _THERE and after not in _THING:
            return query.lean("there", i, i + 1)
        if word in ("itu", "ini") and i == query.spoken[0] and (after in id.MODALS or after in _JUDGED or (after in TIMES and query.asked)):
            return query.lean("pronoun", i, i + 1, word)  # "itu aman buat ibu hamil", "itu tahun berapa"
        if word in _PERSON:
            return query.lean("person", i, i + 1, word)
        fixed = query.opens == "worth" or (i > 0 and folded[i - 1] in _FIXED_BEFORE_IT)
        dummy = len(query.named) >= 3 and not _DUMMY_AFTER.isdisjoint(folded[i + 1 : i + 3])
        if word in ("it", "its") and not fixed and not dummy:
            return query.lean("pronoun", i, i + 1, word)
        if word in _THING and _points_back(query, i):
            if i and folded[i - 1] == "yang":
                return query.lean("pronoun", i - 1, i + 1, word)  # "yang tadi masih ada?"
            noun = i and not query.empty(i - 1) and not _attribute(folded[i - 1]) and not _verb(folded[i - 1])
            return query.lean("pronoun", i - 1 if noun else i, i + 1, word)
        if (
            word in ("one", "ones")
            and i
            and folded[i - 1] in ("the", "which", "that", "this", "first", "second", "last", "cheaper", "better")
        ):
            return query.lean("bare", size, size)
    return None


def _points_back(query: _Query, i: int) -> bool:
    """Is `itu` a pronoun, or does it stand with the noun of a thing said before?  Not so in `hari ini`, `apa itu X`, `Siti Badriah itu`."""
    words, folded = query.words, query.folded
    before = folded[i - 1] if i else ""
    if i and words[i - 1].text[:1].isupper() and words[i - 1].lang != "id":
        return False
    after = next((j for j in range(i + 1, len(words)) if words[j].spoken), None)
    if before in TIMES or before in _BEFORE_TIME:
        return before in ("seperti", "kayak")
    if after is not None and not query.empty(after) and before in ("", "apa"):
        return before == "" and folded[i] in ("itu", "ini") and folded[query.spoken[-1]] in id.QUESTION_TAGS and len(query.content) <= 3
    return len(query.content) <= 3 and (after is None or query.empty(after) or before in EMPTY)


def _see_subject(query: _Query) -> Lean | None:
    """`bisa online ga`, `buka jam berapa`, `tanpa santan bisa?`, `halal ga ya`, `bawa apa aja`: the subject was said before."""
    folded, spoken = query.folded, query.spoken
    first = next((i for i in spoken if folded[i] not in ("apakah", "apa")), spoken[0])
    said = [
        i
        for i in query.named
        if i != first and folded[i] not in _TAG_OR_MODAL and folded[i] not in TIMES and folded[i] not in _DAYS and not folded[i].isdigit()
    ]
    if query.names(said) or not 2 <= len(spoken) <= 6:
        return None
    opens = folded[first]
    questioned = query.asked or query.words[-1].text[:1] == "?" or any([folded[i] in _TAG_OR_MODAL for i in spoken[1:]])
    if not questioned:
        return None
    when = all([folded[i] in TIMES or folded[i] in _DAYS or folded[i] in id.EVENTS or folded[i] in id.QUESTION_TAGS for i in spoken])
    if (opens in id.EVENTS or when) and all([folded[i] in id.EVENTS for i in said]):
        return None if id.EVENTS.isdisjoint(folded) else query.lean("subject")
    mana = opens in _WITH and folded[spoken[-1]] == "mana"
    short = mana or len(said) <= 1 or query.words[-1].text[:1] == "?" or any([folded[i] in _TAG_OR_MODAL for i in spoken[1:]])
    if (opens in id.MODALS or opens in _WITH or opens in _JUDGED) and short:
        return query.lean("subject")
    if _is_passive(opens, query.resources) and not said and len(spoken) <= 4:
        return query.lean("subject")
    if opens in _NEEDING and len(said) <= 1 and len(spoken) <= 4:
        return query.lean("subject")
    return None


_TAG_OR_MODAL = id.QUESTION_TAGS | id.MODALS


def _is_passive(word: str, resources: Resources) -> bool:
    """`disimpan`, `dirilis`: something is done to what was said before."""
    return len(word) > 5 and word.startswith("di") and resources.zipf(word[2:])[0] >= KNOWN


KNOWN = 300
"""Zipf frequency in hundredths of a base verb behind `di-`."""


def _see_fragment(query: _Query) -> Lean | None:
    """`dari tanah abang`, `dalam bahasa inggris`, `pakai javascript`: a phrase added to the earlier question."""
    opens = query.opens in _ADDED and 2 <= len(query.spoken) <= 4
    return query.lean("addition") if opens and not query.asked and not query.names(query.named[:1]) else None


_ADDED = frozenset("dalam dari dengan ke pakai pake tanpa".split())


def _see_time(query: _Query) -> Lean | None:
    """`besok?`, `minggu depan`: the earlier question at another time."""
    if len(query.spoken) <= 3 and all([query.folded[i] in _DAYS or query.folded[i] in TIMES for i in query.spoken]):
        return query.lean("addition")
    return None


def _see_quality(query: _Query) -> Lean | None:
    """`yang murah`, `ada yang lebih murah`."""
    second = query.folded[query.spoken[1]] if len(query.spoken) > 1 else ""
    if (query.opens == "yang" or (query.opens == "ada" and second == "yang")) and len(query.content) <= 3:
        return query.lean("quality")
    return None


def _see_addition(query: _Query) -> Lean | None:
    """`kalau buat anak`, `dan untuk s2?`, `gimana kalau hamil`."""
    folded, spoken = query.folded, query.spoken
    if len(spoken) < 2 or len(query.content) > 4:
        return None
    if query.opens in ("gimana", "bagaimana") and folded[spoken[1]] in ("kalau", "kalo", "klo"):
        return query.lean("addition", 0, spoken[1])
    if query.opens not in _OPENING or (query.opens in ("what", "how") and folded[spoken[1]] != "about"):
        return None
    end = spoken[1] + 1 if query.opens in ("what", "how") else spoken[0] if query.opens in ("vs", "versus") else spoken[0] + 1
    if not query.names(query.named) or (folded[end : end + 1] and folded[end] in PLACING):
        return query.lean("addition", 0, end)
    return None


_MANNER = frozenset("online offline manual gratis cepat mudah gampang sendiri lagi ulang dulu nya sih ya dong".split())


def _see_way(query: _Query) -> Lean | None:
    """`cara daftar`, `cara bayar online`: a way to do something to what was said before."""
    folded, spoken = query.folded, query.spoken
    if query.opens != "cara" or not 2 <= len(spoken) <= 3 or query.names(spoken):
        return None
    verb = folded[spoken[1]]
    acts = verb in _NEEDING or (query.resources.is_verb(verb) and verb not in id.INTRANSITIVE)
    return query.lean("attribute") if acts and all([folded[i] in _MANNER for i in spoken[2:]]) else None


def _see_attribute(query: _Query) -> Lean | None:
    """`harga`, `kapan rilis`, `kenapa`, `alternatif yang gratis`, `vitamin apa yang bagus`: only attributes and questions."""
    folded, named = query.folded, query.named
    if query.opens in _OPENING and len(query.spoken) > 1:
        return None
    if (query.content and not named and len(query.content) <= 4) or folded[:2] == ("kok", "bisa"):
        return query.lean("attribute")
    if (
        len(query.spoken) == 2
        and not query.names(query.spoken)
        and (query.opens == "berapa" or folded[query.spoken[1]] in ("apa", "berapa"))
    ):
        return query.lean("attribute")  # "berapa rakaat", "dokter apa", "minimal berapa"
    if len(named) != 1:
        return query.lean("attribute") if not query.content and len(query.spoken) <= 3 and not _QUESTIONS.isdisjoint(folded) else None
    if len(query.content) <= 3 and not query.names(named) and not _RELATIONAL.isdisjoint(folded):
        return query.lean("attribute")
    kinds = named[0] == query.spoken[0] and folded[named[0] + 1 : named[0] + 2] == ("apa",) and "yang" in folded
    return query.lean("attribute") if kinds and not query.names(named) and len(query.spoken) <= 6 else None


def _common(query: _Query, i: int) -> bool:
    """A word of the language, no name and no number."""
    word = query.words[i]
    return not word.guard and not word.text[:1].isupper() and max(query.resources.language_zipf(word.folded)) >= 300


def _attribute(word: str) -> bool:
    cut = id.detach_clitic(word)
    english = word in en.ATTRIBUTES or word in en.GENERIC or word in en.VERBS or word in _RELATIONAL
    return english or word in id.ATTRIBUTES or bool(cut and cut[0] in id.ATTRIBUTES) or word in _QUALITIES


def _verb(word: str) -> bool:
    return word.startswith(("me", "di", "ber"))


SHAPES: tuple[tuple[Callable[[_Query], Lean | None], str], ...] = (
    (_see_clitic, "says most plainly what is asked of the thing"),
    (_see_pronoun, "stands where the thing would stand"),
    (_see_subject, "nothing points back, but nobody does what is asked about"),
    (_see_time, "only when"),
    (_see_fragment, "only how, or from where"),
    (_see_quality, "only which"),
    (_see_addition, "an opening that goes on with the earlier question"),
    (_see_way, "only a way to do something, and to nothing"),
    (_see_attribute, "last: only what is asked"),
)
"""With why each stands where it does."""
