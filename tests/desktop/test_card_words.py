"""What stands around a run has names for a screen reader, and follows the language."""

from __future__ import annotations

import pytest

from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.domain.action import ActionStatus, Undo, UndoState
from partner_desktop.domain.command_session import SessionState
from partner_desktop.domain.events import DecisionEvent
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.run_facts import Risk

from .fake_partner import FakePartner, FakeSandbox
from .run_samples import CODE, born, command, left_behind
from .samples import NOON, OPEN, count_action
from .stage import Stage
from .test_language import language, left_in_english
from .test_names import controls

__all__ = ["language"]

pytestmark = pytest.mark.integration

#: Facts that no language changes.
PLAIN: dict[str, object] = {
    "title": "清点",
    "description": "数一数",
    "params": {},
    "schema": {},
    "paths": (),
    "stdout": "1\n2\n",
}


def fill(stage: Stage, partner: FakePartner) -> None:
    """A card or an item of everything."""
    partner.sandbox = FakeSandbox(available=False, reason="这里没有。")
    partner.known_conversations.clear()
    partner.add_conversation("整理")
    partner.known_messages.clear()
    partner.tried = RunnerResponse(ok=False, stdout="1", stderr="2", exit_code=3, duration_ms=90)
    partner.add_message("c1", Role.USER, "说")
    window = stage.open(partner)
    undone = left_behind("a1", **PLAIN, undo=Undo(UndoState.POSSIBLE, 3))
    for record in (
        undone,
        left_behind("a2", **PLAIN, undo=Undo(UndoState.GONE, 1), files=()),
        left_behind("a3", **PLAIN, undo=Undo(UndoState.DONE, 2), files=undone.files * 3),
        born("a4", title="新能力", description="写下来", schema={}, params={"code": CODE}),
        count_action("a5", **{**PLAIN, "isolation": OPEN, "risk": Risk.SYSTEM}),
        count_action("a6", **PLAIN),
    ):
        stage.do(lambda record=record: partner.propose(record))  # type: ignore[misc] # bound early
    card = window.page.feed.card("a4")
    assert card is not None
    card.try_pressed.emit("a4", None)
    stage.do(
        lambda: partner.deliver(
            DecisionEvent(
                conversation_id="c1", action_id="a6", outcome="allow", scope="conversation", by="person"
            )
        )
    )
    stage.do(lambda: partner.change("a6", ActionStatus.RUNNING))
    stage.do(lambda: partner.print("a6", "12\n"))
    ended = {"state": SessionState.FAILED, "exit_code": 2, "ended_at": NOON, "stdout_bytes": 900_000}
    states: tuple[dict[str, object], ...] = ({}, ended, {"state": SessionState.LOST})
    for number, facts in enumerate(states):
        one = command(f"s{number}", description="听", argv=("听",), cwd="/听", **facts)
        stage.do(lambda one=one: partner.show_session(one))  # type: ignore[misc] # bound early
    stage.do(lambda: window.panel.actions_tab.session_chosen.emit(partner.known_sessions["s1"]))


def test_all_of_it_has_names_and_no_word_stays_behind(
    stage: Stage, partner: FakePartner, language: Language
) -> None:
    fill(stage, partner)
    nameless = [repr(one) for one in controls(stage.window) if not one.accessibleName().strip()]
    assert nameless == []
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    files = ("report.html", "plots/types-by-month.png", "log.txt")
    code = ("Counter", "import", "python", " KB")
    left = [
        each for each in left_in_english(stage.window) if not any(word in each for word in (*files, *code))
    ]
    assert not left, "\n".join(left)
