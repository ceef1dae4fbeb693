"""The query as a full question, as people ask it in forums."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.analysis import Analysis, content_indices
from rewriter.lexicon.entries import Sense
from rewriter.model import Skip, Variant
from rewriter.patterns.intents import Match, core_words, find_match, rule_language, whole_words
from rewriter.patterns.names import restore_capitals
from rewriter.patterns.polish_en import polish_english
from rewriter.patterns.polish_id import polish_indonesian
from rewriter.patterns.slots import fill
from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.empty import NEGATIONS
from rewriter.text.words import Word, join_pieces

__all__ = ["write_question"]

MOST_WORDS = 14
"""Words from which on a text without a question word is a message, and no list of keywords."""


def write_question(analysis: Analysis, resources: Resources) -> Variant | Skip:
    """A question made by the first rule that fits; skipped where the query is one already, names a page to go to, or is no search."""
    words = core_words(analysis.resolved.words)
    if not words:
        return Skip("no-words")
    if all(w.guard for w in words if w.spoken):
        return Skip("protected")
    language = rule_language(analysis)
    if _is_question(words, analysis.resolved.texts, language):
        return Skip("already-a-question")
    match = find_match(analysis, resources)
    if match is not None and not match.rule.question:
        return Skip(match.rule.intent)
    if _is_message(words, language, match, _final_mark(analysis.resolved.words)):
        return Skip("a-statement")
    if match is None:
        return Skip("bare-name" if len(content_indices(words)) <= 2 else "no-intent")
    if _unsaid(words, match, language, resources):
        return Skip("no-intent")
    view = analysis.resolved
    spelled = _spell_out(view.words, analysis) if language == "id" else view.words
    cased = core_words(restore_capitals(spelled, view, analysis, language, resources))
    if language == "en" and _lost_preposition(cased, match):
        return Skip("no-intent")
    made = _once_named(fill(match, cased, language, resources))
    made = polish_english(made, resources) if language == "en" else polish_indonesian(made, resources)
    return Variant("question", analysis.language, join_pieces(made, analysis.cleaned.original)) if made else Skip("no-intent")


def _unsaid(words: Sequence[Word], match: Match, language: str, resources: Resources) -> bool:
    """Is it not said what is asked about, or said in a way that no template holds?

    `bisa online ga`, `efek sampingnya`: a thing that was talked about before.  `data hilang kehapus`: two predicates.  `jason vs ash 2`: a
    film.  `fastest train in the world top ten`: words cut off.
    """
    texts = [w.folded for w in words]
    if match.rule.intent == "comparison" and match.by == "between":
        left, right = words[: match.start], words[match.end :]
        sequel = right and right[-1].text in "2345" and not any([c.isdigit() for w in left for c in w.text])
        return bool(sequel) or (len(left) == len(right) == 1 and _is_film(left[0], resources) and _is_film(right[0], resources))
    if language == "en":
        if match.rule.intent == "recommendation" and match.by == "start" and _cut_off(texts, resources):
            return True
        world = next((i for i in range(len(texts) - 2) if texts[i : i + 3] == ["in", "the", "world"]), 0)
        behind = texts[world + 3 :] if world and match.rule.intent == "recommendation" else []
        return bool(behind) and behind[0] not in en.FUNCTION and not behind[0].isdigit()
    if match.rule.intent == "price" and match.by == "start" and any([w.guard == "amount" for w in words[match.end : match.end + 1]]):
        return True  # `suhu 38,5 derajat bayi`: it says how much
    content = len([w for w in words if w.spoken]) - (match.end - match.start)
    if match.rule.intent == "eligibility" and match.by == "end":
        return content < 3 and texts[0] in _MODALS
    if len(texts) <= 2 and texts[-1].endswith("nya") and match.by == "start" and match.rule.intent in ("reason", "list", "price"):
        return True
    if match.rule.intent == "troubleshooting" and match.by == "any":
        single = {p[0] for p in match.rule.any if len(p) == 1}
        return any([a in single and b in single for a, b in zip(texts, texts[1:], strict=False)])
    return False


def _cut_off(texts: Sequence[str], resources: Resources) -> bool:
    """Does a rare word or a code stand behind the plural that the query is about (`best colleges gmc`)?"""
    last = texts[-1]
    return last.isalpha() and en.number_of([texts[-2]]) == "plural" and en.number_of([last]) == "singular" and resources.zipf(last)[1] < 300


def _is_film(word: Word, resources: Resources) -> bool:
    """Has the lexicon a film of this name?"""
    return any([isinstance(e, Sense) and e.domain.startswith("entertainment/film") for e in resources.exact(word.folded)])


_PRICED = ("price", "other", "list", "recommendation", "reason", "how-to")
"""Intents of questions about a noun, behind which a place or a maker needs its preposition."""


def _lost_preposition(words: Sequence[Word], match: Match) -> bool:
    """Does a name end the query right behind a noun (`tag images twitter`, `price of farmland nebraska`)?

    Nobody says whether `on`, `in` or `for` is meant.  Behind `how to` the noun must be a plural, since the name may be the object.
    """
    if match.by != "start" or len(words) < 4 or words[-1].rule != "capitalise_name" or match.rule.intent not in _PRICED:
        return False
    before = words[-2]
    if match.rule.intent == "how-to":
        return en.number_of([before.folded]) == "plural"
    return len(words) - 1 > match.end and before.text.islower() and before.folded not in en.FUNCTION


def _spell_out(words: Sequence[Word], analysis: Analysis) -> tuple[Word, ...]:
    """Abbreviations without a vowel as words (`yg`, `bs`, `tgl`); every other spelling stays the user's, and so does what denies."""
    out = list(words)
    for normal in analysis.resolved.normal:
        i = normal.origin
        if i >= len(words) or normal.until != i + 1 or _VOWEL.search(words[i].folded) or words[i].guard or words[i].kind != "copy":
            continue
        if normal.folded != words[i].folded and words[i].folded not in NEGATIONS | id.QUESTION_TAGS and normal.folded not in NEGATIONS:
            out[i] = replace(words[i], text=normal.folded, folded=normal.folded, kind="rewrite", rule="spell_out")
    return tuple(out)


