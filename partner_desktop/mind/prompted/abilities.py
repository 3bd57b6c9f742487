"""Abilities as a question shows them: under short names that the answer must take one of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted

_PLAIN = re.compile(r"[\w.:\-]{1,48}")
_OTHER = re.compile(r"[^\w]+")
_SLUG, _DESCRIPTION, _PARAM, _PARAMS = 32, 160, 32, 12


class NamedAbilities:
    """Abilities by short name, in order. A key that is short and plain is its own."""

    def __init__(self, abilities: Sequence[MetaActionInfo]) -> None:
        self._named: dict[str, MetaActionInfo] = {}
        for info in abilities:
            self._named[_free_name(info, self._named)] = info

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._named)

    def lines(self) -> str:
        """One line an ability: its name, what it does, what it takes."""
        return "\n".join(f"- {name}: {described(info)}" for name, info in self._named.items())

    def named(self, name: str) -> MetaActionInfo:
        """The ability of a name.

        Raises:
            FlawError: There is none: the model made it up.
        """
        if name not in self._named:
            raise FlawError(Flaw.CHOICE)
        return self._named[name]


def described(info: MetaActionInfo) -> str:
    """What an ability does and takes; all of it is the words of whoever wrote the ability."""
    params = ", ".join(quoted(name, _PARAM) for name in list(info.properties())[:_PARAMS])
    return f"{first_line(info)} ({params})"


def first_line(info: MetaActionInfo) -> str:
    """The beginning of its description."""
    return quoted(next(iter(info.description.strip().splitlines()), "") or info.title, _DESCRIPTION)


def _free_name(info: MetaActionInfo, taken: Mapping[str, MetaActionInfo]) -> str:
    own = info.key if _PLAIN.fullmatch(info.key) else _OTHER.sub("_", info.title).strip("_")[:_SLUG].lower()
    name, number = own or "ability", 2
    while name in taken:
        name, number = f"{own or 'ability'}_{number}", number + 1
    return name
