"""What the terminal asks about what was proposed and run, and the answer of the Partner of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

RecordVerb = Literal["list", "show", "cancel"]

_LISTED = 50
#: Among so many of the newest an id is completed.
_SEARCHED = 1_000


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
    record = await _named(partner, ask.name)
    match ask.record_verb:
        case "show":
            return [await _whole(partner, record)]
        case "cancel":
            if record.status is not ActionStatus.RUNNING:
                raise UsageError(f"{record.title} does not run; it is {record.status.value}.")
            await partner.actions.cancel(record.id)
            return [await _whole(partner, await partner.actions.get(record.id))]
        case _:
            assert_never(ask.record_verb)


async def _whole(partner: Services, record: ActionRecord) -> Json:
    steps = await partner.actions.steps(record.id) if record.chain is not None else ()
    ids = (record.id, *(step.id for step in record.chain.steps)) if record.chain is not None else (record.id,)
    entries = [entry for one in ids for entry in await partner.actions.decisions(one)]
    return {
        "action": as_json(record),
        "steps": [as_json(step) for step in steps],
        "decisions": [as_json(entry) for entry in sorted(entries, key=lambda each: each.position)],
    }


async def _named(partner: Services, name: str) -> ActionRecord:
    known = await partner.actions.list(limit=_SEARCHED)
    found = known[:1] if name == "last" else [one for one in known if name and one.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"Several actions begin with the id {name[:80]}; `actions runs` shows them.")
    return await partner.actions.get(name)  # one that is older, or a step of a chain
