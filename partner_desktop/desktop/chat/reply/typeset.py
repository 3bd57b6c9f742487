"""Sets lines of Markdown as paragraphs of a document, in the look of the theme.

Text goes in as text, never as HTML, and no format here names anything to load: whatever a reply says, Qt has
nothing to fetch. One line is one paragraph, so that a line can be found, set again and taken away.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextLength,
)

from partner_desktop.desktop.markup.parts import PLAIN, Line, Runs, TextRun
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr

#: How far each level of a list stands in.
INDENT_PX = 26
#: How far each level of a quote stands in.
QUOTE_PX = 16

_HEADING_SCALE = {1: 1.35, 2: 1.2, 3: 1.08}
_LINE_HEIGHT_PERCENT = 128.0
_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_PROPERTY = QTextFormat.Property


def shown_text(run: TextRun) -> str:
    """The words of a run; of an image, its name in words."""
    if not run.style.image:
        return run.text
    return tr("[image: {name}]").format(name=run.text)


def write_line(block: QTextBlock, line: Line, theme: Theme, *, first: bool) -> None:
    """Put a line into an empty paragraph. `first`: nothing stands above it in its text."""
    cursor = QTextCursor(block)
    cursor.setBlockFormat(_block_format(line, theme, first=first))
    write_runs(cursor, line.runs, _base_format(line, theme), theme)


def write_runs(cursor: QTextCursor, runs: Runs, base: QTextCharFormat, theme: Theme) -> None:
    """Put runs where the cursor is."""
    cursor.setBlockCharFormat(base)
    insert_runs(cursor, runs, base, theme)


def insert_runs(cursor: QTextCursor, runs: Runs, base: QTextCharFormat, theme: Theme) -> None:
    """Put runs where the cursor is, in a paragraph whose own format is set elsewhere."""
    for run in runs:
        cursor.insertText(shown_text(run), run_format(run, base, theme))


def goes_on(before: Line, line: Line) -> bool:
    """Whether two lines differ in their words alone, and begin with the same."""
    same = bool(before.runs and line.runs) and before.runs[0].style == line.runs[0].style
    return same and replace(before, runs=()) == replace(line, runs=())


def rewrite_end(block: QTextBlock, before: Line, line: Line, theme: Theme) -> None:
    """Set what differs at the end of a line that goes on."""
    whole = 0
    for old, new in zip(before.runs, line.runs, strict=False):
        if old != new:
            break
        whole += 1
    kept = sum(utf16_length(shown_text(run)) for run in line.runs[:whole])
    rest = list(line.runs[whole:])
    if rest and whole < len(before.runs):
        same = _same_beginning(before.runs[whole], rest[0])
        kept += utf16_length(same)
        rest[0] = TextRun(rest[0].text[len(same) :], rest[0].style)
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + kept)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    if cursor.hasSelection():
        cursor.removeSelectedText()
    base = _base_format(line, theme)
    for run in rest:
        if run.text:
            cursor.insertText(shown_text(run), run_format(run, base, theme))


def _same_beginning(old: TextRun, new: TextRun) -> str:
    """The text that both begin with; none where they look different."""
    if old.style != new.style or new.style.image:
        return ""
    if new.text.startswith(old.text):
        return old.text
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(old.text, new.text, strict=False))
    return old.text[: sum(1 for _ in pairs)]


def style_line(block: QTextBlock, line: Line, theme: Theme, *, first: bool) -> None:
    """Set a paragraph that holds a line again, after a change of the theme."""
    cursor = QTextCursor(block)
    cursor.setBlockFormat(_block_format(line, theme, first=first))
    style_runs(cursor, line.runs, _base_format(line, theme), theme)


def style_runs(cursor: QTextCursor, runs: Runs, base: QTextCharFormat, theme: Theme) -> None:
    """Set the runs that stand from the cursor on."""
    cursor.setBlockCharFormat(base)
    for run in runs:
        length = utf16_length(shown_text(run))
        cursor.setPosition(cursor.position() + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(run_format(run, base, theme))
        cursor.clearSelection()


def left_margin(line: Line) -> float:
    """How far in a line stands; long numbers need more room before it."""
    digits = sum(character.isdigit() for character in line.mark)
    return float(line.quote * QUOTE_PX + line.depth * INDENT_PX + max(0, digits - 2) * 9)


def utf16_length(text: str) -> int:
    """How many of Qt's characters a text has: those beyond the basic plane count twice."""
    return len(text.encode("utf-16-le")) // 2


def run_format(run: TextRun, base: QTextCharFormat, theme: Theme) -> QTextCharFormat:
    """The look of one run."""
    style = run.style
    if style == PLAIN:
        return base
    char_format = QTextCharFormat(base)
    if style.strong:
        char_format.setFontWeight(QFont.Weight.DemiBold)
    char_format.setFontItalic(style.emphasis)
    char_format.setFontStrikeOut(style.struck)
    if style.code:
        char_format.setFontFamilies(theme.mono_font().families())
        char_format.setFontFixedPitch(True)
        char_format.setFontPointSize(base.fontPointSize() * theme.sizes.mono / theme.sizes.body)
        char_format.setBackground(theme.color("inline_code"))
    if style.link:
        char_format.setAnchor(True)
        char_format.setAnchorHref(style.link)
        char_format.setForeground(theme.color("accent"))
        char_format.setFontUnderline(True)
    return char_format


def _base_format(line: Line, theme: Theme) -> QTextCharFormat:
    base = QTextCharFormat()
    scale = _HEADING_SCALE.get(line.level, 1.0) if line.kind == "heading" else 1.0
    base.setFontPointSize(theme.sizes.body * scale)
    if line.kind == "heading":
        base.setFontWeight(QFont.Weight.DemiBold)
    base.setForeground(theme.color("muted" if line.quote or line.level > 4 else "ink"))
    return base


def _block_format(line: Line, theme: Theme, *, first: bool) -> QTextBlockFormat:
    block_format = QTextBlockFormat()
    top, bottom = _margins(line)
    block_format.setTopMargin(0.0 if first else top)
    block_format.setBottomMargin(bottom)
    block_format.setLeftMargin(left_margin(line))
    block_format.setLineHeight(_LINE_HEIGHT_PERCENT, _PROPORTIONAL)
    block_format.setProperty(_PROPERTY.BlockQuoteLevel.value, line.quote)
    if line.kind == "heading":
        block_format.setHeadingLevel(line.level)
    if line.kind == "rule":
        width = QTextLength(QTextLength.Type.PercentageLength, 100)
        block_format.setProperty(_PROPERTY.BlockTrailingHorizontalRulerWidth.value, width)
        block_format.setBackground(theme.color("line"))
    return block_format


def _margins(line: Line) -> tuple[float, float]:
    if line.kind == "heading":
        return (16.0 if line.level < 3 else 12.0), 4.0
    if line.kind == "rule":
        return 2.0, 12.0
    if line.depth:
        return (7.0 if line.gap else 3.0), 3.0
    return 7.0, 7.0
