"""The retained dialog: what was said before a turn."""

from __future__ import annotations

from datetime import UTC, datetime

from partner_desktop.communication.prompt_budget import dialog_before
from partner_desktop.domain.message import Message, Role

AT = datetime(2030, 1, 2, tzinfo=UTC)


def message(name: str, text: str, role: Role = Role.USER) -> Message:
    return Message(id=name, conversation_id="c", role=role, text=text, created_at=AT)


def test_of_two_equal_messages_of_one_moment_only_what_came_before_the_answered_one_is_carried() -> None:
    dialog = [
        message("a", "hello"),
        message("b", "hello there", Role.PARTNER),
        message("c", "yes"),
        message("d", "yes"),
    ]
    answered = ("c",)
    assert [each.id for each in dialog_before(dialog, answered)] == ["a", "b"]
    told: tuple[str, ...] = ()
    assert len(dialog_before(dialog, told)) == 4, "nobody spoke in this turn"
