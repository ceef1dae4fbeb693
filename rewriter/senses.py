"""Which sense a form has here: integer scores from cues, domain and prior, every summand named."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.context import Conversation, keys_of
from rewriter.domains import Tree, domain_score, profile_score, query_tree, turns_tree
from rewriter.lexicon.entries import Sense, shared_depth
from rewriter.lookup import Found
from rewriter.policy import Policy
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import en, id

__all__ = ["Decision", "Scored", "decide_senses"]


@record
class Scored:
    """A sense with its score (hundredths of a nat), the cues that spoke, and where they stood."""

    sense: Sense
    score: int
    cues: tuple[str, ...]
    from_query: int
    from_turns: int
    domain: int
    domain_turns: int
    summands: tuple[str, ...]

    @property
    def evidence(self) -> int:
        """What speaks for the sense here, its prior aside."""
        return self.from_query + self.from_turns + self.domain


@record
class Decision:
    """What became of a form: `state` is decided, prior, near, undecided or literal; `chosen` is the sense, if any."""

    found: Found
    candidates: tuple[Scored, ...]
    chosen: Scored | None
    state: str


def decide_senses(
    forms: Sequence[Found], words: Sequence[str], content: int, conversation: Conversation, resources: Resources, policy: Policy
) -> tuple[Decision, ...]:
    """A decision for each form found (entries are senses); `words` are the folded words of the query, `content` how many carry content."""
    return tuple([_decide(form, words, content, conversation, resources, policy) for form in forms])


def _decide(
    found: Found,
    words: Sequence[str],
    content: int,
    conversation: Conversation,
    resources: Resources,
    policy: Policy,
) -> Decision:
    own = frozenset(words[found.start : found.end])
    others = [w for i, w in enumerate(words) if not found.start <= i < found.end and w not in own]
    line = f" {' '.join(others)} "
    keys = frozenset([k for w in others for k in keys_of(w, resources)])
    trees = (query_tree(keys, resources), turns_tree(conversation, own, resources))
    senses = [s for s in found.entries if isinstance(s, Sense)]
    scored = [_score(s, [o.cues for o in senses if o is not s], keys, line, own, conversation, trees, resources, policy) for s in senses]
    everything = tuple(sorted(scored, key=lambda s: (-s.score, s.sense.id)))
    ranked = [s for s in everything if not _is_literal(s, keys, line, conversation, resources, policy)]
    if not ranked:
        return Decision(found, everything, None, "literal")
    best = ranked[0]
    if len(ranked) == 1:
        return Decision(found, everything, best, "decided" if best.evidence else "prior")
    margin = policy.ask_margin if _evidence_decides(best, ranked[1:]) else policy.dominant_prior
    if best.score - ranked[1].score >= margin:
        return Decision(found, everything, best, "decided" if margin == policy.ask_margin else "prior")
    rivals = [s for s in ranked[1:] if best.score - s.score < margin]
    if all(_near(best.sense, r.sense, resources, policy) for r in rivals):
        return Decision(found, everything, best, "near")
    beside = content - len(own)
    return Decision(found, everything, None, "undecided" if beside <= policy.ask_max_content_words else "literal")


def _evidence_decides(best: Scored, rivals: Sequence[Scored]) -> bool:
    """Does more speak for the best than for any other, priors aside?"""
    return best.evidence > max([r.evidence for r in rivals])


def _near(a: Sense, b: Sense, resources: Resources, policy: Policy) -> bool:
    return b.id in a.near or a.id in b.near or shared_depth(a.domain, b.domain, resources.domains) >= policy.near_depth


def _is_literal(scored: Scored, keys: frozenset[str], line: str, conversation: Conversation, resources: Resources, policy: Policy) -> bool:
    """A form that is also an everyday word needs evidence; words of the literal reading outweigh fewer of the other."""
    literal = sum(
        policy.cue_weight * policy.query_cue_percent // 100
        if _in_query(cue, keys, line, resources)
        else policy.cue_weight * _turn_percent(cue, conversation, resources, policy) // 100
        for cue in scored.sense.literal_cues
    )
    speaking = scored.from_query + scored.from_turns
    if scored.sense.needs_cue and speaking < policy.cue_weight // 2:
        return True
    return bool(literal) and literal >= speaking + (scored.sense.prior if not scored.sense.needs_cue else 0) // 2


_ASKED_OF_ALL = id.ATTRIBUTES | en.ATTRIBUTES
"""Price, schedule, remedy: asked of every thing, so a curator's cue of this kind tells no sense from another."""
RARE, COMMON = 400, 600
"""Zipf 4 and 6: a learnt weight counts whole for a cue as rare as the first, a fifth for one as common as the second.  Chance puts
common words into any text; on sentences that say nothing of the word this halves the wrong guesses (5.2 to 2.9 %)."""


def _rarity(cue: str, resources: Resources) -> int:
    """Percent of its learnt weight that a cue is worth: common words stand in any text by chance."""
    zipf = max(resources.zipf(cue))
    return 100 if zipf <= RARE else max(20, 100 - 80 * (zipf - RARE) // (COMMON - RARE))


def _score(
    sense: Sense,
    rivals: Sequence[Sequence[str]],
    keys: frozenset[str],
    line: str,
    own: frozenset[str],
    conversation: Conversation,
    trees: tuple[Tree, Tree],
    resources: Resources,
    policy: Policy,
) -> Scored:
    from_query = from_turns = 0
    cues: list[tuple[int, str]] = []
    for i, cue in enumerate(sense.cues):
        if cue in own or (not sense.weights and cue in _ASKED_OF_ALL):
            continue
        weight = sense.weights[i] * _rarity(cue, resources) // 100 if sense.weights else policy.cue_weight
        if _in_query(cue, keys, line, resources):
            worth = weight * policy.query_cue_percent // 100
            from_query += worth
        else:
            worth = weight * _turn_percent(cue, conversation, resources, policy) // 100
            if not worth:
                continue
            from_turns += worth
        cues.append((-worth, cue))
    if sense.domain in resources.domains:
        said, told = [domain_score(sense.domain, tree, policy.domain_weight) for tree in trees]
    else:
        said, told = [profile_score(sense.cues, rivals, tree, resources) for tree in trees]
    domain, domain_turns = min(said + told, policy.domain_cap), min(told, policy.domain_cap)
    names = tuple(cue for _, cue in sorted(cues))
    summands = tuple(
        f"{name} {value}"
        for name, value in (
            ("cues in the query", from_query),
            ("cues in the turns", from_turns),
            ("domain", domain),
            ("prior", sense.prior),
        )
        if value
    )
    return Scored(sense, from_query + from_turns + domain + sense.prior, names[:12], from_query, from_turns, domain, domain_turns, summands)


def _in_query(cue: str, keys: frozenset[str], line: str, resources: Resources) -> bool:
    if " " in cue:
        return f" {cue} " in line
    return cue in keys or resources.stem(cue) in keys


def _turn_percent(cue: str, conversation: Conversation, resources: Resources, policy: Policy) -> int:
    """Worth of a cue in the turns, in percent: by the newest turn that has it."""
    if not conversation.turns:
        return 0
    age = conversation.age_of(cue)
    if " " not in cue:
        stem = resources.stem(cue)
        other = conversation.age_of(stem) if stem != cue else None
        age = min(a for a in (age, other) if a is not None) if age is not None or other is not None else None
    if age is None:
        return 0
    table = policy.recency_percent
    return table[min(age, len(table) - 1)]
