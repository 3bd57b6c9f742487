"""Calls of a Partner's abilities for `runner`: allowed ones, timed, and the same work without Partner."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.permission.request import Decision
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.process_launch import response_of
from partner_desktop.runner.script_process import run_process
from tests.deciding import decided


class Calls:
    """All take one text, and give the milliseconds that they took."""

    def __init__(self, partner: Partner, *, conversation_id: str) -> None:
        self._conversation_id = conversation_id
        self._actions = partner._parts.actions
        self._audit = partner._parts.core.audit
        self._runs = partner.home.runs

    def info(self, key: str) -> MetaActionInfo:
        return self._actions.catalog.require(key)

    async def submitted(self, info: MetaActionInfo) -> float:
        """Through the composed client."""
        call = _call(info)
        begun = time.perf_counter()
        await self._submit(call)
        return (time.perf_counter() - begun) * 1000

    async def committed(self, info: MetaActionInfo) -> float:
        """Through the composed client, and its outcome as a row."""
        call = _call(info)
        record = await self._running(call)
        begun = time.perf_counter()
        await self._commit(record, await self._submit(call))
        return (time.perf_counter() - begun) * 1000

    async def same_process(self, info: MetaActionInfo) -> float:
        """The process that a script's call starts, and the same row."""
        call = _call(info)
        record = await self._running(call)
        spec = self._actions.scripts.spec(call, RunScope(call.id, "", self._runs / call.id), [])
        assert spec.prepare is not None
        spec.prepare()
        spec = replace(spec, prepare=None, finish=None, tidy=None)
        begun = time.perf_counter()
        response = response_of(await run_process(spec), sandboxed=spec.sandbox is not None)
        await self._commit(record, response)
        return (time.perf_counter() - begun) * 1000

    async def _submit(self, call: MetaAction) -> RunnerResponse:
        await self._actions.runner.submit(call, _allowed(call))
        assert call.response is not None
        assert call.response.ok, call.response.error
        return call.response

    async def _running(self, call: MetaAction) -> ActionRecord:
        record = ActionRecord(
            id=call.id, conversation_id=self._conversation_id,
            exchange_id="", key=call.info.key, title=call.info.title,
            description=call.info.description, params=call.params, schema=call.info.params,
            status=ActionStatus.RUNNING, created_at=datetime.now(UTC),
            content_hash=call.info.content_hash,
        )  # fmt: skip
        await self._actions.store.add(record)
        return record

    async def _commit(self, record: ActionRecord, response: RunnerResponse) -> None:
        ended = replace(record, status=ActionStatus.SUCCEEDED, stdout=response.stdout)
        assert await self._actions.store.replace(
            ended,
            only_from=ActionStatus.RUNNING,
            also=lambda db: self._audit.result(db, ended.id, ended.key, outcome=ended.status.value),
        )


def _call(info: MetaActionInfo) -> MetaAction:
    return MetaAction(new_id(), info, {"text": "hello"})


def _allowed(call: MetaAction) -> Decision:
    return decided(call.id, call.info.key, call.info.content_hash, call.params)
