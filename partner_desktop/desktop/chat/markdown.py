"""Markdown into a QTextDocument, a piece at a time, in the look of the theme.

Qt parses whole documents only, so each piece is parsed on its own and its fragment appended. HTML stays
text, images are replaced by their name before anything could load them.
"""

from __future__ import annotations

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextTable,
)

from partner_desktop.desktop.theme.theme import Theme

FEATURES = QTextDocument.MarkdownFeature.MarkdownNoHTML | QTextDocument.MarkdownFeature.MarkdownDialectGitHub

#: How far each level of a list stands in.
INDENT_PX = 26

_HEADING_SCALE = {1: 1.35, 2: 1.2, 3: 1.08}
_LINE_HEIGHT_PERCENT = 128.0
_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_PROPERTY = QTextFormat.Property


def parse(text: str, theme: Theme) -> QTextDocument:
    """A document of its own, in the theme's look, without images."""
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setIndentWidth(INDENT_PX)
    document.setMarkdown(text, FEATURES)
    _drop_images(document)
    style(document, theme)
    return document


def append(document: QTextDocument, text: str, theme: Theme) -> None:
    """Parse `text` and add it to the end of `document`; what is there is not touched."""
    piece = parse(text, theme)
    first = piece.begin()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    empty = document.isEmpty()
    in_list = first.textList() is not None
    # A fragment that opens with a list brings its own paragraph break; one that opens with plain text
    # does not, and loses its first paragraph's format.
    if not in_list and not empty:
        cursor.insertBlock(first.blockFormat(), first.charFormat())
    elif not in_list:
        cursor.setBlockFormat(first.blockFormat())
    if not piece.isEmpty():
        cursor.insertFragment(QTextDocumentFragment(piece))
    cursor.endEditBlock()


def cut(document: QTextDocument, position: int) -> None:
    """Remove everything from `position` on."""
    if position == 0:
        document.clear()
        return
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()


def end_position(document: QTextDocument) -> int:
    """Where the text ends."""
    return document.characterCount() - 1


def style(document: QTextDocument, theme: Theme) -> None:
    """Put the theme's look on every paragraph, run and table; may be done again after a change."""
    block = document.begin()
    while block.isValid():
        _style_block(document, block, theme)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _style_table(frame, theme)


def _style_block(document: QTextDocument, block: QTextBlock, theme: Theme) -> None:
    cursor = QTextCursor(block)
    block_format = block.blockFormat()
    in_table = cursor.currentTable() is not None
    code = block_format.hasProperty(_PROPERTY.BlockCodeFence.value)
    quoted = block_format.intProperty(_PROPERTY.BlockQuoteLevel.value)
    if (
        not block.text()
        and not code
        and not block_format.hasProperty(_PROPERTY.BlockTrailingHorizontalRulerWidth.value)
    ):
        block_format.setLineHeight(1, _FIXED)
    else:
        block_format.setLineHeight(_LINE_HEIGHT_PERCENT, _PROPORTIONAL)
    top, bottom = _margins(block, block_format, in_table=in_table or code)
    block_format.setTopMargin(top)
    block_format.setBottomMargin(bottom)
    block_format.setLeftMargin(16.0 * quoted)
    if code:
        block_format.setBackground(theme.color("code"))
    cursor.setBlockFormat(block_format)
    for start, length, char_format in _runs(block):
        _style_run(char_format, block_format, theme, quoted=bool(quoted))
        run = QTextCursor(document)
        run.setPosition(start)
        run.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        run.setCharFormat(char_format)


def _margins(block: QTextBlock, block_format: QTextBlockFormat, *, in_table: bool) -> tuple[float, float]:
    if in_table:
        return 0.0, 0.0
    if block_format.headingLevel():
        return 10.0, 4.0
    if block.textList() is not None or block_format.indent():
        return 1.0, 3.0
    return 2.0, 6.0


def _runs(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    runs = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        runs.append((fragment.position(), fragment.length(), fragment.charFormat()))
        iterator += 1
    return runs


def _style_run(
    char_format: QTextCharFormat, block_format: QTextBlockFormat, theme: Theme, *, quoted: bool
) -> None:
    level = block_format.headingLevel()
    if level:
        char_format.clearProperty(_PROPERTY.FontSizeAdjustment.value)
        char_format.setFontPointSize(theme.sizes.body * _HEADING_SCALE.get(level, 1.0))
    if char_format.fontWeight() > QFont.Weight.DemiBold:
        char_format.setFontWeight(QFont.Weight.DemiBold)
    if char_format.fontFixedPitch():
        char_format.setFontFamilies(theme.mono_font().families())
        char_format.setFontPointSize(theme.sizes.mono)
        if not block_format.hasProperty(_PROPERTY.BlockCodeFence.value):
            char_format.setBackground(theme.color("code"))
    if char_format.isAnchor():
        char_format.setForeground(theme.color("accent"))
        char_format.setFontUnderline(True)
    elif quoted:
        char_format.setForeground(theme.color("muted"))


def _style_table(table: QTextTable, theme: Theme) -> None:
    table_format = table.format()
    table_format.setBorder(1)
    table_format.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    table_format.setBorderBrush(theme.color("line"))
    table_format.setBorderCollapse(True)
    table_format.setCellPadding(5)
    table_format.setCellSpacing(0)
    table.setFormat(table_format)


def _drop_images(document: QTextDocument) -> None:
    """Put "[image: name]" where an image would be loaded."""
    found: list[tuple[int, int, str]] = []
    block = document.begin()
    while block.isValid():
        found.extend(
            (start, length, _image_words(char_format))
            for start, length, char_format in _runs(block)
            if char_format.isImageFormat()
        )
        block = block.next()
    for start, length, words in reversed(found):
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words, QTextCharFormat())


def _image_words(char_format: QTextCharFormat) -> str:
    image: QTextImageFormat = char_format.toImageFormat()
    alt = image.property(_PROPERTY.ImageAltText.value)
    return f"[image: {alt or image.name()}]"
