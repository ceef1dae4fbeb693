"""SKOS in Turtle, RDF/XML, N-Triples or JSON-LD, by rdflib.

A sense is a concept: `prefLabel` its canonical names, `altLabel` its synonyms, `hiddenLabel` its forms, `definition` its glosses, `broader`
its domain.  Of jargon the first expert term is the `prefLabel`, the others are `altLabel`s with their language.  Fields without a
word in SKOS are properties of an own namespace, as JSON.  RDF keeps no order: that of lists is a property `order`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from rewriter.curation.exchange.exchanged import Options, Read, Written, make_id
from rewriter.curation.rows import KINDS, Row
from rewriter.errors import InputError
from rewriter.text.normalise import clean

if TYPE_CHECKING:
    from rdflib import Graph

__all__ = ["read", "write"]

BASE = "urn:rewriter:"
_SYNTAXES = {".ttl": "turtle", ".rdf": "xml", ".nt": "nt", ".jsonld": "json-ld"}
_OWN = frozenset({"id", "forms", "form", "to", "canonical.en", "canonical.id", "gloss.en", "gloss.id", "synonyms", "domain"})
"""Fields that SKOS has a word for; the others are properties of the own namespace."""


def write(rows: Sequence[Row], options: Options) -> Written:
    """A concept an entry, and one a domain."""
    from rdflib import RDF, SKOS, Graph, Literal, Namespace, URIRef

    own = Namespace(BASE)
    graph = Graph()
    graph.bind("skos", SKOS)
    graph.bind("rewriter", own)
    scheme = URIRef(f"{BASE}lexicon")
    graph.add((scheme, RDF.type, SKOS.ConceptScheme))
    for number, row in enumerate(rows, 1):
        name = row.id if row.kind in KINDS[:3] else f"{row.id}/{number}"
        concept = URIRef(f"{BASE}{row.kind}/{quote(name, safe='')}")
        graph.add((concept, RDF.type, SKOS.Concept))
        graph.add((concept, SKOS.inScheme, scheme))
        for word, value, language in _labels(row):
            graph.add((concept, SKOS[word], Literal(value, lang=language or None)))
        domain = str(row.fields.get("domain", ""))
        if domain:
            graph.add((concept, SKOS.broader, _add_domain(graph, domain)))
        more = {k: v for k, v in row.fields.items() if k not in _OWN and not k.startswith("expert.")}
        for field, value in (more | _order(row)).items():
            graph.add((concept, own[field], Literal(json.dumps(value, ensure_ascii=False))))
    syntax = _SYNTAXES.get(options.name[options.name.rfind(".") :].lower(), "turtle")
    return graph.serialize(format=syntax, encoding="utf-8"), ()


def _order(row: Row) -> dict[str, Any]:
    """The order of the lists that are labels, where it is another one than the alphabet's."""
    lists = {k: row.fields[k] for k in ("forms", "synonyms", "expert.en", "expert.id") if len(row.fields.get(k, ())) > 1}
    return {"order": unlike} if (unlike := {k: v for k, v in lists.items() if v != sorted(v)}) else {}


def _labels(row: Row) -> Iterator[tuple[str, str, str]]:
    """Word of SKOS, text and language of an entry's names."""
    fields = row.fields
    for language in ("en", "id"):
        if f"canonical.{language}" in fields:
            yield "prefLabel", fields[f"canonical.{language}"], language
        if f"gloss.{language}" in fields:
            yield "definition", fields[f"gloss.{language}"], language
        for n, term in enumerate(fields.get(f"expert.{language}", ())):
            yield "altLabel" if n else "prefLabel", term, language
    for text in fields.get("synonyms", ()):
        yield "altLabel", text, ""
    for text in fields.get("forms", ()):
        yield "hiddenLabel", text, ""
    if "form" in fields:
        source, target = ("id", "en") if row.kind == "translation" else (row.kind[-2:],) * 2
        yield "hiddenLabel", fields["form"], source
        yield "prefLabel", fields["to"], target


def _add_domain(graph: Graph, path: str) -> Any:
    """The concept of a domain, with what stands above it."""
    from rdflib import RDF, SKOS, Literal, URIRef

    node = URIRef(f"{BASE}domain/{quote(path)}")
    if (node, RDF.type, SKOS.Concept) not in graph:
        graph.add((node, RDF.type, SKOS.Concept))
        graph.add((node, SKOS.notation, Literal(path)))
        above, _, last = path.rpartition("/")
        graph.add((node, SKOS.prefLabel, Literal(last.replace("-", " "), lang="en")))
        if above:
            graph.add((node, SKOS.broader, _add_domain(graph, above)))
    return node


