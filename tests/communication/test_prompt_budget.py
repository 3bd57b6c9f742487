"""A prompt fits into its model, whatever was said before; what has no room is told, never hidden."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.base.prompts import messages
from partner_desktop.communication.prompt_budget import PromptBudgets
from partner_desktop.communication.prompt_builder import WARN_FROM, words
from partner_desktop.communication.prompt_prefix import make_digest
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import NoticeEvent, UsageEvent
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.model_call import CallTotals, ModelCall
from tests.builtins import builtin_infos
from tests.communication.small_model import Sizes, SmallModelMind
from tests.communication.talk import Talk, ability, prefix_of, text_of
from tests.support import FakeClock

LONG = "word " * 60


def talk_with(home: Home, clock: FakeClock, mind: SmallModelMind) -> Talk:
    return Talk(home, mind, clock=clock, models=mind.sizes)


def about_context(talk: Talk) -> list[NoticeEvent]:
    return [notice for notice in talk.notices() if notice.about.startswith("context:")]


@pytest.mark.integration
@pytest.mark.parametrize(
    ("context", "answer"), [(1_024, 256), (2_048, 1_024), (4_096, 1_024), (32_768, 1_024)]
)
async def test_every_prompt_of_a_long_talk_fits_and_its_beginning_moves_seldom(
    home: Home, clock: FakeClock, context: int, answer: int
) -> None:
    mind, room = SmallModelMind(sizes=Sizes(context, answer), answer="An answer. " * 12), context - answer
    async with talk_with(home, clock, mind) as talk:
        talk.workspace.register(
            ContextBlock("state", "test", Domain.COGNITION, full=LONG * 5, abstract="many words")
        )
        for number in range(40):
            await talk.say(f"{number} {LONG}")
    assert mind.refused == []
    assert len(mind.asked) == 40
    prefixes = [[part.text for part in prefix_of(request)] for request in mind.asked]
    moves = sum(after[: len(before)] != before for before, after in pairwise(prefixes))
    assert moves <= (40 if room < 1_000 else 20 if room < 2_000 else 10)
    if room > 1_000:
        assert len(prefixes[-1]) > 4, "what was said last is carried"


async def test_what_no_longer_fits_is_counted_in_the_record_and_told_once(
    home: Home, clock: FakeClock
) -> None:
    mind = SmallModelMind(sizes=Sizes(2_048, 512), answer="An answer. " * 12)
    async with talk_with(home, clock, mind) as talk:
        flows = [await talk.say(f"{number} {LONG}") for number in range(14)]
        said = [one for one in await talk.messages() if one.role is not Role.ACTION]
        shots = [await talk.snapshot(flow) for flow in flows]
        told = about_context(talk)
    for place, shot in enumerate(shots):
        carried = sum(part.name == "dialog" for part in shot.prompt)
        assert carried + shot.left_out_messages == 2 * place
        assert (shot.context_tokens, shot.answer_tokens) == (2_048, 512)
        assert shot.prompt_tokens <= 2_048 - 512
    assert len(said) == 28
    assert shots[-1].left_out_messages > 0
    assert [notice.title for notice in told] == [
        "The conversation is getting long", "The oldest messages no longer fit",
    ]  # fmt: skip
    first = next(shot for shot in shots if shot.left_out_messages)
    assert told[1].text == (
        f"The oldest {first.left_out_messages} messages no longer fit into the model's memory of 2,048 "
        "tokens; they stay in the chat."
    )


@pytest.mark.integration
async def test_the_warning_comes_once_at_three_quarters_and_not_again_after_a_restart(
    home: Home, clock: FakeClock
) -> None:
    mind = SmallModelMind(sizes=Sizes(4_096, 512))
    async with talk_with(home, clock, mind) as talk:
        place = talk.place
        while not about_context(talk):
            shot = await talk.snapshot(await talk.say(LONG))
        assert 0.6 < shot.fullness < 0.8
        assert shot.left_out_messages == 0
        (notice,) = about_context(talk)
        assert f"{shot.prompt_tokens:,} of the 3,584 tokens" in notice.text
        while shot.fullness < WARN_FROM:
            shot = await talk.snapshot(await talk.say(LONG))
        assert shot.left_out_messages == 0
        assert len(about_context(talk)) == 1
    async with talk_with(home, clock, mind) as talk:
        talk.place = place
        await talk.say("go on")
        assert about_context(talk) == []


async def test_the_models_own_count_warns_where_the_estimate_is_too_low(home: Home, clock: FakeClock) -> None:
    mind = SmallModelMind(sizes=Sizes(4_096, 512))
    async with talk_with(home, clock, mind) as talk:
        flow = await talk.say("hello")
        call = ModelCall(
            "x",
            clock.now(),
            "small",
            "reply",
            talk.place,
            flow.turn_id,
            prompt_tokens=3_000,
            context_tokens=4_096,
        )
        for _ in range(2):
            talk.channels.publish(UsageEvent(call=call, totals=CallTotals(), conversation_id=talk.place))
        (notice,) = about_context(talk)
    assert notice.text.startswith("It takes 3,000 of the 3,584 tokens that small can read at once.")


async def test_a_prompt_that_proves_too_long_is_made_again_by_the_exact_numbers(
    home: Home, clock: FakeClock
) -> None:
    mind = SmallModelMind(sizes=Sizes(2_048, 512), dearer=1.7)
    async with talk_with(home, clock, mind) as talk:
        for number in range(12):
            flow = await talk.say(f"{number} {LONG}")
            assert (await talk.answer()).text == "Yes."
        shot = await talk.snapshot(flow)
    assert mind.refused, "the estimate was too low at first"
    assert len(mind.refused) <= 3, "and it learns"
    assert shot.left_out_messages > 0


async def test_a_model_whose_size_nobody_knew_teaches_it_by_refusing(home: Home, clock: FakeClock) -> None:
    mind = SmallModelMind(sizes=Sizes(2_048, 512, known=False))
    async with talk_with(home, clock, mind) as talk:
        for number in range(20):
            await talk.say(f"{number} {LONG}")
            assert (await talk.answer()).text == "Yes."
    assert 1 <= len(mind.refused) <= 3


async def test_what_fits_at_no_length_is_answered_with_a_sentence_that_says_what_to_do(
    home: Home, clock: FakeClock
) -> None:
    mind = SmallModelMind(sizes=Sizes(256, 128))
    async with talk_with(home, clock, mind) as talk:
        flow = await talk.say("hello")
        answer = await talk.answer()
        assert talk.replies()[-1].text == answer.text
    assert flow.exchange.status == "failed"
    assert len(mind.refused) == 4
    assert answer.text == (
        f"I cannot answer this: even without everything older it takes {mind.refused[-1]:,} tokens, and the "
        "model holds 256 together with its answer. Say it in smaller parts, or choose a model with a larger "
        "context."
    )


async def test_a_message_longer_than_the_model_is_carried_by_its_ends_and_the_person_is_told(
    home: Home, clock: FakeClock
) -> None:
    mind = SmallModelMind(sizes=Sizes(2_048, 512))
    text = "BEGIN " + "many words " * 3_000 + "END"
    async with talk_with(home, clock, mind) as talk:
        await talk.say("earlier")
        await talk.say(text)
        long = mind.asked[-1]
        cut = [notice for notice in talk.notices() if notice.about.startswith("cut:")]
        kept = [one for one in await talk.messages() if one.role is Role.USER][-1]
        await talk.say("later")
    carried = text_of(long, "input")
    assert "BEGIN" in carried
    assert "END" in carried
    assert "characters left out …]" in carried
    assert "memory of small (2,048 tokens)" in cut[0].text
    assert len(cut) == 1
    assert kept.text == text.strip()
    assert text_of(mind.asked[-1], "dialog").startswith("earlier"), "what was left out for it is there again"
    assert mind.refused == []


async def test_a_long_input_takes_room_from_context_blocks_first_then_from_the_dialog_of_its_turn(
    home: Home, clock: FakeClock
) -> None:
    mind = SmallModelMind(sizes=Sizes(4_096, 512))
    async with talk_with(home, clock, mind) as talk:
        talk.workspace.register(
            ContextBlock("state", "test", Domain.COGNITION, full=LONG * 12, abstract="short")
        )
        for number in range(9):
            await talk.say(f"{number} {LONG}")
        before = prefix_of(mind.asked[-1])
        await talk.say("middle " * 900)
        middle = mind.asked[-1]
        await talk.say("huge " * 2_000)
        huge = mind.asked[-1]
        await talk.say("after")
    assert "short" in text_of(middle, "context")
    assert prefix_of(middle)[: len(before)] == before
    assert len(prefix_of(huge)) < len(before)
    assert prefix_of(mind.asked[-1])[: len(before)] == before, "the conversation kept its beginning"


async def test_where_no_message_fits_all_are_counted_as_left_out(home: Home, clock: FakeClock) -> None:
    mind = SmallModelMind(sizes=Sizes(768, 256), answer="An answer. " * 40)
    async with talk_with(home, clock, mind) as talk:
        await talk.say(LONG * 3)
        flow = await talk.say(LONG)
        shot = await talk.snapshot(flow)
        assert text_of(mind.asked[-1], "dialog") == ""
        assert shot.left_out_messages == 2
        assert [notice.title for notice in about_context(talk)][-1] == "The oldest messages no longer fit"


async def test_another_model_gets_as_much_as_it_can_hold(home: Home, clock: FakeClock) -> None:
    mind = SmallModelMind(sizes=Sizes(2_048, 512), answer="An answer. " * 12)
    async with talk_with(home, clock, mind) as talk:
        for number in range(14):
            await talk.say(f"{number} {LONG}")
        few = len(prefix_of(mind.asked[-1]))
        mind.sizes.model, mind.sizes.context_tokens = "large", 32_768
        await talk.say("and now?")
    assert len(prefix_of(mind.asked[-1])) == 2 + 28 > few


async def test_persona_and_words_follow_the_settings(home: Home, clock: FakeClock) -> None:
    mind = SmallModelMind(sizes=Sizes(8_192, 512, spoken="zh"))
    async with talk_with(home, clock, mind) as talk:
        await talk.say("你好")
        assert text_of(mind.asked[-1], "persona").startswith("你是 Partner")
        assert text_of(mind.asked[-1], "capabilities").startswith("这里能做的事：")
        mind.sizes.persona_text = "You are a pirate."
        await talk.say("再见")
        assert text_of(mind.asked[-1], "persona") == "You are a pirate."


def test_a_digest_keeps_within_its_room_and_says_how_many_it_does_not_name() -> None:
    infos = [
        ability(f"ability_{number:03}", "Do a thing with a long description " * 3) for number in range(200)
    ]
    counter = EstimatedTokens()
    for room in (5_000, 800, 200, 60):
        digest = make_digest(infos, language="en", most_tokens=room, counter=counter)
        assert counter.count(digest.text) <= room
        assert digest.text.endswith(f"- and {200 - len(digest.named)} more")
        assert digest.differences(infos) == ""


def test_where_room_is_short_what_is_built_in_gives_way_to_the_persons_own() -> None:
    own = [
        MetaActionInfo(key=f"{place}::mine_{number}", route=route, description="does what I made it for")
        for place, route in (("local", Route.MCP), ("origin", Route.ORIGIN), ("github", Route.MCP))
        for number in range(3)
    ]
    counter = EstimatedTokens()
    digest = make_digest([*builtin_infos(), *own], language="en", most_tokens=150, counter=counter)
    assert counter.count(digest.text) <= 150
    assert {info.key for info in own} <= set(digest.named)
    assert len(digest.named) < len(own) + len(builtin_infos())


def test_shares_go_by_the_model_alone() -> None:
    rooms = PromptBudgets(
        ContextWorkspace(clock=FakeClock()), ConfigHandle("context", ContextSettings()), Sizes(8_192, 1_024)
    )
    budgets = rooms.budgets("c", persona="x" * 1_000)
    assert budgets.usable_tokens is not None
    assert budgets.usable_tokens < 8_192 - 1_024
    assert budgets.window(100, 640).tokens + 100 + 250 < 0.8 * budgets.usable_tokens
    assert budgets.window(100, 640) == rooms.budgets("another", persona="x" * 1_000).window(100, 640)


def test_what_is_told_is_told_in_both_languages() -> None:
    english, chinese = messages("context_usage", "en"), messages("context_usage", "zh")
    assert english.keys() == chinese.keys()
    for name, text in english.items():
        assert _holes(text) == _holes(chinese[name])
    assert words("left", "zh", number=24, context=2_048).startswith("最早的 24 条消息")
    assert "2,048" in words("left", "fr", number=24, context=2_048)


def _holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))
