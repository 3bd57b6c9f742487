"""What the terminal asks about what was proposed and run, and the answer of the Partner of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

RecordVerb = Literal["list", "show", "cancel"]

_LISTED = 50


@dataclass(frozen=True)
class RecordAsk:
    """`name` is the id of an action, its beginning, or `last`; `list` needs none."""

    record_verb: RecordVerb
    name: str = ""


async def answer_about_records(partner: Services, ask: RecordAsk) -> list[Json]:
    """With `list` the newest records, newest first; else one object: `action`, its `steps`, `decisions`.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    if ask.record_verb == "list":
        return [as_json(record) for record in await partner.actions.list(limit=_LISTED)]
    record = await partner.actions.find(ask.name)
    match ask.record_verb:
        case "show":
            return [as_json(await partner.actions.story(record.id))]
        case "cancel":
            if record.status is not ActionStatus.RUNNING:
                raise UsageError(f"{record.title} does not run; it is {record.status.value}.")
            await partner.actions.cancel(record.id)
            return [as_json(await partner.actions.story(record.id))]
        case _:
            assert_never(ask.record_verb)
