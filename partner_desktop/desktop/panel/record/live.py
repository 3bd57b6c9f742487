"""What goes on now: how far it is, and the end of what it prints."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.run_progress import share_of
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.panel.action_words import current_step, ended_steps
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.live_text import LiveText
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import ProgressEvent

_LINES = 8


class LiveRun(QWidget):
    """Hidden unless it runs. What a chain's step printed goes with the step: its record keeps it."""

    def __init__(self, record: ActionRecord, theme: Theme) -> None:
        super().__init__()
        self._record = record
        self._theme = theme
        self._step = ""
        self._told: ProgressEvent | None = None
        self.line = ProgressLine(theme)
        self.text: LiveText | None = None
        self._column = vbox(self.line, into=self, gap=8)
        self.show_record(record)

    def show_record(self, record: ActionRecord) -> None:
        """As it is now."""
        self._record = record
        step = current_step(record.chain) if record.chain is not None else None
        if step is not None and step.id != self._step:
            self._step, self._told = step.id, None
            if self.text is not None:
                self.text.start_over()
        self._show_share()
        self.setVisible(record.status is ActionStatus.RUNNING)

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far the run is, or the step that runs."""
        self._told = progress
        self._show_share()

    def show_output(self, stream: Stream, text: str) -> None:
        """What it printed since."""
        if self._record.status is not ActionStatus.RUNNING:
            return
        if self.text is None:
            name = lambda: tr("What it prints: {title}").format(title=self._record.title)  # noqa: E731 - words
            self.text = LiveText(name, self._theme, lines=_LINES)
            self._column.addWidget(self.text)
        self.text.add(stream, text)

    def _show_share(self) -> None:
        share = share_of(self._told) if self._told is not None else None
        chain = self._record.chain
        if chain is not None:
            share = (ended_steps(chain) + (share or 0)) / max(1, len(chain.steps))
        self.line.set_share(share)
