"""`what about the pro?`, `how about on the bbq?`, `kalau buat anak?`: the earlier question with the new element for one of its kind."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.lean import is_empty, is_named, sentences_of
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.normalise import fold
from rewriter.text.reference import ADJECTIVES, KINDS, PLACING, RELATED_NOUNS, TIMES, VERB_FORMS, is_superlative
from rewriter.text.words import Word

__all__ = ["asking_sentence", "asks_of_it", "vary_question"]

MAX_QUESTION = 14
"""Spoken words: a longer earlier question is not repeated."""
MAX_ELEMENT = 5
_SAME_PLACING: tuple[frozenset[str], ...] = (
    frozenset("buat untuk bagi for".split()),
    frozenset("di in at on".split()),
    frozenset("dari from".split()),
    frozenset("ke to".split()),
    frozenset("pakai pake dengan with".split()),
    frozenset("tanpa without".split()),
)
_ORDINALS = frozenset("first second third fourth fifth last pertama kedua ketiga keempat kelima terakhir".split())
_FILLERS = frozenset("instead then particular specifically too also either juga dong sih ya gimana bagaimana aja saja".split())
_ASKS = en.ATTRIBUTES | en.GENERIC | id.ATTRIBUTES | frozenset("percentage amount level share".split())
_QUESTIONS = en.QUESTION | id.QUESTION | en.AUXILIARIES


def asking_sentence(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The sentence of a turn that asks: the last with a question mark, else the last; without its end mark."""
    spans = sentences_of(words)
    if not spans:
        return ()
    start, end = next(((a, b) for a, b in reversed(spans) if words[b - 1].text[:1] == "?"), spans[-1])
    while end > start and not words[end - 1].spoken:
        end -= 1
    return words[start:end]


def vary_question(earlier: tuple[Word, ...], new: tuple[Word, ...], focus: str, resources: Resources) -> tuple[Word, ...] | None:
    """The earlier question with the new element in its place, None where it has no place for it.

    `new` are the words behind the opening, without an end mark; `focus` is the text of the thing in focus.
    """
    conditional = any([w.folded in ("gimana", "bagaimana") for w in new[-2:]])  # `kalau telat gimana`: a case, no other thing
    new = _without_fillers(new)
    spoken = [w for w in new if w.spoken]
    if not spoken or len(spoken) > MAX_ELEMENT or not earlier or sum([w.spoken for w in earlier]) > MAX_QUESTION:
        return None
    if any([w.folded in _QUESTIONS or w.folded in VERB_FORMS for w in spoken]):
        return None
    first = spoken[0].folded
    if first in ("vs", "versus"):
        return (*earlier, *_spaced(new))
    if first in ("yang", "yg"):  # `kalau yang pro?`: of what was asked about
        swap = _same_kind(earlier, new, "", resources) if any([w.folded in kind for w in new for kind in KINDS]) else None
        if swap is not None and any([earlier[i].folded in kind for i in range(*swap) for kind in KINDS]):
            return _put(earlier, swap, new)
        at = _focus_end(earlier, focus)
        return (*earlier[:at], *_spaced(new), *earlier[at:]) if at else None
    when = _time_span(new)
    if when == (0, len(new)):
        span = _time_span(earlier)
        return _put(earlier, span, new) if span is not None else (*earlier, *_spaced(new))
    if first in PLACING:
        span = _placed(earlier, first)
        if span is not None and _says_when(new) != _says_when(earlier[span[0] : span[1]]):
            span = None  # `in Bandung`, `at night`: when, and not another place
        return _put(earlier, span, new) if span is not None else (*earlier, *_spaced(new))
    compares = any([is_superlative(w.folded) or w.folded in ("most", "more", "paling", "lebih") for w in spoken])
    if not compares and (spoken[-1].folded in _ASKS or (len(spoken) > 1 and spoken[1].folded in _ASKS)):
        return None  # `the causes in Asia`: asked of the same thing
    span = _same_kind(earlier, new, focus, resources)
    if span is not None and (earlier[span[1] - 1].folded.endswith(("'s", "'")) or "between" in [w.folded for w in earlier[: span[0]]]):
        return None  # one thing cannot stand for two
    if span is not None and conditional and not any([w.folded in kind for w in new for kind in KINDS]) and not _is_name(new[0], resources):
        return None
    return _put(earlier, span, new) if span is not None else None


