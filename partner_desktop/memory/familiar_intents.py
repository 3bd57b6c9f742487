"""FamiliarIntents: which ability words have meant, learnt from what the person confirmed and refused.

Six confirmed passes in a row of the same words and ability make a request familiar, and a miss takes that
back: a refused card, a run that was undone, words that say it was not meant, or the same words that meant
another ability. It says only what words mean: it is no consent, and knows no arguments.

Contract: what happens is written behind the event, in order; whoever asks waits for what was heard before.
A request is bound to its ability as it was: an edited one is new.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.recent import Recent
from partner_desktop.base.tasks import TaskSet
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.events import ActionEvent, Event, MessageEvent, ResultEvent
from partner_desktop.domain.familiar_request import FamiliarRequest, FamiliarSavings
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.message import Message, Role
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.memory import intent_table
from partner_desktop.storage.database import Database, Row

if TYPE_CHECKING:
    from partner_desktop.language.request_wording import RequestWording

_log = log.area("memory")

#: Seconds that the last of it may take to be written at the end.
_CLOSE_S = 3.0
#: Conversations of which it is known what was done last.
_LAST = 100
_DONE = ActionStatus.SUCCEEDED


class FamiliarIntents:
    """A part, a channel, a `FamiliarCapability` and a `Forgettable`; owns the three tables of intents.

    `usual_ms` tells how long a call of a model with a question usually takes.
    """

    name = "familiar intents"

    def __init__(
        self,
        database: Database,
        cognition: CognitionCapability,
        *,
        usual_ms: Callable[[str], Awaitable[float]],
        clock: Clock,
    ) -> None:
        self._database = database
        self._cognition = cognition
        self._usual_ms = usual_ms
        self._clock = clock
        self._tasks = TaskSet("familiar intents")
        self._writing: set[asyncio.Task[None]] = set()
        self._order = asyncio.Lock()
        self._last: Recent[str, ActionRecord] = Recent(_LAST)
        """Conversation → what was done there last."""

    async def launch(self) -> None:
        """Nothing."""

    async def shutdown(self) -> None:
        """Write what was heard; bounded in time."""
        if self._writing:
            await asyncio.wait(self._writing, timeout=_CLOSE_S)
        await self._tasks.close()

    # What is heard.

    def accepts(self, event: Event) -> bool:
        """What became of actions, and what the person says after it."""
        return isinstance(event, ResultEvent | ActionEvent | MessageEvent)

    def deliver(self, event: Event) -> None:
        """Take it down in the background."""
        if isinstance(event, MessageEvent):
            self._hear_words(event.message)
        elif isinstance(event, ResultEvent | ActionEvent) and _teaches(event.action):
            self._begin(partial(self._take, event.action))

    def _hear_words(self, message: Message) -> None:
        if message.role is Role.USER:
            self._begin(partial(self._doubt, message))

    def _begin(self, work: Callable[[], Awaitable[None]]) -> None:
        async def in_order() -> None:
            async with self._order:
                try:
                    await work()
                except (StorageError, UsageError) as error:  # the conversation may be gone
                    _log.info("what became of a request was not learnt: %s", error)

        try:
            task = self._tasks.start("learn", in_order())
        except RuntimeError:
            return  # everything is closed already
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _settled(self) -> None:
        """Wait for what was heard until now."""
        if self._writing:
            await asyncio.wait(tuple(self._writing))

    async def _take(self, record: ActionRecord) -> None:
        if record.undo is not None and record.undo.state is UndoState.DONE:
            await self._database.write(lambda db: intent_table.unlearn(db, record))
            return
        said = await asyncio.to_thread(_wording, record.request_text)
        if said is None:
            return
        if record.status is not _DONE:
            await self._database.write(lambda db: intent_table.refuse(db, record, said))
        elif (await self._cognition.conversation(record.conversation_id)).remembered:
            now = self._clock.now()
            await self._database.write(lambda db: intent_table.learn(db, record, said, now))
            self._last[record.conversation_id] = record

    async def _doubt(self, message: Message) -> None:
        """Words that say at once that it was not meant take back what was done last."""
        last = self._last.pop(message.conversation_id, None)
        if last is not None and await asyncio.to_thread(_is_mistaken, message.text):
            await self._database.write(lambda db: intent_table.unlearn(db, last))

    # What is asked.

    async def meant(self, text: str, abilities: Sequence[MetaActionInfo]) -> FamiliarRequest | None:
        """See `FamiliarCapability.meant`: also `None` where the same words have meant another ability."""
        try:
            known = await self._known(abilities)
        except StorageError as error:
            _log.warning("what is familiar cannot be read: %s", error)
            return None
        if not any(one.active for one in known):
            return None
        fitting = await asyncio.to_thread(_fitting, known, text)
        if len({one.key for one in fitting}) != 1:
            return None
        usable = {info.key for info in abilities}
        active = [one for one in fitting if one.active and one.key in usable]
        return active[0].told if active else None

    async def _known(self, abilities: Sequence[MetaActionInfo]) -> list[intent_table.Intent]:
        """All, but those whose ability was edited since: they go."""
        await self._settled()
        hashes = {info.key: info.content_hash for info in abilities}
        known = await self._database.read(intent_table.intents)
        edited = {one.id for one in known if hashes.get(one.key, one.content_hash) != one.content_hash}
        if edited:
            await self._database.write(lambda db: intent_table.drop(db, edited))
        return [one for one in known if one.id not in edited]

    async def saved(self, request: FamiliarRequest, question: str) -> None:
        """See `FamiliarCapability.saved`; a disk that refuses costs the count only."""
        try:
            saved_ms, now = await self._usual_ms(question), self._clock.now()
            await self._database.write(lambda db: intent_table.save_call(db, request.id, saved_ms, now))
        except StorageError as error:
            _log.warning("a call that was saved was not counted: %s", error)

    async def all(self, abilities: Sequence[MetaActionInfo]) -> list[FamiliarRequest]:
        """All requests, that of use last first; those whose ability was edited since are gone.

        Raises:
            StorageError: They cannot be read.
        """
        return [one.told for one in await self._known(abilities)]

    async def savings(self) -> FamiliarSavings:
        """What was saved so far.

        Raises:
            StorageError: It cannot be read.
        """
        await self._settled()
        row = await self._database.row(
            "SELECT calls, saved_ms, (SELECT count(*) FROM intents WHERE passes >= ?) AS requests "
            "FROM intent_savings",
            (intent_table.FAMILIAR,),
        )
        return FamiliarSavings(int(row["requests"]), int(row["calls"]), float(row["saved_ms"]))

    async def forget(self, request_id: str) -> None:
        """Let one be familiar no longer.

        Raises:
            UsageError: There is none of this id.
            StorageError: It is still there.
        """
        await self._settled()
        if await self._database.row("SELECT 1 FROM intents WHERE id = ?", (request_id,)) is None:
            raise UsageError("memory.no_familiar_request", id=request_id)
        await self._database.write(lambda db: intent_table.drop(db, [request_id]))

    async def clear(self) -> None:
        """Let none be familiar, and count from nothing.

        Raises:
            StorageError: They are still there.
        """
        await self._settled()
        await self._database.write(intent_table.drop_all)

    # Forgetting.

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """See `Forgettable.held`."""
        return [
            HeldWords("intent", str(row["number"]), row["words"], row["conversation_id"])
            for row in await self._held(database, gone)
        ]

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        numbers = [int(row["number"]) for row in await self._held(database, gone)]
        if numbers:
            await database.write(lambda db: intent_table.erase_words(db, numbers))

    async def _held(self, database: Database, gone: Forgotten) -> list[Row]:
        await self._settled()
        rows = await database.read(intent_table.all_words)
        return await asyncio.to_thread(lambda: list(filter(partial(_is_of, gone), rows)))


def _wording(text: str) -> RequestWording | None:
    """Blocking. What reads words comes in with the first that are read, in a thread."""
    from partner_desktop.language.request_wording import request_wording  # noqa: PLC0415

    return request_wording(text)


def _is_mistaken(text: str) -> bool:
    """Blocking. See `_wording`."""
    from partner_desktop.language.request_wording import says_mistaken  # noqa: PLC0415

    return says_mistaken(text)


def _fitting(known: Sequence[intent_table.Intent], text: str) -> list[intent_table.Intent]:
    """Blocking. What these words are again, the likest first."""
    said = _wording(text)
    if said is None:
        return []
    fitting = [one for one in known if one.passes and one.fits(said)]
    return sorted(fitting, key=lambda one: -one.likeness(said))


def _is_of(gone: Forgotten, row: Row) -> bool:
    """Blocking. Where nothing of the person's is named, it is of the conversation as a whole."""
    if row["exchange_id"] in gone.exchange_ids or gone.mentions(row["words"]):
        return True
    return not gone.exchange_ids and row["conversation_id"] in gone.conversation_ids


def _teaches(record: ActionRecord) -> bool:
    """Whether one ability was asked for in words, and whether that was meant is known by now."""
    asked = bool(record.request_text and record.exchange_id) and not record.program
    alone = record.chain is None and not record.parent_id and record.terms is None and not record.schedule_id
    # Who calls off a question for an argument, or for which is meant, says nothing of the ability.
    questioned = bool(record.asked_param or record.options)
    refused = record.status is ActionStatus.REJECTED and not record.error and not questioned
    return asked and alone and (refused or record.status is _DONE)
