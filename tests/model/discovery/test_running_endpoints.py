"""Programs that serve models are found by one question to each port, whatever else listens there."""

from __future__ import annotations

import asyncio

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.domain.model_file import FoundEndpoint
from partner_desktop.model.discovery.running_endpoints import (
    KNOWN_PROGRAMS,
    ServingProgram,
    running_endpoints,
)
from tests.model.endpoint.badly import BadServer, Behaviour, hang, listing, raw, refusing

pytestmark = pytest.mark.integration


async def found_at(lists: Behaviour, *, common: bool = False) -> tuple[FoundEndpoint, ...]:
    async with BadServer(hang, lists=lists) as server:
        program = ServingProgram("Ollama", server.port, common=common)
        found = await running_endpoints([program], clock=SystemClock(), answer_s=1.0)
        assert len(server.seen) == 1, "one question"
        assert (server.seen[0].method, server.seen[0].path) == ("GET", "/v1/models")
        return found


@pytest.mark.promise("model.discover")
async def test_a_program_that_lists_its_models_is_found() -> None:
    (found,) = await found_at(listing)
    assert (found.program, found.models) == ("Ollama", ("parrot", "owl"))


async def test_one_that_has_no_model_yet_is_found_too() -> None:
    async def nothing(line: object) -> None:
        await line.json({"object": "list", "data": []})  # type: ignore[attr-defined] # as in `badly`

    (found,) = await found_at(nothing)
    assert found.models == ()


@pytest.mark.parametrize(
    "lists", [hang, raw(b"<html>", "text/html"), raw(b"{", "application/json"), refusing(404), refusing(500)]
)
async def test_whoever_else_listens_there_is_not_taken_for_it(lists: Behaviour) -> None:
    async with asyncio.timeout(20):
        assert await found_at(lists) == ()


async def test_one_that_wants_a_key_is_found_where_its_port_is_its_own() -> None:
    assert len(await found_at(refusing(401))) == 1
    assert await found_at(refusing(401), common=True) == ()


async def test_a_port_where_nobody_listens_is_no_program() -> None:
    async with BadServer(hang) as server:
        port = server.port
    assert await running_endpoints([ServingProgram("Jan", port)], clock=SystemClock()) == ()


def test_the_ports_are_those_of_the_programs() -> None:
    assert {one.name: one.port for one in KNOWN_PROGRAMS} == {
        "Ollama": 11434,
        "LM Studio": 1234,
        "llama-server": 8080,
        "vLLM": 8000,
        "Jan": 1337,
        "GPT4All": 4891,
    }
