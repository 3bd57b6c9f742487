"""Routing in Chinese, measured: requests that are no alias, among all builtins and samples.

The embedding model is English, so Chinese goes by what descriptors say in Chinese (`aliases`) and by a small
dictionary of everyday words. The figures below are what the app promises for it.
"""

from __future__ import annotations

import pytest

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import EvaluateIntent
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.support import REPOSITORY

pytestmark = pytest.mark.integration

#: Shares that are kept: the right one first; chosen without a question; nothing chosen where nothing fits.
RIGHT, CHOSEN, ABSTAINED = 0.9, 0.85, 0.85

ASKED = {
    "disk_usage": [
        "硬盘快满了，谁占的地方最多",
        "~/Videos 里面哪个文件夹最大",
        "看一下下载目录占了多少空间",
        "帮我查查磁盘的占用情况",
    ],
    "tidy_folder": [
        "下载目录太乱了，帮我整理",
        "把桌面上的文件分门别类放好",
        "请按文件类型归类 ~/Downloads",
        "整理下载",
    ],
    "zip_folder": [
        "把 ~/Projects 压缩成一个包",
        "给文档做一个备份",
        "请打包我的照片文件夹",
        "备份 ~/Documents 到 ~/usb",
    ],
    "rename_files": [
        "把 ~/Scans 里的文件统一改名",
        "批量重命名照片",
        "文件名里的空格换成下划线",
        "给 ~/Photos 的照片按顺序编号",
    ],
    "resize_images": [
        "把 ~/Pictures 的照片变小一点",
        "图片太大了，缩小到 1024 像素",
        "将 png 图片转换成 jpg",
        "压缩一下这些图片的尺寸",
        "~/Pictures 缩到800宽",
    ],
    "search_text": [
        "在 ~/Documents 里搜索“合同”",
        "哪个文件里提到了发票",
        "查找包含“报销”的文档",
        "搜一下笔记里有没有写到生日",
        "~/Documents 里搜一下 押金",
        "在 ~/Notes 里搜索 hotel",
    ],
    "daily_note": [
        "记一笔：今天交了房租",
        "帮我写进今天的笔记：牛奶买了",
        "添加一条日记：和老王吃饭",
        "记下来，周五交报告",
    ],
    "recent_files": [
        "这几天改动过的文件有哪些",
        "看看最近修改的文件",
        "~/Documents 里最新的文件",
        "昨天我改了什么文件",
    ],
    "count_words": [
        "统计 report.md 有多少字",
        "这篇文章 essay.txt 多长",
        "数一数 notes.txt 的字数",
        "readme.md 一共几行几个字",
    ],
    "find_duplicates": [
        "找出 ~/Pictures 里重复的照片",
        "有没有内容一样的文件",
        "查重 ~/Downloads",
        "哪些文件存了两份",
    ],
    "files::find": ["shopping.txt 在哪里", "说明书.docx 放哪儿了来着"],
    "files::append": ["再加一个 换灯泡", "~/todo.txt 加一行 洗车"],
    "files::read": ["打开看看那个文件写了什么"],
    "list_folder": ["看看 ~/Music 里有什么", "列出桌面上的文件", "下载文件夹里都有些什么"],
    "time": ["现在是几点", "今天是几号", "今天礼拜几"],
    "open": ["打开 https://example.org", "帮我打开 ~/report.pdf"],
    "notify": ["弹个通知：开会了", "在屏幕上提示我喝水"],
    "command::execute": ["运行 git status", "执行命令 df -h"],
}

NOT_HERE = [
    "帮我订一张去北京的机票",
    "今天天气怎么样",
    "明天会下雨吗",
    "给我唱首歌",
    "讲个故事",
    "你喜欢什么颜色",
    "帮我点个外卖",
    "写一首诗",
    "中国的首都是哪里",
    "一加一等于几",
    "为什么天是蓝的",
    "推荐一部电影",
    "股票涨了吗",
    "帮我叫辆出租车",
    "怎么做红烧肉",
    "给妈妈打电话",
    "发邮件给小李",
    "翻译成英文",
    "关灯",
    "播放音乐",
    "谁发明了电灯",
    "我今天很难过",
    "人生的意义是什么",
    "附近有什么好吃的",
]


def abilities() -> list[MetaActionInfo]:
    places = [p for p in sorted((REPOSITORY / "action" / "dynamic").iterdir()) if not p.name.startswith(".")]
    samples = [read_ability(place, location="local", route=Route.MCP).info for place in places]
    return [*builtin_infos(), *samples]


@pytest.mark.promise("mind.starter.chinese")
async def test_requests_in_chinese_find_their_ability_as_often_as_promised() -> None:
    infos, mind = abilities(), StarterMind()
    aliases = {alias for info in infos for alias in info.aliases}
    asked = [(text, name) for name, texts in ASKED.items() for text in texts]
    assert not [text for text, _ in asked if text in aliases], "an alias proves nothing"
    found = [(text, name, await mind.ask(EvaluateIntent(text, infos))) for text, name in asked]
    wrong = [(text, one.ranked[0].info.name) for text, name, one in found if one.ranked[0].info.name != name]
    asked_back = [text for text, name, one in found if one.chosen is None or one.chosen.name != name]
    assert len(wrong) <= (1 - RIGHT) * len(asked), wrong
    assert len(asked_back) <= (1 - CHOSEN) * len(asked), asked_back


@pytest.mark.promise("mind.starter.chinese")
async def test_unrelated_messages_in_chinese_choose_nothing_as_often_as_promised() -> None:
    infos, mind = abilities(), StarterMind()
    found = [(text, await mind.ask(EvaluateIntent(text, infos))) for text in NOT_HERE]
    taken = [(text, one.chosen.name) for text, one in found if one.chosen is not None]
    assert len(taken) <= (1 - ABSTAINED) * len(NOT_HERE), taken
