"""Answers to an open question are a click away."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ActionEvent, ResultEvent
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Plan
from partner_desktop.domain.plan import Stage as Stages
from partner_desktop.language.speech_acts.assent import judge

from .chain_samples import step
from .moments import Moments
from .samples import count_action
from .server_samples import tool
from .stage import Stage

pytestmark = pytest.mark.integration


def ask(stage: Stage, moments: Moments, **facts: object) -> list[str]:
    """A question in the open conversation; what is offered for it."""
    window = stage.open(moments, size=(900, 600))
    asking = count_action("q1", status=ActionStatus.ASKING, **facts)
    stage.do(lambda: moments.deliver(ActionEvent(conversation_id=asking.conversation_id, action=asking)))
    return [button.text() for button in window.page.answers.buttons]


def schema(**param: object) -> JsonObject:
    return {"type": "object", "properties": {"mode": {**param}}, "required": ["mode"]}  # type: ignore[dict-item]


def test_abilities_on_offer_are_buttons_and_a_click_says_the_name(stage: Stage, moments: Moments) -> None:
    moments.add_ability("crop_square", "Crop")
    moments.add_ability("keep_shape", "Keep")
    ask(stage, moments, options=("local::crop_square", "local::keep_shape"))
    window, wanted = stage.window, ["Crop square", "Keep shape", "Never mind"]
    stage.until(lambda: [button.text() for button in window.page.answers.buttons] == wanted)
    stage.do(window.page.answers.buttons[1].click)
    stage.until(moments.said)
    assert moments.said() == ["Keep shape"]


def test_tools_of_the_same_name_are_told_apart_by_their_server(stage: Stage, moments: Moments) -> None:
    ask(stage, moments, options=("time::now", "wall::now"))
    tools = (tool("time", "now"), tool("wall", "now"))
    stage.do(lambda: moments.deliver(AbilitiesEvent(changed=tools, removed=())))
    wanted = ["Now · time", "Now · wall", "Never mind"]
    stage.until(lambda: [button.text() for button in stage.window.page.answers.buttons] == wanted)


def test_the_choices_of_a_parameter_are_buttons(stage: Stage, moments: Moments) -> None:
    offered = ask(stage, moments, asked_param="mode", schema=schema(type="string", enum=["fit", "fill"]))
    assert offered == ["fit", "fill", "Never mind"]


def test_the_choices_of_a_step_of_a_plan_are_buttons_too(stage: Stage, moments: Moments) -> None:
    one = step("s1", schema=schema(type="string", enum=["fit", "fill"]))
    chain = Plan((Stages((one,)),), asked_step="s1")
    offered = ask(stage, moments, asked_param="mode", schema={}, chain=chain)
    assert offered == ["fit", "fill", "Never mind"]


def test_a_missing_folder_can_be_chosen(stage: Stage, moments: Moments) -> None:
    offered = ask(
        stage,
        moments,
        asked_param="mode",
        schema=schema(type="string", format="path", description="a folder"),
    )
    assert offered == ["Choose a folder…", "Never mind"]


def test_the_folder_is_chosen_in_a_dialog_and_said_as_a_person_writes_it(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    ask(
        stage,
        moments,
        asked_param="mode",
        schema=schema(type="string", format="path", description="a folder"),
    )
    stage.do(stage.window.page.answers.buttons[0].click)
    (dialog,) = stage.window.findChildren(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    assert dialog.testOption(QFileDialog.Option.DontUseNativeDialog), "nobody could see the system's own"
    stage.do(lambda: dialog.fileSelected.emit(str(user_home / "My Music")))
    stage.do(dialog.reject)
    stage.until(moments.said)
    assert moments.said() == ['"~/My Music"']


def test_a_question_for_free_words_can_still_be_dropped_by_a_click(stage: Stage, moments: Moments) -> None:
    assert ask(stage, moments, asked_param="mode", schema=schema(type="string")) == ["Never mind"]
    stage.do(stage.window.page.answers.buttons[0].click)
    stage.until(moments.said)
    (said,) = moments.said()
    assert said == "never mind"
    assert judge(said) is Confirmation.REJECT


def test_in_a_chinese_window_it_is_dropped_in_chinese(stage: Stage, moments: Moments) -> None:
    ask(stage, moments, asked_param="mode", schema=schema(type="string"))
    language = stage.window.language
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    try:
        (button,) = stage.window.page.answers.buttons
        assert button.text() == "算了"
        stage.do(button.click)
        stage.until(moments.said)
    finally:
        stage.do(lambda: language.choose(LanguageChoice.ENGLISH))
    assert moments.said() == ["算了"]
    assert judge("算了") is Confirmation.REJECT


def test_they_leave_with_the_question_and_belong_to_its_conversation(stage: Stage, moments: Moments) -> None:
    facts = {"asked_param": "mode", "schema": schema(type="string", enum=["fit", "fill"])}
    ask(stage, moments, **facts)
    window = stage.window
    stage.do(window.sidebar.new_pressed.emit)
    assert not window.page.answers.isVisible()
    ended = count_action("q1", status=ActionStatus.EXPIRED, **facts)
    stage.do(lambda: moments.deliver(ResultEvent(conversation_id=ended.conversation_id, action=ended)))
    stage.do(lambda: stage.session.open(ended.conversation_id))
    assert not window.page.answers.isVisible()
