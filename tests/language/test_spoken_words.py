"""What is spoken is read in plain words, and free text stays as it was said."""

from __future__ import annotations

import json
import shutil
import tomllib
from contextlib import aclosing
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import shipped
from partner_desktop.domain.action import ActionStatus
from partner_desktop.language.spoken_words import in_plain_words
from partner_desktop.language.terms import terms
from tests.benchmarks import stories
from tests.benchmarks.stories.furnished_home import build_home
from tests.tables import all_rows

REQUESTS = tomllib.loads(Path(__file__).with_name("spoken_requests.toml").read_text(encoding="utf-8"))

PLAIN = {
    "小伙子，麻烦给我瞅瞅下载里头都搁了些啥": "麻烦给我看看下载里面都放了些什么",
    "俺的照片搁哪旮旯儿了": "我的照片放哪里了",
    "帮我睇下文档里有冇重样的": "帮我看看文档里有没有重复的",
    "给下载理一理呗": "给下载整理吧",
    "下载文件夹给归归类": "下载文件夹给整理",
    "抽个签": "抽签",
    "查查下栽": "查下载",
    "亲，压锁一下文挡": "打包文档",
    "今儿个几号来着，礼拜几": "今天几号，星期几",
    "把笔记打个包哈哈哈": "把笔记打包",
    "grep 一下 TODO": "搜索 TODO",
    "算啦懒得改了": "算了懒得改了",
    "走起": "好的",
    "zip my notes so i don't lose them": "zip my notes",
    "把照片复制到图片，免得丢了": "把照片复制到图片",
    "把 cat.png 复制到图片，免得丢了": "把 cat.png 复制到图片",
    "copy ~/cat.png to ~/Pictures so i dont lose it": "copy ~/cat.png to ~/Pictures",
}
#: They hold a word that would be another in other company.
UNTOUCHED = [
    "帮我整理桌面",
    "看看系列照片",
    "完整的报告",
    "把“瞅瞅”写进笔记",
    "打开 瞅啥瞅.txt",
    "ok",
    "put it in ~/下栽",
    # What it is for may limit it, and belongs to what is to be written.
    "delete the screenshots so it doesn't touch the invoices",
    "move the photos to Pictures so that they don't overwrite the old ones",
    "do it so that it doesn't overwrite the old ones",
    "write a note saying turn the oven off so it doesn't burn",
    "write a note saying pack the tickets so we don't lose them",
    # What must not come of it is no such purpose as everybody has.
    "delete the screenshots in Downloads so it doesn't touch the invoices",
    "do it so that it doesn't overwrite the old ones",
    "write a note saying turn the oven off so i don't forget",
    "把照片移到图片，免得覆盖旧的",
    "记一下关好窗户，免得忘了",
]


@all_rows("said, plain", PLAIN.items())
def test_dialect_net_speech_and_slips_by_sound_are_read_in_plain_words(said: str, plain: str) -> None:
    assert in_plain_words(said).plain == plain


@pytest.mark.parametrize("said", UNTOUCHED)
def test_words_of_their_own_names_and_quotations_stay(said: str) -> None:
    assert in_plain_words(said).plain == said


def test_the_name_of_a_file_stays_whatever_it_sounds_like() -> None:
    assert in_plain_words("念念不忘在哪儿", ["念念不忘"]).plain == "念念不忘在哪里"


def test_a_piece_of_the_plain_words_is_given_back_as_it_was_said() -> None:
    read = in_plain_words("记一笔：给爷爷瞅瞅照片儿")
    assert read.own("给爷爷看看照片") == "给爷爷瞅瞅照片儿"
    assert read.own("什么都不是") == "什么都不是"


def test_all_that_is_said_in_laughter_stays() -> None:
    assert in_plain_words("哈哈哈").plain == "哈哈哈"


def test_chinese_words_mean_what_english_names_say() -> None:
    bill = {name for term in terms("帮我算算账单每人摊多少") for name in term.concepts}
    assert {"bill", "split"} <= bill
    assert {"dice"} & {name for term in terms("roll a dice") for name in term.concepts}


@pytest.fixture
def action_dir(tmp_path: Path) -> Path:
    """The abilities that everybody has."""
    return shutil.copytree(shipped("action"), tmp_path / "action", symlinks=True)


async def _asked_for(partner: Partner, said: str, home: Path) -> list[str]:
    """The abilities that are proposed or run for some words, each with its arguments."""
    conversation_id = ""
    async with aclosing(partner.events.say(said, conversation_id=None, cwd=str(home))) as events:
        async for event in events:
            conversation_id = conversation_id or str(event.get("conversation_id") or "")
    records = [
        one
        for one in await partner.actions.list(limit=20)  # those before are of other conversations
        if one.conversation_id == conversation_id and one.status is not ActionStatus.ASKING
    ]
    return [f"{one.key} {json.dumps(one.params, ensure_ascii=False)}" for one in records]


@pytest.mark.integration
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_is_said_in_many_ways_asks_for_the_same(
    partner: Partner, user_home: Path, language: str
) -> None:
    user_home.rmdir()
    build_home(Path(stories.__file__).parent, user_home)
    wrong = {}
    for said, wanted in REQUESTS[language].items():
        keys, *values = wanted.split(" ; ")
        found = await _asked_for(partner, said, user_home)
        fits = [
            one
            for one in found
            if one.split(" ")[0].rpartition("::")[2] in [key.rpartition("::")[2] for key in keys.split("|")]
            and all(value in one for value in values)
        ]
        if len(found) != 1 or not fits:
            wrong[said] = found
    assert not wrong


@pytest.mark.integration
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_words_of_a_deed_in_other_talk_propose_nothing(
    partner: Partner, user_home: Path, language: str
) -> None:
    user_home.rmdir()
    build_home(Path(stories.__file__).parent, user_home)
    said = REQUESTS[f"{language}_nothing"]["said"]
    found = {each: await _asked_for(partner, each, user_home) for each in said}
    assert not {each: cards for each, cards in found.items() if cards}
