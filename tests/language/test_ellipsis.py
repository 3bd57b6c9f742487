"""Turns that leave out what the turn before them said, as tables."""

from __future__ import annotations

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.language.ellipsis import (
    EllipticalTurn,
    inherited,
    read_ellipsis,
    to_the_point,
    with_more,
)
from partner_desktop.language.spoken_words import ResolvedText
from tests.builtins import builtin_infos
from tests.tables import all_rows


@all_rows(
    "text, words",
    [
        ("run it again", ""),
        ("do that again, please", ""),
        ("again", ""),
        ("start over", ""),
        ("再做一次", ""),
        ("重新运行", ""),
        ("same for Music", "Music"),
        ("do it again in Documents", "Documents"),
        ("do the same for ~/Music", "~/Music"),
        ("the same with ~/Music please", "~/Music"),
        ("run it again for ~/Music", "~/Music"),
        ("对 ~/Music 也这样做", "~/Music"),
        ("~/Music 也一样", "~/Music"),
        ("音乐也一样", "音乐"),
        ("again, but for garden.md", "garden.md"),
        ("same for the shopping list, the english one", "the shopping list, the english one"),
        ("项目也一样来一份", "项目"),
        ("Downloads 也照这样查一遍", "Downloads"),
    ],
)
def test_what_was_done_last_is_plainly_wanted_again(text: str, words: str) -> None:
    assert read_ellipsis(text) == EllipticalTurn(words, again=True)


@all_rows(
    "text, words",
    [
        ("and Pictures?", "Pictures"),
        ("ok and music?", "music"),
        ("thanks, and my documents?", "my documents"),
        ("and in the wifi note?", "in the wifi note"),
        ("and report2.txt", "report2.txt"),
        ("what about the last 60 days", "the last 60 days"),
        ("how about 300 pixels?", "300 pixels"),
        ("now for ~/Music", "~/Music"),
        ("now do the desktop too", "the desktop"),
        ("the desktop as well", "the desktop"),
        ("with 500 instead", "500"),
        ("top 20", "top 20"),
        ("show me more, like the top 20", "the top 20"),
        ("only the last 3", "the last 3"),
        ("那图片呢？", "图片"),
        ("那 paint 呢", "paint"),
        ("最近60天呢", "最近60天"),
        ("桌面也来一遍", "桌面"),
        ("换成音乐", "音乐"),
        ("I see. And Downloads?", "Downloads"),
        ("haha ok and music", "music"),
        ("the documents too dear", "the documents"),
        ("now pancakes", "pancakes"),
        ("嗯嗯，那桌面呢", "桌面"),
        ("音乐也瞄一眼", "音乐"),
    ],
)
def test_what_is_named_takes_the_place_of_what_was(text: str, words: str) -> None:
    assert read_ellipsis(text) == EllipticalTurn(words)


@all_rows(
    "text",
    [
        "run ls again.txt",
        "run it",
        "start the backup",
        "never again",
        "not again",
        "me too",
        "and you?",
        "and then?",
        "and now?",
        "what about it?",
        "and zip ~/Music",
        "and delete it",
        "that's nice",
        "music",
        "show me the same file",
        "find the same picture in ~/Pictures",
        "repeat after me: hello",
        "你呢",
        "然后呢",
        "那怎么办呢",
        "再见",
        "再压缩 ~/Music",
        "把它删了吧",
    ],
)
def test_whole_turns_leave_nothing_out(text: str) -> None:
    assert read_ellipsis(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("再加一个 换灯泡", "换灯泡"),
        ("再加一条：洗车", "洗车"),
        ("再记一句 很累", "很累"),
        ("another one: beer", "beer"),
    ],
)
def test_one_more_text_is_for_what_adds_texts(text: str, words: str) -> None:
    assert read_ellipsis(text) == EllipticalTurn(words, more=True)
    append = next(info for info in builtin_infos() if info.name == "files::append")
    move = next(info for info in builtin_infos() if info.name == "files::move")
    before: JsonObject = {"file": "~/a.txt", "text": "milk"}
    assert with_more(words, append, before) == {"file": "~/a.txt", "text": words}
    assert with_more(words, move, {"source": "~/a.txt", "target": "~/b"}) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("only the ones from holiday", "holiday"),
        ("and the files in work?", "work"),
        ("只要合同文件夹里的", "合同"),
    ],
)
def test_those_that_lie_somewhere_are_wanted_from_there(text: str, place: str) -> None:
    assert read_ellipsis(text) == EllipticalTurn(place, typed=True, placed=True)


def test_another_file_goes_into_the_same_folder_under_its_own_name() -> None:
    [copy] = [info for info in builtin_infos() if info.key == "builtin::files::copy"]
    before: JsonObject = {"source": "~/Documents/lease.txt", "target": "~/Desktop/lease.txt"}
    words = ResolvedText("the essay", "~/Documents/essay.txt")
    anew = inherited(words, copy, before, {"source": "~/Documents/essay.txt"})
    assert anew == {"source": "~/Documents/essay.txt", "target": "~/Desktop"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I lost my tickets, any idea where they are?", "where is my tickets?"),
        ("oh no, my lease is gone! where could it be", "where is my lease?"),
        ("can't find it", "can't find it"),
        ("I lost my keys yesterday", "I lost my keys yesterday"),
        ("租房合同不见了，你知道在哪吗", "租房合同在哪？"),
        ("我昨天丢了钥匙", "我昨天丢了钥匙"),
        ("what a day. now list my notes", "now list my notes"),
        ("thanks! 谢谢", "谢谢"),
        ("write hello. then read it", "write hello. then read it"),
    ],
)
def test_talk_before_a_request_goes_and_what_is_lost_is_asked_for(text: str, asked: str) -> None:
    assert to_the_point(text) == asked
