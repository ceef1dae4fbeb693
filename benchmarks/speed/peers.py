"""What a query costs here and elsewhere, in one run: other programs that rewrite or look up, over the same queries, in turn.

    python benchmarks/speed/peers.py QUERIES… [--limit N] [--forms N] [--wordnet FOLDER] [--json OUT]

Each program takes a block of queries, then the next program the same block, so that whatever else the machine does meets all of them
alike.  Those that look forms up (PhraseMatcher, entity ruler, flashtext, Aho-Corasick) hold `--forms` forms of our own lexicons and do
nothing with what they find: no sense, no variants, no plan.  `MultiQueryRetriever` asks a model that answers at once: what is left
is its own cost.  A peer that is not installed is named and passed over.  `--wordnet` is a folder with the files of WordNet (`data.noun` …).
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.shared import Table, as_text, percentile, read_queries, write_json
from rewriter import default_resources, rewrite

BLOCK = 50
SEED_QUERY = "contoh kalimat untuk pemanasan"
Answer = Callable[[str], Any]


def lexicon_forms(limit: int) -> list[str]:
    """So many forms of the shipped lexicons, spread over all of them."""
    from rewriter.lexicon.entries import forms_of
    from rewriter.pack.files import files_at, lexicons_folder, read_lexicon

    forms = sorted({form for entry in read_lexicon(files_at(lexicons_folder()))[0] for form in forms_of(entry) if form.strip()})
    return forms[:: max(1, len(forms) // limit)][:limit]


def peer_rewriter(_: Sequence[str], __: Path | None) -> Answer:
    """This package: the whole plan."""
    resources = default_resources()
    return lambda query: rewrite(query, resources=resources)


def peer_rewriter_json(_: Sequence[str], __: Path | None) -> Answer:
    """The same, written as JSON; its queries are other ones, so that no plan is remembered."""
    resources = default_resources()
    return lambda query: rewrite(f"{query} .", resources=resources).to_json()


def peer_wordnet(_: Sequence[str], folder: Path | None) -> Answer:
    """NLTK: the lemmas of the first three senses of each word, no plan."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    if folder is None:
        from nltk.corpus import wordnet as reader
    else:
        nltk.data.path.append(str(folder))
        reader = _read_wordnet(WordNetCorpusReader, folder)
    reader.synsets("dog")

    def expand(query: str) -> list[str]:
        return [lemma for word in query.split() for sense in reader.synsets(word)[:3] for lemma in sense.lemma_names()]

    return expand


def _read_wordnet(kind: Any, folder: Path) -> Any:
    """A reader that asks for no second WordNet to map to."""

    class Alone(kind):  # type: ignore[misc]
        def map_wn(self, *_: Any) -> None:
            """Nothing to map."""

    return Alone(str(folder), None)


def peer_phrase_matcher(forms: Sequence[str], _: Path | None) -> Answer:
    """spaCy: tokenise and match."""
    import spacy
    from spacy.matcher import PhraseMatcher

    nlp = spacy.blank("id")
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    matcher.add("form", list(nlp.tokenizer.pipe(forms)))
    return lambda query: matcher(nlp(query))


def peer_entity_ruler(forms: Sequence[str], _: Path | None) -> Answer:
    """spaCy: a pipeline of an entity ruler alone."""
    import spacy

    nlp = spacy.blank("id")
    ruler: Any = nlp.add_pipe("entity_ruler", config={"phrase_matcher_attr": "LOWER"})
    ruler.add_patterns([{"label": "FORM", "pattern": form} for form in forms])
    return nlp


def peer_flashtext(forms: Sequence[str], _: Path | None) -> Answer:
    """flashtext: forms found."""
    from flashtext import KeywordProcessor

    processor = KeywordProcessor()
    for form in forms:
        processor.add_keyword(form)
    return processor.extract_keywords  # type: ignore[no-any-return]


