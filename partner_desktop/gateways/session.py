"""Session: what a command can ask of a Partner, be it in this process or in the host of the home.

Everything crosses as JSON objects, so both sides of the socket speak the same. A stream of events ends
with the `done` event of its exchange.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, assert_never

from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.audit_ask import AuditAsk, answer_with_pages
from partner_desktop.gateways.command_ask import CommandAsk, answer_about_commands
from partner_desktop.gateways.conversation_ask import ConversationAsk, answer
from partner_desktop.gateways.model_ask import ModelAsk, answer_about_models
from partner_desktop.gateways.permission_ask import PermissionAsk, answer_about_permissions
from partner_desktop.gateways.record_ask import RecordAsk, answer_about_records
from partner_desktop.gateways.server_ask import ServerAsk, answer_about_servers
from partner_desktop.permission.request import StandingAnswer

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

Verdict = Literal["once", "conversation", "always", "everywhere", "reject"]
ManageVerb = Literal["persist", "remove", "disable", "enable", "undo", "keep"]


@dataclass(frozen=True)
class ChatAsk:
    """One message from a command."""

    text: str
    conversation_id: str | None
    cwd: str
    approve: StandingAnswer
    can_ask: bool = False
    """Whether a person is there who can answer what a server asks meanwhile."""


@dataclass(frozen=True)
class RunAsk:
    """One ability, named by its key, with its arguments."""

    key: str
    params: JsonObject
    cwd: str
    approve: StandingAnswer
    conversation_id: str = ""
    """Where it is recorded; empty, or where that is gone: a new conversation."""
    title: str = ""
    """What a new conversation is called; empty: after the ability."""
    bound: bool = False
    """The run lasts no longer than somebody listens to its events."""
    program: str = ""
    """The program that asks, as it calls itself: a claim, by which grants are told apart."""
    can_ask: bool = False
    """As of `ChatAsk`."""


@dataclass(frozen=True)
class ManageAsk:
    """A change of an ability itself, or of what one of its runs left."""

    verb: ManageVerb
    key: str
    """With `undo` and `keep`: the id of the run."""
    name: str = ""
    """With `persist`: the name to keep it under; empty: one made from its file's. With `keep`: the folder."""


class Session(Protocol):
    """Used by the commands."""

    def chat(self, ask: ChatAsk) -> AsyncGenerator[JsonObject, None]: ...

    def run(self, ask: RunAsk) -> AsyncGenerator[JsonObject, None]: ...

    def decide(
        self, action_id: str, verdict: Verdict, *, version: str
    ) -> AsyncGenerator[JsonObject, None]: ...

    async def answer(self, question_id: str, answer: ElicitationAnswer) -> None: ...

    async def abilities(self) -> list[Json]: ...

    def audit(self, ask: AuditAsk) -> AsyncGenerator[JsonObject, None]: ...

    async def audit_words(self) -> Json: ...

    async def export_audit(self, ask: AuditAsk, path: str, *, force: bool) -> int: ...

    async def conversations(self, ask: ConversationAsk) -> list[Json]: ...

    async def models(self, ask: ModelAsk) -> list[Json]: ...

    async def servers(self, ask: ServerAsk) -> list[Json]: ...

    async def permissions(self, ask: PermissionAsk) -> list[Json]: ...

    async def commands(self, ask: CommandAsk) -> list[Json]: ...

    async def records(self, ask: RecordAsk) -> list[Json]: ...

    async def manage(self, ask: ManageAsk) -> str: ...

    async def backup(self, path: str, *, force: bool) -> Json: ...

    async def raise_window(self) -> bool: ...

    def follow(self, conversation_id: str) -> AsyncGenerator[JsonObject, None]: ...

    def watch(self) -> AsyncGenerator[JsonObject, None]: ...

    async def stop(self, conversation_id: str) -> None: ...

    async def begin(self, title: str = "") -> str: ...

    async def messages(self, conversation_id: str, *, limit: int) -> list[Json]: ...

    def on_window_wanted(self, tell: Callable[[], None]) -> None: ...

    async def close(self) -> None: ...


