"""PromptBuilder: makes the request of a reply from what is known, and writes down what it was made of.

Contract: `prepare` before the mind is asked; `settle` before the turn is over, however it ends. Preparing
only reads the dialog, so that the first word does not wait for a record that nobody reads yet.

The tail of a turn's prompt is what changes from turn to turn, after the prefix that stays: `<context>`
with what is known now, the abilities that came or went since the prefix named them, `<input>` with what
was said, when, and what stands beside it.

Where a model cannot hold all of it, the context blocks give way first, down to a small rest; then the
dialog, for this turn only; at last the inputs themselves, of which the beginning and the end are carried
with a mark between.

How full the model is, is told in time, in the language of the prompts: one sentence when it is nearly full,
one when it is. The estimate is looked at as a turn ends, the model's own count when it comes: mostly a
little later. What was told of a conversation before a restart is in the record of its last turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ContextOverflowError, StorageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.prompts import messages
from partner_desktop.base.recent import Recent
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.capabilities import ActionCapability, CognitionCapability
from partner_desktop.communication.prompt_budget import FRAME_TOKENS, PromptBudgets, carried, cost_of
from partner_desktop.communication.prompt_prefix import KeptPrefix, PrefixKeeper
from partner_desktop.context import block
from partner_desktop.context.block import Domain
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.snapshots import SnapshotStore, TurnPrompt
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import Event, NoticeEvent, UsageEvent
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.message import Message, MessagePicture, TurnRef
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.snapshot import PromptFill, PromptPart
from partner_desktop.mind.question import Mind, ReplyRequest
from partner_desktop.runtime.attachment_store import AttachmentStore
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.picture_files import PictureFiles
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext


def prompt_tail(
    *,
    resolution: Resolution,
    fresh: str,
    inputs: Sequence[FlowInput],
    most_characters: int | None,
    counter: TokenCounter,
    earlier: Sequence[MessagePicture] = (),
) -> tuple[PromptPart, ...]:
    """What follows the prefix. `most_characters` limits each input; `None`: all of it is carried.

    `earlier`: pictures that were shown before, and are shown again.
    """

    def part(name: str, text: str) -> PromptPart:
        return PromptPart("user", name, text, counter.count(text))

    again = [block.leaf("pictures", str(len(earlier)), attributes=_SHOWN_BEFORE, depth=1)] if earlier else []
    supply = [*again, *resolution.supply()]
    said = input_text(inputs, supply, most_characters=most_characters)
    changed = (part("abilities", fresh),) if fresh else ()
    return (part("context", resolution.context()), *changed, part("input", said))


def input_text(
    inputs: Sequence[FlowInput], supply: Sequence[str] = (), *, most_characters: int | None = None
) -> str:
    """The `<input>` of a prompt; of a longer text its beginning and its end, with a mark between."""
    entries = [_entry(item, inputs[0].at, most_characters) for item in inputs]
    return block.branch("input", [*entries, *supply])


_SHOWN_BEFORE = block.attribute("shown", "before")


def _shown_before(flow: RunningFlowContext, recent: Sequence[Message]) -> tuple[MessagePicture, ...]:
    """What was shown with the latest of the person's messages that came with pictures, if nothing is now."""
    if flow.is_self or flow.pictures:
        return ()
    return next((one.pictures for one in reversed(recent) if one.pictures), ())


def text_of(item: FlowInput) -> str:
    """What was said, or what happened."""
    return item.text or "\n".join(words_of(fact).full for fact in item.evidence)


def _entry(item: FlowInput, first_at: datetime, most_characters: int | None) -> str:
    """One thing said, or what happened, with its moment."""
    attributes = block.attribute("at", item.at.isoformat(timespec="seconds"))
    after_ms = round((item.at - first_at).total_seconds() * 1000)
    if after_ms > 0:
        attributes += block.attribute("after_ms", str(after_ms))
    attributes += block.attribute("source", item.source.gateway)
    if item.pictures:
        attributes += block.attribute("pictures", str(len(item.pictures)))
    text = text_of(item)
    if most_characters is not None:
        text = carried(text, most_characters)
    return block.leaf("entry" if item.text else "happened", text, attributes=attributes, depth=1)


#: Of the room for a prompt: what context blocks keep, and at most how many tokens.
_BLOCKS_PART, _LEAST_BLOCKS = 0.1, 256
#: An input is never cut to less: nobody could answer it.
_LEAST_CHARACTERS = 200
#: Parts of a tail: context, abilities, input, and the answer's own frame.
_TAIL_FRAMES = 4 * FRAME_TOKENS
_STEPS = 12


