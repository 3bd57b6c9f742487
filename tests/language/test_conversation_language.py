"""Which language a conversation is held in."""

from __future__ import annotations

from partner_desktop.language.conversation_language import conversation_language
from tests.tables import all_rows

#: What was said, oldest first, and the language.
SAID: tuple[tuple[tuple[str, ...], str], ...] = (
    ((), ""),
    (("",), ""),
    (("hello",), "en"),
    (("你好",), "zh"),
    (("zip my music",), "en"),
    (("统计一个文件的字数", "shopping.txt"), "zh"),
    (("统计一个文件的字数", "~/Notes/shopping list.txt"), "zh"),
    (("压缩哪个？", "Music"), "zh"),
    (("压缩音乐", "ok"), "zh"),
    (("列出文件夹", "letter to ann"), "zh"),
    (("count the words of a file for me", "购物清单.txt"), "en"),
    (("列出下载", "what time is it now please"), "en"),
    (("what time is it now please", "再说一遍"), "zh"),
    (("把 Music folder 里的 mp3 files copy 到 Documents",), "zh"),
    (("please zip my 照片 folder and tell me",), "en"),
    (("~/Notes",), "en"),
    (("12",), ""),
    (("压缩“Some English words that are quoted here”",), "zh"),
)


@all_rows("said, language", SAID)
def test_sentences_decide_and_names_or_short_answers_do_not(said: tuple[str, ...], language: str) -> None:
    assert conversation_language(said) == language
