"""Between Partner and the Memory tab: what is shown there, page by page, and what is done with it.

What is shown is read again when something of it changed, while the tab is in view and once it is again; what
was asked for before and comes late is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from partner_desktop.base.errors import UsageError
from partner_desktop.desktop.panel.memory.memory_rows import (
    MemoryRow,
    entity_row,
    found_rows,
    known_rows,
    timeline_rows,
    topic_rows,
)
from partner_desktop.desktop.panel.memory.memory_sheets import SliceSheet
from partner_desktop.desktop.panel.memory.memory_tab import MemoryTab
from partner_desktop.desktop.panel.memory.memory_verbs import MemoryVerbs
from partner_desktop.desktop.panel.memory.memory_words import topic_path
from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.domain.events import (
    ChatImportEvent,
    ConversationEvent,
    ConversationGoneEvent,
    DialogRolledEvent,
    EntitiesEvent,
    Event,
    TakeEvent,
    TurnEvent,
)
from partner_desktop.domain.forgetting import ForgetSelection
from partner_desktop.domain.message import Message, Role
from partner_desktop.domain.remembered import PARTNER, PERSON, RememberedTurn

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: What may have changed something of what is kept.
_CHANGES = (DialogRolledEvent, EntitiesEvent, ConversationEvent, ConversationGoneEvent, TakeEvent)
PAGE = 100
_FOUND = 25
#: A burst of changes becomes one.
_SETTLE_MS = 150
#: While messages are being read, how far that is.
_COUNT_MS = 1_000


class MemoryController(Controller):
    """Made when the tab is first shown. `bring_in()` asks for chats."""

    def __init__(self, context: WindowContext, *, bring_in: Callable[[], object]) -> None:
        super().__init__(context)
        self._tab: MemoryTab = self._window.panel.memory_tab
        self._topic = ""
        self._topics: Sequence[tuple[str, int]] = ()
        self._complete = True
        self._paging = False
        self._stale = False
        self._asking: object = None
        self._settle = QTimer(self._tab, interval=_SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._renew)
        self._count = QTimer(self._tab, interval=_COUNT_MS, singleShot=True)
        self._count.timeout.connect(self._read_status)
        self.verbs = MemoryVerbs(context, self._tab, show_topic=self._show_topic, changed=self.change)
        self._connect(bring_in)
        self._tab.wait()

    def _connect(self, bring_in: Callable[[], object]) -> None:
        tab = self._tab
        tab.kind_chosen.connect(lambda _kind: self._show_topic(""))
        tab.looked_for.connect(lambda _words: self._read(fresh=True))
        tab.scope_left.connect(lambda: self._show_topic(""))
        tab.older_wanted.connect(self._older)
        tab.again_pressed.connect(lambda: self._read(fresh=True))
        tab.import_pressed.connect(bring_in)
        tab.topic_forgotten.connect(lambda: self.verbs.ask_to_forget(ForgetSelection(topic=self._topic)))
        tab.foot.stop_pressed.connect(self._stop_import)
        tab.list.opened.connect(self._open)
        tab.list.chosen.connect(self._choose)
        self._window.panel.tab_shown.connect(self._tab_shown)

    def _begin(self, partner: Partner) -> None:
        self._read(fresh=True)
        self._request("imports", self._read_imports)

    def deliver(self, event: Event) -> None:
        """What may have changed something of what is shown."""
        if isinstance(event, ChatImportEvent):
            self._tab.foot.show_import(event.progress)
            if event.progress.state != "running":
                self.change()
        elif isinstance(event, _CHANGES):
            self.change()
        elif isinstance(event, TurnEvent) and event.state != "started":
            self._read_status()

    def change(self) -> None:
        """Something is otherwise: what is shown is read again, soon or when the tab is in view again."""
        self._stale = True
        if self._in_view:
            self._settle.start()

    @property
    def _in_view(self) -> bool:
        return self._window.panel.tab == MEMORY_TAB

    def _tab_shown(self, number: int) -> None:
        if number == MEMORY_TAB:
            self._read_status()
            if self._stale:
                self._settle.start()

    def _renew(self) -> None:
        if self._stale and self._in_view:
            self._read(fresh=False)

    # What is shown.

    def _show_topic(self, path: str) -> None:
        """One topic's passages; empty: what the tab shows of its own."""
        if path and self._tab.words:
            self._tab.search.clear()
        self._topic = path
        if path:
            self._tab.show_kind("topics")
        self._tab.show_scope(topic_path(path))
        self._read(fresh=True)

    def _read(self, *, fresh: bool) -> None:
        """`fresh`: something else is asked for; else the same again, without a word about waiting."""
        self._stale = False
        self._asking = mine = object()
        if fresh:
            self._tab.wait()
        self._request("memory", lambda partner: self._show(partner, mine, fresh=fresh), on_fault=self._fault)
        self._read_status()

    async def _show(self, partner: Partner, mine: object, *, fresh: bool) -> None:
        tab = self._tab
        rows, complete = await self._rows(partner)
        if self._asking is mine:
            if not fresh:
                rows, complete = self._joined(rows, complete=complete)
            self._complete = complete
            tab.show_rows(rows, fresh=fresh)

    async def _rows(self, partner: Partner) -> tuple[list[MemoryRow], bool]:
        """The first page of what is asked for, and whether it is all."""
        tab = self._tab
        if tab.words:
            return await self._found(partner, tab.words), True
        if tab.kind == "known":
            known = await partner.entities.known()
            if not known.person.facts and not known.person.name and not known.others:
                return [], True
            return known_rows(known), len(known.others) >= known.count
        if tab.kind == "topics" and not self._topic:
            self._topics = await partner.memory.topics()
            return topic_rows(self._topics), True
        page = await self._page(partner, "")
        return list(timeline_rows(page)), len(page) < PAGE

    async def _page(self, partner: Partner, before: str) -> Sequence[Any]:
        pinned = self._tab.kind == "pinned"
        return await partner.memory.slices(topic=self._topic, pinned=pinned, before=before, limit=PAGE)

    async def _found(self, partner: Partner, words: str) -> list[MemoryRow]:
        recall = await partner.memory.recall(words, limit=_FOUND)
        turns = [one.turn for one in recall.turns] or await self._begun(partner, words)
        self._topics = self._topics or await partner.memory.topics()
        return found_rows(words, turns, self._topics, await partner.entities.list(words, limit=_FOUND))

    async def _begun(self, partner: Partner, words: str) -> list[RememberedTurn]:
        """Messages with words that begin like these: what is typed is often not whole yet."""
        hits = await partner.conversations.search(words, limit=_FOUND)
        titles = {hit.message_id: hit.conversation.title for hit in hits if hit.message_id}
        found = [await partner.messages.get(message_id) for message_id in titles]
        return [_turn(one, titles[one.id]) for one in found if one.role is not Role.ACTION]

    def _joined(self, rows: list[MemoryRow], *, complete: bool) -> tuple[list[MemoryRow], bool]:
        """With the older pages that are known, where the first page joins them."""
        shown = self._tab.list.rows.rows
        last = rows[-1].key if rows else ""
        at = next((at for at, row in enumerate(shown) if row.key == last), None)
        if complete or at is None or rows[-1].kind == "topic":
            return rows, complete
        return [*rows, *shown[at + 1 :]], self._complete

    def _older(self) -> None:
        if not self._complete and not self._paging and self._tab.list.rows.rows:
            self._paging = True
            self._request("older passages", self._add_page, on_fault=self._fault)

    async def _add_page(self, partner: Partner) -> None:
        mine, shown = self._asking, self._tab.list.rows.rows
        try:
            rows, complete = await self._next_rows(partner, shown[-1])
        except UsageError:  # the one to go on from was forgotten meanwhile
            self.change()
            return
        finally:
            self._paging = False
        if self._asking is mine:
            self._complete = complete
            self._tab.list.add_rows(rows)

    async def _next_rows(self, partner: Partner, last: MemoryRow) -> tuple[list[MemoryRow], bool]:
        if last.about.entity is not None:
            known = {row.key for row in self._tab.list.rows.rows if row.about.entity is not None}
            # The person, who stands first here, has a place among the others there.
            page = await partner.entities.list(limit=PAGE, offset=len(known) - 1)
            rows = [row for row in map(entity_row, page) if row.key not in known]
            return rows, len(page) < PAGE
        slices = await self._page(partner, last.about.slice.id if last.about.slice is not None else "")
        return list(timeline_rows(slices, after=last)), len(slices) < PAGE

    def _fault(self, sentence: str) -> None:
        self._stale = True
        self._tab.show_fault(sentence)

    def _choose(self, row: MemoryRow) -> None:
        if row.about.topic:
            self._show_topic(row.about.topic)

    def _open(self, row: MemoryRow) -> None:
        """What was said in a passage."""
        one = row.about.slice
        if one is None:
            return

        async def read(partner: Partner) -> None:
            opened = await partner.memory.show(one.id)
            sheet = self._tab.list.sheet_of(row)
            if isinstance(sheet, SliceSheet):
                sheet.show_opened(opened)

        def fault(sentence: str) -> None:
            sheet = self._tab.list.sheet_of(row)
            if isinstance(sheet, SliceSheet):
                sheet.show_fault(sentence)

        self._request(f"open {row.key}", read, on_fault=fault)

    # How much there is.

    def _read_status(self) -> None:
        if self._in_view:
            self._request("memory status", self._show_status)

    async def _show_status(self, partner: Partner) -> None:
        status = await partner.memory.status()
        self._tab.foot.show_status(status)
        if status.unread:
            self._count.start()

    async def _read_imports(self, partner: Partner) -> None:
        for one in await partner.memory.imports():
            if one.state == "running":
                self._tab.foot.show_import(one)

    def _stop_import(self, import_id: str) -> None:
        self._request("stop import", lambda partner: partner.memory.stop_import(import_id))


def _turn(one: Message, title: str) -> RememberedTurn:
    speaker = one.speaker or (PERSON if one.role is Role.USER else PARTNER)
    return RememberedTurn(one.id, one.conversation_id, title, one.position, speaker, one.text, one.created_at)
