"""What people say finds the right sample and its arguments, among all samples and builtins, with no model.

No row is an alias or has a rule of its own. `...` as a value means that it is missing and will be asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.question import EvaluateIntent, ExtractParams, IntentEvaluation
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.meaning import meaning_mind
from tests.tables import all_rows

DOWNLOADS, DOCUMENTS = {"folder": "~/Downloads"}, {"folder": "~/Documents"}
PHOTOS, SCANS = {"folder": "~/Photos"}, {"folder": "~/Scans"}

ASKED: dict[str, dict[str, Mapping[str, object]]] = {
    "disk_usage": {
        "what eats my disk space in ~/Downloads?": DOWNLOADS,
        "why is my disk so full?": {"folder": ...},
        "show me the largest folders in ~/Videos": {"folder": "~/Videos"},
        "how much space does ~/Music take": {"folder": "~/Music"},
        "what is using up all the storage in my home folder": {"folder": "~"},
        "which files in ~/Documents are the biggest": DOCUMENTS,
        "下载文件夹占用了多少磁盘空间": DOWNLOADS,
        "~/下载 里什么东西最占空间?": {"folder": "~/下载"},
        "帮我看看 ~/Videos 里哪些文件最大": {"folder": "~/Videos"},
        "磁盘快满了，看看是什么占用的": {"folder": ...},
    },
    "tidy_folder": {
        "tidy up my downloads by type": DOWNLOADS,
        "tidy ~/Downloads": DOWNLOADS,
        "sort the files in ~/Desktop into folders by type": {"folder": "~/Desktop"},
        "organise my downloads folder": DOWNLOADS,
        "clean up my desktop": {"folder": "~/Desktop"},
        "preview tidying ~/Downloads": DOWNLOADS | {"preview": True},
        "undo the last tidying of ~/Downloads": DOWNLOADS | {"undo": True},
        "把下载文件夹按类型整理一下": DOWNLOADS,
        "整理一下我的桌面": {"folder": "~/Desktop"},
        "帮我把 ~/Downloads 里的文件按类型分好": DOWNLOADS,
        "撤销对下载文件夹的整理": DOWNLOADS,
    },
    "zip_folder": {
        "zip my notes": {"source": ...},
        "back up ~/Documents": {"source": "~/Documents"},
        "make a zip of ~/Projects/site": {"source": "~/Projects/site"},
        "compress ~/Photos into an archive": {"source": "~/Photos"},
        "back up my documents folder to ~/usb": {"source": "~/Documents", "target": "~/usb"},
        "create a backup of ~/Music in /media/usb": {"source": "~/Music", "target": "/media/usb"},
        "把 ~/Documents 打包成 zip": {"source": "~/Documents"},
        "备份一下文档文件夹": {"source": "~/Documents"},
        "帮我压缩 ~/Photos 文件夹": {"source": "~/Photos"},
        "把照片文件夹备份到 ~/usb": {"source": "~/Pictures", "target": "~/usb"},
    },
    "rename_files": {
        "rename the files in ~/Photos": PHOTOS,
        'rename all pictures in ~/Photos to "Trip {n}"': PHOTOS | {"new_text": "Trip {n}"},
        'replace "IMG_" with "Sea" in the file names in ~/Photos': PHOTOS
        | {"replace": "IMG_", "new_text": "Sea"},
        "number the files in ~/Scans": SCANS,
        "add the date to the names of the files in ~/Scans": SCANS | {"add": "date"},
        "preview renaming the files in ~/Scans": SCANS | {"preview": True},
        "replace foo with bar in ~/notes.txt": {"folder": ...},
        "change the names of all .txt files in ~/Work from draft to final": {
            "folder": "~/Work",
            "replace": None,
        },
        "undo the last renaming in ~/Scans": SCANS | {"undo": True},
        "批量重命名 ~/Photos 里的照片": PHOTOS,
        "给 ~/Scans 里的文件改名": SCANS,
        "把 ~/Scans 里的文件名按顺序编号": SCANS,
        "撤销 ~/Scans 里的重命名": SCANS,
    },
    "resize_images": {
        "resize the images in ~/Pictures/trip to 1200 pixels": {
            "images": "~/Pictures/trip",
            "longest_side": 1200,
        },
        "make the photos in ~/Photos smaller": {"images": "~/Photos"},
        "make the pictures in ~/Photos 50% smaller": {"images": "~/Photos", "quality": None},
        "convert logo.png to jpg": {"images": "logo.png", "format": "jpg"},
        "shrink ~/Pictures/big.jpg": {"images": "~/Pictures/big.jpg"},
        "turn the pictures in ~/Scans into webp": {"images": "~/Scans", "format": "webp"},
        "scale my pictures down to 800 px": {"images": "~/Pictures", "longest_side": 800},
        "把 ~/Pictures 里的图片缩小": {"images": "~/Pictures"},
        "把 logo.png 转换成 jpg": {"images": "logo.png", "format": "jpg"},
        "压缩一下 ~/Photos 里的照片": {"images": "~/Photos"},
        "调整 ~/Pictures 里图片的大小": {"images": "~/Pictures"},
    },
    "search_text": {
        'find the word "invoice" in ~/Documents': DOCUMENTS | {"text": "invoice"},
        'search for "climate change" in my documents': DOCUMENTS | {"text": "climate change"},
        'which files in ~/Notes mention "Berlin"?': {"folder": "~/Notes", "text": "Berlin"},
        'look for "password" in the files in ~/Projects': {"folder": "~/Projects", "text": "password"},
        'in which PDF in ~/Papers does "transformer" occur?': {"folder": "~/Papers", "text": "transformer"},
        "which files in ~/Documents contain the word budget?": DOCUMENTS | {"text": "budget"},
        "search my notes for the word passport": {"text": "passport", "folder": ...},
        "search for budget 2024 in ~/Documents": DOCUMENTS | {"text": "budget 2024"},
        'find "invoice" in ~/Documents': DOCUMENTS | {"text": "invoice"},
        "search ~/Documents for invoice": DOCUMENTS | {"text": "invoice"},
        "~/Documents 里哪些文件提到了发票": DOCUMENTS | {"text": "发票"},
        '帮我找一下 ~/Documents 里有"发票"的文件': DOCUMENTS | {"text": "发票"},
        "搜索 ~/Documents 里包含 预算 的文件": DOCUMENTS | {"text": "预算"},
        '在 ~/Documents 里搜索 "发票"': DOCUMENTS | {"text": "发票"},
        "哪些文件里提到了“合同”": {},
        '查找 ~/Notes 中包含 "柏林" 的文件': {"folder": "~/Notes", "text": "柏林"},
        '在我的文档里找 "预算" 这个词': DOCUMENTS | {"text": "预算"},
    },
    "daily_note": {
        "note that the plumber comes on Tuesday": {"text": "the plumber comes on Tuesday"},
        "take a note: buy milk": {"text": "buy milk"},
        "jot down an idea for the garden": {"text": "an idea for the garden"},
        "add to my journal: a long walk today": {"text": "a long walk today"},
        "make a note saying call Anna back": {"text": "call Anna back"},
        "记一下：周二水管工要来": {"text": "周二水管工要来"},
        "帮我记个笔记：买牛奶": {"text": "买牛奶"},
        "写日记：今天走了很远": {"text": "今天走了很远"},
        "添加一条笔记 给安娜回电话": {},
    },
    "recent_files": {
        "what changed in ~/Documents lately?": DOCUMENTS,
        "show me the newest files in ~/Downloads": DOWNLOADS,
        "which files did I change in the last 3 days in ~/Projects": {"folder": "~/Projects", "days": 3},
        "what have I downloaded recently": {"folder": ...},
        "latest files in my documents folder": DOCUMENTS,
        "files modified in ~/Work this week": {"folder": "~/Work"},
        "最近 ~/Documents 里改了什么": DOCUMENTS,
        "下载文件夹里最新的文件": DOWNLOADS,
        "看看 ~/Projects 最近3天修改过的文件": {"folder": "~/Projects"},
        "我最近下载了哪些文件": {"folder": ...},
    },
    "count_words": {
        "how many words are in README.md?": {"file": "README.md"},
        "帮我统计一下 notes.txt 的字数": {"file": "notes.txt"},
    },
    "find_duplicates": {
        "which pictures do I have twice in ~/Photos?": PHOTOS,
        "下载文件夹里有没有一样的照片": DOWNLOADS,
    },
}

BUILTIN = {
    "what's in ~/Downloads?": "builtin::list_folder",
    "列出 ~/Music 里的文件": "builtin::list_folder",
    "~/Documents 有多少个文件": "builtin::list_folder",
    "please open ~/report.pdf": "builtin::open",
    "what time is it": "builtin::time",
    "what time is it right now, partner?": "builtin::time",
    "run ls -la /tmp": "builtin::command::execute",
    "notify me that the build is done": "builtin::notify",
    "delete README.md": "builtin::files::trash",
    "copy a.txt to b.txt": "builtin::files::copy",
    "rename ~/a.txt to b.txt": "builtin::files::move",
}

NOT_HERE = [
    "unzip ~/Downloads/archive.zip",
    "crop ~/a.png",
    "take a screenshot",
    "run out of milk",
    "delete my last note",
    "clean up my inbox",
    "count to ten",
    "what can you zip?",
    "what time does the meeting start?",
    "notify me in 10 minutes to take the pizza out",
    "hello",
    "tell me a joke",
    "book me a flight",
    "write me a poem about the sea",
    "play some jazz",
    "remind me tomorrow at nine to call the office",
    "how do I cook rice",
    "你好",
    "给我讲个笑话",
    "帮我订一张机票",
    "写一首关于大海的诗",
]

ROWS = [(text, name, given) for name, rows in ASKED.items() for text, given in rows.items()]


@pytest.fixture(scope="module")
def abilities(sample_infos: dict[str, MetaActionInfo]) -> tuple[MetaActionInfo, ...]:
    """What a fresh Partner can do."""
    return (*sample_infos.values(), *builtin_infos())


async def understood(text: str, abilities: tuple[MetaActionInfo, ...]) -> IntentEvaluation:
    return await StarterMind().ask(EvaluateIntent(text, abilities))


@all_rows("text, name, given", ROWS)
async def test_a_request_finds_its_sample_and_its_arguments(
    text: str, name: str, given: Mapping[str, object], abilities: tuple[MetaActionInfo, ...]
) -> None:
    evaluation = await understood(text, abilities)
    assert evaluation.chosen is not None
    assert evaluation.chosen.key == f"local::{name}"
    found = await StarterMind().ask(ExtractParams(text, evaluation.chosen))
    wanted = {param: value for param, value in given.items() if value is not ...}
    assert {param: found.values.get(param) for param in wanted} == wanted
    if given:
        assert set(found.missing) == {param for param, value in given.items() if value is ...}


@pytest.mark.parametrize(("text", "key"), BUILTIN.items())
async def test_the_samples_do_not_hide_the_builtins(
    text: str, key: str, abilities: tuple[MetaActionInfo, ...]
) -> None:
    evaluation = await understood(text, abilities)
    assert evaluation.chosen is not None
    assert evaluation.chosen.key == key


@all_rows("text", NOT_HERE)
async def test_what_no_sample_does_chooses_none(text: str, abilities: tuple[MetaActionInfo, ...]) -> None:
    assert (await understood(text, abilities)).chosen is None


@pytest.mark.slow
async def test_with_meaning_the_whole_table_holds_as_well(
    abilities: tuple[MetaActionInfo, ...], tmp_path: Path
) -> None:
    """The mind that the app builds; without an engine the same table by words."""
    wanted = {text: f"local::{name}" for text, name, _ in ROWS} | BUILTIN | dict.fromkeys(NOT_HERE)
    failures: list[str] = []
    async with meaning_mind(tmp_path) as mind:
        for text, key in wanted.items():
            chosen = (await mind.ask(EvaluateIntent(text, abilities))).chosen
            if (chosen.key if chosen else None) != key:
                failures.append(f"{text}: {chosen.key if chosen else None}")
    assert failures == []


def test_no_request_of_the_table_is_an_alias(sample_infos: dict[str, MetaActionInfo]) -> None:
    aliases = {alias.casefold() for info in sample_infos.values() for alias in info.aliases}
    assert aliases.isdisjoint(text.casefold() for text, _, _ in ROWS)
    for name in set(ASKED) - {"count_words", "find_duplicates"}:
        texts = list(ASKED[name])
        assert len([text for text in texts if text.isascii()]) >= 4
        assert len([text for text in texts if not text.isascii()]) >= 4
