"""A newcomer adds an MCP server in the window, asks for its tool in words, breaks it and mends it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from partner_desktop.desktop.panel.server.forms import AddServerForm
from partner_desktop.desktop.panel.server.page import ServerPage
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.mcp_server import ServerPhase
from tests.action.mcp.serving import PLAIN, write

from .scene import Scene, played

#: A server's program and the SDK are loaded: that alone takes seconds on a busy machine.
START_S = 30.0


def clock(*more: str) -> dict[str, Any]:
    """The configuration of `mcp-server-time`, as other clients write it."""
    arguments = ["-m", "mcp_server_time", "--local-timezone", *(more or ("Etc/UTC",))]
    return {"mcpServers": {"time": {"command": sys.executable, "args": arguments}}}


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(START_S):
        while not holds():  # noqa: ASYNC110 - a widget's state has no event to wait for
            await asyncio.sleep(0.01)


def row_titles(scene: Scene) -> list[str]:
    return [row.title for row in scene.window.panel.abilities_tab.list.rows.rows]


async def add_by_pasting(scene: Scene, config: str) -> None:
    tab = scene.window.panel.abilities_tab
    await scene.do(lambda: scene.window.show_tab(1))
    button = next(
        each for each in tab.findChildren(QPushButton) if each.text() == "Add a server…" and each.isVisible()
    )
    await scene.click(button)
    form = tab.form
    assert isinstance(form, AddServerForm)
    await scene.do(lambda: form.config.setPlainText(config))
    await scene.click(form.save_button)
    await scene.until(lambda: tab.form is None)


async def page_of(scene: Scene, title: str) -> ServerPage:
    """The server's page, opened from its row by keyboard."""
    tab = scene.window.panel.abilities_tab
    at = next(at for at, row in enumerate(tab.list.rows.rows) if row.title == title)
    await scene.do(lambda: tab.list.setFocus(Qt.FocusReason.TabFocusReason))
    await scene.do(lambda: tab.list.setCurrentIndex(tab.list.rows.index(at)))
    await scene.key(Qt.Key.Key_Return)
    assert isinstance(tab.form, ServerPage)
    return tab.form


@pytest.mark.integration
@pytest.mark.promise("desktop.panels.abilities")
@played
async def test_a_pasted_server_is_asked_in_words_and_a_broken_one_tells_why_and_recovers(
    scene: Scene,
) -> None:
    pytest.importorskip("mcp_server_time", reason="mcp-server-time is in the `test` extra")
    await add_by_pasting(scene, json.dumps(clock()))
    # Beside it the server itself may ask already.
    await scene.until(
        lambda: any(toast.startswith("The server time was added, in ") for toast in scene.toasts())
    )
    await until(lambda: {"time", "Get current time", "Convert time"} <= set(row_titles(scene)))

    card = await scene.ask("get current time in Tokyo")
    assert card.record is not None
    assert card.foot is not None
    assert (card.record.key, card.record.params) == ("time::get_current_time", {"timezone": "Asia/Tokyo"})
    await scene.click(card.foot.buttons["once"])
    ran = await scene.ended(card)
    assert ran.status is ActionStatus.SUCCEEDED
    assert "Asia/Tokyo" in ran.stdout

    page = await page_of(scene, "time")
    file = scene.action_dir / "mcp" / "time.json"
    write(scene.action_dir, file.name, clock("Mars/Base"))
    await until(lambda: page.failure.isVisible() and "Mars/Base" in page.failure.stderr.toPlainText())
    assert "exit code 1" in page.failure.message.text()
    assert page.failure.step.text() == "while connecting · exit code 1"
    await until(lambda: "Get current time" not in row_titles(scene))

    write(scene.action_dir, file.name, clock())
    await until(lambda: page.state.words.text() == "ready · 2 tools")
    assert not page.failure.isVisible()
    await scene.click(page.state.switch_button)
    await until(lambda: page.server.phase is ServerPhase.STOPPED)
    assert page.state.switch_button.text() == "Turn on"
    await scene.click(page.state.switch_button)
    await until(lambda: page.server.phase is ServerPhase.READY)
    await until(lambda: {"Get current time", "Convert time"} <= set(row_titles(scene)))


@pytest.mark.integration
@pytest.mark.promise("actions.mcp.secrets")
def test_a_server_that_a_file_brought_starts_after_the_yes_on_its_page_and_its_token_moves_by_a_press(
    scene: Scene, tmp_path: Path
) -> None:
    mark, token = tmp_path / "it ran", "ghp_0123456789"
    line = f"touch '{mark}'; exec '{sys.executable}' -S -E '{PLAIN}'"
    helper = {"command": "sh", "args": ["-c", line], "env": {"GITHUB_TOKEN": token}}

    async def story() -> None:
        file = write(scene.action_dir, "helper.json", {"helper": helper})
        await scene.do(lambda: scene.window.show_tab(1))
        await until(lambda: "helper" in row_titles(scene))
        page = await page_of(scene, "helper")
        question = page.question
        await until(lambda: question.isVisible() and question.seen)
        assert page.state.words.text() == "waits for your yes"
        assert str(mark) in question.sentence.text()
        assert token not in question.sentence.text()
        assert not mark.exists()
        await scene.click(question.allow_button)
        await until(lambda: page.server.phase is ServerPhase.READY)
        assert mark.exists()
        assert question.isHidden()

        assert "GITHUB_TOKEN" in page.plain.words.text()
        await scene.click(page.plain.move_button)
        await until(page.plain.isHidden)
        assert token not in file.read_text()
        await until(lambda: page.server.phase is ServerPhase.READY)

    scene.trusting = False
    scene.play(story)
