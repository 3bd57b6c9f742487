"""What of a request came into nothing that is done."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import PurePath
from typing import Protocol

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo


class LeftoverKind(StrEnum):
    """What kind of words were left; the gravest first."""

    EXCLUSION = "exclusion"
    """`except the PDFs`: never done without it."""
    CONDITION = "condition"
    """`if there are any`."""
    NEGATION = "negation"
    """`no backups`."""
    ONLY = "only"
    """`only the PDFs`."""
    WITH = "with"
    """`with holiday`."""
    PLACE = "place"
    """A path that is in no argument."""
    NAME = "name"
    """`called Old Stuff`, or what is written like a name."""
    QUOTE = "quote"
    NUMBER = "number"


@dataclass(frozen=True)
class Leftover:
    """Words of a request that nothing stands for."""

    kind: LeftoverKind
    words: str
    """As they were said."""


def unkept(info: MetaActionInfo, leftovers: Sequence[Leftover]) -> str:
    """What of the words the ability would go against: it cannot leave that out, or keep to it."""
    kinds = {LeftoverKind.EXCLUSION}
    if not info.annotations.read_only:
        kinds |= {LeftoverKind.ONLY}
    return next((left.words for left in leftovers if left.kind in kinds), "")


def unused(info: MetaActionInfo, leftovers: Sequence[Leftover]) -> tuple[str, ...]:
    """What of the words a card of the ability has to tell that it does nothing with."""
    kinds = {LeftoverKind.PLACE, LeftoverKind.QUOTE, LeftoverKind.NUMBER, LeftoverKind.NAME}
    if info.annotations.read_only:
        return ()
    return tuple(dict.fromkeys(left.words for left in leftovers if left.kind in kinds))


class _Accounted(Protocol):
    @property
    def info(self) -> MetaActionInfo: ...
    @property
    def params(self) -> JsonObject: ...
    @property
    def leftovers(self) -> Sequence[Leftover]: ...


def unused_by_all(steps: Sequence[_Accounted]) -> tuple[str, ...]:
    """The same of steps that are done together: what one leaves may be another's."""
    given = " ".join(str(step.params) for step in steps).casefold()
    told = dict.fromkeys(words for step in steps for words in unused(step.info, step.leftovers))
    return tuple(words for words in told if PurePath(words.strip("'\"")).name.casefold() not in given)
