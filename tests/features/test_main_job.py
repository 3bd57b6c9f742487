"""The main job: drop a script, ask in words, approve, read the result. No model anywhere."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    DecisionEvent,
    Event,
    ProposalEvent,
    ReplyEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.domain.permission import Effect, Rule, Scope
from partner_desktop.permission.request import ApprovalMode
from tests.action.listing import put
from tests.support import UPPER_SCRIPT, Watcher

# Real Partners, one for each test: the whole gate's business.
pytestmark = pytest.mark.integration


def is_proposal(event: Event) -> bool:
    return isinstance(event, ProposalEvent)


def is_result(event: Event) -> bool:
    return isinstance(event, ResultEvent)


def is_reply_end(event: Event) -> bool:
    return isinstance(event, ReplyEvent) and event.done


def replies(watcher: Watcher) -> list[str]:
    return [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done]


async def proposed(partner: Partner, watcher: Watcher, text: str, **more: str) -> ActionRecord:
    """Ask for something; the action that is proposed."""
    await partner.messages.send(text, conversation_id=more.get("conversation_id"), cwd=more.get("cwd", ""))
    event = await watcher.until(is_proposal)
    assert isinstance(event, ProposalEvent)
    await watcher.done(event.exchange_id)
    watcher.events.clear()
    return event.action


@pytest.mark.promise("mind.starter")
async def test_a_greeting_that_is_to_be_shouted_is_on_the_card(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT.replace("make it loud", "shout"))
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and any(a.usable for a in e.changed))
    assert (await proposed(partner, watcher, "shout hello world")).params == {"text": "hello world"}


@pytest.mark.promise("mind.starter")
async def test_a_dropped_script_is_found_by_words_approved_and_its_result_is_in_the_chat(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and any(a.usable for a in e.changed))
    action = await proposed(partner, watcher, 'shout "good morning" in capital letters')
    assert action.status is ActionStatus.WAITING
    assert action.params == {"text": "good morning"}
    assert (await partner.actions.get(action.id)).stdout == "", "nothing ran before the approval"
    watcher.events.clear()
    await partner.actions.approve(action.id, scope="once")
    await watcher.done(action.exchange_id)
    ended = await partner.actions.get(action.id)
    assert ended.status is ActionStatus.SUCCEEDED
    assert ended.stdout.strip() == "GOOD MORNING"
    assert "GOOD MORNING" in replies(watcher)[-1]
    messages = await partner.messages.list(action.conversation_id)
    assert [m.role for m in messages] == [Role.USER, Role.PARTNER, Role.ACTION, Role.PARTNER]
    assert "GOOD MORNING" in messages[-1].text
    assert all(m.state is MessageState.DONE for m in messages)


@pytest.mark.promise("mind.starter")
@pytest.mark.usefixtures("shout")
async def test_a_missing_parameter_is_asked_for_and_the_answer_goes_on(
    partner: Partner, watcher: Watcher
) -> None:
    first = await partner.messages.send("please shout something in capital letters", conversation_id=None)
    await watcher.done()
    assert "text to shout" in replies(watcher)[-1]
    watcher.events.clear()
    await partner.messages.send("dinner is ready", conversation_id=first.conversation_id)
    event = await watcher.until(is_proposal)
    assert isinstance(event, ProposalEvent)
    assert event.action.params == {"text": "dinner is ready"}


@pytest.mark.usefixtures("shout")
async def test_an_open_question_is_dropped_by_a_no(partner: Partner, watcher: Watcher) -> None:
    first = await partner.messages.send("please shout something in capital letters", conversation_id=None)
    await watcher.done()
    watcher.events.clear()
    await partner.messages.send("never mind", conversation_id=first.conversation_id)
    await watcher.done()
    (action,) = await partner.actions.list()
    assert action.status is ActionStatus.REJECTED
    watcher.events.clear()
    await partner.messages.send("dinner is ready", conversation_id=first.conversation_id)
    await watcher.done()
    assert not any(is_proposal(event) for event in watcher.events)


@pytest.mark.usefixtures("shout")
async def test_a_rejected_action_never_runs(partner: Partner, watcher: Watcher) -> None:
    action = await proposed(partner, watcher, 'shout "no" in capital letters')
    await partner.actions.reject(action.id)
    assert (await partner.actions.get(action.id)).status is ActionStatus.REJECTED
    with pytest.raises(UsageError, match="already settled"):
        await partner.actions.approve(action.id, scope="once")
    assert not any(isinstance(event, RunEvent) for event in watcher.events)


@pytest.mark.usefixtures("shout")
async def test_of_two_answers_to_one_card_the_first_counts(partner: Partner, watcher: Watcher) -> None:
    action = await proposed(partner, watcher, 'shout "twice" in capital letters')
    outcomes = await asyncio.gather(
        partner.actions.approve(action.id, scope="once"),
        partner.actions.approve(action.id, scope="once"),
        return_exceptions=True,
    )
    assert [type(outcome).__name__ for outcome in outcomes].count("UsageError") == 1
    await watcher.until(is_result)
    assert sum(isinstance(event, RunEvent) for event in watcher.events) == 1


@pytest.mark.usefixtures("shout")
async def test_yes_in_the_chat_approves_what_waits(partner: Partner, watcher: Watcher) -> None:
    action = await proposed(partner, watcher, 'shout "words" in capital letters')
    await partner.messages.send("yes", conversation_id=action.conversation_id)
    await watcher.until(is_result)
    assert (await partner.actions.get(action.id)).status is ActionStatus.SUCCEEDED


@pytest.mark.promise("actions.permission.hash")
async def test_always_allow_holds_until_the_script_is_edited(
    partner: Partner, watcher: Watcher, shout: Path
) -> None:
    action = await proposed(partner, watcher, 'shout "one" in capital letters')
    await partner.actions.approve(action.id, scope="always")
    await watcher.done(action.exchange_id)
    watcher.events.clear()
    await partner.messages.send('shout "two" in capital letters', conversation_id=None)
    decision = await watcher.until(lambda e: isinstance(e, DecisionEvent))
    assert isinstance(decision, DecisionEvent)
    assert (decision.outcome, decision.by) == ("allow", "grant")
    await watcher.done()
    watcher.events.clear()
    shout.write_text(UPPER_SCRIPT + "print('and more')\n")
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent))
    third = await proposed(partner, watcher, 'shout "three" in capital letters')
    assert third.status is ActionStatus.WAITING, "an edit asks again"


@pytest.mark.promise("actions.permission.hash")
@pytest.mark.parametrize("scope", ["once", "conversation", "always"])
async def test_an_edit_between_card_and_approval_shows_the_new_version_first(
    partner: Partner, watcher: Watcher, shout: Path, scope: Scope
) -> None:
    action = await proposed(partner, watcher, 'shout "soft" in capital letters')
    watcher.events.clear()
    shout.write_text(UPPER_SCRIPT.replace("text.upper()", "'something else'"))
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent))
    with pytest.raises(UsageError, match="was edited since"):
        await partner.actions.approve(action.id, scope=scope)
    assert (await partner.actions.get(action.id)).status is ActionStatus.WAITING
    assert (await partner.permissions.list()).grants == (), "no yes was given to what nobody had seen"
    await partner.actions.approve(action.id, scope="once")
    await watcher.until(is_result)
    assert (await partner.actions.get(action.id)).stdout.strip() == "something else"


@pytest.mark.usefixtures("shout")
async def test_a_condition_makes_no_card_of_what_a_rule_denies(partner: Partner, watcher: Watcher) -> None:
    words = 'shout "hi" in capital letters if it rains'
    card = await proposed(partner, watcher, words)
    await partner.permissions.save_rule(Rule(Effect.DENY, card.key))
    await partner.actions.reject(card.id)
    watcher.events.clear()
    await partner.messages.send(words, conversation_id=card.conversation_id)
    await watcher.done()
    refused = (await partner.actions.list(limit=1))[0]
    assert (refused.id != card.id, refused.status) == (True, ActionStatus.REJECTED)
    assert "denies it" in refused.error


@pytest.mark.promise("actions.permission.hash")
async def test_always_for_a_script_that_describes_nothing_is_for_these_arguments(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "plain.py", "import sys; print(sys.argv[1:])", "local::plain")
    found: list[ActionStatus] = []
    for arguments in ("one", "one", "two"):
        watcher.events.clear()
        await partner.abilities.run(
            "local::plain", {"args": arguments}, cwd="", standing=ApprovalMode.ASK, exchange_id=new_id()
        )
        record = (await partner.actions.list(limit=1))[0]
        found.append(record.status)
        if record.status is ActionStatus.WAITING and len(found) == 1:
            await partner.actions.approve(record.id, scope="always")
        if len(found) < 3:
            await watcher.until(is_result)
    assert found[0] is found[2] is ActionStatus.WAITING
    assert found[1] is not ActionStatus.WAITING


@pytest.mark.usefixtures("shout")
async def test_edited_parameters_are_what_runs_and_bad_ones_are_explained(
    partner: Partner, watcher: Watcher
) -> None:
    action = await proposed(partner, watcher, 'shout "draft" in capital letters')
    with pytest.raises(UsageError, match="text"):
        await partner.actions.approve(action.id, scope="once", params={})
    await partner.actions.approve(action.id, scope="once", params={"text": "final"})
    await watcher.until(is_result)
    ended = await partner.actions.get(action.id)
    assert ended.stdout.strip() == "FINAL"
    assert ended.params == {"text": "final"}


@pytest.mark.usefixtures("shout")
async def test_never_runs_nothing_and_says_what_it_would_have_done(
    partner: Partner, watcher: Watcher
) -> None:
    await partner.messages.send(
        'shout "hello there" in capital letters', conversation_id=None, standing=ApprovalMode.NEVER
    )
    done = await watcher.done()
    assert done.status == "ok"
    assert not any(isinstance(event, RunEvent) for event in watcher.events)
    assert "hello there" in replies(watcher)[-1]


async def test_reply_events_count_up_and_end_with_the_whole_text(partner: Partner, watcher: Watcher) -> None:
    await partner.messages.send("hello", conversation_id=None)
    await watcher.done()
    pieces = [event for event in watcher.events if isinstance(event, ReplyEvent)]
    assert [piece.seq for piece in pieces] == list(range(len(pieces)))
    assert [piece.done for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert len(pieces) > 3, "a reply streams"
    assert "".join(piece.content for piece in pieces) == pieces[-1].text


async def test_a_running_action_is_cancelled_with_its_processes(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "endless.py").write_text(
        '# /// partner\n# description = "Wait for ever and ever"\n# ///\n'
        "import time\nwhile True:\n    time.sleep(1)\n"
    )
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent))
    action = await proposed(partner, watcher, "wait for ever and ever")
    await partner.actions.approve(action.id, scope="once")
    await partner.actions.cancel(action.id)
    ended = await partner.actions.get(action.id)
    assert ended.status is ActionStatus.CANCELLED
    await partner.actions.cancel(action.id)


@pytest.mark.parametrize(
    ("script", "status", "says"),
    [
        (
            "import sys; print('so far'); print('went wrong', file=sys.stderr); sys.exit(3)",
            "failed",
            "went wrong",
        ),
        ("import os; os.write(1, b'caf\\xe9 \\xff ok')", "succeeded", "ok"),
        ("import os; os.kill(os.getpid(), 9)", "failed", ""),
        ("print('x' * 300_000)", "succeeded", "xxx"),
    ],
)
async def test_whatever_a_script_does_ends_in_a_record(
    partner: Partner, watcher: Watcher, action_dir: Path, script: str, status: str, says: str
) -> None:
    (action_dir / "dynamic" / "odd.py").write_text(
        f'# /// partner\n# description = "Do the odd thing"\n# ///\n{script}\n'
    )
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent))
    action = await proposed(partner, watcher, "do the odd thing")
    await partner.actions.approve(action.id, scope="once")
    await watcher.done(action.exchange_id)
    ended = await partner.actions.get(action.id)
    assert ended.status.value == status, ended.error
    assert says in ended.stdout + ended.stderr
    assert bool(ended.error) == (status == "failed")
    assert len(ended.stdout) < 100_000
    for event in watcher.events:
        str(event.to_json()).encode("utf-8")


async def test_a_file_given_by_name_is_read_inside_the_sandbox_and_nothing_else_is(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    if not partner.sandbox.available:
        pytest.skip(partner.sandbox.reason)
    (user_home / "notes.txt").write_text("three little words")
    (user_home / "secret.txt").write_text("hush")
    (action_dir / "dynamic" / "peek.py").write_text(
        '# /// partner\n# description = "Peek into a text file"\n'
        '# [params.file]\n# type = "string"\n# format = "path"\n# access = "read"\n# ///\n'
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1].split('=', 1)[1])\n"
        "print(file.read_text(), (file.parent / 'secret.txt').exists())\n"
    )
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent))
    action = await proposed(partner, watcher, "peek into the text file notes.txt")
    assert [(use.path, use.access) for use in action.paths] == [(str(user_home / "notes.txt"), "read")]
    await partner.actions.approve(action.id, scope="once")
    await watcher.done(action.exchange_id)
    ended = await partner.actions.get(action.id)
    assert ended.stdout.strip() == "three little words False", ended.stderr


async def test_a_file_that_is_not_there_is_asked_for_again(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    (user_home / "real.txt").write_text("x")
    (action_dir / "dynamic" / "peek.py").write_text(
        '# /// partner\n# description = "Peek into a text file"\n'
        '# [params.file]\n# type = "string"\n# format = "path"\n# ///\n'
    )
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent))
    first = await partner.messages.send("peek into the text file missing.txt", conversation_id=None)
    await watcher.done()
    assert "missing.txt" in replies(watcher)[-1]
    await partner.messages.send("real.txt", conversation_id=first.conversation_id)
    event = await watcher.until(is_proposal)
    assert isinstance(event, ProposalEvent)
    assert event.action.params == {"file": str(user_home / "real.txt")}


async def test_stopping_keeps_what_was_said_and_marks_it(home: Home, action_dir: Path) -> None:
    partner = Partner(home, action_dir, pace_s=0.01, meaning=False)
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    message = await partner.messages.send("hello", conversation_id=None)
    await watcher.until(lambda e: isinstance(e, ReplyEvent) and e.seq == 2)
    await partner.conversations.stop(message.conversation_id)
    end = await watcher.until(is_reply_end)
    assert isinstance(end, ReplyEvent)
    assert end.stopped
    kept = (await partner.messages.list(message.conversation_id))[-1]
    assert (kept.state, kept.text) == (MessageState.STOPPED, end.text)
    watcher.events.clear()
    await partner.messages.send("hello", conversation_id=message.conversation_id)
    await watcher.done()
    await partner.close()


@pytest.mark.usefixtures("shout")
async def test_every_decision_and_run_is_in_the_audit_log(partner: Partner, watcher: Watcher) -> None:
    action = await proposed(partner, watcher, 'shout "log me" in capital letters')
    await partner.actions.approve(action.id, scope="once")
    await watcher.done(action.exchange_id)
    rows = await partner.audit.newest(action="upper")
    assert [(row.kind, row.outcome) for row in rows] == [
        ("decision", "allow"),
        ("run", "started"),
        ("result", "succeeded"),
    ]
    assert await partner.audit.newest(action="something else") == []
    assert "log me" not in str(rows), "the log holds no text of the person's"
