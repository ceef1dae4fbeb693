"""A search command of the user's, run once for each variant: no shell, bounded in number, time and output.

A query is text that anybody may have written.  It reaches the command as one argument, or on standard input; it is never parsed, and
cannot become an option or a file name of the command.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewriter.errors import InputError
from rewriter.model import Result, Variant
from rewriter.record import record

__all__ = ["Limits", "Search", "fill_command", "parse_output", "read_command", "run_searches"]

_PLACE = re.compile(r"\{(query|language|pattern)\}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}]")
_HALF = re.compile("[\ud800-\udfff]")
_MEANT = ("-", "@", "+")
"""What begins an option, or the name of a file to send (`curl -d @file`): behind a blank it begins nothing."""

URL_NAMES = ("url", "link", "href")
TITLE_NAMES = ("title", "name")
SNIPPET_NAMES = ("snippet", "abstract", "description", "body", "content")
"""How search tools call the fields of a result, the surest first."""
GRACE = 2.0
"""Seconds for the pipes of an ended command to close; what it started outside its group may hold them for ever."""
ERROR_TAIL = 4_000
"""Bytes of standard error that are kept; its last line is shown."""


@record
class Limits:
    """Searches at a time, seconds for each, and bytes of output of each."""

    jobs: int = 4
    timeout: float = 30.0
    max_bytes: int = 16_000_000


@record
class Search:
    """One variant searched: what it found, best first; why it failed, or nothing; lines of its output that could not be read."""

    variant: Variant
    results: tuple[Result, ...] = ()
    failure: str = ""
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0


def read_command(text: str) -> tuple[str, ...]:
    """The words of a command line, parted as a shell does, by nobody but us; `InputError` for none, or one that cannot be run.

    >>> read_command("python3 -c 'print(1)' {query}")
    ('python3', '-c', 'print(1)', '{query}')
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise InputError(f"--with was given {text!r}, which cannot be parted into words ({error}); close what is open.") from None
    if not words:
        raise InputError("--with was given no command; give one that prints a JSON object with url, title and snippet a line.")
    if shutil.which(words[0]) is None:
        raise InputError(f"--with names {words[0]!r}, which is no command here; give its path, or install it.")
    return words


def fill_command(words: Sequence[str], variant: Variant) -> tuple[tuple[str, ...], bytes]:
    """Arguments and standard input of one search.

    `{query}`, `{language}` and `{pattern}` stand for what they say; without `{query}` the text goes to standard input, as one line.
    Control characters are blanks.  A query that is a whole argument and begins as an option does gets a blank before it.

    >>> fill_command(["find", "--text={query}"], Variant("literal", "id", ()))
    (('find', '--text='), b'')
    """
    text = _HALF.sub("\N{REPLACEMENT CHARACTER}", _CONTROL.sub(" ", variant.text))
    values = {"query": text, "language": variant.language, "pattern": variant.pattern}
    arguments = tuple(_PLACE.sub(lambda m: values[m[1]], word) for word in words[1:])
    if "{query}" not in "".join(words[1:]):
        return (words[0], *arguments), text.encode() + b"\n"
    arguments = tuple(
        f" {argument}" if word.startswith("{query}") and argument.startswith(_MEANT) else argument
        for word, argument in zip(words[1:], arguments, strict=True)
    )
    return (words[0], *arguments), b""


def run_searches(
    variants: Sequence[Variant], words: Sequence[str], limits: Limits, done: Callable[[int], object] = lambda count: None
) -> list[Search]:
    """Search every variant, `limits.jobs` at a time; in the order of the variants.  One that fails hinders no other.

    `done` is called with the number of those that have ended.  Whoever stops this stops the commands, and what they started.
    """
    return asyncio.run(_run_all(variants, words, limits, done))


async def _run_all(variants: Sequence[Variant], words: Sequence[str], limits: Limits, done: Callable[[int], object]) -> list[Search]:
    free = asyncio.Semaphore(limits.jobs)
    ended = 0

    async def run(variant: Variant) -> Search:
        nonlocal ended
        async with free:
            started = time.monotonic()
            search = await _run_one(variant, words, limits)
        ended += 1
        done(ended)
        return Search(search.variant, search.results, search.failure, search.remarks, round(time.monotonic() - started, 3))

    return await asyncio.gather(*map(run, variants))


