"""MemorySelector brings what was said earlier into the turn; MemoryJudge has a model choose of it later.

Contract: the reply waits for neither. A recall that is late puts its passages where the next turn finds them;
what a model judges is judged after the reply, and what it turns down is gone for the next turn. A failure of
either costs nothing but what it would have brought.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.recent import Recent
from partner_desktop.base.tasks import TaskSet
from partner_desktop.capabilities import CognitionCapability, MemoryCapability
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.score import UNFADING, Fades
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import ConversationGoneEvent, Event
from partner_desktop.domain.evidence_text import Words, passage_words, slice_words
from partner_desktop.domain.message import Role
from partner_desktop.domain.remembered import OpenedSlice, RecalledPassage, RecallQuery
from partner_desktop.memory.settings import MemorySettings
from partner_desktop.mind.question import JudgeSlices, Mind
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext

_log = log.area("memory")

_RECENT = 6
#: Conversations whose passages stand before a mind; in others they are recalled anew.
_CONVERSATIONS = 16
_RECENT_BLOCK, _RECALLED_BLOCK, _PINNED_BLOCK = "recent_messages", "recalled_slice", "pinned_slice"
#: What the source of a pinned slice begins with.
_PINNED = "MemorySelector:"


class RecalledPassages:
    """What stands in the workspace of each conversation, so that it can be taken back."""

    def __init__(self, workspace: ContextWorkspace) -> None:
        self._workspace = workspace
        self._shown: Recent[str, tuple[str, tuple[RecalledPassage, ...]]] = Recent(
            _CONVERSATIONS, lambda place, told: self.drop(place, told[1])
        )
        self._pinned: dict[str, set[str]] = {}

    def show(self, conversation_id: str, text: str, passages: Sequence[RecalledPassage]) -> None:
        """Put passages before the mind; those of an earlier question that come again are fresh once more."""
        self._shown[conversation_id] = (text, tuple(passages))
        for passage in passages:
            fades = block_settings.RECALLED_SLICES
            self._put(conversation_id, _RECALLED_BLOCK, _source(passage), passage_words(passage), fades)

    def pin(self, conversation_id: str, slices: Sequence[OpenedSlice]) -> None:
        """Have these stand before the mind, and none that is pinned no longer."""
        wanted = {_PINNED + opened.slice.id[:8]: opened for opened in slices}
        for source in self._pinned.get(conversation_id, set()) - wanted.keys():
            self._workspace.expire(_PINNED_BLOCK, source, scope=conversation_id)
        self._pinned[conversation_id] = set(wanted)
        for source, opened in wanted.items():
            self._put(conversation_id, _PINNED_BLOCK, source, slice_words(opened), UNFADING)

    def _put(self, conversation_id: str, name: str, source: str, words: Words, fades: Fades) -> None:
        """In place of the same one, which a newer one would only weaken."""
        self._workspace.expire(name, source, scope=conversation_id)
        self._workspace.register(
            ContextBlock(
                name=name,
                source=source,
                domain=Domain.MEMORY,
                scope=conversation_id,
                full=words.full,
                compact=words.compact,
                abstract=words.abstract,
                fades=fades,
            )
        )

    def forget(self, holds: Callable[[str], bool]) -> None:
        """Take back what says words of what was forgotten; what was shown is recalled anew."""
        self._shown.clear()
        self._workspace.forget_words(holds)

    def shown(self, conversation_id: str) -> tuple[str, tuple[RecalledPassage, ...]]:
        """The newest passages there, and what they were recalled for."""
        return self._shown.get(conversation_id, ("", ()))

    name = "recalled passages"

    def accepts(self, event: Event) -> bool:
        """What is deleted is not put before a mind any more."""
        return isinstance(event, ConversationGoneEvent)

    def deliver(self, event: Event) -> None:
        """Drop what was said in the conversation that is gone, wherever it was recalled."""
        gone = event.conversation_id
        for place, (text, passages) in list(self._shown.items()):
            left = [each for each in passages if each.hit.turn.conversation_id == gone]
            self.drop(place, left)
            self._shown[place] = (text, tuple(each for each in passages if each not in left))
            for source in self._pinned.pop(place, set()):  # the next turn looks what is pinned
                self._workspace.expire(_PINNED_BLOCK, source, scope=place)

    def drop(self, conversation_id: str, passages: Sequence[RecalledPassage]) -> None:
        """They are of no help."""
        for passage in passages:
            self._workspace.expire(_RECALLED_BLOCK, _source(passage), scope=conversation_id)


def _is_small_talk(text: str) -> bool:
    """Nothing that was said earlier helps with a greeting."""
    from partner_desktop.language.speech_acts.small_talk import small_talk  # noqa: PLC0415 - with the first turn

    return small_talk(text) is not None


def _source(passage: RecalledPassage) -> str:
    return f"MemorySelector:{passage.hit.turn.message_id[:8]}"


class MemorySelector(RunningModule):
    """Runs beside the planner, and waits for nothing but the recent messages."""

    order = 2

    def __init__(
        self,
        workspace: ContextWorkspace,
        cognition: CognitionCapability,
        memory: MemoryCapability,
        settings: ConfigHandle[MemorySettings],
        passages: RecalledPassages,
    ) -> None:
        self._workspace = workspace
        self._cognition = cognition
        self._memory = memory
        self._settings = settings
        self._passages = passages
        self._tasks = TaskSet("recall")
        self._running: dict[str, asyncio.Task[None]] = {}

    async def execute(self, flow: RunningFlowContext) -> None:
        if flow.text.strip():
            self._begin(flow)
        await self._bring_recent(flow)

    async def shutdown(self) -> None:
        await self._tasks.close()

    def _begin(self, flow: RunningFlowContext) -> None:
        """Of one conversation only the newest question is looked up."""
        earlier = self._running.get(flow.conversation_id)
        if earlier is not None:
            earlier.cancel()
        task = self._tasks.start(f"recall:{flow.turn_id[:8]}", self._recall(flow))
        self._running[flow.conversation_id] = task
        task.add_done_callback(lambda done: self._forget(flow.conversation_id, done))

    def _forget(self, conversation_id: str, task: asyncio.Task[None]) -> None:
        if self._running.get(conversation_id) is task:
            del self._running[conversation_id]

    async def _recall(self, flow: RunningFlowContext) -> None:
        try:
            self._passages.pin(flow.conversation_id, await self._memory.pinned())
            if not self._settings.value.recall or await asyncio.to_thread(_is_small_talk, flow.text):
                return
            recall = await self._memory.recall(RecallQuery(flow.text, turn=flow.ref))
        except PartnerError as error:
            _log.warning("nothing is recalled: %s", error)
            return
        self._passages.show(flow.conversation_id, flow.text, recall.passages)

    async def _bring_recent(self, flow: RunningFlowContext) -> None:
        messages = await self._cognition.recent(flow.conversation_id, limit=_RECENT + len(flow.inputs))
        earlier = [m for m in messages if m.role is not Role.ACTION][: -len(flow.inputs)]
        if not earlier:
            return
        self._workspace.expire(_RECENT_BLOCK, self.name, scope=flow.conversation_id)
        self._workspace.register(
            ContextBlock(
                name=_RECENT_BLOCK,
                source=self.name,
                domain=Domain.COMMUNICATION,
                scope=flow.conversation_id,
                full="\n".join(f"[{message.role}] {message.text}" for message in earlier),
                fades=block_settings.RECENT_MESSAGES,
            )
        )


class MemoryJudge(RunningModule):
    """Runs after the reply; the next turn of its conversation ends what it still asks."""

    order = 6

    def __init__(self, mind: Mind, passages: RecalledPassages) -> None:
        self._mind = mind
        self._passages = passages
        self._tasks = TaskSet("judging of passages")
        self._judged: Recent[str, tuple[RecalledPassage, ...]] = Recent(_CONVERSATIONS)
        self._running: Recent[str, asyncio.Task[None]] = Recent(_CONVERSATIONS)

    async def execute(self, flow: RunningFlowContext) -> None:
        running = self._running.pop(flow.conversation_id, None)
        if running is not None:
            running.cancel()
        text, passages = self._passages.shown(flow.conversation_id)
        if not passages or self._judged.get(flow.conversation_id) == passages:
            return
        self._judged[flow.conversation_id] = passages
        work = self._judge(flow, text, passages)
        self._running[flow.conversation_id] = self._tasks.start(f"judge:{flow.turn_id[:8]}", work)

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def _judge(
        self, flow: RunningFlowContext, text: str, passages: tuple[RecalledPassage, ...]
    ) -> None:
        try:
            kept = await self._mind.ask(JudgeSlices(text, passages, turn=flow.ref))
        except PartnerError as error:
            _log.info("passages are not judged: %s", error)
            return
        turned_down = [passage for passage, keep in zip(passages, kept, strict=False) if not keep]
        self._passages.drop(flow.conversation_id, turned_down)