@dataclass(frozen=True)
class FittedPrompt:
    """What a prompt is made of."""

    kept: KeptPrefix
    blocks_tokens: int
    """What the context blocks may hold."""
    most_characters: int | None = None
    """Of each input; `None`: all of it."""


async def fit(
    prefixes: PrefixKeeper, turn: TurnRef, inputs: Sequence[FlowInput], *, kept: KeptPrefix, fresh: str
) -> FittedPrompt:
    """How the prompt of a turn fits.

    Raises:
        StorageError: The dialog cannot be read.
    """
    usable, most = kept.budgets.usable_tokens, kept.budgets.blocks_tokens
    if usable is None:
        return FittedPrompt(kept, most)
    counter = kept.budgets.counter
    least = min(_LEAST_BLOCKS, round(usable * _BLOCKS_PART))
    needed = counter.count(input_text(inputs)) + counter.count(fresh) + _TAIL_FRAMES
    if (rest := usable - kept.tokens - needed) >= least:
        return FittedPrompt(kept, min(most, rest))
    dialog = cost_of(part for part in kept.parts if part.name == "dialog")
    kept = await prefixes.shorter(turn, dialog_tokens=usable - (kept.tokens - dialog) - needed - least)
    if (rest := usable - kept.tokens - needed) >= least:
        return FittedPrompt(kept, min(most, rest))
    said = counter.count(input_text(inputs))
    room = usable - kept.tokens - (needed - said) - least
    characters = _characters(inputs, room, counter)
    return FittedPrompt(kept, min(most, least), characters)


def _characters(inputs: Sequence[FlowInput], room_tokens: int, counter: TokenCounter) -> int | None:
    """The most characters of each input with which all of them take no more than `room_tokens`."""
    longest = most = max(len(text_of(item)) for item in inputs)
    for _ in range(_STEPS):
        tokens = counter.count(input_text(inputs, most_characters=most))
        if tokens <= room_tokens or most <= _LEAST_CHARACTERS:
            break
        most = max(_LEAST_CHARACTERS, int(most * min(0.95, max(0.1, room_tokens / tokens))))
    return most if most < longest else None


_log = log.area("communication")

#: What a reply is about, what matters most first.
_DOMAINS = (Domain.COGNITION, Domain.ACTION, Domain.MEMORY, Domain.PERCEIVE)
#: Messages that a reply looks back at.
_RECENT = 6


