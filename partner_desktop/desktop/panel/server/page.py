"""The page of one external server: where it stands and why, what it wrote, and what it offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.panel.server.facts import FactsView
from partner_desktop.desktop.panel.server.failure import FailureView
from partner_desktop.desktop.panel.server.log_view import LogView
from partner_desktop.desktop.panel.server.offers import OffersView
from partner_desktop.desktop.panel.server.reader import Reader
from partner_desktop.desktop.panel.server.secrets import PlainSecrets, SecretsView
from partner_desktop.desktop.panel.server.start_question import QuestionView
from partner_desktop.desktop.panel.server.state import StateView
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerStatus


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
        self.question = QuestionView(clock)
        self.question.asked.connect(self.asked)
        self.question.allowed.connect(self.allowed)
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
        self.failure.show_server(server)
        self.secrets.show_missing(server.failure.needs if server.failure is not None else ())
        self.plain.show_names(server.plain)
        self.facts.show_server(server)
        self.instructions.setVisible(bool(server.instructions.strip()))
        self.tools.show_tools(tools)
        self.resources.show_resources(server.resources)
        self.prompts.show_prompts(server.prompts)

    def show_log(self) -> None:
        """Unfold the log."""
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
