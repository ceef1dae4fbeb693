"""Frozen, slotted records: what `dataclass(frozen=True, slots=True)` gives, made in a tenth of the time.

An agent calls this package before each search, and forty dataclasses cost 25 ms of every cold start (each compiles six functions),
importing `dataclasses` another 7.  `record` compiles one function a class and shares the others.  To the outside a record is a
dataclass: `dataclasses.replace`, `fields`, `asdict` and `is_dataclass` work, since the fields are described when they ask.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

TYPE_CHECKING = False  # as in `typing`, which this module does not load
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_: object) -> Callable[[object], object]:
        """What type checkers read; at run time nothing."""
        return lambda decorator: decorator


__all__ = ["FrozenError", "fresh", "record", "replace"]


class _Fresh:
    """A default that is made anew for each record."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def fresh(make: Callable[[], T]) -> T:
    """The default of a field that holds something mutable: `extra: Mapping[str, Any] = fresh(dict)`."""
    return _Fresh(make)  # type: ignore[return-value]


class FrozenError(AttributeError):
    """A record was to be changed: make another with `replace`."""


@dataclass_transform(frozen_default=True, eq_default=True)
def record(cls: type[T]) -> type[T]:
    """The class with its annotated fields as frozen slots, an `__init__` in their order, equality, hash, repr and pickling.

    A value in the class body is the field's default, as it is; a mutable one is given by `fresh`.  `__post_init__` is called
    where there is one.  Names without annotation stay class attributes.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), Point(1) == Point(2), replace(Point(1), y=5).y
    (Point(x=1, y=0), True, False, 5)
    """
    body = dict(cls.__dict__)
    names = tuple(body.get("__annotations__", ()))
    defaults = {name: body.pop(name) for name in names if name in body}
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    body.update(_SHARED)
    body["__slots__"] = names
    body["__match_args__"] = names
    body["__qualname__"] = cls.__qualname__
    kind: Any = type(cls)
    made: Any = kind(cls.__name__, cls.__bases__, body)
    made.__init__ = _make_init(made, names, defaults)
    made._values = staticmethod(attrgetter(*names) if len(names) > 1 else lambda self: (getattr(self, names[0]),))
    made._defaults = defaults
    return made  # type: ignore[no-any-return]


def replace(item: T, **changes: Any) -> T:
    """A record like `item` with some fields changed."""
    kept: Any = item
    names = type(kept).__slots__
    return type(item)(*[changes.pop(n) if n in changes else getattr(kept, n) for n in names], **changes)


def _make_init(made: Any, names: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """`__init__` that fills the slots directly, past the `__setattr__` that refuses."""
    space = {f"_set_{n}": getattr(made, n).__set__ for n in names} | {f"_default_{n}": v for n, v in defaults.items()}
    parameters = ", ".join(f"{n}=_default_{n}" if n in defaults else n for n in names)
    lines = [f"def __init__(self, {parameters}):", *[_fill(n, defaults.get(n)) for n in names]]
    if hasattr(made, "__post_init__"):
        lines.append("  self.__post_init__()")
    exec("\n".join(lines), space)
    init: Any = space["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__module__ = made.__module__
    return init


def _fill(name: str, default: object) -> str:
    value = f"{name} if {name} is not _default_{name} else _default_{name}.make()" if isinstance(default, _Fresh) else name
    return f"  _set_{name}(self, {value})"


def _eq(self: Any, other: object) -> Any:
    if self is other:
        return True
    return self._values(self) == other._values(other) if other.__class__ is self.__class__ else NotImplemented  # type: ignore[attr-defined]


def _hash(self: Any) -> int:
    return hash(self._values(self))


def _repr(self: Any) -> str:
    return f"{self.__class__.__qualname__}({', '.join([f'{n}={getattr(self, n)!r}' for n in self.__slots__])})"


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenError(f"{type(self).__name__}.{name} cannot be changed; make another with dataclasses.replace.")


def _reduce(self: Any) -> tuple[Any, tuple[Any, ...]]:
    return (self.__class__, tuple(self._values(self)))


class _Fields:
    """`__dataclass_fields__`, described when the `dataclasses` module asks."""

    def __get__(self, item: Any, owner: Any) -> Any:
        import dataclasses

        described: list[Any] = []
        for name in owner.__slots__:
            default = owner._defaults.get(name, dataclasses.MISSING)
            field = dataclasses.field(default_factory=default.make) if isinstance(default, _Fresh) else dataclasses.field(default=default)
            described.append((name, owner.__annotations__[name], field))
        plain: Any = dataclasses.make_dataclass(owner.__name__, described)
        return plain.__dataclass_fields__


_SHARED: dict[str, Any] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__reduce__": _reduce,
    "__dataclass_fields__": _Fields(),
}
