"""How high a part will about be, told from its text alone: for what nobody sees yet."""

from __future__ import annotations

from math import ceil

from PySide6.QtGui import QFontMetricsF

from partner_desktop.desktop.chat.code_block import FOLDED_LINES, FOLDED_OVER
from partner_desktop.desktop.chat.table_block import ROWS_AT_ONCE
from partner_desktop.desktop.chat.typeset import INDENT_PX, QUOTE_PX
from partner_desktop.desktop.markup.parts import Code, Line, OpenCode, Part
from partner_desktop.desktop.theme.theme import Theme

_LINE_HEIGHT = 1.28
_MARGINS_PX = 10
#: Head, margins and frame of a block of code.
_AROUND_CODE_PX = 64
_AROUND_CELL_PX = 13


def guess_height(part: Part, width: int, theme: Theme) -> float:
    """Pixels, in a column of `width`."""
    metrics = QFontMetricsF(theme.font(theme.sizes.body))
    if isinstance(part, (Code, OpenCode)):
        lines = part.lines if part.lines <= FOLDED_OVER else FOLDED_LINES
        return lines * QFontMetricsF(theme.mono_font()).lineSpacing() + _AROUND_CODE_PX
    if not isinstance(part, Line):
        rows = 1 + min(ROWS_AT_ONCE, len(part.rows))
        return rows * (metrics.lineSpacing() + _AROUND_CELL_PX) + _MARGINS_PX
    room = max(100, width - part.depth * INDENT_PX - part.quote * QUOTE_PX)
    # Ideographs are twice as wide as letters.
    letters = sum(len(run.text) + (0 if run.text.isascii() else _wide(run.text)) for run in part.runs)
    rows = max(1, ceil(letters * metrics.averageCharWidth() / room))
    return rows * metrics.lineSpacing() * _LINE_HEIGHT + _MARGINS_PX


def _wide(text: str) -> int:
    return sum(character > "\u2e7f" for character in text)
