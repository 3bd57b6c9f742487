"""What is asked on a card beside its decision: to try it before, to take it back or keep its files after.

Contract: every request is a task of the window's Work; what fails is a sentence on the card itself. The card
may be gone, or another one in its place, when the answer comes: it is looked for again then.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from partner_desktop.desktop.card.aftermath import Aftermath
    from partner_desktop.desktop.card.trial_result import TrialResultView


class CardDesk:
    """Serves every card that it adopts."""

    def __init__(self, feed: MessageList, work: Work, partner: Partner) -> None:
        self._feed = feed
        self._work = work
        self._partner = partner
        self._left = AftermathRequests(work, partner, self._left_by)

    def _left_by(self, action_id: str) -> Aftermath | None:
        card = self._feed.card(action_id)
        return card.aftermath if card is not None else None

    def adopt(self, card: ActionCard) -> None:
        """Listen to it, and tell it of the sandbox."""
        sandbox = self._partner.sandbox
        card.know_sandbox(SandboxSeen(sandbox.available, "" if sandbox.available else sandbox.reason))
        card.try_pressed.connect(lambda action_id, params: self._try(card, action_id, params))
        card.undo_pressed.connect(self._left.undo)
        card.keep_files_pressed.connect(self._left.choose_folder)

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


class AftermathRequests:
    """What is asked of what a run left: to take its changes back, to keep its files elsewhere.

    `find(id)` gives where it is said now; `tell_problem(id, sentence)` says what failed in its place.
    """

    def __init__(
        self,
        work: Work,
        partner: Partner,
        find: Callable[[str], Aftermath | None],
        tell_problem: Callable[[str, str], None] | None = None,
    ) -> None:
        self._work = work
        self._partner = partner
        self._find = find
        self._tell_problem = tell_problem or self._show_problem

    def undo(self, action_id: str) -> None:
        """Take back what it changed."""
        self._start(action_id, f"undo {action_id}", self._undo(action_id))

    async def _undo(self, action_id: str) -> None:
        sentence = await self._partner.actions.undo(action_id)
        left = self._find(action_id)
        if left is not None:
            left.show_undone(sentence)
            announce(left, sentence)

    def choose_folder(self, action_id: str) -> None:
        """Ask where its files go, and copy them there."""
        left = self._find(action_id)
        if left is not None:
            ask_for_folder(
                left.window(), tr("Keep the files in"), lambda name: self._keep(action_id, Path(name))
            )

    def _keep(self, action_id: str, folder: Path) -> None:
        self._start(action_id, f"keep files of {action_id}", self._tell_kept(action_id, folder))

    async def _tell_kept(self, action_id: str, folder: Path) -> None:
        sentence = await self._partner.actions.keep_files(action_id, folder)
        left = self._find(action_id)
        if left is not None:
            left.unfolding.emit()
            left.show_kept(sentence, folder)
            announce(left, sentence)

    def _start(self, action_id: str, name: str, work: Coroutine[Any, Any, None]) -> None:
        left = self._find(action_id)
        if left is not None:
            left.set_busy(busy=True)
        self._work.start(name, work, on_fault=lambda sentence: self._tell_problem(action_id, sentence))

    def _show_problem(self, action_id: str, sentence: str) -> None:
        left = self._find(action_id)
        if left is not None:
            left.show_problem(sentence)
