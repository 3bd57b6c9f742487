"""Abilities as a question shows them: under short names that the answer must take one of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.slot import Slot, slots_of
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.prompted.form import choices_of, kind_of
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, written

#: Abilities that a small model can still choose among.
MOST_SHOWN = 12
#: Bytes of all lines together: with the shared beginning they fit a context of two thousand tokens.
_ALL_LINES = 3_600
_LEAST_PARAMS, _MOST_PARAMS = 72, 400

_PLAIN = re.compile(r"[\w.:\-]{1,48}")
_OTHER = re.compile(r"[^\w]+")
_SLUG, _DESCRIPTION, _PARAM, _CHOICE, _CHOICES = 32, 160, 32, 20, 6
_NEAREST, _TYPED_NAME = 3, 80


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
        room = _ALL_LINES // max(1, len(self._named))
        return "\n".join(f"- {name}: {described(info, room)}" for name, info in self._named.items())

    def named(self, name: str) -> MetaActionInfo:
        """The ability of a name.

        Raises:
            FlawError: There is none: the model made it up.
        """
        if name not in self._named:
            raise FlawError(Flaw.CHOICE, self._nearest(name))
        return self._named[name]

    def name_of(self, key: str) -> str:
        """The short name of an ability; empty where it is none of these."""
        return next((name for name, info in self._named.items() if info.key == key), "")

    def _nearest(self, name: str) -> list[str]:
        """The names that are written most alike, or the likeliest."""
        called = name[:_TYPED_NAME].casefold()
        alike = {short.rpartition("::")[2].casefold(): short for short in reversed(self._named)}
        found = get_close_matches(called.rpartition("::")[2], alike, n=_NEAREST, cutoff=0.4)
        return [alike[one] for one in found] or list(self._named)[:_NEAREST]


def described(info: MetaActionInfo, room: int) -> str:
    """What an ability does and takes, in about `room` bytes; all of it is the words of who wrote it."""
    head = first_line(info)
    left = max(_LEAST_PARAMS, min(_MOST_PARAMS, room - len(head.encode())))
    return f"{head} ({_params(info, left)})"


def first_line(info: MetaActionInfo) -> str:
    """The beginning of its description."""
    line = next(iter(info.description.strip().splitlines()), "") or info.title
    return quoted(line, _DESCRIPTION // 2 if has_cjk(line) else _DESCRIPTION)


def _params(info: MetaActionInfo, room: int) -> str:
    """The parameters that the room holds, what a call must carry first."""
    told: list[str] = []
    slots = sorted(slots_of(info), key=lambda slot: not slot.required)
    for slot in slots:
        words = _param(slot)
        room -= len(words.encode()) + 2
        if room < 0:
            told.append("…")
            break
        told.append(words)
    return "; ".join(told)


def _param(slot: Slot) -> str:
    choices = choices_of(slot)
    kind = "one of " + _some(choices) if choices else _kind(slot)
    words = f"{quoted(slot.name, _PARAM)}: {'list of ' if slot.is_list else ''}{kind}"
    return f"{words}, required" if slot.required else words


def _kind(slot: Slot) -> str:
    plain = slot.format if slot.format in ("path", "date", "time", "date-time", "email", "uri") else ""
    return plain or kind_of(slot.item) or "object"


def _some(choices: Sequence[object]) -> str:
    shown = [
        quoted(choice, _CHOICE) if isinstance(choice, str) else written(str(choice))
        for choice in choices[:_CHOICES]
    ]
    return "/".join(shown) + ("/…" if len(choices) > _CHOICES else "")


def _free_name(info: MetaActionInfo, taken: Mapping[str, MetaActionInfo]) -> str:
    own = info.key if _PLAIN.fullmatch(info.key) else _OTHER.sub("_", info.title).strip("_")[:_SLUG].lower()
    name, number = own or "ability", 2
    while name in taken:
        name, number = f"{own or 'ability'}_{number}", number + 1
    return name
