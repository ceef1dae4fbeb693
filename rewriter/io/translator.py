"""The translation memory filled ahead of time, through a translation service: no other module calls one.

A query goes out with its names and protected spans masked, comes back, is unmasked, and stands in the memory before the next one goes out.
"""

from __future__ import annotations

import contextlib
import datetime
import html
import importlib
import random
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

from rewriter.analysis import Analysis, analyse
from rewriter.errors import InputError, RewriterError
from rewriter.io.memory import MemoryFile, Remembered, Report, read_queries
from rewriter.lexicon.entries import Translation
from rewriter.lookup import forms_of_kind, longest, read_view
from rewriter.policy import Policy
from rewriter.resources import Resources
from rewriter.text.normalise import clean, memory_key
from rewriter.text.protect import LETTERS, VERBATIM
from rewriter.translation.amounts import english_amount

__all__ = ["Job", "Masked", "Outcome", "fill_memory", "load_backend", "mask_query", "parse_rate", "unmask"]

Call = Callable[[str], Any]
"""Text in, its translation out: `translate` of a class of deep-translator, or of any class made like them."""

FAILURES_IN_A_ROW = 5
"""A service that fails for so many queries one after the other has a fault of its own; a query with a fault stands alone."""
LONGEST_DELAY = 60.0
LONGEST_CALL = 60.0
"""Seconds between two tries, and for one of them: deep-translator itself waits for an answer for ever."""
_REFUSALS = {"ApiKeyException", "AuthorizationException", "InvalidSourceOrTargetLanguage", "LanguageNotSupportedException"}
_NO_ANSWER = {"ElementNotFoundInGetRequest", "NotValidLength", "NotValidPayload", "TranslationNotFound"}
"""Exceptions of deep-translator, by name, since it is imported late or not at all: about the service, and about one query."""
_NOTICE = re.compile(r"MYMEMORY WARNING|INVALID LANGUAGE PAIR|.{1,9} IS AN INVALID (?:SOURCE|TARGET) LANGUAGE")
"""MyMemory sends its refusals as if they were translations."""
_CODES = {"mymemory": {"id": "id-ID", "en": "en-US"}}
"""Languages by backend, where it does not take the plain code."""
_RATE = re.compile(r"(\d+(?:\.\d+)?)(?:/(s|min|h))?", re.ASCII)
_SECONDS = {None: 1.0, "s": 1.0, "min": 60.0, "h": 3600.0}
_PLACEHOLDER = re.compile(r"(?i)(?<![^\W_])x\s?q\s?([0-9]+)\s?x(?![^\W_])")


class Job(NamedTuple):
    """What to translate, into which memory, and how: the options of `rewriter translate`."""

    queries: str
    memory: Path
    backend: str = "google"
    source: str = "id"
    target: str = "en"
    rate: str = "2/s"
    retries: int = 5
    column: str = "query"


class Outcome(NamedTuple):
    """Queries translated, known before, without anything to translate, refused; and broken lines of both files."""

    translated: int
    known: int
    skipped: int
    refused: int
    broken: int

    def __str__(self) -> str:
        return "{} translated, {} known before, {} with nothing to translate, {} refused, {} broken lines".format(*self)


class Stop(RewriterError):
    """The service answers nobody: going on makes no sense."""


class NoTranslationError(Exception):
    """This query has no translation; the next one may have."""


def fill_memory(
    job: Job, resources: Resources, report: Report, progress: Callable[[int, int], None], wait: Callable[[float], None] = time.sleep
) -> Outcome:
    """Translate the queries that the memory does not know.  `progress` takes how many are done, and of how many.

    `RewriterError` says why the service cannot be used; what was translated before stays, also when the process is killed.
    """
    if not re.match(r"(?i)en\b|english\b", job.target):
        raise InputError(f"--target is {job.target!r}, but a memory holds the english search; give en, or a kind of it such as en-GB.")
    call = load_backend(job.backend, job.source, job.target)
    patience = Patience(job.backend, call, parse_rate(job.rate), job.retries, wait)
    queries, broken = read_queries(job.queries, job.column)
    for told in broken:
        report(told)
    asked = {memory_key(query): query for query in reversed(queries)}  # of equal queries the first
    with contextlib.closing(MemoryFile(job.memory, report)) as memory:
        pending = [(key, query) for key, query in reversed(asked.items()) if key not in memory.sources]
        translated = skipped = refused = in_a_row = 0
        try:
            for done, (key, query) in enumerate(pending):
                progress(done, len(pending))
                masked = mask_query(query, resources)
                if masked is None:
                    skipped += 1
                    continue
                try:
                    in_a_row += 1
                    answer = patience.ask(masked.text)
                    in_a_row = 0
                    target = unmask(answer, masked)
                except NoTranslationError as error:
                    refused += 1
                    report(f"{query!r} is not translated: {error}.")
                    if in_a_row == FAILURES_IN_A_ROW:
                        raise Stop(f"{job.backend} failed for {in_a_row} queries in a row, the last time with {error}") from None
                    continue
                memory.append(Remembered(key, target, job.backend, datetime.date.today().isoformat(), job.source))
                translated += 1
            progress(len(pending), len(pending))
        except (Stop, KeyboardInterrupt) as stop:
            kept = f"{translated} new translations are kept in {job.memory}, and the same command goes on from there."
            if isinstance(stop, Stop):
                raise RewriterError(f"{stop}; {kept}") from None
            report(f"Interrupted; {kept}")
            raise
    return Outcome(translated, len(asked) - len(pending), skipped, refused, len(broken) + memory.broken)


