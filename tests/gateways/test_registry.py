"""Gateways follow their settings: what did not change is left alone, what fails changes nothing."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from partner_desktop.api.services import Services
from partner_desktop.app import Partner
from partner_desktop.base.errors import GatewayError
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.registry import GatewayRegistry
from partner_desktop.gateways.settings import GatewayEntry, GatewaySettings, WebsocketSettings
from tests.gateways.talking import SmallHost, open_gateway, talker
from tests.support import REPOSITORY


class Lamp:
    """A gateway of another package: it is on or off."""

    name = "lamp"

    def __init__(self, host: Services, params: Mapping[str, Json]) -> None:
        self.host = host
        self.params = params
        self.on = False

    async def launch(self) -> None:
        self.on = True
        if self.params.get("hangs"):
            await asyncio.Event().wait()
        if self.params.get("broken"):
            raise RuntimeError("the bulb is broken")

    async def shutdown(self) -> None:
        self.on = False
        if self.params.get("sticks"):
            raise RuntimeError("the switch sticks")


def entries(**lamps: dict[str, Json]) -> GatewaySettings:
    return GatewaySettings(
        gateway=tuple(GatewayEntry(name=name, params=params) for name, params in lamps.items())
    )


def build(settings: GatewaySettings) -> tuple[GatewayRegistry, ConfigHandle[GatewaySettings], list[Lamp]]:
    made: list[Lamp] = []

    def factory(host: Services, params: Mapping[str, Json]) -> Lamp:
        made.append(Lamp(host, params))
        return made[-1]

    handle = ConfigHandle("gateways", settings)
    return GatewayRegistry(SmallHost().face, handle, dict.fromkeys(("a", "b", "c"), factory)), handle, made


async def test_a_reload_stops_what_is_gone_restarts_what_changed_and_leaves_the_rest_alone() -> None:
    registry, _, made = build(entries(a={"watt": 5}, b={"watt": 5}, c={}))
    await registry.launch()
    a, b, c = made
    await registry.apply(entries(a={"watt": 5}, b={"watt": 9}))
    assert registry.running("a") is a
    assert registry.running("c") is None
    assert [lamp.on for lamp in (a, b, c)] == [True, False, False]
    changed = registry.running("b")
    assert isinstance(changed, Lamp)
    assert (changed.on, changed.params) == (True, {"watt": 9})
    await registry.shutdown()
    assert not any(lamp.on for lamp in made)


async def test_when_one_cannot_open_everything_runs_as_before_and_the_reload_is_turned_down() -> None:
    registry, _, made = build(entries(a={}, b={"watt": 5}))
    await registry.launch()
    _, old = made
    with pytest.raises(GatewayError, match="c could not be opened: the bulb is broken"):
        await registry.apply(entries(b={"watt": 9}, c={"broken": True}))
    again = registry.running("b")
    assert isinstance(again, Lamp)
    assert (again.on, again.params) == (True, {"watt": 5})
    assert registry.running("c") is None
    assert registry.running("a") is not None
    assert not old.on
    assert sum(lamp.on for lamp in made) == 2
    await registry.shutdown()


async def test_an_unknown_name_changes_nothing_and_names_what_there_is() -> None:
    registry, _, made = build(entries(a={}))
    await registry.launch()
    with pytest.raises(GatewayError, match="matrix, which nothing here brings; known: a, b, c"):
        await registry.apply(entries(matrix={}))
    assert registry.running("a") is made[0]
    assert made[0].on
    await registry.shutdown()


async def test_at_the_start_one_that_fails_keeps_nothing_else_closed() -> None:
    registry, _, made = build(entries(a={"broken": True}, b={}))
    await registry.launch()
    assert registry.faults == ("The gateway a could not be opened: the bulb is broken",)
    assert [lamp.on for lamp in made] == [False, True]
    await registry.shutdown()


@pytest.mark.logs_errors
async def test_one_that_raises_at_its_end_keeps_no_other_open() -> None:
    registry, _, made = build(entries(a={"sticks": True}, b={}))
    await registry.launch()
    await registry.shutdown()
    await registry.shutdown()
    assert not any(lamp.on for lamp in made)
    await registry.apply(entries(a={}))
    assert registry.running("a") is None, "closed is closed"


def test_two_gateways_of_one_name_are_no_settings() -> None:
    with pytest.raises(ValidationError, match="two gateways are called a"):
        GatewaySettings(gateway=(GatewayEntry(name="a"), GatewayEntry(name="a")))
    with pytest.raises(ValidationError, match="two gateways are called websocket"):
        GatewaySettings(gateway=(GatewayEntry(name="websocket"),))


async def test_a_reload_that_does_not_concern_it_keeps_websocket_clients_connected(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        same, _ = await open_gateway(partner)
        assert same is gateway
        assert await one.is_heard()
        other, _ = await open_gateway(partner, max_clients=3)
        assert other is not gateway
        assert (await one.farewell())[0] == 1001
    await partner.gateways.apply(GatewaySettings())
    assert partner.gateways.running("websocket") is None


async def test_a_port_that_is_taken_is_explained_and_the_old_one_still_answers(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        wanted = GatewaySettings(websocket=WebsocketSettings(enabled=True, port=port))
        with pytest.raises(GatewayError, match=f"Port {port} on 127.0.0.1 cannot be opened"):
            await partner.gateways.apply(wanted)
    again = partner.gateways.running("websocket")
    assert again is not None
    assert again is not gateway
    async with talker(again, token) as one:  # type: ignore[arg-type] # only one kind runs here
        assert await one.is_heard()


@pytest.mark.integration
def test_the_library_comes_in_only_with_a_gateway_that_is_switched_on() -> None:
    probe = (
        "import sys, partner_desktop.app, partner_desktop.commands.chat\n"
        "print([name for name in ('websockets', 'prompt_toolkit') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=REPOSITORY, timeout=60
    )
    assert done.stdout.strip() == "[]"
