"""What lies over the chat while files are held over the window: that they may be dropped, and what then."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import stretch, vbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.theme.theme import Radius, Space, Theme
from partner_desktop.desktop.wording import tr

_VEIL = 0.94


class DropSign(QWidget):
    """Takes no events itself: the drop is the window's."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = theme
        title = text_label(lambda: tr("Drop it here"), "title-large")
        sentence = text_label(
            lambda: tr("It goes with your message; of a script, servers or a model you are asked first."),
            wrap=True,
        )
        layout = vbox(stretch(), into=self, gap=Space.S, margins=Space.XXL)
        for label in (title, sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(label)
        layout.addStretch()
        self.hide()

    def show_over(self, place: QWidget) -> None:
        self.setGeometry(place.rect().translated(place.mapTo(self.window(), place.rect().topLeft())))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = self._theme.color("background")
        ground.setAlphaF(_VEIL)
        painter.fillRect(self.rect(), ground)
        painter.setBrush(self._theme.color("accent_soft"))
        painter.setPen(QPen(self._theme.color("accent"), 2, Qt.PenStyle.DashLine))
        inset = Space.L
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), Radius.BUBBLE, Radius.BUBBLE
        )
        painter.end()