class Masked(NamedTuple):
    """A query as it goes out, and what each placeholder in it stands for in English."""

    text: str
    spans: tuple[str, ...]


def mask_query(query: str, resources: Resources) -> Masked | None:
    """Names and protected spans as `XQ0X`, `XQ1X` …, which translators take for product codes; None where nothing is to translate.

    That is a query whose translation would never be recalled (English, small talk, with a nickname that is written out, too long), and
    one without a word beside its names.  Amounts, dates and places stand for what the english search writes (`Rp 2 juta`: IDR 2 million).
    """
    text = clean(query).text
    analysis = analyse(text[: Policy().max_query_chars], (), resources, Policy())
    if len(text) > Policy().max_query_chars or analysis.language == "en" or analysis.talk or analysis.changed:
        return None
    words = analysis.words
    spans = {start: (end, english) for start, end, english in _names(analysis, resources)}
    inside = {i for start, (end, _) in spans.items() for i in range(start, end)}
    for i, word in enumerate(words):
        if word.guard and i not in inside:
            spans[i] = (i + 1, english_amount(word.text, word.guard) if word.guard in LETTERS else word.text)
    parts, at = [], 0
    for number, start in enumerate(sorted(spans)):
        parts += [_apart(text[at : words[start].start], number > 0, True), f"XQ{number}X"]
        at = words[spans[start][0] - 1].end
    parts.append(_apart(text[at:], at > 0, False))
    if not any([c.isalpha() for part in parts[::2] for c in part]):
        return None
    return Masked("".join(parts), tuple([spans[start][1] for start in sorted(spans)]))


def _apart(text: str, after: bool, before: bool) -> str:
    """What stands between two placeholders, with a space where a letter or the other placeholder would touch one."""
    left = " " if after and (text[:1].isalnum() or (before and not text)) else ""
    return left + text + (" " if before and text[-1:].isalnum() else "")


def _names(analysis: Analysis, resources: Resources) -> list[tuple[int, int, str]]:
    """Names in the words of a query, each with its English: entries that are names, and decided senses under their own name."""
    words = analysis.words
    said = {w.folded for w in words}
    senses = {(d.found.start, d.found.end): d for d in analysis.decisions if d.state != "literal"}
    found = forms_of_kind(read_view(words, analysis.language, resources), Translation.KIND)
    free = [f for f in (*found, *[d.found for d in senses.values()]) if not any([w.guard in VERBATIM for w in words[f.start : f.end]])]
    names = []
    for form in longest(free):
        entries = [e for e in resources.exact(form.form) if isinstance(e, Translation) and (not e.when or not said.isdisjoint(e.when))]
        decision = senses.get((form.start, form.end))
        own = [f" {form.form} " in f" {c.sense.canonical_en.casefold()} " for c in decision.candidates] if decision else []
        if entries and all([e.pos == "name" for e in entries]):
            names.append((form.start, form.end, entries[0].english))
        elif any(own):
            names.append((form.start, form.end, analysis.cleaned.original[words[form.start].start : words[form.end - 1].end]))
    return names


