"""Read-only rich text that is exactly as high as its text: no scroll bars, no loading, no navigation."""

from __future__ import annotations

from math import ceil
from typing import Any, Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QSizePolicy, QTextBrowser, QWidget

from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import LazyText, bind_text


@runtime_checkable
class MenuHost(Protocol):
    """Something around texts that has more to offer in their menus."""

    def add_to_menu(self, menu: QMenu) -> None: ...


class TextView(QTextBrowser):
    """Selectable text. `link_clicked(address)` reports a link; nothing is ever opened or fetched here."""

    link_clicked = Signal(str)

    def __init__(self, name: LazyText) -> None:
        super().__init__()
        self._heights: dict[int, int] = {}
        self._ringed = False
        self._linked = (-1, False)
        bind_text(self, self.setAccessibleName, name)
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab comes only where there are links
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.document().contentsChanged.connect(self._text_changed)
        self.anchorClicked.connect(self._report_link)
        set_look(self, "text")

    @property
    def has_links(self) -> bool:
        """Whether the keyboard has anything to do here."""
        revision = self.document().revision()
        if self._linked[0] != revision:
            formats = self.document().allFormats()
            self._linked = (revision, any(one.toCharFormat().isAnchor() for one in formats))
        return self._linked[1]

    def _report_link(self, url: QUrl) -> None:
        """As it goes over the wire, so that no letter can pass for another."""
        self.link_clicked.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: ANN401 - Qt's own signature
        """Nothing named by a text is ever loaded, from the disk or from anywhere else."""
        return None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        # Layouts ask for the same few widths (with and without a scroll bar) again and again, and laying
        # out a text is what costs.
        known = self._heights.get(width)
        if known is None:
            known = self._heights[width] = self._measure(width)
            self._lay_out_again()
        return known

    def _measure(self, width: int) -> int:
        """The height at this width; the text may stay laid out for it."""
        document = self.document()
        if document.textWidth() != width:
            document.setTextWidth(width)
        return ceil(document.size().height())

    def _lay_out(self) -> None:
        """Lay it out for the width that is painted. Never while painting: that would ask for more of it."""
        width = self._laid_out_width()
        if self.document().textWidth() != width:
            self.document().setTextWidth(width)

    def _lay_out_again(self) -> None:
        """After measuring for another width; what nobody sees can wait until it is shown."""
        if self.isVisible():
            self._lay_out()

    def _laid_out_width(self) -> int:
        """The width that is painted."""
        return self.viewport().width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        self._lay_out()
        super().showEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._ringed and self.hasFocus():
            paint_ring(self)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = is_ringed(event.reason(), before=self._ringed)
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._heights.clear()

    def _text_changed(self) -> None:
        self._heights.clear()
        self.updateGeometry()

    def natural_width(self, most: int) -> int:
        """The width that the text wants, at most `most`."""
        self.document().setTextWidth(most)
        wanted = min(most, ceil(self.document().idealWidth()))
        self._lay_out_again()
        return wanted

    @property
    def wrapped(self) -> bool:
        """Whether a paragraph has more than one line, as it is laid out now."""
        block = self.document().begin()
        while block.isValid() and block.layout().lineCount() <= 1:
            block = block.next()
        return block.isValid()

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 1 else 400
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.fontMetrics().height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Qt's own choices, and those of what the text belongs to."""
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        around: QWidget | None = self.parentWidget()
        while around is not None and not isinstance(around, MenuHost):
            around = around.parentWidget()
        if around is not None:
            around.add_to_menu(menu)
        menu.popup(event.globalPos())


_NOT_BY_HAND = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
_RADIUS = 4


def is_ringed(reason: Qt.FocusReason, *, before: bool) -> bool:
    """Whether focus that came so shows a ring; coming back to the window changes nothing."""
    return before if reason is Qt.FocusReason.ActiveWindowFocusReason else reason not in _NOT_BY_HAND


def paint_ring(view: QAbstractScrollArea) -> None:
    """A line around what is in view of the text."""
    painter = QPainter(view.viewport())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(view.palette().color(QPalette.ColorRole.Highlight), 1))
    rect = QRectF(view.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
    painter.end()
