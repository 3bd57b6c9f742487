"""What is said to Partner itself is told from requests: by the words alone, before any vectors are there."""

from __future__ import annotations

from partner_desktop.domain.inquiry import Topic
from partner_desktop.language.rule_table import rule_table
from partner_desktop.language.speech_acts.small_talk import SmallTalk
from partner_desktop.mind.question import ReadSelfTalk
from partner_desktop.mind.starter.mind import read_self_talk
from partner_desktop.mind.starter.phrases import CHINESE, ENGLISH
from tests.tables import all_rows


@all_rows(
    "text, kind",
    [
        ("can you see my screen right now?", "senses"),
        ("why did you do that", "why"),
        ("do you ever make mistakes", "mistakes"),
        ("so where do deleted files go", "trash"),
        ("you got that wrong", "insult"),
        ("你能不能看到我的屏幕", "senses"),
        ("删掉的文件都去哪儿了", "trash"),
        ("你怎么又搞错了", "insult"),
        ("delete the file cat.png", ""),
        ("zip my notes", ""),
        ("what's the weather like", ""),
        ("整理下载文件夹", ""),
        ("今天天气怎么样", ""),
    ],
)
async def test_what_is_said_to_partner_is_known_by_examples(text: str, kind: str) -> None:
    said = await read_self_talk(ReadSelfTalk(text), None)
    assert (said.kind if said is not None else "") == kind


def test_every_kind_of_talk_has_its_answer() -> None:
    for language in ("en", "zh"):
        kinds = set(rule_table("self_talk", language).names) - {"knowledge"}
        assert {kind for kind in kinds if kind not in set(Topic)} <= set(SmallTalk)
        assert all(
            phrases.talk[SmallTalk(kind)] for phrases in (ENGLISH, CHINESE) for kind in kinds - set(Topic)
        )
