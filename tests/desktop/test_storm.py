"""A thousand files at once: all of them are listed, and the person types on meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from .scene import Scene, played

STORM = 1_000
#: Rows that may come into the list in one step of the loop.
AT_ONCE = 200

SCRIPT = """\
# /// partner
# description = "Number {number}"
# [params.text]
# type = "string"
# ///
print({number})
"""


def write_storm(folder: Path) -> None:
    for number in range(STORM):
        (folder / f"storm{number:04}.py").write_text(SCRIPT.format(number=number))


@pytest.mark.promise("actions.folder.storm")
@played
@pytest.mark.slow
async def test_a_thousand_files_are_listed_while_the_person_types_on(scene: Scene) -> None:
    scene.window.show_tab(1)
    tab = scene.window.panel.abilities_tab
    rows = tab.list.rows
    edit = scene.window.page.composer.edit
    edit.setFocus()
    happened: list[str] = []
    steps: list[int] = []

    def came(_parent: QModelIndex, first: int, last: int) -> None:
        happened.append("rows")
        steps.append(last - first + 1)

    rows.rowsInserted.connect(came)
    edit.textChanged.connect(lambda: happened.append("key"))

    async def type_on() -> None:
        while True:
            QTest.keyClick(edit, Qt.Key.Key_A)
            await asyncio.sleep(0)

    def listed() -> int:
        return sum(1 for key in tab.known.abilities if key.startswith("local::storm"))

    typing = asyncio.create_task(type_on(), name="typing")
    saved = asyncio.create_task(asyncio.to_thread(write_storm, scene.action_dir / "dynamic"), name="storm")
    while (before := listed()) < STORM:
        await scene.until(lambda before=before: listed() > before)  # type: ignore[misc] # bound at once
    typing.cancel()
    await saved

    assert listed() == STORM
    assert {row.title for row in rows.rows} >= {f"Storm{number:04}" for number in range(STORM)}
    assert max(steps) <= AT_ONCE, "the list takes them in portions"
    told = "".join("r" if what == "rows" else "k" for what in happened)
    assert told.count("k") >= STORM / AT_ONCE
    # Of what is due in one round of the loop either may come first: "kr", then "rk".
    assert "rrr" not in told, f"a key waits for no more than the portions of two rounds: {told}"
    assert edit.toPlainText() == "a" * told.count("k"), "no key was lost"
