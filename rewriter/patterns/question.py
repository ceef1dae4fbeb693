"""The query as a full question, as people ask it in forums."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rewriter.analysis import Analysis, content_indices
from rewriter.model import Skip, Variant
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.words import Word, join_pieces

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["find_intent", "write_question"]


@record
class Rule:
    """A line of the template file: where its phrases must stand, the intent it shows, and the question."""

    intent: str
    start: tuple[tuple[str, ...], ...]
    end: tuple[tuple[str, ...], ...]
    any: tuple[tuple[str, ...], ...]
    between: tuple[tuple[str, ...], ...]
    needs: frozenset[str]
    needs_not: tuple[tuple[str, ...], ...]
    max_content: int
    question: str
    first_words: frozenset[str]
    """First words of all phrases: a query that has none of them needs no closer look."""


@record
class Match:
    """A rule that fits, and the half-open span of words that showed it."""

    rule: Rule
    start: int
    end: int


def find_intent(analysis: Analysis, resources: Resources) -> str:
    """What is wanted: by the first rule that fits, else from the question word, else `other`."""
    language = _language(analysis)
    words = _core(analysis.resolved.words)
    asked = _asked_intent([w.folded for w in words], analysis.resolved.texts, language)
    if asked:
        return asked
    match = _match(analysis, resources)
    return match.rule.intent if match else "other"


def write_question(analysis: Analysis, resources: Resources) -> Variant | Skip:
    """A question made by the first rule that fits; skipped where the query is one already, or names a page to go to."""
    words = _core(analysis.resolved.words)
    if not words:
        return Skip("no-words")
    if all(w.guard for w in words if w.spoken):
        return Skip("protected")
    language = _language(analysis)
    if _is_question(words, analysis.resolved.texts, language):
        return Skip("already-a-question")
    match = _match(analysis, resources)
    if match is None:
        return Skip("no-intent")
    if not match.rule.question:
        return Skip(match.rule.intent)
    made = _fill(match, words, language, resources)
    return Variant("question", analysis.language, join_pieces(made, analysis.cleaned.original)) if made else Skip("no-intent")


def _language(analysis: Analysis) -> str:
    return "en" if analysis.language == "en" else "id"


def _core(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words without final marks."""
    end = len(words)
    while end and not words[end - 1].spoken and not words[end - 1].guard:
        end -= 1
    return tuple(words[:end])


