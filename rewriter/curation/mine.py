"""Candidates for the lexicons out of a query log, streamed: memory is bounded, whatever the length of the log.

    untranslated   Indonesian words that no entry, affix or loanword rule explains, and no English word
    slang          spellings near a common word: vowels left out, letters repeated, or typed anew as that word in the same session
    phrases        words that keep company (an association measure of NLTK) and have no entry together
    nicknames      frequent queries, or phrases with an unknown word, of which the lexicons know no sense
    lay            what people typed before they found the practitioners' word, in the same session

Nothing is added: what comes out is a list for people.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from rewriter.curation.logs import Logged
from rewriter.curation.rows import Row
from rewriter.errors import InputError
from rewriter.lexicon.entries import Jargon, Sense, Slang, Translation
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.normalise import fold

__all__ = ["GROUPS", "MEASURES", "Candidate", "Options", "Tally", "count_log", "mine_log", "to_rows"]

GROUPS = ("nicknames", "phrases", "slang", "untranslated", "lay")
MEASURES = ("likelihood_ratio", "pmi", "student_t", "chi_sq", "poisson_stirling")
"""Association measures of NLTK; the likelihood ratio ranks rare pairs least wrongly (Dunning 1993)."""
MOST_KEPT = 1_000_000
"""N-grams counted at a time; beyond it those seen once go (what is rare in the first million stays rare)."""
MOST_SESSIONS = 100_000
"""Sessions whose last query is remembered, the latest ones."""
LONGEST_QUERY = 24
"""Words; longer ones are pasted text."""
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*[+#]*")
_FUNCTION = id.FUNCTION | en.FUNCTION | id.QUESTION | en.QUESTION | id.PRONOUNS | en.PRONOUNS
_ASKED = id.ATTRIBUTES | en.ATTRIBUTES
_VOWELS = re.compile("[aeiou]")
_REPEATED = re.compile(r"(\w)\1{2,}")
COMMON = 350
"""Zipf 3.5: what a slang spelling stands for is at least as common."""
CLEARLY = 100
"""One Zipf unit: ten times as frequent in one language as in the other."""
INNER = 3
"""A triple is one thing where its commoner pair stands at most three times as often without the third word."""
RARER = 150
"""One and a half Zipf units: a practitioners' word is so much rarer than the words that lay people use."""
UNKNOWN = 150
"""Zipf 1.5: below it a word counts as in no vocabulary."""


@record
class Options:
    """What a candidate must reach, and how many of each group are shown."""

    min_count: int = 5
    measure: str = "likelihood_ratio"
    top: int = 100


@record
class Candidate:
    """Something for a person to look at: in which group, what, how often, its rank within the group, why, and where it was seen."""

    group: str
    form: str
    count: int
    score: int
    why: str
    examples: tuple[str, ...]
    proposal: str = ""


@record
class Tally:
    """A log counted: n-grams of up to three words, whole queries, what was typed after what in a session, and examples of each."""

    words: Counter[tuple[str, ...]]
    whole: Counter[str]
    followed: Counter[tuple[str, str]]
    examples: dict[tuple[str, ...], list[str]]
    queries: int
    tokens: int


def mine_log(
    log: Iterable[Logged],
    resources: Resources,
    options: Options,
    progress: Callable[[int], None] = lambda _: None,
    decided: Container[tuple[str, str]] = frozenset(),
) -> list[Candidate]:
    """Candidates by group (`GROUPS`), the most typed first, each form in one group; none that people have `decided` (group, form)."""
    if options.measure not in MEASURES:
        raise InputError(f"--measure names {options.measure!r}; known are {', '.join(MEASURES)}.")
    tally = count_log(log, progress)
    found: list[Candidate] = []
    seen: set[str] = set()
    told: list[str] = []  # what is explained already, also inside longer forms
    wholes: set[str] = set()  # queries of which one piece is shown
    for find in (_lay, _slang, _nicknames, _phrases, _untranslated):  # the surest evidence first
        kept = [c for c in find(tally, resources, options) if c.form not in seen and not any(f" {s} " in f" {c.form} " for s in told)]
        kept.sort(key=lambda c: (-c.score, -c.count, c.form))
        if find in (_nicknames, _phrases):
            kept = list(_without_pieces(kept, wholes))
        shown = [c for c in kept if (c.group, c.form) not in decided][: options.top]
        settled = [*shown, *(c for c in kept if (c.group, c.form) in decided)]  # what was decided does not come back in another group
        seen.update(c.form for c in settled)
        if find in (_lay, _slang):
            told += [text for c in settled for text in (c.form, c.proposal)]
        found += shown
    return sorted(found, key=lambda c: (GROUPS.index(c.group), -c.count, -c.score, c.form))


