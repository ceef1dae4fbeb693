"""What makes an answer right: one function a task, from a case and an answer to measures between 0 and 1.

An *answer* is what a system would search and ask; the package's plan is one, the query alone another.  A measure is left out where a
case does not ask for it.  Measures whose name begins with `not ` are named after what should not happen, so that 1 is always best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.quality.matching import first_said, overlap, says, says_verbatim
from benchmarks.shared import count_words
from rewriter.urls import page_identity

__all__ = ["JUDGES", "MAIN", "Answer", "all_measures"]

MOST_ADDED = 8
"""Words that a resolved meaning may add: with more of them, pasting the conversation in would pass for understanding it."""


class Answer(NamedTuple):
    """Texts by pattern in the order of search (the first is the literal), whether it asks back, and what it offers then."""

    variants: tuple[tuple[str, str], ...]
    asks: bool = False
    offers: tuple[str, ...] = ()
    folds_pages: bool = False

    @property
    def texts(self) -> list[str]:
        """All that is searched."""
        return [text for _, text in self.variants]

    def text(self, pattern: str) -> str | None:
        """The first text of a pattern."""
        return next((text for name, text in self.variants if name == pattern), None)

    @property
    def resolved(self) -> str:
        """The query as it was understood."""
        return self.text("disambiguation") or self.text("literal") or ""


Measures = dict[str, float]
Judge = Callable[[Mapping[str, Any], Answer], Measures]


def judge_meanings(case: Mapping[str, Any], answer: Answer) -> Measures:
    """The meaning that the conversation has, asking back where nothing decides and only there."""
    expect, query, resolved = case["expect"], case["query"], answer.resolved
    measures: Measures = {}
    wanted = not expect["any"] or first_said(query, expect["any"], True) or first_said(resolved, expect["any"], True)
    paste = count_words(resolved) - count_words(query) > MOST_ADDED
    right = bool(wanted) and not first_said(resolved, expect["none"]) and not paste
    if expect["ask"] is True:
        measures["asks where it must"] = float(answer.asks)
        groups = expect.get("options") or []
        measures["offers two meanings"] = float(
            answer.asks and sum(any(says(o, w, True) for o in answer.offers for w in g) for g in groups) > 1
        )
    else:
        if expect["any"]:
            measures["meaning right"] = float(right and (not answer.asks or expect["ask"] is None))
        if expect["ask"] is False:
            measures["not asked needlessly"] = float(not answer.asks)
    if case.get("kind") == "clear":
        measures["not led astray by the conversation"] = float(not any(first_said(text, expect["none"]) for text in answer.texts))
    return measures


def judge_guardrails(case: Mapping[str, Any], answer: Answer) -> Measures:
    """The number of searches, constraints that survive in each of them, and asking back.  A query without words gets one search at most."""
    expect, texts = case["expect"], answer.texts
    words = any(char.isalnum() for char in case["query"])
    least, most, ask = (expect["min_variants"], expect["max_variants"], expect["ask"]) if words else (0, 1, False)
    count = least <= len(texts) <= most
    kept = all(says_verbatim(text, part) for text in texts for part in expect.get("preserve") or ())
    kept &= all(any(says_verbatim(text, part) for part in group) for text in texts for group in expect.get("preserve_any") or ())
    kept &= all(any(says_verbatim(text, part) for text in texts) for part in expect.get("preserve_in_some") or ())
    kept &= not any(first_said(text, expect.get("forbid") or ()) for text in texts)
    asked = ask is None or answer.asks == ask
    return {"guardrails hold": float(count and kept and asked), "number of searches": float(count), "constraints kept": float(kept)}


def judge_translation(case: Mapping[str, Any], answer: Answer) -> Measures:
    """Concepts that the english variant says; without one the query itself counts, where it is English already."""
    english = answer.text("english") or answer.text("literal") or ""
    said = [first_said(english, concept) is not None for concept in case["must"]]
    kept = all(part.casefold() in english.casefold() for part in case["keep"])
    return {"concepts said": sum(said) / len(said), "everything said": float(all(said) and kept)}


def judge_terms(case: Mapping[str, Any], answer: Answer) -> Measures:
    """A word of practitioners in the synonym variant, and no word of another meaning in any."""
    found = first_said(answer.text("synonym") or "", case["any"]) is not None
    wrong = any(first_said(text, case["none"]) for name, text in answer.variants if name != "literal")
    return {"a term of practitioners": float(found), "not a wrong term": float(not wrong)}


def judge_questions(case: Mapping[str, Any], answer: Answer) -> Measures:
    """A question as people ask it: its beginning, its content words, its mark.  A query that is one already needs no other."""
    question = answer.text("question")
    if question is None and case.get("intent") == "navigational":
        return {"a good question": 1.0}
    text = (question or answer.text("literal") or "").casefold()
    begins = any(text.startswith(start.casefold()) for start in case["acceptable_starts"])
    kept = all(word.casefold() in text for word in case["must"])
    kept &= all(any(word.casefold() in text for word in group) for group in case.get("must_any") or ())
    return {"a good question": float(begins and kept and (question is None or text.rstrip().endswith("?")))}


def judge_conversations(case: Mapping[str, Any], answer: Answer) -> Measures:
    """Words in common with the query as a person rewrote it (F1 of content stems); first turns stand alone already and are left out."""
    return {"words of the human rewrite": overlap(answer.resolved, case["manual"])} if case["history"] else {}


def judge_pages(case: Mapping[str, Any], answer: Answer) -> Measures:
    """Two URLs of one page, or of two."""
    same = page_identity(case["a"]) == page_identity(case["b"]) if answer.folds_pages else case["a"] == case["b"]
    return {"pages told apart": float(same == (case["want"] == "fold"))}


JUDGES: dict[str, Judge] = {
    "meanings": judge_meanings, "guardrails": judge_guardrails, "translation": judge_translation, "terms": judge_terms,
    "questions": judge_questions, "conversations": judge_conversations, "pages": judge_pages,
}  # fmt: skip
MAIN = {
    "meanings": "meaning right", "guardrails": "guardrails hold", "translation": "concepts said", "terms": "a term of practitioners",
    "questions": "a good question", "conversations": "words of the human rewrite", "pages": "pages told apart",
}  # fmt: skip
"""The measure by which parts of a set are compared."""


def all_measures(answers: Sequence[Mapping[str, float]]) -> list[str]:
    """Names of measures in the order in which they first came."""
    return list(dict.fromkeys(name for measures in answers for name in measures))
