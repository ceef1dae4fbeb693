"""The query in English: primary sources are rarely in Indonesian."""

from __future__ import annotations

from rewriter.analysis import Analysis
from rewriter.lookup import View, read_view
from rewriter.model import Skip, Variant
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.senses import Decision
from rewriter.text.normalise import memory_key
from rewriter.text.protect import VERBATIM
from rewriter.text.words import Word, inserted_words, join_pieces
from rewriter.translation.translate import translate

__all__ = ["write_english"]


def write_english(analysis: Analysis, resources: Resources) -> Variant | Skip:
    """The resolved query, translated; skipped where it is English already or nothing in it has an entry."""
    if analysis.language == "en":
        return Skip("already-english")
    remembered = resources.memory.get(memory_key(analysis.cleaned.folded)) if resources.memory and not analysis.changed else None
    if remembered is not None and all([w.text in remembered for w in analysis.words if w.guard in VERBATIM]):
        words = inserted_words(remembered, resources.token_rules("en"), resources.zipf, "recall_translation", ("memory",))
        return Variant("english", "en", join_pieces(words, analysis.cleaned.original))
    domains = [d.chosen.sense.domain for d in analysis.decisions if d.chosen is not None]
    literal = frozenset([d.found.form for d in analysis.decisions if d.state == "literal" and any([c.sense.idiom for c in d.candidates])])
    english = translate(_in_english(analysis, resources), analysis.language, domains, resources, literal)
    if not english.translated:
        return Skip("no-entry" if english.unknown else "already-english", english.unknown)
    foreign = any(w.lang == "id" and not w.guard and w.spoken for w in english.words if w.kind == "copy")
    return Variant("english", "mixed" if foreign else "en", join_pieces(english.words, analysis.cleaned.original))


def _in_english(analysis: Analysis, resources: Resources) -> View:
    """The resolved words, each decided sense under its English name, so that a nickname is named and not translated."""
    senses = {d.chosen.sense.id: d.chosen.sense for d in analysis.decisions if d.chosen is not None}
    if not senses:
        return analysis.resolved
    if not analysis.changed:  # no sense was written in: at most the form is a name of its own
        kept = {i for d in analysis.decisions if d.chosen is not None and _is_own_name(d) for i in range(d.found.start, d.found.end)}
        marked = [replace(w, rule="keep_form") if i in kept else w for i, w in enumerate(analysis.resolved.words)]
        return replace(analysis.resolved, words=tuple(marked))
    out: list[Word] = []
    done: set[str] = set()
    for word in analysis.resolved.words:
        sense = word.evidence[0] if word.rule in ("name_sense", "keep_form") and word.evidence else ""
        if sense not in senses or (word.rule == "keep_form" and word.lang != "id"):
            out.append(word)
        elif sense not in done:
            done.add(sense)
            made = inserted_words(senses[sense].canonical("en"), resources.token_rules("en"), resources.zipf, "", (sense,))
            out += [
                replace(w, start=word.start, end=word.end, lang="en", kind="translate", rule="name_sense_english", evidence=(sense,))
                for w in made
            ]
    return read_view(tuple(out), analysis.language, resources)


def _is_own_name(decision: Decision) -> bool:
    """Is the form itself the thing's English name (python, spring), decided by evidence?"""
    if decision.chosen is None or decision.state != "decided":
        return False
    return f" {decision.found.form} " in f" {decision.chosen.sense.canonical('en').casefold()} "
