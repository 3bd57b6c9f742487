"""Questions about what waits or runs are told from requests; a request is never taken for one."""

from __future__ import annotations

import pytest

from partner_desktop.language.speech_acts.card_requests import StatusQuestion, repeated, status_question


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("what are you doing?", StatusQuestion(status=True)),
        ("What are you doing right now", StatusQuestion(status=True)),
        ("what's running?", StatusQuestion(status=True)),
        ("are you done yet?", StatusQuestion(status=True)),
        ("你在做什么？", StatusQuestion(status=True)),
        ("做完了吗", StatusQuestion(status=True)),
        ("what will step 2 do?", StatusQuestion(step=2)),
        ("and what does the last step do?", StatusQuestion(step=-1)),
        ("第二步是做什么的？", StatusQuestion(step=2)),
        ("which folder?", StatusQuestion()),
        ("is it safe?", StatusQuestion()),
        ("will it delete anything?", StatusQuestion()),
        ("show me the plan again", StatusQuestion()),
        ("会删除文件吗？", StatusQuestion()),
    ],
)
def test_a_question_about_what_is_open_is_read_to_its_last_word(text: str, asked: StatusQuestion) -> None:
    assert status_question(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "what time is it?",
        "what is in ~/Documents?",
        "which files are big and old in ~/Downloads",
        "where is the report of last year?",
        "will you delete the duplicates in ~/Pictures?",
        "can you remove step 2?",
        "is there a file called notes.txt?",
        "how big is ~/Downloads",
        "what can you do?",
        "how are you?",
        "show me the steps of the stairs in stairs.txt",
        "删除重复文件",
        "哪些文件是重复的？",
        "do it",
        "",
    ],
)
def test_a_request_is_no_question_about_what_is_open(text: str) -> None:
    assert status_question(text) is None


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("run it again", ""),
        ("do that again, please", ""),
        ("again", ""),
        ("start over", ""),
        ("再做一次", ""),
        ("重新运行", ""),
        ("do the same for ~/Music", "~/Music"),
        ("the same with ~/Music please", "~/Music"),
        ("now for ~/Music", "~/Music"),
        ("run it again for ~/Music", "~/Music"),
        ("对 ~/Music 也这样做", "~/Music"),
        ("~/Music 也一样", "~/Music"),
    ],
)
def test_what_was_done_last_is_wanted_again(text: str, other: str) -> None:
    wanted = repeated(text)
    assert wanted is not None
    assert wanted.other == other


@pytest.mark.parametrize(
    "text",
    [
        "run ls again.txt",
        "run it",
        "start the backup",
        "never again",
        "show me the same file",
        "find the same picture in ~/Pictures",
        "再见",
        "再压缩 ~/Music",
        "repeat after me: hello",
    ],
)
def test_a_request_of_its_own_repeats_nothing(text: str) -> None:
    assert repeated(text) is None
