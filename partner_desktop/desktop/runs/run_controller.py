"""What comes while an action runs, put on its card and into the panel: progress, output, questions, results.

Contract: listens from `listen` to `ignore`; answers are tasks of the window's Work. Progress is shown at most
ten times a second, the newest of each run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.runs.pictures import Pictures
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import (
    ElicitationEvent,
    Event,
    OutputEvent,
    ProgressEvent,
    ResultEvent,
    SessionEvent,
)

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.runs.card_controller import CardController, PlanController
    from partner_desktop.desktop.runs.command_controller import CommandController
    from partner_desktop.desktop.runs.run_output import RunOutput

_SETTLE_MS = 100


class RunController(Controller):
    """Knows the newest progress of every run, for cards that come to view later."""

    def __init__(
        self, window: MainWindow, work: Work, pictures: Pictures, show_action: Callable[[str], None]
    ) -> None:
        super().__init__(window, work)
        self._pictures = pictures
        self._show_action = show_action
        self._feed = window.page.feed
        self._progress: dict[str, ProgressEvent] = {}
        self._fresh: dict[str, ProgressEvent] = {}
        self._settle = QTimer(window, interval=_SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._show_progress)
        self._live: RunOutput | None = None
        self._commands: CommandController | None = None
        self._asides: CardController | None = None
        self._chains: PlanController | None = None
        self._feed.card_added.connect(self._adopt)
        window.panel.actions_tab.run_listed.connect(self._run_listed)
        window.panel.actions_tab.run_opened.connect(self._run_opened)

    def _begin(self, partner: Partner) -> None:
        for question in partner.servers.elicitations():
            self._ask(question)
        if partner.commands.list():
            self._command_controller(partner).show_all()

    def ignore(self) -> None:
        """Take nothing more."""
        self._settle.stop()
        if self._live is not None:
            self._live.stop()
        super().ignore()

    def deliver(self, event: Event) -> None:
        match event:
            case ProgressEvent():
                self._progress[event.action_id] = self._fresh[event.action_id] = event
                if not self._settle.isActive():
                    self._show_progress()
            case ElicitationEvent():
                self._note_question(event)
            case OutputEvent() if self._partner is not None:
                self._run_output(self._partner).note(event)
            case SessionEvent() if self._partner is not None:
                self._command_controller(self._partner).note(event)
            case ResultEvent():
                self._progress.pop(event.action.id, None)
                self._fresh.pop(event.action.id, None)
                if self._live is not None:
                    self._live.forget(event.action.id)
            case _:
                pass

    def _show_progress(self) -> None:
        fresh, self._fresh = self._fresh, {}
        for action_id, progress in fresh.items():
            card = self._feed.card(action_id)
            if card is not None:
                card.show_progress(progress)
            if self._chains is not None:
                self._chains.show_progress(progress)
            self._window.panel.actions_tab.show_progress(progress)
        if fresh:
            self._settle.start()

    # Questions.

    def _note_question(self, event: ElicitationEvent) -> None:
        question = event.elicitation
        if event.open:
            self._ask(question)
            return
        self._window.notices.settle(_about(question))
        card = self._card_of(question.action_id)
        if card is not None:
            card.questions.take_back(question.id)

    def _ask(self, question: Elicitation) -> None:
        card = self._card_of(question.action_id)
        if card is not None:
            card.ask(question)
            return
        # Its card is in another conversation, or further up: say so, and lead there.
        self._window.notices.tell(
            "",
            lambda: _asks(question),
            action=NoticeAction(
                lambda: tr("Show"), lambda: self._show_action(question.action_id), undoes=False
            ),
            about=_about(question),
        )

    def _card_of(self, action_id: str) -> ActionCard | None:
        """Its card, or that of the plan that it is a step of."""
        return self._feed.card(action_id) or self._feed.plan_card(action_id)

    def _answer(self, question_id: str, answer: ElicitationAnswer, card: ActionCard) -> None:
        self._request(
            f"answer {question_id}",
            lambda partner: partner.servers.answer(question_id, answer),
            on_fault=lambda sentence: card.questions.show_problem(question_id, sentence),
        )

    # Output; what shows it comes in with the first need.

    def _run_output(self, partner: Partner) -> RunOutput:
        if self._live is None:
            from partner_desktop.desktop.runs.run_output import RunOutput  # noqa: PLC0415

            self._live = RunOutput(self._window, partner)
        return self._live

    def _command_controller(self, partner: Partner) -> CommandController:
        if self._commands is None:
            from partner_desktop.desktop.runs.command_controller import CommandController  # noqa: PLC0415

            self._commands = CommandController(self._window, self._work, partner)
        return self._commands

    def _card_controller(self, partner: Partner) -> CardController:
        if self._asides is None:
            from partner_desktop.desktop.runs.card_controller import CardController  # noqa: PLC0415

            self._asides = CardController(self._feed, self._work, partner)
        return self._asides

    def _chain_controller(self, partner: Partner) -> PlanController:
        if self._chains is None:
            from partner_desktop.desktop.runs.card_controller import PlanController  # noqa: PLC0415

            self._chains = PlanController(
                *(self._feed, self._work, partner, self._run_output(partner)), show_action=self._show_action
            )
            self._chains.details_made.connect(self._pictures.serve)
        return self._chains

    def _serve_plan(self, card: ActionCard) -> None:
        """What is asked of the steps of a chain; questions of their servers that are open already."""
        if self._partner is None or card.plan is None:
            return
        self._chain_controller(self._partner).adopt(card, card.plan)
        for question in self._partner.servers.elicitations():
            if card.plan.row(question.action_id) is not None:
                self._window.notices.settle(_about(question))
                card.ask(question)

    def _place_step(self, card: ActionCard) -> None:
        """A card that stands for a step says of which plan."""
        if self._partner is not None and card.record is not None and card.record.parent_id:
            self._chain_controller(self._partner).place(card, card.record)

    def _run_listed(self, action_id: str) -> None:
        if self._partner is not None:
            self._run_output(self._partner).begin_in_panel(action_id)

    def _run_opened(self, action_id: str) -> None:
        if self._partner is not None:
            self._run_output(self._partner).begin_on_page(action_id)

    # Cards.

    def _adopt(self, action_id: str, card: ActionCard) -> None:
        if self._partner is not None:
            partner = self._partner
            self._card_controller(partner).adopt(card)
            card.record_shown.connect(lambda: self._run_output(partner).begin_on_card(card))
            self._run_output(partner).begin_on_card(card)
        card.record_shown.connect(lambda: self._place_step(card))
        self._place_step(card)
        card.plan_shown.connect(lambda _plan: self._serve_plan(card))
        self._serve_plan(card)
        card.parts_shown.connect(self._pictures.serve)
        card.questions.answered.connect(lambda question_id, answer: self._answer(question_id, answer, card))
        if card.parts is not None:
            self._pictures.serve(card.parts)
        progress = self._progress.get(action_id)
        if progress is not None:
            card.show_progress(progress)
        for question in self._partner.servers.elicitations() if self._partner is not None else ():
            if question.action_id == action_id:
                self._window.notices.settle(_about(question))
                card.ask(question)


def _asks(question: Elicitation) -> str:
    if not question.server:
        return tr("An action asks you something.")
    return tr("The server “{server}” asks you something.").format(server=question.server)


def _about(question: Elicitation) -> str:
    return f"question:{question.id}"
