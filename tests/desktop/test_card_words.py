"""What stands around a run has names for a screen reader, and follows the language."""

from __future__ import annotations

import pytest

from partner_desktop.desktop.card.words import SandboxSeen
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.panel.actions.session_page import SessionPage
from partner_desktop.desktop.sidebar.status import StatusState
from partner_desktop.domain.action import ActionStatus, Undo, UndoState
from partner_desktop.domain.command_session import SessionState
from partner_desktop.domain.events import DecisionEvent
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.run_facts import Risk

from .chat import Chat
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


#: What keeps the sandbox away, in the person's own language.
WHY = "这里没有。"


def fill(stage: Stage, chat: Chat) -> None:
    """A card or an item of everything."""
    window = chat.open()
    tab = window.panel.actions_tab
    state = StatusState(started=True, finding="ready", sandbox=False, sandbox_reason=WHY)
    stage.do(lambda: window.sidebar.status.show_state(state))
    nowhere = SandboxSeen(available=False, reason=WHY)
    window.page.feed.card_added.connect(lambda _id, card: card.know_sandbox(nowhere))
    undone = left_behind("a1", **PLAIN, undo=Undo(UndoState.POSSIBLE, 3))
    for record in (
        undone,
        left_behind("a2", **PLAIN, undo=Undo(UndoState.GONE, 1), files=()),
        left_behind("a3", **PLAIN, undo=Undo(UndoState.DONE, 2), files=undone.files * 3),
        born("a4", title="新能力", description="写下来", schema={}, params={"code": CODE}),
        count_action("a5", **{**PLAIN, "isolation": OPEN, "risk": Risk.SYSTEM}),
        count_action("a6", **PLAIN),
    ):
        stage.do(lambda record=record: chat.propose(record))  # type: ignore[misc] # bound early
    tried = RunnerResponse(ok=False, stdout="1", stderr="2", exit_code=3, duration_ms=90)
    card = stage.card("a4")
    stage.do(lambda: card.begin_try().show_response(tried))
    stage.do(card.end_try)
    allowed = DecisionEvent(
        conversation_id="c1", action_id="a6", outcome="allow", scope="conversation", by="person"
    )
    stage.do(lambda: chat.deliver(allowed))
    stage.do(lambda: chat.change("a6", ActionStatus.RUNNING))
    for shows in (stage.card("a6"), tab.item("a6")):
        assert shows is not None
        stage.do(lambda shows=shows: shows.show_output("stdout", "12\n"))  # type: ignore[misc] # bound early
    ended = {"state": SessionState.FAILED, "exit_code": 2, "ended_at": NOON, "stdout_bytes": 900_000}
    states: tuple[dict[str, object], ...] = ({}, ended, {"state": SessionState.LOST})
    for number, facts in enumerate(states):
        one = command(f"s{number}", description="听", argv=("听",), cwd="/听", **facts)
        stage.do(lambda one=one: stage.session.store.commands.take([one]))  # type: ignore[misc] # bound early
        if facts is ended:
            stage.do(lambda one=one: tab.show_page(SessionPage(one, stage.theme)))  # type: ignore[misc] # bound early


def test_all_of_it_has_names_and_no_word_stays_behind(stage: Stage, chat: Chat, language: Language) -> None:
    fill(stage, chat)
    nameless = [repr(one) for one in controls(stage.window) if not one.accessibleName().strip()]
    assert nameless == []
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    files = ("report.html", "plots/types-by-month.png", "log.txt")
    code = ("Counter", "import", "python", " KB")
    left = [
        each for each in left_in_english(stage.window) if not any(word in each for word in (*files, *code))
    ]
    assert not left, "\n".join(left)
