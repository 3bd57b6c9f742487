"""What the terminal asks about commands in the background, and the answer of the Partner of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

CommandVerb = Literal["list", "read", "cancel"]

#: Bytes of a stream that `read` shows: its end.
_READ_BYTES = 64 * 1024


@dataclass(frozen=True)
class CommandAsk:
    """`name` is the id of a command, or its beginning; `list` needs none."""

    command_verb: CommandVerb
    name: str = ""


async def answer_about_commands(partner: Services, ask: CommandAsk) -> list[Json]:
    """With `list` all of them; else one object about the command, with `read` the end of its output.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    if ask.command_verb == "list":
        return [as_json(session) for session in partner.commands.list()]
    session = partner.commands.find(ask.name)
    match ask.command_verb:
        case "read":
            out = await partner.commands.output(session.id, "stdout", offset=-_READ_BYTES, limit=_READ_BYTES)
            err = await partner.commands.output(session.id, "stderr", offset=-_READ_BYTES, limit=_READ_BYTES)
            return [{"session": as_json(session), "stdout": out.text, "stderr": err.text}]
        case "cancel":
            await partner.commands.cancel(session.id)
            return [{"session": as_json(partner.commands.find(session.id))}]
        case _:
            assert_never(ask.command_verb)
