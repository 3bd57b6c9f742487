"""The text column, centred, never wider than the eye likes: entries of the chat, and pages in its place."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from partner_desktop.desktop.parts.boxes import (
    StackLayout,
    at_middle,
    bring_into_view,
    grow,
    hbox,
    scrolled,
    stay_painted,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import COLUMN_WIDTH, Space, zoomed
from partner_desktop.desktop.wording import LazyText, tr

#: The name of widgets inside of an entry that are taken down before it, each on its own.
SWEPT_APART = "swept_apart"

_ENTRY_GAP = 18
_SWEEP_MS = 15
_SWEPT_AT_ONCE = 3


def column_margin(width: int) -> int:
    """The space left and right of the text column in a chat of this width."""
    least = int(Space.XXL) if width >= 560 else int(Space.L)
    return max(least, (width - zoomed(COLUMN_WIDTH)) // 2)


class _Ground(QWidget):
    """What the entries stand on, painted and not seen through: a scroll moves the picture that is there."""

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        stay_painted(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self.palette().window())
        painter.end()


class _Entries(StackLayout):
    """Entries below each other with a gap, as wide as the text column.

    How wide that is depends on the chat alone, not on whether a bar stands beside: a scroll area asks for the
    height in both widths with each change, and one that is near the height of the view in all between; all
    entries would be measured in each.
    Entries get the room that they need before what they stand on has it: Qt would squeeze all of them into
    the old room first, and so paint them anew.
    """

    def __init__(self, make_way: Callable[[int], None]) -> None:
        super().__init__()
        self._make_way = make_way
        self._left, self.wide = 0, 1
        """Where the text column stands, and how wide it is."""

    def insert(self, index: int, widget: QWidget) -> None:
        self.addWidget(widget)
        self._items.insert(index, self._items.pop())

    def set_column(self, left: int, wide: int) -> None:
        """Where the text column stands, and how wide it is."""
        if (left, wide) != (self._left, self.wide):
            self._left, self.wide = left, wide
            self.invalidate()

    def heightForWidth(self, _width: int) -> int:
        heights = [height for height in self._measured(self.wide) if height]
        return sum(heights) + _ENTRY_GAP * max(0, len(heights) - 1) + 2 * Space.XL

    def setGeometry(self, rect: QRect) -> None:
        lacks = self.heightForWidth(rect.width()) - rect.height()
        if lacks > 0:
            self._make_way(lacks)
        QLayout.setGeometry(self, rect)
        top = rect.y() + int(Space.XL)
        for item, height in zip(self._items, self._measured(self.wide), strict=True):
            if height:
                place = QRect(rect.x() + self._left, top, self.wide, height)
                if item.geometry() != place:
                    item.setGeometry(place)
                top += height + _ENTRY_GAP

    def sizeHint(self) -> QSize:
        return QSize(self.wide, self.heightForWidth(self.wide))

    def minimumSize(self) -> QSize:
        return QSize(0, 0)


class Column(QScrollArea):
    """A scrolling column of widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inner = _Ground()
        self._layout = _Entries(self._make_way)
        self._inner.setLayout(self._layout)
        self.setWidget(self._inner)
        self._gone: deque[QWidget] = deque()
        self._gathered: list[QWidget] | None = None
        self._sweep = QTimer(self, interval=_SWEEP_MS)
        self._sweep.timeout.connect(self._sweep_some)
        self._set_margins()

    def __len__(self) -> int:
        return self._layout.count()

    def insert(self, index: int, widget: QWidget) -> None:
        """Put an entry at a place; -1 is the end."""
        at = len(self) if index < 0 else index
        self._layout.insert(at, widget)
        if self._gathered is None:
            widget.show()
        else:
            widget.hide()
            widget.ensurePolished()
            wide = self._layout.wide
            widget.resize(wide, max(1, widget.heightForWidth(wide)))
            self._gathered.append(widget)

    def gather(self) -> None:
        """What is added from now on is made ready, and comes to view with `show_gathered`, all at once.

        Each that comes alone has the others laid out, moved and painted.
        """
        self._gathered = self._gathered or []

    def show_gathered(self) -> None:
        """What was made ready meanwhile is there; what is added next comes at once again."""
        ready, self._gathered = self._gathered or [], None
        self._layout.setEnabled(False)  # Qt has all laid out with each that is shown
        for widget in ready:
            widget.show()
        self._layout.setEnabled(True)
        if ready:
            self._layout.invalidate()

    def remove(self, widget: QWidget) -> None:
        """Take an entry away for good."""
        self._layout.removeWidget(widget)
        if self._gathered and widget in self._gathered:
            self._gathered.remove(widget)
        widget.hide()
        self._gone.extend(widget.findChildren(QWidget, SWEPT_APART))
        self._gone.append(widget)
        self._sweep.start()

    def lay_out(self) -> None:
        """Give what was added its room now, and the bar its range."""
        self._layout.activate()
        QCoreApplication.sendPostedEvents(self._inner, QEvent.Type.LayoutRequest.value)

    def show_widget(self, widget: QWidget) -> None:
        """Bring an entry to view, its beginning where it is higher than the view."""
        self._layout.activate()
        top = widget.y() - (self.viewport().height() - min(widget.height(), self.viewport().height())) // 3
        self.verticalScrollBar().setValue(max(0, top))

    def value_to_show(self, part: QRect) -> int:
        """Where the bar must stand to show a part of what is in the column, its beginning at least."""
        value = self.verticalScrollBar().value()
        wanted = min(part.bottom() + int(Space.XXL) - self.viewport().height(), part.top() - int(Space.S))
        return value if part.isEmpty() else max(value, wanted)

    def _sweep_some(self) -> None:
        """A long conversation that was left is taken down in small steps."""
        for _ in range(min(_SWEPT_AT_ONCE, len(self._gone))):
            self._gone.popleft().deleteLater()
        if not self._gone:
            self._sweep.stop()

    def _make_way(self, by: int) -> None:
        """At the end, what stands there is moved up before anything in it is given more room.

        Qt moves the picture that is on the screen only while no part of it has changed. In the other order,
        each line that a reply gains would have all that is in view painted anew.
        """
        bar = self.verticalScrollBar()
        if bar.isVisible() and bar.value() == bar.maximum() and by < self.viewport().height():
            self._inner.move(self._inner.x(), self.viewport().height() - self._inner.height() - by)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_margins()

    def _set_margins(self) -> None:
        side = column_margin(self.width())
        self._layout.set_column(side, max(1, self.width() - 2 * side))


