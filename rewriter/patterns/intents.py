"""What a query wants: rules of token patterns, kept as data in `lexicons/templates`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rewriter.analysis import Analysis, content_indices
from rewriter.lexicon.entries import Slang, Translation
from rewriter.record import record
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.words import Word

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Match", "Rule", "core_words", "find_intent", "find_match", "rule_language", "whole_words"]

Phrases = tuple[tuple[str, ...], ...]


@record
class Rule:
    """A line of the template file: where its phrases must stand, the intent it shows, and the question."""

    intent: str
    start: Phrases
    end: Phrases
    any: Phrases
    between: Phrases
    last: tuple[str, ...]
    needs: frozenset[str]
    needs_not: Phrases
    number: str
    known: bool
    min_words: int
    max_content: int
    question: str
    first_words: frozenset[str]
    barring: frozenset[str]
    """First words of all phrases, and of those that must not stand: a query that has none of them needs no closer look."""


@record
class Match:
    """A rule that fits, and the half-open span of words that showed it; `by` is the trigger: start, end, any, between or content."""

    rule: Rule
    start: int
    end: int
    by: str


def rule_language(analysis: Analysis) -> str:
    """The language whose rules are read."""
    return "en" if analysis.language == "en" else "id"


def core_words(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words without final marks."""
    end = len(words)
    while end and not words[end - 1].spoken and not words[end - 1].guard:
        end -= 1
    return tuple(words[:end])


def find_intent(analysis: Analysis, resources: Resources) -> str:
    """What is wanted: by the first rule that fits, else from the question word, else `other`."""
    language = rule_language(analysis)
    words = core_words(analysis.resolved.words)
    asked = _asked_intent([w.folded for w in words], analysis.resolved.texts, language)
    if asked:
        return asked
    match = find_match(analysis, resources)
    return match.rule.intent if match else "other"


_ASKED = {
    "id": {
        "berapa": "price", "kapan": "time", "siapa": "person", "siapakah": "person", "kapankah": "time", "mengapa": "reason",
        "kenapa": "reason", "bagaimana": "how-to", "gimana": "how-to", "dimana": "location", "mana": "location", "apakah": "eligibility",
        "bolehkah": "eligibility", "bisakah": "eligibility", "apa": "definition",
    },
    "en": {
        "who": "person", "whom": "person", "whose": "person", "when": "time", "where": "location", "why": "reason", "how": "how-to",
        "what": "definition", "what's": "definition", "which": "comparison",
    },
}  # fmt: skip


def _asked_intent(texts: Sequence[str], normal: Sequence[str], language: str) -> str:
    """The intent of a query that is a question, from its question word (`how much` and `berapa harga` are prices)."""
    line = " ".join(normal if language == "id" else texts)
    if language == "en":
        if line.startswith(("how much", "how many")):
            return "price"
        if line.startswith(("how to", "how2")) or not texts:
            return ""
        if texts[0] in en.AUXILIARIES:
            return "eligibility"
        return _ASKED["en"].get(texts[0], "")
    for word in normal:
        if word in _ASKED["id"]:
            if word == "apa" and any(w in normal for w in ("beda", "bedanya", "perbedaan", "perbedaannya")):
                return "comparison"
            return _ASKED["id"][word]
    return ""


def _rules(language: str, resources: Resources) -> tuple[Rule, ...]:
    cache = resources.cache("rules")
    if language not in cache:
        cache[language] = tuple(_read_rule(r) for r in resources.templates.get(language, {}).get("rule", ()))
    rules: tuple[Rule, ...] = cache[language]
    return rules


def _read_rule(row: Mapping[str, Any]) -> Rule:
    def phrases(name: str) -> Phrases:
        return tuple(sorted((tuple(p.split()) for p in row.get(name, ())), key=lambda p: (-len(p), p)))

    start, end, anywhere, between = phrases("start"), phrases("end"), phrases("any"), phrases("between")
    return Rule(
        row["intent"], start, end, anywhere, between, tuple(row.get("last", ())), frozenset(row.get("needs", ())), phrases("needs_not"),
        str(row.get("number", "")), bool(row.get("known", False)), int(row.get("min_words", 0)), int(row.get("max_content", 0)),
        str(row.get("question", "")),
        frozenset([p[0] for p in (*start, *end, *anywhere, *between)]), frozenset([p[0] for p in phrases("needs_not")]),
    )  # fmt: skip


def find_match(analysis: Analysis, resources: Resources) -> Match | None:
    """The first rule that fits; remembered, since both the intent and the question ask for it."""
    words = core_words(analysis.resolved.words)
    texts, places = whole_words(words)
    key = (rule_language(analysis), analysis.language, tuple(texts), len(content_indices(words)))
    cache = resources.cache("question match")
    if key not in cache:
        cache[key] = _first_fit(key[0], key[1], texts, key[3], resources)
    match = cache[key]
    return Match(match.rule, places[match.start], places[match.end], match.by) if match else None


