"""What is known about a query before anything is rewritten."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.context import Conversation, read_conversation
from rewriter.followups import FollowUp, resolve_follow_up, small_talk
from rewriter.lexicon.entries import Jargon, Sense
from rewriter.lookup import Found, View, forms_of_kind, longest, read_view
from rewriter.model import Turn
from rewriter.policy import Policy
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.senses import EVERYDAY, Decision, content_beside, decide_senses, is_name
from rewriter.text import en, id
from rewriter.text.empty import EMPTY, NEGATIONS
from rewriter.text.language import query_language
from rewriter.text.normalise import Cleaned, clean
from rewriter.text.protect import find_protected
from rewriter.text.words import Word, count_words, inserted_words, replace_words, split_words

__all__ = ["Analysis", "analyse", "content_indices", "write_sense"]


@record
class Analysis:
    """A query read: its words, language, senses and referent.

    `resolved` are the words that english, synonym and question start from: the query with its referent and decided
    senses in place.  `changed` says whether they differ from the query; `talk` that it is said to the chat, not searched.
    """

    cleaned: Cleaned
    words: tuple[Word, ...]
    n_words: int
    language: str
    conversation: Conversation
    decisions: tuple[Decision, ...]
    follow_up: FollowUp | str
    resolved: View
    changed: bool
    talk: bool

    @property
    def undecided(self) -> Decision | None:
        """The first form whose meaning must be settled first."""
        return next((d for d in self.decisions if d.state == "undecided"), None)

    @property
    def referents(self) -> tuple[FollowUp, ...]:
        """The resolutions of a follow-up among which nothing decides; empty where there is one, or none."""
        found = self.follow_up
        return (found, *found.rivals) if isinstance(found, FollowUp) and found.rivals else ()


def analyse(query: str, turns: tuple[Turn, ...], resources: Resources, policy: Policy) -> Analysis:
    """Normalise, tokenise, look up, disambiguate."""
    cleaned = clean(query)
    conversation = read_conversation(turns, resources)
    chunks = [c.strip(".,;:!?\"'()") for c in cleaned.folded.split()]
    language = query_language([c for c in chunks if c], resources.language_zipf, _spoken_language(conversation, resources))
    words = split_words(cleaned, find_protected(cleaned.text), resources.token_rules(language), resources.zipf)
    talk = small_talk(words)
    follow_up: FollowUp | str = "not-a-search" if talk else resolve_follow_up(words, conversation, resources, language)
    base = follow_up.words if isinstance(follow_up, FollowUp) else words
    view = read_view(base, language, resources)
    decisions = () if talk else _decide(view, language, conversation, resources, policy)
    resolved = _resolve(base, decisions, language, conversation, resources, policy)
    if resolved is not base:
        view = read_view(resolved, language, resources)
    return Analysis(
        cleaned, words, count_words(cleaned.text), language, conversation, decisions, follow_up, view, resolved is not words, talk
    )


def content_indices(words: Sequence[Word]) -> list[int]:
    """Indices of the words that carry content: not function words of either language, not punctuation."""
    return [i for i, w in enumerate(words) if w.guard or (w.folded not in EMPTY and w.spoken)]


def _spoken_language(conversation: Conversation, resources: Resources) -> str:
    """The language of the user's last turns: the tie-break for a query that does not say."""
    for turn, fact in zip(reversed(conversation.turns), reversed(conversation.facts), strict=True):
        if turn.role == "user":
            found = query_language(fact.line.split()[:40], resources.language_zipf)
            if found in ("id", "en"):
                return found
    return "und"


def _decide(view: View, language: str, conversation: Conversation, resources: Resources, policy: Policy) -> tuple[Decision, ...]:
    """Decisions on the sense forms of the query, found as written and in normal form.

    A form inside a longer one is part of that: `anak buah` in `anak buah kapal` is no idiom.  Lay expressions are no names, and their words
    mean what they mean elsewhere: `cv` in `bikin cv`.
    """
    words = view.words
    longer = [w for w in view.written if w.end - w.start > 1 and not all([isinstance(e, Jargon) for e in w.entries])]
    spoken_out = {
        n.origin for n in view.normal if (n.folded in EMPTY or n.folded in NEGATIONS) and n.folded != words[n.origin].folded
    }  # `gw` is a pronoun
    free = [
        f
        for f in forms_of_kind(view, Sense.KIND)
        if not any([_holds(words[i]) for i in range(f.start, f.end)])
        and not (f.start and words[f.start - 1].folded in NEGATIONS)
        and not all([i in spoken_out or _is_grammar(words[i], language) for i in range(f.start, f.end)])
        and not any([w.start <= f.start and f.end <= w.end and w.end - w.start > f.end - f.start for w in longer])
    ]
    if not free:
        return ()
    return decide_senses(longest(free), [w.folded for w in words], content_indices(words), language, conversation, resources, policy)


_GRAMMAR = {"en": en.FUNCTION | en.QUESTION | en.VERBS, "id": id.FUNCTION | id.QUESTION}
_GRAMMAR["mixed"] = _GRAMMAR["en"] | _GRAMMAR["id"]


