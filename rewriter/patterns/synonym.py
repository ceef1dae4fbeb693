"""The words that practitioners use, in place of what people say."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rewriter.analysis import Analysis
from rewriter.context import keys_of
from rewriter.lexicon.entries import Jargon, Translation
from rewriter.lookup import Found, forms_of_kind, longest
from rewriter.model import Skip, Variant
from rewriter.paraphrase import find_paraphrases
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text.bags import subsets
from rewriter.text.empty import EMPTY, NEGATIONS
from rewriter.text.en import QUESTION, VERBS
from rewriter.text.normalise import fold, variant_key
from rewriter.text.words import Word, brought_in, inserted_words, join_pieces, replace_words

__all__ = ["write_synonym"]

MAX_REPLACED = 2
"""Expressions replaced at most: each further one moves the query away from what was asked."""


def write_synonym(analysis: Analysis, resources: Resources, taken: Container[str] = ()) -> Variant | Skip:
    """The resolved query with its lay expressions under their expert names, the most specific expression first.

    Where that is what another variant says (`taken` are their `variant_key`), the next name is written: for `sakit maag` both
    languages say `gastritis`, and `dispepsia` finds more.
    """
    found = [*_as_they_stand(analysis, resources), *_by_words(analysis, resources)]
    chosen = _most_specific(_without_infinitives(found, analysis))
    chosen = _without_infinitives(_paraphrased(sum([m.content for m in chosen]), analysis, resources), analysis) or chosen
    if not chosen:
        return Skip("no-entry")
    first = max(chosen, key=lambda m: m.content)
    for name in first.names:
        variant = _written([replace(m, names=(name,)) if m is first else m for m in chosen], analysis, resources)
        if variant_key(variant.text) not in taken:
            break
    return variant


def _without_infinitives(found: Sequence[Match], analysis: Analysis) -> list[Match]:
    return [m for match in found if (m := _without_infinitive(match, analysis)) is not None]


def _without_infinitive(match: Match, analysis: Analysis) -> Match | None:
    """Behind `to` stands a verb: `how to lose weight` gives way to `weight reduction` as a whole, and where more is said before it
    (`reasons to lose weight`) only to a verb."""
    texts = [w.folded for w in analysis.resolved.words]
    start = match.places[0]
    verb = texts[max(0, start - 2) : start] == ["how", "to"] or (texts[start - 1 : start] == ["to"] and texts[start] in VERBS)
    if not verb:
        return match
    if all([t in EMPTY for t in texts[:start]]):
        return replace(match, places=(*range(start), *match.places))
    return None


def _written(chosen: Sequence[Match], analysis: Analysis, resources: Resources) -> Variant:
    """The query with the first name of each match in its place."""
    words = analysis.resolved.words
    for match in sorted(chosen, key=lambda m: -m.places[0]):
        start, end = match.places[0], match.places[-1] + 1
        between = [replace(words[i], space=True) for i in match.between]
        words = replace_words(words, start, end, [*_expert_words(match.entry, match.names[0], analysis, resources), *between])
    return Variant("synonym", analysis.language, join_pieces(words, analysis.cleaned.original))


LEAST_AGAINST = 75
"""Percent of agreement with which a description of the whole query takes precedence over a part that an entry has as it stands."""
LEAST_DENYING = 75
"""Percent of agreement of a description that denies something: half of it may well deny something else."""
SENTENCE, LEAST_IN_SENTENCE = 8, 3
"""In a query of so many words two plain ones meet by chance (`enforce people to ask` is no sampling): there a reordered expression needs
three."""
LEAST_DENIED = 3
"""Content words of an expression that holds a negation, with the negation."""


@record
class Match:
    """A lay expression in the query: the indices of its words and of those between that stay, its entry, its expert terms, best first.

    `content` counts the content words that the expression accounts for, by which one is more specific than another.
    """

    places: tuple[int, ...]
    between: tuple[int, ...]
    content: int
    entry: Jargon
    names: tuple[str, ...]


def _most_specific(found: Sequence[Match]) -> list[Match]:
    """At most `MAX_REPLACED` matches that do not overlap: most content words first, then as they stand, then to the left."""
    taken: set[int] = set()
    chosen: list[Match] = []
    for match in sorted(found, key=lambda m: (-m.content, len(m.between), m.places[0] - m.places[-1], m.places[0])):
        span = range(match.places[0], match.places[-1] + 1)
        if len(chosen) < MAX_REPLACED and taken.isdisjoint(span):
            taken.update(span)
            chosen.append(match)
    return chosen


def _as_they_stand(analysis: Analysis, resources: Resources) -> list[Match]:
    """Lay expressions in the words as written or in normal form: not protected, not negated, cues met, and really another word."""
    view = analysis.resolved
    forms = forms_of_kind(view, Jargon.KIND)
    found = [f for f in forms if _free(f, view.words)]
    if not found:
        return []
    texts = [w.folded for w in view.words]
    found = [f for f in found if _may_deny(range(f.start, f.end), analysis, resources)]
    denied = {i for f in forms if f.start and texts[f.start - 1] in NEGATIONS for i in range(f.start, f.end)}
    found = [f for f in found if denied.isdisjoint(range(f.start, f.end))]  # no part of what is denied as a whole: `tanpa sakit maag`
    said = {k for w in texts for k in keys_of(w, resources)}
    out: list[Match] = []
    for item in longest(found):
        picked = _pick(item, texts, said, analysis, resources)
        if picked is not None and not _out_of_place(picked[0], range(item.start, item.end), texts, resources):
            content = len(resources.content_words(texts[item.start : item.end]))
            out.append(Match(tuple(range(item.start, item.end)), (), content, *picked))
    return out


SPREAD = {2: 3, 3: 5, 4: 7}
"""Words over which the content words of a lay expression may lie, by their number: two must be neighbours, or nearly."""


def _by_words(analysis: Analysis, resources: Resources) -> list[Match]:
    """Lay expressions that are said in another order, inflected or with words between: the largest set of words that is one.

    What stands between and is no part of the expression follows the expert term; a query with a negation outside the expression is
    left alone, since its scope would move, and so is a protected word or a name between.
    """
    words = analysis.resolved.words
    texts = [w.folded for w in words]
    found = resources.content_words(texts)
    free = [(i, s) for i, s in found if not words[i].guard and not brought_in(words[i]) and resources.in_jargon(s)]
    denied = {i for i, _ in found if texts[i] in NEGATIONS}
    least = LEAST_IN_SENTENCE if analysis.n_words >= SENTENCE else 0
    phrases = [  # `kutu air` is no `kutu`
        frozenset(range(f.start, f.end))
        for f in analysis.resolved.written
        if f.end - f.start > 1 and any([isinstance(e, (Jargon, Translation)) for e in f.entries])
    ]
    for key, places in subsets(free, SPREAD):
        start, end = places[0], places[-1] + 1
        if len(places) < least:
            break  # the largest come first
        if not denied.issubset(places) or any([words[i].guard for i in range(start, end)]):
            continue
        form, entries = resources.jargon_of_words(key)
        if not entries or _is_part(words, start, end) or not _may_deny(places, analysis, resources):
            continue
        if any([0 < len(phrase.intersection(places)) < len(phrase) for phrase in phrases]):
            continue
        said = {k for w in texts for k in keys_of(w, resources)}
        picked = _pick(Found(start, end, form, entries), texts, said, analysis, resources)
        if picked is None or _out_of_place(picked[0], places, texts, resources):
            continue
        if not _said_twice(picked[1][0], places, texts, resources):
            return [Match(places, tuple([i for i, _ in found if start < i < end and i not in places]), len(places), *picked)]
    return []


def _paraphrased(covered: int, analysis: Analysis, resources: Resources) -> list[Match]:
    """The lay expression that the query says in other words, where more of its content words do so than those `covered` as they stand."""
    view = analysis.resolved
    words = view.words
    texts = [w.folded for w in words]
    for found in find_paraphrases(view, analysis.language, resources) if len(words) > covered else ():
        start, end = found.places[0], found.places[-1] + 1
        if len(found.places) <= covered or (covered and found.agreement < LEAST_AGAINST):
            continue
        if found.agreement < LEAST_DENYING and any([texts[i] in NEGATIONS for i in found.places]):
            continue
        if not _may_deny(found.places, analysis, resources):
            continue
        if _is_part(words, start, end):
            continue
        said = {k for w in texts for k in keys_of(w, resources)}
        picked = _pick(Found(start, end, "", (found.entry,)), texts, said, analysis, resources)
        if picked is not None and not _said_twice(picked[1][0], found.places, texts, resources):
            before = range(start) if analysis.language == "en" and all([t in EMPTY for t in texts[:start]]) else ()
            between = _kept_between(found.places, words, resources)
            return [Match((*before, *found.places), between, len(found.places), *picked)]
    return []


def _may_deny(places: Sequence[int], analysis: Analysis, resources: Resources) -> bool:
    """Is a negation among these words part of what they describe (`anak ga bisa diam`)?

    With one word alone it denies that word (`tidak hujan`), and an English question has it in its verb: `why is my phone not charging`.
    """
    words = analysis.resolved.words
    texts = [words[i].folded for i in places]
    if not any([t in NEGATIONS for t in texts]):
        return True
    if analysis.language == "en" and any([w.folded in QUESTION for w in words]):
        return False
    return len(resources.content_words(texts)) >= LEAST_DENIED


def _out_of_place(entry: Jargon, places: Sequence[int], texts: Sequence[str], resources: Resources) -> bool:
    """Are these words the smaller part of a query that speaks of other fields alone?

    Two plain words mean this thing where they are nearly all that is said (`high temperature`: fever), and not in the middle of a sentence
    about something else (`properties of high temperature air`).
    """
    rest = [stem for i, stem in resources.content_words(texts) if i not in places]
    if len(rest) <= len(resources.content_words([texts[i] for i in places])):
        return False
    fields = {field for stem in rest for field in resources.fields_of(stem)}
    return bool(fields) and entry.domain.partition("/")[0] not in fields


def _said_twice(name: str, places: Sequence[int], texts: Sequence[str], resources: Resources) -> bool:
    """Has the expert term a word that stays in the query beside it: `[potongan daging sapi] sapi empuk`?"""
    stays = {stem for i, stem in resources.content_words(texts) if i not in places}
    return not stays.isdisjoint([stem for _, stem in resources.content_words(fold(name).split())])


_JOINING = frozenset("tapi tetapi namun padahal kalau kalo jika saat ketika karena sampai but when while if because until although".split())


def _kept_between(places: Sequence[int], words: Sequence[Word], resources: Resources) -> tuple[int, ...]:
    """Content words between those of a description that are no part of it: `dinding [kamar mandi] retak`.

    A clause is described as a whole (`wifi nyala tapi gak ada internet`): of it only protected words and names stay.
    """
    inside = range(places[0], places[-1] + 1)
    texts = [w.folded for w in words]
    content = {i for i, _ in resources.content_words(texts)}
    clause = any([texts[i] in NEGATIONS or texts[i] in _JOINING for i in inside])
    kept = {i for i in inside if words[i].guard or resources.is_name(texts[i])} | (set() if clause else content)
    return tuple([i for i in inside if i not in places and i in kept])


def _pick(
    found: Found, texts: Sequence[str], said: set[str], analysis: Analysis, resources: Resources
) -> tuple[Jargon, tuple[str, ...]] | None:
    """The first entry of a lay expression whose cues are met, with the expert terms to write."""
    line = " ".join(texts)
    for entry in found.entries:
        if isinstance(entry, Jargon) and _cues_met(entry, said, analysis):
            names = _expert_names(entry, found.form, line, analysis.language)
            if names and not _verb_lost(found, names[0], texts, resources):
                return entry, names
    return None


def _expert_words(entry: Jargon, name: str, analysis: Analysis, resources: Resources) -> tuple[Word, ...]:
    return inserted_words(name, resources.token_rules(analysis.language), resources.zipf, "name_expert_term", (entry.id,), "rewrite")


def _verb_lost(found: Found, name: str, texts: Sequence[str], resources: Resources) -> bool:
    """Behind `cara` stands a verb: `cara mengecilkan perut` takes no noun in its place."""
    if not found.start or texts[found.start - 1] != "cara":
        return False
    return not resources.is_verb(name.casefold().split()[0])


_PARTICLES = frozenset("in out up down on off over of to from with by".split())
"""English words that belong to what stands before as much as to what follows."""


def _free(found: Found, words: Sequence[Word]) -> bool:
    """No protected word inside, no word that came from a name, no negation right before, no half of a compound at an end."""
    span = words[found.start : found.end]
    before = words[found.start - 1].folded if found.start else ""
    return not any(w.guard or brought_in(w) for w in span) and before not in NEGATIONS and not _is_part(words, found.start, found.end)


def _hyphen(words: Sequence[Word], at: int) -> bool:
    """Is this a hyphen with a word right at each side?"""
    return 0 < at < len(words) - 1 and words[at].text == "-" and not words[at].space and not words[at + 1].space


def _is_part(words: Sequence[Word], start: int, end: int) -> bool:
    """Does the expression begin or end with half of a pair (`in and out of business`) or of a compound (`ultra-processed foods`)?"""
    torn = start > 0 and words[start - 1].folded in ("and", "or") and words[start].folded in _PARTICLES
    return torn or _hyphen(words, start - 1) or _hyphen(words, end)


def _cues_met(entry: Jargon, said: set[str], analysis: Analysis) -> bool:
    return not entry.cues or any(cue in said or analysis.conversation.age_of(cue) is not None for cue in entry.cues)


def _expert_names(entry: Jargon, form: str, line: str, language: str) -> tuple[str, ...]:
    """The expert terms in the query's language that the query does not have yet, then the other language's."""
    first, second = (entry.expert_en, entry.expert_id) if language == "en" else (entry.expert_id, entry.expert_en)
    parts = form.split(" / ")
    return tuple([n for n in (*first, *second) if (folded := n.casefold()) not in line and folded != form and folded not in parts])
