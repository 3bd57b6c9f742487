"""Approvals: the person's yes, no and stop, from the card, the chat or a command.

Contract: two answers to one card: the first counts, the second is told so. What is approved is what
was shown: an ability that was edited since shows its new version first.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from partner_desktop.action.chain.chain_approvals import ChainApprovals
from partner_desktop.action.confirmation_expiry import is_over, waiting_from
from partner_desktop.action.facts import assessed, request_for, validation_problem
from partner_desktop.action.path_arguments import ResolvedPaths, resolve_paths
from partner_desktop.action.shown import Shown, card_version, check_yes, is_as_shown, timed_out
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.base.tasks import uninterrupted, uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Chain
from partner_desktop.domain.evidence import Amended
from partner_desktop.domain.intervention import ChainEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.schema_check import unknown_names
from partner_desktop.permission.request import Outcome
from partner_desktop.runtime.exchanges import Exchange


class Approvals(WorkPart):
    """Settles what waits for the person."""

    def __init__(self, parts: WorkParts, chains: ChainApprovals) -> None:
        super().__init__(parts)
        self._chains = chains

    @uninterruptible
    async def approve(
        self,
        action_id: str,
        *,
        scope: Scope,
        params: JsonObject | None,
        exchange: Exchange,
        shown: Shown = None,
    ) -> ActionRecord:
        """Run a waiting action, with the parameters as edited on the card (`None`: as proposed).

        `shown`: its card when the person decided, or the version of that; `None`: they decided otherwise.

        Raises:
            UsageError: It no longer waits, its ability is gone or was edited, a parameter does not fit, or
                its card shows something else by now.
        """
        async with self._settling(action_id, exchange) as record:
            version = card_version(shown) if isinstance(shown, ActionRecord) else shown
            if version is not None and card_version(record) != version:
                self._publisher.proposed(record)  # whoever still shows it as it was
                raise UsageError(sentence_of("card.changed", title=record.title))
            if record.chain is not None:
                check_yes(record, scope, params)
                return await self._chains.approve(record, exchange=exchange)
            return await self._approve_alone(record, scope=scope, params=params, exchange=exchange)

    async def approve_as(self, shown: ActionRecord, *, exchange: Exchange) -> ActionRecord:
        """Run a waiting action once, as its card was when the person spoke: a mind takes its time to hear.

        It belongs to their exchange from then on: whoever said yes waits for what comes of it.

        Raises:
            UsageError: As `approve`; or its card shows something else by now.
        """
        return await self.approve(shown.id, scope="once", params=None, exchange=exchange, shown=shown)

    async def _approve_alone(
        self, record: ActionRecord, *, scope: Scope, params: JsonObject | None, exchange: Exchange
    ) -> ActionRecord:
        info = self._catalog.require(record.key)
        if info.content_hash != record.content_hash:
            await self._show_anew(record, info)
            raise UsageError(sentence_of("card.edited", title=record.title))
        given = record.params if params is None else params
        edited = await self._edited(record, info, given)
        if not is_as_shown(record, edited, given):
            await self._show_anew(replace(record, params=given), info)
            raise UsageError(sentence_of("card.moved", title=record.title))
        decision = await self._engine.approve(request_for(edited, info), scope=scope)
        if decision.outcome is Outcome.ALLOW:
            return await self._executor.start(edited, info, decision, exchange=exchange)
        return await self._deny(edited, decision.reason, decision)

    @uninterruptible
    async def amend(self, action_id: str, params: JsonObject, *, exchange: Exchange | None = None) -> Amended:
        """Show a waiting card with other arguments: it asks again, and nothing runs.

        With `exchange` it belongs to that from then on, here and wherever a card is changed by words: whoever
        changed it is told how it looks now.

        Raises:
            UsageError: It is settled already, or its ability is gone.
        """
        async with self._settling(action_id, exchange) as record:
            if record.chain is not None:
                raise UsageError(f"{record.title} has several steps: say which of them is to be otherwise.")
            info = self._catalog.require(record.key)
            try:
                edited = await self._edited(record, info, params)
            except UsageError as error:
                return Amended(record, problem=str(error))
            changed = tuple(name for name, value in edited.params.items() if record.params.get(name) != value)
            if not changed:
                return Amended(record)
            return Amended(await self._show_anew(replace(record, params=edited.params), info), changed)

    @uninterruptible
    async def edit_chain(
        self, action_id: str, edit: ChainEdit, *, exchange: Exchange | None = None
    ) -> ActionRecord:
        """Show a waiting chain as edited on its card; see `ChainApprovals.edit`.

        Raises:
            UsageError: It is settled already, is no chain, or cannot be so.
        """
        async with self._settling(action_id, exchange) as record:
            return await self._chains.edit(_with_steps(record), edit)

    @uninterruptible
    async def change_chain(
        self, action_id: str, shown: Chain, wanted: Chain, *, exchange: Exchange | None = None
    ) -> ActionRecord:
        """Show a waiting chain with other steps in the place of those it was `shown` with.

        Raises:
            UsageError: It is settled already, is no chain, is not as it was shown, or cannot be so.
        """
        async with self._settling(action_id, exchange) as record:
            if _with_steps(record).chain != shown:
                raise UsageError("It was changed meanwhile; look at its card again.")
            return await self._chains.change(record, wanted)

    @uninterruptible
    async def amend_step(
        self, action_id: str, step_id: str, params: JsonObject, *, exchange: Exchange | None = None
    ) -> Amended:
        """Show a waiting chain with other arguments of one step: it asks again, and nothing runs.

        Raises:
            UsageError: It is settled already, or is no chain.
        """
        async with self._settling(action_id, exchange) as record:
            return await self._chains.amend(_with_steps(record), step_id, params)

    @uninterruptible
    async def reject(
        self, action_id: str, *, withdrawn: str = "", exchange: Exchange | None = None
    ) -> ActionRecord:
        """Turn a card or an open question down; `withdrawn`: why, where that is no answer of the person.

        With `exchange` it belongs to that from then on: what its chain goes on to do is waited for there.

        Raises:
            UsageError: It is settled already.
        """
        record = await self._store.get(action_id)
        async with self._executor.settling(record.conversation_id):
            record = await self._store.get(action_id)
            if record.status is not ActionStatus.ASKING:
                record = await self._waiting(action_id)
            record = record if exchange is None else replace(record, exchange_id=exchange.id)
            if record.status is ActionStatus.ASKING:
                return await self._executor.turn_down(record, "")
            if withdrawn:
                return await self._executor.turn_down(record, withdrawn)
            if record.chain is not None:
                return await self._chains.reject(record)
            entry = self._catalog.entry(record.key)
            if entry is not None and entry.info is not None:  # switched off or not: the no is written down
                decision = await self._engine.reject(request_for(record, entry.info))
                return await self._executor.turn_down(record, "", decision=decision)
            return await self._executor.turn_down(record, "")

    async def rename(self, old_key: str, new_key: str) -> None:
        """An ability has another key now: what still asks for the old one asks for the new one.

        Nothing was approved yet; the card shows everything anew.
        """
        for status in (ActionStatus.ASKING, ActionStatus.WAITING):
            for record in await self._store.in_status(status):
                steps = record.chain.steps if record.chain is not None else ()
                if old_key in (record.key, *record.options, *(step.key for step in steps)):
                    await uninterrupted(self._rename(record.id, old_key, new_key))

    async def _rename(self, action_id: str, old_key: str, new_key: str) -> None:
        record = await self._store.get(action_id)
        info = self._catalog.get(new_key)
        if info is None:
            return
        async with self._executor.settling(record.conversation_id):
            record = await self._store.get(action_id)
            if record.chain is not None:
                await self._chains.rename(record, old_key, new_key)
                return
            options = tuple(new_key if key == old_key else key for key in record.options)
            renamed = replace(record, options=options)
            if record.key == old_key:
                source = str(self._catalog.original(new_key) or "")
                renamed = replace(
                    renamed, key=new_key, title=info.spoken(renamed.language).title, source_path=source
                )
            if record.status is ActionStatus.WAITING:
                await self._show_anew(renamed, info)
            elif await self._store.replace(renamed, only_from=ActionStatus.ASKING):
                self._publisher.changed(renamed)

    @asynccontextmanager
    async def _settling(
        self, action_id: str, exchange: Exchange | None = None
    ) -> AsyncIterator[ActionRecord]:
        """The card as it waits, while nothing else of its conversation is decided; it belongs to `exchange`.

        Raises:
            UsageError: It waits no longer.
        """
        record = await self._store.get(action_id)
        async with self._executor.settling(record.conversation_id):
            record = await self._waiting(action_id)
            if is_over(record, self._clock.now()):
                raise UsageError(timed_out(record))
            yield record if exchange is None else replace(record, exchange_id=exchange.id)

    async def _waiting(self, action_id: str) -> ActionRecord:
        record = await self._store.get(action_id)
        if record.status is not ActionStatus.WAITING:
            raise UsageError(f"{record.title} is already settled ({record.status}).")
        return record

    async def _edited(self, record: ActionRecord, info: MetaActionInfo, params: JsonObject) -> ActionRecord:
        found = await asyncio.to_thread(resolve_paths, info, params, cwd=record.cwd)
        problem = next(iter(found.problems.values()), "")
        missing = [name for name in info.required() if found.params.get(name) in (None, "")]
        if not problem and missing:
            problem = f"`{missing[0]}` is still missing."
        if not problem:
            problem, _ = await asyncio.to_thread(validation_problem, info, found.params)
        if problem:
            raise UsageError(problem)
        return self._assessed(record, info, found)

    def _assessed(self, record: ActionRecord, info: MetaActionInfo, found: ResolvedPaths) -> ActionRecord:
        each_time = self._engine.asks_each_time(record.key)
        return assessed(record, info, found, self._runner.isolation(info), each_time=each_time)

    async def _show_anew(self, record: ActionRecord, info: MetaActionInfo) -> ActionRecord:
        unknown = unknown_names(info.params, record.params)
        params = {name: value for name, value in record.params.items() if name not in unknown}
        found = await asyncio.to_thread(resolve_paths, info, params, cwd=record.cwd)
        proposal = self._assessed(record, info, found)
        was_allowed = await self._engine.allowed_before_edit(request_for(proposal, info))
        proposal = replace(proposal, was_allowed=was_allowed)
        renewed = waiting_from(proposal, self._clock.now(), record.number)
        if await self._store.replace(renewed, only_from=ActionStatus.WAITING):
            self._publisher.proposed(renewed)
        return renewed


def _with_steps(record: ActionRecord) -> ActionRecord:
    """Raises: UsageError: It is no chain."""
    if record.chain is None:
        raise UsageError(f"{record.title} has no steps: change its arguments instead.")
    return record
