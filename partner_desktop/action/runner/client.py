"""RunnerClient: the boundary between the executor and whatever runs a MetaAction.

Contract: `submit` runs only what is still WAITING and writes the result back exactly once, whatever
happens; a second submit of the same MetaAction does nothing. It takes the permission engine's decision
and refuses every call that the decision does not cover.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from partner_desktop.base import log
from partner_desktop.base.errors import ActionError, PartnerError, PermissionDeniedError
from partner_desktop.domain.action import Isolation, PathUse
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, ResultStatus, RunnerResponse
from partner_desktop.permission.request import Decision

_log = log.area("runner")


class RunnerClient(ABC):
    """Runs MetaActions; subclasses know the routes."""

    def __init__(self) -> None:
        self._under_way: set[str] = set()

    @abstractmethod
    def isolation(self, info: MetaActionInfo) -> Isolation:
        """What would hold a run of this ability here and now."""

    @abstractmethod
    async def do_run(self, meta_action: MetaAction, *, paths: tuple[PathUse, ...]) -> RunnerResponse:
        """Run by route.

        Raises:
            ActionError: It could not even begin; the message is for the person.
        """

    async def submit(
        self, meta_action: MetaAction, decision: Decision, *, paths: tuple[PathUse, ...] = ()
    ) -> None:
        """Run and write the result back; returns when it is there.

        Raises:
            PermissionDeniedError: `decision` does not allow exactly this call. Nothing ran.
        """
        if meta_action.status is not ResultStatus.WAITING or meta_action.id in self._under_way:
            return
        self._check(meta_action, decision)
        self._under_way.add(meta_action.id)
        try:
            meta_action.settle(await self._guarded(meta_action, paths))
        except asyncio.CancelledError:
            meta_action.settle(RunnerResponse(ok=False, cancelled=True, error="It was cancelled."))
            raise
        finally:
            self._under_way.discard(meta_action.id)

    def _check(self, meta_action: MetaAction, decision: Decision) -> None:
        covered = decision.covers(
            action_id=meta_action.id,
            content_hash=meta_action.info.content_hash,
            params=meta_action.params,
            sandboxed=self.isolation(meta_action.info).sandboxed,
        )
        if not covered:
            raise PermissionDeniedError(
                f"{meta_action.info.title} was not run: what was approved is not what would run now."
            )

    async def _guarded(self, meta_action: MetaAction, paths: tuple[PathUse, ...]) -> RunnerResponse:
        try:
            return await self.do_run(meta_action, paths=paths)
        except (ActionError, PartnerError) as error:
            return RunnerResponse(ok=False, error=str(error))
        except Exception:  # noqa: BLE001 - the background task's boundary: a run always ends with a response
            _log.exception("%s failed inside Partner", meta_action.info.key)
            return RunnerResponse(ok=False, error="Partner itself failed here; the log has the details.")
