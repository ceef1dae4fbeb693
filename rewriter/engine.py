"""`rewrite`: one query in, a signed plan out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rewriter.analysis import Analysis, analyse
from rewriter.context import ContextItem, read_turns
from rewriter.followups import FollowUp
from rewriter.guardrails import guard, outcome_of
from rewriter.model import PATTERN_NAMES, Candidate, Mention, Plan, Request, Step, Variant
from rewriter.patterns import write_patterns
from rewriter.patterns.intents import find_intent
from rewriter.patterns.literal import literal_variant
from rewriter.policy import Policy
from rewriter.resources import Resources
from rewriter.senses import Decision
from rewriter.version import __version__

__all__ = ["rewrite_all_with", "rewrite_with", "signature"]


def rewrite_with(query: str, context: Sequence[ContextItem], resources: Resources, policy: Policy, query_id: str | None = None) -> Plan:
    """Rewrite `query` as the search variants worth running, or as a question to ask back."""
    if not isinstance(query, str):
        raise TypeError(f"query must be a str, not a {type(query).__name__}.")
    if not isinstance(policy, Policy):
        raise TypeError(f"policy must be a Policy, not a {type(policy).__name__}.")
    turns = read_turns(context, query, policy)
    signed = signature(resources, policy)
    if len(query) > policy.max_query_chars:
        return _literal_plan(query, query_id, "too-long", signed)
    analysis = analyse(query, turns, resources, policy)
    if not analysis.n_words:
        return _literal_plan(query, query_id, "no-words", signed)
    outcomes = write_patterns(analysis, resources)
    draft = guard(analysis, [o for _, o in outcomes if isinstance(o, Variant)], resources, policy)
    patterns = [Step("pattern", name, *outcome_of(name, outcome, draft)) for name, outcome in outcomes]
    return Plan(
        query, query_id, analysis.language, find_intent(analysis, resources), draft.variants, draft.clarification,
        tuple(_mention(d, analysis) for d in analysis.decisions), (*_analysis_steps(analysis), *patterns, *draft.steps), signed,
    )  # fmt: skip


def rewrite_all_with(requests: Iterable[Request], resources: Resources, policy: Policy) -> Iterator[Plan]:
    """Plans in the order of the requests, lazily."""
    for request in requests:
        if not isinstance(request, Request):
            raise TypeError(f"rewrite_all takes Request objects, not a {type(request).__name__}.")
        yield rewrite_with(request.query, request.context, resources, policy, request.query_id)


def signature(resources: Resources, policy: Policy) -> str:
    """Everything that can change a plan: code, pack, lexicon, memory, policy."""
    cache = resources.cache("signature")
    found = cache.get(policy)
    if found is None:
        found = cache[policy] = f"rewriter:{__version__}|{resources.identity}|policy:{policy.describe()}"
    return str(found)


def _literal_plan(query: str, query_id: str | None, reason: str, signed: str) -> Plan:
    """The literal alone, whole, with the reason."""
    literal = literal_variant(query, "und")
    variants = (literal,) if isinstance(literal, Variant) else ()
    steps = tuple(Step("pattern", name, "written" if name == "literal" and variants else reason) for name in PATTERN_NAMES)
    return Plan(query, query_id, "und", "other", variants, None, (), (Step("analysis", "read_query", reason), *steps), signed)


def _mention(decision: Decision, analysis: Analysis) -> Mention:
    words = (analysis.follow_up.words if isinstance(analysis.follow_up, FollowUp) else analysis.words)[
        decision.found.start : decision.found.end
    ]
    places = [(w.start, w.end) for w in words if w.start >= 0]
    start, end = (min(s for s, _ in places), max(e for _, e in places)) if places else (0, 0)
    own = all(w.kind == "copy" for w in words)
    chosen = decision.chosen.sense.id if decision.chosen is not None else None
    candidates = tuple(Candidate(c.sense.id, c.score, c.cues) for c in decision.candidates)
    form = analysis.cleaned.original[start:end] if own else decision.found.form
    return Mention(start, end, form, chosen, candidates)


def _analysis_steps(analysis: Analysis) -> Iterator[Step]:
    """What was seen before anything was written."""
    yield Step("analysis", "query_language", analysis.language, tuple(w.folded for w in analysis.words if w.lang in ("id", "en"))[:12])
    for word in analysis.words:
        if word.guard:
            yield Step("analysis", "find_protected", word.guard, (word.text,))
    for decision in analysis.decisions:
        best = decision.chosen or (decision.candidates[0] if decision.candidates else None)
        evidence = (best.sense.id, *best.summands, *best.cues) if best else ()
        yield Step("analysis", "decide_senses", decision.state, (decision.found.form, *evidence))
    if isinstance(analysis.follow_up, FollowUp):
        found = analysis.follow_up
        yield Step("context", f"resolve_{found.shape}", "resolved", (found.entity.text, f"turn -{found.entity.age + 1}"))
    elif analysis.conversation.turns:
        yield Step("context", "resolve_follow_up", analysis.follow_up)
