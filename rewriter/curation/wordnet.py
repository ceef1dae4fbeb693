"""Senses and synonyms proposed from WordNet's files, where the user points to them; the lexicons themselves hold nothing of WordNet."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rewriter.curation.exchange.exchanged import make_id
from rewriter.curation.rows import Row
from rewriter.errors import InputError
from rewriter.lexicon.entries import Domain, Translation
from rewriter.resources import Resources
from rewriter.text import en

__all__ = ["open_wordnet", "suggest_senses"]

LICENCE = "WordNet 3.0 licence"
_NEEDED = ("data.noun", "index.noun", "data.verb", "index.verb", "data.adj", "index.adj", "data.adv", "index.adv", "lexnames")
_TOPICS = {
    "food": "food", "animal": "nature", "plant": "nature", "body": "health", "artifact": "shopping", "location": "travel",
    "person": "people", "communication": "entertainment", "possession": "finance", "substance": "science", "phenomenon": "science",
}  # fmt: skip
"""WordNet's lexicographer files that speak for a domain, where that stands at the top of the tree."""


def open_wordnet(folder: Path) -> Any:
    """NLTK's reader over a folder with WordNet's files (`data.noun`, `index.noun` …); `InputError` where they are not."""
    missing = [name for name in _NEEDED if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"{folder} has no {missing[0]}; give the folder of WordNet's database files, such as corpora/wordnet of NLTK's data."
        )
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    if str(folder.resolve()) not in nltk.data.path:
        nltk.data.path.append(str(folder.resolve()))  # NLTK opens only what lies under one of these; the user named this one
    # Without the map to the synsets of WordNet 3.0, which only NLTK's other languages need and which wants another data set
    reader = type("Reader", (WordNetCorpusReader,), {"map_wn": lambda self, *_: None})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "multilingual functions are not available"
        return reader(str(folder.resolve()), None)


def suggest_senses(form: str, wordnet: Any, resources: Resources, domains: Mapping[str, Domain]) -> Iterator[tuple[dict[str, Any], Row]]:
    """A candidate for each synset of a form, or of its English translations: gloss, synonyms, what is above it, cues from its gloss."""
    asked = [form, *[e.english for e in resources.exact(form) if isinstance(e, Translation)]]
    taken: set[str] = set()
    seen: set[str] = set()
    for word in dict.fromkeys(asked):
        for synset in wordnet.synsets(word.replace(" ", "_")):
            if synset.name() in seen:
                continue
            seen.add(synset.name())
            names = [lemma.replace("_", " ") for lemma in synset.lemma_names()]
            above = [lemma.replace("_", " ") for other in synset.hypernyms() for lemma in other.lemma_names()[:1]]
            others = [n for n in names if n.casefold() not in (form, word.casefold())]
            gloss = synset.definition()
            topic = _TOPICS.get(synset.lexname().partition(".")[2], "")
            about = {"synset": synset.name(), "form": form, "above": above, "examples": list(synset.examples())}
            canonical = others[0] if others else f"{word} {above[0]}" if above else word
            fields = {
                "id": make_id(form, synset.name().partition(".")[0] if word == form else word, taken), "forms": [form],
                "canonical.en": canonical, "canonical.id": "", "gloss.en": gloss.split(";")[0], "gloss.id": "",
                "domain": topic if topic in domains else "", "cues": _cues(gloss, [*others, *above], form), "synonyms": others,
                "source": "wordnet", "licence": LICENCE, "status": "draft",
            }  # fmt: skip
            yield about, Row("sense", fields)


def _cues(gloss: str, names: list[str], form: str) -> list[str]:
    """Content words of the gloss and the names around, without the form's own."""
    words = [w.strip(".,;:()'\"").lower() for w in (*" ".join(names).split(), *gloss.split())]
    own = set(form.split())
    return [w for w in dict.fromkeys(words) if len(w) > 2 and w.isalpha() and w not in own and w not in en.FUNCTION][:15]
