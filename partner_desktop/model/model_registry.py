"""ModelRegistry: all models of the settings, and who of them answers which question.

It has the face of `capabilities.py`. Contract: everything runs on one loop. Each entry of
`config/model.toml` is one `ChatModel`, which is made when the entry comes, left alone while the entry stays
as it is, and closed when its last call has ended after the entry went. Making one starts nothing.
`ModelsEvent` follows every change of a status, at most ten a second.

Who answers which question, and how, the settings say role by role, over the defaults. A model that a person
chose for one conversation answers there in place of the default; a role that names a model keeps it, as it
was named for that question's sake. Where the chosen model is gone from the settings the default answers, and
the person is told once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import get_args

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ConfigError, ModelError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_language
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.trace import current_conversation
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import Event, ModelsEvent, NoticeEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.model_status import ModelStatus
from partner_desktop.model.chat import (
    ChatEvent,
    ChatMessage,
    ChatRequest,
    ContextWindow,
    CountsTokens,
    Priority,
    Sampling,
    ToolChoice,
    answer_share,
)
from partner_desktop.model.conversation_models import ConversationModels
from partner_desktop.model.model_slot import Entry, Maker, ModelSlot, entry_kind
from partner_desktop.model.settings import InTurns, ModelSettings, RoleSettings
from partner_desktop.model.usage import CallMeter, UsageBook

_log = log.area("model")

#: The questions of nearly every turn: their models are opened as soon as somebody begins to write.
_FIRST_ASKED = ("evaluate_intent", "reply")
#: Asked by tasks that may outlive the turn which began them: they say themselves whose conversation it is.
_OF_NO_TURN = ("summarise", "title_dialog", "find_entities")


class ModelRegistry:
    """A part of the AgentContext. `makers`: by kind (`file`, `endpoint`), what makes a model of an entry."""

    def __init__(
        self,
        settings: ConfigHandle[ModelSettings],
        makers: Mapping[str, Maker],
        *,
        conversations: ConversationModels,
        usage: UsageBook,
        estimate: CountsTokens,
        publish: Callable[[Event], None],
        clock: Clock,
    ) -> None:
        self._handle = settings
        self._settings = ModelSettings.model_construct()
        self._makers = makers
        self._conversations = conversations
        self._usage = usage
        self._estimate = estimate
        self._clock = clock
        self._publish = publish
        self._publisher = StatusPublisher(self._news, publish)
        self._tasks = TaskSet("models")
        self._slots: dict[str, ModelSlot] = {}
        self._leaving: list[ModelSlot] = []
        self._missed: set[tuple[str, str]] = set()
        """Conversations and their models that are gone, where the person was told."""
        self._undo: Callable[[], None] = lambda: None

    # Life.

    async def launch(self) -> None:
        """Make what the settings name; nothing is loaded."""
        self._settings = self._handle.value
        for entry in _entries(self._settings):
            try:
                self._slots[entry.name] = self._make(entry)
            except (ConfigError, ModelError) as error:
                _log.warning("the model %s is left out: %s", entry.name, error)
        self._undo = self._handle.on_change(self._apply)

    async def shutdown(self) -> None:
        """End all models, bounded in time; idempotent."""
        self._undo()
        self._publisher.close()
        await self._tasks.close()
        slots = [*self._slots.values(), *self._leaving]
        await asyncio.gather(*(slot.model.shutdown() for slot in slots))

    def _make(self, entry: Entry) -> ModelSlot:
        maker = self._makers.get(entry_kind(entry))
        if maker is None:
            raise ConfigError("model.unusable_kind", name=entry.name)
        model, touch = maker(entry, self._publisher.touch), self._publisher.touch
        return ModelSlot(entry, model, estimate=self._estimate, clock=self._clock, touch=touch)

    async def _apply(self, new: ModelSettings) -> None:
        """Take new settings over: first make what is new, then part with what is gone.

        Raises:
            ConfigError: One cannot be made; everything is as it was.
        """
        wanted = {entry.name: entry for entry in _entries(new)}
        made: dict[str, ModelSlot] = {}
        try:
            for name, entry in wanted.items():
                if name not in self._slots or self._slots[name].entry != entry:
                    made[name] = self._make(entry)
        except Exception as error:
            await asyncio.gather(*(slot.model.shutdown() for slot in made.values()))
            if isinstance(error, ModelError):
                raise ConfigError("common.told", text=error) from error
            raise
        old = self._slots
        self._settings, self._slots = new, {name: made.get(name) or old[name] for name in wanted}
        for name, slot in old.items():
            if self._slots.get(name) is not slot:
                self._leaving.append(slot)
                self._tasks.start(f"close {name}", self._part_with(slot))
        self._publisher.touch()

    async def _part_with(self, slot: ModelSlot) -> None:
        """An answer under way is not cut off by an edit of the settings."""
        await slot.idle()
        await slot.model.shutdown()
        self._leaving.remove(slot)

    # What others ask.

    @property
    def _roles(self) -> Roles:
        return Roles(self._settings)

    @property
    def settings(self) -> ModelSettings:
        """The settings that the models are made of."""
        return self._settings

    @property
    def mind_name(self) -> str:
        """Who answers now where nothing else was chosen: `starter`, or the name of a model."""
        return self._served("reply", "") or STARTER

    def mind_of(self, conversation_id: str) -> str:
        """Who answers a conversation now: `starter`, or the name of a model."""
        return self._served("reply", self._own(conversation_id)) or STARTER

    def statuses(self) -> tuple[ModelStatus, ...]:
        """All models as they are now, in the order of the settings."""
        use = self._settings.use
        return tuple(slot.status(in_use=name == use) for name, slot in self._slots.items())

    def serves(self, question: str, conversation_id: str = "") -> str:
        """See `ModelCapability.serves`; empty also while the model has failed and cannot be tried."""
        return self._served(question, self._chosen_for(question, conversation_id))

    def _served(self, question: str, chosen: str) -> str:
        slot = self._slots.get(self._roles.model(question, chosen))
        return slot.entry.name if slot is not None and slot.can_be_tried else ""

    def _chosen_for(self, question: str, conversation_id: str) -> str:
        """What was chosen for the conversation that this question belongs to; empty: nothing."""
        if not conversation_id and question not in _OF_NO_TURN:
            conversation_id = current_conversation.get()
        chosen, there = self._conversations.chosen.get(conversation_id, ""), self._own(conversation_id)
        if chosen != there and (conversation_id, chosen) not in self._missed:
            self._missed.add((conversation_id, chosen))
            text = sentence_of("model.chosen_is_gone", name=chosen)
            about = f"model of {conversation_id}"
            self._publish(NoticeEvent(title="Model", text=text, level="warning", about=about))
        return there

    def _own(self, conversation_id: str) -> str:
        """What was chosen for a conversation, unless it is gone from the settings."""
        chosen = self._conversations.chosen.get(conversation_id, "")
        return chosen if chosen == STARTER or chosen in self._names else ""

    def persona(self, question: str) -> str:
        """See `ModelCapability.persona`."""
        return self._roles.persona(question)

    def language(self) -> str:
        """See `ModelCapability.language`."""
        said = self._settings.language
        return system_language() if said == "auto" else said

    def context_window(self, question: str, conversation_id: str = "") -> ContextWindow | None:
        """See `ModelCapability.context_window`."""
        slot = self._slots.get(self.serves(question, conversation_id))
        context = slot.context_tokens if slot is not None else 0
        if slot is None or not context:
            return None
        answer = answer_share(context, self._roles.max_tokens(question))
        return ContextWindow(slot.entry.name, context, answer, slot.calibration.counter)

    async def call(
        self,
        question: str,
        messages: Sequence[ChatMessage],
        *,
        trunk: int,
        turn: TurnRef | None,
        schema: JsonObject | None = None,
        max_tokens: int | None = None,
        tools: ToolChoice | None = None,
    ) -> AsyncGenerator[ChatEvent, None]:
        """See `ModelCapability.call`."""
        conversation_id = turn.conversation_id if turn is not None else ""
        slot = self._slots.get(self.serves(question, conversation_id))
        if slot is None:
            raise self._why_not(question, self._chosen_for(question, conversation_id))
        request = self.request(question, messages, trunk=trunk, schema=schema, max_tokens=max_tokens)
        request = replace(request, call=tools)
        async with aclosing(self._metered(slot, question, request, turn)) as events:
            async for event in events:
                yield event

    def request(
        self,
        question: str,
        messages: Sequence[ChatMessage],
        *,
        trunk: int,
        schema: JsonObject | None,
        max_tokens: int | None,
    ) -> ChatRequest:
        """A call as the settings want this question asked."""
        sampling = self._roles.sampling(question, fixed_form=schema is not None, max_tokens=max_tokens)
        return ChatRequest(
            tuple(messages), trunk=trunk, sampling=sampling, schema=schema, priority=priority_of(question)
        )

    async def _metered(
        self, slot: ModelSlot, question: str, request: ChatRequest, turn: TurnRef | None
    ) -> AsyncGenerator[ChatEvent, None]:
        meter = CallMeter(slot.entry.name, question, turn, slot.prices, self._clock)
        try:
            async with aclosing(slot.chat(request)) as events:
                async for event in events:
                    meter.take(event)
                    yield event
        except Exception:
            meter.end = "failed"
            raise
        finally:
            self._usage.book(meter.call(), constrained=meter.usage.constrained)

    def _why_not(self, question: str, chosen: str) -> ModelError:
        name = self._roles.model(question, chosen)
        if not name:
            return ModelError("model.nobody_answers", question=question)
        if name not in self._slots:
            return ModelError("model.there_is_none", name=name)
        reason = self._slots[name].model.status().reason
        return (
            ModelError("common.told", text=reason) if reason else ModelError("model.not_for_now", name=name)
        )

    # What a person asks.

    def slot(self, name: str) -> ModelSlot:
        """One of the models.

        Raises:
            UsageError: There is none of that name.
        """
        found = self._slots.get(name)
        if found is None:
            if not self._slots:
                raise UsageError("model.no_model_yet", name=name)
            raise UsageError("model.no_model", name=name, known=", ".join(self._slots))
        return found

    async def load(self, name: str) -> None:
        """Open a model.

        Raises:
            UsageError: There is none of that name.
            ModelError: It cannot be opened, or was unloaded meanwhile.
        """
        await self.slot(name).load()

    async def unload(self, name: str) -> None:
        """Give a model's memory back; a load under way is given up.

        Raises:
            UsageError: There is none of that name.
        """
        await self.slot(name).unload()

    def chosen(self, conversation_id: str) -> str:
        """What was chosen for a conversation, whether it is there or not; empty: nothing."""
        return self._conversations.chosen.get(conversation_id, "")

    async def choose(self, conversation_id: str, name: str) -> None:
        """Let a model answer one conversation: its name, `starter` for none, empty for the usual one.

        Raises:
            UsageError: There is none of that name.
            StorageError: It cannot be kept.
        """
        if name not in ("", STARTER):
            self.slot(name)
        await self._conversations.choose(conversation_id, name)
        self._missed = {missed for missed in self._missed if missed[0] != conversation_id}
        self._publisher.touch()

    def warm_up(self, conversation_id: str = "") -> None:
        """Somebody begins to write: open the files whose models will be asked, behind everything else."""
        for name in {self.serves(question, conversation_id) for question in _FIRST_ASKED} - {""}:
            slot = self._slots[name]
            if entry_kind(slot.entry) == "file" and slot.model.status().state == "idle":
                self._tasks.start(f"warm up {name}", self._warm(slot))

    @staticmethod
    async def _warm(slot: ModelSlot) -> None:
        try:
            await slot.load()
        except ModelError as error:
            _log.info("%s was not opened ahead: %s", slot.entry.name, error)

    def _news(self) -> ModelsEvent:
        return ModelsEvent(
            models=self.statuses(), mind=self.mind_name, chosen=dict(self._conversations.chosen)
        )

    @property
    def _names(self) -> set[str]:
        return {entry.name for entry in _entries(self._settings)}


def _entries(settings: ModelSettings) -> list[Entry]:
    return [*settings.file, *settings.endpoint]


#: Seconds between two events, at least.
_PAUSE_S = 0.1


class StatusPublisher:
    """`read` gives all models and who answers; what is as it was told last is not told again."""

    def __init__(self, read: Callable[[], ModelsEvent], publish: Callable[[Event], None]) -> None:
        self._read, self._publish = read, publish
        self._timer: asyncio.TimerHandle | None = None
        self._told: ModelsEvent | None = None
        self._next_s = 0.0
        self._closed = False

    def touch(self) -> None:
        """Something may have changed."""
        if self._timer is None and not self._closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, self._next_s - loop.time()), self._tell)

    def _tell(self) -> None:
        self._timer = None
        news = self._read()
        if news == self._told:
            return
        self._told = news
        self._next_s = asyncio.get_running_loop().time() + _PAUSE_S
        self._publish(news)

    def close(self) -> None:
        """Nothing more is told."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()


