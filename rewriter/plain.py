"""Slang spelled in full, a word at a time: what the shapes of follow-ups and the topics of turns are read from."""

from __future__ import annotations

from rewriter.lexicon.entries import Slang
from rewriter.resources import Resources
from rewriter.text import id
from rewriter.text.empty import EMPTY

__all__ = ["plain_form"]


def plain_form(word: str, resources: Resources) -> str:
    """A folded word of Indonesian slang as it is spelled in full (`yg`: yang, `hrgnya`: harganya); any other word as it is."""
    cache = resources.cache("plain")
    found = cache.get(word)
    if found is None:
        found = cache[word] = _plain_form(word, resources)
    return str(found)


def _plain_form(word: str, resources: Resources) -> str:
    in_id, in_en = resources.zipf(word)
    if len(word) < 2 or word in EMPTY or in_en > max(in_id, COMMON_ENGLISH):
        return word
    forms = {e.normal.lower() for e in resources.exact(word) if isinstance(e, Slang) and not e.when}
    if len(forms) == 1:
        form = forms.pop()
        if form.isalpha() or form.replace(" ", "") in id.QUESTION:  # `dmn`: di mana
            return form.replace(" ", "")
    cut = id.detach_clitic(word) if word.endswith("nya") and not in_id else None
    return _plain_form(cut[0], resources) + cut[1] if cut else word


COMMON_ENGLISH = 350
"""Zipf frequency in hundredths: so common an English word is no slang by itself."""
