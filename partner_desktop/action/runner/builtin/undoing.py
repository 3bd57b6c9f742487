"""`files::undo`: takes back what the newest run of a conversation did to files. Its card names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.base.errors import AskHumanError, UsageError
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse

#: Of an id; what is shorter is none.
_SHORTEST_ID = 8


class TakesBack(Protocol):
    """Who can take back. `action/undo/taking_back.py` has this face."""

    async def take_back(self, action_id: str) -> str: ...


class UndoBuiltins:
    """`door` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, door: Callable[[], TakesBack]) -> None:
        self._door = door

    def definitions(self) -> Sequence[BuiltinDefinition]:
        return (BuiltinDefinition(_UNDO, self._undo),)

    async def _undo(self, call: BuiltinCall) -> RunnerResponse:
        run = call.text("run")
        if len(run) < _SHORTEST_ID:  # “last” of a command, or nothing: no card has shown which
            raise AskHumanError("The card names no action to undo; say “undo that” in its conversation.")
        try:
            told = await self._door().take_back(run)
        except UsageError as error:
            raise AskHumanError(str(error)) from error
        return RunnerResponse(ok=True, data={"summary": told})


_UNDO = MetaActionInfo(
    key="builtin::files::undo",
    tags=("files",),
    route=Route.BUILTIN,
    once=True,
    label="Undo",
    description="Undo what the last action did to files",
    aliases=(
        "undo",
        "undo that",
        "undo the last change",
        "take that back",
        "revert what you just did to my files",
        "撤销",
        "撤销刚才的操作",
        "恢复原来的文件",
    ),
    params={
        "type": "object",
        "properties": {
            "what": {"type": "string", "description": "the action that is undone"},
            "files": {"type": "string", "description": "the files that are put back"},
            "folder": {
                "type": "string",
                "format": "path",
                "access": "write",
                "description": "the folder that they lie in",
            },
            "run": {"type": "string", "description": "the id of the action"},
        },
    },
    annotations=Annotations(read_only=False, destructive=True, open_world=False),
)
