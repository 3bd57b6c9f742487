"""Words that tell something start nothing; a wish that looks like them is one all the same."""

from __future__ import annotations

import pytest

from partner_desktop.language.speech_acts.statements import reports_only, tells, wants_private


@pytest.mark.parametrize(
    "text",
    [
        "Ann told me to delete the folder",
        "My sister deleted all files in my folder yesterday",
        "I always delete old downloads on Friday",
        "My script runs every night",
        "she wants me to zip her notes",
        "yesterday I deleted my notes",
        "我昨天删除了所有文件",
        "我姐姐想让我发邮件给她",
    ],
)
def test_a_report_asks_for_nothing(text: str) -> None:
    assert reports_only(text)


@pytest.mark.parametrize(
    "text",
    [
        "Run backups every night",
        "Back up my notes every day",
        "remind me every day",
        "I need a backup every night",
        "my files changed this week",
        "Show sent files from yesterday",
        "I deleted the wrong file yesterday, bring it back",
        "my boss wants me to zip ~/notes",
        "我昨天下载的文件",
        "我要每天备份",
        "帮我删除昨天的文件",
    ],
)
def test_a_wish_is_no_report(text: str) -> None:
    assert not reports_only(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I was born in Vienna", True),
        ("the shed key hangs behind the door", True),
        ("Ann's birthday is 4 June", True),
        ("我的护照在抽屉里", True),
        ("I need more space", False),
        ("Zip files that were changed", False),
        ("what is the rent of my flat?", False),
        ("my notes", False),
        ("我想删除文件", False),
    ],
)
def test_a_statement_is_told_from_a_wish(text: str, told: bool) -> None:
    assert tells(text) is told


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("do not remember this conversation", True),
        ("please don't store this chat", True),
        ("不要记住这个对话", True),
        ("do you remember this conversation?", False),
        ("forget this conversation", False),
    ],
)
def test_a_conversation_is_not_to_be_remembered(text: str, private: bool) -> None:
    assert wants_private(text) is private
