"""A person talks about a plan of steps: asks, changes, answers, and wants it again. No model anywhere."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ReplyEvent
from partner_desktop.domain.plan import Plan
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

Say: TypeAlias = Callable[[str], Coroutine[Any, Any, str]]

SCRIPT = """\
# /// partner
# title = "{title}"
# description = "{description}"
# annotations = {{ readOnlyHint = true }}
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# description = "the folder to {verb}"
{more}# ///
import sys
print("looked at " + sys.argv[1].rpartition("/")[2])
"""
TARGET = """\
# [params.target]
# type = "string"
# format = "path"
# access = "write"
# default = "~/Backups"
# description = "the folder where it goes"
"""
BOTH = "find duplicates in ~/Pictures and then zip the folder"


def write(action_dir: Path) -> None:
    dynamic = action_dir / "dynamic"
    find = SCRIPT.format(
        title="Find duplicates", description="Find duplicate files in a folder", verb="search", more=""
    )
    (dynamic / "find_duplicates.py").write_text(find)
    pack = SCRIPT.format(title="Zip backup", description="Zip a folder", verb="zip", more=TARGET)
    (dynamic / "zip_folder.py").write_text(pack.replace("{ readOnlyHint = true }", "{}"))


@pytest.fixture
async def say(partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path) -> Say:
    """Says something in one conversation, and gives what is answered."""
    for name in ("Pictures", "Music", "Documents", "Backups", "Desktop"):
        (user_home / name).mkdir()
    write(action_dir)
    await watcher.until(
        lambda _: len([a for a in partner.abilities.list() if a.key.startswith("local::")]) == 2
    )
    conversation = await partner.conversations.create()

    async def say(text: str) -> str:
        watcher.events.clear()
        exchange_id = new_id()
        await partner.messages.send(
            text,
            conversation_id=conversation.id,
            source="terminal",
            cwd=str(user_home),
            exchange_id=exchange_id,
        )
        await watcher.done(exchange_id)
        return "\n".join(e.text for e in watcher.events if isinstance(e, ReplyEvent) and e.done)

    return say


async def waiting(partner: Partner) -> ActionRecord:
    """The one action that waits."""
    (record,) = [one for one in await partner.actions.list() if one.status is ActionStatus.WAITING]
    return record


def chain_of(record: ActionRecord) -> Plan:
    assert record.chain is not None
    return record.chain


async def folders(partner: Partner) -> list[str]:
    """Step by step, what the plan that waits works on."""
    return [Path(str(step.params["folder"])).name for step in chain_of(await waiting(partner)).steps]


async def test_a_question_about_a_plan_is_answered_and_changes_nothing(partner: Partner, say: Say) -> None:
    assert "nothing waits" in await say("what are you doing?")
    await say(BOTH)
    before = await waiting(partner)
    told = await say("what are you doing?")
    assert "waits for your yes" in told
    assert "1. **Find duplicates** (folder `~/Pictures`)" in told
    told = await say("what will step 2 do?")
    assert told.startswith("Step 2 is **Zip backup** (folder `~/Pictures`, target `~/Backups`).")
    assert "第 2 步是 **Zip backup**" in await say("第二步是做什么的？")
    for question in ("which folder?", "is it safe?", "will it delete anything?", "会删除文件吗？"):
        assert "Find duplicates" in await say(question), question
    assert await waiting(partner) == before
    assert len(await partner.actions.list()) == 1


async def test_another_folder_is_meant_for_every_step_that_had_it(partner: Partner, say: Say) -> None:
    await say(BOTH)
    await say("yes but with ~/Music")
    assert await folders(partner) == ["Music", "Music"]
    await say("ok but do ~/Documents instead of ~/Music")
    assert await folders(partner) == ["Documents", "Documents"]
    await say("no, ~/Pictures")
    assert await folders(partner) == ["Pictures", "Pictures"]
    await say("把 ~/Pictures 换成 ~/Music")
    assert await folders(partner) == ["Music", "Music"]
    await say("不是 ~/Music，是 ~/Pictures")
    assert await folders(partner) == ["Pictures", "Pictures"]
    await say("not ~/Pictures but ~/Music")
    assert await folders(partner) == ["Music", "Music"]
    await say("step 2 should use ~/Documents")
    assert await folders(partner) == ["Music", "Documents"], "one that is named is changed alone"
    await say("no, zip ~/Pictures instead")
    assert await folders(partner) == ["Music", "Pictures"]
    await say("yes, but put the zip in ~/Desktop")
    (_, last) = chain_of(await waiting(partner)).steps
    assert Path(str(last.params["target"])).name == "Desktop"
    assert Path(str(last.params["folder"])).name == "Pictures"


@pytest.mark.parametrize(
    "words",
    ["不是 ~/Pictures，是 ~/Music", "不对，不是~/Pictures，而是~/Music。", "not ~/Pictures but ~/Music"],
)
async def test_one_folder_is_not_meant_but_another(partner: Partner, say: Say, words: str) -> None:
    await say("zip ~/Pictures")
    await say(words)
    assert Path(str((await waiting(partner)).params["folder"])).name == "Music"


async def test_words_put_the_steps_in_another_order(partner: Partner, say: Say) -> None:
    await say(BOTH)
    told = await say("zip it first")
    assert "The order is now: “Zip backup”, then “Find duplicates”." in told
    assert (await waiting(partner)).title == "Zip backup → Find duplicates"
    await say("the other way round")
    assert (await waiting(partner)).title == "Find duplicates → Zip backup"
    assert "现在是：**Zip backup**，然后 **Find duplicates**。" in await say("先压缩")
    assert "in that order already" in await say("do the zip first")
    assert "still waits" in await say("the first one"), "nobody can tell whether that is a yes"


async def test_an_answer_may_say_the_whole_request_again(partner: Partner, say: Say) -> None:
    await say("find duplicates and then zip the folder")
    assert "Which folder?" in await say("yes")
    await say("find duplicates in ~/Music")
    assert await folders(partner) == ["Music", "Music"]
    await say("no")
    await say("find duplicates")
    await say("find duplicates in ~/Pictures and then zip the folder")
    assert await folders(partner) == ["Pictures", "Pictures"], "a new request of two steps"


async def test_asked_which_is_meant_a_place_alone_will_do(partner: Partner, say: Say) -> None:
    await say(BOTH)
    await say("zip ~/Documents")
    assert "Which do you mean?" in await say("no")
    assert "Dropped" in await say("the second")
    assert (await waiting(partner)).chain is not None
    await say("zip ~/Music")
    await say("不")
    assert (await say("都")).count("已放弃") == 2
    assert not [one for one in await partner.actions.list() if one.status is ActionStatus.WAITING]


async def test_a_request_for_several_folders_does_each_of_them(partner: Partner, say: Say) -> None:
    told = await say("zip ~/Documents, ~/Music and also ~/Pictures")
    assert await folders(partner) == ["Documents", "Music", "Pictures"]
    assert "**Zip backup** (`~/Documents`), then **Zip backup** (`~/Music`)" in told
    targets = {Path(str(step.params["target"])).name for step in chain_of(await waiting(partner)).steps}
    assert targets == {"Backups"}, "a second folder is not where the first one goes"
    await say("no")
    await say("find duplicates in ~/Music and ~/Pictures, then zip ~/Documents")
    assert await folders(partner) == ["Music", "Pictures", "Documents"]
    told = await say("skip step 1 and step 2")
    assert "“Find duplicates” and “Find duplicates” were taken out." in told


async def test_nothing_that_was_asked_for_is_left_out_without_a_word(partner: Partner, say: Say) -> None:
    for text, part in (
        ("fly to the moon and then find duplicates in ~/Music", "fly to the moon"),
        ("find duplicates in ~/Music and email it to Anna", "email it to Anna"),
        ("find duplicates in ~/Music and tell me the weather", "tell me the weather"),
    ):
        assert f"I left out “{part}”" in await say(text)
        await say("no")
    assert "left out" not in await say("find duplicates in ~/Music and let me know when it is done")


async def test_what_was_done_can_be_wanted_again_also_with_another_folder(
    partner: Partner, watcher: Watcher, say: Say
) -> None:
    assert "can't do that" in await say("run it again"), "nothing was done yet"
    await say(BOTH)
    await say("yes")
    await watcher.until(lambda e: isinstance(e, ReplyEvent) and e.done and "Both steps are done" in e.text)
    for text, wanted in (
        ("run it again", "Pictures"),
        ("do the same for ~/Music", "Music"),
        ("再做一次", "Pictures"),
        ("对 ~/Documents 也这样做", "Documents"),
    ):
        await say(text)
        record = await waiting(partner)
        assert [step.key for step in chain_of(record).steps] == [
            "local::find_duplicates",
            "local::zip_folder",
        ]
        assert await folders(partner) == [wanted, wanted], text
        await say("no")


async def test_what_is_said_after_other_things_puts_nothing_into_a_plan(partner: Partner, say: Say) -> None:
    await say(BOTH)
    await say("what time is it")
    await say("also find duplicates in ~/Music")
    waits = [one for one in await partner.actions.list() if one.status is ActionStatus.WAITING]
    (plan,) = [one for one in waits if one.chain is not None]
    assert len(chain_of(plan).steps) == 2
    assert "was taken out" in await say("leave out the second step")
