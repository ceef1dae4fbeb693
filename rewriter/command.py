"""The program `rewriter`: the call that stands before every search is answered here, all others by `rewriter.cli`.

`rewriter rewrite QUERY --json` imports no command-line library.  What `parse_call` does not know for certain goes to the
full command line, which takes the same options and runs the same `make_plans`: there is one meaning of each option.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from rewriter.calls import Call, close_output, emit, make_plans, report_error

__all__ = ["main", "parse_call"]


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
        close_output()
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
