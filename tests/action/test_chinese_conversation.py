"""A conversation in Chinese is Chinese throughout: questions, cards, results, failures."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.abilities.ability_file import redescribed
from partner_desktop.app import Partner
from partner_desktop.base.messages import counted_words, sentence_of, spoken_language
from partner_desktop.base.paths import Home, shipped
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import ActionEvent, ProposalEvent, ReplyEvent
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.runner.descriptor import from_json, from_toml, params_schema
from tests.samples.stage import SAMPLES
from tests.support import Watcher

#: Words with letters, one after the other: a sentence, and no name.
_ENGLISH = re.compile(r"[A-Za-z]{2,}(?:[ ,]+[A-Za-z]{2,})+")
_CHINESE = re.compile("[\u4e00-\u9fff]")


BREW = """\
# /// partner
# title.en = "Brew tea"
# title.zh = "泡茉莉花茶"
# description.en = "Brew a pot"
# description.zh = "泡一杯茶"
# ///
"""


class Talk:
    """A conversation with a real Partner and some of the samples."""

    def __init__(self, partner: Partner, watcher: Watcher) -> None:
        self.partner = partner
        self.watcher = watcher
        self.conversation_id: str | None = None

    async def say(self, text: str) -> str:
        self.watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=self.conversation_id)
        self.conversation_id = message.conversation_id
        await self.watcher.done()
        return "\n".join(e.text for e in self.watcher.events if isinstance(e, ReplyEvent) and e.done)

    def shown(self) -> list[ActionRecord]:
        return [e.action for e in self.watcher.events if isinstance(e, ActionEvent | ProposalEvent)]


def is_chinese(said: str) -> bool:
    """Whether nothing but names and code is English in it."""
    plain = re.sub(r"`[^`]*`|~/\S+|\w+\.\w{2,4}", "", said)
    return bool(_CHINESE.search(plain)) and not _ENGLISH.search(plain)


@pytest.fixture
async def talk(
    home: Home, action_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Talk]:
    user = tmp_path / "user"
    (user / "Notes").mkdir(parents=True)
    (user / "Notes" / "shopping.txt").write_text("milk\n")
    monkeypatch.setenv("HOME", str(user))
    dynamic = action_dir / "dynamic"
    dynamic.mkdir(parents=True, exist_ok=True)
    for name in ("count_words", "tidy_folder"):
        shutil.copytree(SAMPLES / name, dynamic / name, ignore=shutil.ignore_patterns("__pycache__"))
    (dynamic / "brew.py").write_text(BREW, encoding="utf-8")
    watcher = Watcher()
    partner = Partner(home, action_dir, meaning=False)
    partner.subscribe(watcher)
    await partner.launch()
    yield Talk(partner, watcher)
    await partner.close()


@pytest.mark.integration
async def test_a_question_its_card_and_its_result_are_chinese_though_the_answer_was_a_name(
    talk: Talk,
) -> None:
    asked = await talk.say("统计文件的字数")
    assert asked.startswith("请问是哪个文件？**统计字数** 需要知道：要统计的文本文件。")
    card = await talk.say("shopping.txt")
    assert is_chinese(card), card
    record = talk.shown()[-1]
    assert (record.title, record.description[:4], record.language) == ("统计字数", "统计文本", "zh")
    properties = record.schema["properties"]
    assert isinstance(properties, dict)
    assert properties["file"] == {
        "type": "string",
        "format": "path",
        "access": "read",
        "title": "文件",
        "description": "要统计的文本文件",
    }
    ended = await talk.say("好")
    assert "shopping.txt 有 1 个字词" in ended
    assert is_chinese(ended), ended


@pytest.mark.integration
@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("现在几点", "现在是"),
        ("列出 ~/Notes", "里有 1 项"),
        ("列出 ~/Nowhere", "我找不到"),
        ("shopping.txt 这个文件在哪里", "找到 1 个"),
        ("整理文件夹", "请问是哪个文件夹？**整理文件夹**"),
    ],
)
async def test_builtins_tell_their_results_in_chinese(talk: Talk, words: str, part: str) -> None:
    said = await talk.say(words)
    assert part in said
    assert is_chinese(said), said


@pytest.mark.integration
async def test_an_english_sentence_turns_the_conversation_english_again(talk: Talk) -> None:
    assert "现在是" in await talk.say("现在几点")
    assert "It is " in await talk.say("and tell me what time it is now")
    assert talk.shown()[-1].title == "Tell the time"


@pytest.mark.integration
async def test_an_ability_is_found_by_what_it_is_called_in_chinese(talk: Talk) -> None:
    said = await talk.say("帮我泡一杯茉莉花茶")
    assert talk.shown()[-1].key == "local::brew", said
    assert "**泡茉莉花茶**" in said


def test_texts_by_language_stand_for_the_english_ones_and_are_kept() -> None:
    raw = {
        "title": {"en": "Count", "zh": "统计"},
        "description": {"zh": "只有中文"},
        "params": {
            "file": {
                "type": "string",
                "title": {"zh": "文件"},
                "description": {"en": "the file", "zh": "文件名"},
            },
            "n": "how many",
        },
    }
    read = from_json(json.dumps(raw))
    assert (read.title, read.description) == ("Count", "只有中文")
    assert params_schema(read.params)["properties"] == {
        "file": {"type": "string", "description": "the file"},
        "n": {"type": "string", "description": "how many"},
    }
    assert read.unknown_keys() == ()
    assert from_toml("title.en = 'Count'\ntitle.zh = '统计'", first_line=1).localized["zh"] == {
        "title": "统计"
    }


def test_an_ability_is_told_in_a_language_that_its_author_wrote_and_else_as_it_is() -> None:
    read = from_json(
        '{"description": {"en": "Count", "zh": "统计"},'
        ' "params": {"file": {"description": {"en": "the file", "zh": "文件"}}, "n": "how many"}}'
    )
    info = MetaActionInfo(
        "local::count", route=Route.MCP, description=read.description, params=params_schema(read.params),
        localized=read.localized,
    )  # fmt: skip
    told = info.spoken("zh")
    assert (told.title, told.description) == ("Count", "统计")
    assert [each["description"] for each in told.properties().values()] == ["文件", "how many"]
    assert (told.key, told.required()) == (info.key, info.required())
    assert info.spoken("fr") is info


def test_a_form_keeps_the_texts_of_all_languages_that_it_does_not_change() -> None:
    raw = {
        "title": {"en": "Count", "zh": "统计"},
        "description": {"en": "Count words", "zh": "统计字数"},
        "params": {"file": {"type": "string", "description": {"en": "the file", "zh": "文件"}}},
    }
    draft = AbilityDraft("count", "Count", "Count all words", params={"file": "the file"})
    new = redescribed(raw, draft)
    assert (new["title"], new["description"]) == (raw["title"], "Count all words")
    assert new["params"] == raw["params"]


def test_every_builtin_and_each_of_its_parameters_has_a_chinese_title_and_description() -> None:
    table = tomllib.loads((shipped("resources") / "abilities.toml").read_text(encoding="utf-8"))
    for name, told in table.items():
        for each in (told, *told.get("params", {}).values()):
            assert _CHINESE.search(each["title"]["zh"]), name
            assert _CHINESE.search(each["description"]["zh"]), name


def test_a_sentence_is_in_the_language_of_its_task() -> None:
    assert sentence_of("not_found", value="x") == "I can't find “x”."
    assert (counted_words("item", 1), counted_words("item", 1200)) == ("1 item", "1,200 items")
    token = spoken_language.set("zh")
    try:
        assert sentence_of("not_found", value="x") == "我找不到“x”。"
        assert counted_words("item", 1200) == "1,200 项"
    finally:
        spoken_language.reset(token)