class PromptBuilder:
    """Belongs to the CommunicationProducer."""

    def __init__(
        self,
        mind: Mind,
        workspace: ContextWorkspace,
        cognition: CognitionCapability,
        action: ActionCapability,
        snapshots: SnapshotStore,
        prefixes: PrefixKeeper,
        budgets: PromptBudgets,
        channels: ChannelRegistry,
        *,
        pictures: PictureFiles,
        attachments: AttachmentStore,
        clock: Clock,
    ) -> None:
        self._mind = mind
        self._pictures = pictures
        self._attachments = attachments
        self._workspace = workspace
        self._cognition = cognition
        self._action = action
        self._snapshots = snapshots
        self._prefixes = prefixes
        self._budgets = budgets
        self._usage = ContextUsage(channels, snapshots, language=lambda: budgets.language)
        self._clock = clock
        self._made: dict[str, TurnPrompt] = {}
        self._dialogs: dict[str, float] = {}
        """How full the dialog's share was."""

    async def prepare(self, flow: RunningFlowContext) -> ReplyRequest:
        """The question for the mind, with the prompt that answers to it word by word."""
        kept, recent = await asyncio.gather(
            self._prefixes.kept(flow.ref), self._cognition.recent(flow.conversation_id, limit=_RECENT)
        )
        abilities = tuple(self._action.usable())
        fresh = kept.digest.differences(abilities)
        earlier = _shown_before(flow, recent)
        fitted = await fit(self._prefixes, flow.ref, flow.inputs, kept=kept, fresh=fresh)
        counter = self._workspace.counter = kept.budgets.counter
        resolution = await self._workspace.resolve_async(
            _DOMAINS, scope=flow.conversation_id, turn_id=flow.turn_id, most_tokens=fitted.blocks_tokens
        )
        tail = prompt_tail(
            resolution=resolution,
            fresh=fresh,
            inputs=flow.inputs,
            most_characters=fitted.most_characters,
            counter=counter,
            earlier=earlier,
        )
        parts = (*fitted.kept.parts, *tail)
        self._keep(flow, resolution, parts, fitted)
        told = [fact for item in flow.inputs for fact in item.evidence]
        return ReplyRequest(
            text=flow.text,
            evidence=[*told, *resolution.evidence_of(flow.turn_id)],
            abilities=abilities,
            recent=recent,
            prompt=parts,
            turn=flow.ref,
            pictures=await self._pictures.data(flow.pictures),
            earlier_pictures=await self._pictures.data(earlier),
            attachments=await self._attachments.of_messages(flow.ref.said) if flow.attachments else (),
        )

    async def prepare_shorter(self, flow: RunningFlowContext, error: ContextOverflowError) -> ReplyRequest:
        """The question again: its prompt was longer than the model can hold, which is known exactly now."""
        made = self._made[flow.turn_id]
        self._budgets.learn(flow.conversation_id, error, estimated_tokens=cost_of(made.prompt))
        self._prefixes.end(flow.turn_id)
        _log.info("turn %s: the prompt was too long (%s) and is made shorter", flow.turn_id[:8], error)
        return await self.prepare(flow)

    def too_long(self, error: ContextOverflowError) -> str:
        """What is said when the question fits at no length."""
        language = self._budgets.language
        return words("too_long", language, prompt=error.prompt_tokens, context=error.context_tokens)

    def _keep(
        self,
        flow: RunningFlowContext,
        resolution: Resolution,
        parts: tuple[PromptPart, ...],
        fitted: FittedPrompt,
    ) -> None:
        budgets = fitted.kept.budgets
        self._made[flow.turn_id] = TurnPrompt(
            turn_id=flow.turn_id,
            conversation_id=flow.conversation_id,
            at=self._clock.now(),
            mind=self._mind.name,
            said=flow.text,
            resolution=resolution,
            prompt=parts,
            fill=PromptFill(
                context_tokens=budgets.context_tokens,
                answer_tokens=budgets.answer_tokens,
                prompt_tokens=cost_of(parts),
                left_out_messages=fitted.kept.left_out_messages,
            ),
        )
        self._dialogs[flow.turn_id] = fitted.kept.dialog_fullness
        if fitted.most_characters is not None:
            self._tell_cut(flow, fitted)

    def _tell_cut(self, flow: RunningFlowContext, fitted: FittedPrompt) -> None:
        budgets = fitted.kept.budgets
        self._usage.cut(
            flow.conversation_id,
            flow.inputs[-1].message_id,
            model=budgets.model,
            context_tokens=budgets.context_tokens,
        )

    async def settle(self, flow: RunningFlowContext) -> None:
        """Write the turn's prompt down; a disk that refuses costs the record, never the reply."""
        self._prefixes.end(flow.turn_id)
        made = self._made.pop(flow.turn_id, None)
        if made is None:
            return
        made = replace(made, fill=self._usage.exact(flow.turn_id, made.fill))
        try:
            await uninterrupted(self._record(made))
        except StorageError as error:
            _log.warning("the context of turn %s was not kept: %s", flow.turn_id, error)

    async def _record(self, made: TurnPrompt) -> None:
        dialog = self._dialogs.pop(made.turn_id, 0.0)
        await self._usage.tell(made.conversation_id, made.fill, dialog=dialog, model=made.mind)
        await self._snapshots.record(made)


def words(name: str, language: str, *, model: str = "", **numbers: int) -> str:
    """A sentence for the person; numbers with their thousands set apart."""
    known: Mapping[str, str] = messages("context_usage", language)
    spoken = {key: f"{value:,}" for key, value in numbers.items()}
    return known[name].format(model=model or known["the_model"], **spoken)


#: From this part of the room for prompts on the person is warned.
WARN_FROM = 0.75
#: Below this part it is not the model's memory that leaves messages out, but the settings.
_BY_ROOM_FROM = 0.4
_TURNS, _CONVERSATIONS = 64, 256


@dataclass
class _Told:
    """What the person knows of a conversation."""

    context_tokens: int
    warned: bool
    left_out: bool


