"""English form of what is in English order: auxiliaries of questions, `be` between a modal and a participle."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.record import replace
from rewriter.text import id
from rewriter.translation.order import HEAD_OF
from rewriter.translation.unit import Unit

__all__ = ["english_form"]

MODALS = frozenset({"can", "can't", "cannot", "must", "should", "will", "may", "could", "might", "won't", "shouldn't"})
SUBJECT = frozenset({"n", "nu", "np", "name", "en", "num", "adj", "det", "pron", "prep"})
RELATIONS = id.ATTRIBUTES | HEAD_OF.keys()
WH = frozenset({"when", "where", "why", "how"})


def english_form(units: Sequence[Unit]) -> list[Unit]:
    """The units as an English speaker would type the question; keyword queries stay keywords."""
    shaped = _be_after_modal(units)
    if len(shaped) < 2:
        return shaped
    first = shaped[0]
    if first.pos == "q" and first.text in WH:
        return _wh_question(shaped)
    if first.pos == "q" and first.text in ("who", "what") and _nominal(shaped[1:]):
        return [first, _auxiliary(_be(shaped[1:], past=False), first), *shaped[1:]]
    if first.pos == "q" and first.text == "is":
        return _yes_no_question(shaped)
    return shaped


def _nominal(units: Sequence[Unit]) -> bool:
    """A noun phrase and nothing else: `siapa pemeran utama X` asks who it is."""
    kinds = {u.pos for u in units if u.pos != "punct"}
    return bool(kinds & {"n", "nu", "np", "name"}) and kinds <= SUBJECT | {"x"} and units[0].pos in ("n", "nu", "np", "name", "adj", "en")


def is_passive(unit: Unit) -> bool:
    """`dirilis`, `terbuat`: verbs in di- and ter- say what happens to the subject."""
    return unit.pos == "v" and unit.form.startswith(("di", "ter", "lahir", "berlokasi")) and not unit.text.startswith("be ")


def _be_after_modal(units: Sequence[Unit]) -> list[Unit]:
    """`can't opened` → can't be opened."""
    out: list[Unit] = []
    for unit in units:
        if out and out[-1].text in MODALS and is_passive(unit):
            unit = replace(unit, text=f"be {unit.text}")
        out.append(unit)
    return out


def _auxiliary(text: str, near: Unit) -> Unit:
    return Unit(text, "aux", near.start, near.end, "question_auxiliary", near.evidence, "translated", "")


def _wh_question(units: list[Unit]) -> list[Unit]:
    """`when Srivijaya kingdom founded` → when was Srivijaya kingdom founded; `why phone overheat` → why does phone overheat."""
    word, rest = units[0], units[1:]
    at = next((i for i, u in enumerate(rest) if u.pos == "v"), None)
    past = word.text == "when"
    if at is None:
        nominal = rest[0].pos in ("n", "nu", "np", "name", "en", "adj")
        predicate = word.text == "why" and rest[-1].pos == "adj" and len(rest) > 1
        if (word.text == "where" and nominal) or (predicate and nominal):
            return [word, _auxiliary(_be(rest, past=False), word), *rest]
        return units
    verb = rest[at]
    if at and rest[at - 1].pos == "adv":  # "pertama kali dirilis": first released
        verb = replace(verb, text=f"{rest[at - 1].text} {verb.text}", start=min(verb.start, rest[at - 1].start))
        rest = [*rest[: at - 1], verb, *rest[at + 1 :]]
        at -= 1
    if at == 0:
        end = 1
        while end < len(rest) and rest[end].pos in SUBJECT - {"prep"}:
            end += 1
        if is_passive(verb) and end > 1:  # "kapan dirilis iphone": the subject stands behind
            return [word, _auxiliary(_be(rest[1:end], past=past), word), *rest[1:end], verb, *rest[end:]]
        if word.text == "where" and not is_passive(verb) and verb.text not in MODALS:
            return [word, _auxiliary("to", word), *rest]  # "beli emas dimana": where to buy
        return units
    subject = rest[:at]
    if any(u.pos not in SUBJECT for u in subject):
        return units
    if verb.text in MODALS:
        return [word, verb, *subject, *rest[at + 1 :]]
    helper = _be(subject, past=past) if is_passive(verb) else "did" if past else "do" if subject[-1].pos == "np" else "does"
    return [word, _auxiliary(helper, word), *subject, verb, *rest[at + 1 :]]


def _yes_no_question(units: list[Unit]) -> list[Unit]:
    """`is hepatitis can be cured` → can hepatitis be cured; `is cat eat banana` → does cat eat banana."""
    word, rest = units[0], units[1:]
    at = next((i for i, u in enumerate(rest) if u.pos == "v" or u.text in MODALS), None)
    if at is None and rest[0].form.split(" ")[0] in RELATIONS:  # "apakah singkatan X": what is
        return [replace(word, text="what is"), *rest]
    if at is None or at == 0 or any(u.pos not in SUBJECT for u in rest[:at]):
        return units
    verb, subject = rest[at], rest[:at]
    if verb.text in MODALS:
        return [replace(word, text=verb.text, evidence=(*word.evidence, *verb.evidence)), *subject, *rest[at + 1 :]]
    if is_passive(verb):
        return units
    return [replace(word, text="do" if subject[-1].pos == "np" else "does"), *subject, verb, *rest[at + 1 :]]


def _be(subject: Sequence[Unit], *, past: bool) -> str:
    many = subject[-1].pos == "np"
    return ("were" if many else "was") if past else ("are" if many else "is")