def _focus_end(earlier: Sequence[Word], focus: str) -> int:
    """Index behind the thing in focus; 0 where the question does not name it."""
    parts = fold(focus).split()
    folded = [w.folded for w in earlier]
    for at in range(len(folded) - len(parts) + 1):
        if folded[at : at + len(parts)] == parts:
            return at + len(parts)
    return 0


_DAYS = frozenset(
    """
    besok lusa kemarin sekarang tomorrow today yesterday tonight senin selasa rabu kamis jumat sabtu monday tuesday wednesday thursday
    friday saturday sunday
    """.split()
)
_POINTING = frozenset("ini depan lalu kemarin nanti itu this next last".split())


_WHEN = frozenset(
    """
    night nights morning mornings evening evenings afternoon noon midnight dawn sunrise sunset winter summer spring autumn weekend weekends
    weekday weekdays january february march april june july august september october november december ramadan christmas
    malam pagi siang sore subuh musim kemarau pekan januari februari maret mei juni juli agustus september oktober november desember
    """.split()
)


def _says_when(words: Sequence[Word]) -> bool:
    """Does a phrase with a preposition say when (`at night`, `di musim hujan`, `in 2026`), and not where?"""
    folded = [w.folded for w in words]
    years = any([f.isdigit() and len(f) == 4 and f[:2] in ("19", "20") for f in folded])
    return years or not (_WHEN | _DAYS).isdisjoint(folded) or _time_span(words) is not None


def _time_span(words: Sequence[Word]) -> tuple[int, int] | None:
    """`hari ini`, `besok`, `minggu depan`, `next week`, `tomorrow`: when."""
    folded = [w.folded for w in words]
    for i, word in enumerate(folded):
        pair = folded[i : i + 2]
        if len(pair) == 2 and ((word in TIMES and pair[1] in _POINTING) or (word in _POINTING and pair[1] in TIMES)):
            return i, i + 2
        if word in _DAYS:
            return i, i + 1
    return None


def asks_of_it(new: Sequence[Word]) -> bool:
    """Is the new element an attribute (`the price`, `the sequel`) or a phrase with a preposition, and no other thing?"""
    spoken = [w.folded for w in new if w.spoken]
    parts = _ASKS | ADJECTIVES | RELATED_NOUNS
    part = len(spoken) == 2 and spoken[0] == "the" and not new[-1].text[:1].isupper()
    return bool(spoken) and (part or spoken[0] in PLACING or any([w in parts or is_superlative(w) or w in _ORDINALS for w in spoken]))


def _without_fillers(new: tuple[Word, ...]) -> tuple[Word, ...]:
    """`Venus flytraps in particular` → `Venus flytraps`."""
    while new and (not new[-1].spoken or new[-1].folded in _FILLERS):
        new = new[:-1]
        if new and new[-1].folded == "in":
            new = new[:-1]
    return new


def _placed(earlier: Sequence[Word], preposition: str) -> tuple[int, int] | None:
    """The phrase of the earlier question with the same preposition."""
    same = next((g for g in _SAME_PLACING if preposition in g), frozenset({preposition}))
    for at in range(len(earlier) - 1, 0, -1):
        if earlier[at].folded in same:
            end = at + 1
            while (
                end < len(earlier) and earlier[end].spoken and earlier[end].folded not in PLACING and earlier[end].folded not in _QUESTIONS
            ):
                end += 1
            return at, end
    return None


