"""The foot of the panel: how full the newest prompt of the open conversation was. A press shows why."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from partner_desktop.desktop.panel.context.words import share_of, used_words
from partner_desktop.desktop.parts.buttons import PushButton, prepare_button
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.snapshot import TurnSummary

_PAD_X = 16
_PAD_Y = 10
_BAR = 4
_GAP = 7


class TokenFoot(PushButton):
    """A line of words and a meter; hidden while there is no turn."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.turn: TurnSummary | None = None
        prepare_button(self, "foot", name="")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._meter = ProgressLine(theme, share=0.0)
        self._meter.setParent(self)
        self._meter.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        in_every_language(self, self._say)
        theme.changed.connect(self.updateGeometry)
        self.hide()

    def show_turn(self, turn: TurnSummary | None) -> None:
        """The newest turn."""
        self.turn = turn
        self._say()

    def sizeHint(self) -> QSize:
        return QSize(100, 2 * _PAD_Y + self.fontMetrics().height() + _GAP + _BAR)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        top = self.height() - _PAD_Y - _BAR
        self._meter.setGeometry(_PAD_X, top, self.width() - 2 * _PAD_X, _BAR)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground of a button, and the words above the meter."""
        del event
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.setFont(self.font())
        painter.setPen(self._theme.color("muted"))
        room = self.rect().adjusted(_PAD_X, _PAD_Y, -_PAD_X, 0)
        metrics = self.fontMetrics()
        words = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft), words)
        painter.end()

    def _say(self) -> None:
        turn = self.turn
        self.setVisible(turn is not None)
        if turn is None:
            return
        used = used_words(turn.used_tokens, turn.budget_tokens)
        self.setText(self.tr("Context {used}").format(used=used))
        self.setAccessibleName(self.tr("Show the context: {used}").format(used=used))
        self.setToolTip(self.tr("Show what went into the last answer"))
        self._meter.set_share(share_of(turn.used_tokens, turn.budget_tokens))
