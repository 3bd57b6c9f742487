"""SpellMarks: a wave under words that no dictionary has, and what may be meant in the menu of such a word.

The word that is just being written is left alone until it is left, and so is a paragraph most of whose words
are wrong: it is in another language.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QAction, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QTextEdit
from shiboken6 import isValid

from partner_desktop.desktop.spelling.checked_words import FENCE, checked_words
from partner_desktop.desktop.spelling.spell_checker import SpellChecker
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr

#: From the last letter to the look at what was written.
_SOON_MS = 250
#: Of a longer paragraph only the beginning is looked at.
_MOST_CHARACTERS = 4_000
#: Of so many words of a paragraph, more than half may not be wrong.
_FEW = 4


class SpellMarks(QObject):
    """`words_wanted(words)` of which it is not known whether they are right; `suggestions_wanted(word)`;
    `word_added(word)`.
    """

    words_wanted = Signal(object)
    suggestions_wanted = Signal(str)
    word_added = Signal(str)

    def __init__(self, edit: QPlainTextEdit, theme: Theme) -> None:
        super().__init__(edit)
        self._edit, self._theme = edit, theme
        self._checker: SpellChecker | None = None
        self._menu: tuple[QMenu, QAction, QTextCursor, str] | None = None
        self._soon = QTimer(self, interval=_SOON_MS, singleShot=True)
        self._soon.timeout.connect(self.show)
        edit.textChanged.connect(self._look_soon)
        edit.cursorPositionChanged.connect(self._look_soon)
        edit.verticalScrollBar().valueChanged.connect(self._look_soon)
        theme.changed.connect(self._look_soon)

    def use(self, checker: SpellChecker | None) -> None:
        """Ask this one from now on; `None`: nothing is marked."""
        self._checker = checker
        self.show()

    @property
    def marked(self) -> list[str]:
        """The words that bear a mark."""
        return [one.cursor.selectedText() for one in self._edit.extraSelections()]

    def _look_soon(self) -> None:
        if self._checker is not None:
            self._soon.start()

    def show(self) -> None:
        """Mark what is known to be wrong, and ask for what is not known."""
        checker = self._checker
        if checker is None:
            self._edit.setExtraSelections([])
            return
        unknown: set[str] = set()
        marks = []
        for block, words in self._paragraphs():
            verdicts = {word: checker.is_wrong(word) for _, word in words}
            unknown.update(word for word, wrong in verdicts.items() if wrong is None)
            wrong = [(at, word) for at, word in words if verdicts[word]]
            if len(verdicts) >= _FEW and 2 * sum(map(bool, verdicts.values())) > len(verdicts):
                continue
            marks += [self._mark(block.position() + at, word) for at, word in wrong]
        self._edit.setExtraSelections(marks)
        if unknown:
            self.words_wanted.emit(unknown)

    def _paragraphs(self) -> Iterator[tuple[QTextBlock, list[tuple[int, str]]]]:
        """Those in view, each with the words in it that are looked up, and where they stand; what is code is
        passed over.
        """
        caret = self._edit.textCursor().position() if self._edit.hasFocus() else -1
        first = self._edit.cursorForPosition(QPoint(0, 0)).blockNumber()
        last = self._edit.cursorForPosition(self._edit.viewport().rect().bottomRight()).blockNumber()
        block, in_code = self._edit.document().begin(), False
        while block.isValid() and block.blockNumber() <= last:
            text, start = block.text()[:_MOST_CHARACTERS], block.position()
            if text.lstrip().startswith(FENCE):
                in_code = not in_code
            elif not in_code and block.blockNumber() >= first:
                yield (
                    block,
                    [one for one in checked_words(text) if start + one[0] + len(one[1]) != caret],
                )
            block = block.next()

    def _mark(self, position: int, word: str) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = self._cursor(position, word)
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        look.setUnderlineColor(self._theme.color("bad"))
        mark.format = look
        return mark

    def _cursor(self, position: int, word: str) -> QTextCursor:
        cursor = QTextCursor(self._edit.document())
        cursor.setPosition(position)
        cursor.setPosition(position + len(word), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    # The menu.

    def add_to(self, menu: QMenu, at: QTextCursor) -> None:
        """Put what may be meant in front of a menu, where it was opened on a word that is marked."""
        place = at.position()
        for mark in self._edit.extraSelections():
            if mark.cursor.selectionStart() <= place <= mark.cursor.selectionEnd():
                self._begin_menu(menu, QTextCursor(mark.cursor))  # the mark goes with the next look
                return

    def _begin_menu(self, menu: QMenu, cursor: QTextCursor) -> None:
        word = cursor.selectedText()
        first = menu.actions()[0]
        waiting = QAction(tr("Looking for what may be meant…"), menu, enabled=False)
        learn = QAction(tr("Add “{word}” to the dictionary").format(word=word), menu)
        learn.triggered.connect(lambda: self.word_added.emit(word))
        menu.insertActions(first, [waiting, learn])
        menu.insertSeparator(first)
        self._menu = (menu, waiting, cursor, word)
        if not self.show_suggestions(word):
            self.suggestions_wanted.emit(word)

    def show_suggestions(self, word: str) -> bool:
        """Put them into the menu that waits for them; whether they are known."""
        known = self._checker.suggestions(word) if self._checker is not None else ()
        if known is None or self._menu is None or self._menu[3] != word:
            return known is not None
        menu, waiting, cursor, _ = self._menu
        self._menu = None
        if not isValid(menu):
            return True
        for suggestion in known:
            action = QAction(suggestion, menu)
            font = action.font()
            font.setBold(True)
            action.setFont(font)
            action.triggered.connect(lambda _=False, text=suggestion: cursor.insertText(text))
            menu.insertAction(waiting, action)
        waiting.setText(tr("Nothing similar is known"))
        waiting.setVisible(not known)
        if known and menu.isVisible():
            menu.setActiveAction(menu.actions()[0])
        return True
