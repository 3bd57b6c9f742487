"""What waits, what runs, what is done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from partner_desktop.desktop.panel.empty import EmptyNote
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import Words, told

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.action_item import ActionItem
    from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import ProgressEvent

#: The panel shows the latest; the conversations hold the rest.
_MOST_DONE = 50


class _Section(QWidget):
    """A head and its items; hidden while empty."""

    def __init__(self, title: Words) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._items: list[ActionItem] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 8)
        self._layout.setSpacing(8)
        head = text_label(lambda: told(title).upper(), "head")
        head.setContentsMargins(4, 4, 0, 0)
        self._layout.addWidget(head)
        self.hide()

    @property
    def items(self) -> list[ActionItem]:
        """Newest first."""
        return list(self._items)

    def put(self, item: ActionItem) -> None:
        """Place an item by its time, newest first."""
        newer = sum(1 for other in self._items if other.record.created_at > item.record.created_at)
        self._items.insert(newer, item)
        self._layout.insertWidget(1 + newer, item)
        self.show()

    def take(self, item: ActionItem) -> None:
        """Take an item out, for another section or for good."""
        self._items.remove(item)
        self._layout.removeWidget(item)
        self.setVisible(bool(self._items))


class ActionsTab(QWidget):
    """`action_chosen(record)`, `cancel_pressed(id)`, `permissions_pressed()`, `audit_pressed()`.

    Items move between sections; none is made twice.
    """

    action_chosen = Signal(object)
    cancel_pressed = Signal(str)
    permissions_pressed = Signal()
    audit_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self._theme = theme
        self._items: dict[str, tuple[ActionItem, _Section]] = {}
        self.waiting = _Section(lambda: self.tr("Waiting for you"))
        self.running = _Section(lambda: self.tr("Running"))
        self.done = _Section(lambda: self.tr("Done"))
        inner = QWidget()
        inner.setObjectName("clear")
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(4)
        for section in (self.waiting, self.running, self.done):
            column.addWidget(section)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        self._pages = QStackedWidget()
        empty = EmptyNote(
            lambda: self.tr("Nothing to decide"),
            lambda: self.tr(
                "What Partner wants to do appears here and waits for your word. What ran stays listed."
            ),
        )
        empty.setContentsMargins(12, 0, 12, 0)
        self._pages.addWidget(empty)
        self._pages.addWidget(scroll)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        layout.addLayout(self._make_foot())

    def _make_foot(self) -> QHBoxLayout:
        """The ways to what may run, and to all that ran."""
        self.permissions_button = push_button(lambda: self.tr("Permissions…"), "quiet")
        self.permissions_button.clicked.connect(self.permissions_pressed)
        self.audit_button = push_button(lambda: self.tr("Audit log…"), "quiet")
        self.audit_button.clicked.connect(self.audit_pressed)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 0, 12, 4)
        foot.setSpacing(4)
        foot.addWidget(self.permissions_button)
        foot.addWidget(self.audit_button)
        foot.addStretch()
        return foot

    def show_actions(self, records: Iterable[ActionRecord]) -> None:
        """Add or bring up to date, several at once."""
        for record in records:
            self.show_action(record)

    def show_action(self, record: ActionRecord) -> None:
        """Add or bring up to date."""
        section = self._section_of(record)
        known = self._items.get(record.id)
        if known is None:
            # Comes in with the first action: an empty panel has no use for it.
            from partner_desktop.desktop.panel.action_item import ActionItem  # noqa: PLC0415

            item = ActionItem(record, self._theme)
            item.clicked.connect(lambda: self.action_chosen.emit(item.record))
            item.cancel_pressed.connect(self.cancel_pressed)
            section.put(item)
        else:
            item, before = known
            if item.record == record:
                return
            if before is self.done and section is not self.done:
                return  # a late event: what is done stays done
            item.show_record(record)
            if before is not section:
                before.take(item)
                section.put(item)
        self._items[record.id] = (item, section)
        self._pages.setCurrentIndex(1)
        self._trim()

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far a run is."""
        known = self._items.get(progress.action_id)
        if known is not None:
            known[0].show_progress(progress)

    def forget(self, conversation_id: str) -> None:
        """A conversation is gone, and its actions with it."""
        for item, section in list(self._items.values()):
            if item.record.conversation_id == conversation_id:
                self._drop(item, section)
        if not self._items:
            self._pages.setCurrentIndex(0)

    def _section_of(self, record: ActionRecord) -> _Section:
        if record.status.ended:
            return self.done
        return self.running if record.status.value == "running" else self.waiting

    def _trim(self) -> None:
        for item in self.done.items[_MOST_DONE:]:
            self._drop(item, self.done)

    def _drop(self, item: ActionItem, section: _Section) -> None:
        section.take(item)
        del self._items[item.record.id]
        item.hide()
        item.deleteLater()
