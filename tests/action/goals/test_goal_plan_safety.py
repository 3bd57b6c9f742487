"""What planning again may not do: outrun a yes, undo a no, or take one thing for another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ActionEvent, Event, ProposalEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind
from partner_desktop.domain.plan import Plan
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.running import child_card, ended, until_step
from tests.support import Watcher

pytestmark = pytest.mark.integration

_ABILITY = """\
# /// partner
# description = "{description}"
# {facts}
# annotations = {{ readOnlyHint = {looks} }}
{params}# ///
import json, sys, time
given = json.load(sys.stdin)
{code}
"""
_WIPES = 'open(given["file"], "w").write("")'


async def put(
    partner: Partner,
    watcher: Watcher,
    action_dir: Path,
    name: str,
    facts: str,
    code: str,
    *,
    text: str = "",
    file: str = "",
) -> None:
    """Write an ability, and wait until it is listed. `file`: what is done with its path."""
    params = f'# [params.{text}]\n# type = "string"\n# description = "{text}"\n' if text else ""
    if file:
        place = f'format = "path"\n# access = "{file}"'
        params += f'# [params.file]\n# type = "string"\n# {place}\n# description = "the file"\n'
    before = len(watcher.events)
    (action_dir / "dynamic" / f"{name}.py").write_text(
        _ABILITY.format(
            description=name.replace("_", " ").capitalize(),
            facts=facts,
            looks="false" if file == "write" else "true",
            params=params,
            code=code,
        )
    )

    def is_listed(event: Event) -> bool:
        return isinstance(event, AbilitiesEvent) and event in watcher.events[before:]

    await watcher.until(is_listed)


async def planned(partner: Partner, watcher: Watcher, cwd: Path, *goals: str, **have: str) -> ActionRecord:
    """The card of a plan by name."""
    before = len(watcher.events)
    await partner.plans.run([*goals], cwd=str(cwd), standing=ApprovalMode.ASK, have={**have})

    def is_new(event: Event) -> bool:
        return isinstance(event, ProposalEvent) and event in watcher.events[before:]

    found = await watcher.until(is_new)
    assert isinstance(found, ProposalEvent)
    return found.action


def plan_of(record: ActionRecord) -> Plan:
    assert record.chain is not None, record
    return record.chain


def keys(record: ActionRecord) -> list[str]:
    return [step.key.partition("::")[2] for step in plan_of(record).steps]


@pytest.mark.promise("actions.confirm.plan")
async def test_what_takes_the_place_of_a_failed_safeguard_is_none_before_the_person_says_so(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    notes = user_home / "notes.txt"
    notes.write_text("precious")
    here = (partner, watcher, action_dir)
    copy = 'inputs = { copy = "NotesCopy" }\n# effects = ["copy is verified"]'
    wipe = 'preconditions = ["copy is verified"]\n# effects = ["notes are wiped"]'
    await put(*here, "juggle_balls", 'outputs = "NotesCopy"\n# cost = 2', 'print("nothing was copied")')
    await put(*here, "verify_copy", copy, 'print("seems fine")', text="copy")
    for goals, have in ((["local::juggle_balls"], {}), (["local::verify_copy"], {"NotesCopy": "x"})):
        once = await planned(partner, watcher, user_home, *goals, **have)  # what looks asks the first time
        await partner.actions.approve(once.id, scope="once")
        await ended(partner, watcher, once.id)
    await put(*here, "copy_notes", 'outputs = "NotesCopy"', 'sys.exit("disk full")')
    await put(*here, "wipe_notes", wipe, _WIPES, file="write")
    card = await planned(partner, watcher, user_home, "notes are wiped", file=str(notes))
    assert keys(card) == ["copy_notes", "verify_copy", "wipe_notes"]
    await partner.actions.approve(card.id, scope="once")
    asks = await child_card(watcher, card.id)
    assert keys(await partner.actions.get(card.id)) == [
        "copy_notes",
        "juggle_balls",
        "verify_copy",
        "wipe_notes",
    ]
    assert asks.key == "local::wipe_notes"
    assert notes.read_text() == "precious"


async def test_what_a_file_claims_does_not_carry_a_yes_past_the_step_that_it_leaves_out(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    notes, letter = user_home / "notes.txt", user_home / "letter.json"
    notes.write_text("precious")
    letter.write_text(json.dumps({"text": "hi", "conditions": {"notes are saved": True}}))
    here = (partner, watcher, action_dir)
    takes = 'inputs = { letter = "Letter" }'
    finds = 'outputs = "Letter"\n# senses = "notes are saved"'
    await put(*here, "fetch_letter", finds, 'print(open(given["file"]).read())', file="read")
    await put(*here, "save_notes", f'{takes}\n# effects = ["notes are saved"]', 'print("ok")', text="letter")
    await put(
        *here,
        "wipe_notes",
        f'{takes}\n# preconditions = ["notes are saved"]\n# effects = ["notes are wiped"]',
        _WIPES,
        text="letter",
        file="write",
    )
    card = await planned(partner, watcher, user_home, "notes are wiped", file=str(letter))
    assert keys(card) == ["fetch_letter", "save_notes", "wipe_notes"]
    await partner.actions.approve(card.id, scope="once")
    asks = await child_card(watcher, card.id)
    assert asks.key == "local::wipe_notes"
    assert letter.read_text(), "nobody has said yes to that alone"


async def test_what_the_person_took_out_on_the_way_does_not_come_back(
    partner: Partner, watcher: Watcher, action_dir: Path, talk: Path
) -> None:
    waits = 'while "The end" not in open(given["file"]).read(): time.sleep(0.01)\nprint("talk")'
    await put(partner, watcher, action_dir, "read_talk", 'outputs = "Transcript"', waits, file="read")
    card = await planned(partner, watcher, talk.parent, "TalkingPoints", "mail is sent", file=str(talk))
    assert keys(card) == ["read_talk", "extract_points", "send_mail"]
    mail = plan_of(card).steps[-1]
    await partner.actions.approve(card.id, scope="once")
    await until_step(watcher, card.id, 1, lambda step: step.status == "running")
    wish = Intervention(InterventionKind.DELETE, step_ids=(mail.id,))
    assert (await partner.actions.intervene(card.id, [wish])).refused == ()
    with talk.open("a") as file:
        file.write("The end")
    over = await ended(partner, watcher, card.id)
    assert over.status is ActionStatus.SUCCEEDED, over.error
    assert keys(over) == ["read_talk", "extract_points"]


async def test_which_of_several_outputs_is_meant_outlives_a_question(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    here = (partner, watcher, action_dir)
    brings = 'outputs = { public = "PublicPart", secret = "SecretPart" }'
    takes = 'inputs = { part = "PublicPart" }\n# effects = ["part is published"]'
    await put(*here, "split_secret", brings, 'print(json.dumps({"secret": "hunter2", "public": "hello"}))')
    await put(*here, "publish_part", takes, 'print(given["part"])', text="part", file="read")
    (user_home / "form.txt").write_text("a form")
    await partner.plans.run(["part is published"], cwd=str(user_home), standing=ApprovalMode.ASK)

    def asks(event: Event) -> bool:
        return isinstance(event, ActionEvent) and event.action.status is ActionStatus.ASKING

    found = await watcher.until(asks)
    assert isinstance(found, ActionEvent)
    question = found.action
    await partner.messages.send("~/form.txt", conversation_id=question.conversation_id)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    assert [feed.output for feed in plan_of(card.action).steps[1].feeds] == ["public"]
    await partner.actions.approve(card.action.id, scope="once")
    await ended(partner, watcher, card.action.id)
    assert (await partner.actions.steps(card.action.id))[-1].stdout.strip() == "hello"


async def test_a_step_that_comes_twice_is_done_twice_after_planning_again(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    here = (partner, watcher, action_dir)
    needs = 'preconditions = ["ready", "started"]\n# effects = {{ "ready" = false, "{}" = true }}'
    again = 'preconditions = ["started"]\n# effects = ["ready"]\n# rerunnable = true'
    await put(*here, "start_up", 'effects = ["started"]', 'sys.exit("no")')
    await put(*here, "start_otherwise", 'effects = ["started"]\n# cost = 4', 'print("ok")')
    await put(*here, "make_ready", again, "print(time.time())")
    await put(*here, "do_one", needs.format("one"), 'print("one")')
    await put(*here, "do_two", needs.format("two"), 'print("two")')
    card = await planned(partner, watcher, user_home, "one", "two")
    await partner.actions.approve(card.id, scope="once")
    other = await child_card(watcher, card.id)
    await partner.actions.approve(other.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert over.status is ActionStatus.SUCCEEDED, over.error
    assert keys(over).count("make_ready") == 2
    assert len({step.id for step in plan_of(over).steps}) == len(plan_of(over).steps)
    failed = next(step for step in plan_of(over).steps if step.status == "failed")
    (mender,) = [step for step in plan_of(over).steps if step.mends == failed.id]
    assert mender.key == "local::start_otherwise"