_VOWEL = re.compile("[aeiou]")


def _once_named(words: Sequence[Word]) -> list[Word]:
    """Without a nickname before its plain name (`setan merah Manchester United`): a thing is said once.  Its span goes to the name."""
    named = {w.evidence for w in words if w.rule == "name_sense"}
    spans = {w.evidence: [k for k in words if k.rule == "keep_form" and k.evidence == w.evidence] for w in words if w.evidence in named}
    out = []
    for word in words:
        kept = spans.get(word.evidence) if word.evidence else None
        if not kept:
            out.append(word)
        elif word.rule == "name_sense":
            first = all([w.evidence != word.evidence for w in out])
            out.append(replace(word, start=kept[0].start, end=kept[-1].end, kind="rewrite", space=kept[0].space if first else word.space))
    return out


_MODALS = frozenset("bisa ada boleh aman perlu harus wajib sehat bagus mau dapat bisa2 masih pernah".split())


def _is_question(words: Sequence[Word], normal: Sequence[str], language: str) -> bool:
    texts = whole_words([w for w in words if not w.guard])[0]
    if texts[:2] == ["how", "to"]:
        return " do you " in f" {' '.join(texts)} "
    if language == "en":
        asked = [t for t in texts[1:] if t in en.QUESTION]
        inside = bool(asked) and not (asked == ["how"] and " how to " in f" {' '.join(texts)} ")
        return bool(texts) and (texts[0] in en.QUESTION or texts[0] in en.AUXILIARIES or inside)
    requested = not _REQUESTS.isdisjoint(texts[:1]) or not en.QUESTION.isdisjoint(texts[:1])
    if requested or any([t in id.QUESTION or t == "segimana" for t in normal]):
        return True
    tags = [i for i, t in enumerate(texts[:-1]) if i and t in id.QUESTION_TAGS]  # `bisa gak simpan email`, but not `email bisa gak`
    return any([texts[i - 1] in _MODALS or texts[0] in _MODALS for i in tags])


