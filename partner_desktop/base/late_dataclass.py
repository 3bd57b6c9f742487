"""`dataclass` as of the library, but its methods cost nothing until an object of the class is made.

The library compiles six functions for each class as soon as it is defined. That was half of a start, and
most of it for classes that this start made no object of. Here all classes share what shows, compares and
guards their objects, and `__init__` is compiled when it is first called.

`slots`, `order` and `InitVar` are left to the library; a class and its bases come from one of the two.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        made: type | None = None, /, *, frozen: bool = False, kw_only: bool = False, eq: bool = True
    ) -> type | Callable[[type], type]:
        """Use it like the library's; type checkers take it for that."""

        def decorated(cls: type) -> type:
            dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
            for name, method in _methods(cls, frozen=frozen, eq=eq).items():
                if name not in vars(cls) or (name == "__hash__" and vars(cls)[name] is None):
                    setattr(cls, name, method)
            return cls

        return decorated if made is None else decorated(made)


def _methods(
    cls: type, *, frozen: bool, eq: bool
) -> dict[str, Any]:  # Any: methods of any shape, and no hash
    methods: dict[str, Any] = {"__init__": _LateInit(cls, frozen=frozen), "__repr__": _repr}
    if eq:
        compared = [field for field in fields(cls) if field.compare]
        hashed = [field for field in fields(cls) if (field.compare if field.hash is None else field.hash)]
        methods["__eq__"] = _equality(_values_of(compared))
        methods["__hash__"] = _hash(_values_of(hashed)) if frozen else None
    if frozen:
        methods |= {"__setattr__": _setattr, "__delattr__": _delattr}
    return methods


class _LateInit:
    """Stands for the `__init__` of a class until somebody asks for it."""

    def __init__(self, cls: type, *, frozen: bool) -> None:
        self._cls = cls
        self._frozen = frozen

    def __get__(self, one: object, _owner: type) -> Callable[..., None]:
        # Two threads may both make it; either does.
        made = _init(self._cls, frozen=self._frozen)
        if vars(self._cls)["__init__"] is self:
            self._cls.__init__ = made
        return made if one is None else MethodType(made, one)


def _init(cls: type, *, frozen: bool) -> Callable[..., None]:
    """The `__init__` that takes every field."""
    names: dict[str, object] = {"_MISSING": MISSING, "_set": object.__setattr__}
    given, named, lines = ["self"], list[str](), ["pass"]
    for field in fields(cls):
        value = field.name
        parameter = field.name
        if field.default is not MISSING:
            names[f"_default_{field.name}"] = field.default
            parameter += f"=_default_{field.name}"
        elif field.default_factory is not MISSING:
            names[f"_make_{field.name}"] = field.default_factory
            parameter += "=_MISSING"
            value = f"_make_{field.name}()"
            if field.init:
                value += f" if {field.name} is _MISSING else {field.name}"
        elif not field.init:
            continue
        if field.init:
            (named if field.kw_only else given).append(parameter)
        elif field.default is not MISSING:
            continue
        lines.append(f"_set(self, {field.name!r}, {value})" if frozen else f"self.{field.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join([*given, *(["*", *named] if named else [])])
    text = "\n ".join([f"def __init__({parameters}):", *lines])
    exec(text, names)  # noqa: S102 - names of fields only, as the library does it
    init = names["__init__"]
    assert isinstance(init, FunctionType)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _values_of(chosen: list[Field[Any]]) -> Callable[[object], object]:
    """What gives the values of these fields as one."""
    names = [field.name for field in chosen]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


def _equality(values: Callable[[object], object]) -> Callable[[object, object], bool]:
    def __eq__(self: object, other: object) -> bool:  # noqa: N807 - as above
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(values: Callable[[object], object]) -> Callable[[object], int]:
    def __hash__(self: object) -> int:  # noqa: N807 - as above
        return hash(values(self))

    return __hash__


@recursive_repr()
def _repr(self: Any) -> str:  # noqa: ANN401 - an object of any such class
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _setattr(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