def read(data: bytes, options: Options) -> list[Read]:
    """An entry a concept that has a label; concepts of domains are no entries.  Foreign concepts become senses."""
    from rdflib import RDF, SKOS, Graph

    graph = Graph()
    ending = options.name[options.name.rfind(".") :].lower()
    try:
        graph.parse(data=data, format=_SYNTAXES.get(ending, "turtle"))
    except Exception as error:  # rdflib's parsers raise what their authors thought of: SyntaxError, SAXException, TypeError …
        told = " ".join(str(error).split())[:160]
        raise InputError(f"{options.name} cannot be read as SKOS ({told}); give Turtle, RDF/XML, N-Triples or JSON-LD.") from None
    taken: set[str] = set()
    concepts = sorted({str(s) for s in graph.subjects(RDF.type, SKOS.Concept)})
    return [_read_concept(graph, uri, taken) for uri in concepts if not uri.startswith(f"{BASE}domain/")]


def _read_concept(graph: Graph, uri: str, taken: set[str]) -> Read:
    from rdflib import SKOS, URIRef

    node = URIRef(uri)
    texts: dict[str, list[tuple[str, str]]] = {
        word: sorted((str(o), str(getattr(o, "language", None) or "")) for o in graph.objects(node, SKOS[word]))
        for word in ("prefLabel", "altLabel", "hiddenLabel", "definition")
    }
    more: dict[str, Any] = {}
    for predicate, value in graph.predicate_objects(node):
        if str(predicate).startswith(BASE):
            try:
                more[str(predicate)[len(BASE) :]] = json.loads(str(value))
            except ValueError:
                return Read(uri, None, f"its {str(predicate)[len(BASE) :]} is no JSON")
    domain = next((unquote(str(o)[len(BASE) + 7 :]) for o in graph.objects(node, SKOS.broader) if str(o).startswith(f"{BASE}domain/")), "")
    kind, _, name = uri[len(BASE) :].partition("/") if uri.startswith(BASE) else ("", "", "")
    row = _row(kind if kind in KINDS else "", unquote(name), uri, texts, taken)
    if row is None:
        return Read(uri, None, "it has no prefLabel, or no form; give skos:prefLabel and a label that people type")
    order = more.pop("order", {})
    lists = {k: _sorted(row.fields[k], order[k]) for k in order if isinstance(row.fields.get(k), list)} if isinstance(order, dict) else {}
    return Read(uri, Row(row.kind, {**row.fields, **lists, **({"domain": domain} if domain else {}), **more}))


def _sorted(values: Sequence[str], order: Any) -> list[str]:
    """The labels as they are now, in the order that they had; those that came since stand behind."""
    at = {text: n for n, text in enumerate(order)} if isinstance(order, list) else {}
    return sorted(values, key=lambda text: at.get(text, len(at)))


def _row(kind: str, name: str, uri: str, texts: dict[str, list[tuple[str, str]]], taken: set[str]) -> Row | None:
    def of(word: str, language: str) -> list[str]:
        return [text for text, given in texts[word] if given == language]

    hidden = [text for text, _ in texts["hiddenLabel"]]
    if kind in KINDS[3:]:
        return Row(kind, {"form": hidden[0], "to": texts["prefLabel"][0][0]}) if hidden and texts["prefLabel"] else None
    fields: dict[str, Any] = {}
    for language in ("en", "id"):
        preferred = of("prefLabel", language) or (of("prefLabel", "") if not kind else [])
        if kind == "jargon":
            fields[f"expert.{language}"] = [*preferred, *of("altLabel", language)]
        else:
            fields[f"canonical.{language}"] = preferred[0] if preferred else ""
        fields[f"gloss.{language}"] = " ".join(of("definition", language) or (of("definition", "") if not kind else []))
    if kind in ("sense", "idiom"):
        fields["synonyms"] = of("altLabel", "")
    if not kind:  # somebody else's: what people type are the other labels
        hidden = list(dict.fromkeys(f for t, _ in (*texts["altLabel"], *texts["hiddenLabel"]) if (f := clean(t).folded)))
        best = next((fields[k] for k in ("canonical.en", "canonical.id") if fields[k]), "")
        hidden = hidden or ([clean(best).folded] if best else [])
        fields |= {f"canonical.{x}": fields[f"canonical.{x}"] or best for x in ("en", "id")}
        name = make_id(best, uri.rstrip("/#").replace("#", "/").rpartition("/")[2], taken) if best else ""
    if not hidden or not any(fields.get(k) for k in ("canonical.en", "canonical.id", "expert.en", "expert.id")):
        return None
    return Row(kind or "sense", {k: v for k, v in {"id": name, "forms": hidden, **fields}.items() if v})
