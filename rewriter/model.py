"""The records that callers see.  All of them are frozen; derived values are properties."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rewriter.errors import PlanError
from rewriter.record import fresh, record
from rewriter.report import describe_plan

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Candidate", "Clarification", "Mention", "Merged", "Option", "PATTERN_NAMES", "Piece", "Plan", "Request", "Result",
    "Skip", "Source", "Step", "Turn", "Variant",
]  # fmt: skip

PATTERN_NAMES = ("literal", "disambiguation", "english", "synonym", "question")
PIECE_KINDS = ("copy", "rewrite", "translate", "insert")

Span = tuple[int, int]
_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


@record
class Turn:
    """One turn of a conversation: `role` (user, assistant, system, developer, tool) and its text."""

    role: str
    content: str


@record
class Request:
    """A query to rewrite, with the turns before it, oldest first."""

    query: str
    context: tuple[Turn, ...] = ()
    query_id: str | None = None


@record
class Piece:
    """A stretch of a variant and where it comes from.

    `sources` are half-open spans in code points of the original query; a `copy` piece equals its one source.
    `rule` is the function that wrote it, `evidence` the ids of the lexicon entries or turns behind it.
    """

    text: str
    sources: tuple[Span, ...]
    kind: str
    rule: str
    evidence: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a plan."""
        return {
            "text": self.text,
            "sources": [list(s) for s in self.sources],
            "kind": self.kind,
            "rule": self.rule,
            "evidence": list(self.evidence),
        }


