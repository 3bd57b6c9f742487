"""Commands in the background of a real Partner, begun and asked about as a program does it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import CommandSession, SessionState
from partner_desktop.domain.events import ResultEvent, SessionEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.support import WAIT_S, Watcher, yes_to


class Background:
    """Calls of one conversation; what would ask is answered with yes."""

    def __init__(self, partner: Partner, watcher: Watcher, conversation_id: str) -> None:
        self.partner = partner
        self.watcher = watcher
        self.conversation_id = conversation_id

    async def call(self, name: str, **params: Json) -> ActionRecord:
        """One of the command builtins, to the end of the call."""
        exchange_id = new_id()
        await self.partner.abilities.run(
            f"builtin::command::{name}",
            params,
            cwd="",
            standing=ApprovalMode.ASK,
            exchange_id=exchange_id,
            conversation_id=self.conversation_id,
        )
        await yes_to(self.partner, exchange_id)
        await self.watcher.until(
            lambda event: isinstance(event, ResultEvent) and event.exchange_id == exchange_id
        )
        return next(
            record for record in await self.partner.actions.list() if record.exchange_id == exchange_id
        )

    async def data(self, name: str, **params: Json) -> JsonObject:
        """What a call that must succeed gave back."""
        record = await self.call(name, **params)
        assert record.status is ActionStatus.SUCCEEDED, record.error
        assert isinstance(record.data, dict)
        return record.data

    async def start(self, *argv: str, **params: Json) -> str:
        """Begin a command; its id."""
        return str((await self.data("start", argv=list(argv), **params))["executionId"])

    async def state(self, session_id: str, *states: SessionState) -> CommandSession:
        """The session once it is so."""
        found = await self.watcher.until(
            lambda event: (
                isinstance(event, SessionEvent)
                and event.session.id == session_id
                and event.session.state in states
            )
        )
        assert isinstance(found, SessionEvent)
        return found.session

    async def printed(self, session_id: str, size_bytes: int) -> None:
        """Wait until a command has printed so much to stdout."""
        await self.watcher.until(
            lambda event: (
                isinstance(event, SessionEvent)
                and event.session.id == session_id
                and event.session.stdout_bytes >= size_bytes
            )
        )


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something outside the loop, bounded."""
    async with asyncio.timeout(WAIT_S):
        while not happened():  # noqa: ASYNC110 - what another process does sets no event here
            await asyncio.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether the process runs; one that waits to be collected does not."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.parent.is_dir() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def written(path: Path) -> int:
    """The pid that a script wrote, once it is there whole; 0 before."""
    text = path.read_text() if path.exists() else ""
    return int(text) if text.endswith("\n") else 0


def script(folder: Path, text: str, name: str = "script.sh") -> str:
    """A shell script in a file: a shell without a line of its own."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)
