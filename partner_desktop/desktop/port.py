"""What the window asks of the app behind it. `partner_desktop.app.Partner` has this face."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol

from partner_desktop.action.runner.builtin.clipboard import ClipboardDoor
from partner_desktop.config.field import ConfigFile
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.audit import AuditEntry, AuditQuery, AuditWords
from partner_desktop.domain.command_session import CommandSession, SessionOutput, Stream
from partner_desktop.domain.draft import AbilityDraft
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import Event
from partner_desktop.domain.evidence import Intervened
from partner_desktop.domain.intervention import ChainEdit, Intervention
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.mcp_server import ServerStatus
from partner_desktop.domain.message import Conversation, Message
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.model_call import CallTotals, ModelCall
from partner_desktop.domain.model_status import EndpointDraft, EndpointReport, ModelStatus
from partner_desktop.domain.permission import Mode, Permissions, Rule, Scope
from partner_desktop.domain.search import ConversationHit
from partner_desktop.domain.snapshot import ContextSnapshot, TurnSummary
from partner_desktop.domain.take import Line


class EngineView(Protocol):
    """How far the model engine is built."""

    @property
    def state(self) -> str: ...

    @property
    def percent(self) -> int | None: ...

    @property
    def detail(self) -> str: ...


class EmbeddingView(Protocol):
    """Whether abilities are found by the meaning of words."""

    @property
    def state(self) -> str:
        """`absent`, `idle` (it starts with its first use), `starting`, `ready` or `failed`."""
        ...

    @property
    def reason(self) -> str:
        """Why not, in a sentence; empty when they are."""
        ...


class SandboxView(Protocol):
    """Whether scripts can be held here, and why not."""

    @property
    def available(self) -> bool: ...

    @property
    def reason(self) -> str: ...


class ConfigView(Protocol):
    """The settings files: `partner_desktop.config.center.ConfigCenter` has this face."""

    @property
    def folder(self) -> Path: ...

    def files(self) -> Sequence[ConfigFile]: ...

    async def set(self, name: str, key: tuple[str, ...], value: Json) -> None: ...

    async def reset(self, name: str, key: tuple[str, ...]) -> None: ...


class PartnerPort(Protocol):
    """The app. Everything is called on the one asyncio loop; what fails raises PartnerError."""

    @property
    def sandbox(self) -> SandboxView: ...

    @property
    def action_dir(self) -> Path: ...

    @property
    def config(self) -> ConfigView: ...

    async def warm_up(self) -> None: ...

    def engine_status(self) -> EngineView: ...

    def embedding_status(self) -> EmbeddingView: ...

    def on_raise(self, show: Callable[[], None]) -> None: ...

    def use_clipboard(self, door: ClipboardDoor) -> Callable[[], None]:
        """Reach the clipboard through `door` from now on; returns the undo."""
        ...

    def subscribe(self, deliver: Callable[[Event], None]) -> Callable[[], None]: ...

    def abilities(self) -> Sequence[Ability]: ...

    async def launch(self) -> None: ...

    async def close(self) -> None: ...

    async def conversations(self) -> Sequence[Conversation]: ...

    async def create_conversation(self) -> Conversation: ...

    async def rename_conversation(self, conversation_id: str, title: str) -> Conversation: ...

    async def delete_conversation(self, conversation_id: str) -> Conversation: ...

    async def restore_conversation(self, conversation_id: str) -> Conversation: ...

    async def search_conversations(self, text: str, *, limit: int = 50) -> Sequence[ConversationHit]: ...

    async def export_conversation(
        self, conversation_id: str, path: Path, *, kind: Literal["markdown", "json"]
    ) -> None: ...

    async def import_conversation(self, path: Path) -> Conversation: ...

    async def messages(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> Sequence[Message]: ...

    async def send(
        self, text: str, *, conversation_id: str | None, source: str = "window", cwd: str = ""
    ) -> Message: ...

    async def actions(self, *, limit: int = 100) -> Sequence[ActionRecord]: ...

    async def action(self, action_id: str) -> ActionRecord: ...

    async def approve(
        self,
        action_id: str,
        *,
        scope: Scope,
        params: JsonObject | None = None,
        shown: ActionRecord | None = None,
    ) -> None: ...

    async def reject(self, action_id: str) -> None: ...

    async def cancel(self, action_id: str) -> None: ...

    async def run_again(self, action_id: str) -> None: ...

    async def stop(self, conversation_id: str) -> None: ...

    async def line(self, conversation_id: str) -> Line:
        """The forks of the line that is shown, and what can be had anew."""
        ...

    async def regenerate(self, reply_id: str) -> None: ...

    async def edit(self, message_id: str, text: str) -> Message: ...

    async def choose_take(self, take_id: str) -> None: ...

    async def branch(self, message_id: str) -> Conversation: ...

    async def source_text(self, action_id_or_key: str) -> str: ...

    async def add_script(self, path: Path, *, folder: Literal["dynamic", "tmp"]) -> str: ...

    async def offer_ability(self, key: str, *, conversation_id: str, text: str) -> None: ...

    async def switch_ability(self, key: str, *, on: bool) -> None: ...

    async def draft_of(self, key: str) -> AbilityDraft: ...

    async def persist_ability(self, key: str, draft: AbilityDraft) -> str: ...

    async def describe_ability(self, key: str, draft: AbilityDraft) -> str: ...

    async def remove_ability(self, key: str) -> None: ...

    async def try_out(self, action_id: str, *, params: JsonObject | None = None) -> RunnerResponse:
        """Run the script of a waiting card in the sandbox, without network, path or consequence."""
        ...

    async def restore_ability(self, key: str) -> str:
        """Bring back what `remove_ability` took; its key."""
        ...

    # What runs, and what it leaves. What changes comes as OutputEvent, SessionEvent and ActionEvent.

    def output_so_far(self, action_id: str) -> dict[Stream, str]:
        """The end of what a run under way has printed."""
        ...

    def command_sessions(self) -> Sequence[CommandSession]:
        """The commands in the background, newest first."""
        ...

    async def session_output(
        self, session_id: str, stream: Stream, *, offset: int, limit: int = 4096
    ) -> SessionOutput:
        """A piece of what it printed, from a byte on; a negative offset counts from the end."""
        ...

    async def cancel_session(self, session_id: str) -> None: ...

    async def undo(self, action_id: str) -> str:
        """Take back what a run did to the person's files; the sentence to show."""
        ...

    async def keep_files(self, action_id: str, folder: Path) -> str:
        """Copy what a run left in its workspace into a folder; the sentence to show."""
        ...

    # Chains: `ActionRecord.chain`. Their changes come as ActionEvent of the chain's action, and what a step
    # does as events of an action whose `parent_id` it is.

    async def steps(self, action_id: str) -> Sequence[ActionRecord]:
        """What the steps of a chain have become, in the order in which they were begun."""
        ...

    async def edit_chain(self, action_id: str, edit: ChainEdit) -> None:
        """Reorder, drop or change the steps of a chain that waits; its card asks again."""
        ...

    async def intervene(self, action_id: str, interventions: Sequence[Intervention]) -> Intervened:
        """Change a chain that is under way."""
        ...

    async def decisions(self, action_id: str) -> Sequence[AuditEntry]:
        """All that the audit log holds of an action, oldest first."""
        ...

    # What may run. What changes comes as PermissionsEvent.

    async def permissions(self) -> Permissions: ...

    async def set_mode(self, mode: Mode) -> None: ...

    async def save_rule(self, rule: Rule, *, place: int | None = None) -> None:
        """A new rule at the end of the file, or in the place of another."""
        ...

    async def remove_rule(self, place: int) -> None: ...

    async def revoke_grant(self, grant_id: str) -> None: ...

    # What was decided and run.

    async def audit_page(
        self, query: AuditQuery, *, before: int | None = None, limit: int = 100
    ) -> Sequence[AuditEntry]:
        """The newest entries that fit, newest first; with `before` those below that position."""
        ...

    async def audit_words(self) -> AuditWords:
        """The kinds and outcomes to look for."""
        ...

    async def export_audit(
        self, query: AuditQuery, path: Path, *, limit: int | None = None, force: bool = False
    ) -> int:
        """Write what fits into a file; how many entries."""
        ...

    async def turns(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> Sequence[TurnSummary]:
        """A page of past turns, oldest first; `before` is the position that the page ends at."""
        ...

    async def snapshot(self, turn_id: str) -> ContextSnapshot | None:
        """What a turn's prompt was made of; `None` when it is kept no more."""
        ...

    # External MCP servers. What changes comes as ServersEvent.

    def servers(self) -> Sequence[ServerStatus]: ...

    async def allow_server(self, server_id: str, *, shown_hash: str) -> None:
        """Say yes to what a server would start and get; the hash is that of the question as it was shown."""
        ...

    async def move_server_secrets(self, server_id: str) -> str:
        """Move what stands in a server's file as plain text to the keyring; says what was moved."""
        ...

    async def restart_server(self, server_id: str) -> None:
        """Begin it anew, now, whatever it was doing; returns once that is under way."""
        ...

    async def switch_server(self, server_id: str, *, on: bool) -> None: ...

    async def server_log(self, server_id: str) -> str:
        """What it wrote to stderr and told as log messages, newest last, at most 64 KiB."""
        ...

    async def read_resource(self, server_id: str, uri: str) -> RunnerResponse: ...

    async def get_prompt(self, server_id: str, name: str, arguments: JsonObject) -> RunnerResponse: ...

    async def keep_server_secret(self, name: str, value: str, *, server_id: str = "") -> str:
        """Keep for one server what `${keyring:name}` stands for; says where it is. Those that wait for it
        start."""
        ...

    async def add_server_config(self, text: str, name: str, *, allow: bool = False) -> str:
        """Write a server's configuration into `mcp/`, under a name that is free; says in a sentence where.

        `text` is JSON, one server or many of them in any form that is read; `name` is of the file, and of a
        server that brings none.
        """
        ...

    def elicitations(self) -> Sequence[Elicitation]:
        """The open questions of servers, oldest first."""
        ...

    async def answer_elicitation(self, elicitation_id: str, answer: ElicitationAnswer) -> None: ...

    # Models. Names are those of the settings; what changes comes as ModelsEvent.

    def models(self) -> Sequence[ModelStatus]: ...

    @property
    def mind_name(self) -> str:
        """Who answers now: `starter`, or the name of a model."""
        ...

    async def add_model_file(self, path: Path) -> str:
        """Take a file into the list; it answers if no model was chosen. Returns its name there."""
        ...

    async def use_model(self, name: str) -> None:
        """Let it answer; empty: the starter mind."""
        ...

    async def load_model(self, name: str) -> None:
        """Open it now; of a server, see whether it answers."""
        ...

    async def unload_model(self, name: str) -> None:
        """Also gives up a load that is under way."""
        ...

    async def remove_model(self, name: str) -> None:
        """Take it off the list; a file stays where it is."""
        ...

    async def add_endpoint(self, draft: EndpointDraft, key: str) -> str:
        """Take a server into the list, as a file; without a name it gets one. Returns its name there."""
        ...

    async def set_model_key(self, name: str, key: str) -> str:
        """Keep another key; empty forgets it. Says where it is, as `key_place` does."""
        ...

    async def test_endpoint(self, draft: EndpointDraft, key: str) -> EndpointReport: ...

    async def key_place(self) -> str:
        """Where the next key is kept, as the end of a sentence: `in the system keyring (…)`."""
        ...

    async def calls(self, turn_id: str) -> Sequence[ModelCall]:
        """What a turn asked of models, in order; empty where the starter mind did it alone."""
        ...

    async def totals(self, conversation_id: str) -> CallTotals: ...
