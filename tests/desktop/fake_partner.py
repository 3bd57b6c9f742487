"""A Partner without anything behind it: what the window asked is written down, what it hears is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from partner_desktop.app import Partner
from partner_desktop.base.errors import PartnerError
from partner_desktop.config.center import ConfigCenter
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import (
    ConversationEvent,
    ElicitationEvent,
    Event,
    MessageEvent,
    ModelsEvent,
    ProposalEvent,
    ReplyEvent,
    ResultEvent,
    RunEvent,
    ServersEvent,
)
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from partner_desktop.domain.message import Conversation, Line, Message, Role
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.model_call import CallTotals, ModelCall
from partner_desktop.domain.model_status import EndpointDraft, EndpointReport, ModelStatus
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.snapshot import ContextSnapshot, TurnSummary

from .fake_chains import FakeChains
from .fake_config import FakeConfig
from .fake_runs import FakeRuns
from .samples import NOON


@dataclass(frozen=True)
class FakeEngine:
    """An engine's state."""

    state: str = "ready"
    percent: int | None = None
    detail: str = ""


@dataclass(frozen=True)
class FakeEmbedding:
    """Whether abilities are found by meaning."""

    state: str = "ready"
    reason: str = ""


@dataclass(frozen=True)
class FakeSandbox:
    """A sandbox that is there, or is not."""

    available: bool = True
    reason: str = ""


#: Service → operation → the method of the fake that stands for it, where it is not called so.
SERVICES = {
    "abilities": {
        "list": "list_abilities",
        "offer": "offer_ability",
        "source": "source_text",
    },
    "actions": {"list": "list_actions", "get": "action", "output": "output_so_far"},
    "audit": {},
    "commands": {"list": "command_sessions", "output": "session_output"},
    "context": {},
    "conversations": {
        "list": "list_conversations",
        "create": "create_conversation",
    },
    "messages": {"list": "list_messages"},
    "models": {
        "list": "list_models",
        "mind": "mind_now",
        "engine": "engine_status",
        "embedding": "embedding_status",
        "add_file": "add_model_file",
        "use": "use_model",
        "load": "load_model",
        "unload": "unload_model",
        "remove": "remove_model",
        "set_key": "set_model_key",
    },
    "permissions": {},
    "servers": {
        "list": "list_servers",
        "restart": "restart_server",
        "switch": "switch_server",
        "allow": "allow_server",
        "log": "server_log",
        "keep_secret": "keep_server_secret",
        "add": "add_server_config",
        "move_secrets": "move_server_secrets",
        "answer": "answer_elicitation",
    },
    "usage": {},
}


class FakeService:
    """One service of a `FakePartner`: every operation is a method of that."""

    def __init__(self, partner: FakePartner, names: dict[str, str]) -> None:
        self._partner = partner
        self._names = names

    def __getattr__(self, verb: str) -> Any:
        return getattr(self._partner, self._names.get(verb, verb))


