"""The engine: the only door for every run.

First part. Smart mode: builtins that only read files run; everything else asks, unless the person granted
it for good. Grants are bound to the hash of script and descriptor: an edit asks again. What may hold secrets
is asked about each time, granted or not. Some targets are refused whatever anyone answers. Inputs are facts
(route, hash, isolation, paths, stored grants); no text of a model, tool or file is weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from partner_desktop.base.paths import Home, display_path
from partner_desktop.domain.action import PathUse, Risk
from partner_desktop.domain.meta_action import Route
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.request import (
    By,
    Decision,
    Outcome,
    PermissionRequest,
    Scope,
    StandingAnswer,
    params_hash,
)
from partner_desktop.permission.sensitive import is_sensitive


class PermissionEngine:
    """Decides, and writes every decision down before it takes effect. `also`: more places of its own."""

    def __init__(self, grants: GrantStore, audit: AuditLog, *, home: Home, also: Sequence[Path] = ()) -> None:
        self._grants = grants
        self._audit = audit
        self._own = tuple(path.resolve() for path in (home.root, home.socket.parent, *also))

    async def decide(self, request: PermissionRequest, *, standing: StandingAnswer) -> Decision:
        """Allow, deny, or ask the person.

        `standing` answers the question where the exchange cannot or need not ask: `NEVER` turns every
        run down, `ALL` allows single runs and never beats a refusal.
        """
        refusal = self._refusal(request)
        if refusal:
            return await self._write(request, Outcome.DENY, by="policy", reason=refusal)
        if standing is StandingAnswer.NEVER:
            return await self._write(
                request, Outcome.DENY, by="flag", reason="approvals are switched off for this request"
            )
        secret = next((use for use in request.paths if is_sensitive(use)), None)
        if secret is not None:
            return await self._answer(request, standing, secret=secret)
        if request.route is Route.BUILTIN and request.risk is Risk.READ and not request.outward:
            return await self._write(request, Outcome.ALLOW, by="policy", reason="it only reads")
        if await self._grants.covers(request.action_key, request.binding):
            return await self._write(request, Outcome.ALLOW, by="grant", scope="always")
        return await self._answer(request, standing)

    async def _answer(
        self, request: PermissionRequest, standing: StandingAnswer, *, secret: PathUse | None = None
    ) -> Decision:
        """What remains is a question; `ALL` is a yes to it, but no consent to run unheld."""
        if standing is StandingAnswer.GRANTED:
            reason = "it needs your yes first"
            if secret is not None:
                reason = (
                    f"{display_path(Path(secret.path))} may hold secrets; only you can allow that, in Partner"
                )
            return await self._write(request, Outcome.DENY, by="flag", reason=reason)
        if standing is not StandingAnswer.ALL:
            return self._decision(request, Outcome.ASK, by="policy")
        unheld = not request.isolation.sandboxed and not request.isolation.server
        if request.route is not Route.BUILTIN and unheld:
            reason = "there is no sandbox here, and running without one needs your own yes on its card"
            return await self._write(request, Outcome.DENY, by="policy", reason=reason)
        return await self._write(request, Outcome.ALLOW, by="flag", reason="--approve all")

    async def approve(self, request: PermissionRequest, *, scope: Scope, reason: str = "") -> Decision:
        """The person said yes on the card or in the chat; `reason`: to what, where it is no plain run.

        What policy refuses stays refused. `always` is stored, bound to `request.binding`.
        """
        refusal = self._refusal(request)
        if refusal:
            return await self._write(request, Outcome.DENY, by="policy", reason=refusal)
        if scope == "always":
            await self._grants.add(request.action_key, request.binding)
        return await self._write(request, Outcome.ALLOW, by="person", scope=scope, reason=reason)

    async def resume(self, request: PermissionRequest) -> Decision | None:
        """The approval that a run had before Partner ended, if it still holds for exactly this; else `None`.

        Nothing new is allowed: script, arguments and hold are those of the decision in the log, policy does
        not refuse them by now, and a grant for good that it rests on was not revoked.
        """
        said = await self._audit.last_decision(request.action_id)
        if said is None or said.outcome != Outcome.ALLOW or self._refusal(request):
            return None
        if (said.content_hash, said.params_hash) != (request.content_hash, params_hash(request.params)):
            return None
        granted = said.scope == "always"
        if granted and not await self._grants.covers(request.action_key, request.binding):
            return None
        by, scope = cast("By", said.by_whom), cast("Scope", said.scope)  # we wrote them
        return self._decision(request, Outcome.ALLOW, by=by, scope=scope, reason="resumed")

    async def forget(self, action_key: str) -> None:
        """The ability was removed: what was granted to it does not wait for whatever bears its name next."""
        await self._grants.forget(action_key)

    async def reject(self, request: PermissionRequest) -> Decision:
        """The person said no."""
        return await self._write(request, Outcome.DENY, by="person")

    def _refusal(self, request: PermissionRequest) -> str:
        """Why this may never run; empty when it may."""
        for use in request.paths:
            target = Path(use.path)
            if target == Path(target.anchor) and request.route is not Route.BUILTIN:
                return "no ability is given the whole file system"
            for own in self._own:
                # Reading a folder above is allowed: the sandbox hides what is Partner's inside it.
                above = target in own.parents and use.access == "write"
                if above or target == own or own in target.parents:
                    return f"{display_path(target)} holds Partner's own data"
        return ""

    @staticmethod
    def _decision(
        request: PermissionRequest, outcome: Outcome, *, by: By, scope: Scope = "once", reason: str = ""
    ) -> Decision:
        return Decision(
            outcome=outcome,
            action_id=request.action_id,
            action_key=request.action_key,
            content_hash=request.content_hash,
            params_hash=params_hash(request.params),
            sandboxed=request.isolation.sandboxed,
            by=by,
            scope=scope,
            reason=reason,
        )

    async def _write(
        self,
        request: PermissionRequest,
        outcome: Outcome,
        *,
        by: By,
        scope: Scope = "once",
        reason: str = "",
    ) -> Decision:
        decision = self._decision(request, outcome, by=by, scope=scope, reason=reason)
        await self._audit.decision(decision)
        return decision