STARTER = "starter"
#: What the person waits for goes first; anything that is not asked in a turn is background work.
_URGENT = {"reply": Priority.REPLY}
#: What a model may recommend, and what of it the settings can say.
_CHOSEN = ("temperature", "top_p")
_RECOMMENDED = frozenset((*_CHOSEN, "top_k", "min_p", "repeat_penalty"))
_NOTHING = RoleSettings.model_construct(
    question="reply", model=None, temperature=None, top_p=None, max_tokens=None, persona=None
)


@dataclass(frozen=True)
class Roles:
    """The settings, asked by question."""

    settings: ModelSettings

    def _role(self, question: str) -> RoleSettings:
        return next((role for role in self.settings.role if role.question == question), _NOTHING)

    def model(self, question: str, chosen: str = "") -> str:
        """The model that is to answer; empty: the starter mind. `chosen`: for the conversation, if any."""
        name = self._role(question).model
        name = chosen or self.settings.use if name is None else name
        return "" if name == STARTER else name

    def persona(self, question: str) -> str:
        """Who speaks, where the settings say it."""
        return self._role(question).persona or ""

    def max_tokens(self, question: str) -> int:
        """The longest answer."""
        return self._role(question).max_tokens or self.settings.max_tokens

    def sampling(self, question: str, *, fixed_form: bool, max_tokens: int | None) -> Sampling:
        """How the words are chosen. An answer of a fixed form takes the likeliest, unless its role says else.

        What neither the role nor the settings say, the model may recommend. `max_tokens` lowers the limit,
        never raises it.
        """
        role, most = self._role(question), self.max_tokens(question)
        usual = 0.0 if fixed_form else self.settings.temperature
        said = self.settings.model_fields_set | {name for name in _CHOSEN if getattr(role, name) is not None}
        said |= {"temperature"} if fixed_form else set()
        return Sampling(
            temperature=usual if role.temperature is None else role.temperature,
            top_p=self.settings.top_p if role.top_p is None else role.top_p,
            max_tokens=most if max_tokens is None else max(1, min(most, max_tokens)),
            unsaid=_RECOMMENDED - said,
        )


def priority_of(question: str) -> Priority:
    """Who goes first where several ask at once."""
    return _URGENT.get(question, Priority.QUESTION if question in get_args(InTurns) else Priority.BACKGROUND)
