"""Text in lines: words stay whole; one that is longer than a line is broken, so that no path is ever cut."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextDocument,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel

from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import set_tip

# Qt's flags for drawing text know no such mode: TextWrapAnywhere breaks every word wherever the line ends.
_MODE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_LINE_SEPARATOR = "\u2028"


class WrappedLabel(QLabel):
    """A label of plain text in lines."""

    def __init__(self) -> None:
        super().__init__()
        self._heights: dict[int, int] = {}
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        self._heights.clear()
        super().setText(text)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._heights.clear()
        super().changeEvent(event)

    def lines(self, width: int) -> list[str]:
        """The lines that the text has in a label of this width."""
        return _split(self._lay_out(width))

    def heightForWidth(self, width: int) -> int:
        # Layouts ask for the same few widths again and again.
        known = self._heights.get(width)
        if known is None:
            margins = self.contentsMargins()
            height = self._lay_out(width).boundingRect().height() if self.text() else 0
            known = self._heights[width] = -int(-height // 1) + margins.top() + margins.bottom()
        return known

    def paintEvent(self, event: QPaintEvent) -> None:
        layout = self._lay_out(self.width())
        room = self.contentsRect()
        spare = room.height() - layout.boundingRect().height()
        top = 0.0
        if self.alignment() & Qt.AlignmentFlag.AlignVCenter:
            top = max(0.0, spare / 2)
        elif self.alignment() & Qt.AlignmentFlag.AlignBottom:
            top = max(0.0, spare)
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout.draw(painter, QPointF(room.x(), room.y() + int(top)))
        painter.end()

    def _lay_out(self, width: int) -> QTextLayout:
        margins = self.contentsMargins()
        room = max(1, width - margins.left() - margins.right())
        return _lay_out(self.text(), self.font(), room, self.alignment())


class SelectableLabel(QLabel):
    """The same, to mark and copy with the mouse.

    Qt lays selectable text out in a document of its own and gives it another wrapping with every change. It
    gets ours when it is laid out, never when it is painted: a document that changes asks to be painted again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._heights: dict[int, int] = {}
        self._wrapped = False
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._begin_anew()

    def heightForWidth(self, width: int) -> int:
        # Qt measures by giving the document another width for a moment.
        known = self._heights.get(width)
        if known is None:
            if not self._wrapped:
                self._wrap()
            known = self._heights[width] = super().heightForWidth(width)
        return known

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap()

    def showEvent(self, event: QShowEvent) -> None:
        self._wrap()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._heights.clear()
        self._wrapped = False
        if self.isVisible():
            self._wrap()

    def _wrap(self) -> None:
        """After anything that has Qt lay the text out anew."""
        self._wrapped = True
        super().heightForWidth(self.width())  # Qt's own wrapping comes here, if it has to
        document = self.findChild(QTextDocument)
        if document is None:
            return
        option = document.defaultTextOption()
        if option.wrapMode() != _MODE:
            option.setWrapMode(_MODE)
            document.setDefaultTextOption(option)


def _lay_out(text: str, font: QFont, width: int, alignment: Qt.AlignmentFlag) -> QTextLayout:
    layout = QTextLayout(text.replace("\n", _LINE_SEPARATOR), font)
    option = QTextOption(alignment & Qt.AlignmentFlag.AlignHorizontal_Mask)
    option.setWrapMode(_MODE)
    layout.setTextOption(option)
    layout.beginLayout()
    height = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height()
    layout.endLayout()
    return layout


def _split(layout: QTextLayout) -> list[str]:
    lines = [layout.lineAt(number) for number in range(layout.lineCount())]
    return [layout.text()[line.textStart() : line.textStart() + line.textLength()] for line in lines]


class PathSentence(WrappedLabel):
    """Where the path does not show whole, the whole sentence is the tool tip."""

    def __init__(self, look: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(1)
        set_look(self, look)
        self._sentence = "{folder}"
        self._folder = ""

    def say(self, sentence: str, *, folder: str) -> None:
        """`sentence` has `{folder}` where the path belongs."""
        self._sentence = sentence
        self._folder = folder
        self.setAccessibleName(sentence.format(folder=folder))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """The path fits into one line, with the mark that ends the sentence."""
        metrics = self.fontMetrics()
        # The mark of this sentence's language: one of another would load a font for it.
        mark = self._sentence.partition("{folder}")[2][:1]
        room = self.contentsRect().width() - metrics.horizontalAdvance(mark + " ")
        shown = metrics.elidedText(self._folder, Qt.TextElideMode.ElideMiddle, room)
        whole = self._sentence.format(folder=self._folder)
        set_tip(self, "" if shown == self._folder else whole)
        text = self._sentence.format(folder=shown)
        if text != self.text():
            self.setText(text)
