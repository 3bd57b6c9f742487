"""The page of one external server: where it stands and why, what can be done then, what it offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QPoint, QPointF, QSize, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.card.guard import ClickGuard, GuardedButton
from partner_desktop.desktop.panel.actions.action_words import clock_words
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.panel.server.forms import PlainSecrets, SecretsView, SignInView
from partner_desktop.desktop.panel.server.offers import LogView, OffersView, Reader
from partner_desktop.desktop.panel.server.server_words import (
    failure_text,
    phase_color,
    phase_words,
    runs,
    start_step_words,
    transport_words,
)
from partner_desktop.desktop.parts.boxes import at_left, flow, grow, hbox, pairs, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, push_button, text_label
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.rows.strokes import paint_dot
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Space, Theme, set_look, zoomed
from partner_desktop.desktop.wording import announce, in_every_language, tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus, StartQuestion


class ServerPage(PanelPage):
    """`asked(verb)`, see server_menu; `allowed(shown_hash)`; `log_wanted(view)`;
    `secret_given(name, value, line)`; `try_wanted(ability)`; `resource_wanted(uri, reader)`;
    `prompt_wanted(name, values, reader)`; `insert_wanted(text)`; `parts_shown(view)`.
    """

    asked = Signal(str)
    allowed = Signal(str)
    log_wanted = Signal(object)
    secret_given = Signal(str, str, object)
    try_wanted = Signal(object)
    resource_wanted = Signal(str, object)
    prompt_wanted = Signal(str, dict, object)
    insert_wanted = Signal(str)
    parts_shown = Signal(object)

    def __init__(self, server: ServerStatus, theme: Theme, now: Callable[[], datetime], clock: Clock) -> None:
        super().__init__(server.id)
        self.server = server
        slices = Slices(self)
        self.state = StateView(theme, now)
        self.state.asked.connect(self.asked)
        self.question = StartQuestionView(clock)
        self.question.asked.connect(self.asked)
        self.question.allowed.connect(self.allowed)
        self.sign_in = SignInView()
        self.sign_in.asked.connect(self.asked)
        self.failure = FailureView()
        self.secrets = SecretsView()
        self.secrets.given.connect(self.secret_given)
        self.plain = PlainSecrets()
        self.plain.move_wanted.connect(lambda: self.asked.emit("move"))
        self.facts = FactsView()
        self.log = Fold(lambda: tr("Log"), self._make_log)
        self.instructions = Fold(lambda: tr("What it says of itself"), self._make_instructions)
        self.tools = OffersView(_tools_title, theme, slices)
        self.resources = OffersView(_resources_title, theme, slices)
        self.prompts = OffersView(_prompts_title, theme, slices)
        for part in (
            *(
                self.state,
                self.question,
                self.sign_in,
                self.secrets,
                self.failure,
                self.plain,
                self.facts,
                self.instructions,
                self.log,
            ),
            *(self.tools, self.resources, self.prompts),
        ):
            self.column.addWidget(part)
        self.column.addStretch()
        for offers in (self.tools, self.resources, self.prompts):
            offers.try_wanted.connect(self.try_wanted)
            offers.resource_wanted.connect(self.resource_wanted)
            offers.prompt_wanted.connect(self.prompt_wanted)
            offers.reader_made.connect(self._adopt)

    def show_server(self, server: ServerStatus, tools: Sequence[Ability]) -> None:
        """As it is now; what is typed and unfolded stays."""
        self.server = server
        self.state.show_server(server)
        self.question.show_server(server)
        self.sign_in.show_server(server)
        self.failure.show_server(server)
        self.secrets.show_missing(server.failure.needs if server.failure is not None else ())
        self.plain.show_names(server.plain)
        self.facts.show_server(server)
        self.instructions.setVisible(bool(server.instructions.strip()))
        self.tools.show_tools(tools)
        self.resources.show_resources(server.resources)
        self.prompts.show_prompts(server.prompts)

    def show_log(self) -> None:
        if not self.log.is_open:
            self.log.toggle()

    def _adopt(self, reader: Reader) -> None:
        reader.insert_wanted.connect(self.insert_wanted)
        reader.parts_shown.connect(self.parts_shown)

    def _make_log(self) -> QWidget:
        view = LogView()
        view.wanted.connect(lambda: self.log_wanted.emit(view))
        return view

    def _make_instructions(self) -> QWidget:
        return text_label(self.server.instructions.strip(), "small", wrap=True, selectable=True)


def _tools_title(count: int) -> str:
    return tr("Tools ({count})").format(count=count)


def _resources_title(count: int) -> str:
    return tr("Resources ({count})").format(count=count)


def _prompts_title(count: int) -> str:
    return tr("Prompts ({count})").format(count=count)


_STDERR_LINES = 10


class FailureView(QFrame):
    """Hidden while there is nothing to tell."""

    def __init__(self) -> None:
        super().__init__()
        set_look(self, "strip-bad")
        self._server: ServerStatus | None = None
        self.message = text_label("", wrap=True, selectable=True)
        self.step = text_label("", "small", wrap=True)
        self._wrote = text_label(lambda: tr("The last it wrote:"), "small")
        self.stderr = CodeView(lambda: tr("The last it wrote:"), most_lines=_STDERR_LINES, wraps=True)
        self.copy_button = CopyButton(self._text, lambda: tr("Copy the reason"), look="small")
        vbox(
            self.message,
            self.step,
            self._wrote,
            self.stderr,
            at_left(self.copy_button),
            into=self,
            gap=Space.XS,
            margins=(Space.M, Space.S, Space.M, Space.S),
        )
        self.hide()
        in_every_language(self, self._say)

    def show_server(self, server: ServerStatus) -> None:
        self._server = server
        self._say()

    def _say(self) -> None:
        failure = self._server.failure if self._server is not None else None
        self.setVisible(failure is not None)
        if failure is None:
            return
        self.message.setText(failure.message)
        self.step.setText(start_step_words(failure))
        wrote = "\n".join(failure.stderr)
        if self.stderr.toPlainText() != wrote:
            self.stderr.show_text(wrote)
        for part in (self._wrote, self.stderr):
            part.setVisible(bool(wrote))

    def _text(self) -> str:
        return failure_text(self._server) if self._server is not None else ""


class StartQuestionView(QFrame):
    """`allowed(shown_hash)`, of the question that was in view; `asked(verb)`, see server_menu. Hidden while
    nothing is asked.
    """

    allowed = Signal(str)
    asked = Signal(str)

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        set_look(self, "strip")
        self._guard = ClickGuard(clock, self._button_place)
        self._question: StartQuestion | None = None
        self._painted: StartQuestion | None = None
        self.sentence = text_label("", wrap=True, selectable=True)
        self.allow_button = GuardedButton(self._guard, _allow_words, "primary", name=_allow_words)
        self.allow_button.clicked.connect(self._allow)
        self.refuse_button = push_button(lambda: tr("Keep it off"), pressed=lambda: self.asked.emit("switch"))
        buttons = flow(self.allow_button, self.refuse_button, gap=6)
        vbox(self.sentence, buttons, into=self, gap=Space.S, margins=(Space.M, Space.S, Space.M, Space.S))
        self.hide()

    def show_server(self, server: ServerStatus) -> None:
        if server.question != self._question:
            self._question, self._painted = server.question, None
            self._guard.arm()
            self.update()
        self.setVisible(server.question is not None)
        if server.question is not None:
            self.sentence.setText(server.question.sentence)

    @property
    def seen(self) -> bool:
        """Whether what is asked now has been in view."""
        return self._guard.was_seen

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._painted = self._question
        self._guard.seen()
        self._guard.look()

    def _allow(self) -> None:
        if self._painted is not None and self._guard.open:
            self.allowed.emit(self._painted.shown_hash)

    def _button_place(self) -> QPoint:
        return self.allow_button.mapTo(self.window(), QPoint(0, 0))


def _allow_words() -> str:
    return tr("Allow and start")


class FactsView(QWidget):
    """The command as it was resolved can be marked and copied."""

    def __init__(self) -> None:
        super().__init__()
        self._server: ServerStatus | None = None
        self._labels = [
            (text_label("", "muted"), text_label("", "small", wrap=True, selectable=True))
            for _ in range(_MOST_FACTS)
        ]
        self.shown = text_label("", "mono", wrap=True, selectable=True)
        self.copy_button = CopyButton(self._command, lambda: tr("Copy the command"), look="small")
        facts = pairs(self._labels, across=Space.M, down=Space.XS)
        self._hints = text_label("", "muted", wrap=True, selectable=True)
        vbox(self.shown, at_left(self.copy_button), Space.XS, facts, self._hints, into=self, gap=Space.XS)
        in_every_language(self, self._say)

    def show_server(self, server: ServerStatus) -> None:
        self._server = server
        self._say()

    def _command(self) -> str:
        return self._server.shown if self._server is not None else ""

    def _say(self) -> None:
        server = self._server
        if server is None:
            return
        self.shown.setText(server.shown)
        for part in (self.shown, self.copy_button):
            part.setVisible(bool(server.shown))
        facts = [(words(), value) for words, value in _facts(server) if value]
        for (title, value), fact in zip(self._labels, [*facts, *[("", "")] * _MOST_FACTS], strict=False):
            title.setText(fact[0])
            value.setText(fact[1])
            title.setVisible(bool(fact[1]))
            value.setVisible(bool(fact[1]))
        self._hints.setText("\n".join(server.hints))
        self._hints.setVisible(bool(server.hints))


_MOST_FACTS = 5


def _facts(server: ServerStatus) -> list[tuple[Callable[[], str], str]]:
    return [
        (lambda: tr("Calls itself"), server.name),
        (lambda: tr("Kind"), transport_words(server)),
        (lambda: tr("File"), _file_words(server)),
        (lambda: tr("Since"), _moment_words(server.since)),
        (lambda: tr("Failed starts"), str(server.attempts) if server.attempts else ""),
    ]


def _file_words(server: ServerStatus) -> str:
    if server.path is None:
        return ""
    shown = display_path(server.path)
    return f"{shown}:{server.line}" if server.line is not None else shown


def _moment_words(moment: datetime | None) -> str:
    return clock_words(moment) if moment is not None else ""


_COUNT_MS = 1000


class Dot(QWidget):
    """A colour; the words beside it say the same."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._color = "muted"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_color(self, color: str) -> None:
        self._color = color
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(zoomed(10), zoomed(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        middle = QPointF(self.width() / 2, self.height() / 2)
        paint_dot(painter, middle, self._theme.color(self._color), zoomed(8) / 2)
        painter.end()


class StateView(QWidget):
    """`asked(verb)`, see server_menu. Counts down while it is seen."""

    asked = Signal(str)

    def __init__(self, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self._server: ServerStatus | None = None
        self._dot = Dot(theme)
        self.words = text_label("", "strong", wrap=True)
        self.restart_button = push_button(lambda: tr("Restart"), "small")
        self.restart_button.clicked.connect(lambda: self.asked.emit("restart"))
        self.switch_button = push_button("", "small", pressed=lambda: self.asked.emit("switch"))
        self.file_button = push_button(lambda: tr("Open its file"), "small")
        self.file_button.clicked.connect(lambda: self.asked.emit("file"))
        buttons = flow(self.restart_button, self.switch_button, self.file_button, gap=6)
        vbox(hbox(self._dot, grow(self.words), gap=Space.S), buttons, into=self, gap=Space.S)
        self._count = QTimer(self, interval=_COUNT_MS)
        self._count.timeout.connect(self._say)
        in_every_language(self, self._say)

    def show_server(self, server: ServerStatus) -> None:
        before, self._server = self._server, server
        if server.phase is ServerPhase.BACKING_OFF:
            self._count.start()
        else:
            self._count.stop()
        self._say()
        if before is not None and before.phase is not server.phase:
            announce(self, f"{server.id}: {self.words.text()}")

    def _say(self) -> None:
        server = self._server
        if server is None:
            return
        self._dot.show_color(phase_color(server))
        words = phase_words(server, self._now())
        self.words.setText(words)
        on = runs(server)
        self.restart_button.setVisible(on)
        self.switch_button.setVisible(server.can_switch)
        self.switch_button.setText(tr("Turn off") if on else tr("Turn on"))
        self.switch_button.setAccessibleName(self.switch_button.text())
        self.file_button.setVisible(server.path is not None)