def _is_question(words: Sequence[Word], normal: Sequence[str], language: str) -> bool:
    texts = _whole_words([w for w in words if not w.guard])[0]
    if texts[:2] == ["how", "to"]:
        return False
    if language == "en":
        return bool(texts) and (texts[0] in en.QUESTION or texts[0] in en.AUXILIARIES)
    return any([t in id.QUESTION for t in normal]) or bool(texts and texts[0] in en.QUESTION)


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
    def phrases(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(sorted((tuple(p.split()) for p in row.get(name, ())), key=lambda p: (-len(p), p)))

    start, end, anywhere, between = phrases("start"), phrases("end"), phrases("any"), phrases("between")
    return Rule(
        row["intent"], start, end, anywhere, between, frozenset(row.get("needs", ())), phrases("needs_not"), int(row.get("max_content", 0)),
        str(row.get("question", "")), frozenset([p[0] for p in (*start, *end, *anywhere, *between)]),
    )  # fmt: skip


def _match(analysis: Analysis, resources: Resources) -> Match | None:
    """The first rule that fits; remembered, since both the intent and the question ask for it."""
    words = _core(analysis.resolved.words)
    texts, places = _whole_words(words)
    key = (_language(analysis), tuple(texts), len(content_indices(words)))
    cache = resources.cache("question match")
    if key not in cache:
        cache[key] = _first_fit(*key, resources)
    match = cache[key]
    return Match(match.rule, places[match.start], places[match.end]) if match else None


def _first_fit(language: str, texts: Sequence[str], content: int, resources: Resources) -> Match | None:
    said = frozenset(texts)
    for rule in _rules(language, resources):
        if rule.first_words.isdisjoint(said) and rule.first_words:
            continue
        match = _fits(rule, texts, content)
        if match is not None:
            return match
    return None


def _whole_words(words: Sequence[Word]) -> tuple[list[str], list[int]]:
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
    if rule.needs and rule.needs.isdisjoint(texts):
        return None
    if any(_find(p, texts) is not None for p in rule.needs_not):
        return None
    for phrase in rule.start:
        if n > len(phrase) and tuple(texts[: len(phrase)]) == phrase:
            return Match(rule, 0, len(phrase))
    for phrase in rule.end:
        if n > len(phrase) and tuple(texts[n - len(phrase) :]) == phrase:
            return Match(rule, n - len(phrase), n)
    for phrase in rule.any:
        at = _find(phrase, texts)
        if at is not None and n > len(phrase):
            return Match(rule, at, at + len(phrase))
    for phrase in rule.between:
        at = _find(phrase, texts)
        if at is not None and 0 < at and at + len(phrase) < n:
            return Match(rule, at, at + len(phrase))
    if rule.max_content and content and not rule.first_words:
        return Match(rule, 0, 0)
    return None


def _find(phrase: Sequence[str], texts: Sequence[str]) -> int | None:
    first = phrase[0]
    if first not in texts:
        return None
    for at, text in enumerate(texts):
        if text == first and len(texts) - at >= len(phrase) and all([_meets(p, t) for p, t in zip(phrase, texts[at:], strict=False)]):
            return at
    return None


def _meets(pattern: str, text: str) -> bool:
    """A word of a phrase; `*ing` is any word with that ending (never the first word of a phrase)."""
    return text == pattern or (pattern[:1] == "*" and len(text) > len(pattern) and text.endswith(pattern[1:]))


_SLOT = re.compile(r"\{(\w+)\}")


def _fill(match: Match, words: Sequence[Word], language: str, resources: Resources) -> list[Word]:
    """The template's words with the query's in its slots; the words that showed the intent become the template's."""
    rule = match.rule
    start, end = match.start, match.end
    words, operators = _split_operators(words, end)
    rest = [*words[:start], *words[end:]]
    slots = {
        "query": list(words),
        "rest": rest,
        "left": list(words[:start]),
        "right": list(words[end:]),
        "verb": _formal(rest, language, resources),
        "formal": _formal(words, language, resources),
    }
    shown = [w for w in words[start:end] if w.start >= 0]
    source = (shown[0].start, shown[-1].end) if shown and "{query}" not in rule.question else (-1, -1)
    out: list[Word] = []
    at = 0
    name = f"ask_{rule.intent.replace('-', '_')}"
    for slot in _SLOT.finditer(rule.question):
        out += _template_words(rule.question[at : slot.start()], source, name)
        inner = slots[slot[1]]
        if not inner:
            return []
        out += [replace(inner[0], space=bool(out)), *inner[1:]]
        at = slot.end()
    tail = rule.question[at:]
    out += _template_words(tail, (-1, -1), name)
    first = out[0]
    if first.kind == "copy" and first.text[:1].islower():
        out[0] = replace(first, text=first.text[0].upper() + first.text[1:], kind="rewrite", rule="capitalise")
    return [*out, *operators]


def _split_operators(words: Sequence[Word], at: int) -> tuple[Sequence[Word], Sequence[Word]]:
    """Search operators and addresses that end the query stand behind the question mark, which would become part of them."""
    end = len(words)
    while end > at + 1 and words[end - 1].guard in ("operator", "url"):
        end -= 1
    return words[:end], words[end:]


def _template_words(text: str, source: tuple[int, int], rule: str) -> list[Word]:
    start, end = source
    kind = "rewrite" if start >= 0 else "insert"
    return [
        Word(part, part.lower(), start, end, part not in ("?", ",", "?,"), "", "", kind, rule)
        for part in re.findall(r"[\w'’]+|[^\w\s]+", text)
    ]


def _formal(words: Sequence[Word], language: str, resources: Resources) -> list[Word]:
    """`hapus akun` → `menghapus akun`: a base verb takes its active prefix behind `cara`, as careful writers do."""
    if language != "id" or not words or words[0].guard:
        return list(words)
    first = words[0]
    base = first.folded
    made = id.active(base)
    if made != base and resources.is_verb(base) and base not in id.INTRANSITIVE and resources.zipf(made)[0] > 0:
        return [replace(first, text=made, folded=made, kind="rewrite", rule="formal_verb"), *words[1:]]
    return list(words)
