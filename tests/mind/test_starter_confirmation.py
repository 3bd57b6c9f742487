"""A yes is a yes only when the whole message is one, in whatever words: what it settles may run a program."""

from __future__ import annotations

from partner_desktop.domain.intervention import Confirmation
from partner_desktop.mind.question import JudgeConfirmation
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.test_starter_verdicts import RESIZE
from tests.tables import all_rows

YES = """
yes|Yes!|yes please|yeah|ok|OK.|okay, go ahead|go ahead|do it|please do|sure|Sure, do it!|approve|approve it|y
|yes, do it now please|please do it
|yes, thank you|let's do it|great, do it|ok 👍
|好|好的|好的，谢谢|可以|是|是的|行|行吧|同意|没问题|嗯，执行吧
|对|对的|嗯|嗯嗯|就这样吧|没错|继续
|sounds good|alright|ok, great|go|continue|correct|Why not|👍|👍🏽
"""
NO = """
no|No.|no thanks|nope|don't|please don't do it|no, don't|don’t do it
|do not do it|stop|STOP!|cancel|please cancel|cancel that|never mind
|leave it|no, leave it|not now|forget it|no, stop|nevermind|👎
|不|不要|不用了|取消|取消吧|算了|算了吧|别|停|不行|不好|不可以
"""
UNCLEAR = """
great|perfect!|yeah right|很好|yes and no|no yes|don't stop|no problem|maybe|hm|I think so|不知道|别停|no wait
"""
NEITHER = """
|yes?|ok?|yes, but use the other folder|ok, what time is it|do it tomorrow
|go ahead and delete the rest|not bad|sure about that|okra|yesterday
|noon|stopwatch|cancel my flight|what does it do|why not tell me more
|count words in a.txt|yes.txt|“yes”|"ok"|「好」|thanks
|好看吗|可以吗|行李在哪|是谁|可以把文件夹改成下载吗|别人呢
"""


def each(text: str) -> list[str]:
    return [part for line in text.strip("\n").splitlines() for part in line.split("|")]


async def judged(text: str) -> Confirmation:
    return (await StarterMind().ask(JudgeConfirmation(text, (RESIZE,)))).kind


@all_rows("text", [part for part in each(YES) if part])
async def test_an_assent_confirms(text: str) -> None:
    assert await judged(text) is Confirmation.CONFIRM


@all_rows("text", [part for part in each(NO) if part])
async def test_a_refusal_rejects(text: str) -> None:
    assert await judged(text) is Confirmation.REJECT


@all_rows("text", [part for part in each(UNCLEAR) if part])
async def test_praise_and_doubt_are_no_yes_yet(text: str) -> None:
    assert await judged(text) is Confirmation.UNCLEAR


@all_rows("text", [*each(NEITHER), "yes " * 100, "\n"])
async def test_anything_else_settles_nothing(text: str) -> None:
    assert await judged(text) not in (Confirmation.CONFIRM, Confirmation.REJECT)
