"""The Chinese window over a real Partner: every page and panel is opened, and what can go wrong goes wrong.

No Latin sentence is seen but names, paths, code, and what the person's own files say.
"""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt

from partner_desktop.desktop.language import LanguageChoice
from tests.support import Watcher

from .scene import Scene
from .walk import texts

pytestmark = pytest.mark.integration

#: Three words in a row, with what stands between words of a sentence.
_SENTENCE = re.compile(r"[A-Za-z][A-Za-z'’]+(?:[ ,;:—–]+(?:[A-Za-z'’]+)){2,}")
#: Of a text: what is code, a command, a path, a link or a key of an ability.
_NAMED = re.compile(
    r"partner-desktop(?: [a-z]+)+(?: [A-Z]+)?|`[^`]*`|<code>.*?</code>"
    r"|(?:~|\.|/)[\w./~-]+|\w+::[\w:.-]+|https?:\S+|<[^>]+>"
)

BROKEN = """\
# /// partner
# description = "弄坏"
# ///
import sys
print("没办法", file=sys.stderr)
sys.exit(3)
"""
FAULTY = """\
# /// partner
# description = 7
# ///
print("x")
"""


class Eyes:
    """What was English, with where it stood."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.found: dict[str, str] = {}

    def look(self, where: str) -> None:
        for widget, text in texts(self._scene.window):
            plain = _NAMED.sub("", text)
            for match in _SENTENCE.finditer(plain):
                self.found.setdefault(match[0], f"{where}: {widget}: {text}")


async def say(scene: Scene, text: str) -> None:
    composer = scene.window.page.composer
    composer.edit.setFocus()
    composer.set_text(text)
    await scene.key(Qt.Key.Key_Return)


@pytest.mark.promise("framework.messages")
def test_no_english_sentence_reaches_the_chinese_window(scene: Scene) -> None:
    eyes = Eyes(scene)
    scene.language = LanguageChoice.CHINESE
    scene.play(lambda: _everything(scene, eyes))
    assert not eyes.found


async def _everything(scene: Scene, eyes: Eyes) -> None:
    window, partner = scene.window, scene.partner
    dynamic = scene.action_dir / "dynamic"
    mcp = scene.action_dir / "mcp"
    mcp.mkdir(exist_ok=True)
    (dynamic / "break_it.py").write_text(BROKEN, encoding="utf-8")
    (dynamic / "faulty.py").write_text(FAULTY, encoding="utf-8")
    (mcp / "bad.json").write_text('{"weather": {"command": 7}}', encoding="utf-8")
    (mcp / "gone.json").write_text('{"gone": {"command": "/no/such/program"}}', encoding="utf-8")
    await scene.until(lambda: sum(each.path is not None for each in partner.abilities.list()) >= 2)
    await scene.until(lambda: len(partner.servers.list()) >= 1)
    watcher = Watcher()
    partner.subscribe(watcher)
    eyes.look("abilities")
    for number in range(4):
        await scene.do(lambda number=number: window.show_tab(number))  # type: ignore[misc] # bound early
        eyes.look(f"tab {number}")
    said = [
        "你好",
        "你会做什么",
        "把 ~/没有的文件.txt 移到 ~/文档",
        "算了",
        "运行 break_it",
        "好",
        "看看 ~ 里有什么",
        "新建文件夹 ~/甲，然后新建文件夹 ~/乙",
        "好",
        "刚才做了什么",
        "撤销",
        "好",
        "讲个笑话",
        "你记得我什么",
        "你有哪些服务器",
        "为什么失败了",
        "加密 ~/文档",
        "每天早上八点提醒我",
        "下载 https://example.org/x",
    ]
    for text in said:
        watcher.events.clear()
        await say(scene, text)
        await watcher.done()
        await scene.do(lambda: None)
        eyes.look(text)
    for wanted in (
        window.models_wanted,
        window.permissions_wanted,
        window.audit_wanted,
        window.settings_wanted,
    ):
        await scene.do(wanted.emit)
        for _ in range(20):
            await scene.do(lambda: None)
        eyes.look(str(wanted))
        await scene.do(window.escape)
    (scene.home.config / "runtime.toml").write_text('parallel_turns = "many"', encoding="utf-8")
    await scene.until(lambda: any(file.problems for file in partner.config.files()))
    await scene.do(window.settings_wanted.emit)
    await scene.do(lambda: None)
    eyes.look("a wrong settings file")
    await scene.do(window.toggle_keys)
    eyes.look("keys")
