"""What happens to an action and the audit log's line of it are one transaction."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import StorageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from tests.support import Watcher

pytestmark = pytest.mark.integration


@pytest.mark.usefixtures("shout")
async def test_a_run_that_the_log_cannot_take_does_not_begin_and_still_waits(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    await partner.messages.send('shout "good morning" in capital letters', conversation_id=None)
    await watcher.done()
    (action,) = await partner.actions.list()
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON audit WHEN new.kind = 'run' "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    with pytest.raises(StorageError):
        await partner.actions.approve(action.id, scope="once")
    (action,) = await partner.actions.list()
    assert action.status is ActionStatus.WAITING
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute("DROP TRIGGER full")
    watcher.events.clear()
    await partner.actions.approve(action.id, scope="once")
    await watcher.done(action.exchange_id)
    (action,) = await partner.actions.list()
    assert action.status is ActionStatus.SUCCEEDED
