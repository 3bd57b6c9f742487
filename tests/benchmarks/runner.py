"""`runner`: what a call costs beyond the work itself.

`local`: a `local::` call through the composed client and the commit of its outcome, against the same process,
started the same way, and the same commit. `stdio`: a tool of an external server through the manager of
servers, against the bare SDK's `stdio_client` and `call_tool` on the same server. Both sides take turns in
the same run. `servers`: fifty servers of which five hang, see `runner_servers.py`.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from partner_desktop.action.runner.mcp.port import RunScope
from partner_desktop.action.runner.process import run_process
from partner_desktop.action.runner.responses import response_of
from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, Event
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.permission.request import Decision, Outcome, params_hash

#: Milliseconds that a `local::` call may add to the script and its commit.
LOCAL_LIMIT_MS = 2.0
#: How often the bare SDK's call an external stdio call may cost.
STDIO_LIMIT = 1.3
LOCAL_ROUNDS = 60
STDIO_ROUNDS = 400
READY_TIMEOUT_S = 60.0

SCRIPT = """\
# /// partner
# description = "Say a text"
# [params.text]
# type = "string"
# ///
echo "{}"
"""

SERVER = """\
from mcp.server import MCPServer

server = MCPServer("echo")


@server.tool()
def echo(text: str) -> str:
    return text


server.run()
"""

Timed = Callable[[], Awaitable[object]]


async def _alternate(rounds: int, *sides: Timed) -> list[list[float]]:
    """The times of each side in ms; whoever goes first changes every round."""
    times: list[list[float]] = [[] for _ in sides]
    for round_ in range(rounds):
        order = range(len(sides)) if round_ % 2 == 0 else reversed(range(len(sides)))
        for number in order:
            begun = time.perf_counter()
            await sides[number]()
            times[number].append((time.perf_counter() - begun) * 1000)
    return times


class Bench:
    """A Partner, and calls of its abilities that are allowed."""

    def __init__(self, partner: Partner) -> None:
        self._parts = partner._parts
        self._runs = partner.home.runs

    def info(self, key: str) -> MetaActionInfo:
        return self._parts.actions.catalog.require(key)

    async def submit(self, info: MetaActionInfo) -> RunnerResponse:
        """Through the composed client."""
        call = MetaAction(new_id(), info, {"text": "hello"})
        await self._parts.actions.runner.submit(call, _allowed(call))
        assert call.response is not None
        assert call.response.ok, call.response.error
        return call.response

    async def local(self, info: MetaActionInfo) -> None:
        """A call and its commit."""
        record = await self._waiting(info)
        begun = time.perf_counter()
        response = await self.submit(info)
        await self._commit(record, response)
        self.took_ms = (time.perf_counter() - begun) * 1000

    async def bare(self, info: MetaActionInfo) -> None:
        """The same process and the same commit, with nothing around."""
        record = await self._waiting(info)
        scope = RunScope(record.id, "", self._runs / record.id)
        spec = self._parts.actions.scripts.spec(MetaAction(record.id, info, {"text": "hello"}), scope)
        begun = time.perf_counter()
        response = response_of(await run_process(spec), sandboxed=spec.sandbox is not None)
        await self._commit(record, response)
        self.took_ms = (time.perf_counter() - begun) * 1000

    async def _waiting(self, info: MetaActionInfo) -> ActionRecord:
        """A row that runs."""
        record = ActionRecord(
            id=new_id(), conversation_id="", exchange_id="", key=info.key, title=info.title,
            description=info.description, params={"text": "hello"}, schema=info.params,
            status=ActionStatus.RUNNING, created_at=datetime.now(UTC), content_hash=info.content_hash,
        )  # fmt: skip
        await self._parts.actions.store.add(record)
        return record

    async def _commit(self, record: ActionRecord, response: RunnerResponse) -> None:
        ended = replace(record, status=ActionStatus.SUCCEEDED, stdout=response.stdout)
        audit = self._parts.floor.audit
        assert await self._parts.actions.store.replace(
            ended,
            only_from=ActionStatus.RUNNING,
            also=lambda db: audit.result(db, ended.id, ended.key, outcome=ended.status.value),
        )


def _allowed(call: MetaAction) -> Decision:
    return Decision(
        outcome=Outcome.ALLOW,
        action_id=call.id,
        action_key=call.info.key,
        content_hash=call.info.content_hash,
        params_hash=params_hash(call.params),
        sandboxed=False,
        by="flag",
    )


async def _listed(partner: Partner, key: str) -> None:
    """Until an ability can be called."""
    news = asyncio.Event()

    def take(event: Event) -> None:
        if isinstance(event, AbilitiesEvent):
            news.set()

    undo = partner.subscribe(take)
    try:
        async with asyncio.timeout(READY_TIMEOUT_S):
            while not any(each.key == key and each.usable for each in partner.abilities()):
                await news.wait()
                news.clear()
    finally:
        undo()


async def _local(partner: Partner) -> dict[str, Any]:
    bench = Bench(partner)
    info = bench.info("local::say")
    for warm in (bench.local, bench.bare):
        await warm(info)
    times: dict[str, list[float]] = {"local": [], "bare": []}
    for round_ in range(LOCAL_ROUNDS):
        sides = [("local", bench.local), ("bare", bench.bare)]
        for name, work in sides if round_ % 2 == 0 else reversed(sides):
            await work(info)
            times[name].append(bench.took_ms)
    local, bare = statistics.median(times["local"]), statistics.median(times["bare"])
    return {
        "local_call_p50_ms": round(local, 2),
        "same_process_p50_ms": round(bare, 2),
        "local_added_ms": round(local - bare, 2),
        "local_ok": local - bare <= LOCAL_LIMIT_MS,
    }
