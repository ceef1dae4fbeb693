"""The guardrails, in order.  Each acts or says nothing; each action is a step of the trail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rewriter.analysis import Analysis
from rewriter.model import Clarification, Option, Skip, Step, Variant
from rewriter.patterns.disambiguation import write_option
from rewriter.policy import Policy
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text import id
from rewriter.text.empty import EMPTY, NEGATIONS
from rewriter.text.normalise import fold, variant_key
from rewriter.text.protect import VERBATIM
from rewriter.text.words import Word, join_pieces

__all__ = ["Draft", "GUARDRAILS", "guard", "outcome_of"]


@record
class Draft:
    """Variants as they pass the guardrails, the question to ask back, and what was done."""

    variants: tuple[Variant, ...]
    clarification: Clarification | None
    steps: tuple[Step, ...]


Guardrail = Callable[[Draft, Analysis, Resources, Policy], Draft]


def guard(analysis: Analysis, variants: Sequence[Variant], resources: Resources, policy: Policy) -> Draft:
    """All guardrails over the variants that the patterns wrote."""
    draft = Draft(tuple(variants), None, ())
    for guardrail in GUARDRAILS:
        draft = guardrail(draft, analysis, resources, policy)
    return draft


def ask_back(draft: Draft, analysis: Analysis, resources: Resources, policy: Policy) -> Draft:
    """Two meanings too far apart and nothing that decides: a variant for each meaning, and a question."""
    decision = analysis.undecided
    if decision is None:
        return _ask_referent(draft, analysis, policy)
    language = "en" if analysis.language == "en" else "id"
    options: list[Option] = []
    written: list[Variant] = []
    told: set[str] = set()
    for scored in decision.open:
        if len(options) == policy.max_options:
            break
        variant = write_option(analysis, decision, scored.sense, resources)
        label, key = scored.sense.gloss(language), variant_key(variant.text)
        if label not in [o.label for o in options] and key not in told:
            told.add(key)
            options.append(Option(scored.sense.id, label, variant.text))
            written.append(variant)
    step = Step("guardrail", "ask_back", "undecided", tuple([o.sense for o in options]))
    asks = policy.ask and len(options) > 1
    question = Clarification(_question([o.label for o in options], language), language, tuple(options)) if asks else None
    return Draft((*draft.variants[:1], *written), question, (*draft.steps, step))


def _ask_referent(draft: Draft, analysis: Analysis, policy: Policy) -> Draft:
    """Two things that a follow-up may mean and nothing that decides: a variant for each, and a question that names them."""
    found = analysis.referents[: policy.max_options]
    if not found:
        return draft
    original = analysis.cleaned.original
    written = [Variant("disambiguation", analysis.language, join_pieces(f.words, original)) for f in found]
    options = tuple([Option(f"turn -{f.entity.age + 1}", f.entity.text, v.text) for f, v in zip(found, written, strict=True)])
    language = "en" if analysis.language == "en" else "id"
    question = Clarification(_question([o.label for o in options], language), language, options) if policy.ask else None
    step = Step("guardrail", "ask_back", "undecided", tuple([o.label for o in options]))
    return Draft((*draft.variants[:1], *written), question, (*draft.steps, step))


def _question(labels: Sequence[str], language: str) -> str:
    """`Maksudnya pisang ukuran kecil, atau model gambar AI dari Google?`"""
    first, last = ", ".join(labels[:-1]), labels[-1]
    if language == "en":
        return f"Do you mean {first}, or {last}?"
    return f"Maksudnya {first}, atau {last}?"


def keep_constraints(draft: Draft, analysis: Analysis, resources: Resources, policy: Policy) -> Draft:
    """A variant that lost a protected span is no rewriting of this query: it goes."""
    wanted = [w for w in analysis.words if w.guard in VERBATIM]
    return _filter(
        draft, "keep_constraints", "constraint-lost", lambda v: next((w.text for w in wanted if not _holds(w.text, v.text)), None)
    )


def _holds(needle: str, text: str) -> bool:
    bare = needle.strip("\"'“”„«»‘’")
    return needle in text or (bare != needle and bare in text)


_NEGATED_ENGLISH = re.compile(
    r"(?i)\b(?:not?|nor|non|without|never|none|nothing|cannot|\w+n't|un\w{3,}|\w+less|free|except|unable|lack\w*|fail\w*|missing|besides|excluding"
    r"|exclude|avoid|minus|other than|apart from|yet|anti\w*|neither)\b"
)


def keep_negation(draft: Draft, analysis: Analysis, resources: Resources, policy: Policy) -> Draft:
    """`tanpa santan` must not become `santan`: every negation stands in every variant, in the english one by an English one.

    A negation inside a phrase that the lexicon translates or names as a whole (`surat izin tidak masuk` → absence letter, `can't
    fall asleep` → insomnia) has its meaning there; a `gak` that ends a query asks and does not deny.
    """
    negations = _negations(analysis.words)
    if not negations:
        return draft

    def lost(variant: Variant) -> str | None:
        bare = [w for w in negations if not _within_phrase(w, variant)]
        if variant.pattern == "english":
            return bare[0].folded if bare and not _NEGATED_ENGLISH.search(variant.text) else None
        folded = fold(variant.text)
        return next((w.folded for w in bare if not _stands_in(w, folded)), None)

    return _filter(draft, "keep_negation", "negation-lost", lost)


def _negations(words: Sequence[Word]) -> list[Word]:
    """The words that deny; `bebas` and `free` are adjectives, and a final `gak` or `tidak` behind a statement is a question tag."""
    spoken = [w for w in words if w.spoken and w.folded not in id.PARTICLES]
    tag = spoken[-1] if len(spoken) > 1 and spoken[-1].folded in id.QUESTION_TAGS else None
    return [w for w in words if not w.guard and w is not tag and w.folded in NEGATIONS and w.folded not in ("bebas", "minus", "free")]


def _stands_in(word: Word, text: str) -> bool:
    """Is the word there; the `n't` of a contraction stands behind a letter."""
    left = "" if word.folded.startswith("n'") else r"(?<!\w)"
    return re.search(rf"{left}{re.escape(word.folded)}(?!\w)", text) is not None


def _within_phrase(word: Word, variant: Variant) -> bool:
    """Is the word inside a longer stretch that one entry translated?"""
    return any([s <= word.start and word.end <= e and e - s > word.end - word.start for p in variant.pieces for s, e in p.sources])


def drop_repeats(draft: Draft, analysis: Analysis, resources: Resources, policy: Policy) -> Draft:
    """Two variants that differ in nothing that a search engine sees are one."""
    seen: set[str] = set()
    kept, steps = [], []
    for variant in draft.variants:
        key = variant_key(variant.text)
        if key in seen or not key:
            steps.append(Step("guardrail", "drop_repeats", "adds-nothing", (variant.pattern,)))
        else:
            seen.add(key)
            kept.append(variant)
    return replace(draft, variants=tuple(kept), steps=(*draft.steps, *steps))


_WORD = re.compile(r"[^\W_]+")


def drop_empty_gain(draft: Draft, analysis: Analysis, resources: Resources, policy: Policy) -> Draft:
    """A variant survives only if it adds a content word, another language, or makes keywords a question."""
    have = set(_WORD.findall(fold(draft.variants[0].text))) if draft.variants else set()

    def nothing(variant: Variant) -> str | None:
        if variant.pattern in ("literal", "question") or analysis.undecided is not None or analysis.referents:
            return None
        if variant.pattern == "english":
            return None if set(_WORD.findall(fold(variant.text))) - have else variant.pattern
        new = set(_WORD.findall(fold(variant.text))) - have - EMPTY
        return None if new else variant.pattern

    return _filter(draft, "drop_empty_gain", "adds-nothing", nothing)


def keep_context_out(draft: Draft, analysis: Analysis, resources: Resources, policy: Policy) -> Draft:
    """A query that is clear by itself takes nothing from the context: only a resolved follow-up may hold words of a turn."""
    if not isinstance(analysis.follow_up, str):
        return draft

    def leaked(variant: Variant) -> str | None:
        return next(
            (p.text for p in variant.pieces if p.rule.startswith("resolve_") and any(e.startswith("turn ") for e in p.evidence)), None
        )

    return _filter(draft, "keep_context_out", "context-leaked", leaked)


def cap(draft: Draft, analysis: Analysis, resources: Resources, policy: Policy) -> Draft:
    """A specific query gets few variants, and no query more than the policy allows; the last patterns go first."""
    long = analysis.n_words >= policy.long_query_words
    most = min(policy.max_variants, policy.long_query_variants) if long else policy.max_variants
    if len(draft.variants) <= most:
        return draft
    gone = tuple(v.pattern for v in draft.variants[most:])
    return replace(draft, variants=draft.variants[:most], steps=(*draft.steps, Step("guardrail", "cap", "over-cap", gone)))


def _filter(draft: Draft, rule: str, outcome: str, fault: Callable[[Variant], str | None]) -> Draft:
    """The draft without the variants (never the literal) in which `fault` finds something, a step for each."""
    kept, steps = [], []
    for variant in draft.variants:
        found = None if variant.pattern == "literal" else fault(variant)
        if found is None:
            kept.append(variant)
        else:
            steps.append(Step("guardrail", rule, outcome, (variant.pattern, found)))
    return replace(draft, variants=tuple(kept), steps=(*draft.steps, *steps)) if steps else draft


GUARDRAILS: tuple[Guardrail, ...] = (
    ask_back,  # first: it decides which variants there are at all
    keep_context_out,  # then what must never be searched, before anything is counted
    keep_constraints,  # a lost constraint is a wrong search
    keep_negation,  # so is a lost negation
    drop_empty_gain,  # then what is not worth a search
    drop_repeats,  # after the variants are final, before they are counted
    cap,  # last: the number of searches
)


def outcome_of(pattern: str, outcome: Variant | Skip, draft: Draft) -> tuple[str, tuple[str, ...]]:
    """What a pattern's trail step says: `written`, the reason of its skip, or the guardrail that dropped it."""
    if any(v.pattern == pattern for v in draft.variants):
        return "written", ()
    if isinstance(outcome, Skip):
        return outcome.reason, outcome.evidence
    for step in draft.steps:
        if (
            step.evidence
            and pattern in step.evidence
            and step.outcome in ("adds-nothing", "over-cap", "constraint-lost", "negation-lost", "context-leaked")
        ):
            return step.outcome, (step.rule,)
    return "undecided", ()
