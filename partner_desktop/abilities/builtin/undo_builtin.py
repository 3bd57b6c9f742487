"""`files::undo`: takes back what the newest run of a conversation did to files. Its card names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, UsageError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.domain.meta_action import RunnerResponse

#: Of an id; what is shorter is none.
_SHORTEST_ID = 8


class TakesBack(Protocol):
    """What has kept how things were."""

    async def take_back(self, action_id: str) -> str:
        """Bring back what a run replaced; the sentence to show.

        Raises:
            UsageError: There is nothing to bring back.
        """
        ...


class UndoBuiltins:
    """`door` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, door: Callable[[], TakesBack]) -> None:
        self._door = door

    def definitions(self) -> Builtins:
        return {"files::undo": self._undo}

    async def _undo(self, call: BuiltinCall) -> RunnerResponse:
        run = call.text("run")
        if len(run) < _SHORTEST_ID:  # “last” of a command, or nothing: no card has shown which
            raise AskHumanError(sentence_of("undo.no_action"))
        try:
            told = await self._door().take_back(run)
        except UsageError as error:
            raise AskHumanError(str(error)) from error
        return done(told)
