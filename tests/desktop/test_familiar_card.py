"""Familiar requests on the page of models: how many, what they saved, and how one or all are forgotten."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.models.models_page import FamiliarCard
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ResultEvent

from .moments import Moments
from .samples import count_action
from .stage import Stage

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.cache")]


def confirm(moments: Moments, words: str, *, times: int = 6) -> None:
    """Asked for in these words and done, so many times."""
    for number in range(times):
        record = count_action(
            f"{words[:4]}{number}",
            exchange_id=f"e{number}",
            request_text=words,
            status=ActionStatus.SUCCEEDED,
        )
        moments.deliver(ResultEvent(conversation_id=record.conversation_id, action=record))


def open_card(stage: Stage) -> FamiliarCard:
    stage.do(stage.window.sidebar.status.mind_button.click)
    card = stage.session.models.page.familiar
    stage.until(card.isVisible)
    return card


def lines(card: FamiliarCard) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel) if "→" in label.text()]


def test_what_is_familiar_is_shown_and_forgotten_one_by_one_or_all(stage: Stage, moments: Moments) -> None:
    moments.add_conversation("Files")
    stage.open(moments)
    stage.do(lambda: confirm(moments, "tell me how many file types lie in ~/Downloads"))
    stage.do(lambda: confirm(moments, "tot up the kinds of documents", times=6))
    stage.do(lambda: confirm(moments, "only once asked for", times=1))
    card = open_card(stage)
    assert card.summary.text() == "Familiar requests: 2 · calls saved: 0 · seconds saved: 0.0"
    assert len(lines(card)) == 2
    assert "tell me how many file types lie in …" in " ".join(lines(card))
    stage.do(next(iter(card.forget_buttons.values())).click)
    stage.until(lambda: len(lines(card)) == 1)
    stage.do(card.clear_button.click)
    stage.until(lambda: not card.isVisible())
    assert stage.run(moments.partner.familiar.list()) == []


def test_nothing_is_shown_while_nothing_is_familiar(stage: Stage, moments: Moments) -> None:
    moments.add_conversation("Files")
    stage.open(moments)
    stage.do(lambda: confirm(moments, "tell me how many file types there are", times=5))
    stage.do(stage.window.sidebar.status.mind_button.click)
    stage.settle()
    card = stage.session.models.page.familiar
    assert not card.isVisible()
    stage.do(lambda: confirm(moments, "how many types of file types are there", times=6))
    stage.until(card.isVisible)


def test_it_speaks_the_language_of_the_window(stage: Stage, moments: Moments) -> None:
    app = QApplication.instance()
    assert app is not None
    language = Language(app)
    moments.add_conversation("Files")
    stage.open(moments)
    stage.do(lambda: confirm(moments, "tell me how many file types lie in ~/Downloads"))
    card = open_card(stage)
    try:
        stage.do(lambda: language.choose(LanguageChoice.CHINESE))
        assert card.summary.text() == "熟悉的请求：1 · 省下的调用：0 · 省下的秒数：0.0"
        assert card.clear_button.text() == "全部忘记"
    finally:
        stage.do(lambda: language.choose(LanguageChoice.ENGLISH))
