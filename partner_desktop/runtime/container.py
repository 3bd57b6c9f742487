"""Container: who provides what, and constructors filled by the types of their parameters.

Contract: a type is provided exactly once; asking for one that nothing provides, or that two do, is a
WiringError naming everyone concerned. Nothing is scanned: what is not provided or offered by name in app/
is not found. An offered class is built when it is first needed, and only once.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from partner_desktop.base.errors import WiringError
from partner_desktop.base.late_dataclass import dataclass

T = TypeVar("T")


@dataclass
class _Provider:
    """One implementation, there already or to be built by its class."""

    name: str
    get: Callable[[], object]


class Container:
    """Implementations by the type that they are asked for as: a Protocol, a class, or `ConfigHandle[X]`."""

    def __init__(self) -> None:
        self._providers: dict[Any, list[_Provider]] = {}  # Any: generic aliases are keys too
        self._building: list[type] = []

    def provide(self, kind: type[T], implementation: T) -> None:
        """Register an implementation that is there."""
        provider = _Provider(type(implementation).__qualname__, lambda: implementation)
        self._providers.setdefault(kind, []).append(provider)

    def offer(self, kind: type[T], made_by: type[T]) -> None:
        """Register a class whose one instance is built when somebody first needs it."""
        made: list[T] = []

        def get() -> object:
            if not made:
                made.append(self.build(made_by))
            return made[0]

        self._providers.setdefault(kind, []).append(_Provider(made_by.__qualname__, get))

    def __contains__(self, kind: object) -> bool:
        return kind in self._providers

    def check(self) -> None:
        """See that nothing is provided twice.

        Raises:
            WiringError: Something is; both classes are named.
        """
        for kind in self._providers:
            self._the_one(kind)

    def get(self, kind: type[T]) -> T:
        """The one implementation.

        Raises:
            WiringError: There is none, or more than one.
        """
        return cast("T", self._the_one(kind).get())

    def build(self, made: type[T]) -> T:
        """An instance of `made`, each parameter of its constructor filled by its type.

        A parameter that nothing provides keeps its default, or becomes None where its type allows that.

        Raises:
            WiringError: A parameter cannot be filled; the class, the parameter and its type are named. Or
                classes need each other in a circle; all of them are named.
        """
        if made in self._building:
            circle = [*self._building[self._building.index(made) :], made]
            names = ", ".join(f"{one.__name__} needs {other.__name__}" for one, other in pairwise(circle))
            raise WiringError(f"These parts need each other in a circle: {names}.")
        self._building.append(made)
        try:
            return made(**self._arguments(made))
        finally:
            self._building.pop()

    def _arguments(self, made: type) -> dict[str, object]:
        return {
            parameter.name: self._argument(made, parameter, hint)
            for parameter, hint in _parameters(made)
            if parameter.default is parameter.empty or self._known(hint)
        }

    def _known(self, hint: object) -> bool:
        return any(kind in self for kind in _kinds(hint))

    def _argument(self, made: type, parameter: inspect.Parameter, hint: object) -> object:
        where = f"{made.__name__} needs {parameter.name}"
        if hint is None:
            raise WiringError(f"{where}, but does not say of which type.")
        for kind in _kinds(hint):
            if kind in self:
                return self._filled(where, kind)
        if type(None) in get_args(hint):
            return None
        raise WiringError(f"{where}: {_name(hint)}, which nothing provides.")

    def _filled(self, where: str, kind: object) -> object:
        names = self._names(kind)
        if len(names) != 1:
            raise WiringError(f"{where}: {_name(kind)}, which {' and '.join(names)} provide; only one may.")
        return self._providers[kind][0].get()

    def _the_one(self, kind: object) -> _Provider:
        names = self._names(kind)
        if len(names) != 1:
            found = " and ".join(names) or "nothing"
            raise WiringError(f"{_name(kind)} needs exactly one implementation; {found} provides it.")
        return self._providers[kind][0]

    def _names(self, kind: object) -> list[str]:
        return [provider.name for provider in self._providers.get(kind, ())]


@lru_cache(maxsize=256)
def _parameters(made: type) -> Sequence[tuple[inspect.Parameter, object]]:
    """What can be filled, each with its type; a class is read once, because that takes a while."""
    hints = _hints(made)
    return tuple(
        (parameter, hints.get(name))
        for name, parameter in inspect.signature(made).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    )


def _hints(made: type) -> Mapping[str, object]:
    try:
        return get_type_hints(made.__init__)  # type: ignore[misc] # the class is only asked, not made
    except NameError as error:
        raise WiringError(
            f"The constructor of {made.__name__} names a type that is not there when it runs ({error.name}); "
            "import it outside of TYPE_CHECKING."
        ) from error


def _kinds(hint: object) -> tuple[object, ...]:
    """What would fill a parameter of this type: the type itself, or any part of a union but None."""
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(kind for kind in get_args(hint) if kind is not type(None))
    return (hint,)


def _name(kind: object) -> str:
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