def _without_pieces(candidates: Iterable[Candidate], wholes: set[str]) -> Iterator[Candidate]:
    """Of candidates that were seen in one and the same query only, the best: the others are pieces of what that query says."""
    for c in candidates:
        if len(c.examples) == 1 and c.examples[0] in wholes:
            continue
        if len(c.examples) == 1:
            wholes.add(c.examples[0])
        yield c


def count_log(log: Iterable[Logged], progress: Callable[[int], None] = lambda _: None) -> Tally:
    """One pass over the log."""
    tally = Tally(Counter(), Counter(), Counter(), {}, 0, 0)
    queries = tokens = 0
    last: OrderedDict[str, str] = OrderedDict()
    for one in log:
        words = _WORD.findall(fold(one.query))
        queries += one.count
        if not queries % 1000:
            progress(queries)
        if not words or len(words) > LONGEST_QUERY:
            continue
        tokens += len(words) * one.count
        text = " ".join(words)
        tally.whole[text] += one.count
        for length in (1, 2, 3):
            for start in range(len(words) - length + 1):
                gram = tuple(words[start : start + length])
                tally.words[gram] += one.count
                shown = tally.examples.setdefault(gram, [])
                if len(shown) < 3 and one.query not in shown:
                    shown.append(one.query)
        if one.session:
            before = last.pop(one.session, "")
            if before and before != text:
                _follow(tally, before.split(), words, one.count)
            last[one.session] = text
            if len(last) > MOST_SESSIONS:
                last.popitem(last=False)
        if len(tally.words) > MOST_KEPT:
            _prune(tally)
    return Tally(tally.words, tally.whole, tally.followed, tally.examples, queries, tokens)


def _prune(tally: Tally) -> None:
    """Forget the rarest, until half of the room is free."""
    for counter in (tally.words, tally.whole, tally.followed):
        least = 1
        while len(counter) > MOST_KEPT // 2:
            for key in [k for k, n in counter.items() if n <= least]:
                del counter[key]
            least += 1
    for gram in [g for g in tally.examples if g not in tally.words]:
        del tally.examples[gram]


