"""Words that have no entry as they stand: by what is behind their affixes, or by the spelling rules for loanwords."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.lookup import Normal
from rewriter.resources import Resources
from rewriter.text import en, id
from rewriter.text.loans import verb_candidates
from rewriter.translation.choice import choose
from rewriter.translation.unit import Unit

__all__ = ["from_loan", "from_stem"]

_NOMINAL = frozenset({"an", "nya", "ku", "mu", "active", "agent", "passive", "have", "ter", "make", "ke", "one", "lah", "kah", "pun"})


_CLITICS = frozenset({"nya", "ku", "mu", "lah", "kah", "pun"})


def from_stem(text: str, around: frozenset[str], domains: Sequence[str], normal: Normal, resources: Resources) -> Unit | None:
    """The least-stripped form that has an entry, with what the affix means put into English."""
    if len(text) < 5 or not text.replace("-", "").isalpha():
        return None
    causative = _from_causative(text, around, domains, normal, resources)
    if causative is not None:
        return causative
    for stem, affixes in id.stems(text):
        rows = resources.translations(stem)
        if not rows:
            continue
        entry = choose(rows, around, domains)
        if entry.english == "-" or (entry.pos not in ("v", "n", "nu", "np", "adj") and not _CLITICS.issuperset(affixes)):
            continue  # prefixes and suffixes derive from nouns, verbs and adjectives: `pemula` is not `pem-` + `pula`
        if len(stem) < 4 and len(affixes) > 1:
            continue
        if entry.pos != "v" and not _NOMINAL.intersection(affixes):
            continue  # `-i`, `-kan` and `-in` alone make verbs of verbs: `bekasi` is not `bekas` + i
        english, pos = _with_affix(entry.english, entry.pos, affixes)
        if normal.plural and pos == "n":
            english, pos = en.plural(english), "np"
        return Unit(english, pos, normal.origin, normal.until, "translate_stem", (f"bilingual:{stem}", *affixes), "translated", text)
    return None


_COLLOQUIAL = frozenset({"in", "active", "passive"})


def _from_causative(text: str, around: frozenset[str], domains: Sequence[str], normal: Normal, resources: Resources) -> Unit | None:
    """Spoken `-in` under its formal verb: `ngecilin` and `kecilin` are mengecilkan, `bersihin` membersihkan, `dikecilin` its passive."""
    if not text.endswith("in"):
        return None
    for stem, affixes in id.stems(text):
        if "in" not in affixes or not _COLLOQUIAL.issuperset(affixes) or len(stem) < 4 or not resources.zipf(stem)[0]:
            continue
        formal = id.active(stem)
        for verb in (f"{formal}kan", f"{formal}i"):
            rows = [e for e in resources.translations(verb) if e.pos == "v"]
            if rows:
                english = choose(rows, around, domains).english
                english = en.past_participle(english) if "passive" in affixes else english
                return Unit(
                    english, "v", normal.origin, normal.until, "translate_stem", (f"bilingual:{verb}", *affixes), "translated", text
                )
    return None


def from_loan(text: str, normal: Normal, resources: Resources) -> Unit | None:
    """A loanword by its spelling: `polutan` → pollutant, `mengidentifikasi` → identify, `terdeteksi` → detected."""
    whole = resources.loan(text)
    if whole:
        pos = "nu" if whole.endswith(("tion", "sion", "ism", "ity", "logy", "ics", "ance", "ence")) else "n"
        pos = "adj" if whole.endswith(("ic", "ical", "ive", "al", "ous", "ular")) else pos
        english = en.plural(whole) if normal.plural and pos == "n" else whole
        return Unit(english, pos, normal.origin, normal.until, "translate_loan", (f"loan:{text}",), "translated", text)
    if len(text) < 8 or not text.isalpha():
        return None
    for stem, affixes in id.stems(text):
        noun = resources.loan(stem) or next((e.english for e in resources.translations(stem) if e.english.endswith("tion")), "")
        verbs = [v for v in verb_candidates(noun) if resources.zipf(v)[1]] if noun else []
        if verbs:
            verb = max(verbs, key=lambda v: (resources.zipf(v)[1], v))
            english, pos = _with_affix(verb, "v", affixes)
            return Unit(english, pos, normal.origin, normal.until, "translate_loan", (f"loan:{stem}", *affixes), "translated", text)
    return None


def _with_affix(english: str, pos: str, affixes: Sequence[str]) -> tuple[str, str]:
    """What `di-`, `ter-`, `pe-…-an`, `ke-…-an` do to a verb, an adjective or a noun.

    >>> _with_affix("cheap", "adj", ("ter",)), _with_affix("buy", "v", ("passive",)), _with_affix("load", "v", ("an", "agent"))
    (('cheapest', 'adj'), ('bought', 'v'), ('loading', 'nu'))
    """
    kinds = set(affixes)
    if pos == "adj" and "ter" in kinds:
        return en.superlative(english), "adj"
    if pos == "v":
        if "passive" in kinds or "ter" in kinds:
            return en.past_participle(english), "v"
        if "an" in kinds and ("agent" in kinds or "make" in kinds or "ke" in kinds):
            return en.gerund(english), "nu"
        if "agent" in kinds and " " not in english:
            return en.agent(english), "n"
    return english, pos