async def _run_one(variant: Variant, words: Sequence[str], limits: Limits) -> Search:
    arguments, given = fill_command(words, variant)
    try:
        process = await asyncio.create_subprocess_exec(
            *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        return Search(variant, failure=f"the command cannot be run ({getattr(error, 'strerror', None) or error})")
    code: int | None = None
    try:
        async with asyncio.timeout(limits.timeout):
            output, errors, _ = await asyncio.gather(
                _read(process, limits.max_bytes), _read_tail(process.stderr), _feed(process.stdin, given)
            )
            code = await process.wait()
    except TimeoutError:
        return Search(variant, failure=f"no answer within {limits.timeout:g} seconds")
    finally:
        if code is None:
            await _stop(process)
    if output is None:
        return Search(variant, failure=f"more than {limits.max_bytes} bytes of output")
    if code:
        last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return Search(variant, failure=f"exit code {code}{f', {last[:200]}' if last else ''}")
    results, remarks = parse_output(output.decode("utf-8", "replace"))
    return Search(variant, tuple(results), "", tuple(remarks))


async def _read(process: asyncio.subprocess.Process, most: int) -> bytes | None:
    """All that the command prints; None for too much, upon which it is ended and the rest goes by unread."""
    parts, size = [], 0
    while process.stdout is not None and (part := await process.stdout.read(1 << 16)):
        size += len(part)
        if size <= most:
            parts.append(part)
        elif parts:
            parts.clear()
            _kill(process)
    return b"".join(parts) if size <= most else None


async def _read_tail(stream: asyncio.StreamReader | None) -> bytes:
    tail = b""
    while stream is not None and (part := await stream.read(1 << 16)):
        tail = (tail + part)[-ERROR_TAIL:]
    return tail


async def _feed(stream: asyncio.StreamWriter | None, given: bytes) -> None:
    if stream is not None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a command may leave its input unread
            stream.write(given)
            await stream.drain()
        stream.close()


def _kill(process: asyncio.subprocess.Process) -> None:
    """End the command and whatever it started in its group."""
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End a command that did not end by itself; its pipes are read out, or waiting for it would never end."""
    _kill(process)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            await asyncio.gather(_read_tail(process.stdout), _read_tail(process.stderr))
            await process.wait()
            return
    process._transport.close()  # type: ignore[attr-defined]  # somebody else holds the pipes: asyncio has no public way to let go
    await asyncio.sleep(0)


def parse_output(text: str) -> tuple[list[Result], list[str]]:
    r"""Results of a command's output, best first, and a remark for each line that is none.

    A line is an object with `url` (or `link`, `href`), `title` and `snippet` (or `abstract`, `description`, `body`), or a URL alone.  An
    output that is one JSON list, or an object with a list `results`, is read too.

    >>> parse_output('{"link": "https://a.id", "title": "A", "age": 3}\n\nBye!')
    ([Result(url='https://a.id', title='A', snippet='', extra={'age': 3})], ['line 3 is no result: Bye!'])
    """
    whole = _load(text)
    if isinstance(whole, Mapping) and isinstance(whole.get("results"), list):
        whole = whole["results"]
    if isinstance(whole, list):
        rows = [(f"result {number}", row, json.dumps(row)) for number, row in enumerate(whole, 1)]
    else:
        lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        rows = [(f"line {n}", line if re.match(r"https?://\S+$", line) else _load(line), line) for n, line in lines]
    results, remarks = [], []
    for place, row, shown in rows:
        result = _read_row(row)
        if result is None:
            remarks.append(f"{place} is no result: {shown[:80]}")
        else:
            results.append(result)
    return results, remarks


def _load(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=lambda _: None)  # NaN is no JSON, and a dossier takes none
    except (ValueError, RecursionError):
        return None


def _read_row(row: Any) -> Result | None:
    if isinstance(row, str) and row.strip():
        return Result(row.strip())
    if not isinstance(row, Mapping):
        return None
    names = [_find(row, known) for known in (URL_NAMES, TITLE_NAMES, SNIPPET_NAMES)]
    if names[0] is None:
        return None
    url, title, snippet = ("" if name is None else row[name] for name in names)
    return Result(url.strip(), title, snippet, {name: value for name, value in row.items() if name not in names})


def _find(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The first of the names that holds text."""
    return next((name for name in names if isinstance(row.get(name), str) and row[name].strip()), None)
