"""RunnerClient: the boundary between the executor and whatever runs a MetaAction.

Contract: `submit` runs only what is still WAITING and writes the result back exactly once, whatever
happens; a second submit of the same MetaAction does nothing. Whatever goes wrong is a response, a refusal
too; only a cancellation is raised on, after it was written back.

Permission, retry and time limit are wrappers (`permitted.py`, `retrying.py`, `limited.py`): each is a
RunnerClient around another one, changes one thing about `run`, and passes everything else on.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import replace

from partner_desktop.action.runner.action_files import ActionFiles
from partner_desktop.action.runner.call import Call, OnOutput, OnProgress, silent, unheard
from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError
from partner_desktop.domain.meta_action import (
    MetaAction,
    MetaActionInfo,
    ResultStatus,
    RunLeft,
    RunnerResponse,
)
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.permission.request import Decision

_log = log.area("runner")


class RunnerClient(ABC):
    """Runs MetaActions; what is around the outermost `run` is `submit`."""

    def __init__(self) -> None:
        self._under_way: set[str] = set()

    @property
    @abstractmethod
    def files(self) -> ActionFiles:
        """Where the files of actions lie, and what they are called."""

    @abstractmethod
    def isolation(self, info: MetaActionInfo) -> Isolation:
        """What would hold a run of this ability here and now."""

    @abstractmethod
    async def run(self, call: Call) -> RunnerResponse:
        """Run without writing anything back.

        Raises:
            PermissionDeniedError: The decision does not allow exactly this call. Nothing ran.
            ActionError: It could not be done; the message is for the person.
        """

    async def left_by(self, action_id: str) -> RunLeft:
        """What a run that Partner's end cut off left on the disk."""
        del action_id
        return RunLeft()

    async def submit(
        self,
        meta_action: MetaAction,
        decision: Decision,
        *,
        paths: tuple[PathUse, ...] = (),
        on_progress: OnProgress = silent,
        on_output: OnOutput = unheard,
    ) -> None:
        """Run and write the result back; returns when it is there."""
        if meta_action.status is not ResultStatus.WAITING or meta_action.id in self._under_way:
            return
        self._under_way.add(meta_action.id)
        call = Call(meta_action, decision, paths, on_progress, on_output=on_output)
        try:
            response = await self._guarded(call)
        except asyncio.CancelledError:
            cancelled = RunnerResponse(ok=False, cancelled=True, error="It was cancelled.")
            meta_action.settle(_with_left(cancelled, meta_action))
            raise
        else:
            meta_action.settle(_with_left(response, meta_action))
        finally:
            self._under_way.discard(meta_action.id)

    async def _guarded(self, call: Call) -> RunnerResponse:
        try:
            return await self.run(call)
        except PartnerError as error:
            return RunnerResponse(ok=False, error=str(error))
        except Exception:  # noqa: BLE001 - the background task's boundary: a run always ends with a response
            _log.exception("%s failed inside Partner", call.meta_action.info.key)
            return RunnerResponse(ok=False, error="Partner itself failed here; the log has the details.")


def _with_left(response: RunnerResponse, meta_action: MetaAction) -> RunnerResponse:
    left = meta_action.left
    return replace(response, files=left.files, files_until=left.files_until, undo=left.undo)


class WrappedRunner(RunnerClient):
    """A RunnerClient around another one; a subclass changes `run`."""

    def __init__(self, wrapped: RunnerClient) -> None:
        super().__init__()
        self._wrapped = wrapped

    @property
    def files(self) -> ActionFiles:
        return self._wrapped.files

    def isolation(self, info: MetaActionInfo) -> Isolation:
        return self._wrapped.isolation(info)

    async def run(self, call: Call) -> RunnerResponse:
        return await self._wrapped.run(call)

    async def left_by(self, action_id: str) -> RunLeft:
        return await self._wrapped.left_by(action_id)
