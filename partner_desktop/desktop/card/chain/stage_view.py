"""The rows of one stage: what runs together stands together, beside one line."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.theme.theme import Theme

_LINE_LEFT, _LINE_WIDTH, _APART = 6, 3, 10


class StageView(QWidget):
    """Takes rows in; one alone looks like any row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[QWidget] = []
        self.caption: QLabel | None = None
        self._column = vbox(into=self)
        theme.changed.connect(self.update)

    def take(self, rows: list[QWidget]) -> None:
        """Hold these, in their order."""
        self._rows = rows
        if len(rows) > 1:
            self.caption = text_label(lambda: tr("together"), "head")
            self.caption.setContentsMargins(16, 8, 16, 0)
            self._column.addWidget(self.caption)
        for row in rows:
            self._column.addWidget(row)
            row.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if len(self._rows) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        line = QRectF(_LINE_LEFT, _APART, _LINE_WIDTH, self.height() - 2 * _APART)
        painter.drawRoundedRect(line, _LINE_WIDTH / 2, _LINE_WIDTH / 2)
        painter.end()
