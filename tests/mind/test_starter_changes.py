"""Words change an open chain only where every one of them belongs to a plain phrase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Stage, StepStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.mind.question import JudgeConfirmation, ReadIntervention, WordedIntervention
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.mind.chains import chain, step, with_status
from tests.samples.stage import read_samples
from tests.tables import all_rows

FIND = step("find", "Find duplicates", key="local::find_duplicates", text="find duplicates in ~/Pictures")
ZIP = step("zip", "Zip folder", key="local::zip_folder", text="zip the folder")
TIME = step("time", "Tell the time", key="builtin::time", risk=Risk.READ, text="tell me the time")
RUNNING = chain(with_status(FIND, StepStatus.RUNNING), ZIP, TIME, status=ActionStatus.RUNNING)
WAITING = chain(FIND, ZIP, number=1)
OTHER = chain(
    step("tidy", "Tidy folder", key="local::tidy_folder"),
    step("open", "Open", key="builtin::open"),
    name="other",
    number=2,
    request_text="tidy the downloads and then open them",
)


@pytest.fixture(scope="session")
def abilities(tmp_path_factory: pytest.TempPathFactory) -> list[MetaActionInfo]:
    return [*builtin_infos(), *read_samples(tmp_path_factory.mktemp("snapshots")).values()]


async def read(
    text: str, abilities: list[MetaActionInfo], *chains: ActionRecord
) -> WordedIntervention | None:
    return await StarterMind().ask(ReadIntervention(text, chains or (RUNNING,), abilities))


def told(worded: WordedIntervention | None) -> str:
    """`delete zip`, `append@2 local::zip_folder`, the steps in another order, or `-`."""
    if worded is None:
        return "-"
    return "; ".join(
        " ".join(
            (
                f"{wish.kind.value}@{wish.stage}" if wish.stage else wish.kind.value,
                *wish.step_ids,
                *(new.key for new in wish.steps),
            )
        )
        for wish in worded.interventions
    ) or " ".join(worded.order)


@all_rows(
    "text, wanted",
    [
        ("also resize the photos in ~/Pictures", "append local::resize_images"),
        ("and then open it", "append builtin::open"),
        ("afterwards, tell me the time", "append builtin::time"),
        ("open ~/a.txt too", "append builtin::open"),
        (
            "and then open ~/Pictures and zip ~/Documents",
            "append builtin::open; append local::zip_folder",
        ),
        ("skip the zip", "delete zip"),
        ("Please leave the zip out.", "delete zip"),
        ("leave out the zip", "delete zip"),
        ("drop step 2", "delete zip"),
        ("remove step 2", "delete zip"),
        ("can you skip the second step?", "delete zip"),
        ("without the zip", "delete zip"),
        ("don’t zip it", "delete zip"),
        ("no need to zip", "delete zip"),
        ("skip the zip and the last step", "delete zip time"),
        ("yes, but skip the zip", "delete zip"),
        ("only the zip", "delete time"),
        ("stop", "cancel"),
        ("cancel it", "cancel"),
        ("abort the plan", "cancel"),
        ("start over", "rebuild"),
        ("begin again", "rebuild"),
        ("after the zip, open ~/Pictures", "append@2 builtin::open"),
        ("before the last step, count the words in ~/a.txt", "append@2 local::count_words"),
        ("count the words in ~/a.txt before the zip", "append@1 local::count_words"),
        ("before finding duplicates, tidy ~/Downloads", "insert@1 local::tidy_folder"),
        ("跳过压缩", "delete zip"),
        ("不要第二步", "delete zip"),
        ("好，但不要压缩", "delete zip"),
        ("再打开 ~/Pictures", "append builtin::open"),
        ("然后统计 ~/a.txt 的字数", "append local::count_words"),
        ("还要整理 ~/Downloads", "append local::tidy_folder"),
        ("停", "cancel"),
        ("取消", "cancel"),
        ("重来", "rebuild"),
        ("在压缩之前统计 ~/a.txt 的字数", "append@1 local::count_words"),
        ("压缩之后打开 ~/Pictures", "append@2 builtin::open"),
        ("add a step: count the words in ~/a.txt", "append local::count_words"),
        ("zip it first", "zip find time"),
        ("do the second step first", "zip find time"),
        ("start with the zip", "zip find time"),
        ("find duplicates last", "zip time find"),
        ("the zip before finding duplicates", "zip find time"),
        ("in reverse order", "time zip find"),
        ("先压缩", "zip find time"),
        ("顺序反过来", "time zip find"),
    ],
)
async def test_a_plain_phrase_changes_the_only_chain(
    text: str, wanted: str, abilities: list[MetaActionInfo]
) -> None:
    assert told(await read(text, abilities)) == wanted


@all_rows(
    "text",
    [
        *(
            "skip the zip?",
            "start over?",
            "what does step 2 do?",
            "how far is the zip?",
            "and then what?",
            "can the zip be skipped?",
        ),
        *("zip ~/Other", "find duplicates in ~/Music", "tell me a joke", "hello", "thanks", "yes", "no"),
        *("also", "and then", "then thank you", "also be quick", "skip it if it fails", "skip the music"),
        *(
            "remove the zip files in ~/Downloads",
            "delete the zip",
            "stop the music",
            "skip step 9",
            "take the zip",
        ),
        *("before lunch, count the words in ~/a.txt", "skip the zip and the music", "", "   "),
        *("第二步做什么？", "压缩好了吗", "再见", "不要音乐", "删除压缩文件", "x" * 5_000),
    ],
)
async def test_what_is_about_something_else_changes_nothing(
    text: str, abilities: list[MetaActionInfo]
) -> None:
    assert told(await read(text, abilities)) == "-"


async def test_words_of_a_new_step_are_kept_for_its_arguments(abilities: list[MetaActionInfo]) -> None:
    worded = await read("also, please resize the photos in ~/Pictures to 800 pixels", abilities)
    assert worded is not None
    assert worded.interventions[0].steps[0].text == "please resize the photos in ~/Pictures to 800 pixels"


@pytest.mark.parametrize(
    ("text", "action_id"),
    [
        ("skip the zip", "chain"),
        ("skip the tidy", "other"),
        ("after the tidy, tell me the time", "other"),
        ("cancel the tidy plan", "other"),
        ("cancel the second plan", "other"),
        ("stop", ""),
        ("start over", ""),
        ("and then open it", ""),
        ("skip step 1", ""),
        ("abort the plan", ""),
    ],
)
async def test_of_several_chains_only_the_named_one_changes(
    text: str, action_id: str, abilities: list[MetaActionInfo]
) -> None:
    worded = await read(text, abilities, WAITING, OTHER)
    assert (worded.action_id if worded is not None else "") == action_id


async def test_of_two_steps_called_alike_the_one_still_to_come_is_meant(
    abilities: list[MetaActionInfo],
) -> None:
    done = with_status(replace(ZIP, id="done"), StepStatus.SUCCEEDED)
    running = replace(RUNNING, chain=Plan((Stage((done,)), Stage((ZIP,)))))
    assert told(await read("skip the zip", abilities, running)) == "delete zip"
    assert told(await read("skip the zip", abilities, chain(ZIP, replace(ZIP, id="zip2")))) == "-"


# --- What waits is settled as a whole ----------------------------------------------------------------------


async def verdict(text: str, *cards: ActionRecord) -> str:
    found = await StarterMind().ask(JudgeConfirmation(text, cards))
    return " ".join(f"{one.action_id} {one.kind.value}" for one in found.settled) or found.kind.value


@pytest.mark.promise("actions.confirm.lifecycle")
@all_rows(
    "text, settled",
    [
        ("yes", "chain confirm"),
        ("approve the plan", "chain confirm"),
        ("yes, the whole plan", "chain confirm"),
        ("all of it", "chain confirm"),
        ("approve both steps", "chain confirm"),
        ("yes, find duplicates and zip the folder", "chain confirm"),
        ("no", "chain reject"),
        ("cancel the plan", "chain reject"),
        ("好", "chain confirm"),
        ("同意这个计划", "chain confirm"),
        ("全部步骤都做", "chain confirm"),
        ("不要", "chain reject"),
        ("the plan", "unclear"),
        ("yes to the first step only", "unclear"),
        ("yes, the first", "unclear"),
        ("yes, just step 1", "unclear"),
        ("yes, zip", "unclear"),
        ("好，第一步", "unclear"),
        ("skip the zip", "unclear"),
        ("drop step 2", "unclear"),
        ("leave out the zip", "unclear"),
        ("the plan?", "unclear"),
        ("yes, but skip the zip", "other"),
        ("without the zip", "other"),
        ("first zip it, then find duplicates", "other"),
        ("also resize them", "other"),
        ("and then open it", "other"),
        ("yes and then open it", "other"),
        ("find duplicates", "other"),
        ("再打开它", "other"),
        ("不要压缩", "other"),
    ],
)
async def test_a_yes_to_a_part_of_a_chain_is_no_yes_to_it(text: str, settled: str) -> None:
    assert await verdict(text, WAITING) == settled


async def test_among_several_cards_a_chain_is_called_the_plan() -> None:
    single = replace(WAITING, id="single", key="local::mail", title="Send mail", request_text="", chain=None)
    cards = (WAITING, replace(single, number=2))
    assert await verdict("yes, the plan", *cards) == "chain confirm"
    assert await verdict("yes, the second", *cards) == "single confirm"
    assert await verdict("yes, the zip", *cards) == "unclear"
    assert await verdict("yes", *cards) == "unclear"
    assert await verdict("approve the plan", WAITING, OTHER) == "unclear"
