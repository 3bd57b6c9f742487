"""What the rows of steps are put together from: a row's button, a stage's frame, what was taken out.

What runs together stands together, beside one line.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.parts.boxes import at_middle, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    Pill,
    PillKind,
    PushButton,
    prepare_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.progress import Animated
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.theme import Theme, set_look, zoomed
from partner_desktop.desktop.wording import set_tip, tr
from partner_desktop.domain.plan import StepStatus

MARGIN, GAP = 16, 12
#: Where the words begin, behind the sign.
WORDS_LEFT = 48
_ARROW = 12


class RowButton(PushButton):
    """Sign, title and a line below it; at the right what it may and where it stands."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._open = False
        prepare_button(self, "step", name="")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.sign = StepSign(theme)
        self.title = ElidedLabel("")
        self.line = ElidedLabel("", "muted")
        self.risk = Pill()
        self.note = text_label("", "muted")
        self.status = Pill()
        self.verdict = Pill()
        self._arrow = text_label()
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 9, MARGIN, 9)
        row.setSpacing(GAP)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(vbox(self.title, self.line, gap=1), 1)
        chips = (self.note, self.risk, self.status, self.verdict, self._arrow)
        row.addLayout(hbox(*map(at_middle, chips), gap=8))
        for part in (self.title, self.line, *chips):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self._draw_arrow)
        self._draw_arrow()

    def show_sign(self, number: int, status: StepStatus, *, replaced: bool) -> None:
        """Its number, or what became of it; `replaced`: another does it instead."""
        self.sign.show_step(number, status)
        put_aside = status in (StepStatus.SKIPPED, StepStatus.CANCELLED)
        set_look(self.title, "struck" if replaced else "dim" if put_aside else "")

    def show_words(self, title: str, line: str, *, fault: bool) -> None:
        """What it is, and its arguments or what came of it."""
        self.title.set_text(shown(title))
        self.line.set_text(line)
        self.line.setVisible(bool(line))
        set_look(self.line, "fault-small" if fault else "muted")

    def fits(self, line: str) -> bool:
        """Whether a line of words would be shown whole."""
        return line == shown(line) and self.line.fontMetrics().horizontalAdvance(line) <= self.title.width()

    def show_chips(
        self,
        risk: tuple[str, PillKind],
        status: tuple[str, PillKind],
        verdict: tuple[str, PillKind],
        note: str,
    ) -> None:
        """What it may do, where it stands and what a check of it came to, each in a word."""
        self.risk.say(*risk)
        self.status.say(*status)
        self.verdict.say(*verdict)
        show_words(self.note, note)

    def show_open(self, *, is_open: bool) -> None:
        self._open = is_open
        self._draw_arrow()

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._row.minimumSize()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        if event.type() == QEvent.Type.ToolTip:
            cut_short = [label.text() for label in (self.title, self.line) if label.toolTip()]
            set_tip(self, cut_short[0] if cut_short else "")
        return super().event(event)

    def _draw_arrow(self) -> None:
        size = zoomed(_ARROW)
        name: SignName = "chevron_up" if self._open else "chevron_down"
        icon = sign_icon(name, self._theme.color("muted"), size_px=size)
        self._arrow.setPixmap(icon.pixmap(QSize(size, size), self.devicePixelRatioF()))


_SIZE = 20
_STEP_MS = 50
_STEPS = 24
#: Strokes on a grid of 20 × 20.
_STROKES: dict[StepStatus, tuple[tuple[tuple[float, float], ...], ...]] = {
    StepStatus.SUCCEEDED: (((6.2, 10.3), (8.9, 13), (13.8, 7.4)),),
    StepStatus.FAILED: (((7, 7), (13, 13)), ((13, 7), (7, 13))),
    StepStatus.CANCELLED: (((7, 7), (13, 13)), ((13, 7), (7, 13))),
    StepStatus.SKIPPED: (((6, 10), (14, 10)),),
}
_FILLED = {StepStatus.SUCCEEDED: "good", StepStatus.FAILED: "bad"}


