"""The engine: the only door for every run, and the only maker of a `Decision`.

Contract: inputs are facts (route, hash, isolation, paths), the person's rules and mode, stored grants and how
the exchange answers questions; no text of a model, tool or file is weighed. What is forbidden stays forbidden
whoever says yes: Partner's own data, and what a rule denies. Then comes what asks each time, then what runs
without a question, then grants, which are bound to the hash of script and descriptor: an edit asks again.
Whoever comes new (a schedule, a plan) asks `decide` with a standing answer of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import cast

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.permission import judgement
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.judgement import (
    NOT_ALLOWED,
    Judgement,
    allowed,
    answered,
    asked_by_policy,
    asked_each_firing,
    asked_each_time,
    deny_rule,
    forbidden,
    looks_once_approved,
    where_executed,
)
from partner_desktop.permission.policy import Policy
from partner_desktop.permission.request import (
    SEAL,
    ApprovalMode,
    By,
    Decision,
    Outcome,
    PermissionRequest,
    params_hash,
)
from partner_desktop.permission.rules import said
from partner_desktop.storage.database import Connection

#: Why a look needs no second yes.
LOOKED = "it only looks, and you approved it once as it is"
_OPEN = Judgement(Outcome.ASK, "policy")

#: Written in the same transaction.
Also = Callable[[Connection], None]

#: What a run may read of Partner's own, because another step of its chain left it there: the path, and why
#: not, where something is wrong with it.
Handed = Callable[[PermissionRequest], Awaitable[Mapping[PathUse, str]]]


async def nothing_handed(request: PermissionRequest) -> Mapping[PathUse, str]:
    """Nobody leaves anything to anybody."""
    del request
    return {}


class PermissionEngine:
    """Decides, and writes every decision down before it takes effect. `also`: more places of its own.

    `handed`: who knows, by facts of its own, what of those places a run may read all the same.
    """

    def __init__(
        self,
        grants: GrantStore,
        audit: AuditLog,
        *,
        home: Home,
        policy: Callable[[], Policy] = Policy,
        also: Sequence[Path] = (),
        handed: Handed = nothing_handed,
    ) -> None:
        self._handed = handed
        self._grants = grants
        self._audit = audit
        self._policy = policy
        self._own = tuple(path.resolve() for path in (home.root, home.socket.parent, *also))

    async def decide(self, request: PermissionRequest, *, standing: ApprovalMode) -> Decision:
        """Allow, deny, or ask the person.

        `standing` answers the question where the exchange cannot or need not ask: `NEVER` turns every
        run down, `ALL` allows single runs and never beats what is forbidden.
        """
        judgement = await self._judge(request, standing)
        return await self._write(request, judgement) if judgement else _sealed(request, _OPEN)

    async def preview(self, request: PermissionRequest, *, standing: ApprovalMode) -> Judgement:
        """What `decide` would say now. Nothing is written down, and nothing can run on it."""
        return await self._judge(request, standing) or _OPEN

    def asks_each_time(self, action_key: str) -> bool:
        """Whether the person's settings make a question of each of its runs: no yes reaches further."""
        return asked_by_policy(action_key, self._policy()) is not None

    def asks_each_firing(self, request: PermissionRequest) -> bool:
        """Whether a yes to a schedule does not reach to what it does: each of its firings asks."""
        return asked_each_firing(request, self._policy())

    async def allowed_before_edit(self, request: PermissionRequest) -> bool:
        """Whether it asks although an earlier version was allowed, and that was not taken back."""
        return await self._grants.covers_other_version(request)

    def denial(self, action_key: str) -> str:
        """Why a rule of the person's turns this key down, whatever is asked of it; empty when none does."""
        rule = self._policy().rules.deny(action_key)
        return "" if rule is None else f"{said(rule)} denies it"

    async def turned_away(self, request: PermissionRequest, *, why: str = "") -> Decision | None:
        """The refusal of a program's call before anything that it names is looked for; `None`: nothing speaks
        against looking, for some of the ability was allowed to it, or a rule allows it.

        With `why` it is refused whatever was allowed.
        """
        policy = self._policy()
        judgement = deny_rule(request, policy)
        ruled = policy.rules.allow(request.action_key, request.content_hash) is not None
        if judgement is None and (why or not (ruled or await self._grants.any_for(request))):
            judgement = Judgement(Outcome.DENY, "flag", why or NOT_ALLOWED)
        return None if judgement is None else await self._write(request, judgement)

    async def approve(self, request: PermissionRequest, *, scope: Scope, reason: str = "") -> Decision:
        """The person said yes to one run; see `approve_all`.

        Raises:
            UsageError: The yes cannot reach so far; nothing was decided.
        """
        (decision,) = await self.approve_all([request], scope=scope, reason=reason)
        return decision

    async def approve_all(
        self,
        requests: Sequence[PermissionRequest],
        *,
        scope: Scope = "once",
        reason: str = "",
        also: Also | None = None,
    ) -> Sequence[Decision]:
        """The person said yes to these runs together, on the card or in the chat: all of it is written down,
        with `also`, or nothing. `reason`: to what, where it is no plain run.

        What is forbidden stays so: where one is, only what denies is decided, and nothing else happens. A yes
        beyond this run is stored, bound to `request.binding(scope)`.

        Raises:
            UsageError: The yes cannot reach so far; nothing was decided.
        """
        policy = self._policy()
        judged = [(request, await self._forbidden(request, policy)) for request in requests]
        denials = [_sealed(request, no) for request, no in judged if no is not None]
        if denials:
            await self._audit.decision(*denials)
            return denials
        writes = [] if also is None else [also]
        if scope != "once":
            for request in requests:
                _check_reach(request, policy, scope)
                writes.append(self._grants.adding(request, scope))
        decisions = [
            _sealed(request, Judgement(Outcome.ALLOW, "person", reason, scope)) for request in requests
        ]

        def write(db: Connection) -> None:
            for each in writes:
                each(db)

        await self._audit.decision(*decisions, also=write)
        if scope != "once":
            self._grants.changed()
        return decisions

    async def approve_plan(
        self,
        requests: Sequence[PermissionRequest],
        *,
        whole: PermissionRequest,
        scope: Scope,
        reason: str,
        also: Also,
    ) -> Sequence[Decision]:
        """The person's yes to all steps of a saved plan, now and whenever it is just this again; see
        `approve_all`. It is one grant, bound to `whole`: the plan, all that it runs, and every argument.

        Raises:
            UsageError: The yes cannot reach so far; nothing was decided.
        """
        policy = self._policy()
        for request in (whole, *requests):
            _check_reach(request, policy, scope)
            if asked_each_firing(request, policy):
                raise UsageError("permission.once_only_arguments")
        adding = self._grants.adding(whole, scope)

        def write(db: Connection) -> None:
            also(db)
            adding(db)

        decisions = await self.approve_all(requests, reason=reason, also=write)
        self._grants.changed()
        return decisions

    async def granted_plan(
        self, requests: Sequence[PermissionRequest], *, whole: PermissionRequest, reason: str
    ) -> Sequence[Decision]:
        """Decisions on all steps of a saved plan that was allowed beyond one run; empty: it is to be asked.

        What is forbidden, and what asks each time, is not opened by it.
        """
        policy, scope = self._policy(), await self._grants.reach(whole)
        if scope is None or whole.program:
            return []
        for request in (whole, *requests):
            no = await self._forbidden(request, policy)
            if no is not None or asked_each_firing(request, policy):
                return []
        yes = Judgement(Outcome.ALLOW, "grant", reason, scope)
        decisions = [_sealed(request, yes) for request in requests]
        await self._audit.decision(*decisions)
        return decisions

    async def stands(self, step_id: str, *, whole: PermissionRequest) -> bool:
        """Whether the yes that a step of a saved plan had goes on to hold: what rested on a grant to the plan
        does so as long as that grant is there, the person's own yes to its card in any case.
        """
        last = next(iter(await self._audit.decisions(step_id)), None)
        if last is None or last.by_whom != "grant" or not last.reason.startswith(judgement.CHAIN_REASON):
            return True
        policy = self._policy()
        return asked_each_time(whole, policy) is None and await self._grants.reach(whole) is not None

    async def reject_all(
        self, requests: Sequence[PermissionRequest], *, reason: str = "", also: Also | None = None
    ) -> Sequence[Decision]:
        """The person said no to these runs together."""
        no = Judgement(Outcome.DENY, "person", reason)
        decisions = [_sealed(request, no) for request in requests]
        await self._audit.decision(*decisions, also=also)
        return decisions

    async def resume(self, request: PermissionRequest) -> Decision | None:
        """The approval that a run had before Partner ended, if it still holds for exactly this; else `None`.

        Nothing new is allowed: script, arguments and hold are those of the decision in the log, and a grant,
        a rule or a mode that it rests on is still there. What is forbidden by now is turned down, with why.
        """
        policy = self._policy()
        last = next(iter(await self._audit.decisions(request.action_id)), None)
        if last is None or last.outcome != Outcome.ALLOW:
            return None
        if (last.content_hash, last.params_hash) != (request.content_hash, params_hash(request.params)):
            return None
        no = await self._forbidden(request, policy)
        if no is not None:
            return await self._write(request, no)
        if not await self._still_said(request, policy, last):
            return None
        by, scope = cast("By", last.by_whom), cast("Scope", last.scope)  # we wrote them
        return _sealed(request, Judgement(Outcome.ALLOW, by, "resumed", scope))

    async def planned(
        self,
        request: PermissionRequest,
        approved: JsonObject,
        *,
        held: Isolation,
        shown: Sequence[PathUse],
        made: Collection[str] = (),
        wrote: Mapping[str, Sequence[PathUse]] | None = None,
        first_try: str = "",
    ) -> Decision | None:
        """The yes to a chain, for a step of it that is about to run; `None`: it was not given to this.

        `approved` are the arguments as the person saw them, with `{"$from": step}` for what another step
        brings, and `held` is what was said to hold it. `shown` are the paths on the card of the whole chain,
        `wrote` those of them by step that it was to write to, `made` the files that its steps made so far;
        those in their workspaces the engine knows by itself. `first_try` is the id of the step that this one
        is a further try of: the yes was to that one, and holds for the same call alone. What is forbidden by
        now is turned down, with why; what writes where programs are started from asks by itself.
        """
        yes = await self._audit.decisions(first_try or request.action_id)
        if not judgement.is_given(yes, request, approved):
            return None
        policy, handed = self._policy(), await self._handed(request)
        no = forbidden(request, policy, self._own, handed)
        if no is not None:
            return await self._write(request, no)
        if where_executed(request):
            return None
        fits = judgement.within(
            request, approved, held=held, shown=shown, made=made, handed=handed, wrote=wrote or {}
        )
        if not fits or not await asyncio.to_thread(judgement.are_real, request, approved):
            return None
        by, scope = cast("By", yes[0].by_whom), cast("Scope", yes[0].scope)  # we wrote them
        return await self._write(request, Judgement(Outcome.ALLOW, by, judgement.reason_of(yes), scope))

    async def is_free_once_approved(self, request: PermissionRequest) -> bool:
        """Whether a yes to an ability as it is lets it run by itself from then on, and none was given yet."""
        policy = self._policy()
        if asked_each_time(request, policy) is not None or not looks_once_approved(request, policy):
            return False
        return (await self.preview(request, standing=ApprovalMode.ASK)).outcome is Outcome.ASK

    def forgetting(self, action_key: str) -> Also:
        """What takes back all that was granted under a key, in another transaction."""
        return self._grants.forgetting(action_key)

    def grants_changed(self) -> None:
        """What `forgetting` wrote is on disk now."""
        self._grants.changed()

    async def forget(self, action_key: str) -> None:
        """The ability was removed: what was granted to it does not wait for whatever bears its name next."""
        await self._grants.forget(action_key)

    async def reject(self, request: PermissionRequest) -> Decision:
        """The person said no."""
        return await self._write(request, Judgement(Outcome.DENY, "person"))

    async def _forbidden(self, request: PermissionRequest, policy: Policy) -> Judgement | None:
        return forbidden(request, policy, self._own, await self._handed(request))

    async def _judge(self, request: PermissionRequest, standing: ApprovalMode) -> Judgement | None:
        """What is known without the person; `None`: a question remains."""
        policy = self._policy()
        judgement = await self._forbidden(request, policy)
        if judgement is None and standing is ApprovalMode.NEVER:
            judgement = Judgement(Outcome.DENY, "flag", "approvals are switched off for this request")
        if judgement is None:
            judgement = await self._without_asking(request, policy, standing)
        if judgement is None:
            judgement = answered(request, policy, standing, asked_each_time(request, policy))
        return judgement

    async def _without_asking(
        self, request: PermissionRequest, policy: Policy, standing: ApprovalMode
    ) -> Judgement | None:
        """What the person's settings and grants allow; to a program only what was granted to just that."""
        if asked_each_time(request, policy) is not None:
            return None
        judgement = allowed(request, policy)
        if judgement is not None:
            return judgement
        if standing is ApprovalMode.GRANTED and not request.program:
            return None
        scope = await self._grants.reach(request)
        if scope is not None:
            return Judgement(Outcome.ALLOW, "grant", scope=scope)
        if not looks_once_approved(request, policy):
            return None
        said_last = await self._audit.said_last(request.action_key, request.content_hash)
        return Judgement(Outcome.ALLOW, "policy", LOOKED) if said_last == Outcome.ALLOW.value else None

    async def _still_said(self, request: PermissionRequest, policy: Policy, last: AuditEntry) -> bool:
        """A yes to this very run stands; one that reached further stands as long as what it rests on."""
        if last.by_whom == "person":
            return last.scope == "once" or await self._grants.reach(request) is not None
        if last.by_whom == "flag":
            return True
        return await self._without_asking(request, policy, ApprovalMode.ASK) is not None

    async def _write(self, request: PermissionRequest, judgement: Judgement) -> Decision:
        decision = _sealed(request, judgement)
        await self._audit.decision(decision)
        return decision


def _sealed(request: PermissionRequest, judgement: Judgement) -> Decision:
    """The one place where a decision is made."""
    return Decision(
        outcome=judgement.outcome,
        action_id=request.action_id,
        action_key=request.action_key,
        content_hash=request.content_hash,
        params_hash=params_hash(request.params),
        sandboxed=request.isolation.sandboxed,
        by=judgement.by,
        scope=judgement.scope,
        reason=judgement.reason,
        seal=SEAL,
    )


def _check_reach(request: PermissionRequest, policy: Policy, scope: Scope) -> None:
    each_time = asked_each_time(request, policy)
    if each_time is not None:
        raise UsageError("permission.once_only", why=each_time.why)
    if not request.grantable:
        raise UsageError("permission.once_only_arguments")
    if scope == "conversation" and not request.conversation_id:
        raise UsageError("permission.no_conversation")