@dataclass
class FakePartner(FakeRuns, FakeChains):
    """The face of `partner_desktop.app.Partner`. `asked` lists every decision, in order."""

    engine: FakeEngine = FakeEngine()
    sandbox: FakeSandbox = FakeSandbox()
    embedding: FakeEmbedding = FakeEmbedding()
    action_dir: Path = Path("/home/user/partner/action")
    config: ConfigCenter | FakeConfig = field(default_factory=FakeConfig)
    launch_error: str = ""
    known_abilities: list[Ability] = field(default_factory=list)
    known_actions: dict[str, ActionRecord] = field(default_factory=dict)
    known_conversations: dict[str, Conversation] = field(default_factory=dict)
    known_messages: list[Message] = field(default_factory=list)
    asked: list[tuple[object, ...]] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)
    launched: bool = False
    closed: bool = False
    warmed: int = 0
    source: str = "print('hello')\n"
    show: Callable[[], None] | None = None
    read: list[tuple[object, ...]] = field(default_factory=list)
    """What was read of turns, in order."""
    known_turns: list[TurnSummary] = field(default_factory=list)
    known_snapshots: dict[str, ContextSnapshot] = field(default_factory=dict)
    known_line: Line = field(default_factory=Line)
    known_models: list[ModelStatus] = field(default_factory=list)
    mind_name: str = "starter"
    model_error: str = ""
    report: EndpointReport = field(default_factory=lambda: EndpointReport(()))
    report_ready: asyncio.Event | None = None
    """With it, a test of a server waits until it is set."""
    keys_in: str = "in the system keyring (Secret Service)"
    known_calls: list[ModelCall] = field(default_factory=list)
    known_servers: dict[str, ServerStatus] = field(default_factory=dict)
    known_logs: dict[str, str] = field(default_factory=dict)
    known_questions: dict[str, Elicitation] = field(default_factory=dict)
    server_answer: RunnerResponse = field(default_factory=lambda: RunnerResponse(ok=True, stdout="its text"))
    server_error: str = ""
    notices: Sequence[Event] = ()
    """What the start had to say."""
    _listeners: list[Callable[[Event], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for service, names in SERVICES.items():
            setattr(self, service, FakeService(self, names))

    @property
    def face(self) -> Partner:
        """This, for whoever takes a Partner."""
        return cast("Partner", self)

    @property
    def partner(self) -> Partner:
        return self.face

    # What a test does.

    def deliver(self, *events: Event) -> None:
        """Let everyone hear."""
        for event in events:
            for listener in tuple(self._listeners):
                listener(event)

    def add_conversation(self, title: str, *, days_ago: float = 0) -> Conversation:
        """A conversation that is there."""
        moment = NOON - timedelta(days=days_ago)
        conversation = Conversation(f"c{len(self.known_conversations) + 1}", title, moment, moment)
        self.known_conversations[conversation.id] = conversation
        return conversation

    def add_message(self, conversation_id: str, role: Role, text: str, *, action_id: str = "") -> Message:
        """A message that is there; nobody hears of it."""
        position = len(self.known_messages) + 1
        message = Message(f"m{position}", conversation_id, role, text, NOON, position, action_id=action_id)
        self.known_messages.append(message)
        return message

    def propose(self, record: ActionRecord) -> None:
        """A card appears: its place first, then the proposal."""
        self.known_actions[record.id] = record
        message = self.add_message(record.conversation_id, Role.ACTION, "", action_id=record.id)
        self.deliver(
            MessageEvent(conversation_id=record.conversation_id, message=message),
            ProposalEvent(conversation_id=record.conversation_id, action=record),
        )

    def change(self, action_id: str, status: ActionStatus, **facts: object) -> ActionRecord:
        """An action moves on, and everyone hears."""
        record = replace(self.known_actions[action_id], status=status, **facts)  # type: ignore[arg-type] # a test's own facts
        self.known_actions[action_id] = record
        kind = RunEvent if status is ActionStatus.RUNNING else ResultEvent
        self.deliver(kind(conversation_id=record.conversation_id, action=record))
        return record

    def stream(self, conversation_id: str, reply_id: str, pieces: list[str], *, done: bool = True) -> None:
        """A reply comes in pieces."""
        for seq, piece in enumerate(pieces):
            self.deliver(
                ReplyEvent(conversation_id=conversation_id, reply_id=reply_id, seq=seq, content=piece)
            )
        if done:
            self.deliver(
                ReplyEvent(
                    conversation_id=conversation_id,
                    reply_id=reply_id,
                    seq=len(pieces),
                    content="",
                    done=True,
                    text="".join(pieces),
                )
            )

    def show_models(self, *models: ModelStatus, mind: str = "starter") -> None:
        """The models are these now, and everyone hears."""
        self.known_models, self.mind_name = list(models), mind
        self.deliver(ModelsEvent(models=models, mind=mind))

    def show_servers(self, *servers: ServerStatus, removed: tuple[str, ...] = ()) -> None:
        """These servers are as they are now, and everyone hears."""
        self.known_servers.update({server.id: server for server in servers})
        for server_id in removed:
            del self.known_servers[server_id]
        self.deliver(ServersEvent(changed=servers, removed=removed))

    def elicit(self, question: Elicitation) -> None:
        """A server asks, and everyone hears."""
        self.known_questions[question.id] = question
        self.deliver(ElicitationEvent(conversation_id=question.conversation_id, elicitation=question))

    def take_back(self, elicitation_id: str) -> None:
        """The answer is needed no more."""
        question = self.known_questions.pop(elicitation_id)
        self.deliver(
            ElicitationEvent(conversation_id=question.conversation_id, elicitation=question, open=False)
        )

    def _totals(self, conversation_id: str) -> CallTotals:
        calls = [call for call in self.known_calls if call.conversation_id == conversation_id]
        costs = [call.cost for call in calls if call.cost is not None]
        return CallTotals(
            calls=len(calls),
            prompt_tokens=sum(call.prompt_tokens for call in calls),
            reused_tokens=sum(call.reused_tokens for call in calls),
            output_tokens=sum(call.output_tokens for call in calls),
            cost=sum(costs) if costs else None,
        )

    # What the window asks.

    async def launch(self) -> None:
        if self.launch_error:
            raise PartnerError(self.launch_error)
        self.launched = True

    async def close(self) -> None:
        self.closed = True

    def on_raise(self, show: Callable[[], None]) -> None:
        self.show = show

    def use_clipboard(self, door: object) -> Callable[[], None]:
        del door
        return lambda: None

    async def warm_up(self) -> None:
        self.warmed += 1

    def engine_status(self) -> FakeEngine:
        return self.engine

    def embedding_status(self) -> FakeEmbedding:
        return self.embedding

    def mind_now(self) -> str:
        return self.mind_name

    def start_notices(self) -> list[Event]:
        return list(self.notices)

    def subscribe(self, deliver: Callable[[Event], None]) -> Callable[[], None]:
        self._listeners.append(deliver)
        return lambda: self._listeners.remove(deliver)

    def list_abilities(self) -> list[Ability]:
        return list(self.known_abilities)

    async def list_conversations(self) -> list[Conversation]:
        return sorted(self.known_conversations.values(), key=lambda each: each.updated_at, reverse=True)

    async def create_conversation(self) -> Conversation:
        conversation = self.add_conversation("")
        self.deliver(ConversationEvent(conversation_id=conversation.id, conversation=conversation))
        return conversation

    async def list_messages(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[Message]:
        found = [
            message
            for message in self.known_messages
            if message.conversation_id == conversation_id and (before is None or message.position < before)
        ]
        return found[-limit:]

    async def send(
        self, text: str, *, conversation_id: str | None, source: str = "window", cwd: str = ""
    ) -> Message:
        assert conversation_id is not None
        message = self.add_message(conversation_id, Role.USER, text)
        self.sent.append(message)
        self.deliver(MessageEvent(conversation_id=conversation_id, message=message))
        return message

    async def list_actions(self, *, limit: int = 100) -> list[ActionRecord]:
        return list(reversed(self.known_actions.values()))[:limit]

    async def action(self, action_id: str) -> ActionRecord:
        return self.known_actions[action_id]

    async def approve(
        self,
        action_id: str,
        *,
        scope: Scope,
        params: JsonObject | None = None,
        shown: ActionRecord | None = None,
    ) -> None:
        self.asked.append(("approve", action_id, scope, params))

    async def line(self, conversation_id: str) -> Line:
        return self.known_line

    async def source_text(self, action_id_or_key: str) -> str:
        return self.source

    async def turns(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[TurnSummary]:
        self.read.append(("turns", conversation_id, before, limit))
        found = [
            turn
            for turn in self.known_turns
            if turn.conversation_id == conversation_id and (before is None or turn.position < before)
        ]
        return found[-limit:]

    async def snapshot(self, turn_id: str) -> ContextSnapshot | None:
        self.read.append(("snapshot", turn_id))
        return self.known_snapshots.get(turn_id)

    # External servers.

    def list_servers(self) -> list[ServerStatus]:
        return list(self.known_servers.values())

    async def allow_server(self, server_id: str, *, shown_hash: str) -> None:
        self._ask_server("allow", server_id, shown_hash)

    async def move_server_secrets(self, server_id: str) -> str:
        self._ask_server("move", server_id)
        return "Moved to the keyring: KEY of it."

    async def restart_server(self, server_id: str) -> None:
        self._ask_server("restart", server_id)

    async def switch_server(self, server_id: str, *, on: bool) -> None:
        self._ask_server("switch", server_id, on)
        phase = ServerPhase.STARTING if on else ServerPhase.STOPPED
        self.show_servers(replace(self.known_servers[server_id], phase=phase))

    async def server_log(self, server_id: str) -> str:
        self.read.append(("log", server_id))
        return self.known_logs.get(server_id, "")

    async def read_resource(self, server_id: str, uri: str) -> RunnerResponse:
        self._ask_server("read", server_id, uri)
        return self.server_answer

    async def get_prompt(self, server_id: str, name: str, arguments: JsonObject) -> RunnerResponse:
        self._ask_server("prompt", server_id, name, arguments)
        return self.server_answer

    async def keep_server_secret(self, name: str, value: str, *, server_id: str = "") -> str:
        self._ask_server("secret", name, value, server_id)
        return f"The secret “{name}” is kept {self.keys_in}."

    async def add_server_config(self, text: str, name: str, *, allow: bool = False) -> str:
        self._ask_server("config", text, name, *(["allowed"] if allow else []))
        return f"The configuration is in mcp/{name or 'servers'}.json."

    def _ask_server(self, *asked: object) -> None:
        if self.server_error:
            raise PartnerError(self.server_error)
        self.asked.append(("server", *asked))

    def elicitations(self) -> list[Elicitation]:
        return list(self.known_questions.values())

    async def answer_elicitation(self, elicitation_id: str, answer: ElicitationAnswer) -> None:
        if self.server_error:
            raise PartnerError(self.server_error)
        self.asked.append(("answer", elicitation_id, answer))
        self.take_back(elicitation_id)

    # Models.

    def list_models(self) -> list[ModelStatus]:
        return list(self.known_models)

    async def offer_ability(self, key: str, *, conversation_id: str, text: str) -> None:
        self.asked.append(("offer", key, conversation_id, text))

    async def add_model_file(self, path: Path) -> str:
        self._ask_model("add", path)
        return self._take_in(ModelStatus(path.stem, "file", str(path)))

    def _take_in(self, model: ModelStatus) -> str:
        """It answers if no model was chosen."""
        first = not any(one.in_use for one in self.known_models)
        mind = model.name if first else self.mind_name
        self.show_models(*self.known_models, replace(model, in_use=first), mind=mind)
        return model.name

    async def use_model(self, name: str) -> None:
        self._ask_model("use", name)
        models = [replace(one, in_use=one.name == name) for one in self.known_models]
        self.show_models(*models, mind=name or "starter")

    async def load_model(self, name: str) -> None:
        self._ask_model("load", name)

    async def unload_model(self, name: str) -> None:
        self._ask_model("unload", name)

    async def remove_model(self, name: str) -> None:
        self._ask_model("remove", name)
        left = [one for one in self.known_models if one.name != name]
        self.show_models(*left, mind="starter" if self.mind_name == name else self.mind_name)

    async def add_endpoint(self, draft: EndpointDraft, key: str) -> str:
        self._ask_model("add", draft, key)
        return self._take_in(ModelStatus(draft.name or "server", "endpoint", draft.base_url))

    async def set_model_key(self, name: str, key: str) -> str:
        self._ask_model("key", name, key)
        return self.keys_in

    async def test_endpoint(self, draft: EndpointDraft, key: str) -> EndpointReport:
        self._ask_model("test", draft, key)
        if self.report_ready is not None:
            await self.report_ready.wait()
        return self.report

    def _ask_model(self, *asked: object) -> None:
        if self.model_error:
            raise PartnerError(self.model_error)
        self.asked.append(("model", *asked))

    async def key_place(self) -> str:
        return self.keys_in

    async def calls(self, turn_id: str) -> list[ModelCall]:
        self.read.append(("calls", turn_id))
        return [call for call in self.known_calls if call.turn_id == turn_id]

    async def totals(self, conversation_id: str) -> CallTotals:
        return self._totals(conversation_id)
