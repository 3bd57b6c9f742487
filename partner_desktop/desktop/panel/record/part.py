"""Part: a piece of the page that is made anew only when what it shows is different."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.tokens import Space


class Part(QWidget):
    """Takes no room while it has nothing to show. The keyboard stays where it was, by name."""

    def __init__(self) -> None:
        super().__init__()
        self._key: object = None
        self.inside: QWidget | None = None
        self._column = vbox(into=self, gap=None)
        self.hide()

    def show_as(self, key: object, make: Callable[[], QWidget]) -> None:
        """`key`: all that it shows; empty or `None` for nothing."""
        if key == self._key:
            return
        self._key = key
        name = self._focused_name()
        if self.inside is not None:
            self._column.removeWidget(self.inside)
            self.inside.hide()
            self.inside.deleteLater()
        self.inside = make() if key else None
        if self.inside is not None:
            self._column.addWidget(self.inside)
            self._focus(self.inside, name)
        self.setVisible(self.inside is not None)

    def forget(self) -> None:
        """Whatever it is shown next is new: the language is another."""
        self._key = None

    def _focused_name(self) -> str:
        focused: QWidget | None = self.window().focusWidget()
        return focused.accessibleName() if focused is not None and self.isAncestorOf(focused) else ""

    def _focus(self, inside: QWidget, name: str) -> None:
        for each in inside.findChildren(QWidget) if name else ():
            if each.accessibleName() == name:
                each.setFocus(Qt.FocusReason.OtherFocusReason)
                return


def titled(title: str, *widgets: QWidget) -> QWidget:
    """A named piece of the page."""
    place = QWidget()
    head = text_label(title.upper(), "head")
    head.setContentsMargins(0, Space.S, 0, 0)
    vbox(head, *widgets, into=place, gap=Space.XS)
    return place


def lines(texts: list[str]) -> list[QWidget]:
    """Muted sentences that can be selected."""
    return [text_label(text, "muted", wrap=True, selectable=True) for text in texts]
