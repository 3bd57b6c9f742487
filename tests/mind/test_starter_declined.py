"""What a message says not to do is not done, and the answer says so; a wish that holds a `not` stays one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from partner_desktop.domain.evidence import NoAbility
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import EvaluateIntent, RankedAbility, ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from tests.tables import all_rows

DECLINED = [
    "don't list the files in /etc",
    "don’t list the files in /etc",
    "dont list the files in /etc",
    "don't tell me the time",
    "never rename anything in ~/Photos",
    "please do not zip ~/Documents",
    "please don't ever open ~/report.pdf",
    "no need to list ~/Music",
    "there's no need to zip ~/Documents",
    "you must not open ~/report.pdf",
    "I don't want you to rename my photos",
    "could you please not open that file",
    "~/Music: do not list it",
    "Ok, don't list the files in /etc",
]
DECLINED_IN_CHINESE = [
    "不要列出 /etc 里的文件",
    "别打开 ~/report.pdf",
    "不要整理下载文件夹",
    "不用打开 ~/report.pdf",
    "请勿列出 /etc",
    "请不要压缩 ~/Documents",
    "千万别重命名 ~/Photos 里的照片",
    "~/report.pdf 别打开",
]
WANTED = [
    "why don't you list the files in ~/Downloads",
    "don't I have duplicates in ~/Music?",
    "don't the files in ~/Music take too much space?",
    "find files that do not contain X",
    "tidy my downloads but don't touch the PDFs",
    "don't forget to zip ~/Documents",
    "note that I never called Anna back",
    "find the file 'Never Mind' in ~/Music",
    "别忘了压缩 ~/Documents",
    "别的文件夹里有什么",
    "整理下载文件夹，不要动 PDF",
    "要不要列出 ~/Music",
]

ANYTHING = MetaActionInfo(key="local::anything", route=Route.MCP, description="Do whatever is said")


class Sure:
    """A matcher that is always sure of the first ability."""

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        return tuple(RankedAbility(info, 1.0) for info in abilities)


@all_rows("text", DECLINED + DECLINED_IN_CHINESE)
async def test_what_is_not_to_be_done_chooses_nothing_however_well_it_fits(text: str) -> None:
    evaluation = await StarterMind(matcher=Sure()).ask(EvaluateIntent(text, [ANYTHING]))
    assert (evaluation.chosen, evaluation.ties) == (None, ())
    assert [item.score for item in evaluation.ranked] == [0.0]


@all_rows("text", WANTED)
async def test_a_wish_with_a_not_in_it_stays_a_wish(text: str) -> None:
    evaluation = await StarterMind(matcher=Sure()).ask(EvaluateIntent(text, [ANYTHING]))
    assert evaluation.chosen is ANYTHING


@pytest.mark.parametrize(
    ("text", "said"), [(DECLINED[0], "Fine, I won't."), (DECLINED_IN_CHINESE[0], "好的，我不做。")]
)
async def test_the_answer_says_that_it_is_not_done(text: str, said: str) -> None:
    request = ReplyRequest(text=text, evidence=(NoAbility((), near=False),), abilities=(ANYTHING,))
    assert "".join([piece async for piece in StarterMind().reply(request)]) == said
