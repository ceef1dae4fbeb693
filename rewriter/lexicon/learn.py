"""Cues learnt from labelled examples: what to add to a sense, what each cue is worth, and which of its cues were never met.

Pure: text in, proposals out.  How the lexicons in use read words, forms and turns comes in as a `Reader`, so that a word counts
here where a rewrite would meet it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from rewriter.errors import LexiconError
from rewriter.lexicon.entries import Sense
from rewriter.lexicon.parse import parse_file
from rewriter.policy import Policy
from rewriter.record import record
from rewriter.text import en, id
from rewriter.text.normalise import clean, fold

TYPE_CHECKING = False  # `typing` is not loaded for it
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Cue", "Example", "LeftOut", "Lesson", "Options", "Reader", "learn_cues", "read_examples", "show_lesson", "weigh_cue", "write_cues",
]  # fmt: skip

ALPHA = 0.5
"""Added to every count (Krichevsky and Trofimov's estimate): what was never seen is rare, not impossible."""
LONGEST_FORM = 8
"""Words of the longest form that is looked for in a query without `form`; the shipped lexicons have six."""
UNWEIGHED = Policy().cue_weight
"""What a cue is worth that nobody weighed."""
_EMPTY = id.FUNCTION | en.FUNCTION | id.QUESTION | en.QUESTION | id.PRONOUNS | en.PRONOUNS


@record
class Options:
    """What a proposal must reach."""

    min_count: int = 2
    """Examples of the sense that hold the cue, at least; one is chance.  A sense with fewer examples is not learnt."""
    min_weight: int = 50
    """Hundredths of a nat, at least: half of what a cue is worth that nobody weighed.  Lower takes in noise."""
    max_cues: int = 25
    """Cues of a sense at most, those it has and the examples confirm among them: as many as a curator would write."""


@record
class Reader:
    """How the lexicons in use read text.

    `words`: a text's folded words.  `keys`: the forms under which a word meets a cue.  `stem`: the form under which a cue meets a
    word.  `senses`: those of a folded form.  `turns`: what a rewrite reads of a context (a list) before a query; raises `TypeError`
    or `ValueError` for what is none.
    """

    words: Callable[[str], Sequence[str]]
    keys: Callable[[str], Sequence[str]]
    stem: Callable[[str], str]
    senses: Callable[[str], Sequence[Sense]]
    turns: Callable[[Sequence[Any], str], Sequence[str]]


@record
class Example:
    """A row read: its sense, the words of its form, its texts (` words with single spaces `) and the roots of all their words."""

    line: int
    sense: Sense
    own: frozenset[str]
    texts: tuple[str, ...]
    roots: frozenset[str]


@record
class LeftOut:
    """Rows that teach nothing: the line of the first, how many they are, and a sentence that says why."""

    line: int
    rows: int
    why: str


@record
class Cue:
    """A cue, its weight (hundredths of a nat), how many examples of the sense hold it, and its weight before; None: it is new."""

    word: str
    weight: int
    count: int
    before: int | None = None


@record
class Lesson:
    """What the examples say of a sense.  `weighed` cues are learnt, best first; `unseen` and `unclear` ones keep their weight."""

    sense: str
    examples: int
    others: int
    weighed: tuple[Cue, ...]
    unseen: tuple[Cue, ...]
    unclear: tuple[Cue, ...]

    @property
    def added(self) -> tuple[Cue, ...]:
        """Cues that the sense does not have."""
        return tuple([c for c in self.weighed if c.before is None])

    @property
    def changed(self) -> tuple[Cue, ...]:
        """Cues of the sense that are worth more or less than they were."""
        return tuple([c for c in self.weighed if c.before not in (None, c.weight)])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        rows = {
            name: [{"cue": c.word, "weight": c.weight, "count": c.count} | ({} if c.before is None else {"before": c.before}) for c in cues]
            for name, cues in (("add", self.added), ("change", self.changed), ("unseen", self.unseen), ("unclear", self.unclear))
        }
        return {"sense": self.sense, "examples": self.examples, "others": self.others, **rows}


def read_examples(text: str, reader: Reader) -> tuple[list[Example], list[LeftOut]]:
    """Examples of a JSONL text, and the rows that are none.

    A row has `form` or `query` or both, `context` (a string, or a list of turns as `rewrite` takes them) and `sense`.
    """
    found: list[Example] = []
    left_out: list[LeftOut] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(_read_example(number, line, reader))
            except (ValueError, TypeError) as error:
                left_out.append(LeftOut(number, 1, str(error)))
    return found, left_out


def _read_example(number: int, line: str, reader: Reader) -> Example:
    """`ValueError` or `TypeError` with a sentence for what is no example."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this line is no JSON ({error}); write one object a line.") from None
    if not isinstance(row, dict) or not isinstance(row.get("sense"), str):
        raise ValueError("this line has no `sense`; write an object with form or query, context, and sense.")
    form, query, context = row.get("form", ""), row.get("query", ""), row.get("context") or []
    if not isinstance(form, str) or not isinstance(query, str) or not (form.strip() or query.strip()):
        raise ValueError("this line has neither `form` nor `query`; write what was typed as one of them.")
    turns = reader.turns([context] if isinstance(context, str) else context, query or form)
    form = clean(form).folded or _form_in(query, row["sense"], reader)
    senses = reader.senses(form)
    sense = next((s for s in senses if s.id == row["sense"]), None)
    if sense is None:
        known = f"has {', '.join([f'[{s.id}]' for s in senses])}" if senses else "is in no lexicon"
        raise ValueError(f"{form!r} {known}, not [{row['sense']}]; correct the sense, or give its lexicon with --lexicon.")
    if len(senses) < 2:
        raise ValueError(f"{form!r} has the sense [{sense.id}] alone, so that nothing tells it apart; add another sense or delete the row.")
    own = frozenset(reader.words(form))
    texts = tuple([f" {' '.join([w for w in reader.words(t) if w not in own])} " for t in (query, *turns) if t.strip()])
    roots = frozenset([root for t in texts for w in t.split() for root in _roots(w, reader)])
    return Example(number, sense, own, texts, roots)


def _form_in(query: str, sense: str, reader: Reader) -> str:
    """The longest form in a query that has the sense, the first of equals; clitics of its last word may go."""
    words = list(reader.words(query))
    for length in range(min(len(words), LONGEST_FORM), 0, -1):
        for start in range(len(words) - length + 1):
            *first, last = words[start : start + length]
            cut = id.detach_clitic(last)
            for form in (" ".join([*first, last]), *([" ".join([*first, cut[0]])] if cut else [])):
                if any(s.id == sense for s in reader.senses(form)):
                    return form
    raise ValueError(f"{query!r} holds no form of [{sense}]; correct the sense, give `form`, or give its lexicon with --lexicon.")


def _roots(word: str, reader: Reader) -> list[str]:
    return [reader.stem(key) for key in reader.keys(word)]


def learn_cues(examples: Sequence[Example], reader: Reader, options: Options) -> tuple[list[Lesson], list[LeftOut]]:
    """A lesson for each sense, by id, and the rows that teach nothing; the order of the examples does not matter.

    A sense is told apart from its siblings: the senses with which it shares a form, all their examples taken together.
    """
    by_sense: dict[str, list[Example]] = {}
    for example in examples:
        by_sense.setdefault(example.sense.id, []).append(example)
    enough = {name: rows for name, rows in sorted(by_sense.items()) if len(rows) >= options.min_count}
    left_out = [
        _leave_out(rows, f"[{name}] has {_many(len(rows), 'example')} and needs {options.min_count}; add some, or lower --min-count.")
        for name, rows in by_sense.items()
        if name not in enough
    ]
    by_form: dict[str, list[str]] = {}
    for name, own in enough.items():
        for form in own[0].sense.forms:
            by_form.setdefault(form, []).append(name)
    lessons = []
    for name, own in enough.items():
        siblings = {other for form in own[0].sense.forms for other in by_form[form]} - {name}
        others = [e for other in sorted(siblings) for e in enough[other]]
        if others:
            lessons.append(_learn_sense(own, others, reader, options))
        else:
            why = f"[{name}] has examples and no other sense of its forms has enough; add examples of another sense."
            left_out.append(_leave_out(own, why))
    return lessons, sorted(left_out, key=lambda item: (item.line, item.why))


def _leave_out(rows: Sequence[Example], why: str) -> LeftOut:
    return LeftOut(min([e.line for e in rows]), len(rows), why)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _learn_sense(own: Sequence[Example], others: Sequence[Example], reader: Reader, options: Options) -> Lesson:
    """Weigh the cues that the sense has, and take new ones, best first; none whose words have better cues already, all of them."""
    sense = own[0].sense
    spellings, words = _read_families(own, reader)
    tallies = [(group, Counter([root for e in group for root in e.roots])) for group in (own, others)]

    def weigh(word: str, root: str, before: int | None) -> Cue:
        count, elsewhere = [_count_phrase(word, group) if " " in word else tally[root] for group, tally in tallies]
        return Cue(word, weigh_cue(count, len(own), elsewhere, len(others)), count, before)

    roots = {cue: reader.stem(cue) for cue in sense.cues}
    weights = sense.weights or (UNWEIGHED,) * len(sense.cues)
    has = [weigh(cue, roots[cue], before) for cue, before in zip(sense.cues, weights, strict=True)]
    fresh = []
    for root in spellings.keys() - roots.values():
        word = min([(-count, spelling) for spelling, count in spellings[root].items()])[1]
        if word not in sense.forms:
            roots[word] = root
            fresh.append(weigh(word, root, None))
    clear = [c for c in (*has, *fresh) if c.count >= options.min_count and c.weight >= options.min_weight]
    room = options.max_cues - sum([c.before is not None for c in clear])
    weighed: list[Cue] = []
    spoken_for: set[str] = set()
    for cue in sorted(clear, key=lambda c: (-c.weight, -c.count, c.word)):
        family = words.get(roots[cue.word], set())
        if cue.before is None:
            if room <= 0 or family <= spoken_for:
                continue
            room -= 1
        spoken_for |= family
        weighed.append(cue)
    rest = [Cue(c.word, c.before or 0, c.count, c.before) for c in has if c not in clear]
    unseen, unclear = [tuple([c for c in rest if bool(c.count) is seen]) for seen in (False, True)]
    return Lesson(sense.id, len(own), len(others), tuple(weighed), unseen, unclear)


def _count_phrase(cue: str, examples: Iterable[Example]) -> int:
    """Examples that hold a cue of several words as it stands."""
    return sum([any([f" {cue} " in text for text in e.texts]) for e in examples])


def _read_families(own: Iterable[Example], reader: Reader) -> tuple[dict[str, Counter[str]], dict[str, set[str]]]:
    """By root: the spellings that meet it (with the examples that have them so), and the words that hold it.

    Left out: function words, single letters, and the words of the form with what hangs on them (`jaguarnya`).
    """
    spellings: dict[str, Counter[str]] = {}
    words: dict[str, set[str]] = {}
    for example in own:
        of_form = {root for word in example.own for root in _roots(word, reader)}
        for word in {w for text in example.texts for w in text.split()}:
            cut = id.detach_clitic(word)
            if not _has_content(word) or (cut and cut[0] in example.own):
                continue
            for key in reader.keys(word):
                root = reader.stem(key)
                if _has_content(key) and root not in of_form:
                    spellings.setdefault(root, Counter())[key] += key == word
                    words.setdefault(root, set()).add(word)
    return spellings, words


def _has_content(word: str) -> bool:
    return len(word) > 1 and word not in _EMPTY


def weigh_cue(count: int, examples: int, elsewhere: int, others: int) -> int:
    """Hundredths of a nat by which a cue speaks for a sense: `count` of its `examples` hold it, and `elsewhere` of the `others`.

    The log-odds of the sense once the cue is seen, its siblings being as likely before: the smoothed share of examples with
    the cue, here against there.  What is missing says nothing, since a rewrite adds up the cues that it meets.  0 for a
    cue that is no more frequent here than there, whatever smoothing makes of unequal numbers of examples.

    >>> weigh_cue(10, 10, 0, 10), weigh_cue(4, 10, 1, 10), weigh_cue(2, 2, 90, 90), weigh_cue(1, 10, 4, 10)
    (304, 110, 0, 0)
    """
    if count * others <= elsewhere * examples:
        return 0
    here, there = (count + ALPHA) / (examples + 2 * ALPHA), (elsewhere + ALPHA) / (others + 2 * ALPHA)
    return max(0, round(100 * math.log(here / there)))


def show_lesson(lesson: Lesson) -> list[str]:
    """A lesson as lines to review: `+` a cue to add, `~` a weight that changes, `?` cues never seen, `!` cues that are no sign here."""
    rows = [("+", c.word, str(c.weight), f"in {c.count}") for c in lesson.added]
    rows += [("~", c.word, f"{c.before} → {c.weight}", f"in {c.count}") for c in lesson.changed]
    wide, high = [max([len(row[column]) for row in rows], default=0) for column in (1, 2)]
    lines = [f"[{lesson.sense}]  {_many(lesson.examples, 'example')} beside {lesson.others} of its siblings"]
    lines += [f"  {sign} {word:<{wide}}  {weight:>{high}}  {seen}" for sign, word, weight, seen in rows]
    for what, cues in (("? never seen", lesson.unseen), ("! too few, or as often elsewhere", lesson.unclear)):
        if cues:
            lines.append(f"  {what}: {', '.join([c.word for c in cues])}")
    return lines


def write_cues(text: str, lessons: Iterable[Lesson], where: str = "this text") -> tuple[str, list[str]]:
    """The TOML text with learnt cues and weights in the tables of their senses, everything else as it was; and the ids of those tables.

    `cue_weights` becomes a list beside `cues`.  No cue is taken away.  `LexiconError` for a text that cannot be rewritten so,
    which it calls `where`.
    """
    import tomllib

    try:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError
    except ImportError:
        raise LexiconError(f"{where} is written with tomlkit, which cannot be imported; run `pip install 'rewriter[curate]'`.") from None
    line_end = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n")
    try:
        wanted, document = tomllib.loads(text), tomlkit.parse(text)
        written = []
        for lesson in lessons:
            lexeme, _, name = lesson.sense.partition(".")
            if isinstance(wanted.get(lexeme), dict) and isinstance(wanted[lexeme].get(name), dict):
                wanted[lexeme][name] |= _write_table(document[lexeme][name], wanted[lexeme][name], lesson)
                written.append(lesson.sense)
        made = document.as_string()
        if tomllib.loads(made) == wanted and not parse_file("made.toml", made)[1]:
            return made.replace("\n", line_end), written
        why = "it would not say the same afterwards"
    except (TOMLKitError, tomllib.TOMLDecodeError) as error:
        why = str(error).rstrip(".")
    raise LexiconError(f"{where} cannot take the cues ({why}); write one table [lexeme.sense] a sense.")


def _write_table(table: Any, fields: Mapping[str, Any], lesson: Lesson) -> dict[str, Any]:
    """Write into a table of tomlkit; the answer is what its two fields are then."""
    has, given = fields.get("cues"), fields.get("cue_weights", ())
    cues = [has] if isinstance(has, str) else list(has or ())
    before = dict(given) if isinstance(given, Mapping) else dict(zip(cues, given, strict=False))
    learnt = {c.word: c.weight for c in lesson.weighed}
    more = [c for c in before if c not in cues]  # a mapping may name cues that the list does not
    more += [c.word for c in lesson.added if c.word not in {fold(cue) for cue in (*cues, *more)}]
    weights = [learnt.get(fold(c), before.get(c, UNWEIGHED)) for c in (*cues, *more)]
    if not isinstance(has, list):
        table.pop("cues", None)
        _put_behind(table, "forms", "cues", cues)
    for cue in more:
        table["cues"].append(cue)
    if isinstance(given, list):
        for at, weight in enumerate(weights[: len(given)]):
            table["cue_weights"][at] = weight
        for weight in weights[len(given) :]:
            table["cue_weights"].append(weight)
    else:
        table.pop("cue_weights", None)
        _put_behind(table, "cues", "cue_weights", weights)
    return {"cues": [*cues, *more], "cue_weights": weights}


def _put_behind(table: Any, key: str, name: str, value: Any) -> None:
    """A new field behind another; at the end it would stand behind the comments of the next table."""
    table.value._insert_after(key, name, value)
