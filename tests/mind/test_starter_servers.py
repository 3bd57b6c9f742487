"""Tools of well-known MCP servers are found by plain words, and their parameters filled, by words alone.

`server_tools.jsonl` holds what mcp-server-time, mcp-server-git, server-everything and server-filesystem say
of their tools; all of them are compared at once, with the builtins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Choice
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import EvaluateIntent, ExtractParams, PickAbility, ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.tables import all_rows

REPO = "/home/ann/notes"
NOW, ZONES = "time::get_current_time", "time::convert_time"
LOG, BRANCH = "git::git_log", "git::git_create_branch"
ECHO, SUM, LONG = "everything::echo", "everything::get-sum", "everything::trigger-long-running-operation"
NOTE, READ, SEARCH = (
    "everything::get-annotated-message",
    "filesystem::read_text_file",
    "filesystem::search_files",
)

ASKED: dict[str, tuple[str, JsonObject]] = {
    "what time is it in Tokyo": ("builtin::time", {"timezone": "Asia/Tokyo"}),
    "what time is it in New York right now?": ("builtin::time", {"timezone": "America/New_York"}),
    "what's the time in Asia/Tokyo": ("builtin::time", {"timezone": "Asia/Tokyo"}),
    "current time in São Paulo": ("builtin::time", {"timezone": "America/Sao_Paulo"}),
    "东京现在几点": ("builtin::time", {"timezone": "Asia/Tokyo"}),
    "what time is it": ("builtin::time", {}),
    "convert 3pm Berlin time to Tokyo time": (
        ZONES,
        {"source_timezone": "Europe/Berlin", "time": "15:00", "target_timezone": "Asia/Tokyo"},
    ),
    "convert 16:30 from New York to London": (
        ZONES,
        {"source_timezone": "America/New_York", "time": "16:30", "target_timezone": "Europe/London"},
    ),
    f"show the git log of {REPO}": (LOG, {"repo_path": REPO}),
    f"show the last 3 entries of the git log of {REPO}": (LOG, {"repo_path": REPO, "max_count": 3}),
    f"显示 {REPO} 的 git 日志": (LOG, {"repo_path": REPO}),
    "git log": (LOG, {}),
    f"what is the git status in {REPO}?": ("git::git_status", {"repo_path": REPO}),
    f"make a git branch called feature-x in {REPO}": (
        BRANCH,
        {"repo_path": REPO, "branch_name": "feature-x"},
    ),
    f'commit the changes in {REPO} with the message "Fix it"': (
        "git::git_commit",
        {"repo_path": REPO, "message": "Fix it"},
    ),
    "echo hello": (ECHO, {"message": "hello"}),
    "echo hello world, please": (ECHO, {"message": "hello world"}),
    "echo the message good morning": (ECHO, {"message": "good morning"}),
    'echo "hello world"': (ECHO, {"message": "hello world"}),
    "what is the sum of 3 and 4.5": (SUM, {"a": 3, "b": 4.5}),
    "trigger a long running operation for 5 seconds in 4 steps": (LONG, {"duration": 5, "steps": 4}),
    "run the long running operation with 3 steps": (LONG, {"steps": 3}),
    "get the annotated message of type success with an image": (
        NOTE,
        {"messageType": "success", "includeImage": True},
    ),
    "get an annotated error message": (NOTE, {"messageType": "error"}),
    "get structured content for Chicago": ("everything::get-structured-content", {"location": "Chicago"}),
    "get tiny image": ("everything::get-tiny-image", {}),
    "get 5 resource links": ("everything::get-resource-links", {"count": 5}),
    f"read the first 5 lines of {REPO}/a.txt": (READ, {"path": f"{REPO}/a.txt", "head": 5}),
    f"read the last 5 lines of the text file {REPO}/a.txt": (READ, {"path": f"{REPO}/a.txt", "tail": 5}),
    f"search files in {REPO} matching *.txt": (SEARCH, {"path": REPO, "pattern": "*.txt"}),
    f"show the directory tree of {REPO}": ("filesystem::directory_tree", {"path": REPO}),
    "which directories are allowed?": ("filesystem::list_allowed_directories", {}),
    # What is here already needs no server.
    f"read the text of the file {REPO}/a.txt": ("builtin::files::read", {"file": f"{REPO}/a.txt"}),
}


def _told() -> Iterator[MetaActionInfo]:
    lines = Path(__file__).with_name("server_tools.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        told = json.loads(line)
        server = told["key"].partition("::")[0]
        yield MetaActionInfo(**told, route=Route.MCP, tags=("mcp", server))


@pytest.fixture(scope="module")
def abilities() -> tuple[MetaActionInfo, ...]:
    return (*_told(), *builtin_infos())


@pytest.fixture(scope="module")
def mind() -> StarterMind:
    """One for all: it reads the abilities once."""
    return StarterMind()


@all_rows("text", ASKED)
async def test_a_tool_is_found_by_words_and_filled(
    text: str, mind: StarterMind, abilities: tuple[MetaActionInfo, ...]
) -> None:
    key, params = ASKED[text]
    evaluation = await mind.ask(EvaluateIntent(text, abilities))
    assert evaluation.chosen is not None, evaluation.ranked[:3]
    assert evaluation.chosen.key == key
    found = await mind.ask(ExtractParams(text, evaluation.chosen))
    assert _typed(found.values) == _typed(params)


def _typed(values: JsonObject) -> dict[str, tuple[Json, bool]]:
    """`1` is not `True` here."""
    return {name: (value, isinstance(value, bool)) for name, value in values.items()}


async def test_an_answer_about_a_time_zone_may_be_a_place(abilities: tuple[MetaActionInfo, ...]) -> None:
    clock = next(info for info in abilities if info.key == NOW)
    for answer, zone in {"Tokyo": "Asia/Tokyo", "new york time": "America/New_York", "Mars": "Mars"}.items():
        found = await StarterMind().ask(ExtractParams(answer, clock, asked="timezone"))
        assert found.values == {"timezone": zone}


async def test_what_is_required_is_asked_for_and_what_is_optional_is_left_out(
    abilities: tuple[MetaActionInfo, ...],
) -> None:
    missing = {}
    for text, key in {
        "convert time": ZONES,
        "git log": LOG,
        "echo": ECHO,
        "edit a file": "filesystem::edit_file",
    }.items():
        info = next(each for each in abilities if each.key == key)
        found = await StarterMind().ask(ExtractParams(text, info))
        assert not found.values, text
        missing[key] = found.missing
    assert missing == {
        ZONES: ("source_timezone", "time", "target_timezone"),
        LOG: ("repo_path",),
        ECHO: ("message",),
        "filesystem::edit_file": ("path", "edits"),
    }


async def test_the_same_tool_of_two_servers_is_told_apart_by_the_server(
    mind: StarterMind, abilities: tuple[MetaActionInfo, ...]
) -> None:
    clock = next(info for info in abilities if info.key == NOW)
    other = replace(clock, key="wall::get_current_time")
    evaluation = await mind.ask(EvaluateIntent("get current time in Tokyo", (clock, other)))
    assert evaluation.ties == (clock, other)
    action = ActionRecord(
        id="a1",
        conversation_id="c",
        exchange_id="e",
        key="",
        title="",
        description="",
        params={},
        schema={},
        status=ActionStatus.ASKING,
        created_at=datetime(2025, 3, 5, tzinfo=UTC),
    )
    asked = ReplyRequest("get current time in Tokyo", [Choice(action, evaluation.ties)], abilities)
    reply = "".join([piece async for piece in mind.reply(asked)])
    assert "1. **Get current time · time**" in reply
    assert "2. **Get current time · wall**" in reply
    assert await mind.ask(PickAbility("the one of wall", evaluation.ties)) is other
