"""Builtins called as a program calls them: by key, through the permission engine, in a real Partner."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher


class Caller:
    """Calls and waits for the end. What would ask is answered with yes, unless `standing` says otherwise."""

    def __init__(self, partner: Partner, watcher: Watcher) -> None:
        self.partner = partner
        self.watcher = watcher

    async def __call__(
        self, name: str, params: JsonObject, *, standing: ApprovalMode = ApprovalMode.ALL, cwd: str = ""
    ) -> ActionRecord:
        exchange_id = new_id()
        await self.partner.abilities.run(
            f"builtin::{name}", params, cwd=cwd, standing=standing, exchange_id=exchange_id
        )
        await self.watcher.done(exchange_id)
        return (await self.partner.actions.list(limit=1))[0]


def summary(record: ActionRecord) -> str:
    """What was said of a success; the sentence of a failure."""
    if record.error:
        return record.error
    assert isinstance(record.data, dict)
    return str(record.data["summary"])


def items(record: ActionRecord, name: str = "items") -> list[str]:
    assert isinstance(record.data, dict)
    found = record.data[name]
    assert isinstance(found, list)
    return [str(item) for item in found]


def leftovers(folder: Path) -> set[str]:
    """What lies in a folder, hidden things included."""
    return {path.name for path in folder.iterdir()}
