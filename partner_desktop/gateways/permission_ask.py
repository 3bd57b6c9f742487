"""What a command asks about what may run, and the answer from the Partner of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.permission import Effect, Mode, Rule

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

PermissionVerb = Literal["list", "mode", "revoke", "deny", "ask", "forget"]


@dataclass(frozen=True)
class PermissionAsk:
    """`name` is a mode, the beginning of a grant's id, a pattern or a rule's number; `list` needs none."""

    permission_verb: PermissionVerb
    name: str = ""


async def answer_about_permissions(partner: Services, ask: PermissionAsk) -> list[Json]:
    """One object: everything in force, after what was asked for is done.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    match ask.permission_verb:
        case "list":
            pass
        case "mode":
            await partner.permissions.set_mode(_mode(ask.name))
        case "deny" | "ask":
            await partner.permissions.save_rule(Rule(Effect(ask.permission_verb), ask.name))
        case "forget":
            await partner.permissions.remove_rule(_place(ask.name))
        case "revoke":
            await partner.permissions.revoke(ask.name)
        case _:
            assert_never(ask.permission_verb)
    return [as_json(await partner.permissions.list())]


def _mode(name: str) -> Mode:
    try:
        return Mode(name)
    except ValueError as error:
        modes = ", ".join(mode.value for mode in Mode)
        raise UsageError(f"There is no mode {name}; there are {modes}.") from error


def _place(name: str) -> int:
    if not (name.isascii() and name.isdigit() and len(name) < 9):
        raise UsageError(f"{name} is no number of a rule; `partner-desktop permissions` counts them from 1.")
    return int(name) - 1
