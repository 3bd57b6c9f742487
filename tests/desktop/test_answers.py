"""Answers to an open question are a click away."""

from __future__ import annotations

from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ActionEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject

from .fake_partner import FakePartner
from .samples import ability, count_action
from .stage import Stage


def ask(stage: Stage, partner: FakePartner, **facts: object) -> list[str]:
    """A question in the open conversation; what is offered for it."""
    window = stage.open(partner, size=(900, 600))
    asking = count_action("q1", status=ActionStatus.ASKING, **facts)
    stage.do(lambda: partner.deliver(ActionEvent(conversation_id=asking.conversation_id, action=asking)))
    stage.until(lambda: len(window.panel.abilities_tab.abilities) >= len(partner.known_abilities))
    return [button.text() for button in window.page.answers.buttons]


def schema(**param: object) -> JsonObject:
    return {"type": "object", "properties": {"mode": {**param}}, "required": ["mode"]}  # type: ignore[dict-item]


def test_abilities_on_offer_are_buttons_and_a_click_says_the_name(stage: Stage, partner: FakePartner) -> None:
    one, two = ability("crop_square", "Crop"), ability("keep_shape", "Keep")
    partner.known_abilities = [one, two]
    assert ask(stage, partner, options=(one.key, two.key)) == ["Crop square", "Keep shape"]
    window = stage.window
    stage.do(window.page.answers.buttons[1].click)
    stage.until(lambda: partner.sent)
    assert [message.text for message in partner.sent] == ["Keep shape"]


def test_the_choices_of_a_parameter_are_buttons(stage: Stage, partner: FakePartner) -> None:
    offered = ask(stage, partner, asked_param="mode", schema=schema(type="string", enum=["fit", "fill"]))
    assert offered == ["fit", "fill"]


def test_a_missing_folder_can_be_chosen(stage: Stage, partner: FakePartner) -> None:
    offered = ask(
        stage,
        partner,
        asked_param="mode",
        schema=schema(type="string", format="path", description="a folder"),
    )
    assert offered == ["Choose a folder…"]


def test_they_leave_with_the_question_and_belong_to_its_conversation(
    stage: Stage, partner: FakePartner
) -> None:
    facts = {"asked_param": "mode", "schema": schema(type="string", enum=["fit", "fill"])}
    ask(stage, partner, **facts)
    window = stage.window
    stage.do(window.sidebar.new_pressed.emit)
    assert not window.page.answers.isVisible()
    ended = count_action("q1", status=ActionStatus.EXPIRED, **facts)
    stage.do(lambda: partner.deliver(ResultEvent(conversation_id=ended.conversation_id, action=ended)))
    stage.do(lambda: stage.session.open(ended.conversation_id))
    assert not window.page.answers.isVisible()
