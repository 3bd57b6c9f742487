"""What is planned, from the words to the panel, with a real Partner and without a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.domain.action import ActionStatus

from .in_actions import entries
from .on_card import button, words
from .scene import Scene

pytestmark = pytest.mark.integration

BACKUP = """\
# /// partner
# description = "Back up a folder into another one"
# aliases = ["back up"]
# [params.source]
# type = "string"
# format = "path"
# access = "read"
# description = "the folder to back up"
# [params.target]
# type = "string"
# format = "path"
# access = "write"
# description = "the folder to back up into"
# ///
print("backed up")
"""


async def say(scene: Scene, text: str) -> None:
    scene.window.page.composer.edit.setFocus()
    scene.window.page.composer.set_text(text)
    await scene.do(scene.window.page.composer.send_button.click)


def test_a_reminder_is_set_by_words_told_and_done(scene: Scene) -> None:
    async def story() -> None:
        planned = scene.window.panel.actions_tab.planned
        await say(scene, "remind me tomorrow at nine to call Ann")
        await scene.until(lambda: entries(scene.window, "scheduled"))
        (item,) = entries(scene.window, "scheduled")
        assert "tomorrow at 09:00" in item.words.lower()
        await scene.do(lambda: planned.asked.emit("run", item.schedule))
        await scene.until(lambda: scene.window.page.toasts.toasts)
        (toast,) = scene.window.page.toasts.toasts
        assert "call Ann" in toast.notice.words()
        await scene.click(toast.choice_buttons[0])
        await scene.until(lambda: not len(planned))

    scene.play(story)


def test_a_card_is_said_yes_to_and_listed_run_and_found_again(scene: Scene, tmp_path: Path) -> None:
    (scene.action_dir / "dynamic").mkdir(parents=True, exist_ok=True)
    (scene.action_dir / "dynamic" / "backup.py").write_text(BACKUP, encoding="utf-8")
    source, target = tmp_path / "Notes", tmp_path / "Backup"
    source.mkdir()
    target.mkdir()

    async def story() -> None:
        planned = scene.window.panel.actions_tab.planned
        card = await scene.ask(f"every weekday at 18:00 back up {source} to {target}")
        assert "Every weekday at 18:00" in words(card)
        await scene.click(button(card, "once"))
        record = await scene.ended(card)
        assert record.status is ActionStatus.SUCCEEDED
        assert card.head.status.text() == "scheduled"
        await scene.until(lambda: entries(scene.window, "scheduled"))
        (item,) = entries(scene.window, "scheduled")
        before = set(scene.cards)
        await scene.do(lambda: planned.asked.emit("run", item.schedule))
        run = await scene.next_card(before)
        assert (await scene.ended(run)).status is ActionStatus.SUCCEEDED
        assert "As scheduled: every weekday at 18:00" in words(run)
        await scene.until(lambda: item.schedule.last is not None and item.schedule.last.state == "done")

    scene.play(story)
