"""What a call of the program is, and how its answers reach standard output: shared by the quick path and the full command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence

from rewriter import Plan, Policy, Resources, RewriterError, load_resources, rewrite
from rewriter.context import ContextItem
from rewriter.errors import InputError
from rewriter.record import record

TYPE_CHECKING = False  # neither `typing` nor `pathlib` is loaded for it
if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Call", "close_output", "emit", "make_plans", "named_lexicons", "printable", "report_error"]

LEXICONS = "REWRITER_LEXICONS"
"""Names lexicon files and folders for the command line, parted as in `PATH`; the library never reads it."""

_UNSAFE = (  # compiled when first needed, which JSON never does
    "[\x00-\x1f\x7f-\x9f"  # controls: line ends, tabs, escape sequences of terminals
    "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\N{ARABIC LETTER MARK}"
    "\N{LEFT-TO-RIGHT EMBEDDING}-\N{RIGHT-TO-LEFT OVERRIDE}\N{LEFT-TO-RIGHT ISOLATE}-\N{POP DIRECTIONAL ISOLATE}"  # order of text
    "\ud800-\udfff]"  # halves of characters: no encoding takes them
)


@record
class Call:
    """What `rewriter rewrite` was asked: the query (`-`: one a line from standard input), turns, and policy."""

    query: str
    context: tuple[str, ...] = ()
    context_file: str | None = None
    ask: bool = True
    max_variants: int | None = None


def make_plans(call: Call, resources: Resources | None = None) -> Iterator[Plan]:
    """The plan of a call; one for each line of standard input where the query is `-`.  The file's turns are older than the given ones."""
    policy = Policy(ask=call.ask) if call.max_variants is None else Policy(ask=call.ask, max_variants=call.max_variants)
    turns: tuple[ContextItem, ...] = ()
    if call.context_file is not None:
        from rewriter.io.turns import read_turn_file

        if call.query == call.context_file == "-":
            raise InputError("Query and --context-file are both `-`, and standard input can be only one of them; give the turns as a file.")
        turns = read_turn_file(call.context_file)
    if resources is None:
        named = named_lexicons()
        resources = load_resources(*named) if named else None
    for query in _read_queries() if call.query == "-" else (call.query,):
        yield rewrite(query, (*turns, *call.context), resources=resources, policy=policy)


def named_lexicons(given: Sequence[str | Path] = ()) -> tuple[str | Path, ...]:
    """Lexicons of the environment (`REWRITER_LEXICONS`), then the given ones."""
    return (*[part for part in os.environ.get(LEXICONS, "").split(os.pathsep) if part.strip()], *given)


def _read_queries() -> Iterator[str]:
    """Lines of standard input; as in arguments, bytes that are no UTF-8 become lone surrogates and are no error."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "surrogateescape").removesuffix("\n").removesuffix("\r")


def printable(text: str) -> str:
    r"""One line that a terminal may safely show: white space is a space, other controls are visible as U+FFFD.

    >>> printable("red \x1b[31m\tlamp")
    'red �[31m lamp'
    """
    return re.sub(_UNSAFE, lambda m: " " if m[0].isspace() else "\N{REPLACEMENT CHARACTER}", text)


def emit(text: str, end: str = "\n") -> None:
    """Print to standard output, at once, with `?` for what its encoding lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), end=end, flush=True)


def report_error(error: Exception) -> int:
    """One sentence on standard error, and the exit code 2."""
    told = str(error)
    if isinstance(error, OSError) and error.strerror:
        told = f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    first, *more = told.split("\n")
    count = f" (and {len(more)} more; `rewriter lexicon lint` lists them)" if more and isinstance(error, RewriterError) else ""
    print(f"rewriter: {printable(first)}{count}", file=sys.stderr)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:  # a full disk: what is left would fail again at exit
        close_output()
    return 2


def close_output() -> None:
    """Nobody reads any more: what is still buffered goes nowhere instead of failing at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
