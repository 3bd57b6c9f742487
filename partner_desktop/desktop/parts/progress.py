"""A thin line of progress: a share where one is known, a wandering piece where not.

A flash is a soft frame around something for a moment: this is what is meant.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from partner_desktop.desktop.accessible import Role, ValueInterface, interface_for
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText, bind_text

_STEP_MS = 40
_STEPS = 50
_PIECE = 0.3


class Animated(QWidget):
    """Painted in steps that take turns while it is in view. Still where the theme is."""

    def __init__(self, theme: Theme, *, step_ms: int, steps: int) -> None:
        super().__init__()
        self._theme = theme
        self._step = 0
        self._steps = steps
        self._timer = QTimer(self, interval=step_ms)
        self._timer.timeout.connect(self._advance)
        theme.changed.connect(self._follow)

    @property
    def _moves(self) -> bool:
        """Whether something goes on."""
        return True

    def showEvent(self, event: QShowEvent) -> None:
        self._settle()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def _settle(self) -> None:
        if self._moves and self.isVisible() and not self._theme.still:
            self._timer.start()
        else:
            self._timer.stop()

    def _follow(self) -> None:
        """Other colours, or whether anything moves at all."""
        self._settle()
        self.update()

    def _advance(self) -> None:
        self._step = (self._step + 1) % self._steps
        self.update()


class ProgressLine(Animated):
    """Four pixels high."""

    def __init__(self, theme: Theme, *, share: float | None = None, name: LazyText = "") -> None:
        """`name`: what a screen reader calls it, where it is no progress."""
        super().__init__(theme, step_ms=_STEP_MS, steps=_STEPS)
        self._share = share
        self._color = "accent"
        bind_text(self, self.setAccessibleName, name or (lambda: self.tr("Progress")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_share(self, share: float | None, *, color: str = "accent") -> None:
        """0 to 1, or `None` while it is not known; `color` is a token's name."""
        self._share, self._color = share, color
        self._settle()
        self.update()

    @property
    def share(self) -> float | None:
        """0 to 1; `None` while it is not known."""
        return self._share

    def sizeHint(self) -> QSize:
        return QSize(80, 4)

    @property
    def _moves(self) -> bool:
        return self._share is None

    def _settle(self) -> None:
        super()._settle()
        if self._theme.still:
            self._step = _STEPS // 2  # a piece in the middle says that something goes on

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        painter.setBrush(self._theme.color("sunken"))
        painter.drawRoundedRect(whole, 2, 2)
        painter.setBrush(self._theme.color(self._color))
        painter.drawRoundedRect(self._done(whole), 2, 2)
        painter.end()

    def _done(self, whole: QRectF) -> QRectF:
        if self._share is not None:
            return QRectF(
                whole.x(), whole.y(), whole.width() * min(max(self._share, 0.0), 1.0), whole.height()
            )
        left = (1 + _PIECE) * self._step / _STEPS - _PIECE
        start, end = max(0.0, left), min(1.0, left + _PIECE)
        return QRectF(whole.width() * start, whole.y(), whole.width() * (end - start), whole.height())


@interface_for("ProgressLine")
def _progress_interface(line: QObject) -> ValueInterface | None:
    if not isinstance(line, ProgressLine) or "_color" not in vars(line):
        return None
    return ValueInterface(line, Role.ProgressBar, lambda: line.share)


FLASH_MS = 1600
_RADIUS = 12
_FILL_ALPHA = 36


class Flash(QWidget):
    """Lies over a widget, lets everything through, and goes by itself. No motion, so none to turn off."""

    def __init__(self, over: QWidget, theme: Theme) -> None:
        super().__init__(over)
        self.setObjectName("flash")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._color = theme.color("accent")
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        QTimer.singleShot(FLASH_MS, self, self.deleteLater)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = QColor(self._color)
        fill.setAlpha(_FILL_ALPHA)
        painter.setBrush(fill)
        painter.setPen(QPen(self._color, 1))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), _RADIUS, _RADIUS)
        painter.end()
