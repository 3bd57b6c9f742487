"""Memory's parts, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from partner_desktop.api.entity_service import EntityService
from partner_desktop.api.memory_service import MemoryService
from partner_desktop.app.core_services import CoreServices
from partner_desktop.app.models import ModelParts
from partner_desktop.base.tasks import Deferred
from partner_desktop.domain.remembered import OpenedSlice, Recall, RecallQuery
from partner_desktop.memory.chat_import import ChatImporting
from partner_desktop.memory.day_remarks import DatedTurns
from partner_desktop.memory.entity_answers import EntityAnswers
from partner_desktop.memory.entity_learning import EntityLearning
from partner_desktop.memory.entity_store import EntityStore
from partner_desktop.memory.familiar_intents import FamiliarIntents
from partner_desktop.memory.forgotten import ForgottenTexts
from partner_desktop.memory.indexing import ChangeJournal, TurnIndexing
from partner_desktop.memory.settings import MemorySettings
from partner_desktop.memory.slice_store import SliceStore
from partner_desktop.memory.turn_index import TurnIndex
from partner_desktop.rolling.roller import DialogRoller, IdleRolling, RollingSettings
from partner_desktop.rolling.titler import ConversationTitler
from partner_desktop.runtime.turn_reader import TurnReader
from partner_desktop.storage.backup_file import home_key

if TYPE_CHECKING:
    from partner_desktop.memory.recaller import TurnRecall

#: Slices that are put before the mind because they are pinned.
_MOST_PINNED = 5


class DeferredMemory:
    """A `MemoryCapability` of which the part that reads words is made with the first question."""

    def __init__(self, make: Callable[[], TurnRecall], slices: SliceStore) -> None:
        self._made = Deferred(make)
        self._slices = slices

    async def pinned(self) -> Sequence[OpenedSlice]:
        """See `MemoryCapability.pinned`."""
        slices = await self._slices.all(limit=_MOST_PINNED, pinned=True)
        return [await self._slices.get(one.id) for one in slices]

    async def recall(self, query: RecallQuery) -> Recall:
        """See `MemoryCapability.recall`."""
        made = await self._made.get()
        return await made.recall(query)


class MemoryParts:
    """Built and connected; nothing is open before the launch. Without `meaning`, words and dates decide."""

    def __init__(
        self, core: CoreServices, models: ModelParts, *, meaning: bool, erase: Callable[[str], None]
    ) -> None:
        self.settings = core.config.register("memory", MemorySettings())
        embedder = models.embedder if meaning else None
        reader = TurnReader(core.database)
        index = TurnIndex(core.home.root / "cache" / "memory.db")
        self.slices = SliceStore(core.database, reader, clock=core.clock)
        self.indexing = TurnIndexing(
            index,
            ChangeJournal(core.database),
            reader,
            embedder,
            core.channels.publish,
            eager=core.lock.kind == "window",
        )

        def recall() -> TurnRecall:
            # Words are read by whoever asks first: no start waits for what does it.
            from partner_desktop.memory.recaller import Recaller, TurnRecall  # noqa: PLC0415

            recaller = Recaller(
                index, self.indexing, reader, self.slices, embedder, self.settings, clock=core.clock
            )
            return TurnRecall(recaller, reader, self.settings)

        self.recall = DeferredMemory(recall, self.slices)
        self.forgotten = ForgottenTexts(core.database, partial(home_key, core.home))
        self.importing = ChatImporting(
            core.database,
            reader,
            self.slices,
            self.indexing,
            self.forgotten,
            core.channels.publish,
            erase=erase,
            clock=core.clock,
        )
        self.entities = EntityStore(core.database, clock=core.clock)
        self.learning = EntityLearning(core.database, reader, core.channels.publish)
        self.known = EntityAnswers(self.entities, self.learning, reader, clock=core.clock)
        self.entity_service = EntityService(self.entities, self.learning)
        core.channels.register(self.learning)
        self.dated = DatedTurns(core.database, index, self.indexing, reader)
        self.rolling_settings = core.config.register("rolling", RollingSettings())
        self.roller = DialogRoller(
            self.slices, models.registry, self.rolling_settings, core.channels.publish, clock=core.clock
        )
        self.idle_rolling = IdleRolling(self.roller, self.slices, self.rolling_settings, clock=core.clock)
        self.titler = ConversationTitler(core.dialog, models.registry, self.rolling_settings)
        core.channels.register(self.titler)
        self.service = MemoryService(self.recall, self.roller, self.slices, self.indexing, self.importing)
        self.familiar = FamiliarIntents(
            core.database,
            core.dialog,
            usual_ms=lambda question: models.usage.usual_ms(question, models.registry.serves(question)),
            clock=core.clock,
        )
        core.channels.register(self.familiar)
        core.channels.register(self.indexing)
        core.channels.register(self.roller)
