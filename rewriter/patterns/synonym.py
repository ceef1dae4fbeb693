"""The words that practitioners use, in place of what people say."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.analysis import Analysis
from rewriter.context import keys_of
from rewriter.lexicon.entries import Jargon
from rewriter.lookup import Found, forms_of_kind, longest
from rewriter.model import Skip, Variant
from rewriter.resources import Resources
from rewriter.text.bags import bag_words, subsets
from rewriter.text.empty import NEGATIONS
from rewriter.text.words import Word, brought_in, inserted_words, join_pieces, replace_words

__all__ = ["write_synonym"]

MAX_REPLACED = 2
"""Expressions replaced at most: each further one moves the query away from what was asked."""


def write_synonym(analysis: Analysis, resources: Resources) -> Variant | Skip:
    """The resolved query with its lay expressions under their expert names, the longest expression first."""
    words = analysis.resolved.words
    fitting = _expressions(analysis, resources)
    if not fitting:
        reworded = _by_words(analysis, resources)
        return Variant("synonym", analysis.language, join_pieces(reworded, analysis.cleaned.original)) if reworded else Skip("no-entry")
    for found, entry, name in sorted(fitting[:MAX_REPLACED], key=lambda f: -f[0].start):
        words = replace_words(words, found.start, found.end, _expert_words(entry, name, analysis, resources))
    return Variant("synonym", analysis.language, join_pieces(words, analysis.cleaned.original))


def _expressions(analysis: Analysis, resources: Resources) -> list[tuple[Found, Jargon, str]]:
    """Lay expressions with the expert term to write, longest first: not protected, not negated, cues met, and really another word."""
    view = analysis.resolved
    found = [f for f in forms_of_kind(view, Jargon.KIND) if _free(f, view.words)]
    if not found:
        return []
    texts = [w.folded for w in view.words]
    said = {k for w in texts for k in keys_of(w, resources)}
    out: list[tuple[Found, Jargon, str]] = []
    for item in longest(found):
        picked = _pick(item, texts, said, analysis, resources)
        if picked is not None:
            out.append((item, *picked))
    return sorted(out, key=lambda f: (f[0].start - f[0].end, f[0].start))


SPREAD = {2: 3, 3: 5, 4: 7}
"""Words over which the content words of a lay expression may lie, by their number: two must be neighbours, or nearly."""


def _by_words(analysis: Analysis, resources: Resources) -> tuple[Word, ...] | None:
    """The query with a lay expression replaced that is said in another order or with words between; None where there is none.

    The largest set of words wins.  What stands between and is not part of the expression follows the expert term; a query with
    a negation outside the expression is left alone, since its scope would move.
    """
    words = analysis.resolved.words
    texts = [w.folded for w in words]
    found = bag_words(texts, resources.stem)
    free = [(i, s) for i, s in found if not words[i].guard and not brought_in(words[i]) and resources.in_jargon(s)]
    denied = {i for i, _ in found if texts[i] in NEGATIONS}
    for key, places in subsets(free, SPREAD):
        if not denied.issubset(places):
            continue
        form, entries = resources.jargon_of_words(key)
        if not entries:
            continue
        start, end = places[0], places[-1] + 1
        said = {k for w in texts for k in keys_of(w, resources)}
        picked = _pick(Found(start, end, form, entries), texts, said, analysis, resources)
        if picked is not None:
            kept = [words[i] for i, _ in found if start < i < end and i not in places]
            return replace_words(words, start, end, [*_expert_words(*picked, analysis, resources), *kept])
    return None


def _pick(found: Found, texts: Sequence[str], said: set[str], analysis: Analysis, resources: Resources) -> tuple[Jargon, str] | None:
    """The first entry of a lay expression whose cues are met, with the expert term to write."""
    line = " ".join(texts)
    for entry in found.entries:
        if isinstance(entry, Jargon) and _cues_met(entry, said, analysis):
            name = _expert_name(entry, found.form, line, analysis.language)
            if name and not _verb_lost(found, name, texts, resources):
                return entry, name
    return None


def _expert_words(entry: Jargon, name: str, analysis: Analysis, resources: Resources) -> tuple[Word, ...]:
    return inserted_words(name, resources.token_rules(analysis.language), resources.zipf, "name_expert_term", (entry.id,), "rewrite")


def _verb_lost(found: Found, name: str, texts: Sequence[str], resources: Resources) -> bool:
    """Behind `cara` stands a verb: `cara mengecilkan perut` takes no noun in its place."""
    if not found.start or texts[found.start - 1] != "cara":
        return False
    return not resources.is_verb(name.casefold().split()[0])


def _free(found: Found, words: Sequence[Word]) -> bool:
    """No protected word inside, no word that came from a name, no negation right before."""
    span = words[found.start : found.end]
    before = words[found.start - 1].folded if found.start else ""
    return not any(w.guard or brought_in(w) for w in span) and before not in NEGATIONS


def _cues_met(entry: Jargon, said: set[str], analysis: Analysis) -> bool:
    return not entry.cues or any(cue in said or analysis.conversation.age_of(cue) is not None for cue in entry.cues)


def _expert_name(entry: Jargon, form: str, line: str, language: str) -> str:
    """The first expert term in the query's language that the query does not have yet; the other language's where there is none."""
    first, second = (entry.expert_en, entry.expert_id) if language == "en" else (entry.expert_id, entry.expert_en)
    for name in (*first, *second):
        folded = name.casefold()
        if folded not in line and folded != form and form not in folded.split(" / "):
            return name
    return ""
