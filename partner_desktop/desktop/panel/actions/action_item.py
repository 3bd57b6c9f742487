"""What the list of the panel shows of runs: small cards to click on, with Cancel while they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy

from partner_desktop.desktop.card.outcome import share_of
from partner_desktop.desktop.card.words import needs_consent, risk_words, standing_words
from partner_desktop.desktop.panel.actions.action_words import (
    current_step,
    ended_steps,
    searched_text,
    second_line,
    tip_words,
)
from partner_desktop.desktop.parts.boxes import drop_widget
from partner_desktop.desktop.parts.controls import pressed_by_enter, push_button
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.rows.strokes import paint_ground, paint_line, paint_pill, pill_width
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.plan import StepStatus

if TYPE_CHECKING:
    from partner_desktop.desktop.parts.controls import PillKind
    from partner_desktop.desktop.parts.live_text import LiveText

_PAD_X = 12
_PAD_Y = 10
_LIVE_LINES = 4
_LIVE_GAP = 8


class PanelItem(QAbstractButton):
    """A small card to click on, painted in one go, so that a hundred cost little: a title and a pill, and a
    line or two below that leave room for a button. `cancel_pressed(id)`.
    """

    cancel_pressed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._cancel: QPushButton | None = None
        self._aside: QAbstractButton | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self.updateGeometry)

    @property
    def pill_below(self) -> bool:
        """Whether the pill stands on the second line."""
        return False

    def _title(self) -> str:
        raise NotImplementedError

    def _second_line(self) -> str:
        raise NotImplementedError

    def _third_line(self) -> str:
        """Empty: there is none."""
        return ""

    def _pill(self, room: int) -> tuple[str, PillKind]:
        """What stands at the end of a line that is so wide; it may be nothing."""
        raise NotImplementedError

    def _make_cancel(self, item_id: str) -> QPushButton:
        self._aside = self._cancel = push_button(
            lambda: tr("Cancel"),
            "link-bad",
            name=lambda: tr("Cancel: {title}").format(title=self._title()),
            parent=self,
        )
        self._cancel.clicked.connect(lambda: self.cancel_pressed.emit(item_id))
        return self._cancel

    def _place_parts(self) -> None:
        if self._aside is not None:
            size = self._aside.sizeHint()
            top = _PAD_Y + self._title_height() + (self._lines_height() - size.height()) // 2
            self._aside.setGeometry(self.width() - _PAD_X - size.width(), top, size.width(), size.height())

    def _lines_height(self) -> int:
        """Of all that stands below the title."""
        return self._small_height() * (2 if self._third_line() else 1)

    def sizeHint(self) -> QSize:
        return QSize(120, self._title_height() + self._lines_height() + 2 * _PAD_Y)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_parts()

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
        aside = self._aside
        taken = aside.sizeHint().width() + 8 if aside is not None and not aside.isHidden() else 0
        second = QRect(inner.x(), line.bottom() + 1, inner.width() - taken, self._small_height())
        third = second.translated(0, second.height())
        with_pill = second if self.pill_below else line
        with_pill.adjust(0, 0, -self._paint_pill(painter, with_pill), 0)
        paint_line(painter, line, self._title(), theme, points=theme.sizes.body, color="ink", strong=True)
        paint_line(painter, second, self._second_line(), theme, points=theme.sizes.small, color="muted")
        paint_line(painter, third, self._third_line(), theme, points=theme.sizes.small, color="muted")
        painter.end()

    def _paint_pill(self, painter: QPainter, line: QRect) -> int:
        text, kind = self._pill(line.width())
        if not text:
            return 0
        paint_pill(painter, line.right() + 1, line.center().y(), text, kind, self._theme)
        return pill_width(text, self._theme) + 8

    def _title_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.body, strong=True)).height() + 2

    def _small_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.small)).height() + 2


class ActionItem(PanelItem):
    """One action. A click asks for its card."""

    def __init__(self, record: ActionRecord, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__(theme)
        self._now = now
        self.record = record
        self._plan = ""
        self._progress: ProgressLine | None = None
        self._told: ProgressEvent | None = None
        self.live: LiveText | None = None
        self._live_is_old = False
        in_every_language(self, lambda: self.show_record(self.record))
        self.show_record(record)

    @property
    def cancel_button(self) -> QPushButton | None:
        """There while the action runs."""
        return self._cancel

    @property
    def moment(self) -> datetime:
        """What the list is ordered by."""
        return self.record.created_at

    def holds(self, words: Sequence[str]) -> bool:
        """Whether it is what somebody looks for: by title, key, arguments, the words that led here, or what
        came of it; a chain also by its steps.
        """
        text = searched_text(self.record) if words else ""
        return all(word in text for word in words)

    def show_record(self, record: ActionRecord) -> None:
        """The record as it is now."""
        self._begin_step(record)
        self.record = record
        running = record.status is ActionStatus.RUNNING
        if running and self._progress is None:
            self._progress = ProgressLine(self._theme)
            self._progress.setParent(self)
            self._progress.show()
            self._make_cancel(record.id).show()
            self._place_parts()
        if not running and self._cancel is not None and self._progress is not None:
            for part in (self._cancel, self._progress):
                drop_widget(part)
            self._aside = self._cancel = self._progress = self._told = None
            self._drop_live()
        self._show_share()
        set_tip(self, tip_words(record))
        self.updateGeometry()
        self.say_time()

    def show_plan(self, title: str) -> None:
        """It is a step of this plan."""
        self._plan = title
        self.say_time()

    def say_time(self) -> None:
        """What it says depends on the time too, while it waits."""
        waits = self.record.status is ActionStatus.WAITING
        status, _ = self._risk() if waits else standing_words(self.record)
        self.setAccessibleName(
            ", ".join(part for part in (self.record.title, status, self._second_line()) if part)
        )
        self.update()

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far the run is."""
        if self._progress is not None:
            self._told = progress
            self._show_share()
            self.update()

    def _begin_step(self, record: ActionRecord) -> None:
        """What a chain's step before told and printed is over with it."""
        before = current_step(self.record.chain) if self.record.chain is not None else None
        after = current_step(record.chain) if record.chain is not None else None
        if before is not None and (after is None or after.id != before.id):
            self._told = None
            self._live_is_old = True
        if after is not None and after.status is StepStatus.WAITING:
            self._drop_live()

    def _show_share(self) -> None:
        """Of a chain the steps that have ended, and as much of the next as is told."""
        if self._progress is None:
            return
        share = share_of(self._told) if self._told is not None else None
        chain = self.record.chain
        if chain is not None:
            share = (ended_steps(chain) + (share or 0)) / max(1, len(chain.last_tries))
        self._progress.set_share(share)

    def show_output(self, stream: Stream, text: str) -> None:
        """What the run printed since."""
        if self._progress is None:
            return
        if self.live is None:
            from partner_desktop.desktop.parts.live_text import LiveText  # noqa: PLC0415 - with the first

            name = lambda: tr("What it prints: {title}").format(title=self.record.title)  # noqa: E731
            self.live = LiveText(name, self._theme, lines=_LIVE_LINES)
            self.live.setParent(self)
            self.live.show()
            self.updateGeometry()
            self._place_parts()
        elif self._live_is_old:
            self.live.start_over()  # only now: an empty place says nothing
        self._live_is_old = False
        self.live.add(stream, text)

    def sizeHint(self) -> QSize:
        more = (12 if self._progress is not None else 0) + self._live_height()
        return super().sizeHint() + QSize(0, more)

    def _title(self) -> str:
        return self.record.title

    def _pill(self, room: int) -> tuple[str, PillKind]:
        """What stands at the end of a line; nothing while it runs, or where it would take half of it."""
        record = self.record
        reminds = record.terms is not None and record.terms.is_reminder and not record.status.ended
        if record.status is ActionStatus.RUNNING or reminds:
            return "", "plain"
        text, kind = self._risk() if record.status is ActionStatus.WAITING else standing_words(record)
        if pill_width(text, self._theme) > room // 2:
            held = record.status is not ActionStatus.WAITING or not needs_consent(record)
            return ("", kind) if held else (tr("not sandboxed"), kind)  # the riskiest has the longest words
        return text, kind

    def _risk(self) -> tuple[str, PillKind]:
        if self.record.chain is None:
            return risk_words(self.record)
        from partner_desktop.desktop.card.plan.step_words import chain_risk_words  # noqa: PLC0415 - few have steps

        return chain_risk_words(self.record)

    @property
    def pill_below(self) -> bool:
        """Whether the pill stands on the second line: the title of a plan, its steps, needs the first."""
        room = self.width() - 2 * _PAD_X
        text, _ = self._pill(room)
        if self.record.chain is None or not text:
            return False
        second = QFontMetrics(self._theme.font(self._theme.sizes.small))
        return second.horizontalAdvance(self._second_line()) <= room - pill_width(text, self._theme) - 8

    def _second_line(self) -> str:
        return second_line(self.record, self._now(), told=self._told, plan=self._plan)

    def _place_parts(self) -> None:
        super()._place_parts()
        if self._progress is None:
            return
        below = _PAD_Y + self._title_height() + self._small_height() + 8
        width = self.width() - 2 * _PAD_X
        self._progress.setGeometry(_PAD_X, below, width, 4)
        if self.live is not None:
            self.live.setGeometry(_PAD_X, below + 4 + _LIVE_GAP, width, self._live_height() - _LIVE_GAP)

    def _live_height(self) -> int:
        return self.live.sizeHint().height() + _LIVE_GAP if self.live is not None else 0

    def _drop_live(self) -> None:
        if self.live is not None:
            drop_widget(self.live)
            self.live = None