@record
class Variant:
    """One search.  Its text is its pieces, joined."""

    pattern: str
    language: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """What to search."""
        return "".join([p.text for p in self.pieces])

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a plan."""
        return {
            "pattern": self.pattern,
            "text": self.text,
            "language": self.language,
            "pieces": [p.to_dict() for p in self.pieces],
        }


@record
class Skip:
    """Why a pattern gives no variant: a stable code, and what it rests on."""

    reason: str
    evidence: tuple[str, ...] = ()


@record
class Option:
    """One meaning offered by a clarifying question, and the query that it would search."""

    sense: str
    label: str
    query: str


@record
class Clarification:
    """A question to ask back, in the user's language, with two to four options, best first."""

    question: str
    language: str
    options: tuple[Option, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a plan."""
        return {
            "question": self.question,
            "language": self.language,
            "options": [{"sense": o.sense, "label": o.label, "query": o.query} for o in self.options],
        }


@record
class Candidate:
    """A sense that a mention may have, with its score (hundredths of a nat) and the words that spoke for it."""

    sense: str
    score: int
    cues: tuple[str, ...] = ()


@record
class Mention:
    """A lexicon form found in the query; `sense` is None where undecided."""

    start: int
    end: int
    form: str
    sense: str | None
    candidates: tuple[Candidate, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a plan."""
        return {
            "start": self.start,
            "end": self.end,
            "form": self.form,
            "sense": self.sense,
            "candidates": [{"sense": c.sense, "score": c.score, "cues": list(c.cues)} for c in self.candidates],
        }


@record
class Step:
    """A line of the audit trail: at which stage which rule did what, and why."""

    stage: str
    rule: str
    outcome: str
    evidence: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a plan."""
        return {"stage": self.stage, "rule": self.rule, "outcome": self.outcome, "evidence": list(self.evidence)}


@record
class Plan:
    """What to search for a query, in order, or what to ask back; with the reasons, and a signature.

    `language` is id, en, mixed or und.  The same signature and the same request give the same plan, byte for byte.
    """

    query: str
    query_id: str | None
    language: str
    intent: str
    variants: tuple[Variant, ...]
    clarification: Clarification | None
    mentions: tuple[Mention, ...]
    trail: tuple[Step, ...]
    signature: str

    @property
    def queries(self) -> tuple[str, ...]:
        """The texts to search, in order."""
        return tuple(v.text for v in self.variants)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data, fields in the order of the contract."""
        return {
            "query": self.query,
            "query_id": self.query_id,
            "language": self.language,
            "intent": self.intent,
            "variants": [v.to_dict() for v in self.variants],
            "clarification": self.clarification.to_dict() if self.clarification else None,
            "mentions": [m.to_dict() for m in self.mentions],
            "trail": [s.to_dict() for s in self.trail],
            "signature": self.signature,
        }

    def to_json(self) -> str:
        """One line of ASCII JSON, separators `,` and `:`."""
        return _ENCODE(self.to_dict())

    def explain(self) -> str:
        """The plan for people: what was found, which words decided, what each variant is for."""
        return describe_plan(self.to_dict())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Plan:
        """The plan that `to_dict` wrote; `PlanError` for anything else."""
        if not isinstance(data, Mapping):
            raise PlanError(f"A plan is a mapping as to_dict() gives it, not a {type(data).__name__}.")
        try:
            asked = data["clarification"]
            plan = cls(
                query=data["query"],
                query_id=data["query_id"],
                language=data["language"],
                intent=data["intent"],
                variants=tuple(_variant(v) for v in data["variants"]),
                clarification=asked
                and Clarification(
                    asked["question"],
                    asked["language"],
                    tuple(Option(o["sense"], o["label"], o["query"]) for o in asked["options"]),
                ),
                mentions=tuple(
                    Mention(
                        m["start"],
                        m["end"],
                        m["form"],
                        m["sense"],
                        tuple(Candidate(c["sense"], c["score"], tuple(c["cues"])) for c in m["candidates"]),
                    )
                    for m in data["mentions"]
                ),
                trail=tuple(Step(s["stage"], s["rule"], s["outcome"], tuple(s["evidence"])) for s in data["trail"]),
                signature=data["signature"],
            )
        except (KeyError, TypeError) as error:
            what = f"lacks the field {error}" if isinstance(error, KeyError) else f"has a field of a wrong shape ({error})"
            raise PlanError(f"This data is no plan: it {what}; give what Plan.to_dict() wrote.") from None
        wrong = [name for name in ("query", "language", "intent", "signature") if not isinstance(getattr(plan, name), str)]
        if wrong:
            raise PlanError(f"This data is no plan: {wrong[0]!r} is no string; give what Plan.to_dict() wrote.")
        return plan


def _variant(data: Mapping[str, Any]) -> Variant:
    pieces = tuple(
        Piece(p["text"], tuple((s[0], s[1]) for s in p["sources"]), p["kind"], p["rule"], tuple(p["evidence"])) for p in data["pieces"]
    )
    variant = Variant(data["pattern"], data["language"], pieces)
    if variant.text != data["text"]:
        raise PlanError(f"This data is no plan: the pieces of {data['text']!r} give {variant.text!r}.")
    return variant


@record
class Result:
    """One search result; `extra` takes whatever else the search gave."""

    url: str
    title: str = ""
    snippet: str = ""
    extra: Mapping[str, Any] = fresh(dict)


@record
class Source:
    """Which variant found a page, at which rank (from 1), under which URL."""

    variant: str
    rank: int
    url: str


@record
class Merged:
    """A page of the union: its identity, its best result, its fused score and every place where it was found."""

    identity: str
    url: str
    title: str
    snippet: str
    extra: Mapping[str, Any]
    rank: int
    score: float
    sources: tuple[Source, ...]

    @property
    def folded(self) -> tuple[str, ...]:
        """The other URLs under which the page was found, each once, best place first: what the merge folded into this row."""
        return tuple(dict.fromkeys([s.url for s in self.sources if s.url != self.url]))

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that found the page, each once, best place first."""
        return tuple(dict.fromkeys([s.variant for s in self.sources]))

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data, `folded` beside the fields; `extra` is what the search gave."""
        return {
            "rank": self.rank,
            "url": self.url,
            "title": self.title,
            "snippet": self.snippet,
            "score": self.score,
            "sources": [{"variant": s.variant, "rank": s.rank, "url": s.url} for s in self.sources],
            "folded": list(self.folded),
            "identity": self.identity,
            "extra": dict(self.extra),
        }
