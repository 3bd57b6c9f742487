"""Commands in the background, asked for in words, among all builtins."""

from __future__ import annotations

import pytest

from partner_desktop.mind.question import EvaluateIntent
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.mind.asking import read
from tests.tables import all_rows

#: One for all requests, as it is in a Partner: it analyses the abilities once.
MIND = StarterMind()
ASKED = {
    "start": [
        "run `ping -c 100 localhost` in the background",
        "run ping -c 100 localhost in the background",
        "start make -j4 in the background",
        "please execute `sleep 60` in the background",
        "在后台运行 `ping -c 3 localhost`",
        "把 `make all` 放到后台运行",
    ],
    "overview": [
        "what is running in the background",
        "which commands are running in the background",
        "list background commands",
        "后台在运行什么",
        "列出后台命令",
    ],
    "cancel": ["stop the background command", "kill the background process", "停止后台命令"],
    "inspect": ["how is the background command doing", "查看后台命令的状态"],
    "read": ["show me the output of the background command", "读取后台命令的输出"],
    "execute": ["run ls -la", "run `sleep 3`", "please run git status", "run the command df -h", "执行 ls"],
}


@all_rows("text, name", [(text, name) for name, texts in ASKED.items() for text in texts])
async def test_the_right_ability_is_chosen(text: str, name: str) -> None:
    evaluation = await MIND.ask(EvaluateIntent(text, builtin_infos()))
    assert evaluation.chosen is not None
    assert evaluation.chosen.key == f"builtin::command::{name}"


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("run `ping -c 100 localhost` in the background", ["ping", "-c", "100", "localhost"]),
        ("run ping -c 100 localhost in the background", ["ping", "-c", "100", "localhost"]),
        ("start make -j4 in the background, please", ["make", "-j4"]),
        ("在后台运行 `ping -c 3 localhost`", ["ping", "-c", "3", "localhost"]),
        ("后台运行 make all", ["make", "all"]),
    ],
)
async def test_the_command_line_is_what_was_meant(text: str, argv: list[str]) -> None:
    start = next(info for info in builtin_infos() if info.key == "builtin::command::start")
    assert (await read(text, start)).values == {"argv": argv}


async def test_a_command_line_in_the_terminal_loses_the_place_not_its_arguments() -> None:
    execute = next(info for info in builtin_infos() if info.key == "builtin::command::execute")
    found = await read("run `ls -la /tmp` in the terminal", execute)
    assert found.values == {"argv": ["ls", "-la", "/tmp"]}
