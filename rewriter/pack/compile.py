"""Lexicons and source libraries → the bytes of a language pack."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import marisa_trie

from rewriter.errors import PackError
from rewriter.lexicon.association import index_senses, neighbours
from rewriter.lexicon.entries import Domain, Entry, Jargon, Sense, forms_of
from rewriter.lexicon.spoken import spoken_words
from rewriter.lexicon.tables import bags_of, sort_key
from rewriter.lexicon.vocabulary import domain_vocabulary
from rewriter.pack import sources
from rewriter.pack.format import write_pack
from rewriter.pack.open import LIKENESS_BITS, Pack
from rewriter.pack.phrases import PHRASE_SECTIONS, index_phrases, speech_of
from rewriter.pack.plain import array_bytes, array_in, code_below, look_up
from rewriter.text.keys import cue_keys, words_met
from rewriter.text.loans import loan_index

__all__ = ["KIND_SHIFT", "compile_entries", "compile_pack", "compile_sources"]

KIND_SHIFT = 28
"""A reference is an entry's kind in the top bits and its number below: 268 million entries."""
LOAN_LEAD = 50
"""A word that Indonesian uses more (half a Zipf unit) is no English plural or participle: `artis` is not `arti` + s."""
LONGEST_TEXT = 2**32 - 1
"""Offsets into the entries are u32."""
LEXICON_SECTIONS = frozenset(
    {"bags.entries", "bags.trie", "cues.trie", "keys.trie", "met.trie"}
    | {"senses.near", "senses.near.offsets", "senses.norms", "senses.trie", "words.offsets", "words.senses", "words.trie", "words.weights"}
    | PHRASE_SECTIONS
    | {"capitals.trie", "domains.json", "entries.json", "entries.offsets", "forms.offsets", "forms.refs", "forms.trie", "templates.json"}
)

OWN_LEXICONS = {
    "name": "rewriter lexicons",
    "version": "",
    "licence": "CC BY 4.0",
    "what": "senses, idioms, jargon, translations, slang, templates",
}

Progress = Callable[[str], None]


def compile_sources(progress: Progress = lambda _: None) -> dict[str, bytes]:
    """The sections that come from the source libraries alone: frequencies, English stems, loanwords, tokeniser rules.

    They are the same for every lexicon, and cost as much time as all that a lexicon adds.
    """
    progress("word frequencies")
    zipf = sources.frequencies()
    sections = _frequency_sections(zipf)
    progress("English stems")
    sections["stems.trie"] = _texts(sources.english_stems(w for w, (in_id, in_en) in zipf.items() if in_en > in_id - LOAN_LEAD))
    progress("loanword spellings")
    sections["loans.trie"] = _texts(loan_index(zipf))
    for language in ("id", "en"):
        progress(f"tokeniser rules ({language})")
        rules = sources.tokeniser_rules(language)
        sections[f"rules.{language}.json"] = _json(rules.to_dict())
        sections[f"rules.{language}.trie"] = marisa_trie.Trie(rules.single).tobytes()
    return sections


def compile_pack(
    entries: Iterable[Entry],
    domains: Sequence[Domain],
    templates: Mapping[str, Any],
    progress: Progress = lambda _: None,
    base: Mapping[str, bytes] | None = None,
) -> bytes:
    """The pack of these lexicons: byte-identical for the same content, in whatever order it comes.

    `base` is what `compile_sources` gave for the installed libraries; it is made anew where none is given.
    """
    versions = sources.library_versions()
    entries = list(entries)
    progress("names from CLDR")
    ordered = sorted([*entries, *_fill_in(entries, sources.cldr_translations())], key=sort_key)
    sections = dict(compile_sources(progress) if base is None else base)
    progress(f"{len(ordered)} lexicon entries")
    sections |= _form_sections(ordered)
    sections["domains.json"] = _json([[d.path, d.label_en, d.label_id, d.cues] for d in sorted(domains, key=lambda d: d.path)])
    spelled = templates.get("capitals", {}).get("words", ())
    sections["capitals.trie"] = _texts({w.casefold(): w for w in spelled})
    sections["templates.json"] = _json({name: rules for name, rules in templates.items() if name != "capitals"})
    progress("English stems of cues")
    stems = _stems(ordered, sections)
    sections["stems.trie"] = _texts(stems)
    progress("which senses speak in the same words")
    sections["cues.trie"] = _domain_cues(domain_vocabulary(domains, ordered), stems)
    sections |= _bags(ordered, lambda w: stems.get(w, w))
    zipf = _zipf(sections)
    sections |= _key_sections(ordered, lambda w: stems.get(w, w), zipf)
    sections |= index_phrases(ordered, speech_of(ordered, lambda w: stems.get(w, w), zipf))
    sections |= _association(ordered, stems)
    taken = [
        {"name": name, "version": versions[name], "licence": licence, "what": what}
        for name, (what, licence) in sorted(sources.LIBRARIES.items())
    ]
    return write_pack(sections, _about(ordered, [*taken, OWN_LEXICONS]), LEXICON_SECTIONS)


