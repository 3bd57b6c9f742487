"""The main window: three columns, and the doors through which files and the keyboard come in."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop import shortcuts
from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.columns import Columns
from partner_desktop.desktop.memory import WindowMemory
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.panel.panel import Panel
from partner_desktop.desktop.sidebar.sidebar import Sidebar
from partner_desktop.desktop.tab_order import next_stop, tab_stops
from partner_desktop.desktop.theme.theme import Theme

_FIRST_SIZE = (1280, 800)
_LEAST_SIZE = (480, 400)


class MainWindow(QWidget):
    """Knows no Partner: it reports what the person does and shows what it is told.

    `closing()` once, when the window is closed; `files_dropped(paths)`; `first_painted()` once.
    """

    closing = Signal()
    files_dropped = Signal(list)
    first_painted = Signal()

    def __init__(
        self, theme: Theme, *, memory: WindowMemory | None = None, clock: Clock | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setWindowTitle(self.tr("Partner"))
        self.setAcceptDrops(True)
        self.setMinimumSize(*_LEAST_SIZE)
        self.theme = theme
        self.notices = Notices(self)
        self.sidebar = Sidebar(theme)
        self.page = ChatPage(theme, self.notices, clock=clock)
        self.panel = Panel(theme)
        self.columns = Columns(self.sidebar, self.page, self.panel)
        self._memory = memory or WindowMemory(None)
        self._painted = False
        self._closed = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.columns)
        self.page.header.sidebar_toggled.connect(self.columns.toggle_sidebar)
        self.page.header.panel_toggled.connect(self.columns.toggle_panel)
        self.page.header.set_title("")
        self.page.fault_page.quit_pressed.connect(self.close)
        self.page.composer.files_chosen.connect(self.files_dropped)
        self.sidebar.status.faults_pressed.connect(lambda: self.show_tab(1))
        shortcuts.install(self)
        if not self._memory.restore_place(self):
            self.resize(*_FIRST_SIZE)
        self.page.composer.edit.setFocus()

    @property
    def painted(self) -> bool:
        """Whether the first picture stands."""
        return self._painted

    @property
    def closed(self) -> bool:
        """Whether the person, or a signal, has closed it."""
        return self._closed

    def show_tab(self, number: int) -> None:
        """Bring a tab of the panel to view."""
        self.columns.show_panel()
        self.panel.show_tab(number)

    def focus_search(self) -> None:
        """Go to the search in all conversations."""
        self.columns.show_sidebar()
        self.sidebar.search.begin()

    def escape(self) -> None:
        """Esc: uncover the chat, stop what runs, or go to the composer."""
        if self.columns.covered:
            self.columns.uncover()
        elif self.page.composer.running:
            self.page.composer.stop_pressed.emit()
        self.page.composer.edit.setFocus()

    def raise_to_front(self) -> None:
        """A second start asks for this window: show it, whatever it was doing."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()
        QApplication.alert(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            # The children are painted and the picture is handed over before the next round of the loop.
            QTimer.singleShot(0, self, self._tell_painted)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        if not self._closed:
            self._closed = True
            self._memory.keep(self, self.theme)
            self.closing.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        target = next_stop(tab_stops(self._regions()), self.focusWidget(), forward=forward)
        if target is None:
            return False
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        target.setFocus(reason)
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files_of(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = _files_of(event)
        if files:
            event.acceptProposedAction()
            self.files_dropped.emit(files)

    def _regions(self) -> tuple[QWidget, ...]:
        return (self.sidebar, *self.page.regions, self.panel)

    def _tell_painted(self) -> None:
        if not self._painted:
            self._painted = True
            self.first_painted.emit()


def _files_of(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
