"""Puts the colours of code on the lines of a document, as they become known."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextDocument

from partner_desktop.base import log
from partner_desktop.desktop.markup.highlight import Highlighter, Kind
from partner_desktop.desktop.theme.theme import Theme

_log = log.area("window")

_TOKENS: dict[Kind, str] = {
    "keyword": "code_keyword",
    "string": "code_string",
    "number": "code_number",
    "comment": "muted",
    "name": "code_name",
    "type": "code_type",
    "added": "good",
    "removed": "bad",
}


class CodeColors(QSyntaxHighlighter):
    """The formats lie over the text, which stays plain: copying and selecting know nothing of them."""

    def __init__(self, document: QTextDocument, language: str, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._highlighter = Highlighter(language)
        theme.changed.connect(self.rehighlight)

    def read(self, text: str, *, whole: bool) -> Iterator[None]:
        """Read and paint in small steps."""
        try:
            for number in self._highlighter.read(text, whole=whole):
                if number is not None:
                    self._paint(number)
                yield
        except Exception as error:  # noqa: BLE001 - five hundred foreign lexers: code stays readable without
            _log.warning("a lexer failed: %s", error)

    def highlightBlock(self, text: str) -> None:
        lines = self._highlighter.lines
        number = self.currentBlock().blockNumber()
        if number >= len(lines):
            return
        wide = not text.isascii() and any(character > "\uffff" for character in text)
        for start, length, kind in lines[number]:
            color = self._theme.color(_TOKENS[kind])
            if wide:
                before, after = _units(text[:start]), _units(text[: start + length])
                self._color(before, after - before, color)
            else:
                self._color(start, length, color)

    def _color(self, start: int, length: int, color: QColor) -> None:
        shown = self.format(start)
        shown.setForeground(color)
        self.setFormat(start, length, shown)

    def _paint(self, number: int) -> None:
        block = self.document().findBlockByNumber(number)
        if block.isValid():
            self.rehighlightBlock(block)


def _units(text: str) -> int:
    """Qt counts what lies beyond the basic plane twice."""
    return len(text.encode("utf-16-le")) // 2