def _follow(tally: Tally, before: Sequence[str], after: Sequence[str], count: int) -> None:
    """A reformulation: the queries share a content word, or one is another spelling of the other; what differs is short on both sides."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone, come = before[head : len(before) - tail], after[head : len(after) - tail]
    shared = [w for w in before if w in after and w not in _FUNCTION]
    if gone and come and len(gone) <= 3 and len(come) <= 3 and (shared or _alike(" ".join(gone), " ".join(come))):
        tally.followed[(" ".join(gone), " ".join(come))] += count


def _alike(a: str, b: str) -> bool:
    """One spelling of the other: the same consonants in the same order."""
    return bool(_skeleton(a)) and _skeleton(a) == _skeleton(b)


def _skeleton(word: str) -> str:
    return _VOWELS.sub("", _REPEATED.sub(r"\1", word))


def _knows(form: str, resources: Resources, *kinds: type) -> bool:
    return any(isinstance(e, kinds) for e in resources.exact(form))


def _explained(word: str, resources: Resources) -> bool:
    """Has the word an entry, an affix around one, or the spelling of a loanword?"""
    if resources.exact(word) or resources.loan(word) or not word.isalpha():
        return True
    cut = id.detach_clitic(word)
    stems = [stem for stem, _ in id.stems(word)] + ([cut[0]] if cut else [])
    return any(_knows(stem, resources, Translation) for stem in stems)


def _frequent(tally: Tally, length: int, least: int) -> Iterator[tuple[tuple[str, ...], int]]:
    for gram, count in tally.words.items():
        if len(gram) == length and count >= least:
            yield gram, count


def _untranslated(tally: Tally, resources: Resources, options: Options) -> Iterator[Candidate]:
    for (word,), count in _frequent(tally, 1, options.min_count):
        in_id, in_en = resources.zipf(word)
        if len(word) > 2 and word not in _FUNCTION and in_en < max(UNKNOWN, in_id - 50) and not _explained(word, resources):
            yield Candidate("untranslated", word, count, count, "no entry, no affix, no loanword", _shown(tally, (word,)))


def _slang(tally: Tally, resources: Resources, options: Options) -> Iterator[Candidate]:
    typed = _typed_anew(tally)
    by_skeleton: dict[str, list[tuple[int, str]]] = {}
    for (word,), _ in _frequent(tally, 1, 1):
        common = resources.zipf(word)[0]
        if common >= COMMON and word.isalpha():
            by_skeleton.setdefault(_skeleton(word), []).append((common, word))
    for (word,), count in _frequent(tally, 1, options.min_count):
        if not word.isalpha() or max(resources.zipf(word)) >= COMMON or _knows(word, resources, Slang, Sense, Translation):
            continue
        anew = [(n, other) for other, n in typed.get(word, {}).items() if " " not in other and resources.zipf(other)[0] >= COMMON]
        anew = [(n, other) for n, other in anew if n >= _often(options)]
        if anew:
            times, target = max(anew, key=lambda pair: (pair[0], pair[1]))
            why = f"typed anew as {target!r} {_times(times)}"
            yield Candidate("slang", word, count, count * (1 + times), why, _shown(tally, (word,)), target)
            continue
        short = _REPEATED.sub(r"\1", word)
        near = [(zipf, other) for zipf, other in by_skeleton.get(_skeleton(word), ()) if other != word]
        if short != word and resources.zipf(short)[0] >= COMMON:
            yield Candidate("slang", word, count, count, f"{short!r} with repeated letters", _shown(tally, (word,)), short)
        elif near and len(word) > 2 and not _VOWELS.search(word):
            target = max(near)[1]
            yield Candidate("slang", word, count, count, f"{target!r} without its vowels", _shown(tally, (word,)), target)


def _often(options: Options) -> int:
    """How often something must be typed anew as something else: once is a coincidence."""
    return max(2, options.min_count // 2)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _typed_anew(tally: Tally) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (gone, come), count in tally.followed.items():
        found.setdefault(gone, {})[come] = count
    return found


def _phrases(tally: Tally, resources: Resources, options: Options) -> Iterator[Candidate]:
    for gram, count, score in _collocations(tally, options):
        form = " ".join(gram)
        if not resources.exact(form) and all(_explained(w, resources) or resources.zipf(w)[0] for w in gram):
            yield Candidate("phrases", form, count, score, f"{options.measure.replace('_', ' ')} {score}", _shown(tally, gram))


def _nicknames(tally: Tally, resources: Resources, options: Options) -> Iterator[Candidate]:
    typed = _typed_anew(tally)
    longer: Counter[str] = Counter()
    for (first, second), count in _frequent(tally, 2, options.min_count):
        if not {first, second} & _ASKED:
            longer[first], longer[second] = max(longer[first], count), max(longer[second], count)
    singles = ((gram, count, count) for gram, count in _frequent(tally, 1, options.min_count) if not _is_part(gram[0], count, longer))
    for gram, count, score in (*singles, *_collocations(tally, options)):
        form = " ".join(gram)
        if resources.exact(form) or {gram[0], gram[-1]} & _ASKED or any(_knows(w, resources, Slang) for w in gram):
            continue
        rare = [w for w in gram if max(resources.zipf(w)) < UNKNOWN and not w.isdigit()]
        whole = tally.whole[form]
        beside = _beside_attributes(tally, gram)
        anew = {t: n for t, n in typed.get(form, {}).items() if n >= _often(options) and not set(t.split()) & set(gram)}
        enough = whole + beside >= options.min_count
        if len(gram) == 3 and gram[1] in _FUNCTION and not (enough or anew):
            continue
        if not (rare and enough if len(gram) == 1 else (rare or enough or anew)):
            continue
        why = [f"{', '.join(rare)} in no vocabulary"] if rare else []
        why += [f"a query of its own {_times(whole)}"] if whole else []
        why += [f"beside a word like harga {_times(beside)}"] if beside else []
        target = max(anew, key=lambda t: (anew[t], t)) if anew else ""
        why += [f"typed anew as {target!r} {_times(anew[target])}"] if target else []
        yield Candidate("nicknames", form, count, score, "; ".join(why), _shown(tally, gram), target)


def _is_part(word: str, count: int, longer: Counter[str]) -> bool:
    """Does the word stand in one and the same pair nearly always?"""
    return longer[word] * 10 >= count * 9


def _beside_attributes(tally: Tally, gram: tuple[str, ...]) -> int:
    """How often what is asked of every thing (price, schedule, how to …) stands right beside: so a name is used."""
    if len(gram) > 2:  # four words are not counted together, but whole queries are
        form = " ".join(gram)
        return sum(tally.whole[f"{word} {form}"] + tally.whole[f"{form} {word}"] for word in _ASKED)
    return sum(tally.words[(word, *gram)] + tally.words[(*gram, word)] for word in _ASKED)


def _collocations(tally: Tally, options: Options) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Pairs and triples that stand together more often than by chance, with the measure as a whole number; none at whose ends stand
    function words, and no part of a longer one that stands there almost as often."""
    from nltk.metrics.association import BigramAssocMeasures, TrigramAssocMeasures

    total = max(tally.tokens, 1)
    longer: Counter[tuple[str, ...]] = Counter()
    for gram, count in _frequent(tally, 3, options.min_count):
        for part in (gram[:2], gram[1:]):
            longer[part] = max(longer[part], count)
    for length, measures in ((2, BigramAssocMeasures), (3, TrigramAssocMeasures)):
        measure = getattr(measures, options.measure)
        for gram, count in _frequent(tally, length, options.min_count):
            if gram[0] in _FUNCTION or gram[-1] in _FUNCTION or not all(len(w) > 1 for w in gram) or longer[gram] * 10 >= count * 9:
                continue
            if length == 3 and count * INNER < max(tally.words[gram[:2]], tally.words[gram[1:]]):
                continue  # what keeps company is the pair inside
            score = measure(*_margins(gram, count, tally, total))
            if score > 0:
                yield gram, count, round(score)