def peer_ahocorasick(forms: Sequence[str], _: Path | None) -> Answer:
    """pyahocorasick: forms found, with white space around."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for form in forms:
        automaton.add_word(f" {form} ", form)
    automaton.make_automaton()
    return lambda query: list(automaton.iter(f" {query.lower()} "))


def peer_multi_query(_: Sequence[str], __: Path | None) -> Answer:
    """LangChain: MultiQueryRetriever with a model that answers at once, and a search that finds nothing."""
    from langchain_classic.retrievers.multi_query import MultiQueryRetriever
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.language_models import FakeListLLM
    from langchain_core.retrievers import BaseRetriever

    class Nothing(BaseRetriever):  # type: ignore[misc]
        def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Any]:
            return []

    retriever = MultiQueryRetriever.from_llm(Nothing(), FakeListLLM(responses=["satu\ndua\ntiga"]))
    return retriever.invoke  # type: ignore[no-any-return]


PEERS: tuple[tuple[str, Callable[[Sequence[str], Path | None], Answer]], ...] = (
    ("rewriter, plan", peer_rewriter),
    ("rewriter, plan as JSON", peer_rewriter_json),
    ("NLTK WordNet expansion", peer_wordnet),
    ("spaCy PhraseMatcher", peer_phrase_matcher),
    ("spaCy entity ruler", peer_entity_ruler),
    ("flashtext", peer_flashtext),
    ("pyahocorasick", peer_ahocorasick),
    ("LangChain MultiQueryRetriever, instant model", peer_multi_query),
)


def measure_peers(queries: Sequence[str], n_forms: int, wordnet: Path | None) -> dict[str, Any]:
    """Median and 99th percentile of the time for a query, each peer over the same blocks in turn."""
    forms = lexicon_forms(n_forms)
    answers: dict[str, Answer] = {}
    missing, build = [], {}
    for name, make in PEERS:
        started = time.perf_counter()
        try:
            answers[name] = make(forms, wordnet)
            answers[name](SEED_QUERY)
        except (ImportError, LookupError, OSError) as error:
            missing.append(f"{name} ({type(error).__name__})")
            answers.pop(name, None)
        build[name] = time.perf_counter() - started
    taken: dict[str, list[float]] = {name: [] for name in answers}
    gc.collect()
    for at in range(0, len(queries), BLOCK):
        for name, answer in answers.items():
            for query in queries[at : at + BLOCK]:
                started_ns = time.perf_counter_ns()
                answer(query)
                taken[name].append((time.perf_counter_ns() - started_ns) / 1e3)
    own = statistics.median(taken[PEERS[0][0]])
    rows = [
        {
            "name": name, "median_us": statistics.median(us), "p99_us": percentile(us, 99), "ratio": statistics.median(us) / own,
            "build_s": build[name],
        }
        for name, us in taken.items()
    ]  # fmt: skip
    return {"queries": len(queries), "forms": len(forms), "rows": rows, "missing": missing}


def make_tables(figures: Any) -> list[Table]:
    """The figures as a table."""
    rows = tuple(
        (r["name"], f"{r['median_us']:.1f}", f"{r['p99_us']:.0f}", f"{r['ratio']:.2f}", f"{r['build_s']:.1f}") for r in figures["rows"]
    )
    left_out = f"; not measured: {', '.join(figures['missing'])}" if figures["missing"] else ""
    title = f"{figures['queries']} queries, each once, in turn; look-ups hold {figures['forms']:,} forms{left_out}"
    return [Table(title, ("program", "median µs", "p99 µs", "of rewriter", "start s"), rows)]


def main() -> None:
    """Print the table; write the figures as JSON where asked."""
    parser = argparse.ArgumentParser(description="What a query costs here and elsewhere.")
    parser.add_argument("queries", type=Path, nargs="+", help="JSONL with `query`, text with a query a line, or folders of such files")
    parser.add_argument("--limit", type=int, default=1_000, help="queries (1000)")
    parser.add_argument("--forms", type=int, default=20_000, help="forms that the look-ups hold (20000)")
    given = os.environ.get("WORDNET")
    parser.add_argument("--wordnet", type=Path, metavar="FOLDER", default=given, help="files of WordNet, where NLTK has none ($WORDNET)")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    queries = read_queries(options.queries)
    some = queries[:: max(1, len(queries) // options.limit)][: options.limit]
    figures = measure_peers(some, options.forms, options.wordnet)
    print(*map(as_text, make_tables(figures)), sep="\n\n")
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
