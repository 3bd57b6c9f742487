"""The blackboard: what a process knows, as objects and as named conditions.

Every object stands in one list, in the order in which it came. Some have names beside that; `it` is the name
of what came last under no other. Conditions are booleans of their own and never looked for among the objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

#: The name of what is bound under no other.
IT = "it"


@dataclass(frozen=True)
class Nothing:
    """What a step leaves that gave nothing: so the object before it is the last one no more."""


@dataclass(eq=False)
class _Entry:
    value: object
    hidden: bool = False


@dataclass(frozen=True)
class BoardContent:
    """All of a blackboard as plain values, to be kept and read back; positions are those in `values`."""

    values: tuple[object, ...] = ()
    names: tuple[tuple[str, int], ...] = ()
    hidden: tuple[int, ...] = ()
    protected: tuple[str, ...] = ()
    conditions: tuple[tuple[str, bool], ...] = ()


class Blackboard:
    """One process's own; used from its loop only."""

    def __init__(self, content: BoardContent | None = None) -> None:
        content = content or BoardContent()
        self._entries = [
            _Entry(value, hidden=place in content.hidden) for place, value in enumerate(content.values)
        ]
        self._names = {name: self._entries[place] for name, place in content.names}
        self._protected = set(content.protected)
        self._conditions = dict(content.conditions)

    def bind(self, name: str, value: object, *, protected: bool = False, as_it: bool = False) -> None:
        """Give an object a name, and put it behind the others; a `protected` name outlives `clear`.

        With `as_it` it is `it` as well, which is not protected.
        """
        entry = _Entry(value)
        self._entries.append(entry)
        self._names[name] = entry
        if as_it:
            self._names[IT] = entry
        if protected:
            self._protected.add(name)

    def add(self, value: object) -> None:
        """Put an object behind the others; no name is touched."""
        self._entries.append(_Entry(value))

    def get(self, name: str, kind: type[T]) -> T | None:
        """The visible object of a name and a class. `it` may also be the newest object of that class.

        A mapping is never taken for an object of a class of ours, whatever it says of itself.
        """
        bound = self._names.get(name)
        if bound is not None and not bound.hidden and isinstance(bound.value, kind):
            return bound.value
        if name != IT:
            return None
        newest = (each.value for each in reversed(self._entries) if not each.hidden)
        return next((value for value in newest if isinstance(value, kind)), None)

    @property
    def last(self) -> object:
        """The very last object, hidden or not; `None` where there is none."""
        return self._entries[-1].value if self._entries else None

    @property
    def entries(self) -> tuple[object, ...]:
        """What is visible, in order."""
        return tuple(each.value for each in self._entries if not each.hidden)

    @property
    def kinds(self) -> set[type]:
        """The classes of what is visible, and their bases: what `it` can be."""
        return {base for value in {type(each) for each in self.entries} for base in value.__mro__}

    @property
    def recorded(self) -> tuple[object, ...]:
        """Everything, hidden or not, in order."""
        return tuple(each.value for each in self._entries)

    def hide(self, value: object) -> int:
        """Let nothing find any object that equals this one; they stay recorded. How many there are.

        What is put there anew afterwards is visible, even if it is equal.
        """
        equal = [each for each in self._entries if each.value == value]
        for each in equal:
            each.hidden = True
        return len(equal)

    def clear(self) -> None:
        """Forget all objects, names and conditions but what has a protected name."""
        self._names = {name: entry for name, entry in self._names.items() if name in self._protected}
        kept = {id(entry) for entry in self._names.values()}
        self._entries = [each for each in self._entries if id(each) in kept]
        self._conditions.clear()

    def spawn(self) -> Blackboard:
        """A copy for a child. What is hidden here is not hidden there; nothing flows back by itself."""
        content = self.content
        return Blackboard(
            BoardContent(
                content.values, content.names, protected=content.protected, conditions=content.conditions
            )
        )

    def set_condition(self, name: str, holds: bool) -> None:
        """Say of a named condition whether it holds."""
        self._conditions[name] = holds

    def condition(self, name: str) -> bool:
        """Whether it was said to hold; nothing but `set_condition` says so."""
        return self._conditions.get(name, False)

    @property
    def content(self) -> BoardContent:
        """All of it; the objects are the same ones."""
        places = {id(entry): place for place, entry in enumerate(self._entries)}
        return BoardContent(
            self.recorded,
            tuple((name, places[id(entry)]) for name, entry in self._names.items()),
            tuple(place for place, entry in enumerate(self._entries) if entry.hidden),
            tuple(sorted(self._protected)),
            tuple(self._conditions.items()),
        )
