"""RemoteClient: asks the host of the home, over its private socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing

from partner_desktop.base.errors import HostError, HostGoneError, coded_error
from partner_desktop.base.messages import current_language, system_reason
from partner_desktop.base.paths import Home, display_path
from partner_desktop.base.prompts import LANGUAGES
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways import wire
from partner_desktop.gateways.partner_client import PartnerClient

_GREETING, _REQUEST = 0, 1


class RemoteClient(PartnerClient):
    """One connection for each request: who goes closes it."""

    def __init__(self, home: Home) -> None:
        self._home = home

    async def call(self, operation: str, /, **params: Json) -> Json:
        result: Json = None
        async with aclosing(self._answers(operation, params)) as answers:
            async for answer in answers:
                result = answer.get("result")
        return result

    async def stream(self, operation: str, /, **params: Json) -> AsyncGenerator[Json, None]:
        async with aclosing(self._answers(operation, params)) as answers:
            async for answer in answers:
                item = answer.get("params")
                if isinstance(item, dict):
                    yield item["item"]

    async def _answers(self, operation: str, params: JsonObject) -> AsyncGenerator[JsonObject, None]:
        """What comes about a request; its result is the last."""
        reader, writer = await _connect(self._home)
        try:
            await wire.send(writer, _greeting(self._home))
            await wire.send(writer, _request(_REQUEST, operation, params))
            while True:
                answer = await _received(reader)
                if answer.get("id") != _GREETING:
                    yield answer
                if answer.get("id") == _REQUEST:
                    return
        except (OSError, TimeoutError) as error:
            raise HostError("gateways.ended") from error
        finally:
            writer.close()


async def attached(home: Home) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the host of the home that has been greeted; the rest of the protocol is the caller's.

    Raises:
        HostError: There is no host, or it lets nobody in.
    """
    reader, writer = await _connect(home)
    try:
        await wire.send(writer, _greeting(home))
        await _received(reader)
    except BaseException:
        writer.close()
        raise
    return reader, writer


async def _connect(home: Home) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        socket, _proof = home.of_host()
        return await asyncio.open_unix_connection(socket, limit=wire.MOST_BYTES)
    except OSError as error:
        raise HostGoneError("gateways.just_ended") from error


def _greeting(home: Home) -> str:
    """Shows the host that this is no program in a sandbox."""
    _socket, proof = home.of_host()
    try:
        token = proof.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError as error:
        raise HostGoneError("gateways.just_ended") from error
    except OSError as error:
        raise HostError(
            "gateways.proof_unread", path=display_path(proof), reason=system_reason(error)
        ) from error
    params: JsonObject = {"token": token}
    if current_language() != LANGUAGES[0]:  # which is what is spoken where nothing is said
        params["language"] = current_language()
    return _request(_GREETING, "client.hello", params)


async def answers(home: Home) -> bool:
    """Whether the host of the home takes connections now."""
    try:
        _, writer = await asyncio.open_unix_connection(home.of_host()[0])
    except OSError:
        return False
    writer.close()
    return True


def _request(request_id: int, method: str, params: JsonObject) -> str:
    return wire.message({"id": request_id, "method": method, "params": params})


async def _received(reader: asyncio.StreamReader) -> JsonObject:
    """The next message.

    Raises:
        HostError: The host has ended, or it is no host of ours.
        PartnerError: It is an error.
    """
    try:
        line = await reader.readline()
        if not line.endswith(b"\n"):
            raise HostError("gateways.ended")
        body: Json = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise HostError("gateways.no_message") from error
    assert isinstance(body, dict)
    refusal = body.get("error")
    if isinstance(refusal, dict):
        data = refusal["data"]
        assert isinstance(data, dict)
        raise coded_error(str(data["code"]), "common.told", text=str(refusal["message"]))
    return body
