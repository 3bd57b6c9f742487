"""The window, a terminal and a websocket client on one Partner, all at once."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from partner_desktop.domain.message import Role
from tests.gateways.talking import open_gateway, talker
from tests.support import REPOSITORY, run_cli_arguments

from .scene import Scene, played

TIMEOUT_S = 30.0


@asynccontextmanager
async def console(scene: Scene) -> AsyncIterator[Process]:
    """A chat command in a process of its own, on the same home."""
    where = ["--home", str(scene.home.root), "--action-dir", str(scene.action_dir)]
    process = await asyncio.create_subprocess_exec(
        *run_cli_arguments("chat", "--json", *where),
        stdin=PIPE,
        stdout=PIPE,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            assert process.stdin is not None
            process.stdin.close()
        async with asyncio.timeout(TIMEOUT_S):
            assert await process.wait() == 0


async def exchange(process: Process, text: str) -> list[dict[str, Any]]:
    """Say something on the console; every event up to the end of it."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text.encode() + b"\n")
    events: list[dict[str, Any]] = []
    async with asyncio.timeout(TIMEOUT_S):
        while not events or events[-1]["type"] != "done":
            events.append(json.loads(await process.stdout.readline()))
    return events


@pytest.mark.integration
@pytest.mark.promise("runtime.gateways")
@played
async def test_window_console_and_websocket_client_are_all_answered_at_the_same_time(scene: Scene) -> None:
    gateway, token = await open_gateway(scene.partner)
    async with console(scene) as terminal, talker(gateway, token) as client:
        composer = scene.window.page.composer.edit
        await scene.do(lambda: QTest.keyClicks(composer, "hello from the window"))
        await scene.do(lambda: QTest.keyClick(composer, Qt.Key.Key_Return))
        said, _ = await asyncio.gather(
            exchange(terminal, "hello from the terminal"), client.begin("hello from the wire")
        )
        await client.event("done")
        async with talker(gateway, "") as stranger:
            await stranger.tell("messages.send", text="hello from nobody")
            assert (await stranger.farewell())[0] == 4401
        place = scene.stage.session.outbox.place
        await scene.until(lambda: place.conversation_id)
        await scene.until(lambda: len(scene.window.page.feed.entries) == 2)
    found = {}
    for conversation in await scene.partner.conversations.list():
        messages = await scene.partner.messages.list(conversation.id)
        found[messages[0].source] = [message.role for message in messages]
    answered = [Role.USER, Role.PARTNER]
    assert found == {"window": answered, "terminal": answered, "websocket": answered}
    assert {event["conversation_id"] for event in said} != {told["conversation_id"] for told in client.events}
    assert len({told["conversation_id"] for told in client.events}) == 1