class ContextUsage:
    """A channel for usage events, and the one that tells."""

    name = "gauge"

    def __init__(
        self, channels: ChannelRegistry, snapshots: SnapshotStore, *, language: Callable[[], str]
    ) -> None:
        self._language = language
        self._channels = channels
        self._snapshots = snapshots
        self._counted: Recent[str, ModelCall] = Recent(_TURNS)
        self._ended: Recent[str, PromptFill] = Recent(_TURNS)
        self._told: Recent[str, _Told] = Recent(_CONVERSATIONS)
        channels.register(self)

    # The models' own counts.

    def accepts(self, event: Event) -> bool:
        return isinstance(event, UsageEvent) and event.call.question == "reply" and bool(event.call.turn_id)

    def deliver(self, event: Event) -> None:
        assert isinstance(event, UsageEvent)
        call = event.call
        estimate = self._ended.pop(call.turn_id, None)
        if estimate is None:
            self._counted[call.turn_id] = call
        elif (fill := _counted_by(call, estimate)).fullness >= WARN_FROM:
            told = self._told.get(call.conversation_id) or _Told(0, warned=False, left_out=False)
            self._look(call.conversation_id, fill, told, model=call.model)

    def exact(self, turn_id: str, estimate: PromptFill) -> PromptFill:
        """A turn ended: its estimate, or what the model itself counted if that is known already."""
        call = self._counted.pop(turn_id, None)
        if call is not None:
            return _counted_by(call, estimate)
        self._ended[turn_id] = estimate
        return estimate

    # Telling.

    async def tell(self, conversation_id: str, fill: PromptFill, *, dialog: float, model: str) -> None:
        """Say what should be known of a turn, unless it was said before. Before the turn is recorded.

        `dialog`: how much of what the model leaves to the dialog is taken, 0 to 1.

        Raises:
            StorageError: The record of the last turn cannot be read.
        """
        nearly = max(fill.fullness, dialog) >= WARN_FROM
        if not fill.context_tokens or not (nearly or fill.left_out_messages):
            return  # the common case reads nothing
        told = self._told.get(conversation_id) or await self._told_before(conversation_id)
        self._look(conversation_id, fill, told, model=model)

    def _look(self, conversation_id: str, fill: PromptFill, told: _Told, *, model: str) -> None:
        """It is nearly full, or was."""
        self._told[conversation_id] = told
        if told.context_tokens != fill.context_tokens:  # another model: what was said of the last is void
            told.context_tokens, told.warned, told.left_out = fill.context_tokens, False, False
        if fill.left_out_messages and not told.left_out:
            told.left_out = told.warned = True
            self._say(conversation_id, "left_title", self._left_out(fill))
        elif not told.warned:
            told.warned = True
            room = fill.context_tokens - fill.answer_tokens
            text = self._words("nearly", model=model, prompt=fill.prompt_tokens, room=room)
            self._say(conversation_id, "nearly_title", text)

    def _left_out(self, fill: PromptFill) -> str:
        number = fill.left_out_messages
        by_room = fill.fullness >= _BY_ROOM_FROM
        name = "left_by_number" if not by_room else "left" if number > 1 else "left_one"
        return self._words(name, number=number, context=fill.context_tokens)

    def _words(self, name: str, *, model: str = "", **numbers: int) -> str:
        return words(name, self._language(), model=model, **numbers)

    def cut(self, conversation_id: str, message_id: str, *, model: str, context_tokens: int) -> None:
        """A message was too long to be carried whole."""
        text = self._words("cut", model=model, context=context_tokens)
        self._say(conversation_id, "cut_title", text, about=f"cut:{message_id}")

    async def _told_before(self, conversation_id: str) -> _Told:
        try:
            turns = await self._snapshots.turns(conversation_id, before=None, limit=1)
        except StorageError:
            turns = []
        if not turns:
            return _Told(0, warned=False, left_out=False)
        last = turns[-1]
        left_out = last.left_out_messages > 0
        return _Told(last.context_tokens, warned=left_out or last.fullness >= WARN_FROM, left_out=left_out)

    def _say(self, conversation_id: str, title: str, text: str, *, about: str = "") -> None:
        self._channels.publish(
            NoticeEvent(
                conversation_id=conversation_id,
                title=self._words(title),
                text=text,
                about=about or f"context:{conversation_id}",
            )
        )


def _counted_by(call: ModelCall, estimate: PromptFill) -> PromptFill:
    if not call.prompt_tokens:
        return estimate
    context = call.context_tokens or estimate.context_tokens
    return replace(estimate, prompt_tokens=call.prompt_tokens, context_tokens=context)
