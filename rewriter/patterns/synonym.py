"""The words that practitioners use, in place of what people say."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rewriter.analysis import Analysis
from rewriter.lexicon.entries import Jargon
from rewriter.lookup import Found, forms_of_kind, longest
from rewriter.model import Skip, Variant
from rewriter.paraphrase import find_paraphrases
from rewriter.patterns.lay import Query
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text.bags import subsets
from rewriter.text.empty import NEGATIONS
from rewriter.text.normalise import variant_key
from rewriter.text.words import Word, brought_in, inserted_words, join_pieces, replace_words

__all__ = ["write_synonym"]

MAX_REPLACED = 2
"""Expressions replaced at most: each further one moves the query away from what was asked."""
LEAST_AGAINST = 75
"""Percent of agreement with which a description of the whole query takes precedence over a part that an entry has as it stands."""
LEAST_DENYING = 75
"""Percent of agreement of a description that denies something: half of it may well deny something else."""
SENTENCE, LEAST_IN_SENTENCE = 8, 3
"""In a query of so many words two plain ones meet by chance (`enforce people to ask` is no sampling): there a reordered expression needs
three."""
BESIDE = 2
"""Words from an expression within which its expert name must not be said once more (`demam berdarah dengue`)."""
SPREAD = {2: 3, 3: 5, 4: 7}
"""Words over which the content words of a lay expression may lie, by their number: two must be neighbours, or nearly."""


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


def write_synonym(analysis: Analysis, resources: Resources, taken: Container[str] = ()) -> Variant | Skip:
    """The resolved query with its lay expressions under their expert names, the most specific expression first.

    Where that is what another variant says (`taken` are their `variant_key`), the next name is written: for `sakit maag` both
    languages say `gastritis`, and `dispepsia` finds more.
    """
    query = Query(analysis, resources)
    found = [*_as_they_stand(query, analysis, resources), *_by_words(query, analysis, resources)]
    chosen = _most_specific(_without_infinitives(found, query))
    covered = sum([m.content for m in chosen])
    chosen = _without_infinitives(_paraphrased(covered, query, analysis, resources), query) or chosen
    if not chosen:
        return Skip("no-entry")
    first = max(chosen, key=lambda m: m.content)
    for name in first.names:
        variant = _written([replace(m, names=(name,)) if m is first else m for m in chosen], analysis, resources)
        if variant_key(variant.text) not in taken:
            break
    return variant


def _written(chosen: Sequence[Match], analysis: Analysis, resources: Resources) -> Variant:
    """The query with the first name of each match in its place."""
    words = analysis.resolved.words
    for match in sorted(chosen, key=lambda m: -m.places[0]):
        start, end = match.places[0], match.places[-1] + 1
        between = [replace(words[i], space=True) for i in match.between]
        words = replace_words(words, start, end, [*_expert_words(match.entry, match.names[0], analysis, resources), *between])
    return Variant("synonym", analysis.language, join_pieces(words, analysis.cleaned.original))


def _expert_words(entry: Jargon, name: str, analysis: Analysis, resources: Resources) -> tuple[Word, ...]:
    return inserted_words(name, resources.token_rules(analysis.language), resources.zipf, "name_expert_term", (entry.id,), "rewrite")


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


def _without_infinitives(found: Sequence[Match], query: Query) -> list[Match]:
    """No noun stands behind `to`: `how to lose weight` gives way to `weight reduction` as a whole, and where more is said before it
    (`reasons to lose weight`) nothing does."""
    kept = []
    for match in found:
        start = match.places[0]
        if not query.is_verb(start):
            kept.append(match)
        elif query.asks_how(start):
            kept.append(replace(match, places=(*range(start), *match.places)))
    return kept


def _as_they_stand(query: Query, analysis: Analysis, resources: Resources) -> list[Match]:
    """Lay expressions in the words as written or in normal form: not protected, not negated, cues met, and really another word."""
    forms = forms_of_kind(query.view, Jargon.KIND)
    found = [f for f in forms if _free(f, query)]
    if not found:
        return []
    texts = query.texts
    denied = {i for f in forms if f.start and texts[f.start - 1] in NEGATIONS for i in range(f.start, f.end)}
    found = [f for f in found if denied.isdisjoint(range(f.start, f.end))]  # no part of what is denied as a whole: `tanpa sakit maag`
    out: list[Match] = []
    for item in longest(found):
        places = tuple(range(item.start, item.end))
        picked = _pick(item, query, analysis)
        if picked is not None and not query.is_out_of_place(picked[0], places) and not query.repeats(picked[1][0], places, BESIDE):
            out.append(Match(places, (), len(resources.content_words(texts[item.start : item.end])), *picked))
    return out


def _free(found: Found, query: Query) -> bool:
    """No protected word inside, no word that came from a name, no negation before or of another thing, no part of a longer phrase."""
    span = query.words[found.start : found.end]
    if any([w.guard or brought_in(w) for w in span]) or (found.start and query.texts[found.start - 1] in NEGATIONS):
        return False
    places = range(found.start, found.end)
    return not query.is_part(found.start, found.end) and not query.heads(found.start, found.end) and query.may_deny(places)


def _by_words(query: Query, analysis: Analysis, resources: Resources) -> list[Match]:
    """Lay expressions that are said in another order, inflected or with words between: the largest set of words that is one.

    What stands between and is no part of the expression follows the expert term; a query with a negation outside the expression is
    left alone, since its scope would move, and so is a protected word or a name between.
    """
    words, found = query.words, query.content
    free = [(i, s) for i, s in found if not words[i].guard and not brought_in(words[i]) and resources.in_jargon(s)]
    denied = {i for i, _ in found if query.texts[i] in NEGATIONS}
    least = LEAST_IN_SENTENCE if query.n_words >= SENTENCE else 0
    for key, places in subsets(free, SPREAD):
        start, end = places[0], places[-1] + 1
        if len(places) < least:
            break  # the largest come first
        if not denied.issubset(places) or any([words[i].guard for i in range(start, end)]):
            continue
        form, entries = resources.jargon_of_words(key)
        if not entries or query.is_part(start, end) or not query.may_deny(places) or query.is_reversed(places, form):
            continue
        if query.is_parted(places, form) or query.loses(places, form) or query.tears(places):
            continue
        picked = _pick(Found(start, end, form, entries), query, analysis)
        if picked is None or query.is_out_of_place(picked[0], places):
            continue
        places = query.with_said(picked[1][0], places)
        start, end = places[0], places[-1] + 1
        if not query.repeats(picked[1][0], places):
            between = [i for i, _ in found if start < i < end and i not in places and query.texts[i] not in _GOING_ON]
            return [Match(places, tuple(between), len(places), *picked)]
    return []


def _paraphrased(covered: int, query: Query, analysis: Analysis, resources: Resources) -> list[Match]:
    """The lay expression that the query says in other words, where more of its content words do so than those `covered` as they stand."""
    for found in find_paraphrases(query.view, query.language, resources) if len(query.words) > covered else ():
        start, end = found.places[0], found.places[-1] + 1
        if len(found.places) <= covered or (covered and found.agreement < LEAST_AGAINST):
            continue
        if found.agreement < LEAST_DENYING and any([query.texts[i] in NEGATIONS for i in found.places]):
            continue
        if not query.may_deny(found.places) or query.is_part(start, end):
            continue
        picked = _pick(Found(start, end, "", (found.entry,)), query, analysis)
        places = query.with_said(picked[1][0], found.places) if picked is not None else ()
        if picked is not None and not query.repeats(picked[1][0], places):
            before = range(start) if query.language == "en" and query.is_lead(start) else ()
            return [Match((*before, *places), _kept_between(places, query, resources), len(places), *picked)]
    return []


_GOING_ON = frozenset("keep keeps keeping always terus selalu sering suka mulu melulu".split())
"""Words that say how often, and stay nowhere when what happens has a name."""
_JOINING = frozenset("tapi tetapi namun padahal kalau kalo jika saat ketika karena sampai but when while if because until although".split())


def _kept_between(places: Sequence[int], query: Query, resources: Resources) -> tuple[int, ...]:
    """Content words between those of a description that are no part of it: `dinding [kamar mandi] retak`.

    A clause is described as a whole (`wifi nyala tapi gak ada internet`): of it only protected words and names stay.
    """
    texts = query.texts
    inside = range(places[0], places[-1] + 1)
    clause = any([texts[i] in NEGATIONS or texts[i] in _JOINING for i in inside])
    content = set() if clause else {i for i, _ in query.content}
    kept = {i for i in inside if query.words[i].guard or resources.is_name(texts[i])} | content
    return tuple([i for i in inside if i not in places and i in kept and texts[i] not in _GOING_ON])


def _pick(found: Found, query: Query, analysis: Analysis) -> tuple[Jargon, tuple[str, ...]] | None:
    """The first entry of a lay expression whose cues are met, with the expert terms to write."""
    line = " ".join(query.texts)
    for entry in found.entries:
        if isinstance(entry, Jargon) and _cues_met(entry, query, analysis):
            names = _expert_names(entry, found.form, line, query.language)
            if names and not query.loses_verb(found.start, names[0]):
                return entry, names
    return None


def _cues_met(entry: Jargon, query: Query, analysis: Analysis) -> bool:
    return not entry.cues or any([cue in query.said or analysis.conversation.age_of(cue) is not None for cue in entry.cues])


def _expert_names(entry: Jargon, form: str, line: str, language: str) -> tuple[str, ...]:
    """The expert terms that the query does not have yet: for an English query the English ones, else the Indonesian ones first."""
    terms = (entry.expert_en or entry.expert_id) if language == "en" else (*entry.expert_id, *entry.expert_en)
    parts = form.split(" / ")
    return tuple([n for n in terms if (folded := n.casefold()) not in line and folded != form and folded not in parts])
