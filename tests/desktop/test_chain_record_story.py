"""A plan in the window with a real Partner behind it: listed, followed, read, asked for again."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from partner_desktop.desktop.panel.record.page import RecordPage
from partner_desktop.domain.action import ActionRecord, ActionStatus
from tests.support import UPPER_SCRIPT

from .in_actions import entries
from .scene import Scene

pytestmark = pytest.mark.integration

FENCE = """\
# /// partner
# description = "Paint the fence"
# ///
print("it is white")
"""


def test_a_plan_is_one_item_of_the_panel_and_its_record_tells_every_step(scene: Scene) -> None:
    folder = scene.action_dir / "dynamic"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "upper.py").write_text(UPPER_SCRIPT)
    (folder / "fence.py").write_text(FENCE)

    async def story() -> None:
        tab = scene.window.panel.actions_tab
        await scene.ask('shout "first" in capital letters and then paint the fence')
        (item,) = entries(scene.window, "waiting")
        plan: ActionRecord = item.record
        assert plan.title == "Upper → Fence"
        await scene.partner.actions.approve(plan.id, scope="once")
        await scene.until(lambda: item.record.status is ActionStatus.SUCCEEDED)
        assert entries(scene.window, "running") == []
        assert [each.record.id for each in entries(scene.window, "done")] == [plan.id]
        await scene.do(item.click)
        page = tab.page
        assert isinstance(page, RecordPage)
        await scene.until(lambda: "as a step of its plan" in words(page))
        assert "done" in words(page)
        await scene.click(page.head.again_button)
        await scene.until(lambda: len(entries(scene.window, "waiting")) == 1)
        assert entries(scene.window, "waiting")[0].record.title == "Upper → Fence"

    scene.play(story)


def words(page: RecordPage) -> str:
    labels = [each.text() for each in page.findChildren(QLabel) if each.isVisible()]
    texts = [each.toPlainText() for each in page.findChildren(QPlainTextEdit) if each.isVisible()]
    return "\n".join([*labels, *texts])