def _is_grammar(word: Word, language: str) -> bool:
    """Words that hold the sentence together (`go`, `do`, `it` in an English query) are no names, unless written as one (`DO`, `GO`)."""
    return word.folded in _GRAMMAR.get(language, EMPTY) and not (len(word.text) > 1 and word.text.isupper())


def _holds(word: Word) -> bool:
    """Verbatim spans are never read as forms; numbers and model names may be part of one (`iphone 15`, `4g`)."""
    return word.guard not in ("", "number", "model", "amount", "version")


def _resolve(
    words: tuple[Word, ...],
    decisions: Sequence[Decision],
    language: str,
    conversation: Conversation,
    resources: Resources,
    policy: Policy,
) -> tuple[Word, ...]:
    """The words with each decided nickname, acronym and idiom under its plain name, where that adds something."""
    for decision in sorted(decisions, key=lambda d: -d.found.start):
        if _is_referent_word(decision.found, words):
            continue
        if decision.chosen is not None and worth_writing(decision, words, language, conversation, resources, policy):
            words = write_sense(words, decision.found, decision.chosen.sense, language, resources)
    return words


def _is_referent_word(found: Found, words: Sequence[Word]) -> bool:
    """One word of what a follow-up took from the conversation (`cat`, `vs`) stays as it was said; a nickname of several is still named."""
    return found.end - found.start == 1 and words[found.start].rule.startswith("resolve_")


RARE_NAME = 300
"""Zipf 3: a form as common as this (`bansos`, `jogja`) is what everybody writes; a rarer one (`wuwa`, `beantown`) is a nickname."""


def worth_writing(
    decision: Decision, words: Sequence[Word], language: str, conversation: Conversation, resources: Resources, policy: Policy
) -> bool:
    """Does naming the sense add something that the words of the query do not say themselves?

    A nickname or idiom (the plain name does not hold the form) always, if it is one: of several words, or rare as a word.  A form with
    several senses where the conversation speaks for the one taken; what the query's own words decide the engine sees as well.
    """
    chosen = decision.chosen
    if chosen is None:
        return False
    form, name = decision.found.form, chosen.sense.canonical(language).casefold()
    said = {w.folded for w in words}
    if not name or all(part in said for part in name.split()):
        return False
    parts = name.replace("-", " ").split()
    called_so = form.replace(" ", "") in name.replace(" ", "") or 2 * sum([w in parts for w in form.split()]) > len(form.split())
    spoken_of = chosen.from_turns + chosen.domain_turns + (chosen.association if conversation.turns else 0)
    if language == "en" and called_so and _is_specific(decision, words, resources):
        return False  # `what do predator plants eat`: another word for the kind of thing makes nothing clearer
    if called_so and 2 * chosen.from_turns < 3 * policy.cue_weight and _leads_by_prior(decision) >= policy.dominant_prior:
        return False  # everybody means it, with or without the conversation
    if decision.state == "decided" and spoken_of >= policy.ask_margin:
        if len(decision.candidates) > 1:
            return spoken_of > chosen.from_query or not called_so or _abbreviates(form, name)
        if not called_so and is_name(chosen.sense.canonical(language)):
            return True
    if called_so or chosen.sense.keep_form:
        return False
    if " " not in form:
        return len(decision.candidates) == 1 and max(resources.zipf(form)) < RARE_NAME
    # `sakit maag` is no nickname of gastritis, nor `top up` of a refilled balance: practitioners' words are the synonym variant's
    return chosen.sense.idiom or is_name(chosen.sense.canonical(language))


SPECIFIC = 3
"""So many words of content beside an everyday word tell by themselves what it means."""


def _is_specific(decision: Decision, words: Sequence[Word], resources: Resources) -> bool:
    beside = content_beside(decision.found, [w.folded for w in words], content_indices(words))
    return len(beside) >= SPECIFIC and max(resources.zipf(decision.found.form)) >= EVERYDAY


def _leads_by_prior(decision: Decision) -> int:
    """By how much the sense taken is the likelier one before anything is said."""
    chosen = decision.chosen
    if chosen is None:
        return 0
    return chosen.sense.prior - max([c.sense.prior for c in decision.candidates if c is not chosen], default=0)


def _abbreviates(form: str, name: str) -> bool:
    """Is a form made of the first letters of a name that also holds it: `pr` of `pekerjaan rumah PR`?"""
    return form in "".join([word[0] for word in name.split() if word != form])


def write_sense(words: tuple[Word, ...], found: Found, sense: Sense, language: str, resources: Resources) -> tuple[Word, ...]:
    """The canonical name in place of the form; beside it where articles use the form itself (`keep_form`)."""
    name = sense.canonical("en" if language == "en" else "id")
    new = inserted_words(name, resources.token_rules(language), resources.zipf, "name_sense", (sense.id,), "rewrite")
    start, end = found.start, found.end
    if not new:
        return words
    if sense.keep_form:
        kept = [replace(w, rule="keep_form", evidence=(sense.id,)) for w in words[start:end]]
        return (*words[:start], *kept, *new, *words[end:])
    while start and words[start - 1].folded == new[0].folded:  # "apache kafka" and the name "Apache Kafka"
        start -= 1
    while end < len(words) and len(new) > 1 and words[end].folded == new[-1].folded:
        end += 1
    return replace_words(words, start, end, new)