def _margins(gram: tuple[str, ...], count: int, tally: Tally, total: int) -> tuple[object, ...]:
    """Counts as NLTK's measures take them: of the n-gram, of its parts, of all tokens."""
    single = [max(count, tally.words[(w,)]) for w in gram]
    if len(gram) == 2:
        return count, (single[0], single[1]), total
    first, second = [max(count, tally.words[part]) for part in (gram[:2], gram[1:])]
    apart = count  # first and third word around any second one: at least as often as around this one
    return count, (first, apart, second), tuple(single), total


def _lay(tally: Tally, resources: Resources, options: Options) -> Iterator[Candidate]:
    """Typed, then typed anew in rarer words: `sakit maag`, then `gastritis`."""
    for (gone, come), count in tally.followed.items():
        words = come.split()
        if count < _often(options) or _alike(gone, come) or _knows(gone, resources, Jargon):
            continue
        content = [w for w in words if w not in _FUNCTION and not w.isdigit()]
        if not content or set(gone.split()) & set(content) or all(w in _FUNCTION for w in gone.split()):
            continue
        rarer = min(max(resources.zipf(w)) for w in content) + RARER <= max(max(resources.zipf(w)) for w in gone.split())
        if rarer or _knows(come, resources, Jargon):
            examples = _shown(tally, tuple(gone.split())) or (gone,)
            yield Candidate("lay", gone, count, count, f"typed anew as {come!r} {_times(count)}", examples, come)


def _shown(tally: Tally, gram: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(tally.examples.get(gram, ()))


def to_rows(candidates: Iterable[Candidate], resources: Resources) -> Iterator[tuple[dict[str, object], Row]]:
    """What is known of each candidate, and the entry as far as it can be proposed; what a person must write is empty."""
    from rewriter.curation.exchange.exchanged import make_id

    taken: set[str] = set()
    for c in candidates:
        about: dict[str, object] = {"group": c.group, "form": c.form, "count": c.count, "score": c.score, "why": c.why}
        about["examples"] = list(c.examples)
        source = {"source": "curated", "status": "draft"}
        in_english, in_indonesian = _languages(c.proposal, resources)
        if c.group == "slang":
            row = Row("slang-id", {"form": c.form, "to": c.proposal, "pos": "x", "status": "draft"})
        elif c.group in ("untranslated", "phrases"):
            row = Row("translation", {"form": c.form, "to": c.proposal, "pos": "n", "status": "draft"})
        elif c.group == "lay":
            name = make_id(c.form, c.proposal, taken)
            terms = {f"expert.{'id' if in_indonesian else 'en'}": [c.proposal], "gloss.en": "", "gloss.id": "", "domain": ""}
            row = Row("jargon", {"id": name, "forms": [c.form], **terms, "direction": "lay-to-expert", **source})
        else:
            name = make_id(c.form, c.proposal or "sense", taken)
            names = {"canonical.en": c.proposal if in_english else "", "canonical.id": c.proposal if in_indonesian else ""}
            row = Row("sense", {"id": name, "forms": [c.form], **names, "gloss.en": "", "gloss.id": "", "domain": "", "cues": [], **source})
        yield about, row


def _languages(text: str, resources: Resources) -> tuple[bool, bool]:
    """Can the text stand in the English field, and in the Indonesian one?  Names and terms of which nothing is known stand in both."""
    zipf = {word: resources.zipf(word) for word in text.split()}
    indonesian = any(i >= e + CLEARLY and _knows(word, resources, Translation) for word, (i, e) in zipf.items())
    english = any(e >= max(i + CLEARLY, COMMON) for i, e in zipf.values())
    return not indonesian, indonesian or not english
