"""The parts of a reply on the screen: what stays the same stays untouched, object and all."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QWidget

from partner_desktop.desktop.chat.code_block import CodeBlock
from partner_desktop.desktop.chat.column import SWEPT_APART
from partner_desktop.desktop.chat.prose import Prose
from partner_desktop.desktop.chat.table_block import TableBlock
from partner_desktop.desktop.markup.parts import Code, Line, Part
from partner_desktop.desktop.parts.stack import StackLayout
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme

Segment: TypeAlias = Prose | CodeBlock | TableBlock


#: Segments that are laid out together. Qt measures all neighbours of what changed: in a long reply, hundreds.
_GROUP = 20


class _Group(QWidget):
    """A run of segments with a layout of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName(SWEPT_APART)
        self._layout = StackLayout()
        self.setLayout(self._layout)

    def __len__(self) -> int:
        return self._layout.count()

    def add(self, segment: QWidget) -> None:
        """One more at the end."""
        self._layout.addWidget(segment)

    def remove(self, segment: QWidget) -> None:
        """Take one away for good."""
        _discard(self._layout, segment)


def _discard(layout: QLayout, widget: QWidget) -> None:
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


class ReplyBody(QWidget):
    """`link_clicked(address)`. `drawn` counts the parts that were drawn or drawn anew: what tests watch."""

    link_clicked = Signal(str)

    def __init__(self, theme: Theme, slices: Slices) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._theme = theme
        self._slices = slices
        self._parts: list[Part] = []
        self._segments: list[Segment] = []
        self._firsts: list[int] = []
        self._groups: list[_Group] = []
        self.drawn = 0
        self._layout = StackLayout()
        self.setLayout(self._layout)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The widgets, from the top down."""
        return tuple(self._segments)

    def plain(self, most: int) -> str:
        """The words of the parts, up to about `most` characters."""
        words: list[str] = []
        for segment in self._segments:
            if most <= 0:
                break
            words.append(segment.plain())
            most -= len(words[-1])
        return "\n".join(words)

    def put(self, index: int, part: Part) -> None:
        """Show `part` at a place; nothing happens when it stands there already.

        Another part at that place grows into it where it can; else it goes, with all that follows.
        """
        if index < len(self._parts):
            if self._parts[index] == part:
                return
            if self._grow(index, part):
                self.drawn += 1
                return
            self.cut(index)
        self._add(part)
        self.drawn += 1

    def cut(self, count: int) -> None:
        """Keep the first parts only."""
        del self._parts[count:]
        while self._segments and self._firsts[-1] >= count:
            self._drop_last()
        last = self._segments[-1] if self._segments else None
        if isinstance(last, Prose) and len(last.lines) > count - self._firsts[-1]:
            last.keep(count - self._firsts[-1])

    def revise(self, index: int, part: Part) -> None:
        """A line reads differently now."""
        if index < len(self._parts) and self._parts[index] != part:
            self._grow(index, part)
            self.drawn += 1

    def _grow(self, index: int, part: Part) -> bool:
        """Lines are set again in their place; code and tables take what is new."""
        at = max(n for n, first in enumerate(self._firsts) if first <= index)
        segment = self._segments[at]
        if isinstance(segment, Prose):
            grown = isinstance(part, Line)
            if isinstance(part, Line):
                segment.set_line(index - self._firsts[at], part)
        else:
            grown = segment.grow(part)
        if grown:
            self._parts[index] = part
        return grown

    def _add(self, part: Part) -> None:
        last = self._segments[-1] if self._segments else None
        if isinstance(part, Line):
            if not isinstance(last, Prose) or last.full:
                last = Prose(self._theme, self)
                self._begin(last)
            last.add_line(part)
        elif isinstance(part, Code):
            self._begin(CodeBlock(part, self._theme, self._slices))
        else:
            self._begin(TableBlock(part, self._theme))
        self._parts.append(part)

    def _begin(self, segment: Segment) -> None:
        if not isinstance(segment, CodeBlock):
            segment.link_clicked.connect(self.link_clicked)
        self._segments.append(segment)
        self._firsts.append(len(self._parts))
        if not self._groups or len(self._groups[-1]) >= _GROUP:
            self._groups.append(_Group())
            self._layout.addWidget(self._groups[-1])
        self._groups[-1].add(segment)

    def _drop_last(self) -> None:
        segment = self._segments.pop()
        self._firsts.pop()
        self._slices.stop(segment)
        self._groups[-1].remove(segment)
        if not len(self._groups[-1]):
            _discard(self._layout, self._groups.pop())
