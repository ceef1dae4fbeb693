"""Words: tokens with their place, language and protection; and the pieces that a list of words becomes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewriter.model import Piece
from rewriter.record import record, replace
from rewriter.text.language import Zipf, word_language
from rewriter.text.normalise import Cleaned, clean
from rewriter.text.protect import Protected
from rewriter.text.tokenise import TokenRules, split_chunk

__all__ = ["TOPIC", "Word", "as_text", "brought_in", "count_words", "inserted_words", "join_pieces", "replace_words", "split_words"]


TOPIC = "_topic"
"""Ending of the rule by which a referent came in that is common words (`perpanjang paspor`) and no name."""


@record
class Word:
    """A token, or a protected span as a whole.

    `start` and `end` are its half-open span in the original query (-1 for a word that is not from the query), `space` says
    whether white space stands before it, `guard` is the kind of protection or "".  `kind`, `rule` and `evidence` become
    those of its piece.
    """

    text: str
    folded: str
    start: int
    end: int
    space: bool
    guard: str
    lang: str
    kind: str = "copy"
    rule: str = "copy_query"
    evidence: tuple[str, ...] = ()

    @property
    def spoken(self) -> bool:
        """Has it a letter or a digit?"""
        return self.folded.isalnum() or any([c.isalnum() for c in self.folded])


def count_words(text: str) -> int:
    """White-space chunks with a letter or a digit: `anak-anak` 1, `5kg` 1, `5 kg` 2.

    >>> count_words("obat batuk - anak-anak 5 kg ?")
    5
    """
    return sum([any([c.isalnum() for c in chunk]) for chunk in text.split()])


def split_words(cleaned: Cleaned, protected: Sequence[Protected], rules: TokenRules, zipf: Zipf) -> tuple[Word, ...]:
    """The words of a query: protected spans whole, everything else by the tokeniser."""
    words: list[Word] = []
    text, folded = cleaned.text, cleaned.folded
    at = 0

    def add(start: int, end: int, guard: str) -> None:
        first, last = cleaned.span(start, end)
        space = start > 0 and text[start - 1] == " "
        if guard == "quote":
            words.append(straighten_quotes(Word(text[start:end], folded[start:end], first, last, space, guard, "")))
            return
        lang = "" if guard else word_language(folded[start:end], zipf)
        words.append(Word(text[start:end], folded[start:end], first, last, space, guard, lang))

    def add_free(start: int, end: int) -> None:
        while start < end:
            if text[start] == " ":
                start += 1
                continue
            stop = text.find(" ", start, end)
            stop = end if stop < 0 else stop
            for a, b in split_chunk(text[start:stop], rules):
                add(start + a, start + b, "")
            start = stop

    for span in protected:
        add_free(at, span.start)
        add(span.start, span.end, span.kind)
        at = span.end
    add_free(at, len(text))
    return tuple(words)


def inserted_words(
    text: str, rules: TokenRules, zipf: Zipf, rule: str, evidence: tuple[str, ...], kind: str = "insert"
) -> tuple[Word, ...]:
    """Words that come from a lexicon entry or a turn, not from the query."""
    found = split_words(clean(text), (), rules, zipf)
    made = [replace(w, start=-1, end=-1, kind=kind, rule=rule, evidence=evidence) for w in found]
    if made:
        made[0] = replace(made[0], space=True)
    return tuple(made)


def straighten_quotes(word: Word) -> Word:
    """A quoted phrase between straight double quotes, the only phrase marks that search engines read; single quotes stay.

    >>> straighten_quotes(Word("“non-tunai”", "", 0, 11, False, "quote", "")).text
    '"non-tunai"'
    """
    if word.text[:1] == "'" or (word.text[:1] == '"' == word.text[-1:] and len(word.text) > 1):
        return word
    inner = word.text.strip('"“”„«»‘’').strip()
    return replace(word, text=f'"{inner}"', folded=f'"{inner.lower()}"', kind="rewrite", rule="straighten_quotes")


def brought_in(word: Word) -> bool:
    """Is it part of a name that a sense or a referent brought in, which stays as it is?"""
    return word.rule.startswith(("name_", "resolve_")) and not word.rule.endswith(TOPIC)


def as_text(words: Sequence[Word]) -> str:
    """Words as they stand in a text, without white space at the start."""
    return "".join([f" {w.text}" if w.space and i else w.text for i, w in enumerate(words)])


def replace_words(words: Sequence[Word], start: int, end: int, new: Sequence[Word]) -> tuple[Word, ...]:
    """`words[start:end]` gives way to `new`, which takes over its sources and its spacing."""
    old = words[start:end]
    if not new:
        return (*words[:start], *words[end:])
    spans = [(w.start, w.end) for w in old if w.start >= 0]
    if spans:
        first, last = min(s for s, _ in spans), max(e for _, e in spans)
        new = [replace(w, start=first, end=last) if w.start < 0 else w for w in new]
    if old:
        new = [replace(new[0], space=old[0].space), *new[1:]]
    return (*words[:start], *new, *words[end:])


def join_pieces(words: Iterable[Word], original: str) -> tuple[Piece, ...]:
    """The pieces of a variant: neighbours copied from the query grow together, so that a `copy` piece equals its source."""
    pieces: list[Piece] = []
    for word in words:
        gap = " " if word.space and pieces else ""
        if word.kind == "copy" and original[word.start : word.end] == word.text:
            last = pieces[-1] if pieces else None
            grows = last is not None and last.kind == "copy" and last.evidence == word.evidence
            if last is not None and grows and original[last.sources[0][1] : word.start] == gap:
                pieces[-1] = Piece(last.text + gap + word.text, ((last.sources[0][0], word.end),), "copy", last.rule, last.evidence)
                continue
            if gap:
                pieces.append(Piece(gap, (), "insert", "join_words"))
            pieces.append(Piece(word.text, ((word.start, word.end),), "copy", word.rule, word.evidence))
            continue
        kind, rule = ("rewrite", "clean") if word.kind == "copy" else (word.kind, word.rule)
        sources = ((word.start, word.end),) if word.start >= 0 else ()
        if kind in ("rewrite", "translate") and not sources:
            kind = "insert"
        last = pieces[-1] if pieces else None
        if (
            last is not None
            and kind != "copy"
            and (last.kind, last.rule, last.sources, last.evidence) == (kind, rule, sources, word.evidence)
        ):
            pieces[-1] = Piece(last.text + gap + word.text, sources, kind, rule, word.evidence)
            continue
        pieces.append(Piece(gap + word.text, sources, kind, rule, word.evidence))
    return tuple(pieces)