_REQUESTS = frozenset("sebutkan jelaskan tuliskan uraikan tentukan simpulkan".split())
"""What opens the full request of an exam."""
_CLAUSE = frozenset(
    """
    yang yg tapi tp soalnya padahal karena krn jadi makanya emang memang kok ko astaga waduh parah sudah udah sdh sy ku gw gue gua aku kamu
    ini itu saat lagi
    mau pengen ingin ada adalah terus trus kalo kalau klo maka dari sejak ya yah oh eh iya iyaa baik kami mereka dia tadi kan nih tuh
    """.split()
)
"""Words that begin a sentence and no list of keywords."""


def _is_message(words: Sequence[Word], language: str, match: Match | None, final: str) -> bool:
    """Is it said to somebody, or a sentence or several, which no template holds?"""
    spoken = [w for w in words if w.spoken]
    texts = [w.folded for w in spoken]
    if len(spoken) > MOST_WORDS:
        return True
    marks = [w.text for w in words[:-1] if not w.spoken and not w.guard]
    opened = match is not None and match.by == "start"
    if any([m[0] in ".?!;()" for m in marks]) or any([_LAUGHTER.match(t) for t in texts]):
        return True
    compares = match is not None and match.rule.intent == "comparison"
    if language == "id" and ((not compares and ("," in marks or ":" in marks)) or final.startswith((".", "!"))):
        return True
    if language == "en":
        if ":" in marks and not (opened or compares):
            return True
        asks = opened and match is not None and match.rule.intent in ("how-to", "eligibility")
        finite = bool(_FINITE.intersection(texts[1:])) and _RELATIVE.isdisjoint(texts)
        return texts[-1] in _UNFINISHED or (finite and not asks and (match is None or match.by != "between"))
    if not _ADDRESS.isdisjoint(texts) or any([t.startswith("xxx") for t in texts]):
        return True
    if opened:
        return texts[-1] in id.FUNCTION - _ENDINGS
    talk = [t for i, t in enumerate(texts) if t in _TALK and not (t == "lg" and i and texts[i - 1] in _APPLIANCES)]
    return texts[0] in _CLAUSE or bool(talk) or "ya" in texts[:-1]


def _final_mark(words: Sequence[Word]) -> str:
    """The mark that ends the query; "" for none."""
    return words[-1].text if words and not words[-1].spoken and not words[-1].guard else ""


_LAUGHTER = re.compile(r"(?:(?:ha|hi|hu|he|wk|kw)[a-z]?){2,}\Z|(?:wk)+w?\Z")
_TALK = frozenset(
    "mulu woy woi hadeh banget bgt amat sih deh nih dah tuh lho loh lagi lg tauk doang cuma dikit2 pantes katanya betul huh barusan".split()
)
"""What people complain with."""
_APPLIANCES = frozenset("kulkas tv ac mesin cuci monitor hp layar oven proyektor soundbar freezer speaker led".split())
"""What LG makes: behind these `lg` is no `lagi`."""
_ENDINGS = frozenset("anda kamu saya aku kami kita ini itu mereka sama lagi saja aja boleh bisa perlu dapat akan gini gitu".split())
_RELATIVE = frozenset("that which who whose where if when worth".split())
_UNFINISHED = frozenset("the a an of in on at to for from with by and or is are was were be upon about".split())
_FINITE = frozenset("is are was were am has have had does do did will would should could isn't aren't".split())
_ADDRESS = frozenset(
    """
    min mimin admin kak kakak ka gan bro sis guys halo hallo hai hi makasih trims thanks thx tq terimakasih maaf tolong tlg
    mohon selamat salam
    dok follow folback dm dong donk deh dibantu bantuannya
    """.split()
)
"""Greetings, and words of those who write to a clerk."""