def compile_entries(base: Pack, entries: Iterable[Entry], about: Mapping[str, str], progress: Progress = lambda _: None) -> bytes:
    """A pack of these entries alone over the frequencies, stems, tokeniser rules, domains and templates of another pack.

    It needs none of the source libraries, and is meant for large lexicons: a million senses take a minute.  `about` has
    `name`, `version`, `licence` and `what` of the entries.  Cue words beyond the base's vocabulary get no English stem.
    """
    ordered = sorted(entries, key=sort_key)
    progress(f"{len(ordered)} lexicon entries")
    kept = {name: bytes(base.read_section(name)) for name in base.contents["sections"] if not name.endswith(".blocks")}
    sections = kept | _form_sections(ordered) | index_phrases(ordered, speech_of(ordered, base.stem, base.zipf))
    sections |= _key_sections(ordered, base.stem, base.zipf) | _bags(ordered, base.stem)
    others = [s for s in base.contents["sources"] if s["name"] != OWN_LEXICONS["name"]]
    return write_pack(sections, _about(ordered, [*others, dict(about)]), LEXICON_SECTIONS)


def _about(ordered: Sequence[Entry], taken: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    longest = max((len(f) for e in ordered for f in forms_of(e)), default=0)
    return {"entries": len(ordered), "longest_form": longest, "sources": list(taken)}


def _stems(ordered: Sequence[Entry], sections: Mapping[str, bytes]) -> dict[str, str]:
    """The stems of the source libraries, and those of the words of cues that no frequency list has."""
    known, zipf = marisa_trie.BytesTrie(), _zipf(sections)
    known.frombytes(sections["stems.trie"])
    rare = {w for e in ordered if isinstance(e, Sense) for c in e.cues for w in c.split() if zipf(w) == (0, 0)}
    return {word: stem.decode() for word, stem in known.items()} | sources.english_stems(rare)


def _zipf(sections: Mapping[str, bytes]) -> Callable[[str], tuple[int, int]]:
    """The frequencies of words, (0, 0) for unknown ones."""
    trie = marisa_trie.Trie()
    trie.frombytes(sections["zipf.trie"])
    values = array_in(memoryview(sections["zipf.values"]), "H")

    def look(word: str) -> tuple[int, int]:
        key = look_up(trie, word)
        return (0, 0) if key is None else (values[2 * key], values[2 * key + 1])

    return look


def _domain_cues(vocabulary: Mapping[str, Sequence[str]], stems: Mapping[str, str]) -> bytes:
    """Word or phrase, or its English stem → the paths of the domains that it speaks for, parted by spaces."""
    paths: dict[str, set[str]] = {}
    for cue, where in vocabulary.items():
        for key in (cue, stems.get(cue, cue)):
            paths.setdefault(key, set()).update(where)
    return _texts({key: " ".join(sorted(where)) for key, where in paths.items()})


def _association(ordered: Sequence[Entry], stems: Mapping[str, str]) -> dict[str, bytes]:
    """The index of senses by their words, under the numbers that the tries give to ids and words."""
    index = index_senses([e for e in ordered if isinstance(e, Sense)], lambda w: stems.get(w, w))
    ids, words = marisa_trie.Trie(index.ids), marisa_trie.Trie(index.words)
    number = [ids[i] for i in index.ids]
    norms, weights = array("H", bytes(2 * len(number))), array("H", bytes(2 * len(index.words)))
    for place, norm in enumerate(index.norms):
        norms[number[place]] = min(norm, 65_535)
    places: list[list[int]] = [[]] * len(index.words)
    for word, weight, where in zip(index.words, index.weights, index.places, strict=True):
        weights[words[word]] = weight
        places[words[word]] = sorted([number[p] for p in where])
    nearest: list[list[int]] = [[]] * len(number)
    for place, near in enumerate(neighbours(index)):
        nearest[number[place]] = sorted([number[n] << LIKENESS_BITS | value for n, value in near])
    word_offsets, word_senses = _rows(places, code_below(len(number)))
    near_offsets, near_senses = _rows(nearest)
    return {
        "senses.near": near_senses,
        "senses.near.offsets": near_offsets,
        "senses.trie": ids.tobytes(),
        "senses.norms": array_bytes(norms),
        "words.trie": words.tobytes(),
        "words.weights": array_bytes(weights),
        "words.offsets": word_offsets,
        "words.senses": word_senses,
    }


def _bags(ordered: Sequence[Entry], stem: Callable[[str], str]) -> dict[str, bytes]:
    """The bags of the lay expressions with the number of an entry that has them, from one on; each of their words alone with 0."""
    owner: dict[str, int] = {}
    for number, entry in enumerate(ordered, 1):
        if isinstance(entry, Jargon):
            for form in entry.forms:
                owner.setdefault(form, number)
    forms = bags_of(owner, stem)
    trie = marisa_trie.Trie(sorted({*forms, *[word for key in forms for word in key.split(" ")]}))
    entries = array("I", bytes(4 * max(1, len(trie))))  # no section is empty
    for key, form in forms.items():
        entries[trie[key]] = owner[form]
    return {"bags.trie": trie.tobytes(), "bags.entries": array_bytes(entries)}


def _key_sections(ordered: Sequence[Entry], stem: Callable[[str], str], zipf: Callable[[str], tuple[int, int]]) -> dict[str, bytes]:
    """The words of the senses' cues and names with their other keys, and the other way round: each key with the words that it meets."""
    keys = {w: cue_keys(w, stem, zipf) for w in spoken_words(e for e in ordered if isinstance(e, Sense))}
    others = {word: " ".join(of_word[1:]) for word, of_word in keys.items()}
    return {"keys.trie": _texts(others), "met.trie": _texts({key: " ".join(met) for key, met in words_met(keys, zipf).items()})}


def _fill_in(entries: Iterable[Entry], more: Iterable[Entry]) -> list[Entry]:
    """Entries of `more` whose form nobody wrote by hand."""
    written = {f for e in entries for f in forms_of(e)}
    return [e for e in more if not any(f in written for f in forms_of(e))]


def _form_sections(ordered: Sequence[Entry]) -> dict[str, bytes]:
    blob = bytearray()
    offsets = array("I", [0])
    postings: dict[str, list[int]] = {}
    for number, entry in enumerate(ordered):
        blob += _json(entry.to_row())
        if len(blob) > LONGEST_TEXT:
            raise PackError(f"Entry {number} of {len(ordered)} is beyond 4 GiB of text, which a pack cannot hold; compile fewer entries.")
        offsets.append(len(blob))
        for form in forms_of(entry):
            postings.setdefault(form, []).append(entry.KIND << KIND_SHIFT | number)
    trie = marisa_trie.Trie(sorted(postings))
    starts, refs = _rows([numbers for _, numbers in sorted((trie[form], numbers) for form, numbers in postings.items())])
    return {
        "entries.json": bytes(blob),
        "entries.offsets": array_bytes(offsets),
        "forms.trie": trie.tobytes(),
        "forms.offsets": starts,
        "forms.refs": refs,
    }


def _frequency_sections(zipf: Mapping[str, tuple[int, int]]) -> dict[str, bytes]:
    trie = marisa_trie.Trie(sorted(zipf))
    values = array("H", bytes(4 * len(zipf)))
    for word, (in_id, in_en) in zipf.items():
        key = trie[word]
        values[2 * key], values[2 * key + 1] = in_id, in_en
    return {"zipf.trie": trie.tobytes(), "zipf.values": array_bytes(values)}


def _texts(texts: Mapping[str, str]) -> bytes:
    """A trie of texts by their keys."""
    return bytes(marisa_trie.BytesTrie([(key, texts[key].encode()) for key in sorted(texts)]).tobytes())


def _rows(rows: Iterable[Iterable[int]], code: Literal["H", "I"] = "I") -> tuple[bytes, bytes]:
    """Rows of numbers as two arrays: where each begins (and the last ends), and all numbers in turn."""
    starts, numbers = array("I", [0]), array(code)
    for row in rows:
        numbers.extend(row)
        starts.append(len(numbers))
    return array_bytes(starts), array_bytes(numbers)


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode("utf-8", "surrogatepass")
