"""A quiet button that copies a text and says so."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from partner_desktop.desktop.announce import announce
from partner_desktop.desktop.parts.buttons import PushButton, prepare_button
from partner_desktop.desktop.wording import Words, in_every_language, told

_COPIED_MS = 1500


class CopyButton(PushButton):
    """`text` is asked for when it is pressed; `label` stands on it in place of "Copy"."""

    def __init__(
        self, text: Callable[[], str], name: Words, *, look: str = "quiet", label: Words = ""
    ) -> None:
        super().__init__()
        self._label = label
        self._copied_text = text
        self._name = name
        self._back = QTimer(self, interval=_COPIED_MS, singleShot=True)
        self._back.timeout.connect(self._rest)
        prepare_button(self, look, name=name)
        self._rest()
        in_every_language(self, self._rest)
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._copied_text())
        words = self.tr("Copied")
        self.setText(words)
        self.setAccessibleName(words)
        announce(self, words)
        self._back.start()

    def _rest(self) -> None:
        self.setText(told(self._label) or self.tr("Copy"))
        self.setAccessibleName(told(self._name))
