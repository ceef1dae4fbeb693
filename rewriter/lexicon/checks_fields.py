"""Checks of single fields: what is missing, unknown or impossible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rewriter.lexicon.alike import alike_domains
from rewriter.lexicon.collection import Collection, Place, name_of, place_of
from rewriter.lexicon.entries import Jargon, Sense

__all__ = [
    "cannot_be_read", "canonical_is_missing", "date_is_unreadable", "direction_is_unknown", "domain_is_unknown", "expert_is_missing",
    "field_is_unknown", "gloss_is_missing", "id_is_misspelt", "is_id", "near_points_nowhere", "pos_is_unknown", "prior_is_out_of_range",
    "sense_id_repeats", "since_is_after_until", "source_is_missing", "status_is_missing", "status_is_unknown",
]  # fmt: skip

POS = frozenset({"n", "nu", "np", "v", "adj", "adv", "prep", "conj", "pron", "num", "det", "q", "neg", "part", "name", "x"})
DIRECTIONS = frozenset({"lay-to-expert", "expert-to-lay", "both"})
STATES = frozenset({"draft", "reviewed", "retired"})
GREATEST_PRIOR = 600
"""Six nats, odds of 400 to 1: no evidence could speak against a greater one."""
FIELDS = frozenset(
    {
        "id", "forms", "domain", "source", "licence", "origin", "status", "reviewer", "reviewed", "examples",  # any entry
        "canonical", "gloss", "cues", "cue_weights", "synonyms", "literal_cues", "near", "prior", "needs_cue", "keep_form",  # a sense
        "since", "until", "expert", "direction",  # jargon
        "canonical.en", "canonical.id", "gloss.en", "gloss.id", "expert.en", "expert.id",  # flat, as JSONL may have them
    }
)  # fmt: skip
_DATE = re.compile(r"([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?")
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*")


def cannot_be_read(c: Collection) -> Iterator[Place]:
    """It cannot be read."""
    for problem in c.problems:
        yield Place(problem.file, problem.line, problem.column, problem.message)


def sense_id_repeats(c: Collection) -> Iterator[Place]:
    """An id stands for one entry in all files; merge the entries or rename one."""
    first: dict[tuple[int, str], str] = {}
    for item in c.items:
        if isinstance(item.entry, (Sense, Jargon)):
            key = (item.entry.KIND, item.entry.id)
            if key in first:
                yield place_of(item, f"{name_of(item.entry)} also stands at {first[key]}")
            first.setdefault(key, f"{item.file}:{item.line}")


def is_id(text: str) -> bool:
    """Is this written as an id is?

    >>> is_id("nano-banana.fruit"), is_id("Nano Banana")
    (True, False)
    """
    return _ID.fullmatch(text) is not None


def id_is_misspelt(c: Collection) -> Iterator[Place]:
    """An id is `lexeme.sense`: lower-case letters, digits and single hyphens on both sides of one point."""
    for item in c.items:
        if isinstance(item.entry, (Sense, Jargon)) and not is_id(item.entry.id):
            yield place_of(item, name_of(item.entry))


def field_is_unknown(c: Collection) -> Iterator[Place]:
    """No such field is read; correct its name or delete it."""
    for item in c.items:
        if isinstance(item.entry, (Sense, Jargon)):
            for name in item.fields:
                if name not in FIELDS:
                    yield place_of(item, f"{name_of(item.entry)} has {name!r}")


def domain_is_unknown(c: Collection) -> Iterator[Place]:
    """The domain is missing or not in domains.toml; use a path of the tree."""
    likest: dict[str, str] = {}  # an import may have one foreign domain in thousands of rows
    for item in c.live:
        domain = str(item.fields.get("domain", ""))
        needed = isinstance(item.entry, (Sense, Jargon))
        if (domain or needed) and domain not in c.domains:
            if domain not in likest:
                likest[domain] = ", ".join([path for path, _ in alike_domains(domain, c.domains)])
            near = f" (likest: {likest[domain]})" if likest[domain] else ""
            yield place_of(item, f"{name_of(item.entry)} has the domain {domain!r}{near}")


def gloss_is_missing(c: Collection) -> Iterator[Place]:
    """A sense needs gloss.en and gloss.id, which a clarifying question shows."""
    for item, sense in c.senses:
        if without := _missing("gloss", sense.gloss_en, sense.gloss_id):
            yield place_of(item, f"{name_of(sense)} has no {without}")


def source_is_missing(c: Collection) -> Iterator[Place]:
    """An entry names its source; `curated` is what was written here from knowledge."""
    for item in c.live:
        if isinstance(item.entry, (Sense, Jargon)) and not str(item.fields.get("source", "")).strip():
            yield place_of(item, name_of(item.entry))


def canonical_is_missing(c: Collection) -> Iterator[Place]:
    """A sense needs canonical.en and canonical.id, which a rewritten query holds."""
    for item, sense in c.senses:
        if without := _missing("canonical", sense.canonical_en, sense.canonical_id):
            yield place_of(item, f"{name_of(sense)} has no {without}")


def expert_is_missing(c: Collection) -> Iterator[Place]:
    """Jargon needs an expert term in one language at least."""
    for item, jargon in c.jargon:
        if not any(term.strip() for term in (*jargon.expert_en, *jargon.expert_id)):
            yield place_of(item, name_of(jargon))


def status_is_missing(c: Collection) -> Iterator[Place]:
    """A line of a shard says in its last column whether it is reviewed."""
    for item in c.items:
        if item.file.endswith(".tsv") and not str(item.fields.get("status", "")).strip():
            yield place_of(item, name_of(item.entry))


def status_is_unknown(c: Collection) -> Iterator[Place]:
    """The status is draft, reviewed or retired."""
    for item in c.items:
        status = str(item.fields.get("status", "")).strip()
        if status and status not in STATES:
            yield place_of(item, f"{name_of(item.entry)} has the status {status!r}")


def pos_is_unknown(c: Collection) -> Iterator[Place]:
    """The part of speech is one of those in the README of the lexicons."""
    for item in [*(i for i, _ in c.translations), *(i for i, _ in c.slang)]:
        pos = str(item.fields.get("pos", ""))
        if pos not in POS:
            yield place_of(item, f"{name_of(item.entry)} has the part of speech {pos!r}")


def direction_is_unknown(c: Collection) -> Iterator[Place]:
    """The direction is lay-to-expert, expert-to-lay or both."""
    for item, jargon in c.jargon:
        if jargon.direction not in DIRECTIONS:
            yield place_of(item, f"{name_of(jargon)} has the direction {jargon.direction!r}")


def prior_is_out_of_range(c: Collection) -> Iterator[Place]:
    """A prior is a whole number from 0 to 600 (hundredths of a nat)."""
    for item, sense in c.senses:
        given = item.fields.get("prior", 0)
        if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given <= GREATEST_PRIOR:
            yield place_of(item, f"{name_of(sense)} has the prior {given!r}")


def near_points_nowhere(c: Collection) -> Iterator[Place]:
    """`near` names senses that exist; correct the id or delete it."""
    known = {s.id for _, s in c.senses} | c.senses_elsewhere
    for item, sense in c.senses:
        for other in sense.near:
            if other not in known:
                yield place_of(item, f"{name_of(sense)} is near {other!r}")


def date_is_unreadable(c: Collection) -> Iterator[Place]:
    """`since`, `until` and `reviewed` are dates: 2025, 2025-08 or 2025-08-26."""
    for item in c.items:
        for name in ("since", "until", "reviewed"):
            if name in item.fields and _date(item.fields[name]) is None:
                yield place_of(item, f"{name_of(item.entry)} has {name} = {item.fields[name]!r}")


def since_is_after_until(c: Collection) -> Iterator[Place]:
    """A sense begins before it ends; exchange `since` and `until`."""
    for item in c.items:
        since, until = _date(item.fields.get("since")), _date(item.fields.get("until"))
        if since and until and since > until:
            yield place_of(item, name_of(item.entry))


def _missing(field: str, en: str, id_: str) -> str:
    """Which languages of a field are empty; "" for none."""
    return " and no ".join([f"{field}.{language}" for language, text in (("en", en), ("id", id_)) if not text.strip()])


def _date(value: Any) -> tuple[int, ...] | None:
    """Year, month, day as far as given, of a string or a TOML date; None for what is no date."""
    match = _DATE.fullmatch(str(value))
    return tuple([int(part) for part in match.groups() if part]) if match else None