class StepSign(Animated):
    """The words beside it say the same."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, step_ms=_STEP_MS, steps=_STEPS)
        self._status = StepStatus.PLANNED
        self._number = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_step(self, number: int, status: StepStatus) -> None:
        if (number, status) != (self._number, self._status):
            self._number, self._status = number, status
            self._settle()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(zoomed(_SIZE), zoomed(_SIZE))

    @property
    def _moves(self) -> bool:
        return self._status is StepStatus.RUNNING

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.width() / _SIZE, self.height() / _SIZE)
        circle = QRectF(0.75, 0.75, _SIZE - 1.5, _SIZE - 1.5)
        self._paint_ground(painter, circle)
        if self._status in _STROKES:
            self._paint_strokes(painter)
        elif self._status is StepStatus.RUNNING:
            painter.setPen(_pen(self._theme.color("accent"), 2))
            painter.drawArc(circle.adjusted(1, 1, -1, -1), (90 - self._step * 360 // _STEPS) * 16, -110 * 16)
        else:
            self._paint_number(painter, circle)
        painter.end()

    def _paint_ground(self, painter: QPainter, circle: QRectF) -> None:
        filled = _FILLED.get(self._status)
        if filled is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(filled))
            painter.drawEllipse(QRectF(0, 0, _SIZE, _SIZE))
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._status is StepStatus.RUNNING:
            painter.setPen(_pen(self._theme.color("accent_soft"), 2))
            painter.drawEllipse(circle.adjusted(1, 1, -1, -1))
            return
        waits = self._status is StepStatus.WAITING
        painter.setPen(_pen(self._theme.color("careful" if waits else "line"), 1.5))
        painter.drawEllipse(circle)

    def _paint_strokes(self, painter: QPainter) -> None:
        color = "surface" if self._status in _FILLED else "muted"
        painter.setPen(_pen(self._theme.color(color), 1.7))
        for stroke in _STROKES[self._status]:
            painter.drawPolyline([QPointF(x, y) for x, y in stroke])

    def _paint_number(self, painter: QPainter, circle: QRectF) -> None:
        waits = self._status is StepStatus.WAITING
        font = self._theme.font(8.0, strong=waits)
        font.setPixelSize(11 if self._number < 10 else 10)
        painter.setFont(font)
        painter.setPen(self._theme.color("careful" if waits else "muted"))
        painter.drawText(circle, int(Qt.AlignmentFlag.AlignCenter), str(self._number))


def _pen(color: QColor, width: float) -> QPen:
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


class RemovedSteps(QWidget):
    """Why the plan was changed, where that was, below the steps that were taken out."""

    def __init__(self, titles: tuple[str, ...], why: str, theme: Theme) -> None:
        super().__init__()
        column = vbox(into=self, gap=6, margins=(MARGIN, 9, MARGIN, 9))
        for title in titles:
            sign = StepSign(theme)
            sign.show_step(0, StepStatus.SKIPPED)
            label = ElidedLabel(shown(title), "struck")
            label.setAccessibleName(tr("Taken out: {title}").format(title=title))
            column.addLayout(hbox(at_middle(sign), grow(label), gap=GAP))
        reason = text_label(shown(why), "muted", wrap=True, selectable=True)
        reason.setContentsMargins(WORDS_LEFT - MARGIN, 0, 0, 0)
        column.addWidget(reason)


_LINE_LEFT, _LINE_WIDTH, _APART = 6, 3, 10


class StageView(QWidget):
    """Takes rows in; one alone looks like any row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._together = False
        self.caption: QLabel | None = None
        self._column = vbox(into=self)

    def take(self, rows: Sequence[QWidget], *, together: bool) -> None:
        """Hold these, in their order; `together`: they run at the same time."""
        self._together = together
        if together:
            self.caption = text_label(lambda: tr("together"), "head")
            self.caption.setContentsMargins(16, 8, 16, 0)
            self._column.addWidget(self.caption)
        for row in rows:
            self._column.addWidget(row)
            row.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._together:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        line = QRectF(_LINE_LEFT, _APART, _LINE_WIDTH, self.height() - 2 * _APART)
        painter.drawRoundedRect(line, _LINE_WIDTH / 2, _LINE_WIDTH / 2)
        painter.end()
