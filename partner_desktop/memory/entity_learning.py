"""EntityLearning: reads what the person said for what it teaches, as it comes and what was said before.

Contract: a message is read once for each time that it changed (`entity_queue` says which are left), and
leaves the queue in the transaction that writes what it taught, so that a start after a crash goes on where
the last one ended. What was said just now is known as soon as it is asked for: `catch_up`. Only the person's
own words teach.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TypeVar

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError, StorageError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.entity import EntityStatement
from partner_desktop.domain.events import (
    ChatImportEvent,
    ConversationEvent,
    ConversationGoneEvent,
    DialogRolledEvent,
    EntitiesEvent,
    Event,
    MessageEvent,
    TurnEvent,
)
from partner_desktop.domain.remembered import PERSON, MemoryUnit, RememberedTurn
from partner_desktop.mind.question import FindEntities, Mind
from partner_desktop.runtime.interruption import QuietTurns, TurnInterrupted
from partner_desktop.runtime.turn_reader import TurnReader, turns_at
from partner_desktop.storage.database import Connection, Database

T = TypeVar("T")

_HEARD = (
    MessageEvent | ChatImportEvent | ConversationGoneEvent | ConversationEvent | DialogRolledEvent | TurnEvent
)

_log = log.area("memory")

#: Messages that one step reads: what a question waits for, the newest, and what is read behind.
_NEWEST, _AT_ONCE = 32, 40
#: Seconds after which a failed look is tried again.
_AGAIN_S = 30.0
#: Lines that a model reads at once, and how often it is asked where turns go before.
_LINES_AT_ONCE, _TRIES = 20, 3
#: Messages that were read and taught nothing, before that is written down: a write keeps others waiting.
_MOST_UNWRITTEN = 200
#: Messages before one that goes on about somebody: a reply, and a card, may stand between.
_LOOKED_BACK = 4
#: After a longer time `she` is somebody else.
_LATELY = timedelta(minutes=10)


class EntityLearning:
    """A part, and a channel that hears when something was said. Owns the table `entity_queue`."""

    name = "entities"

    def __init__(self, database: Database, reader: TurnReader, publish: Callable[[Event], None]) -> None:
        self._database = database
        self._reader = reader
        self._publish = publish
        self._tasks = TaskSet("entities")
        self._news = asyncio.Event()
        self._lock = asyncio.Lock()
        self._mind: Mind | None = None
        self._rolled: asyncio.Queue[MemoryUnit] = asyncio.Queue()
        self._turns = QuietTurns()
        self._read: set[int] = set()
        """Rows of the queue that taught nothing: they are taken out with the next that does."""

    async def launch(self) -> None:
        """Begin in the background; nothing waits for it."""
        self._tasks.start("learning", self._follow())
        self._tasks.start("learning from rolled dialog", self._follow_rolls())

    async def shutdown(self) -> None:
        await self._tasks.close()

    def think_with(self, mind: Mind) -> None:
        """Set who reads dialog that was rolled; wired once by the app."""
        self._mind = mind

    def accepts(self, event: Event) -> bool:
        """What may have changed something that the person said; rolls; and turns, which go first."""
        return isinstance(event, _HEARD)

    def deliver(self, event: Event) -> None:
        """Look soon; whoever asks first looks itself."""
        if isinstance(event, DialogRolledEvent):
            self._rolled.put_nowait(event.unit)
        elif isinstance(event, TurnEvent):
            self._turns.hear(event)
        else:
            self._news.set()

    async def _follow(self) -> None:
        while True:
            self._news.clear()
            try:
                while await self._step(_AT_ONCE, newest=False):
                    pass
            except StorageError as error:
                _log.warning("what was said is not read for what it teaches: %s", error)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), _AGAIN_S)
                continue
            await self._news.wait()

    async def _follow_rolls(self) -> None:
        """What was rolled is read once more, by a mind: it may see more than the rules."""
        while True:
            unit = await self._rolled.get()
            try:
                turns = await self._reader.within(unit.conversation_id, unit.first, unit.past)
                own = [turn for turn in turns if turn.speaker == PERSON]
                for start in range(0, len(own), _LINES_AT_ONCE):
                    await self._ask_of(own[start : start + _LINES_AT_ONCE])
            except PartnerError as error:
                _log.warning("rolled dialog is not read for what it teaches: %s", error)

    async def _ask_of(self, turns: Sequence[RememberedTurn]) -> None:
        """Ask while nobody waits for an answer; a turn that begins goes before."""
        assert self._mind is not None
        for _ in range(_TRIES):
            await self._turns.wait()
            with suppress(TurnInterrupted):
                found = await self._turns.unless_disturbed(self._mind.ask(FindEntities(turns)))
                await self._keep_found(turns, found)
                return

    async def _keep_found(
        self, turns: Sequence[RememberedTurn], found: Sequence[Sequence[EntityStatement]]
    ) -> None:
        """Write what the rules did not read."""
        async with self._lock:
            stated = {turn.position: one for turn, one in zip(turns, found, strict=False) if one}
            before = await self._said_before(turns) if stated else {}
            known = await asyncio.to_thread(_statements, turns, before) if stated else {}
            new = {
                position: fresh
                for position, all_of in stated.items()
                if (fresh := [one for one in all_of if one not in known[position]])
            }
            changed = await self._database.write(lambda db: _add(db, turns, new)) if new else 0
        if changed:
            self._publish(EntitiesEvent())

    async def catch_up(self) -> None:
        """What was said lately is known when this returns.

        Raises:
            StorageError: The database cannot be read or written.
        """
        await self._step(_NEWEST, newest=True)

    async def unread(self) -> int:
        """How many messages are still to be read."""
        row = await self._database.row("SELECT count(*) FROM entity_queue")
        return max(0, int(row[0]) - len(self._read))

    async def told(self, changed: T) -> T:
        """Say that something of what is known changed."""
        self._publish(EntitiesEvent())
        return changed

    async def _step(self, limit: int, *, newest: bool) -> bool:
        """Read some of what is left; whether there was any."""
        order = "DESC" if newest else "ASC"
        async with self._lock:
            rows = await self._database.rows(
                f"SELECT number, position FROM entity_queue ORDER BY number {order} LIMIT ?",  # noqa: S608 - ours
                (limit + len(self._read),),
            )
            left = {
                int(row["number"]): int(row["position"]) for row in rows if row["number"] not in self._read
            }
            if not left:
                return False
            positions = sorted(set(left.values()))
            turns = await self._reader.at(positions)
            own = [turn for turn in turns.values() if turn.speaker == PERSON]
            stated = await asyncio.to_thread(_statements, own, await self._said_before(own)) if own else {}
            taught = any(stated.values()) or await self._taught(positions)
            changed = 0
            if taught or len(self._read) + len(left) >= _MOST_UNWRITTEN:
                done = self._read.union(left)
                changed = await self._database.write(lambda db: _keep(db, positions, own, stated, done))
                self._read.clear()
            else:
                self._read.update(left)
        if changed:
            self._publish(EntitiesEvent())
        return True

    async def _said_before(self, turns: Sequence[RememberedTurn]) -> Mapping[int, str]:
        """By position, what the person said right before, where a turn goes on about somebody."""
        going_on = await asyncio.to_thread(_going_on, turns)
        near = [turn.position - back for turn in going_on for back in range(1, _LOOKED_BACK + 1)]
        there = await self._reader.at(near) if near else {}
        found: dict[int, str] = {}
        for turn in going_on:
            back = [there.get(turn.position - each) for each in range(1, _LOOKED_BACK + 1)]
            found[turn.position] = said_right_before(turn, back)
        return found

    async def _taught(self, positions: Sequence[int]) -> bool:
        """Whether something is known from the messages at these positions."""
        marks = ",".join("?" * len(positions))
        query = f"SELECT 1 FROM entity_facts WHERE position IN ({marks}) LIMIT 1"  # noqa: S608 - marks only
        return await self._database.row(query, tuple(positions)) is not None


def said_right_before(turn: RememberedTurn, back: Sequence[RememberedTurn | None]) -> str:
    """What the person said last before a turn, of those `back` from it; nothing that is long ago."""
    own = (
        each
        for each in back
        if each is not None and each.speaker == PERSON and each.conversation_id == turn.conversation_id
    )
    last = next(own, None)
    return last.text if last is not None and turn.at - last.at <= _LATELY else ""


def _going_on(turns: Sequence[RememberedTurn]) -> list[RememberedTurn]:
    """Those that speak of somebody who was named before."""
    from partner_desktop.language.entity_statements import goes_on_about  # noqa: PLC0415 - not at the start

    return [turn for turn in turns if goes_on_about(turn.text)]


def _statements(
    turns: Sequence[RememberedTurn], before: Mapping[int, str]
) -> Mapping[int, Sequence[EntityStatement]]:
    """What some turns state, by their positions; `before`: what was said before some of them."""
    # Patterns by the dozen: whoever says nothing should not wait for them.
    from partner_desktop.language.entity_statements import read_statements  # noqa: PLC0415

    return {
        turn.position: read_statements(turn.text, turn.at.astimezone(), before.get(turn.position, ""))
        for turn in turns
    }


def _add(
    db: Connection, turns: Sequence[RememberedTurn], stated: Mapping[int, Sequence[EntityStatement]]
) -> int:
    """Write what a model found in turns that are still as it read them; how many facts."""
    from partner_desktop.memory.entity_resolution import keep_statements  # noqa: PLC0415 - as above

    there = turns_at(db, list(stated))
    same = [turn for turn in turns if turn.position in stated and there.get(turn.position) == turn]
    return sum(keep_statements(db, turn, stated[turn.position], "model") for turn in same)


def _keep(
    db: Connection,
    positions: Sequence[int],
    turns: Sequence[RememberedTurn],
    stated: Mapping[int, Sequence[EntityStatement]],
    done: Collection[int],
) -> int:
    """Write what turns state in place of what they stated before; how many facts changed.

    `done` are the rows of the queue that are read then.
    """
    now = turns_at(db, positions)
    changed = 0
    for position in positions:
        read = next((turn for turn in turns if turn.position == position), None)
        there = now.get(position)
        if read is not None and (there is None or there.text != read.text):
            continue  # it changed in this moment, which put it into the queue again
        before = db.execute(
            "SELECT id FROM entity_facts WHERE position = ? AND source <> 'person'",
            (position,),
        ).fetchall()
        if read is not None and stated[position]:
            from partner_desktop.memory.entity_resolution import keep_statements  # noqa: PLC0415 - as above

            changed += keep_statements(db, read, stated[position])
        # Only now, so that whom it is about is found by what was known from it.
        for row in before:
            changed += db.execute("DELETE FROM entity_facts WHERE id = ?", (row["id"],)).rowcount
    db.executemany("DELETE FROM entity_queue WHERE number = ?", [(number,) for number in done])
    return changed
