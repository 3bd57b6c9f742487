"""What a server gave, to be read, copied or put into the message: the text of a resource or a prompt."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import flow, hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, push_button, text_label
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.meta_action import RunnerResponse

_LINES = 16
_MOST_SHOWN = 64 * 1024


class Reader(QWidget):
    """`insert_wanted(text)`; `parts_shown(view)` when something came that is no text."""

    insert_wanted = Signal(str)
    parts_shown = Signal(object)

    def __init__(self, name: LazyText, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = ""
        self._parts: ResultPartsView | None = None
        self._problem = text_label("", "fault-small", wrap=True, selectable=True)
        self._note = text_label("", "muted", wrap=True)
        self.view = CodeView(name, most_lines=_LINES)
        self.insert_button = push_button(lambda: tr("Put into the message"), "small")
        self.insert_button.clicked.connect(lambda: self.insert_wanted.emit(self._text))
        self._copy = CopyButton(lambda: self._text, lambda: tr("Copy"), look="small")
        row = flow(self.insert_button, self._copy, gap=6)
        self._column = vbox(self._problem, self.view, self._note, row, into=self, gap=Space.XS)
        self._show()

    @property
    def text(self) -> str:
        """What came."""
        return self._text

    def show_problem(self, sentence: str) -> None:
        """It could not be read."""
        self._problem.setText(sentence)
        self._show()

    def show_response(self, response: RunnerResponse) -> None:
        """What came."""
        self._problem.setText("" if response.ok else response.error)
        self._text = response.stdout if response.ok else ""
        shown = self._text[:_MOST_SHOWN]
        self.view.show_text(shown.rstrip("\n"))
        cut = response.truncated or len(shown) < len(self._text)
        self._note.setText(tr("This is an excerpt.") if cut else "")
        if self._parts is not None:
            self._column.removeWidget(self._parts)
            self._parts.deleteLater()
            self._parts = None
        if response.parts:
            self._parts = ResultPartsView(response.parts, self._theme)
            self._column.addWidget(self._parts)
            self.parts_shown.emit(self._parts)
        self._show()

    def _show(self) -> None:
        self._problem.setVisible(bool(self._problem.text()))
        self._note.setVisible(bool(self._note.text()))
        for part in (self.view, self.insert_button, self._copy):
            part.setVisible(bool(self._text))
        self.setVisible(bool(self._text or self._problem.text() or self._parts))


_LOG_LINES = 14
_AGAIN_MS = 1000
#: Beyond this only the end is shown: more would hold the loop while it is laid out.
MOST_SHOWN = 64 * 1024


class LogView(QWidget):
    """`wanted()` now and every second, while it is seen; `show_text` answers."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._text: str | None = None
        self.view = CodeView(lambda: tr("Log"), most_lines=_LOG_LINES, wraps=True)
        self._empty = text_label(lambda: tr("It has written nothing yet."), "muted", wrap=True)
        self._copy = CopyButton(lambda: self._text or "", lambda: tr("Copy the log"), look="small")
        vbox(self._empty, self.view, hbox(self._copy, stretch(), gap=None), into=self, gap=Space.XS)
        self.view.hide()
        self._copy.hide()
        self._again = QTimer(self, interval=_AGAIN_MS)
        self._again.timeout.connect(self.wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._again.start()
        self.wanted.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._again.stop()

    def show_text(self, text: str) -> None:
        """The log as it is now; nothing moves for whoever reads further up, or has marked a part."""
        shown = text[-MOST_SHOWN:].rstrip("\n")
        if shown == self._text or self.view.textCursor().hasSelection():
            return
        self._text = shown
        bar = self.view.verticalScrollBar()
        place = bar.value()
        follows = place >= bar.maximum()
        self.view.show_text(shown)
        bar.setValue(bar.maximum() if follows else place)
        self.view.setVisible(bool(shown))
        self._copy.setVisible(bool(shown))
        self._empty.setVisible(not shown)
