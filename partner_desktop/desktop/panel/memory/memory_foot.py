"""The foot of the Memory tab: how much can be found, and what is being read or brought in."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.panel.memory.memory_words import meaning_note, memory_size
from partner_desktop.desktop.parts.boxes import grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.remembered import ChatImport, MemoryStatus


class MemoryFoot(QWidget):
    """`stop_pressed(import_id)`."""

    stop_pressed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._status: MemoryStatus | None = None
        self._import: ChatImport | None = None
        self._words = text_label("", "muted", wrap=True)
        self._note = text_label("", "muted", wrap=True, hidden=True)
        self._line = ProgressLine(theme, share=None)
        self.stop_button = push_button(
            lambda: self.tr("Stop"),
            "quiet",
            name=lambda: self.tr("Stop bringing in chats"),
            pressed=lambda: self.stop_pressed.emit(self._import.id) if self._import else None,
        )
        vbox(
            hbox(grow(self._words), self.stop_button, gap=8),
            self._line,
            self._note,
            into=self,
            gap=5,
            margins=(4, 0, 4, 0),
        )
        in_every_language(self, self._say, now=True)

    @property
    def words(self) -> str:
        """What it says."""
        return " ".join(label.text() for label in (self._words, self._note) if not label.isHidden())

    @property
    def busy(self) -> bool:
        """Whether something is being read or brought in."""
        return not self._line.isHidden()

    def show_status(self, status: MemoryStatus) -> None:
        """How much there is."""
        self._status = status
        self._say()

    def show_import(self, one: ChatImport) -> None:
        """How far chats are brought in."""
        self._import = one if one.state == "running" else None
        self._say()

    def _say(self) -> None:
        status = self._status
        self.stop_button.setVisible(self._import is not None)
        self._line.setVisible(self._import is not None or (status is not None and status.unread > 0))
        if self._import is not None:
            percent = round(100 * self._import.share)
            self._words.setText(self.tr("Bringing in chats: {percent} %").format(percent=percent))
            self._line.set_share(self._import.share)
        elif status is not None and status.unread:
            whole = status.turns + status.unread
            words = self.tr("Reading what was said: {count} messages to go")
            self._words.setText(words.format(count=f"{status.unread:,}"))
            self._line.set_share(status.turns / whole)
        else:
            self._words.setText(memory_size(status) if status is not None else "")
        show_words(self._note, meaning_note(status) if status is not None else "")
