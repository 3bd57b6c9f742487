"""One command in the background: a small card to click on for what it prints, with Cancel while it runs."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.panel.action_words import clock_words
from partner_desktop.desktop.parts.controls import PillKind, pressed_by_enter, push_button
from partner_desktop.desktop.parts.paint import paint_ground, paint_line, paint_pill, pill_width
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, size_words
from partner_desktop.domain.command_session import CommandSession, SessionState

_PAD_X = 12
_PAD_Y = 10


def session_title(session: CommandSession) -> str:
    """What it is for, or the command itself."""
    return " ".join(session.description.split()) or shlex.join(session.argv)


def session_pill(session: CommandSession) -> tuple[str, PillKind]:
    """Where it stands."""
    if session.state is SessionState.FAILED and session.exit_code is not None:
        return tr("exit code {code}").format(code=session.exit_code), "bad"
    words: dict[SessionState, tuple[str, PillKind]] = {
        SessionState.RUNNING: (tr("running"), "busy"),
        SessionState.ENDED: (tr("done"), "good"),
        SessionState.FAILED: (tr("failed"), "bad"),
        SessionState.CANCELLED: (tr("cancelled"), "plain"),
        SessionState.LOST: (tr("interrupted"), "careful"),
    }
    return words[session.state]


def session_facts(session: CommandSession) -> str:
    """Since when, until when, and how much it printed."""
    began = clock_words(session.started_at)
    if session.ended_at is None:
        parts = [tr("since {time}").format(time=began)]
    else:
        parts = [tr("{start} to {end}").format(start=began, end=clock_words(session.ended_at))]
    printed = session.stdout_bytes + session.stderr_bytes
    parts.append(size_words(printed) if printed else tr("nothing printed"))
    return " · ".join(parts)


class SessionItem(QAbstractButton):
    """Painted in one go. `cancel_pressed(id)`; a click asks for its output."""

    cancel_pressed = Signal(str)

    def __init__(self, session: CommandSession, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.session = session
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.cancel_button = push_button(
            lambda: tr("Cancel"),
            "link-bad",
            name=lambda: tr("Cancel: {title}").format(title=session_title(self.session)),
            parent=self,
        )
        self.cancel_button.clicked.connect(lambda: self.cancel_pressed.emit(self.session.id))
        theme.changed.connect(self.updateGeometry)
        in_every_language(self, lambda: self.show_session(self.session))
        self.show_session(session)

    @property
    def moment(self) -> datetime:
        """What the list is ordered by."""
        return self.session.started_at

    def holds(self, words: Sequence[str]) -> bool:
        """Whether it is what somebody looks for."""
        text = f"{session_title(self.session)} {shlex.join(self.session.argv)} {self.session.cwd}".casefold()
        return all(word in text for word in words)

    def show_session(self, session: CommandSession) -> None:
        """As it is now."""
        running = session.state is SessionState.RUNNING
        self.session = session
        self.cancel_button.setVisible(running)
        state, _ = session_pill(session)
        self.setAccessibleName(f"{session_title(session)}, {state}, {session_facts(session)}")
        set_tip(self, shlex.join(session.argv))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self._title_height() + self._small_height() + 2 * _PAD_Y)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self.cancel_button.sizeHint()
        top = _PAD_Y + self._title_height() + (self._small_height() - size.height()) // 2
        self.cancel_button.setGeometry(self.width() - _PAD_X - size.width(), top, size.width(), size.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        ring = "accent" if self.hasFocus() else "line"
        fill = "hover" if self.underMouse() and self.isEnabled() else "surface"
        paint_ground(painter, self.rect(), theme.color(fill), line=theme.color(ring))
        inner = self.rect().adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y)
        line = QRect(inner.x(), inner.y(), inner.width(), self._title_height())
        title = line.adjusted(0, 0, -self._paint_state(painter, line), 0)
        words = session_title(self.session)
        paint_line(painter, title, words, theme, points=theme.sizes.body, color="ink", strong=True)
        running = self.session.state is SessionState.RUNNING
        taken = self.cancel_button.sizeHint().width() + 8 if running else 0
        second = QRect(inner.x(), line.bottom() + 1, inner.width() - taken, self._small_height())
        facts = session_facts(self.session)
        paint_line(painter, second, facts, theme, points=theme.sizes.small, color="muted")
        painter.end()

    def _paint_state(self, painter: QPainter, line: QRect) -> int:
        text, kind = session_pill(self.session)
        paint_pill(painter, line.right() + 1, line.center().y(), text, kind, self._theme)
        return pill_width(text, self._theme) + 8

    def _title_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.body, strong=True)).height() + 2

    def _small_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.small)).height() + 2
