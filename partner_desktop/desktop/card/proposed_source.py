"""The source of an ability that is proposed, on the card that proposes it: read before anything runs."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.whole_edit import Unfolding
from partner_desktop.desktop.card.words import CODE, tr
from partner_desktop.desktop.chat.code_block import CodeColors
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.action import ActionRecord

_MOST_LINES = 18
#: Of the endings that the lexers do not know by themselves.
_LANGUAGES = {
    "py": "python",
    "sh": "bash",
    "js": "javascript",
    "mjs": "javascript",
    "rb": "ruby",
    "pl": "perl",
}


class ProposedSourceView(QWidget):
    """Coloured in slices once it is in view; it can be copied, and scrolls where it is long."""

    def __init__(self, record: ActionRecord, theme: Theme) -> None:
        super().__init__()
        self._code = str(record.params.get(CODE, ""))
        language = str(record.params.get("codeType", "")).lstrip(".").lower()
        self.view = CodeView(lambda: tr("Source of the new ability"), most_lines=_MOST_LINES, wraps=True)
        self.view.document().setDefaultFont(theme.mono_font())
        self.view.show_text(shown(self._code.rstrip("\n"), lines=True))
        self._slices = Slices(self)
        self._colors = CodeColors(self.view.document(), _LANGUAGES.get(language, language), theme)
        self._title = text_label("", "label", wrap=True)
        vbox(self._title, Unfolding(self.view), into=self, gap=4)
        in_every_language(self, self._say, now=True)
        theme.changed.connect(self._repaint)
        QTimer.singleShot(0, self, self._color)

    def _say(self) -> None:
        lines = self._code.rstrip("\n").count("\n") + 1
        words = tr("Source, 1 line") if lines == 1 else tr("Source, {count} lines")
        self._title.setText(words.format(count=lines))

    def _color(self) -> None:
        self._slices.start(self, self._colors.read(self.view.toPlainText(), whole=True))

    def _repaint(self) -> None:
        self._slices.start(self, self._colors.repaint())
