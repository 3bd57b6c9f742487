"""Text of a row in lines of a width: some stretches bold, the last line cut where more would follow."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextLayout, QTextOption

#: After these signs a path may go on in the next line.
_BREAKS = re.compile(r"([/_.:-])(?=\S)")
#: The ellipsis is never wider than this many characters.
_MOST_CUT = 4


def row_text(
    text: str,
    font: QFont,
    width: int,
    most: int,
    *,
    marks: Sequence[tuple[int, int]] = (),
    mark_color: QColor | None = None,
) -> QTextLayout:
    """At most so many lines; the last ends in an ellipsis where they do not hold all of it."""
    if not marks:
        text = _BREAKS.sub("\\1\u200b", text)
    layout, fitting = _laid_out(text, font, width, most, marks, mark_color)
    if fitting == text:
        return layout
    for less in range(_MOST_CUT + 1):
        shorter = fitting[: max(0, len(fitting) - less)].rstrip() + "…"
        layout, holds = _laid_out(shorter, font, width, most, marks, mark_color)
        if holds == shorter:
            break
    return layout


def _laid_out(
    text: str,
    font: QFont,
    width: int,
    most: int,
    marks: Sequence[tuple[int, int]],
    mark_color: QColor | None,
) -> tuple[QTextLayout, str]:
    """The text in lines of a width, and as much of it as they hold."""
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    option = QTextOption()
    modes = QTextOption.WrapMode
    # One line is cut where it is full; in more, words stay whole.
    option.setWrapMode(modes.WrapAnywhere if most == 1 else modes.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats([_bold(text, start, end, mark_color) for start, end in marks if start < len(text)])
    layout.beginLayout()
    reached, y = 0, 0.0
    for _ in range(most):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, y))
        y += line.height()
        reached = line.textStart() + line.textLength()
    layout.endLayout()
    return layout, text.encode("utf-16-le")[: 2 * reached].decode("utf-16-le", "ignore")


def _bold(text: str, start: int, end: int, color: QColor | None) -> QTextLayout.FormatRange:
    mark = QTextLayout.FormatRange()
    mark.start, mark.length = _units(text[:start]), _units(text[start:end])
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.Bold)
    if color is not None:
        look.setForeground(color)
    mark.format = look
    return mark


def _units(text: str) -> int:
    """How long Qt takes a text for: an emoji counts twice."""
    return len(text.encode("utf-16-le")) // 2
