"""What is asked and said before a plan that ran is kept as an ability of its own."""

from __future__ import annotations

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json


@dataclass(frozen=True)
class SavedArgument:
    """An argument of one of its steps, which may become a parameter of the saved plan."""

    step: str
    """The id of the step."""
    number: int
    """Its place among those that are kept, counted from 1."""
    title: str
    """What the step is called."""
    param: str
    value: Json
    name: str
    """What the parameter is to be called; arguments of one name are one parameter."""
    proposed: bool = False
    """Whether it becomes a parameter; else it stays as it is."""


@dataclass(frozen=True)
class PlanSaveDraft:
    """As it begins, or as the person changed it."""

    name: str
    """The part of the key after `local::`, where that is free."""
    description: str = ""
    aliases: tuple[str, ...] = ()
    arguments: tuple[SavedArgument, ...] = ()
