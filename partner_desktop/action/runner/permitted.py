"""PermittedRunner: nothing runs but what the permission engine has allowed, exactly as it was allowed."""

from __future__ import annotations

from partner_desktop.action.runner.call import Call
from partner_desktop.action.runner.client import WrappedRunner
from partner_desktop.base import log
from partner_desktop.base.errors import PermissionDeniedError
from partner_desktop.domain.meta_action import RunnerResponse

_log = log.area("runner")


class PermittedRunner(WrappedRunner):
    """Refuses every call that its decision does not cover: script, arguments, and how well it is held."""

    async def run(self, call: Call) -> RunnerResponse:
        info = call.meta_action.info
        covered = call.decision.covers(
            action_id=call.meta_action.id,
            content_hash=info.content_hash,
            params=call.meta_action.params,
            sandboxed=self.isolation(info).sandboxed,
        )
        if not covered:
            _log.warning("%s was submitted without a decision that covers it", info.key)
            raise PermissionDeniedError(
                f"{info.title} was not run: what was approved is not what would run now."
            )
        return await super().run(call)
