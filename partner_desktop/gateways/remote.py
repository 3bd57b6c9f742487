"""RemoteSession: a session with the host of the home, over its private socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import asdict

from partner_desktop.base.errors import HostError, HostGoneError, PartnerError
from partner_desktop.base.paths import Home, display_path
from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways import wire
from partner_desktop.gateways.audit_ask import AuditAsk
from partner_desktop.gateways.command_ask import CommandAsk
from partner_desktop.gateways.conversation_ask import ConversationAsk
from partner_desktop.gateways.model_ask import ModelAsk
from partner_desktop.gateways.permission_ask import PermissionAsk
from partner_desktop.gateways.record_ask import RecordAsk
from partner_desktop.gateways.server_ask import ServerAsk
from partner_desktop.gateways.session import ChatAsk, ManageAsk, RunAsk, Verdict

_GONE = "The Partner that hosted this home has just ended; try again."


class RemoteSession:
    """One connection for each request."""

    def __init__(self, home: Home) -> None:
        self._home = home

    async def chat(self, ask: ChatAsk) -> AsyncGenerator[JsonObject, None]:
        request: JsonObject = {
            "op": "chat",
            "text": ask.text,
            "conversation_id": ask.conversation_id,
            "cwd": ask.cwd,
            "approve": ask.approve.value,
            "can_ask": ask.can_ask,
        }
        async for event in self._events(request):
            yield event

    async def run(self, ask: RunAsk) -> AsyncGenerator[JsonObject, None]:
        request: JsonObject = {
            "op": "run",
            "key": ask.key,
            "params": ask.params,
            "cwd": ask.cwd,
            "approve": ask.approve.value,
            "conversation_id": ask.conversation_id,
            "title": ask.title,
            "bound": ask.bound,
            "program": ask.program,
            "can_ask": ask.can_ask,
        }
        async with aclosing(self._events(request)) as events:
            async for event in events:
                yield event

    async def decide(
        self, action_id: str, verdict: Verdict, *, version: str
    ) -> AsyncGenerator[JsonObject, None]:
        request: JsonObject = {"op": "decide", "action_id": action_id, "verdict": verdict, "version": version}
        async for event in self._events(request):
            yield event

    async def answer(self, question_id: str, answer: ElicitationAnswer) -> None:
        await self._result(
            {"op": "answer", "key": question_id, "answer": answer.verdict, "params": answer.content}
        )

    async def abilities(self) -> list[Json]:
        return _as_list(await self._result({"op": "abilities"}))

    async def audit(self, ask: AuditAsk) -> AsyncGenerator[JsonObject, None]:
        async with aclosing(self._events({"op": "audit", **ask.to_json()})) as pages:
            async for page in pages:
                yield page

    async def audit_words(self) -> Json:
        return await self._result({"op": "audit_words"})

    async def export_audit(self, ask: AuditAsk, path: str, *, force: bool) -> int:
        request: JsonObject = {"op": "export_audit", "path": path, "force": force, **ask.to_json()}
        count = await self._result(request)
        return count if isinstance(count, int) else 0

    async def conversations(self, ask: ConversationAsk) -> list[Json]:
        return _as_list(await self._result({"op": "conversations", **asdict(ask)}))

    async def models(self, ask: ModelAsk) -> list[Json]:
        return _as_list(await self._result({"op": "models", **asdict(ask)}))

    async def commands(self, ask: CommandAsk) -> list[Json]:
        return _as_list(await self._result({"op": "commands", **asdict(ask)}))

    async def records(self, ask: RecordAsk) -> list[Json]:
        return _as_list(await self._result({"op": "records", **asdict(ask)}))

    async def servers(self, ask: ServerAsk) -> list[Json]:
        return _as_list(await self._result({"op": "servers", **asdict(ask)}))

    async def permissions(self, ask: PermissionAsk) -> list[Json]:
        return _as_list(await self._result({"op": "permissions", **asdict(ask)}))

    async def manage(self, ask: ManageAsk) -> str:
        request: JsonObject = {"op": "manage", "change": ask.verb, "key": ask.key, "name": ask.name}
        return str(await self._result(request) or "")

    async def backup(self, path: str, *, force: bool) -> Json:
        return await self._result({"op": "backup", "path": path, "force": force})

    async def raise_window(self) -> bool:
        return bool(await self._result({"op": "raise"}))

    async def follow(self, conversation_id: str) -> AsyncGenerator[JsonObject, None]:
        async for event in self._events({"op": "follow", "conversation_id": conversation_id}):
            yield event

    async def watch(self) -> AsyncGenerator[JsonObject, None]:
        async with aclosing(self._events({"op": "watch"})) as events:
            async for event in events:
                yield event

    async def stop(self, conversation_id: str) -> None:
        await self._result({"op": "stop", "conversation_id": conversation_id})

    async def begin(self, title: str = "") -> str:
        return str(await self._result({"op": "begin", "title": title}) or "")

    async def messages(self, conversation_id: str, *, limit: int) -> list[Json]:
        return _as_list(
            await self._result({"op": "messages", "conversation_id": conversation_id, "limit": limit})
        )

    def on_window_wanted(self, tell: Callable[[], None]) -> None:
        """The home is not ours to let go."""

    async def close(self) -> None:
        """Nothing stays open between requests."""

    async def _events(self, request: JsonObject) -> AsyncGenerator[JsonObject, None]:
        async with aclosing(self._ask(request)) as answers:
            async for answer in answers:
                event = answer.get("event")
                if isinstance(event, dict):
                    yield event

    async def _result(self, request: JsonObject) -> Json:
        result: Json = None
        async for answer in self._ask(request):
            result = answer.get("result")
        return result

    async def _ask(self, request: JsonObject) -> AsyncGenerator[JsonObject, None]:
        reader, writer = await self._connect()
        try:
            await wire.send(writer, {**request, "proof": self._proof()})
            while True:
                answer = await wire.receive(reader)
                if answer is None:
                    raise HostError("The Partner that hosts this home ended in the middle of the request.")
                if "failed" in answer:
                    raise PartnerError(str(answer["failed"]))
                if answer.get("end"):
                    return
                yield answer
        except (OSError, TimeoutError) as error:
            raise HostError("The Partner that hosts this home ended in the middle of the request.") from error
        finally:
            writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            socket, _proof = self._home.of_host()
            return await asyncio.open_unix_connection(socket, limit=wire.LINE_LIMIT_BYTES)
        except OSError as error:
            raise HostGoneError(_GONE) from error

    def _proof(self) -> str:
        """Shows the host that this is no program in a sandbox."""
        _socket, proof = self._home.of_host()
        try:
            return proof.read_text(encoding="ascii", errors="replace")
        except FileNotFoundError as error:
            raise HostGoneError(_GONE) from error
        except OSError as error:
            raise HostError(
                f"The proof of the running Partner, {display_path(proof)}, cannot be read "
                f"({error.strerror}), so it cannot be asked for anything from here; use its window."
            ) from error


async def answers(home: Home) -> bool:
    """Whether the host of the home takes connections now."""
    try:
        _, writer = await asyncio.open_unix_connection(home.of_host()[0])
    except OSError:
        return False
    writer.close()
    return True


def _as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
