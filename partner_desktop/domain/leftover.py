"""What of a request came into nothing that is done."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from partner_desktop.base.late_dataclass import dataclass
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
