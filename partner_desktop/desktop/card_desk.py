"""What is asked on a card beside its decision: to try it before, to take it back or keep its files after.

Contract: every request is a task of the window's Work; what fails is a sentence on the card itself. The card
may be gone, or another one in its place, when the answer comes: it is looked for again then.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shiboken6 import isValid

from partner_desktop.base.errors import PartnerError
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.words import SandboxSeen
from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.parts.file_dialogs import ask_for_folder
from partner_desktop.desktop.wording import announce, tr
from partner_desktop.desktop.work import Work
from partner_desktop.domain.json_value import JsonObject

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.card.trial_result import TrialResultView


class CardDesk:
    """Serves every card that it adopts."""

    def __init__(self, feed: MessageList, work: Work, partner: Partner) -> None:
        self._feed = feed
        self._work = work
        self._partner = partner

    def adopt(self, card: ActionCard) -> None:
        """Listen to it, and tell it of the sandbox."""
        sandbox = self._partner.sandbox
        card.know_sandbox(SandboxSeen(sandbox.available, "" if sandbox.available else sandbox.reason))
        card.try_pressed.connect(lambda action_id, params: self._try(card, action_id, params))
        card.undo_pressed.connect(self._undo)
        card.keep_files_pressed.connect(lambda action_id: self._choose_folder(card, action_id))

    # Before.

    def _try(self, card: ActionCard, action_id: str, params: JsonObject | None) -> None:
        view = card.begin_try()
        self._work.start(f"try {action_id}", self._tell_try(card, view, action_id, params))

    async def _tell_try(
        self, card: ActionCard, view: TrialResultView, action_id: str, params: JsonObject | None
    ) -> None:
        try:
            response = await self._partner.actions.try_out(action_id, params=params)
            if isValid(view):
                view.show_response(response)
                announce(card, tr("It was tried."))
        except PartnerError as error:
            if isValid(view):
                view.show_problem(str(error))
        finally:
            if isValid(card):
                card.end_try()

    # After.

    def _undo(self, action_id: str) -> None:
        self._set_busy(action_id)
        self._work.start(
            f"undo {action_id}",
            self._tell_undone(action_id),
            on_fault=lambda sentence: self._tell_problem(action_id, sentence),
        )

    async def _tell_undone(self, action_id: str) -> None:
        sentence = await self._partner.actions.undo(action_id)
        card = self._feed.card(action_id)
        if card is not None and card.aftermath is not None:
            card.aftermath.show_undone(sentence)
            announce(card, sentence)

    def _choose_folder(self, card: ActionCard, action_id: str) -> None:
        ask_for_folder(card.window(), tr("Keep the files in"), lambda name: self._keep(action_id, name))

    def _keep(self, action_id: str, name: str) -> None:
        self._set_busy(action_id)
        self._work.start(
            f"keep files of {action_id}",
            self._tell_kept(action_id, Path(name)),
            on_fault=lambda sentence: self._tell_problem(action_id, sentence),
        )

    async def _tell_kept(self, action_id: str, folder: Path) -> None:
        sentence = await self._partner.actions.keep_files(action_id, folder)
        card = self._feed.card(action_id)
        if card is not None and card.aftermath is not None:
            card.unfolding.emit()
            card.aftermath.show_kept(sentence, folder)
            announce(card, sentence)

    def _set_busy(self, action_id: str) -> None:
        card = self._feed.card(action_id)
        if card is not None and card.aftermath is not None:
            card.aftermath.set_busy(busy=True)

    def _tell_problem(self, action_id: str, sentence: str) -> None:
        card = self._feed.card(action_id)
        if card is not None and card.aftermath is not None:
            card.aftermath.show_problem(sentence)
