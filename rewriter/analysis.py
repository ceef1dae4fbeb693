"""What is known about a query before anything is rewritten."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.context import Conversation, read_conversation
from rewriter.followups import FollowUp, resolve_follow_up, small_talk
from rewriter.lexicon.entries import Sense
from rewriter.lookup import Found, View, forms_of_kind, longest, read_view
from rewriter.model import Turn
from rewriter.policy import Policy
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.senses import Decision, decide_senses
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
    decisions = () if talk else _decide(view, conversation, resources, policy)
    resolved = _resolve(base, decisions, language, resources)
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


def _decide(view: View, conversation: Conversation, resources: Resources, policy: Policy) -> tuple[Decision, ...]:
    """Decisions on the sense forms of the query, found as written and in normal form.

    A form inside a longer one of any kind is part of that: `anak buah` in `anak buah kapal` is no idiom.
    """
    words = view.words
    free = [
        f
        for f in forms_of_kind(view, Sense.KIND)
        if not any([_holds(words[i]) for i in range(f.start, f.end)])
        and not (f.start and words[f.start - 1].folded in NEGATIONS)
        and not any([w.start <= f.start and f.end <= w.end and w.end - w.start > f.end - f.start for w in view.written])
    ]
    if not free:
        return ()
    return decide_senses(longest(free), [w.folded for w in words], len(content_indices(words)), conversation, resources, policy)


def _holds(word: Word) -> bool:
    """Verbatim spans are never read as forms; numbers and model names may be part of one (`iphone 15`, `4g`)."""
    return word.guard not in ("", "number", "model", "amount", "version")


def _resolve(words: tuple[Word, ...], decisions: Sequence[Decision], language: str, resources: Resources) -> tuple[Word, ...]:
    """The words with each decided nickname, acronym and idiom under its plain name, where that adds something."""
    for decision in sorted(decisions, key=lambda d: -d.found.start):
        if decision.chosen is not None and worth_writing(decision, words, language):
            words = write_sense(words, decision.found, decision.chosen.sense, language, resources)
    return words


def worth_writing(decision: Decision, words: Sequence[Word], language: str) -> bool:
    """Does naming the sense add something that the words of the query do not say themselves?

    A nickname or idiom of several words (the plain name does not hold the form) always; any other form only where it has
    several senses and the conversation decided, since what the query's own words decide the engine sees as well.
    """
    chosen = decision.chosen
    if chosen is None:
        return False
    name = chosen.sense.canonical(language).casefold()
    said = {w.folded for w in words}
    if not name or all(part in said for part in name.split()):
        return False
    is_nickname = f" {decision.found.form} " not in f" {name} "
    if len(decision.candidates) == 1 and not chosen.sense.canonical(language)[:1].isupper():
        # `sakit maag` is no nickname of gastritis maag; `maung bandung` is one of Persib Bandung
        is_nickname = not set(decision.found.form.split()).intersection(name.split())
    if is_nickname and (" " in decision.found.form or chosen.sense.idiom):
        return True
    return decision.state == "decided" and len(decision.candidates) > 1 and chosen.from_turns + chosen.domain_turns > chosen.from_query


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
