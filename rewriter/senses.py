"""Which sense a form has here: integer scores from cues, domain and prior, every summand named."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from rewriter.association import associate
from rewriter.context import Conversation, cues_met, domain_phrases, keys_of
from rewriter.cues import Cue, Speaking, cues_of
from rewriter.domains import Tree, domain_score, query_tree, strongest_field, turns_tree
from rewriter.lexicon.entries import Sense, shared_depth
from rewriter.lookup import Found
from rewriter.policy import Policy
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text.empty import EMPTY
from rewriter.text.light import LIGHT

__all__ = ["EVERYDAY", "Decision", "Scored", "content_beside", "decide_senses", "is_name"]


EVERYDAY = 400
"""Zipf 4: a form as common is a word of its own; where all senses of a rarer one (`spmb`, `hmi`) want evidence, it is open between them."""
CHANCE = 3
"""Standard deviations by which a sense must lead beyond the margin, where the turns never mention the form: a learnt cue is met by
accident.  On sentences that say nothing of a word this raises the share rightly asked back from 18 to 72 %."""


WINDOW = 48
"""Words on either side of a form that are read for its meaning: what stands further off in a pasted text is about something else."""


@record
class Said:
    """What stands around a form: the rest of the query as a line, as lookup keys and as the words of cues that they meet; the form's own
    words; the conversation."""

    line: str
    keys: frozenset[str]
    met: frozenset[str]
    own: frozenset[str]
    conversation: Conversation


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
    association: int
    summands: tuple[str, ...]

    @property
    def cued(self) -> int:
        """What its own cues say for the sense here."""
        return self.from_query + self.from_turns

    @property
    def evidence(self) -> int:
        """What speaks for the sense here, its prior aside."""
        return self.cued + self.domain + self.association


@record
class Decision:
    """What became of a form: `state` is decided, prior, near, undecided or literal; `chosen` is the sense, if any.

    `open` are the senses to choose from where it is undecided: without those that want evidence and have none.
    """

    found: Found
    candidates: tuple[Scored, ...]
    chosen: Scored | None
    state: str
    open: tuple[Scored, ...] = ()


def decide_senses(
    forms: Sequence[Found],
    words: Sequence[str],
    content: Sequence[int],
    language: str,
    conversation: Conversation,
    resources: Resources,
    policy: Policy,
) -> tuple[Decision, ...]:
    """A decision for each form found (entries are senses); `words` are the folded words of the query, `content` which carry content."""
    return tuple([_decide(form, words, content, language, conversation, resources, policy) for form in forms])


def _decide(
    found: Found,
    words: Sequence[str],
    content: Sequence[int],
    language: str,
    conversation: Conversation,
    resources: Resources,
    policy: Policy,
) -> Decision:
    own = frozenset(words[found.start : found.end])
    around = (*words[max(0, found.start - WINDOW) : found.start], *words[found.end : found.end + WINDOW])
    others = [w for w in around if w not in own]
    keys = frozenset([k for w in others for k in keys_of(w, resources)])
    said = Said(f" {' '.join(others)} ", keys, cues_met(others, resources), own, conversation)
    trees = [query_tree([*said.keys, *domain_phrases(others, resources)], resources), turns_tree(conversation, own, resources)]
    fields = [(tree, strongest_field(tree)) for tree in trees]
    senses = [s for s in found.entries if isinstance(s, Sense)]
    speaking = Speaking([cues_of(s, resources) for s in senses], frozenset([*found.form.split(), found.form]), policy.cue_weight)
    heard = _hear(speaking, said, resources, policy)
    likeness = _associated(found.form, senses, said, resources, policy)
    scored = [_score(s, heard[i], likeness[i], fields, policy) for i, s in enumerate(senses)]
    everything = tuple(sorted(scored, key=lambda s: (-s.score, s.sense.id)))
    ranked = [s for s in everything if not _is_literal(found.form, s, said, policy.cue_weight // 2, resources, policy)]
    sure = len(ranked) > 1 or (ranked and (ranked[0].evidence >= policy.ask_margin or ranked[0].sense.prior >= policy.dominant_prior))
    if not sure and max(resources.zipf(found.form)) < EVERYDAY:
        ranked = [s for s in everything if not _is_literal(found.form, s, said, 0, resources, policy)]
    if not ranked:
        return Decision(found, everything, None, "literal")
    best = ranked[0]
    if len(ranked) == 1:
        if len(everything) > 1 and best.evidence < policy.ask_margin and best.sense.prior < policy.dominant_prior // 2:
            return Decision(found, everything, None, "literal")  # the others want evidence; that there is none speaks for none
        return Decision(found, everything, best, "decided" if best.evidence else "prior")
    lead = best.score - ranked[1].score
    if _evidence_lead(best, ranked[1:]) >= policy.ask_margin and lead >= policy.ask_margin + _chance(
        found.form, tuple([s.id for s in senses]), speaking, said, resources
    ):
        return Decision(found, everything, best, "decided")
    if lead >= policy.ask_margin and best.sense.prior - max([s.sense.prior for s in ranked[1:]]) >= policy.dominant_prior:
        return Decision(found, everything, best, "prior")
    rivals = [s for s in ranked[1:] if best.score - s.score < policy.dominant_prior]
    if all(_near(best.sense, r.sense, resources, policy) for r in rivals):
        return Decision(found, everything, best, "near")
    bare = _is_bare(found, words, content, language, resources, policy)
    return Decision(found, everything, None, "undecided" if bare else "literal", tuple(ranked))


COMMON = 350
"""Zipf 3.5: a rarer word beside a form is likely part of a name with it (`aplikasi zubrik mini`)."""


def content_beside(found: Found, words: Sequence[str], content: Sequence[int]) -> list[int]:
    """Indices of the words of content beside a form, without those that are said of anything."""
    return [i for i in content if not found.start <= i < found.end and words[i] not in LIGHT]


def _is_bare(found: Found, words: Sequence[str], content: Sequence[int], language: str, resources: Resources, policy: Policy) -> bool:
    """Is there nothing beside the form that an engine could go by?  What is said of anything (`bagus ga`, `not working`) is nothing.

    A word where the language puts a modifier makes another name of it: behind the form in Indonesian (`garuda food`), on either side in
    English (`santa fe college`, `dark crystal`).  Before it, an Indonesian word asks for something of it (`obat kutu`).
    """
    beside = content_beside(found, words, content)
    if language not in ("id", "mixed"):
        return not beside
    asks = [i for i in beside if i < found.start and max(resources.zipf(words[i])) >= COMMON]
    return asks == beside and len(beside) <= policy.ask_max_content_words


def _chance(form: str, senses: tuple[str, ...], speaking: Speaking, said: Said, resources: Resources) -> int:
    """What chance gives a sense in turns that speak of something else; 0 where they hold the form itself, or nobody spoke."""
    conversation = said.conversation
    if not conversation.turns or conversation.age_of(form) is not None:
        return 0
    cache, key = resources.cache("variance"), (form, senses, speaking.curated)
    variance: int | None = cache.get(key)
    if variance is None:
        variance = cache[key] = speaking.variance(resources)
    return CHANCE * isqrt(len(conversation.ages) * variance // 10**9)


def _evidence_lead(best: Scored, rivals: Sequence[Scored]) -> int:
    """By how much more speaks for the best than for any other, priors aside.  Domain and association settle what the cues leave open,
    and outvote none."""
    return best.evidence - max([r.evidence for r in rivals]) if best.cued >= max([r.cued for r in rivals]) else 0


def _near(a: Sense, b: Sense, resources: Resources, policy: Policy) -> bool:
    """Does one answer serve both?  Two things of a kind with names of their own (two towns, two clubs) are as far apart as any."""
    if b.id in a.near or a.id in b.near:
        return True
    return shared_depth(a.domain, b.domain, resources.domains) >= policy.near_depth and not (
        is_name(a.canonical_id) and is_name(b.canonical_id)
    )


def is_name(text: str) -> bool:
    """Is a canonical name one of somebody or something, and no common noun?"""
    return any([word[:1].isupper() for word in text.split()])


COMMONEST = 500
"""Zipf 5: a word as common is a name only where a cue says so (`stop diarrhea fast`), not by the field of the talk alone."""


def _is_literal(form: str, scored: Scored, said: Said, least: int, resources: Resources, policy: Policy) -> bool:
    """A form that is also an everyday word needs evidence; words of the literal reading outweigh fewer of the other."""
    literal = sum([_worth(cue, said, resources, policy) for cue in scored.sense.literal_cues])
    if scored.sense.needs_cue and (scored.evidence < least or (not scored.cued and max(resources.zipf(form)) >= COMMONEST)):
        return True
    return bool(literal) and literal >= scored.evidence + (scored.sense.prior if not scored.sense.needs_cue else 0) // 2


def _associated(form: str, senses: Sequence[Sense], said: Said, resources: Resources, policy: Policy) -> list[int]:
    """What all words around the form, those of the query and of the turns, have to do with each sense."""
    if len(senses) < 2 and not senses[0].needs_cue:
        return [0] * len(senses)
    worths: dict[int, int] = dict(_words_said(said.conversation, resources, policy))
    for key in said.keys:
        number = _word_number(key, resources)
        if number is not None:
            worths[number] = policy.query_cue_percent
    for key in (*said.own, form):
        number = _word_number(resources.stem(key), resources)
        if number is not None:
            worths.pop(number, None)
    return associate(form, senses, worths, resources)


def _words_said(conversation: Conversation, resources: Resources, policy: Policy) -> dict[int, int]:
    """The numbers of the words in the turns, with their worth in percent; a turn without any does not age the others."""
    cache = resources.cache("words_said")
    key = (conversation.turns, policy.recency_percent)
    found: dict[int, int] | None = cache.get(key)
    if found is None:
        words = [(n, age) for key, age in conversation.ages.items() if (n := _word_number(key, resources)) is not None]
        places = {age: place for place, age in enumerate(sorted({age for _, age in words}))}
        found = cache[key] = {n: _recency(places[age], policy) for n, age in words}
    return found


def _word_number(key: str, resources: Resources) -> int | None:
    return None if key in EMPTY or key in LIGHT else resources.pack.word_number(key)


@record
class Heard:
    """What the cues of a sense say here, in hundredths of a nat, and which spoke, each with its worth."""

    from_query: int
    from_turns: int
    cues: tuple[tuple[int, str], ...]


def _hear(speaking: Speaking, said: Said, resources: Resources, policy: Policy) -> list[Heard]:
    """The cues met in the query, and those met in the turns alone; each once, where it is worth most.

    Of the turns only those that speak of the matter age it: small talk in between does not change what was meant.
    """
    worth: dict[Cue, tuple[int, bool]] = {}
    for sense, spoken in enumerate(speaking.senses):
        texts = [*(spoken.words.keys() & said.met), *[t for k in spoken.phrases.keys() & said.keys for t in spoken.phrases[k]]]
        for text in texts:
            cue = speaking.cue(text, sense, resources) if " " not in text or f" {text} " in said.line else None
            if cue is not None:
                worth[cue] = (cue.weight * policy.query_cue_percent // 100, True)
    told = _told(speaking, said, resources)
    places = {age: place for place, age in enumerate(sorted(set(told.values())))}
    for cue, age in told.items():
        less = cue.weight * _recency(places[age], policy) // 100
        if less > worth.get(cue, (0, False))[0]:
            worth[cue] = (less, False)
    heard = []
    for i in range(len(speaking.senses)):
        mine = [(w, query, c.text) for c, (w, query) in worth.items() if c.sense == i and w]
        query, turns = sum([w for w, q, _ in mine if q]), sum([w for w, q, _ in mine if not q])
        heard.append(Heard(query, turns, tuple(sorted([(-w, text) for w, _, text in mine]))))
    return heard


def _told(speaking: Speaking, said: Said, resources: Resources) -> dict[Cue, int]:
    """The cues met in the turns, each with the age of the newest turn that has it."""
    conversation = said.conversation
    ages, met = conversation.ages, conversation.met
    told: dict[Cue, int] = {}
    if not conversation.turns:
        return told
    for sense, spoken in enumerate(speaking.senses):
        found: dict[str, int | None] = {text: ages[text] for text in spoken.words.keys() & ages.keys()}
        found.update({text: min(met[text], ages.get(text, met[text])) for text in spoken.words.keys() & met.keys()})
        found = {text: age for text, age in found.items() if text not in said.own}
        found.update({t: conversation.age_of(t) for k in spoken.phrases.keys() & ages.keys() for t in spoken.phrases[k]})
        for text, age in found.items():
            cue = None if age is None else speaking.cue(text, sense, resources)
            if cue is not None and age is not None:
                told[cue] = age
    return told


def _recency(place: int, policy: Policy) -> int:
    """Percent that a cue is worth in the newest turn that speaks of the matter (0), the one before (1) …"""
    return policy.recency_percent[min(place, len(policy.recency_percent) - 1)]


def _score(sense: Sense, heard: Heard, likeness: int, fields: Sequence[tuple[Tree, int]], policy: Policy) -> Scored:
    here, told = [domain_score(sense.domain, tree, strongest, policy.domain_weight) for tree, strongest in fields]
    domain, domain_turns = min(here + told, policy.domain_cap), min(told, policy.domain_cap)
    association = min(likeness * policy.association_weight, policy.association_cap)
    prior = sense.prior * policy.prior_percent // 100
    summands = tuple(
        f"{name} {value}"
        for name, value in (
            ("cues in the query", heard.from_query),
            ("cues in the turns", heard.from_turns),
            ("domain", domain),
            ("association", association),
            ("prior", prior),
        )
        if value
    )
    score = heard.from_query + heard.from_turns + domain + association + prior
    names = tuple([text for _, text in heard.cues[:12]])
    return Scored(sense, score, names, heard.from_query, heard.from_turns, domain, domain_turns, association, summands)


def _worth(cue: str, said: Said, resources: Resources, policy: Policy) -> int:
    """What a cue of the literal reading says here, in hundredths of a nat; 0 where nobody says it."""
    keys = (cue,) if " " in cue else keys_of(cue, resources)
    if f" {cue} " in said.line if " " in cue else not said.keys.isdisjoint(keys):
        return policy.cue_weight * policy.query_cue_percent // 100
    age = min([age for k in keys if (age := said.conversation.age_of(k)) is not None], default=None)
    return 0 if age is None else policy.cue_weight * _recency(age, policy) // 100
