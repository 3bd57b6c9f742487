"""Puts the colours of code on the lines of a document, as they become known.

The formats lie over the text, which stays plain: copying and selecting know nothing of them. Qt's own
highlighter would go through every line once before there is anything to show.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from partner_desktop.base import log
from partner_desktop.desktop.chat.typeset import utf16_length
from partner_desktop.desktop.markup.highlight import Highlighter, Kind, Span
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


class CodeColors(QObject):
    """Belongs to the document."""

    def __init__(self, document: QTextDocument, language: str, theme: Theme) -> None:
        super().__init__(document)
        self._document = document
        self._theme = theme
        self._highlighter = Highlighter(language)

    def read(self, text: str, *, whole: bool) -> Iterator[None]:
        """Read and paint in small steps."""
        try:
            for number in self._highlighter.read(text, whole=whole):
                if number is not None:
                    self._paint(number)
                yield
        except Exception as error:  # noqa: BLE001 - five hundred foreign lexers: code stays readable without
            _log.warning("a lexer failed: %s", error)

    def repaint(self) -> Iterator[None]:
        """Paint what is known again, in small steps."""
        for number in range(len(self._highlighter.lines)):
            self._paint(number)
            yield

    def _paint(self, number: int) -> None:
        block = self._document.findBlockByNumber(number)
        spans = self._highlighter.lines[number]
        if block.isValid() and (spans or block.layout().formats()):
            block.layout().setFormats([self._range(block, span) for span in spans])
            self._document.markContentsDirty(block.position(), block.length())

    def _range(self, block: QTextBlock, span: Span) -> QTextLayout.FormatRange:
        start, length, kind = span
        text = block.text()
        if not text.isascii():
            start, length = utf16_length(text[:start]), utf16_length(text[start : start + length])
        char_format = QTextCharFormat()
        char_format.setForeground(self._theme.color(_TOKENS[kind]))
        found = QTextLayout.FormatRange()
        found.start, found.length, found.format = start, length, char_format
        return found
