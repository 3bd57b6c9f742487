"""A chain is done when all that was wanted of it is; only a sure equal takes the place of what failed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.mind.question import CorrectChain, JudgeChain, PlanVerdict
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.chains import chain, child, stages, step, with_status

FOLDER: JsonObject = {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]}


def packer(name: str, description: str, schema: JsonObject = FOLDER) -> MetaActionInfo:
    return MetaActionInfo(key=f"local::{name}", route=Route.MCP, description=description, params=schema)


PACK = packer("pack", "Zip a folder into an archive")
ARCHIVE = packer("archive", "Zip a folder into one archive")
COUNT = packer("count", "Count the files of a folder")
FAILED = with_status(
    step("pack", "Pack", {"folder": "~/Documents"}, text="zip the folder ~/Documents"),
    StepStatus.FAILED,
    error="It broke.",
)
DONE = with_status(step("count", "Count"), StepStatus.SUCCEEDED)


async def judged(*steps: Step, ran: tuple[ActionRecord, ...] = (), final: bool = True) -> PlanVerdict:
    action = chain(*steps, status=ActionStatus.RUNNING)
    return await StarterMind().ask(JudgeChain(action, ran, final))


async def test_a_chain_whose_steps_all_succeeded_is_done() -> None:
    assert await judged(DONE, DONE) == PlanVerdict(ok=True)


@pytest.mark.parametrize("status", [StepStatus.FAILED, StepStatus.CANCELLED, StepStatus.SKIPPED])
async def test_what_did_not_succeed_is_named(status: StepStatus) -> None:
    assert await judged(DONE, with_status(FAILED, status)) == PlanVerdict(False, "Pack did not succeed.")


async def test_several_that_did_not_succeed_are_named_together() -> None:
    verdict = await judged(FAILED, DONE, replace(FAILED, id="p2", title="Pack again"))
    assert verdict.reason == "These did not succeed: Pack, Pack again."


async def test_the_reason_is_in_the_language_of_the_request() -> None:
    action = replace(chain(FAILED), request_text="压缩文件夹")
    verdict = await StarterMind().ask(JudgeChain(action, (), final=True))
    assert verdict.reason == "Pack 没有成功。"


async def test_what_another_step_made_good_is_no_failure() -> None:
    mend = replace(DONE, id="mend", mends="pack")
    assert (await judged(FAILED, mend)).ok
    assert not (await judged(FAILED, with_status(mend, StepStatus.FAILED))).ok


async def test_what_the_person_said_no_to_is_no_failure() -> None:
    skipped = with_status(FAILED, StepStatus.SKIPPED, error="You said no to it.")
    assert (await judged(DONE, skipped, ran=(child(FAILED, status=ActionStatus.REJECTED),))).ok


async def test_on_the_way_nothing_is_held_against_a_chain() -> None:
    assert (await judged(FAILED, DONE, final=False)).ok


# --- Corrections -------------------------------------------------------------------------------------------


async def corrected(
    action: ActionRecord, *abilities: MetaActionInfo
) -> list[tuple[str, int, list[str], str]]:
    request = CorrectChain(action, (), "“Pack” failed: It broke.", abilities)
    return [
        (wish.kind.value, wish.stage, [new.key for new in wish.steps], wish.mends)
        for wish in await StarterMind().ask(request)
    ]


async def test_a_sure_equal_takes_the_place_of_what_failed() -> None:
    action = chain(FAILED, DONE, status=ActionStatus.RUNNING)
    assert await corrected(action, COUNT, PACK, ARCHIVE) == [("insert", 1, ["local::archive"], "pack")]
    over = replace(action, chain=Plan(stages(FAILED, DONE), at=2))
    assert await corrected(over, COUNT, PACK, ARCHIVE) == [("append", 0, ["local::archive"], "pack")]


async def test_the_equal_gets_the_same_words_and_arguments() -> None:
    request = CorrectChain(chain(FAILED, status=ActionStatus.RUNNING), (), "", (PACK, ARCHIVE))
    (wish,) = await StarterMind().ask(request)
    assert (wish.steps[0].text, wish.steps[0].params) == (FAILED.text, FAILED.params)


@pytest.mark.parametrize(
    "other",
    [
        COUNT,
        packer("archive", "Zip a folder into one archive", {**FOLDER, "required": ["folder", "level"]}),
        packer("archive", "Zip a folder into one archive", {"properties": {"place": {"type": "string"}}}),
        packer("archive", "Zip a folder into one archive", {"properties": {"folder": {"type": "number"}}}),
    ],
)
async def test_what_does_something_else_or_takes_other_arguments_is_no_equal(other: MetaActionInfo) -> None:
    assert await corrected(chain(FAILED, status=ActionStatus.RUNNING), PACK, other) == []


async def test_nothing_is_tried_twice() -> None:
    tried = with_status(
        step(
            "archive", "Archive", {"folder": "~/Documents"}, mends="pack", text="zip the folder ~/Documents"
        ),
        StepStatus.FAILED,
    )
    assert await corrected(chain(FAILED, tried, status=ActionStatus.RUNNING), PACK, ARCHIVE) == []
    by_itself = chain(FAILED, replace(tried, mends=""), status=ActionStatus.RUNNING)
    assert await corrected(by_itself, PACK, ARCHIVE) == []
    assert await corrected(chain(DONE, status=ActionStatus.RUNNING), PACK, ARCHIVE) == []
