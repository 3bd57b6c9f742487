"""Esc, for whatever should have it before the window does."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


class _Escape(QObject):
    def __init__(self, widget: QWidget, leave: Callable[[], object], when: Callable[[], object]) -> None:
        super().__init__(widget)
        self._leave = leave
        self._when = when
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._when():
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # else the window would take it
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._leave()
                return True
        return super().eventFilter(watched, event)


def on_escape(
    widget: QWidget, leave: Callable[[], object], *, when: Callable[[], object] = lambda: True
) -> None:
    """Esc in the widget, or in what is in it, leaves; while `when` says no it goes on as ever."""
    _Escape(widget, leave, when)
