"""A policy and resources from plain data, as configuration files and tool calls have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewriter import InputError, Policy, Resources, default_resources, load_resources

__all__ = ["open_resources", "read_policy"]


def read_policy(given: Policy | Mapping[str, Any] | None) -> Policy:
    """The policy itself, or that of a mapping with some of its fields; the default for None.

    An unknown field or a wrong value is an `InputError`: a misspelt option must not pass unseen.

    >>> read_policy({"ask": False, "read_roles": ["user"]}).describe()
    "ask=False,read_roles=('user',)"
    >>> read_policy({"max_variant": 3})
    Traceback (most recent call last):
    ...
    rewriter.errors.InputError: The policy has a field 'max_variant'; did you mean 'max_variants'? See rewriter.Policy.
    """
    if given is None:
        return Policy()
    if isinstance(given, Policy):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f"The policy is {type(given).__name__} {str(given)[:40]!r}; give a mapping such as {{'ask': False}}.")
    known = list(Policy.__annotations__)
    unknown = [name for name in given if name not in known]
    if unknown:
        near = _near(str(unknown[0]), known)
        raise InputError(f"The policy has a field {str(unknown[0])[:40]!r}; {near}.")
    try:
        fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        return Policy(**fields)
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


def _near(name: str, known: Sequence[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean {close[0]!r}? See rewriter.Policy" if close else f"known fields are {', '.join(known)}"


def open_resources(lexicons: Sequence[str] = (), memory: str | None = None) -> Resources:
    """The shipped lexicons, with files or folders laid over them and a translation memory; read once, by who keeps them."""
    return load_resources(*lexicons, memory=memory) if lexicons or memory else default_resources()
