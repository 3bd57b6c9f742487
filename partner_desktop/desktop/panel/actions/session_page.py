"""The page of one command in the background: what it is, how it stands, and the end of what it prints."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.accessible import Role, set_button_role
from partner_desktop.desktop.panel.actions.action_words import clock_words
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.parts.boxes import FlowLayout, flow, grow, hbox
from partner_desktop.desktop.parts.controls import (
    CopyButton,
    Pill,
    PillKind,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.live_text import LiveText
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText, in_every_language, set_tip, size_words, tr
from partner_desktop.domain.command_session import CommandSession, SessionState, Stream


def session_title(session: CommandSession) -> str:
    """What it is for, or the command itself."""
    return " ".join(session.description.split()) or shlex.join(session.argv)


def session_pill(session: CommandSession) -> tuple[str, PillKind]:
    """Where it stands."""
    if session.state is SessionState.FAILED and session.exit_code is not None:
        return tr("exit code {code}").format(code=session.exit_code), "bad"
    words: dict[SessionState, tuple[str, PillKind]] = {
        SessionState.RUNNING: (tr("running"), "busy"),
        SessionState.ENDED: (tr("done"), "good"),
        SessionState.FAILED: (tr("failed"), "bad"),
        SessionState.CANCELLED: (tr("cancelled"), "plain"),
        SessionState.LOST: (tr("interrupted"), "careful"),
    }
    return words[session.state]


def session_facts(session: CommandSession) -> str:
    """Since when, until when, and how much it printed."""
    began = clock_words(session.started_at)
    if session.ended_at is None:
        parts = [tr("since {time}").format(time=began)]
    else:
        parts = [tr("{start} to {end}").format(start=began, end=clock_words(session.ended_at))]
    printed = session.stdout_bytes + session.stderr_bytes
    parts.append(size_words(printed) if printed else tr("nothing printed"))
    return " · ".join(parts)


_LEAST_LINES = 6
_MOST_COMMAND = 240
_MOST_TITLE = 60


class SessionPage(PanelPage):
    """`stream_chosen(stream)`, `cancel_pressed(id)`. What it prints is put in by `add`."""

    stream_chosen = Signal(str)
    cancel_pressed = Signal(str)

    def __init__(self, session: CommandSession, theme: Theme) -> None:
        title = _cut(session.description or Path(session.argv[0]).name, _MOST_TITLE)
        super().__init__(title, of="actions")
        self.session = session
        self._skipped_bytes = 0
        self._pill = Pill()
        self._facts = text_label("", "muted")
        self.column.addLayout(hbox(self._pill, grow(self._facts), gap=8))
        self.column.addWidget(self.problem_label)
        command = shlex.join(session.argv)
        shown = text_label(_cut(command, _MOST_COMMAND), "mono", wrap=True, selectable=True)
        set_tip(shown, command)
        self.column.addWidget(shown)
        if session.cwd:
            where = display_path(Path(session.cwd))
            self.column.addWidget(
                text_label(lambda: tr("in {path}").format(path=where), "muted", wrap=True, selectable=True)
            )
        self.stream_buttons: dict[Stream, QPushButton] = {}
        self._streams = QButtonGroup(self)
        self.column.addLayout(self._switch())
        self._skipped = text_label("", "muted", wrap=True)
        self.column.addWidget(self._skipped)
        self.view = LiveText(lambda: tr("What it prints"), theme, lines=_LEAST_LINES, grows=True)
        self.column.addWidget(self.view, 1)
        self.column.addLayout(self._buttons())
        in_every_language(self, self._say)
        self.show_session(session)

    @property
    def stream(self) -> Stream:
        return "stderr" if self.stream_buttons["stderr"].isChecked() else "stdout"

    def show_session(self, session: CommandSession) -> None:
        self.session = session
        self._say()

    def add(self, text: str, *, skipped_bytes: int = 0) -> None:
        """What it printed since; `skipped_bytes` before it are not shown."""
        self._skipped_bytes += skipped_bytes
        self.view.add(self.stream, text)
        self._say_skipped()

    def start_over(self, *, skipped_bytes: int = 0) -> None:
        """Another stream is read, from so far on."""
        self._skipped_bytes = skipped_bytes
        self.view.start_over()
        self._say_skipped()

    def show_problem(self, sentence: str) -> None:
        """It could not be read, or not be ended."""
        super().show_problem(sentence)
        self.cancel_button.setEnabled(True)

    def _switch(self) -> QHBoxLayout:
        row = hbox(gap=4)
        titles: dict[Stream, LazyText] = {"stdout": lambda: tr("Output"), "stderr": lambda: tr("Log")}
        for stream, words in titles.items():
            button = push_button(words, "segment")
            button.setCheckable(True)
            set_button_role(button, Role.RadioButton)
            button.setChecked(stream == "stdout")
            button.clicked.connect(lambda _checked, stream=stream: self.stream_chosen.emit(stream))
            self._streams.addButton(button)
            self.stream_buttons[stream] = button
            row.addWidget(button)
        row.addStretch()
        return row

    def _buttons(self) -> FlowLayout:
        self.cancel_button = push_button(
            lambda: tr("Cancel"),
            "stop",
            name=lambda: tr("Cancel: {title}").format(title=session_title(self.session)),
        )
        self.cancel_button.clicked.connect(self._cancel)
        self.copy_button = CopyButton(
            self.view.toPlainText,
            lambda: tr("Copy what it printed"),
            look="plain",
        )
        return flow(self.cancel_button, self.copy_button)

    def _cancel(self) -> None:
        self.cancel_button.setEnabled(False)
        self.cancel_pressed.emit(self.session.id)

    def _say(self) -> None:
        session = self.session
        self._pill.say(*session_pill(session))
        self._facts.setText(session_facts(session))
        show_words(self.problem_label, session.error)
        self.cancel_button.setVisible(session.state is SessionState.RUNNING)
        amounts: dict[Stream, int] = {"stdout": session.stdout_bytes, "stderr": session.stderr_bytes}
        for stream, amount in amounts.items():
            words = tr("Output") if stream == "stdout" else tr("Log")
            self.stream_buttons[stream].setText(f"{words} · {size_words(amount)}" if amount else words)
        self._say_skipped()

    def _say_skipped(self) -> None:
        words = tr("The first {size} are not shown.").format(size=size_words(self._skipped_bytes))
        self._skipped.setText(words)
        self._skipped.setVisible(self._skipped_bytes > 0)


def _cut(text: str, most: int) -> str:
    """What is longer takes the room of what it prints."""
    return text if len(text) <= most else text[:most].rstrip() + "…"