def _same_kind(earlier: Sequence[Word], new: Sequence[Word], focus: str, resources: Resources) -> tuple[int, int] | None:
    """Words of the earlier question to which the new element is an alternative: same head, same kind, a name for a name, the focus."""
    folded = [w.folded for w in earlier]
    if any([w.folded in _ORDINALS for w in new]):
        counted = [i for i, f in enumerate(folded) if f in _ORDINALS]
        if counted:
            start, end = counted[-1], counted[-1] + 1
            return start - (folded[start - 1] in ("the", "yang")), end + (folded[end : end + 1] == ["one"])
    if not any([is_named(new, i) for i in range(len(new))]):  # `the oldest`, `yang murah`
        swapped = [i for i, f in enumerate(folded) if is_superlative(f) or f in ADJECTIVES]
        if swapped and any([is_superlative(w.folded) or w.folded in ADJECTIVES for w in new]):
            start = swapped[0] - 1 if swapped[0] and folded[swapped[0] - 1] == "the" and new[0].folded == "the" else swapped[0]
            return start, swapped[0] + 1
        return None
    stem = resources.stem
    phrases = _phrases(earlier)
    head = stem(new[-1].folded)
    for start, end in reversed(phrases):
        if stem(folded[end - 1]) == head:
            return start, end
    told = frozenset([stem(w.folded) for w in new if not is_empty(w)])
    for start, end in reversed(phrases):
        if not told.isdisjoint([stem(f) for f in folded[start:end]]):
            return start, end
    for kind in KINDS:
        if any([w.folded in kind for w in new]):
            found = [i for i, f in enumerate(folded) if f in kind]
            return (found[0], found[-1] + 1) if found else None
    content = next((w for w in new if not is_empty(w)), new[0])
    if content.text[:1].isupper():
        names = [(a, b) for a, b in phrases if earlier[b - 1].text[:1].isupper()]
        if names:
            return names[-1]
    if _is_name(content, resources):
        named = [i for i, w in enumerate(earlier) if _is_name(w, resources)]
        if named:
            return named[-1], named[-1] + 1
    numbers = [i for i, f in enumerate(folded) if f.isdigit()]
    if numbers and all([w.folded.isdigit() or w.folded in ("tahun", "year") for w in new]):
        return numbers[-1], numbers[-1] + 1
    parts = fold(focus).split()
    if len(parts) == len(folded):
        return None  # nothing of the question would stay
    for at in range(len(folded) - len(parts) + 1):
        if parts and [f.removesuffix("'s") for f in folded[at : at + len(parts)]] == parts:
            return at, at + len(parts)
    return phrases[-1] if phrases else None


def _is_name(word: Word, resources: Resources) -> bool:
    """A name that the lexicon knows, in any case."""
    return not word.guard and any([e.pos == "name" for e in resources.translations(word.folded)])


def _phrases(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Noun phrases, each with the determiner before it."""
    found: list[tuple[int, int]] = []
    start = -1
    for i in range(len(words) + 1):
        named = i < len(words) and (start >= 0 if words[i].folded in TIMES else is_named(words, i))
        if named and start < 0:
            start = i
        elif not named and start >= 0:
            while start and words[start - 1].folded in ADJECTIVES:
                start -= 1
            if start and words[start - 1].folded in ("the", "a", "an"):
                start -= 1
            found.append((start, i))
            start = -1
    return found


def _put(earlier: tuple[Word, ...], span: tuple[int, int], new: tuple[Word, ...]) -> tuple[Word, ...]:
    start = span[0]
    if start and earlier[start - 1].folded == new[0].folded:  # `naik mobil`, `naik kereta`
        start -= 1
    return (*earlier[:start], *_spaced(new), *earlier[span[1] :])


def _spaced(new: tuple[Word, ...]) -> tuple[Word, ...]:
    return (replace(new[0], space=True), *new[1:])
