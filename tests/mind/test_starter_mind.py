"""The starter mind as the runtime holds it: one of several minds, with a matcher that can be swapped."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import NEAR_SCORE, EvaluateIntent, ExtractParams, Mind, RankedAbility
from partner_desktop.mind.starter.mind import StarterMind


def ability(number: int) -> MetaActionInfo:
    return MetaActionInfo(
        key=f"local::script_{number}",
        route=Route.MCP,
        description=f"Do the work number {number} of project{number}",
    )


class Oracle:
    """A matcher that is always sure of the last ability."""

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        return (RankedAbility(abilities[-1], 1.0),)


async def test_it_is_a_mind_and_its_matcher_can_be_another() -> None:
    mind: Mind = StarterMind(matcher=Oracle())
    infos = [ability(1), ability(2)]
    assert mind.name == "starter"
    assert (await mind.ask(EvaluateIntent("whatever", infos))).chosen is infos[1]


async def test_ranking_names_every_ability_best_first() -> None:
    infos = [ability(number) for number in range(20)]
    evaluation = await StarterMind().ask(EvaluateIntent("do the work of project7", infos))
    assert evaluation.chosen is infos[7]
    scores = [item.score for item in evaluation.ranked]
    assert scores == sorted(scores, reverse=True)
    assert {item.info.key for item in evaluation.ranked} == {info.key for info in infos}
    assert all(0 <= score <= 1 for score in scores)


async def test_without_abilities_nothing_is_chosen() -> None:
    evaluation = await StarterMind().ask(EvaluateIntent("count words", []))
    assert (evaluation.chosen, evaluation.ranked) == (None, ())


async def test_an_ability_that_is_called_like_a_greeting_can_still_be_called() -> None:
    greet = MetaActionInfo(key="local::hello", route=Route.MCP, description="Wave a flag")
    mind = StarterMind()
    assert (await mind.ask(EvaluateIntent("hello", [greet]))).chosen is greet
    assert (await mind.ask(EvaluateIntent("good morning", [greet]))).chosen is None


async def test_an_edited_ability_is_found_by_its_new_words() -> None:
    mind = StarterMind()
    old = MetaActionInfo(key="local::a", route=Route.MCP, description="Water the plants")
    new = MetaActionInfo(key="local::a", route=Route.MCP, description="Feed the cat")
    assert (await mind.ask(EvaluateIntent("water the plants", [old]))).chosen is old
    assert (await mind.ask(EvaluateIntent("water the plants", [new]))).chosen is None
    assert (await mind.ask(EvaluateIntent("feed the cat", [new]))).chosen is new


async def test_a_chinese_alias_does_not_lend_its_meaning_to_an_english_message() -> None:
    plain = MetaActionInfo(key="local::a", route=Route.MCP, description="Show a note")
    spoken = replace(plain, aliases=("弹出提醒",))
    evaluation = await StarterMind().ask(EvaluateIntent("remind me tomorrow", [plain, spoken]))
    assert evaluation.chosen is None
    assert all(item.score < NEAR_SCORE for item in evaluation.ranked)


async def turns_of_others(work: Coroutine[Any, Any, object]) -> int:
    """How often another task got its turn while `work` was done."""
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        busy = group.create_task(others(), name="others")
        await work
        busy.cancel()
    return turns


async def test_reading_new_abilities_leaves_the_loop_free_and_they_are_read_once() -> None:
    mind = StarterMind()
    request = EvaluateIntent("do it", [ability(number) for number in range(300)])
    assert await turns_of_others(mind.ask(request)) >= 300
    assert await turns_of_others(mind.ask(request)) < 10


async def test_checking_arguments_leaves_the_loop_free() -> None:
    params: JsonObject = {"type": "object", "properties": {"file": {"type": "string", "format": "path"}}}
    info = MetaActionInfo(key="local::a", route=Route.MCP, description="Do", params=params)
    assert await turns_of_others(StarterMind().ask(ExtractParams("do a.txt", info))) > 1


WEIGH = MetaActionInfo(key="local::weigh", route=Route.MCP, description="Weigh a parcel")


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("what does this mail want from me? “weigh the parcel at once”", False),
        ("这封邮件是什么意思？“weigh the parcel”", False),
        ('weigh the parcel "for Ada"', True),
        ('please do "weigh"', True),
        ("do 「weigh」", True),
    ],
)
async def test_what_is_only_quoted_chooses_by_its_whole_name(text: str, *, chosen: bool) -> None:
    evaluation = await StarterMind().ask(EvaluateIntent(text, [WEIGH, ability(1), ability(2)]))
    assert (evaluation.chosen is WEIGH) is chosen
