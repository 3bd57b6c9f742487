"""A plan on the real Partner: approved, edited, skipped, cancelled and run again, by mouse and by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.plan import StepStatus

from .on_card import button, words
from .scene import Scene, played

pytestmark = [pytest.mark.promise("desktop.approve"), pytest.mark.integration]

Press = Callable[[Scene, QPushButton], Awaitable[None]]

SHOUT = """# /// partner
# description = "Shout a text in capital letters"
# [params.text]
# description = "what to shout"
# ///
import json, sys
print(json.load(sys.stdin)["text"].upper())
"""
MIRROR = """# /// partner
# description = "Mirror a text so that it reads backwards"
# [params.text]
# description = "what to mirror"
# ///
import json, sys
print(json.load(sys.stdin)["text"][::-1])
"""
HOLD = """# /// partner
# description = "Hold the line until somebody comes"
# ///
import signal
signal.pause()
"""
BOTH = 'shout "hello" in capital letters and then mirror "abc" so that it reads backwards'


async def by_mouse(scene: Scene, wanted: QPushButton) -> None:
    await scene.click(wanted)


async def by_keyboard(scene: Scene, wanted: QPushButton) -> None:
    await scene.tab_to(wanted)
    await scene.key(Qt.Key.Key_Return)


both_ways = pytest.mark.parametrize("pressing", [by_mouse, by_keyboard])


@pytest.fixture(autouse=True)
def two_abilities(action_dir: Path) -> None:
    (action_dir / "dynamic").mkdir(exist_ok=True)
    (action_dir / "dynamic" / "shout.py").write_text(SHOUT)
    (action_dir / "dynamic" / "mirror.py").write_text(MIRROR)


def statuses(card: ActionCard) -> list[StepStatus]:
    assert card.record is not None
    assert card.record.chain is not None
    return [step.status for step in card.record.chain.steps]


@both_ways
@played
async def test_one_yes_runs_every_step_and_run_again_asks_anew(scene: Scene, pressing: Press) -> None:
    card = await scene.ask(BOTH)
    assert card.plan is not None, words(card)
    await pressing(scene, button(card, "once"))
    await scene.ended(card)
    assert statuses(card) == [StepStatus.SUCCEEDED] * 2
    await pressing(scene, next(iter(card.plan.rows.values())).button)
    await scene.until(lambda: "HELLO" in words(card))
    before = set(scene.cards)
    await pressing(scene, button(card, "again"))
    again = await scene.next_card(before)
    assert again.plan is not None
    assert len(again.plan.rows) == 2
    assert button(again, "once").isVisible()


@both_ways
@played
async def test_the_plan_runs_as_it_was_edited(scene: Scene, pressing: Press) -> None:
    card = await scene.ask(BOTH)
    assert card.plan is not None
    first, second = card.plan.rows
    await pressing(scene, button(card, "edit"))
    editor = card.plan.editor
    assert editor is not None
    await pressing(scene, editor.rows[second].change)
    await scene.until(lambda: isinstance(scene.focused(), QPlainTextEdit | QLineEdit))
    scene.focused().selectAll()  # type: ignore[attr-defined] # the field of the text
    await scene.type("xyz")
    await pressing(scene, editor.rows[first].drop)
    await pressing(scene, editor.save_button)
    await scene.until(lambda: card.plan is not None and card.plan.editor is None)
    await scene.let_listen(card)
    assert card.record is not None
    assert card.record.status is ActionStatus.WAITING
    await pressing(scene, button(card, "once"))
    await scene.ended(card)
    (step,) = await scene.partner.actions.steps(card.record.id)
    assert step.stdout.strip() == "zyx"


@both_ways
@played
async def test_while_it_runs_a_step_is_skipped_and_then_all_is_cancelled(
    scene: Scene, pressing: Press
) -> None:
    (scene.action_dir / "dynamic" / "hold.py").write_text(HOLD)
    await scene.until(lambda: scene.ability("local::hold"))
    card = await scene.ask(f"hold the line for somebody and then {BOTH}")
    plan = card.plan
    assert plan is not None
    _, shouts, _ = plan.rows
    await pressing(scene, button(card, "once"))
    await scene.until(lambda: statuses(card)[0] is StepStatus.RUNNING)
    await scene.let_listen(card)
    skip = plan.rows[shouts].skip_button
    assert skip is not None
    await pressing(scene, skip)
    await scene.until(lambda: shouts not in plan.rows or statuses(card)[1] is StepStatus.SKIPPED)
    await scene.let_listen(card)
    await pressing(scene, button(card, "cancel"))
    assert (await scene.ended(card)).status is ActionStatus.CANCELLED
    assert StepStatus.SUCCEEDED not in statuses(card)
