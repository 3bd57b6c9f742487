"""Downloads under way: how far each is, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.models.offer_row import Beside, RuledRow
from partner_desktop.desktop.models.offer_words import download_share, download_state_words, download_words
from partner_desktop.desktop.parts.boxes import (
    at_middle,
    drop_widget,
    hbox,
    holds_keyboard,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    Pill,
    PillKind,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Space, Theme, set_look
from partner_desktop.desktop.wording import announce, in_every_language
from partner_desktop.domain.model_download import Download, DownloadState

_KINDS: dict[DownloadState, PillKind] = {
    "waiting": "plain",
    "loading": "busy",
    "checking": "busy",
    "paused": "careful",
    "done": "good",
    "failed": "bad",
}
_GOES_ON = ("waiting", "loading", "checking")


class DownloadRow(QWidget):
    """`pause_wanted()`, `resume_wanted()`, `cancel_wanted()`, `use_wanted()`."""

    pause_wanted = Signal()
    resume_wanted = Signal()
    cancel_wanted = Signal()
    use_wanted = Signal()

    def __init__(self, theme: Theme, download: Download) -> None:
        super().__init__()
        self.download = download
        self.title = ElidedLabel("", "title")
        self.state = Pill()
        self.facts = text_label("", "muted", wrap=True)
        self.progress = ProgressLine(theme)
        self.reason = text_label("", "muted", wrap=True, selectable=True)
        self.pause_button = push_button(lambda: self.tr("Pause"), "small", pressed=self.pause_wanted)
        self.resume_button = push_button("", "small", pressed=self.resume_wanted)
        self.use_button = push_button(lambda: self.tr("Use"), "small-primary", pressed=self.use_wanted)
        self.cancel_button = push_button("", "quiet", pressed=self.cancel_wanted)
        self.buttons = QWidget()
        hbox(
            *(self.use_button, self.pause_button, self.resume_button, self.cancel_button),
            into=self.buttons,
            gap=Space.XS,
        )
        line = hbox(at_middle(self.title), at_middle(self.state), stretch(1), gap=Space.S)
        words = vbox(line, self.facts, self.reason, self.progress, gap=Space.XS)
        vbox(Beside(words, self.buttons), into=self)
        in_every_language(self, self._say, now=True)

    def show_download(self, download: Download) -> None:
        before, self.download = self.download.state, download
        self._say()
        if download.state != before and download.state in ("done", "failed"):
            announce(self, f"{download.title}: {download_state_words(download)} {download.reason}".strip())

    def _say(self) -> None:
        download = self.download
        self.title.set_text(download.title)
        self.state.say(download_state_words(download), _KINDS[download.state])
        show_words(self.facts, download_words(download))
        share = download_share(download)
        self.progress.setVisible(download.state != "done")
        color = "accent" if download.state in _GOES_ON else "muted"
        stands = download.state in ("waiting", "paused", "failed")
        self.progress.set_share(share or 0.0 if stands else share, color=color)
        show_words(self.reason, download.reason)
        set_look(self.reason, "fault-small" if download.state == "failed" else "muted")
        self._say_buttons(download)

    def _say_buttons(self, download: Download) -> None:
        held = holds_keyboard(self.buttons)
        failed = download.state == "failed"
        self.resume_button.setText(self.tr("Try again") if failed else self.tr("Resume"))
        leave = self.tr("Cancel") if download.state != "done" else self.tr("Hide")
        self.cancel_button.setText(leave)
        self.pause_button.setVisible(download.state in ("waiting", "loading"))
        self.resume_button.setVisible(download.state in ("paused", "failed"))
        self.use_button.setVisible(download.state == "done" and bool(download.model))
        for button in (self.pause_button, self.resume_button, self.use_button, self.cancel_button):
            button.setAccessibleName(f"{button.text()}: {download.title}")
        if held and not holds_keyboard(self.buttons):
            self.cancel_button.setFocus(Qt.FocusReason.OtherFocusReason)


class DownloadList(QFrame):
    """`pause_wanted(id)`, `resume_wanted(id)`, `cancel_wanted(id)`, `use_wanted(model)`.
    Hidden without any."""

    pause_wanted = Signal(str)
    resume_wanted = Signal(str)
    cancel_wanted = Signal(str)
    use_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self._theme = theme
        self.rows: dict[str, DownloadRow] = {}
        self._holders: dict[str, RuledRow] = {}
        self._column = vbox(into=self, margins=1)
        self.hide()

    def show_downloads(self, downloads: Sequence[Download]) -> None:
        """All there are; rows stay while their downloads do."""
        known = {one.id for one in downloads}
        for gone in [one for one in self.rows if one not in known]:
            del self.rows[gone]
            holder = self._holders.pop(gone)
            self._column.removeWidget(holder)
            drop_widget(holder)
        for at, download in enumerate(downloads):
            if download.id not in self.rows:
                self._make_row(download)
            holder = self._holders[download.id]
            if self._column.indexOf(holder) != at:
                self._column.insertWidget(at, holder)
            holder.rule.setVisible(at > 0)
            self.rows[download.id].show_download(download)
        self.setVisible(bool(downloads))

    def _make_row(self, download: Download) -> None:
        row = self.rows[download.id] = DownloadRow(self._theme, download)
        row.pause_wanted.connect(lambda: self.pause_wanted.emit(download.id))
        row.resume_wanted.connect(lambda: self.resume_wanted.emit(download.id))
        row.cancel_wanted.connect(lambda: self.cancel_wanted.emit(download.id))
        row.use_wanted.connect(lambda: self.use_wanted.emit(row.download.model))
        self._holders[download.id] = RuledRow(row)