def unmask(answer: Any, masked: Masked) -> str:
    """The translation with what its placeholders stand for; `NoTranslationError` where one is lost, doubled or made up.

    >>> unmask("price of XQ1X in xq 0x", Masked("harga XQ1X di XQ0X", ("Jakarta", "iPhone 15")))
    'price of iPhone 15 in Jakarta'
    """
    if not isinstance(answer, str) or not answer.strip():
        raise NoTranslationError("the service gave no text")
    text = html.unescape(answer)
    numbers = [int(n) for n in _PLACEHOLDER.findall(text)]
    for number, span in enumerate(masked.spans):
        if numbers.count(number) != 1:
            raise NoTranslationError(f"the service {'repeats' if number in numbers else 'lost'} the placeholder of {span!r}")
    if len(numbers) != len(masked.spans):
        raise NoTranslationError("the service made up a placeholder")
    return clean(_PLACEHOLDER.sub(lambda m: masked.spans[int(m[1])], text)).text


class Patience:
    """A service asked at a rate, and asked again after a growing pause while it fails."""

    def __init__(self, name: str, call: Call, gap: float, retries: int, wait: Callable[[float], None]) -> None:
        self._name, self._call, self._gap, self._retries, self._wait = name, call, gap, retries, wait
        self._next = time.monotonic()

    def ask(self, text: str) -> Any:
        """The service's answer.  `NoTranslationError` when it has none for this text, `Stop` when it has none for anybody."""
        for left in range(self._retries, -1, -1):
            now = time.monotonic()
            if self._next > now:
                self._wait(self._next - now)
            self._next = max(self._next, now) + self._gap
            try:
                answer = _call_within(self._call, text, LONGEST_CALL)
            except Exception as error:
                kinds = {kind.__name__ for kind in type(error).__mro__}
                if kinds & _REFUSALS:
                    raise Stop(f"{self._name} refuses to translate: {describe(error)}") from None
                if kinds & _NO_ANSWER:
                    raise NoTranslationError(describe(error)) from None
                if not left:
                    if isinstance(error, OSError) or "TooManyRequests" in kinds:
                        raise Stop(f"{self._name} cannot be reached: {describe(error)}") from None
                    raise NoTranslationError(describe(error)) from None
                self._wait(min(LONGEST_DELAY, 2.0 ** (self._retries - left)) * random.uniform(0.5, 1.0))
                continue
            if isinstance(answer, str) and _NOTICE.match(answer):
                raise Stop(f"{self._name} refuses to translate: {' '.join(answer.split())[:120]}")
            return answer
        raise AssertionError("the last try answers or raises")


def _call_within(call: Call, text: str, seconds: float) -> Any:
    """The answer, or `TimeoutError`: a thread of its own waits for a service that may never answer."""
    answer: Future[Any] = Future()

    def run() -> None:
        try:
            answer.set_result(call(text))
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer.result(seconds)


def describe(error: Exception) -> str:
    """An exception in a few words.  Those of connections and keys are named only: their texts hold addresses with the key in them."""
    name = type(error).__name__
    if isinstance(error, OSError) or name == "AuthorizationException":
        return name
    told = re.split(r" (?:Example|Please select)\b", " ".join(str(error).removeprefix("None --> ").split()))[0][:200].rstrip(".")
    return f"{name}: {told}" if told else name


def parse_rate(rate: str) -> float:
    """Seconds from one request to the next.

    >>> parse_rate("2/s"), parse_rate("30/min"), parse_rate("0.5")
    (0.5, 2.0, 2.0)
    """
    match = _RATE.fullmatch(rate.strip())
    if not match or not float(match[1]):
        raise InputError(f"--rate is {rate!r}; write requests by time, like 2/s, 30/min or 1000/h.")
    return _SECONDS[match[2]] / float(match[1])


def load_backend(name: str, source: str, target: str) -> Call:
    """A service by its name in deep-translator (`google`: `GoogleTranslator`), or a class by its dotted path (`package.module:Class`)."""
    module, colon, wanted = name.partition(":")
    try:
        found = importlib.import_module(module if colon else "deep_translator")
    except ImportError as error:
        if colon:
            raise InputError(f"--backend {name} cannot be imported ({error}).") from None
        raise InputError(f"--backend {name} needs deep-translator ({error}); install rewriter[translate].") from None
    if not colon:
        services = {n.removesuffix("Translator").lower(): n for n in found.__all__ if n.endswith("Translator")}
        if name not in services:
            raise InputError(f"--backend is {name!r}; known are {', '.join(sorted(services))}, and any module:Class.")
        wanted = services[name]
    codes = _CODES.get(name, {})
    try:
        return getattr(found, wanted)(source=codes.get(source, source), target=codes.get(target, target)).translate  # type: ignore[no-any-return]
    except Exception as error:
        raise InputError(f"--backend {name} cannot be used: {describe(error)}.") from None