class Centered(QScrollArea):
    """`column` takes the words; it is at most `widest` pixels wide and a little above the middle."""

    def __init__(self, *, widest: int) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        inner.setMaximumWidth(zoomed(widest))
        self._inner, self.widest = inner, widest
        self.column = vbox(into=inner, gap=12, margins=24)
        page = QWidget()
        page.setObjectName("clear")
        vbox(
            stretch(2),
            hbox(stretch(1), grow(inner, 1000), stretch(1), gap=None),
            stretch(3),
            into=page,
            gap=None,
            margins=None,
        )
        self.setWidget(page)

    def set_widest(self, widest: int) -> None:
        """What stands in it needs another width."""
        self.widest = widest
        self._inner.setMaximumWidth(zoomed(widest))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.set_widest(self.widest)


class AsidePage(QWidget):
    """A head over a column that scrolls, both as wide as the chat's. `closed()`: back to the chat."""

    closed = Signal()

    head: QWidget
    area: QScrollArea
    close_button: QPushButton
    _head: QHBoxLayout
    _column: QVBoxLayout

    def __init__(self) -> None:
        super().__init__()
        self._fault = text_label("", "fault", wrap=True, selectable=True, hidden=True)
        """A page puts it where it is read."""

    def _make_head(self, title: LazyText, close_name: LazyText, *beside: QWidget) -> QHBoxLayout:
        """The title, what leads elsewhere, and the way back."""
        self.close_button = push_button(lambda: tr("Close"), name=close_name, pressed=self.closed)
        line = (at_middle(each) for each in (*beside, self.close_button))
        return hbox(grow(text_label(title, "welcome")), *line, gap=Space.S, margins=None)

    def _build(self, head: QHBoxLayout, column: QVBoxLayout) -> None:
        self._head, self._column = head, column
        self.head, inner = QWidget(), QWidget()
        self.head.setLayout(head)
        inner.setLayout(column)
        self.area = scrolled(inner)
        self.area.verticalScrollBar().rangeChanged.connect(self._set_margins)
        vbox(self.head, grow(self.area), into=self)

    @property
    def regions(self) -> tuple[QWidget, ...]:
        """Its parts as Tab goes through them."""
        return (self.head, self.area)

    @property
    def fault(self) -> str:
        """Why what was asked for here did not work."""
        return self._fault.text() if not self._fault.isHidden() else ""

    def _show_fault(self, sentence: str) -> None:
        show_words(self._fault, sentence)
        QTimer.singleShot(0, self._fault, lambda: bring_into_view(self._fault))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_margins()

    def _set_margins(self) -> None:
        side = column_margin(self.width())
        scrolls = self.area.verticalScrollBar()
        bar = scrolls.sizeHint().width() if scrolls.maximum() else 0
        self._head.setContentsMargins(side, Space.L, side, Space.S)
        self._column.setContentsMargins(side, Space.XS, max(0, side - bar), Space.XL)
