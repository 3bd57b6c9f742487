"""Indexing: keeps the index of turns in step with the dialog, in the background and resumable.

Contract: what was said is found by words as soon as it is asked for: `catch_up` takes in what the database
tells of changes, and every recall calls it first. An index of another database, or one that came further than
the database did (a backup was restored), is made anew, which is told. Vectors come after, the newest turns
first, in batches that give way to whoever asks something; a file that is lost costs time and nothing else.

`ChangeJournal` tells what changed of the messages since, as the triggers of the database wrote it down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from partner_desktop.base import log
from partner_desktop.base.errors import ModelError, StorageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.events import (
    ChatImportEvent,
    ConversationGoneEvent,
    Event,
    MessageEvent,
    NoticeEvent,
    ReplyEvent,
)
from partner_desktop.domain.remembered import PARTNER, PERSON, MemoryStatus
from partner_desktop.memory.turn_index import TurnIndex, digest_of
from partner_desktop.model.embedder import Embedder
from partner_desktop.runtime.turn_reader import TurnReader
from partner_desktop.storage.database import Connection, Database

_log = log.area("memory")

#: Of one portion: a question waits until it is taken in.
_TURNS_AT_ONCE, _CHARACTERS_AT_ONCE = 256, 250_000
_VECTORS_AT_ONCE = 16
#: Changes that stay written down after they were taken.
_CHANGES_KEPT = 500
#: Portions of what changed that a question takes in before it looks.
_STEPS_OF_A_QUESTION = 8
#: Seconds after which a failed look is tried again.
_AGAIN_S = 30.0


class TurnIndexing:
    """A part, and a channel that hears when something was said. `embedder` is `None` where meaning is off.

    `eager`: meaning is read from the start on, not only when somebody asks.
    """

    name = "memory"

    def __init__(
        self,
        index: TurnIndex,
        journal: ChangeJournal,
        reader: TurnReader,
        embedder: Embedder | None,
        publish: Callable[[Event], None],
        *,
        eager: bool = False,
    ) -> None:
        self._index = index
        self._journal = journal
        self._reader = reader
        self._embedder = embedder
        self._publish = publish
        self._tasks = TaskSet("memory")
        self._news = asyncio.Event()
        self._meaning_wanted = asyncio.Event()
        self._lock = asyncio.Lock()
        self._walked: int | None = None
        self._changed = 0
        """Number of the last change that the index has taken."""
        self._told_taken = 0
        self._target = 0
        self._lost = 0
        #: Whether to look for words that were taken out: as the first thing, and when something was erased.
        self._clean_wanted = True
        self._erased = False
        """Whether that was asked for since this was made."""
        self._cleaning = asyncio.Lock()
        self.speakers: list[str] = []
        self.model = ""
        """Whose vectors the index holds."""
        self._note = ""
        if eager:
            self._meaning_wanted.set()

    # Life.

    async def launch(self) -> None:
        """Begin in the background; nothing waits for it."""
        self._tasks.start("index", self._follow())
        if self._embedder is not None:
            self._tasks.start("vectors", self._embed())

    async def shutdown(self) -> None:
        await self._tasks.close()
        try:
            if self._clean_wanted and self._erased and self._walked is not None:
                await self.catch_up()
                await self._clean()
        except StorageError as error:
            _log.warning("what was erased last leaves the index with the next start: %s", error)
        finally:
            await self._index.shutdown()

    def accepts(self, event: Event) -> bool:
        """What may have changed something that was said."""
        return isinstance(event, MessageEvent | ChatImportEvent | ConversationGoneEvent) or (
            isinstance(event, ReplyEvent) and event.done
        )

    def deliver(self, event: Event) -> None:
        """Look soon; a search that comes first looks itself."""
        if isinstance(event, ConversationGoneEvent) and event.erased:
            self._clean_wanted = self._erased = True
        self._news.set()

    def want_meaning(self) -> None:
        """From now on vectors are computed: somebody asks, or much was brought in."""
        self._meaning_wanted.set()

    async def status(self) -> MemoryStatus:
        """How far it is."""
        await self.catch_up()
        counts = await self._index.counts()
        unread = max(0, self._target - (self._walked or 0)) if self._walked is not None else 0
        status = MemoryStatus(counts.turns, counts.by_meaning, unread=unread)
        return replace(status, note=self._note) if self._note else self._with_meaning(status)

    def _with_meaning(self, status: MemoryStatus) -> MemoryStatus:
        if self._embedder is None:
            note = "Meaning is switched off: turns are found by words and dates."
            return replace(status, meaning="off", note=note)
        embedder = self._embedder.status()
        if not embedder.available:
            note = f"Turns are found by words and dates alone. {embedder.reason}"
            return replace(status, meaning="missing", note=note)
        if left := status.turns - status.by_meaning:
            note = f"{left:,} turns are found by words alone until their meaning is read."
            return replace(status, meaning="unread", note=note)
        return status

    # Words.

    async def _follow(self) -> None:
        while True:
            self._news.clear()
            try:
                await self.whole()
                await self._clean()
            except StorageError as error:
                _log.warning("what was said is not indexed: %s", error)
                self._note = f"What was said lately cannot be found: {error}"
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), _AGAIN_S)
                continue
            self._note = ""
            await self._news.wait()

    async def _clean(self) -> None:
        async with self._cleaning:
            if not self._clean_wanted:
                return
            self._clean_wanted = False
            try:
                if (await self._index.facts()).unclean:
                    await self._index.clean()
            except StorageError:
                self._clean_wanted = True
                raise

    async def catch_up(self) -> None:
        """What was said lately can be found when this returns.

        Old turns that are still being read, and what is left of thousands that were brought in just now,
        come in the background.

        Raises:
            StorageError: The database or the index cannot be read.
        """
        async with self._lock:
            await self._begin()
            for _ in range(_STEPS_OF_A_QUESTION):
                if not await self._take_changes():
                    break

    async def whole(self) -> None:
        """The same, old turns included; and nothing of what was erased is left."""
        while not await self._step():
            pass
        await self._clean()

    async def erased(self) -> None:
        """What was erased stands nowhere in the index when this returns.

        Raises:
            StorageError: The database or the index cannot be used.
        """
        self._clean_wanted = self._erased = True
        async with self._lock:
            await self._begin()
            while await self._take_changes():
                pass
        await self._clean()

    async def _step(self) -> bool:
        """Some of what changed, or else some of the old turns; whether that is all."""
        async with self._lock:
            await self._begin()
            return not (await self._take_changes() or await self._walk())

    async def _begin(self) -> None:
        if self._walked is not None and self._lost == self._index.lost:
            await self._use_model()
            return
        now = await self._journal.state()
        facts = await self._index.facts()
        # Between what it has taken and what is still told, nothing may be missing.
        if facts.mark != now.token or not now.taken <= facts.changed <= now.newest:
            if facts.mark or now.begun:
                _log.warning("the memory's index belongs to another state of the database and is made anew")
                self._tell("What was said is read anew: its index belonged to another state of the database.")
            await self._anew()
            facts = await self._index.facts()
        self.model = ""
        await self._use_model()
        self._lost = self._index.lost
        self._target = facts.target
        self._walked = facts.walked
        self._changed = facts.changed
        self.speakers = await self._index.speakers()

    async def _use_model(self) -> None:
        """Where another model embeds now, what is kept of the one before goes, and is read anew behind."""
        if self._embedder is None or self.model == (model := self._embedder.model_id):
            return
        gone = await self._index.use_model(model)
        self.model = model
        if gone:
            self._tell(f"The embedding model is another one: the meaning of {gone:,} turns is read anew.")
            self.want_meaning()

    async def _anew(self) -> int:
        """Begin an empty index; up to which position the dialog is walked through for it."""
        now, last = await self._journal.state(), await self._reader.end_of() - 1
        # Changes up to here are part of what is walked through.
        await self._index.begin(now.token, now.newest, last)
        await self._journal.taken(now.newest)
        self._changed = self._told_taken = now.newest
        return last

    async def _walk(self) -> bool:
        """The next old turns; whether there were any."""
        assert self._walked is not None
        if self._walked >= self._target:
            return False
        turns = await self._reader.after(self._walked, _TURNS_AT_ONCE, most_characters=_CHARACTERS_AT_ONCE)
        walked = turns[-1].position if turns else self._target
        await self._index.keep(turns, walked=max(walked, self._walked))
        self._walked = walked
        self._meet(turn.speaker for turn in turns)
        return walked < self._target

    async def _take_changes(self) -> bool:
        """The oldest changes that were not taken; whether there were any."""
        changes = await self._journal.changes(self._changed, _TURNS_AT_ONCE)
        if not changes:
            return False
        positions = list(dict.fromkeys(position for _, position in changes))
        turns, looked = await self._reader.first_at(positions, most_characters=_CHARACTERS_AT_ONCE)
        seen = set(positions[:looked])
        newest = [number for number, _ in takewhile(lambda change: change[1] in seen, changes)][-1]
        positions, turns = sorted(seen), sorted(turns, key=lambda turn: turn.position)
        await self._index.keep(turns, positions, changed=newest)
        self._changed = newest
        if newest - self._told_taken >= _CHANGES_KEPT:  # a write for each message would keep others waiting
            await self._journal.taken(newest)
            self._told_taken = newest
        self._meet(turn.speaker for turn in turns)
        return True

    def _meet(self, speakers: Iterable[str]) -> None:
        self.speakers += sorted(set(speakers) - {PERSON, PARTNER, *self.speakers})

    async def disagree(self) -> None:
        """A turn is another one than was indexed: all is read anew, and the person is told."""
        async with self._lock:
            self._walked, self._target = 0, await self._anew()
            if self._embedder is not None:
                self.model = ""
                await self._use_model()
                self.want_meaning()
        self._tell("What was said is read anew: its index did not agree with the messages.")
        self._news.set()

    # Meaning.

    async def _embed(self) -> None:
        assert self._embedder is not None
        while True:
            await self._meaning_wanted.wait()
            try:
                done = await self._embed_some()
            except (ModelError, StorageError) as error:
                _log.info("the meaning of turns is not read now: %s", error)
                self._meaning_wanted.clear()
                continue
            if done:
                self._meaning_wanted.clear()

    async def _embed_some(self) -> bool:
        """One batch; whether there was nothing left to do."""
        assert self._embedder is not None
        if not self._embedder.status().available:
            reason = self._embedder.status().reason
            raise (
                ModelError("common.told", text=reason) if reason else ModelError("memory.no_embedding_model")
            )
        async with self._lock:
            await self._begin()
        model = self.model
        missing = dict(await self._index.without_meaning(_VECTORS_AT_ONCE))
        if not missing:
            return True
        turns = [*(await self._reader.at(missing)).values()]
        # A text that changed meanwhile is indexed anew, and comes again.
        same = [turn for turn in turns if digest_of(turn.text) == missing[turn.position]]
        left = missing.keys() - {turn.position for turn in same}
        if left:
            async with self._lock:
                there = await self._reader.at(left)
                await self._index.keep([*there.values()], left)
        if same:
            vectors = await self._embedder.embed([turn.text for turn in same])
            if self._embedder.model_id == model:
                places = [(turn.position, missing[turn.position]) for turn in same]
                await self._index.keep_vectors(places, vectors, model=model)
        return False

    async def meaning_read(self) -> None:
        """Wait until every turn has its vector; returns at once where there can be none.

        Raises:
            ModelError: There are no vectors now.
        """
        if self._embedder is None or not self._embedder.status().available:
            return
        await self.whole()
        while not await self._embed_some():
            pass

    def _tell(self, text: str) -> None:
        self._publish(NoticeEvent(title="Memory", text=text, about="memory:index"))


@dataclass(frozen=True)
class JournalState:
    """What tells whether an index is one of this database, as it is now."""

    token: str
    newest: int
    """Number of the last change."""
    taken: int
    """Number of the last change that is not written down any more, because an index has it."""
    begun: bool
    """Whether there ever was an index."""


class ChangeJournal:
    """Owns the tables `memory_changes` and `memory_state`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def state(self) -> JournalState:
        """How far it is."""

        def look(db: Connection) -> JournalState:
            token, begun = db.execute("SELECT token, begun FROM memory_state").fetchone()
            row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'memory_changes'").fetchone()
            oldest = db.execute("SELECT min(number) FROM memory_changes").fetchone()[0]
            newest = int(row[0]) if row else 0
            return JournalState(
                str(token), newest, newest if oldest is None else int(oldest) - 1, bool(begun)
            )

        return await self._database.read(look)

    async def changes(self, after: int, limit: int) -> list[tuple[int, int]]:
        """Number and position of the oldest changes behind the one of number `after`."""
        rows = await self._database.rows(
            "SELECT number, position FROM memory_changes WHERE number > ? ORDER BY number LIMIT ?",
            (after, limit),
        )
        return [(row["number"], row["position"]) for row in rows]

    async def taken(self, up_to: int) -> None:
        """They are in the index, on the disk."""

        def write(db: Connection) -> None:
            db.execute("DELETE FROM memory_changes WHERE number <= ?", (up_to,))
            db.execute("UPDATE memory_state SET begun = 1")

        await self._database.write(write)
