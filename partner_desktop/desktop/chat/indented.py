"""What stands in a reply beside its running text, as far in as the text around it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.chat.typeset import INDENT_PX, QUOTE_PX
from partner_desktop.desktop.markup.parts import Code, OpenCode, Table
from partner_desktop.desktop.parts.boxes import vbox

_GAP_ABOVE_PX = 4
_GAP_BELOW_PX = 10


class Indented(QWidget):
    """A framed block with its share of the margins."""

    def __init__(self, part: Code | OpenCode | Table, frame: QFrame, *, filling: bool) -> None:
        """`filling`: the frame is as wide as there is room, else as wide as it wants."""
        super().__init__()
        left = part.depth * INDENT_PX + part.quote * QUOTE_PX
        layout = vbox(into=self, gap=None, margins=(left, _GAP_ABOVE_PX, 0, _GAP_BELOW_PX))
        if filling:
            layout.addWidget(frame)
        else:
            layout.addWidget(frame, 0, Qt.AlignmentFlag.AlignLeft)
