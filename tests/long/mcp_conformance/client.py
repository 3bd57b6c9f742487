"""The command that the suite runs: `python -m tests.long.mcp_conformance.client URL`.

A Partner with a home of its own gets the address in a fresh `mcp/x.json`, and does with it what a person
would: starts it, signs in where that is asked for (a browser that says yes to everything), calls what it
offers, and sends each form as it comes up.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.paths import Home
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import ElicitationEvent, Event, ResultEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus, SignInState
from partner_desktop.permission.request import ApprovalMode
from tests.action.mcp.sign_in_server import browse
from tests.support import Trusting

#: What the suite's own document of a client is called; it is never fetched.
_METADATA_URL = "https://conformance-test.local/client-metadata.json"
_LIMIT_S = 90.0
#: Sign-ins that a person would bear in one go.
_MOST_SIGN_INS = 3
_ON_THE_WAY = (ServerPhase.CONFIGURED, ServerPhase.STARTING)


class Person:
    """Presses, and answers; what they see is printed."""

    def __init__(self, partner: Partner) -> None:
        self._partner = partner
        self._results: dict[str, asyncio.Future[ResultEvent]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sign_ins = 0
        partner.subscribe(self._take)

    def _take(self, event: Event) -> None:
        if isinstance(event, ElicitationEvent) and event.open:
            task = asyncio.get_running_loop().create_task(self._answer(event.elicitation))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif isinstance(event, ResultEvent) and event.exchange_id in self._results:
            self._results[event.exchange_id].set_result(event)

    async def _answer(self, asked: Elicitation) -> None:
        """Send it as it came up: with what stands there already."""
        fields = asked.schema.get("properties")
        given = fields if isinstance(fields, dict) else {}
        described = {name: each for name, each in given.items() if isinstance(each, dict)}
        content: JsonObject = {name: each["default"] for name, each in described.items() if "default" in each}
        for name, each in described.items():
            if name not in content and name in _required(asked.schema):
                content[name] = _example(each)
        await self._partner.servers.answer(asked.id, ElicitationAnswer("accept", content))

    async def started(self) -> ServerStatus:
        """Start it, signing in as often as that is asked for and helps."""
        while True:
            await self._partner.servers.location_settled("x::")
            status = await self._partner.servers.status("x")
            if status.question is not None or status.phase in _ON_THE_WAY:
                await asyncio.sleep(0.05)  # the yes, or the start after it, is under way
            elif not await self._signed_in(status) or status.phase is ServerPhase.READY:
                return await self._partner.servers.status("x")

    async def _signed_in(self, status: ServerStatus) -> bool:
        """Whether a sign-in was asked for, and done."""
        wants = status.sign_in is not None and status.sign_in.state is SignInState.NEEDED
        if not wants or self._sign_ins >= _MOST_SIGN_INS:
            return False
        self._sign_ins += 1
        try:
            page = await self._partner.servers.sign_in("x")
        except PartnerError as error:
            print(f"sign-in: {error}")
            return False
        await asyncio.to_thread(browse, page)
        await self._partner.servers.sign_in_settled("x")
        after = await self._partner.servers.status("x")
        print(f"sign-in: {after.sign_in}")
        # One that is needed again at once is another: the server changed its mind.
        return after.sign_in is not None and after.sign_in.state is not SignInState.REFUSED

    async def call(self, tool: str, params: JsonObject) -> None:
        """Call it; once more after each sign-in that this asked for."""
        while True:
            await self._call(tool, params)
            if not await self._signed_in(await self._partner.servers.status("x")):
                return

    async def _call(self, tool: str, params: JsonObject) -> None:
        exchange = f"e{len(self._results)}"
        self._results[exchange] = asyncio.get_running_loop().create_future()
        try:
            await self._partner.abilities.run(
                f"x::{tool}", params, cwd="", standing=ApprovalMode.ALL, exchange_id=exchange
            )
            done = await self._results[exchange]
            print(tool, params, done.action.status, done.action.stdout[:200], done.action.error or "")
        except PartnerError as error:
            print(tool, params, "not called:", error)


def _required(schema: JsonObject) -> list[Json]:
    found = schema.get("required")
    return found if isinstance(found, list) else []


#: What a person could type.
_EXAMPLES: JsonObject = {"string": "test", "integer": 1, "number": 1, "boolean": True}


def _example(schema: JsonObject) -> Json:
    choices = schema.get("enum")
    return choices[0] if isinstance(choices, list) else _EXAMPLES.get(str(schema.get("type")), "test")


def _params(schema: JsonObject, an_object: JsonObject) -> JsonObject:
    """Values for what a tool needs; for an object, a schema of another one, which the suite looks at."""
    fields = schema.get("properties")
    given = fields if isinstance(fields, dict) else {}
    described = {name: each for name, each in given.items() if isinstance(each, dict)}
    return {
        name: an_object
        if described.get(name, {}).get("type") == "object"
        else _example(described.get(name, {}))
        for name in map(str, _required(schema))
    }


def _configuration(url: str, scenario: str, context: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "http", "url": url, "startTimeout": 40}
    if "client_id" in context:
        entry["oauth"] = {"clientId": context["client_id"], "clientSecret": context.get("client_secret", "")}
    elif scenario.endswith("basic-cimd"):
        entry["oauth"] = {"clientMetadataUrl": _METADATA_URL}
    return {"mcpServers": {"x": entry}}


async def main(url: str, folder: Path) -> None:
    """One scenario."""
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    action_dir = folder / "action"
    (action_dir / "mcp").mkdir(parents=True)
    text = json.dumps(_configuration(url, scenario, context))
    (action_dir / "mcp" / "x.json").write_text(text, encoding="utf-8")
    partner = Partner(Home(folder / "home"), action_dir, meaning=False)
    trusting, person = Trusting(partner), Person(partner)
    await partner.launch()
    try:
        async with asyncio.timeout(_LIMIT_S):
            status = await person.started()
            print(status.phase, status.failure.message if status.failure is not None else "")
            asked = context.get("toolCalls")
            calls = [(each["name"], each.get("arguments", {})) for each in asked or []]
            if not asked:
                await partner.servers.settled()
                infos = [each.info for each in partner.abilities.list() if each.info is not None]
                mine = [info for info in infos if info.location == "x"]
                calls = [(info.key.partition("::")[2], _params(info.params, mine[0].params)) for info in mine]
            for tool, params in calls:
                await person.call(tool, params)
    except TimeoutError:
        print("out of time")
    finally:
        await partner.close()
        await trusting.settled()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        asyncio.run(main(sys.argv[1], Path(place)))
