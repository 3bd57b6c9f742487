"""While a server works for a card: its progress, its questions, and what it brought beside text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QColor, QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.extras import QuestionView
from partner_desktop.desktop.forms.choice_fields import SeveralField
from partner_desktop.desktop.forms.form import FormRow
from partner_desktop.desktop.parts.result_parts import MOST_PIXELS_A_SIDE
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.action import ActionStatus, ResultPart
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import ElicitationEvent, ProgressEvent
from partner_desktop.domain.json_value import JsonObject

from .moments import Moments
from .samples import count_action
from .server_samples import OUTSIDE, question
from .stage import Stage

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration


def running(stage: Stage, moments: Moments, size: tuple[int, int] = (1280, 800)) -> ActionCard:
    """A card whose run has begun."""
    stage.open(moments, size=size)
    card = stage.propose(moments, isolation=OUTSIDE, key="travel::book")
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING))
    return card


def ask(stage: Stage, moments: Moments, card: ActionCard, one: Elicitation) -> QuestionView:
    """The question on the card, past its quiet moment."""
    stage.do(lambda: elicit(moments, one))
    stage.let_listen(card)
    return card.questions.views[one.id]


def rows(view: QuestionView) -> list[FormRow]:
    return list(view.form.rows.values())


def elicit(moments: Moments, one: Elicitation, *, open: bool = True) -> None:  # noqa: A002 - as the event calls it
    """A server asks, or does not need the answer any more."""
    moments.deliver(ElicitationEvent(conversation_id="c1", elicitation=one, open=open))


def answers(card: ActionCard) -> list[tuple[str, ElicitationAnswer]]:
    """What the card has the person say from now on."""
    found: list[tuple[str, ElicitationAnswer]] = []
    card.questions.answered.connect(lambda one, answer: found.append((one, answer)))
    return found


def tell(moments: Moments, done: float, total: float | None = None, message: str = "") -> None:
    moments.deliver(
        ProgressEvent(conversation_id="c1", action_id="a1", progress=done, total=total, message=message)
    )


def said(part: QWidget) -> str:
    return "\n".join(label.text() for label in part.findChildren(QLabel) if label.isVisibleTo(part))


class Opened(QObject):
    """Takes what would open elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[QUrl] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url)


@pytest.fixture
def opened() -> Iterator[Opened]:
    one = Opened()
    for scheme in ("file", "https"):
        QDesktopServices.setUrlHandler(scheme, one, "take")  # type: ignore[arg-type] # the stub says bytes
    yield one
    for scheme in ("file", "https"):
        QDesktopServices.unsetUrlHandler(scheme)


# Where it runs.


