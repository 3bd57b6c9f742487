"""A question to the person as an action: what came of it is its result, and nothing else is."""

from __future__ import annotations

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import ElicitationEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

KEY = "builtin::intervention::acquire_intervention"


async def asked(partner: Partner, watcher: Watcher, **params: str | int) -> tuple[Elicitation, str]:
    """A question that is open, and the exchange that asks it."""
    exchange_id = new_id()
    given: JsonObject = {**params}
    await partner.abilities.run(KEY, given, cwd="", standing=ApprovalMode.ALL, exchange_id=exchange_id)
    event = await watcher.until(lambda e: isinstance(e, ElicitationEvent) and e.open)
    assert isinstance(event, ElicitationEvent)
    return event.elicitation, exchange_id


async def ended(partner: Partner, watcher: Watcher, exchange_id: str) -> ActionRecord:
    await watcher.done(exchange_id)
    return (await partner.actions.list(limit=1))[0]


async def test_the_answer_of_the_person_is_the_result(partner: Partner, watcher: Watcher) -> None:
    question, exchange_id = await asked(partner, watcher, demand="Which folder is the right one?")
    assert question.message == "Which folder is the right one?"
    await partner.servers.answer(question.id, ElicitationAnswer("accept", {"answer": "the newer one"}))
    record = await ended(partner, watcher, exchange_id)
    assert record.status is ActionStatus.SUCCEEDED
    assert record.data == {"summary": "The answer is: the newer one", "answer": "the newer one"}


async def test_a_question_that_nobody_answers_says_that_it_timed_out(
    partner: Partner, watcher: Watcher
) -> None:
    question, exchange_id = await asked(partner, watcher, demand="Are you there?", timeout=1)
    record = await ended(partner, watcher, exchange_id)
    assert (record.status, record.data) == (ActionStatus.FAILED, None)
    assert record.error == "The question timed out: no answer within 1 second."
    with pytest.raises(UsageError):
        await partner.servers.answer(question.id, ElicitationAnswer("accept", {"answer": "too late"}))
    closed = [e.open for e in watcher.events if isinstance(e, ElicitationEvent)]
    assert closed == [True, False], "the question is taken away"


async def test_a_question_that_the_person_declines_is_no_answer(partner: Partner, watcher: Watcher) -> None:
    question, exchange_id = await asked(partner, watcher, demand="Your password?")
    await partner.servers.answer(question.id, ElicitationAnswer("decline"))
    record = await ended(partner, watcher, exchange_id)
    assert record.status is ActionStatus.FAILED
    assert record.error == "The question was not answered: the person declined."


async def test_a_question_about_an_action_that_is_not_there_is_put_as_it_is(
    partner: Partner, watcher: Watcher
) -> None:
    question, exchange_id = await asked(partner, watcher, demand="What is your name?", actionId="nothing")
    assert question.message == "What is your name?"
    await partner.servers.answer(question.id, ElicitationAnswer("cancel"))
    await ended(partner, watcher, exchange_id)
