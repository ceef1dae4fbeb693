"""Where words are a lay expression, and where they only look like one: what stands around them decides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rewriter.analysis import Analysis
from rewriter.context import keys_of
from rewriter.lexicon.entries import Jargon, Sense, Translation
from rewriter.lookup import View
from rewriter.resources import Resources
from rewriter.text.empty import EMPTY, NEGATIONS
from rewriter.text.en import QUESTION, VERBS
from rewriter.text.normalise import fold

__all__ = ["Query"]

LEAST_DENIED = 3
"""Content words of an expression that holds a negation, with the negation."""
_PARTICLES = frozenset("in out up down on off over of to from with by".split())
"""English words that belong to what stands before as much as to what follows."""
_PARTING = frozenset("untuk buat bagi utk oleh dan atau serta tanpa for and or without by as than into vs".split())
"""Words between two that make one thing of neither: `lemak bagi tubuh` is no `lemak tubuh`."""
_SUBJECTS = frozenset("i you we they he she who".split())
_MEASURED = frozenset("long much many often far old soon when where who whom which why what".split())
_SLIGHT = frozenset(
    """
    a an the my your our his her their its in on of at from to for with is are di ke dari pada yang yg untuk buat si itu ini saya aku
    gue gw
    """.split()
)
"""Words that a form says without saying anything."""
_BEFORE_NOUN = frozenset(
    """
    due allergic allergy related relating exposure exposed addicted addiction sensitive sensitivity resistant resistance immune immunity
    prone linked link similar next compared comparison response reaction damage thanks owing according contrary opposed transition guide
    introduction intro alternative alternatives solution solutions cure answer access subject equal attributed leads lead leading
    reactions connected attached belongs belonging refers refer referring dedicated committed used switching
    """.split()
)
"""Words whose `to` takes a noun; behind any other stands a verb (`causes the back to bruise`)."""


class Query:
    """The resolved query as lay expressions are looked for in it; each reading of its words is made once.

    `texts` are the folded words as written, `content` the index and stem of those that carry content.
    """

    def __init__(self, analysis: Analysis, resources: Resources) -> None:
        self.view: View = analysis.resolved
        self.words = analysis.resolved.words
        self.texts = [w.folded for w in self.words]
        self.content = resources.content_words(self.texts)
        self.language = analysis.language
        self.n_words = analysis.n_words
        self._resources = resources

    @cached_property
    def said(self) -> frozenset[str]:
        """The keys under which the words meet the cues of an entry."""
        return frozenset([k for text in self.texts for k in keys_of(text, self._resources)])

    @cached_property
    def phrases(self) -> list[tuple[int, int, bool]]:
        """Spans of the phrases that the lexicon has, and whether it has them as another thing than a lay expression."""
        found = [f for f in self.view.written if f.end - f.start > 1]
        named = [(f, any([isinstance(e, (Translation, Sense)) for e in f.entries])) for f in found]
        return [(f.start, f.end, other) for f, other in named if other or any([isinstance(e, Jargon) for e in f.entries])]

    def tears(self, places: Sequence[int]) -> bool:
        """Do these words take some of a phrase's words and leave the others: `kutu air` is no `kutu`?"""
        return any([0 < sum([start <= i < end for i in places]) < end - start for start, end, _ in self.phrases])

    def heads(self, start: int, end: int) -> bool:
        """Is `[start, end)` the head of a longer phrase, which is another thing: `flu` in `flu burung`, `flu` in `bird flu`?"""
        longer = [(a, b) for a, b, other in self.phrases if other and a <= start and end <= b and b - a > end - start]
        return any([end == b if self.language == "en" else start == a for a, b in longer])

    def is_part(self, start: int, end: int) -> bool:
        """Does the expression begin or end with half of a pair (`in and out of business`) or of a compound (`ultra-processed foods`)?"""
        torn = start > 0 and self.texts[start - 1] in ("and", "or") and self.texts[start] in _PARTICLES
        return torn or self._hyphen(start - 1) or self._hyphen(end)

    def _hyphen(self, at: int) -> bool:
        """Is this a hyphen with a word right at each side?"""
        words = self.words
        return 0 < at < len(words) - 1 and words[at].text == "-" and not words[at].space and not words[at + 1].space

    def is_parted(self, places: Sequence[int], form: str) -> bool:
        """Stands a word between these, and not in the form, that makes two things of them?"""
        between = [self.texts[i] for i in range(places[0], places[-1]) if i not in places]
        return any([text in _PARTING and f" {text} " not in form for text in between])

    def is_reversed(self, places: Sequence[int], form: str) -> bool:
        """Are two English neighbours those of a compound in the other order: `income tax` is no `tax income`?

        With a function word between it is the same thing: `ringing in the ears`, `ear ringing`.
        """
        if self.language != "en" or len(places) != 2 or places[1] - places[0] != 1:
            return False
        said = self._resources.content_words(form.split())
        return len(said) == 2 and said[1][0] - said[0][0] == 1 and said[0][1] != dict(self.content)[places[0]]

    def loses(self, places: Sequence[int], form: str) -> bool:
        """Are two words all that is left of a form that says more: `too many words`, `what you do comes back`?"""
        if len(places) != 2:
            return False
        kept = {i for i, _ in self._resources.content_words(form.split())}
        return any([i not in kept and word not in _SLIGHT for i, word in enumerate(form.split())])

    def may_deny(self, places: Sequence[int]) -> bool:
        """Is a negation among these words part of what they describe (`anak ga bisa diam`)?

        With one word alone it denies that word (`tidak hujan`), and an English question has it in its verb: `why is my phone not charging`.
        """
        texts = [self.texts[i] for i in places]
        if not any([t in NEGATIONS for t in texts]):
            return True
        if self.language == "en" and not QUESTION.isdisjoint(self.texts):
            return False
        return len(self._resources.content_words(texts)) >= LEAST_DENIED

    def is_out_of_place(self, entry: Jargon, places: Sequence[int]) -> bool:
        """Are these words the smaller part of a query that speaks of other fields alone?

        Two plain words mean this thing where they are nearly all that is said (`high temperature`: fever), and not in the middle of a
        sentence about something else (`properties of high temperature air`).
        """
        rest = [stem for i, stem in self.content if i not in places]
        if len(rest) <= len(self.content) - len(rest):
            return False
        fields = {field for stem in rest for field in self._resources.fields_of(stem)}
        return bool(fields) and entry.domain.partition("/")[0] not in fields

    def repeats(self, name: str, places: Sequence[int], within: int = 99) -> bool:
        """Has the expert term a word that stays in the query, so many words from it at most: `[potongan daging sapi] sapi empuk`?"""
        near = range(places[0] - within, places[-1] + within + 1)
        stays = {stem for i, stem in self.content if i not in places and i in near}
        return not stays.isdisjoint(self._stems(name))

    def with_said(self, name: str, places: tuple[int, ...]) -> tuple[int, ...]:
        """With those words of the expert term that the query has within the expression, or right beside it: `pay [gap] men women`."""
        stems = self._stems(name)
        said = [i for i, stem in self.content if stem in stems and i not in places]
        while True:
            beside = [i for i in said if places[0] <= i <= places[-1] or i in (self._before(places[0]), self._after(places[-1]))]
            if not beside:
                return places
            said = [i for i in said if i not in beside]
            places = tuple(sorted({*places, *beside}))

    def _stems(self, name: str) -> frozenset[str]:
        return frozenset([stem for _, stem in self._resources.content_words(fold(name).split())])

    def _before(self, start: int) -> int:
        """The content word before a place; -1 for none."""
        return max([i for i, _ in self.content if i < start], default=-1)

    def _after(self, last: int) -> int:
        """The content word after a place; -1 for none."""
        return min([i for i, _ in self.content if i > last], default=-1)

    def is_verb(self, start: int) -> bool:
        """Stands a verb here, behind `to` or its subject: `how to lose weight`, `causes the back to bruise`, `can you file bankruptcy`?

        Not so in `allergic to milk`.
        """
        texts = self.texts
        if start and texts[start - 1] in _SUBJECTS:
            return True
        if not start or texts[start - 1] != "to":
            return False
        return texts[start] in VERBS or start < 2 or texts[start - 2] not in _BEFORE_NOUN

    def is_lead(self, start: int) -> bool:
        """Is all that stands before empty of content (`how to`)?"""
        return all([t in EMPTY for t in self.texts[:start]])

    def asks_how(self, start: int) -> bool:
        """Does it ask before this place for a way, and for no measure, place or time (`how long do i`)?"""
        return self.is_lead(start) and _MEASURED.isdisjoint(self.texts[:start])

    def loses_verb(self, start: int, name: str) -> bool:
        """Behind `cara` stands a verb: `cara mengecilkan perut` takes no noun in its place."""
        return start > 0 and self.texts[start - 1] == "cara" and not self._resources.is_verb(name.casefold().split()[0])
