"""The name in a chat's header: who answers in this conversation, and the others behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.desktop.chat.model_switch import ModelSwitch

from .model_samples import QWEN
from .moments import Moments
from .stage import Stage
from .test_model_offers import press
from .test_models_page import configure, tell

pytestmark = pytest.mark.integration


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A model file, by its first letters."""
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF")
    return path


def switch_of(stage: Stage) -> ModelSwitch:
    return stage.window.page.header.model_switch


def choose(stage: Stage, words: str) -> None:
    """Open the list and take one of it."""
    switch = switch_of(stage)
    press(stage, switch)
    action = next(one for one in switch.choices.actions() if one.text() == words)
    stage.do(action.trigger)
    stage.do(switch.choices.close)


def test_it_is_there_where_there_is_something_to_choose(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    assert not switch_of(stage).isVisible()
    tell(stage, moments, QWEN, mind=QWEN.name)
    assert switch_of(stage).text() == "Qwen3 4B ▾"
    assert switch_of(stage).isVisible()
    stage.do(lambda: stage.session.open(""))
    assert not switch_of(stage).isVisible(), "a new chat is no conversation yet"


def test_a_model_is_chosen_for_one_conversation_alone(stage: Stage, moments: Moments, small: Path) -> None:
    configure(moments, small)
    moments.add_conversation("Trip to Ulm")
    stage.open(moments)
    stage.do(lambda: stage.session.open("c1"))
    switch = switch_of(stage)
    assert switch.text() == "Starter mind ▾"
    choose(stage, "small")
    stage.until(lambda: switch.text() == "small ▾")
    assert moments.partner.models.chosen("c1") == "small"
    assert [one.in_use for one in moments.partner.models.list()] == [False]
    press(stage, switch)
    assert [one.text() for one in switch.choices.actions() if one.isChecked()] == ["small"]
    stage.do(switch.choices.close)
    stage.do(lambda: stage.session.open("c2"))
    assert switch.text() == "Starter mind ▾"
    stage.do(lambda: stage.session.open("c1"))
    choose(stage, "As everywhere (Starter mind)")
    stage.until(lambda: moments.partner.models.chosen("c1") == "")
    assert switch.text() == "Starter mind ▾"


def test_it_leads_to_all_of_them(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    tell(stage, moments, QWEN, mind=QWEN.name)
    choose(stage, "Models…")
    assert stage.window.page.shown is stage.session.models.page
