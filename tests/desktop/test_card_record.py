"""The card shows the record of a run itself, whatever is said beside it."""

from __future__ import annotations

import pytest

from partner_desktop.domain.action import ActionStatus

from .chat import Chat
from .on_card import words
from .stage import Stage


@pytest.mark.promise("communication.evidence")
@pytest.mark.integration
def test_a_card_shows_the_record_of_its_run_and_not_what_a_reply_claims(stage: Stage, chat: Chat) -> None:
    chat.open()
    card = stage.propose(chat)
    stage.do(
        lambda: chat.change(
            "a1", ActionStatus.FAILED, error="The scales are broken.", stdout="half of it", exit_code=3
        )
    )
    stage.do(lambda: chat.stream("c1", "r1", ["It went perfectly: 7.3 tons."]))
    shown = words(card)
    assert "The scales are broken." in shown
    assert "half of it" in shown
    assert "failed" in shown
    assert "perfectly" not in shown