def _first_fit(language: str, said_in: str, texts: Sequence[str], content: int, resources: Resources) -> Match | None:
    said = frozenset(texts)
    for rule in _rules(language, resources):
        if rule.first_words.isdisjoint(said) and rule.first_words:
            continue
        match = _fits(rule, texts, content)
        if match is None or (rule.known and not _all_known(texts, said_in, resources)):
            continue
        if rule.number == "plural" and not rule.end and resources.zipf(en.singular(en.head_of(texts)))[1] < COMMON_EN:
            continue  # `terry hayes for governor` has no plural
        return match
    return None


def whole_words(words: Sequence[Word]) -> tuple[list[str], list[int]]:
    """Texts with clitics back on their word (`wo` + `n't`), and where each begins among the words (one more at the end)."""
    texts: list[str] = []
    places: list[int] = []
    for i, word in enumerate(words):
        if texts and not word.space and not word.guard and "'" in word.folded and word.spoken:
            texts[-1] += word.folded
        else:
            texts.append(word.folded)
            places.append(i)
    return texts, [*places, len(words)]


def _fits(rule: Rule, texts: Sequence[str], content: int) -> Match | None:
    n = len(texts)
    if rule.max_content and content > rule.max_content:
        return None
    if n < rule.min_words:
        return None
    if rule.needs and rule.needs.isdisjoint(texts):
        return None
    if not rule.barring.isdisjoint(texts) and any([_find(p, texts) is not None for p in rule.needs_not]):
        return None
    if rule.last and not any([_meets(p, texts[-1]) for p in rule.last]):
        return None
    if rule.number and not rule.end and en.number_of(texts) != rule.number:
        return None
    for phrase in rule.start:
        if n > len(phrase) and tuple(texts[: len(phrase)]) == phrase:
            return Match(rule, 0, len(phrase), "start")
    for phrase in rule.end:
        if n > len(phrase) and tuple(texts[n - len(phrase) :]) == phrase and rule.number in ("", en.number_of(texts[: n - len(phrase)])):
            return Match(rule, n - len(phrase), n, "end")
    for phrase in rule.any:
        at = _find(phrase, texts)
        if at is not None and n > len(phrase):
            return Match(rule, at, at + len(phrase), "any")
    for phrase in rule.between:
        at = _find(phrase, texts, 1)
        if at is not None and at + len(phrase) < n:
            return Match(rule, at, at + len(phrase), "between")
    if rule.max_content and content and not rule.first_words:
        return Match(rule, 0, 0, "content")
    return None


def _find(phrase: Sequence[str], texts: Sequence[str], since: int = 0) -> int | None:
    first = phrase[0]
    if first not in texts:
        return None
    for at, text in enumerate(texts):
        if at < since or text != first or len(texts) - at < len(phrase):
            continue
        if all([_meets(p, t) for p, t in zip(phrase, texts[at:], strict=False)]):
            return at
    return None


def _meets(pattern: str, text: str) -> bool:
    """A word of a phrase; `*ing` is any word with that ending (never the first word of a phrase)."""
    return text == pattern or (pattern[:1] == "*" and len(text) > len(pattern) and text.endswith(pattern[1:]))


COMMON_EN = 250
"""Zipf 2.5 in English: a plural whose singular is rarer is a name that ends in s."""
TERM_EN = 430
"""Zipf 4.3 in English: words as common are no terms that anybody asks the meaning of; alone they are titles (`silence`, `witness`)."""


def _all_known(texts: Sequence[str], said_in: str, resources: Resources) -> bool:
    """Are these words a term of the language, and no name, title or sentence?

    Indonesian: each word a noun or an adjective of the lexicon (or the whole a term of practitioners), none a function word.  A query
    that may be of either language is one only where its words are more Indonesian than English.  English: words that
    dictionaries have, no name, the last of them seldom enough to be asked for.
    """
    line = " ".join(texts)
    if said_in == "en":
        pairs = [resources.zipf(t) for t in texts]
        if any([not t.isalpha() or t in en.FUNCTION or not p[1] or _only_name(t, resources) for t, p in zip(texts, pairs, strict=True)]):
            return False
        return min([p[1] for p in pairs]) < (TERM_EN if len(texts) > 1 else TERM_EN - 30)
    if any([t in id.FUNCTION or t in en.FUNCTION or not t.replace("-", "").isalpha() for t in texts]):
        return False
    margin = 0 if len(texts) == 1 else 30
    if said_in == "und" and any([resources.zipf(t)[0] < resources.zipf(t)[1] + margin for t in texts]):
        return False
    if len(line) < 4:
        return False
    if _is_noun(line, resources) or (not resources.is_verb(texts[0]) and any([e.KIND == 1 for e in resources.exact(line)])):
        return True
    return all([_is_noun(t, resources) or _is_noun(id.expand_reduplication(t), resources) for t in texts])


def _only_name(text: str, resources: Resources) -> bool:
    rows = resources.translations(text)
    return bool(rows) and all([e.pos == "name" for e in rows])


def _is_noun(form: str, resources: Resources) -> bool:
    """Has the lexicon the form as a noun or an adjective, and as no verb or name?"""
    entries = resources.exact(form) if form and form not in id.PERSONS else ()
    kinds = {e.pos for e in entries if isinstance(e, Translation)}
    return not any([isinstance(e, Slang) for e in entries]) and bool(kinds) and kinds <= {"n", "nu", "np", "adj"}