class LocalSession:
    """A session with the Partner of this process."""

    def __init__(self, partner: Services) -> None:
        self._partner = partner

    def chat(self, ask: ChatAsk) -> AsyncGenerator[JsonObject, None]:
        """See `EventService.say`."""
        return self._partner.events.say(
            ask.text,
            conversation_id=ask.conversation_id,
            cwd=ask.cwd,
            standing=ask.approve,
            can_ask=ask.can_ask,
        )

    def run(self, ask: RunAsk) -> AsyncGenerator[JsonObject, None]:
        """See `EventService.run`."""
        return self._partner.events.run(
            ask.key,
            ask.params,
            cwd=ask.cwd,
            standing=ask.approve,
            conversation_id=ask.conversation_id,
            title=ask.title,
            program=ask.program,
            bound=ask.bound,
            can_ask=ask.can_ask,
        )

    async def answer(self, question_id: str, answer: ElicitationAnswer) -> None:
        """Answer what a server asks.

        Raises:
            UsageError: The question is not open (any more), or the answer does not fit.
        """
        await self._partner.servers.answer(question_id, answer)

    def decide(self, action_id: str, verdict: Verdict, *, version: str) -> AsyncGenerator[JsonObject, None]:
        """See `EventService.decide`."""
        return self._partner.events.decide(action_id, verdict, version=version)

    async def abilities(self) -> list[Json]:
        await self._partner.servers.settled()
        return [as_json(ability) for ability in self._partner.abilities.list()]

    def audit(self, ask: AuditAsk) -> AsyncGenerator[JsonObject, None]:
        """The entries of the audit log that fit, oldest first: each object holds a page of them."""
        return answer_with_pages(self._partner, ask)

    async def audit_words(self) -> Json:
        return as_json(await self._partner.audit.words())

    async def export_audit(self, ask: AuditAsk, path: str, *, force: bool) -> int:
        """Write the entries that fit to an absolute path; how many."""
        return await self._partner.audit.export(ask.query, Path(path), limit=ask.limit, force=force)

    async def conversations(self, ask: ConversationAsk) -> list[Json]:
        return await answer(self._partner, ask)

    async def models(self, ask: ModelAsk) -> list[Json]:
        """See `model_ask.answer_about_models`."""
        return await answer_about_models(self._partner, ask)

    async def servers(self, ask: ServerAsk) -> list[Json]:
        """See `server_ask.answer_about_servers`."""
        return await answer_about_servers(self._partner, ask)

    async def permissions(self, ask: PermissionAsk) -> list[Json]:
        """See `permission_ask.answer_about_permissions`."""
        return await answer_about_permissions(self._partner, ask)

    async def commands(self, ask: CommandAsk) -> list[Json]:
        """See `command_ask.answer_about_commands`."""
        return await answer_about_commands(self._partner, ask)

    async def records(self, ask: RecordAsk) -> list[Json]:
        """See `record_ask.answer_about_records`."""
        return await answer_about_records(self._partner, ask)

    async def backup(self, path: str, *, force: bool) -> Json:
        """Write a backup to an absolute path; what was written."""
        return as_json(await self._partner.backup.write(Path(path), force=force))

    async def manage(self, ask: ManageAsk) -> str:
        """Change an ability itself: the key that it has then, empty when it is gone. Of a run: a sentence."""
        match ask.verb:
            case "persist":
                draft = await self._partner.abilities.draft(ask.key)
                draft = replace(draft, name=ask.name) if ask.name else draft
                return await self._partner.abilities.persist(ask.key, draft)
            case "remove":
                await self._partner.abilities.remove(ask.key)
                return ""
            case "disable" | "enable":
                await self._partner.abilities.switch(ask.key, on=ask.verb == "enable")
                return ask.key
            case "undo":
                return await self._partner.actions.undo(ask.key)
            case "keep":
                return await self._partner.actions.keep_files(ask.key, Path(ask.name))
            case _:
                assert_never(ask.verb)

    async def raise_window(self) -> bool:
        return self._partner.raise_window()

    def follow(self, conversation_id: str) -> AsyncGenerator[JsonObject, None]:
        """See `EventService.follow`."""
        return self._partner.events.follow(conversation_id)

    def watch(self) -> AsyncGenerator[JsonObject, None]:
        """See `EventService.watch`."""
        return self._partner.events.watch()

    async def stop(self, conversation_id: str) -> None:
        """End the reply in progress and the running actions of a conversation."""
        await self._partner.conversations.stop(conversation_id)

    async def begin(self, title: str = "") -> str:
        """The id of a new conversation; without a title it gets one from the first thing said."""
        return (await self._partner.conversations.create(title)).id

    async def messages(self, conversation_id: str, *, limit: int) -> list[Json]:
        """The newest messages, oldest of them first."""
        return [as_json(one) for one in await self._partner.messages.list(conversation_id, limit=limit)]

    def on_window_wanted(self, tell: Callable[[], None]) -> None:
        """Call `tell` when a window waits for this process to let the home go."""
        self._partner.on_window_wanted(tell)

    async def close(self) -> None:
        """The Partner is closed by its owner."""
