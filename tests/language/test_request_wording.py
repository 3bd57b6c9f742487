"""Whether a request is one of before, said again: the same words with other values, and nothing else."""

from __future__ import annotations

import pytest

from partner_desktop.language.request_wording import RequestWording, request_wording, says_mistaken
from tests.tables import all_rows

from .look_alikes import AGAIN, OTHERWISE

LISTED = ("list the files in ~/Music", "please list the files in ~/Videos")
LIST_ZH = ("列出 ~/音乐 里的文件", "请列出 ~/视频 里的文件")


def wording_of(text: str) -> RequestWording:
    found = request_wording(text)
    assert found is not None
    return found


@all_rows(
    "text, before, again",
    [
        ("list the files in ~/Pictures", LISTED, True),
        ("Please list the FILES in '/tmp/my papers'", LISTED, True),
        ("list the file in ~/Pictures", LISTED, True),
        ("delete the files in ~/Pictures", LISTED, False),
        ("list the big files in ~/Pictures", LISTED, False),
        ("list the files in ~/Pictures?", LISTED, False),
        ("do not list the files in ~/Pictures", LISTED, False),
        ("list the files in ~/Pictures and ~/Music", LISTED, False),
        ("list the files in ~/Pictures ~/Music", LISTED, False),
        ("why list the files in ~/Pictures", LISTED, False),
        ("list ~/Pictures", LISTED, False),
        ("列出 ~/图片 里的文件", LIST_ZH, True),
        ("删除 ~/图片 里的文件", LIST_ZH, False),
        ("不要列出 ~/图片 里的文件", LIST_ZH, False),
        ("列出 ~/图片 里的文件吗", LIST_ZH, False),
        ("列出 ~/图片", LIST_ZH, False),
    ],
)
def test_only_what_says_nothing_new_and_leaves_nothing_out_is_the_same_request(
    text: str, before: tuple[str, ...], again: bool
) -> None:
    said, earlier = wording_of(text), [wording_of(each) for each in before]
    alike = max(said.likeness(each) for each in earlier) >= 0.75
    assert (alike and said.says_nothing_new(earlier)) is again


def is_again(text: str, before: str) -> bool:
    said, earlier = wording_of(text), wording_of(before)
    return said.likeness(earlier) >= 0.75 and said.says_nothing_new([earlier])


@all_rows("before, text", OTHERWISE)
def test_words_in_another_order_or_turned_round_are_another_request(before: str, text: str) -> None:
    assert not is_again(text, before)
    assert not is_again(before, text)


@all_rows("before, text", AGAIN)
def test_courtesies_and_values_make_no_other_request(before: str, text: str) -> None:
    assert is_again(text, before)


def test_what_was_said_in_several_ways_is_not_put_together_from_them() -> None:
    earlier = [wording_of("don't forget to back up my notes"), wording_of("back up my notes please")]
    assert not wording_of("don't back up my notes please").says_nothing_new(earlier)
    assert wording_of("please back up my notes").says_nothing_new(earlier)


@pytest.mark.parametrize("text", ["", "~/Music", '"list the files"', "list the files " * 20])
def test_values_alone_and_documents_are_no_request(text: str) -> None:
    assert request_wording(text) is None


def test_what_is_kept_of_a_request_holds_none_of_its_values() -> None:
    assert wording_of('copy "my secret" to /srv/safe 3 times').text == "copy … to … … times"


@all_rows(
    "text, mistaken",
    [
        ("that's not what I meant", True),
        ("no, I meant the other one", True),
        ("You misunderstood me.", True),
        ("that's wrong", True),
        ("I didn't ask for that", True),
        ("不是我要的", True),
        ("你理解错了", True),
        ("不对，我是说删除", True),
        ("thanks, that is what I meant", False),
        ("what did you mean", False),
        ("the wrong folder is called old", False),
        ("谢谢，这就是我要的", False),
    ],
)
def test_words_that_say_that_something_else_was_meant(text: str, mistaken: bool) -> None:
    assert says_mistaken(text) is mistaken