def test_a_card_says_that_a_server_does_the_work_outside_the_sandbox(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    card = stage.propose(moments, isolation=OUTSIDE, key="time::get")
    assert card.head.isolation.text() == "runs in the server time · outside the sandbox"
    assert card.head.isolation.property("look") == "pill-careful"
    assert card.foot is not None
    assert card.foot.buttons["once"].text() == "Approve once"


# Progress.


def test_progress_stands_on_the_card_and_in_the_panel(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    stage.do(lambda: tell(moments, 3, 5, "Looking for a seat"))
    assert card.body is not None
    assert card.body.progress is not None
    assert card.body.progress.count.text() == "3 of 5"
    assert card.body.progress.message.text() == "Looking for a seat"
    (item,) = stage.window.panel.actions_tab.running.items
    stage.do(lambda: item.show_record(item.record))
    assert "3 of 5 · Looking for a seat" in item.accessibleName()


def test_a_flood_of_progress_ends_with_the_newest(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    shown: list[str] = []
    assert card.body is not None
    progress = card.body.progress
    assert progress is not None

    def flood() -> None:
        for number in range(500):
            tell(moments, number)
            if not shown or shown[-1] != progress.count.text():
                shown.append(progress.count.text())

    stage.do(flood)
    assert shown == ["0"]
    stage.until(lambda: progress.count.text() == "499")


def test_progress_is_there_when_its_card_comes_to_view_later(stage: Stage, moments: Moments) -> None:
    other = moments.add_conversation("Elsewhere")
    running(stage, moments)
    stage.do(lambda: stage.session.open(other.id))
    stage.do(lambda: tell(moments, 2, 4))
    stage.do(lambda: stage.session.open("c1"))
    stage.until(lambda: stage.window.page.feed.card("a1"))
    card = stage.window.page.feed.card("a1")
    assert card is not None
    stage.until(lambda: card.body is not None and card.body.progress is not None)
    assert card.body is not None
    assert card.body.progress is not None
    assert card.body.progress.count.text() == "2 of 4"


# Questions.


def test_a_question_names_its_server_and_is_answered_with_what_was_filled_in(
    stage: Stage, moments: Moments
) -> None:
    card = running(stage, moments)
    view = ask(stage, moments, card, question())
    words = said(view)
    assert "The server “travel” asks you" in words
    assert "Who travels, and how?" in words
    assert "This is not from Partner." in words
    fields = {row.field.name: row.field for row in rows(view)}
    email = fields["email"].widget
    assert isinstance(email, QLineEdit)
    extras = fields["extras"]
    assert isinstance(extras, SeveralField)
    stage.do(lambda: QTest.keyClicks(email, "ann@example.org"))
    stage.do(lambda: extras.boxes[1].setChecked(True))
    given = answers(card)
    stage.do(view.buttons["accept"].click)
    content: JsonObject = {
        "email": "ann@example.org",
        "seats": 2,
        "window": True,
        "class": "2",
        "extras": ["dog"],
    }
    assert given == [("q1", ElicitationAnswer("accept", content))]
    stage.do(lambda: elicit(moments, question(), open=False))
    assert card.questions.views == {}
    assert card.questions.isHidden()


def test_what_is_missing_above_the_view_is_brought_into_it(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments, size=(900, 420))
    view = ask(stage, moments, card, question())
    email = rows(view)[0].field.widget
    column = stage.window.page.feed.column
    stage.do(lambda: column.verticalScrollBar().setValue(column.verticalScrollBar().maximum()))
    assert email.visibleRegion().isEmpty()
    stage.do(view.buttons["accept"].click)
    assert email.hasFocus()
    assert not email.visibleRegion().isEmpty()


def test_what_does_not_fit_is_not_sent_and_says_why(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    view = ask(stage, moments, card, question())
    given = answers(card)
    email = rows(view)[0].field.widget
    assert isinstance(email, QLineEdit)
    stage.do(view.buttons["accept"].click)
    assert rows(view)[0].problem == "This is needed."
    stage.do(lambda: QTest.keyClicks(email, "ann"))
    for box in rows(view)[4].field.widget.findChildren(QCheckBox):
        stage.do(lambda box=box: box.setChecked(True))  # type: ignore[misc] # bound early
    stage.do(view.buttons["accept"].click)
    assert [row.problem for row in rows(view)] == [
        *("Type an e-mail address.", "", "", "", "Choose at most 1."),
    ]
    assert given == []


@pytest.mark.parametrize(
    ("schema", "typed", "sent", "problem"),
    [
        ({"type": "string", "format": "date"}, "2030-05-14", "2030-05-14", ""),
        ({"type": "string", "format": "date"}, "14 May", None, "Type a date, such as 2030-05-14."),
        ({"type": "string", "format": "uri"}, "example.org", None, "Type a whole address"),
        ({"type": "string", "minLength": 3}, "ab", None, "At least 3 letters."),
        ({"type": "string", "maxLength": 3}, "abcd", None, "At most 3 letters."),
        ({"type": "integer", "maximum": 4}, "5", None, "At most 4."),
        ({"type": "number"}, "2.5", 2.5, ""),
    ],
)
def test_every_kind_of_answer_has_its_rules(
    stage: Stage, moments: Moments, schema: JsonObject, typed: str, sent: object, problem: str
) -> None:
    card = running(stage, moments)
    asked: JsonObject = {"type": "object", "properties": {"answer": schema}, "required": ["answer"]}
    view = ask(stage, moments, card, question(schema=asked))
    given = answers(card)
    edit = rows(view)[0].field.widget
    assert isinstance(edit, QLineEdit)
    stage.do(lambda: QTest.keyClicks(edit, typed))
    stage.do(view.buttons["accept"].click)
    assert rows(view)[0].problem.startswith(problem)
    said = [answer for _, answer in given]
    assert said == ([] if problem else [ElicitationAnswer("accept", {"answer": sent})])  # type: ignore[dict-item] # JSON


def test_declining_is_an_answer_and_what_cannot_be_taken_asks_again(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    view = ask(stage, moments, card, question())
    given = answers(card)
    stage.do(view.buttons["decline"].click)
    stage.until(lambda: "not open" in view.problem or "any more" in view.problem)
    stage.do(view.buttons["decline"].click)
    assert given == [("q1", ElicitationAnswer("decline"))] * 2


def test_a_question_does_not_listen_to_a_key_that_was_meant_for_something_else(
    stage: Stage, moments: Moments
) -> None:
    card = running(stage, moments)
    stage.let_listen(card)
    stage.do(lambda: elicit(moments, question(url="https://example.org/", schema={})))
    view = card.questions.views["q1"]
    given = answers(card)
    stage.do(lambda: QTest.keyClick(view.buttons["accept"], Qt.Key.Key_Return))
    stage.do(lambda: QTest.mouseClick(view.buttons["accept"], Qt.MouseButton.LeftButton))
    assert given == []


def test_a_page_is_shown_whole_and_opened_only_by_a_press(
    stage: Stage, moments: Moments, opened: Opened
) -> None:
    card = running(stage, moments)
    address = "https://ex\u0430mple.org/sign-in?state=1"
    view = ask(stage, moments, card, question(url=address, schema={}))
    assert "https://xn--" in said(view)
    assert opened.urls == []
    given = answers(card)
    stage.do(view.buttons["accept"].click)
    assert [url.toString() for url in opened.urls] == [address]
    assert given == [("q1", ElicitationAnswer("accept"))]


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "javascript:alert(1)", "//example.org", "no address"]
)
def test_what_is_no_page_cannot_be_opened(
    stage: Stage, moments: Moments, opened: Opened, address: str
) -> None:
    card = running(stage, moments)
    view = ask(stage, moments, card, question(url=address, schema={}))
    assert set(view.buttons) == {"decline"}
    assert "leads elsewhere" in said(view)


def test_a_question_of_an_action_names_no_server(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    words = said(ask(stage, moments, card, replace(question(), server="")))
    assert "An action asks you" in words
    assert "What you send becomes the action's result." in words
    assert "server" not in words


def test_a_question_goes_when_the_server_needs_it_no_more(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    ask(stage, moments, card, question())
    ask(stage, moments, card, question("q2", message="And where to?"))
    stage.do(lambda: elicit(moments, question(), open=False))
    assert list(card.questions.views) == ["q2"]
    stage.do(lambda: moments.change("a1", ActionStatus.SUCCEEDED, stdout="done"))
    assert card.questions.views == {}


def test_a_question_elsewhere_is_told_with_the_name_of_its_server(stage: Stage, moments: Moments) -> None:
    other = moments.add_conversation("Elsewhere")
    running(stage, moments)
    stage.do(lambda: stage.session.open(other.id))
    stage.do(lambda: elicit(moments, question()))
    (toast,) = stage.window.page.toasts.toasts
    assert resolve_text(toast.notice.text) == "The server “travel” asks you something."


def test_a_question_is_there_when_its_card_comes_to_view_later(stage: Stage, moments: Moments) -> None:
    other = moments.add_conversation("Elsewhere")
    stage.open(moments)
    stage.do(lambda: stage.session.open(other.id))
    record = moments.ask_for("builtin::intervention::acquire_intervention", {"demand": "Where to?"})
    stage.until(lambda: stage.window.page.toasts.toasts)
    (toast,) = stage.window.page.toasts.toasts
    assert toast.notice.action is not None
    stage.do(toast.notice.action.callback)
    stage.until(lambda: stage.window.page.feed.card(record.id))
    card = stage.window.page.feed.card(record.id)
    assert card is not None
    stage.until(lambda: card.questions.views)
    assert card.questions.isVisible()
    assert "Where to?" in said(next(iter(card.questions.views.values())))


def test_a_run_that_changes_keeps_what_was_typed_into_its_question(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    view = ask(stage, moments, card, question())
    email = rows(view)[0].field.widget
    assert isinstance(email, QLineEdit)
    stage.do(lambda: QTest.keyClicks(email, "ann@"))
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING, params={"to": "Ulm"}))
    assert card.questions.views["q1"] is view
    assert email.isVisible()
    assert email.text() == "ann@"


def test_the_keyboard_reaches_every_field_and_sends(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    view = ask(stage, moments, card, question())
    seen: list[QWidget] = []

    def step() -> None:
        focused = stage.window.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        now: QWidget | None = stage.window.focusWidget()
        assert now is not None
        seen.append(now)

    for _ in range(40):
        stage.do(step)
    inside = [each for each in seen if view.isAncestorOf(each)]
    assert view.buttons["accept"] in inside
    assert view.buttons["decline"] in inside
    assert {rows(view)[0].field.widget, rows(view)[1].field.widget} <= set(inside)
    for each in inside:
        assert each.accessibleName()


# What came beside text.


def paint(path: Path, size: int = 40) -> str:
    image = QImage(size, size, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    image.save(str(path))
    return str(path)


def finish(stage: Stage, moments: Moments, card: ActionCard, *parts: ResultPart) -> None:
    stage.do(lambda: moments.change("a1", ActionStatus.SUCCEEDED, stdout="done", parts=parts))
    assert card.parts is not None


def test_a_picture_is_shown_and_a_press_opens_it(
    stage: Stage, moments: Moments, tmp_path: Path, opened: Opened
) -> None:
    card = running(stage, moments)
    path = paint(tmp_path / "way.png")
    finish(stage, moments, card, ResultPart("image", "The way", "image/png", path))
    assert card.parts is not None
    (view,) = card.parts.pictures
    stage.until(lambda: view.picture.shown)
    assert view.picture.accessibleName() == "Open the picture The way"
    stage.do(view.picture.click)
    assert [url.toLocalFile() for url in opened.urls] == [path]


@pytest.mark.parametrize("kind", ["broken", "drawing", "gone", "large"])
def test_a_picture_that_cannot_be_shown_becomes_a_line(
    stage: Stage, moments: Moments, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "way.png"
    if kind == "broken":
        path.write_bytes(b"\x89PNG\r\n\x1a\nand nothing more")
    elif kind == "drawing":
        path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', encoding="utf-8")
    elif kind == "large":
        wide = QImage(MOST_PIXELS_A_SIDE + 1, 1, QImage.Format.Format_Mono)
        wide.fill(0)
        wide.save(str(path))
    card = running(stage, moments)
    finish(stage, moments, card, ResultPart("image", "", "image/png", str(path), "", 30_000_000))
    assert card.parts is not None
    (view,) = card.parts.pictures
    stage.until(view.problem.isVisible)
    words = {"gone": "is not there any more", "large": "too large to be shown here (30.0 MB)"}
    assert words.get(kind, "is broken, or of a kind") in view.problem.text()
    assert not view.picture.isVisible()


def test_a_file_says_what_it_is_and_opens_only_where_opening_is_looking(
    stage: Stage, moments: Moments, opened: Opened, user_home: Path
) -> None:
    run = user_home / "run"
    run.mkdir()
    card = running(stage, moments)
    sound = ResultPart("audio", "Directions", "audio/wav", str(run / "say.wav"), "", 1_230_000)
    script = ResultPart("file", "", "text/x-sh", str(run / "install.sh"), "", 12)
    finish(stage, moments, card, sound, script)
    assert card.parts is not None
    assert "sound · audio/wav · 1.2 MB" in said(card.parts)
    buttons = {each.accessibleName(): each for each in card.parts.findChildren(QWidget)}
    assert "Open Directions" in buttons
    assert "Open install.sh" not in buttons
    folder = buttons["Show in folder: install.sh"]
    stage.do(lambda: QTest.mouseClick(folder, Qt.MouseButton.LeftButton))
    assert [url.toLocalFile() for url in opened.urls] == [str(run)]
    (run / "say.wav").symlink_to(run / "install.sh")
    play = buttons["Open Directions"]
    stage.do(lambda: QTest.mouseClick(play, Qt.MouseButton.LeftButton))
    assert len(opened.urls) == 1, "what it was is no sound any more"


def test_a_link_shows_its_whole_address_and_asks_before_it_opens(
    stage: Stage, moments: Moments, opened: Opened
) -> None:
    card = running(stage, moments)
    address = "https://example.org/timetable?from=ulm"
    finish(stage, moments, card, ResultPart("link", "Timetable", "", "", address))
    assert card.parts is not None
    assert address in said(card.parts)
    buttons = {each.accessibleName(): each for each in card.parts.findChildren(QWidget)}
    stage.do(lambda: QTest.mouseClick(buttons[f"Open {address}"], Qt.MouseButton.LeftButton))
    assert opened.urls == []
    assert "Open a link to example.org?" in said(stage.window.page)


def test_a_card_that_comes_to_view_later_has_its_pictures(
    stage: Stage, moments: Moments, tmp_path: Path
) -> None:
    part = ResultPart("image", "", "image/png", paint(tmp_path / "way.png"))
    record = replace(count_action(), status=ActionStatus.SUCCEEDED, parts=(part,))
    stage.open(moments)
    stage.do(lambda: moments.propose(record))
    card = stage.window.page.feed.card("a1")
    assert card is not None
    stage.until(lambda: card.parts is not None and card.parts.pictures[0].picture.shown)
    stage.clock.move(timedelta(seconds=1))
