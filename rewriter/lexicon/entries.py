"""The five kinds of lexicon entry, and the domain tree.  Rows are the plain data that a language pack stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rewriter.record import record

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["GAP", "Domain", "Entry", "Jargon", "Sense", "Slang", "Translation", "entry_from_row", "forms_of", "nodes_of", "shared_depth"]


@record
class Sense:
    """One meaning of a name, nickname, acronym, homonym or idiom.

    `weights` are hundredths of a nat, one a cue, empty where nobody weighed; `prior` likewise.
    """

    id: str
    forms: tuple[str, ...]
    canonical_en: str
    canonical_id: str
    gloss_en: str
    gloss_id: str
    domain: str
    cues: tuple[str, ...]
    weights: tuple[int, ...] = ()
    synonyms: tuple[str, ...] = ()
    literal_cues: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    prior: int = 0
    needs_cue: bool = False
    keep_form: bool = False
    idiom: bool = False

    KIND = 0

    def canonical(self, language: str) -> str:
        """The name to search in a language; the other one where there is none."""
        return (self.canonical_en or self.canonical_id) if language == "en" else (self.canonical_id or self.canonical_en)

    def gloss(self, language: str) -> str:
        """A short noun phrase for people."""
        chosen = (self.gloss_en or self.gloss_id) if language == "en" else (self.gloss_id or self.gloss_en)
        return chosen or self.canonical(language) or self.id

    def to_row(self) -> list[Any]:
        """Plain data for a pack."""
        return [
            self.KIND, self.id, self.forms, self.canonical_en, self.canonical_id, self.gloss_en, self.gloss_id, self.domain, self.cues,
            self.weights, self.synonyms, self.literal_cues, self.near, self.prior, int(self.needs_cue), int(self.keep_form),
            int(self.idiom),
        ]  # fmt: skip


@record
class Jargon:
    """Lay words and what practitioners call the same thing; `cues`, where given, must be met by one word of the query or turns."""

    id: str
    forms: tuple[str, ...]
    expert_en: tuple[str, ...]
    expert_id: tuple[str, ...]
    domain: str
    direction: str
    cues: tuple[str, ...] = ()

    KIND = 1

    def to_row(self) -> list[Any]:
        """Plain data for a pack."""
        return [self.KIND, self.id, self.forms, self.expert_en, self.expert_id, self.domain, self.direction, self.cues]


@record
class Translation:
    """An Indonesian word or phrase and one English equal; `when` (neighbours) and `domain` select it among its siblings."""

    form: str
    english: str
    pos: str
    when: tuple[str, ...] = ()
    domain: str = ""

    KIND = 2

    def to_row(self) -> list[Any]:
        """Plain data for a pack."""
        return [self.KIND, self.form, self.english, self.pos, self.when, self.domain]


@record
class Slang:
    """An informal spelling and its normal form in the same language (`id` or `en`)."""

    form: str
    normal: str
    language: str
    pos: str
    when: tuple[str, ...] = ()

    KIND = 3

    def to_row(self) -> list[Any]:
        """Plain data for a pack."""
        return [self.KIND, self.form, self.normal, self.language, self.pos, self.when]


@record
class Domain:
    """A node of the domain tree with its cue words."""

    path: str
    label_en: str
    label_id: str
    cues: tuple[str, ...]


Entry = Sense | Jargon | Translation | Slang


def entry_from_row(row: Sequence[Any]) -> Entry:
    """The entry that `to_row` wrote."""
    kind = row[0]
    if kind == Sense.KIND:
        return Sense(
            row[1], tuple(row[2]), row[3], row[4], row[5], row[6], row[7], tuple(row[8]), tuple(row[9]), tuple(row[10]), tuple(row[11]),
            tuple(row[12]), row[13], bool(row[14]), bool(row[15]), bool(row[16]),
        )  # fmt: skip
    if kind == Jargon.KIND:
        return Jargon(row[1], tuple(row[2]), tuple(row[3]), tuple(row[4]), row[5], row[6], tuple(row[7]))
    if kind == Translation.KIND:
        return Translation(row[1], row[2], row[3], tuple(row[4]), row[5])
    return Slang(row[1], row[2], row[3], row[4], tuple(row[5]))


GAP = " … "
"""In a bilingual form and its English: where other words stand between the two parts (`cara … yang benar`: how to … properly)."""


def forms_of(entry: Entry) -> tuple[str, ...]:
    """The forms by which an entry is found; of a form with a gap its first part and the sign."""
    if isinstance(entry, (Sense, Jargon)):
        return entry.forms
    return (entry.form.split(GAP)[0] + GAP.rstrip(),) if GAP in entry.form else (entry.form,)


def nodes_of(path: str) -> Iterator[str]:
    """A domain and what stands above it, from the top.

    >>> list(nodes_of("food/dishes"))
    ['food', 'food/dishes']
    """
    at = 0
    while at >= 0:
        at = path.find("/", at + 1)
        yield path if at < 0 else path[:at]


def shared_depth(a: str, b: str, known: Mapping[str, Domain]) -> int:
    """Levels of the tree that two domains share from the root; 0 when either is not in the tree.

    >>> shared_depth("food/dishes", "food/drinks", {"food/dishes": None, "food/drinks": None})
    1
    """
    if a not in known or b not in known:
        return 0
    depth = 0
    for x, y in zip(a.split("/"), b.split("/"), strict=False):
        if x != y:
            break
        depth += 1
    return depth
