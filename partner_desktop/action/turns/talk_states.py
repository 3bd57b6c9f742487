"""TalkStates: what words may be about, read off the rows as they are now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from partner_desktop.action.questions import all_gone, step_face
from partner_desktop.action.turns.planning_parts import PlanningPart
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.domain.referent import ATTACHED, Referent
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.language.home_references import folders_of_most
from partner_desktop.mind.act import OpenQuestion, TalkState
from partner_desktop.runtime.flow import RunningFlowContext

#: What takes something back; “again” is of what was done before it.
_UNDO = "builtin::files::undo"
#: Messages that are looked back at. A card further up was not said last.
_LOOKED_AT = 40


def with_attached(entries: tuple[HomeEntry, ...], referents: Sequence[Referent]) -> tuple[HomeEntry, ...]:
    """What words can name: what was attached last, in place of anything else that is called alike."""
    newest = next((each.items for each in referents if each.key == ATTACHED), ())
    own = [HomeEntry(item.path, is_folder=item.is_folder) for item in newest if not item.gone]
    names = {_name(entry) for entry in own}
    if not names:
        return entries  # the same object, which others know by
    return (*own, *(entry for entry in entries if _name(entry) not in names))


def _name(entry: HomeEntry) -> str:
    return entry.path.rpartition("/")[2].casefold()


def gone_words() -> str:
    """Why an ability that was meant cannot be called."""
    return sentence_of("plans.ability_gone")


class TalkStates(PlanningPart):
    """A part of the planner."""

    async def now(
        self, flow: RunningFlowContext, said_at: datetime, before: Confirmation = Confirmation.OTHER
    ) -> TalkState:
        """What is open in the conversation of the turn."""
        conversation_id = flow.conversation_id
        cards = await self._store.in_status(ActionStatus.WAITING, conversation_id=conversation_id)
        said_last, told_since = await self._said_last(conversation_id, cards, said_at)
        running = await self._store.in_status(ActionStatus.RUNNING, conversation_id=conversation_id)
        return TalkState(
            abilities=self._catalog.usable(),
            question=await self.question(flow),
            cards=tuple(cards),
            said_last=said_last,
            told_since=told_since,
            running=tuple(record for record in running if not record.parent_id),
            surroundings=await self.surroundings(flow),
            also_called=self._also_called(cards),
            before=before,
            last=await self._store.last_run(conversation_id, but=(_UNDO,)),
            schedules=await self._schedules.in_talk(conversation_id),
        )

    async def surroundings(self, flow: RunningFlowContext) -> Surroundings:
        """What of the disk and of earlier results words may mean."""
        cwd = flow.exchange.cwd
        entries = await asyncio.to_thread(self._home_index.entries, cwd)
        referents = await self._referents.of(flow.conversation_id)
        entries = await asyncio.to_thread(with_attached, entries, referents)
        known = Surroundings(self._home_index.home, cwd, entries, referents)
        folders = await asyncio.to_thread(folders_of_most, flow.text, known)
        measured = await asyncio.to_thread(self._home_index.measured, folders) if folders else ()
        return replace(known, measured=measured)

    async def question(self, flow: RunningFlowContext) -> OpenQuestion | None:
        """The question that waits; one that cannot be answered any more ends here."""
        record = await self._questions.open(flow.conversation_id)
        if record is None:
            return None
        if record.options:
            if self._questions.left(record):
                return OpenQuestion(record, record, options=self._questions.options(record))
            flow.retract(record.id)
            await self._questions.end(record, all_gone())
            return None
        # Of a chain, what was asked about is one of its steps; the question is the chain's all the same.
        face = step_face(record)
        info = self._catalog.get(face.key)
        if info is not None:
            return OpenQuestion(record, face, info)
        flow.retract(record.id)
        await self._questions.end(replace(record, exchange_id=flow.exchange.id), gone_words())
        return None

    async def _said_last(
        self, conversation_id: str, waiting: Sequence[ActionRecord], said_at: datetime
    ) -> tuple[frozenset[str], frozenset[str]]:
        """The ids of the cards that were told of last: before the person spoke, and only after that."""
        ids, found, since = {card.id for card in waiting}, set[str](), set[str]()
        if not ids:
            return frozenset(), frozenset()
        for message in reversed(await self._cognition.recent(conversation_id, limit=_LOOKED_AT)):
            if message.role is Role.USER or message.state is MessageState.NOT_REPLIED:
                continue
            is_card = message.role is Role.ACTION
            told = ids.intersection((message.action_id,) if is_card else message.about)
            if not told and (is_card or message.text):
                break
            (found if message.created_at <= said_at else since).update(told)
        return frozenset(found), frozenset(since)

    def _also_called(self, waiting: Sequence[ActionRecord]) -> Mapping[str, Sequence[str]]:
        """Other ways to ask for what the cards would do, by which they may be named."""
        keys = dict.fromkeys(step.key for card in waiting for step in card.plan.steps)
        infos = [self._catalog.get(key) for key in keys]
        return {info.key: info.aliases for info in infos if info is not None}
