"""The program `rewriter`: the call that stands before every search is answered here, all others by `rewriter.cli`.

`rewriter rewrite QUERY --json` imports no command-line library.  What `parse_call` does not know for certain goes to the
full command line, which takes the same options and runs the same `make_plans`: there is one meaning of each option.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rewriter import Plan, Policy, Resources, RewriterError, rewrite
from rewriter.context import ContextItem
from rewriter.errors import InputError

__all__ = ["Call", "emit", "main", "make_plans", "parse_call", "printable", "report_error"]

_UNSAFE = (  # compiled when first needed, which JSON never does
    "[\x00-\x1f\x7f-\x9f"  # controls: line ends, tabs, escape sequences of terminals
    "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\N{ARABIC LETTER MARK}"
    "\N{LEFT-TO-RIGHT EMBEDDING}-\N{RIGHT-TO-LEFT OVERRIDE}\N{LEFT-TO-RIGHT ISOLATE}-\N{POP DIRECTIONAL ISOLATE}"  # order of text
    "\ud800-\udfff]"  # halves of characters: no encoding takes them
)


class Call(NamedTuple):
    """What `rewriter rewrite` was asked: the query (`-`: one a line from standard input), turns, and policy."""

    query: str
    context: tuple[str, ...] = ()
    context_file: str | None = None
    ask: bool = True
    max_variants: int | None = None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0 (fine), 1 (findings), 2 (wrong usage, unreadable input) or 130 (interrupted)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        call = parse_call(arguments)
        if call is None:
            from rewriter.cli import run

            return run(arguments)
        for plan in make_plans(call):
            emit(plan.to_json())
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _close_output()
        return 0
    except (OSError, ValueError) as error:
        return report_error(error)
    return 0


def parse_call(arguments: Sequence[str]) -> Call | None:
    """The call in `rewrite QUERY --json` and its plain options; None for whatever else the full command line may know.

    >>> parse_call(["rewrite", "nano banana", "-c", "gemini", "--json"])
    Call(query='nano banana', context=('gemini',), context_file=None, ask=True, max_variants=None)
    >>> parse_call(["rewrite", "nano banana", "--explain"]) is None
    True
    """
    if not arguments or arguments[0] != "rewrite":
        return None
    queries: list[str] = []
    context: list[str] = []
    context_file, ask, max_variants, as_json = None, True, None, False
    rest = iter(arguments[1:])
    for argument in rest:
        if argument == "--json":
            as_json = True
        elif argument == "--no-ask":
            ask = False
        elif argument in ("-c", "--context", "--context-file", "--max-variants"):
            value = next(rest, None)
            if value is None:
                return None
            if argument == "--context-file":
                context_file = value
            elif argument == "--max-variants":
                if not re.fullmatch(r"[1-9][0-9]{0,8}", value):
                    return None
                max_variants = int(value)
            else:
                context.append(value)
        elif argument.startswith("-") and argument != "-":
            return None
        else:
            queries.append(argument)
    if not as_json or len(queries) != 1:
        return None
    return Call(queries[0], tuple(context), context_file, ask, max_variants)


def make_plans(call: Call, resources: Resources | None = None) -> Iterator[Plan]:
    """The plan of a call; one for each line of standard input where the query is `-`.  The file's turns are older than the given ones."""
    policy = Policy(ask=call.ask) if call.max_variants is None else Policy(ask=call.ask, max_variants=call.max_variants)
    turns: tuple[ContextItem, ...] = ()
    if call.context_file is not None:
        from rewriter.io.turns import read_turn_file

        if call.query == call.context_file == "-":
            raise InputError("Query and --context-file are both `-`, and standard input can be only one of them; give the turns as a file.")
        turns = read_turn_file(call.context_file)
    for query in _read_queries() if call.query == "-" else (call.query,):
        yield rewrite(query, (*turns, *call.context), resources=resources, policy=policy)


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
        _close_output()
    return 2


def _close_output() -> None:
    """Nobody reads any more: what is still buffered goes nowhere instead of failing at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
