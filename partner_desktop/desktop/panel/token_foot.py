"""The foot of the panel: how full the context of the open conversation is. A press shows why.

Where a model answered last, it is the model's own count of prompt and answer against what it holds; else how
much of the blocks' budget the newest prompt took.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from partner_desktop.desktop.panel.context.words import share_of, token_words, used_words
from partner_desktop.desktop.parts.controls import PushButton, prepare_button
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, set_tip
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.snapshot import TurnSummary

#: From here on the person is told.
NEARLY_FULL = 0.75

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
        self.call: ModelCall | None = None
        self._color = "muted"
        prepare_button(self, "foot", name="")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._meter = ProgressLine(theme, share=0.0)
        self._meter.setParent(self)
        self._meter.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        in_every_language(self, self._say)
        self.hide()

    def show_turn(self, turn: TurnSummary | None) -> None:
        """The newest turn."""
        self.turn = turn
        self._say()

    def show_call(self, call: ModelCall | None) -> None:
        """The last answer of a model here; `None`: the newest turn went without one."""
        self.call = call
        self._say()

    @property
    def empty(self) -> bool:
        return self.turn is None and self.call is None

    @property
    def nearly_full(self) -> bool:
        """Whether it warns."""
        return self._color == "careful"

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
        painter.setPen(self._theme.color(self._color))
        room = self.rect().adjusted(_PAD_X, _PAD_Y, -_PAD_X, 0)
        metrics = self.fontMetrics()
        words = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft), words)
        painter.end()

    def _say(self) -> None:
        self.setVisible(not self.empty)
        if self.call is not None:
            self._say_call(self.call)
        elif self.turn is not None:
            used = used_words(self.turn.used_tokens, self.turn.budget_tokens)
            self._tell(used, share_of(self.turn.used_tokens, self.turn.budget_tokens))

    def _say_call(self, call: ModelCall) -> None:
        used = call.prompt_tokens + call.output_tokens
        if not call.context_tokens:
            self._tell(token_words(used), None)
            return
        share = share_of(used, call.context_tokens)
        words = self.tr("{used} · {percent} %").format(
            used=used_words(used, call.context_tokens), percent=round(100 * share)
        )
        self._tell(words, share, warns=share >= NEARLY_FULL)

    def _tell(self, used: str, share: float | None, *, warns: bool = False) -> None:
        words = self.tr("Nearly full: {used}") if warns else self.tr("Context {used}")
        self._color = "careful" if warns else "muted"
        self.setText(words.format(used=used))
        self.setAccessibleName(self.tr("Show the context: {used}").format(used=used))
        hint = self.tr("Show what went into the last answer")
        full = self.tr(
            "The model holds no more than this. When it is full, the oldest messages go into the prompt no "
            "longer; they stay in the conversation, and you are told."
        )
        set_tip(self, f"{full}\n{hint}" if warns else hint)
        self.setAccessibleDescription(full if warns else "")
        self._meter.setVisible(share is not None)
        self._meter.set_share(share or 0.0, color="careful" if warns else "accent")
        self.update()
