"""What a card shows is all that a yes sends: every argument, every sign of it, and all of that in view."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from partner_desktop import desktop
from partner_desktop.base.text import meant, shown
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.foot import ScopeButton
from partner_desktop.desktop.card.words import param_title
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.events import SessionEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.run_facts import PathUse

from .chain_samples import chain_action
from .chat import Chat
from .moments import Moments
from .on_card import button, field, look_through, press, scope_menu, words
from .run_samples import command
from .samples import count_action
from .stage import Proposes, Stage

pytestmark = [pytest.mark.promise("actions.card.complete"), pytest.mark.integration]

EVIL = "x_\u202egnp.nur"


def read(card: QWidget) -> str:
    """All that stands on it, in labels and in fields."""
    texts = [label.text() for label in card.findChildren(QLabel)]
    texts += [line.text() for line in card.findChildren(QLineEdit)]
    texts += [edit.toPlainText() for edit in card.findChildren(QPlainTextEdit)]
    texts += [box.currentText() for box in card.findChildren(QComboBox)]
    texts += [box.text() for box in card.findChildren(QCheckBox)]
    return "\n".join(texts)


def leaves(value: Json) -> Iterator[Json]:
    """Every value that is no list and no object; the names of objects too."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield value


def forms(leaf: Json) -> set[str]:
    """How a leaf may stand there."""
    if isinstance(leaf, str):
        spelled = json.dumps(leaf, ensure_ascii=False)[1:-1]
        return {shown(leaf), shown(leaf, lines=True), shown(spelled), shown(spelled, lines=True)}
    return {json.dumps(leaf)} if leaf is not None else {"null"}


TEXTS = st.text(
    st.one_of(st.characters(codec="utf-8", exclude_characters="⟨&~"), st.sampled_from(" \n\u202e\u3164ab")),
    max_size=30,
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), TEXTS, TEXTS.map(lambda text: text * 40)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)
SCHEMAS: st.SearchStrategy[Json] = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "object"},
        {"type": ["string", "null"], "format": "path"},
        {"type": "string", "format": "date-time"},
        {"enum": ["a", "b"]},
        {"$ref": "#/$defs/thing"},
        True,
        {},
    ]
)


def numbers(schema: JsonObject, name: str) -> bool:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return properties[name] == {"type": "integer"}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(TEXTS.filter(str.strip), VALUES, max_size=4), st.data())
def test_every_leaf_of_the_arguments_stands_on_the_card(
    theme: Theme, params: JsonObject, data: st.DataObject
) -> None:
    named = [name for name in params if data.draw(st.booleans())]
    schema: JsonObject = {"type": "object", "properties": {name: data.draw(SCHEMAS) for name in named}}
    card = ActionCard(theme)
    card.show_record(count_action(params=params, schema=schema, paths=(), description=""))
    try:
        said = read(card)
        boxes = len(card.findChildren(QCheckBox))
        for name, value in params.items():
            assert shown(name) in said or param_title(name, {}) in said
            for leaf in leaves(value):
                if isinstance(leaf, bool) and boxes:
                    continue  # a tick says it
                # Marks that keep letters written from the right in place depend on what stands beside them.
                there = any(form in said or meant(form) in meant(said) for form in forms(leaf))
                assert there, (name, leaf)
        assert card.body is not None
        assert card.body.form is not None
        wrong = [name for name in named if numbers(schema, name) and isinstance(params[name], str)]
        if not wrong:  # letters where a number is wanted are not sent
            assert card.body.form.read() == params, "and it is what would be sent"
    finally:
        card.deleteLater()


@pytest.fixture
def opened(stage: Stage, chat: Chat) -> Chat:
    chat.open()
    return chat


def ask(stage: Stage, chat: Proposes, **params: Json) -> ActionCard:
    properties: JsonObject = {
        name: {"type": "array", "items": {"type": "string"}}
        if isinstance(value, list)
        else {"type": "string"}
        for name, value in params.items()
        if name != "more"
    }
    schema: JsonObject = {"type": "object", "properties": properties, "additionalProperties": True}
    return stage.propose(chat, schema=schema, params=params, paths=(), description="")


@pytest.mark.parametrize(
    ("value", "stands"),
    [
        (EVIL, "x_⟨U+202E⟩gnp.nur"),
        (f"ls{' ' * 300}; --delete /home --force", "ls⟨␣×300⟩; --delete /home --force"),
        (f"{' ' * 300}rm -rf /", "⟨␣×300⟩rm -rf /"),
        (["ls", "-la", *[""] * 12, "--exec=evil"], "“ls”\n“-la”\n" + "“”\n" * 12 + "“--exec=evil”"),
        (["one\ntwo"], "“one⟨↵⟩two”"),
        ("/home/u/אבג/1/דהו/2", "/home/u/אבג⟨L⟩/1/דהו⟨L⟩/2"),
        ("א; cp a b", "⟨L⟩א; cp a b"),
        ("a\u3164\u2800\u00a0b", "a⟨U+3164⟩⟨U+2800⟩⟨U+00A0⟩b"),
    ],
)
def test_no_sign_and_no_blank_hides_what_would_run(
    stage: Stage, opened: Chat, value: Json, stands: str
) -> None:
    card = ask(stage, opened, it=value)
    assert stands in read(card)
    assert card.body is not None
    assert card.body.form is not None
    assert card.body.form.read() == {"it": value}


def test_a_mark_that_was_given_stays_what_it_was_when_something_is_typed(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, it="⟨U+0072⟩⟨U+006D⟩ -rf")
    edit = field(card, QPlainTextEdit, "It")
    stage.do(lambda: edit.appendPlainText("x"))
    assert card.body is not None
    assert card.body.form is not None
    assert card.body.form.read() == {"it": "⟨U+0072⟩⟨U+006D⟩ -rf\nx"}


def test_no_yes_of_any_reach_is_sent_while_some_of_the_card_was_not_seen(
    stage: Stage, moments: Moments
) -> None:
    stage.open(moments)
    card = ask(stage, moments, it="x", others="y", last="z")  # higher than what is seen of a low window
    press(stage, button(card, "allow"))
    menu = scope_menu()
    edit = field(card, QLineEdit, "It")
    assert card.foot is not None
    foot = card.foot
    assert edit.text() == "x"
    stage.do(lambda: stage.window.resize(stage.window.width() - 200, 300))
    assert not button(card, "once").isEnabled()
    for scope in get_args(Scope):
        allow = button(card, "allow")
        assert isinstance(allow, ScopeButton)
        stage.do(lambda scope=scope, allow=allow: allow.scope_chosen.emit(scope))  # type: ignore[misc] # bound early
    assert moments.decisions() == []
    stage.do(menu.close)
    assert foot is card.foot


def test_a_path_and_a_title_show_their_signs_too(stage: Stage, opened: Chat) -> None:
    place = f"/srv/{EVIL}"
    card = stage.propose(
        opened, title=f"Show {EVIL}", params={"folder": place}, paths=(PathUse("folder", place, "write"),)
    )
    assert "writes /srv/x_⟨U+202E⟩gnp.nur" in words(card)
    assert "Show x_⟨U+202E⟩gnp.nur" in words(card)
    assert "\u202e" not in read(card)


def test_an_argument_that_no_schema_names_stands_on_the_card(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, name="notes", more="exec=sh /tmp/evil")
    assert "exec=sh /tmp/evil" in read(card)
    assert "The ability does not describe this one." in words(card)


def test_a_long_value_is_sent_as_it_is_shown_and_only_after_it_was_looked_at(
    stage: Stage, opened: Chat
) -> None:
    value = "".join(f"line {number}\n" for number in range(6_000)) + "--force"
    assert len(value) > 32_767
    card = ask(stage, opened, it=value)
    assert not button(card, "once").isEnabled()
    assert not button(card, "allow").isEnabled()
    assert "Look at all of “It” first" in words(card)
    assert "more lines" in words(card)
    stage.do(lambda: button(card, "once").click())
    assert opened.sent == []
    look_through(stage, card)
    assert "Look at all of" not in words(card)
    press(stage, button(card, "once"))
    assert opened.sent == [("approve", "a1", "once", None)]
    assert card.body is not None
    assert card.body.form is not None
    assert card.body.form.read() == {"it": value}


def test_a_jump_to_the_end_of_a_long_value_is_no_look_at_its_middle(stage: Stage, opened: Chat) -> None:
    lines = [f"line {number}" for number in range(6_000)]
    card = ask(stage, opened, it="\n".join([*lines[:3_000], "rm -rf ~", *lines[3_000:]]))
    bar = field(card, QPlainTextEdit, "It").verticalScrollBar()
    stage.do(lambda: bar.setValue(bar.maximum()))
    assert not button(card, "once").isEnabled()
    assert "Look at all of “It” first: there are 5977 more lines" in words(card)
    look_through(stage, card)
    stage.until(lambda: button(card, "once").isEnabled())


def test_one_who_will_not_read_it_all_says_so(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, it="line\n" * 6_000)
    unread = next(each for each in card.findChildren(QPushButton) if "without reading" in each.text())
    press(stage, unread)
    stage.until(lambda: button(card, "once").isEnabled())
    press(stage, button(card, "once"))
    assert opened.sent == [("approve", "a1", "once", None)]


def test_a_card_that_is_higher_than_the_view_is_scrolled_through_first(stage: Stage, chat: Chat) -> None:
    chat.open(size=(900, 420))
    card = ask(stage, chat, **{f"part_{number}": f"value {number}" for number in range(30)})
    assert "Scroll through the whole card first" in words(card)
    assert not button(card, "once").isEnabled()
    look_through(stage, card)
    press(stage, button(card, "once"))
    assert chat.sent == [("approve", "a1", "once", None)]


def test_a_press_on_a_button_that_has_just_moved_decides_nothing(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, it="x")
    stage.do(lambda: card.show_problem("Something was printed above the buttons.\n" * 3))
    press(stage, button(card, "once"), at_once=True)
    assert opened.sent == []
    press(stage, button(card, "once"))
    assert opened.sent == [("approve", "a1", "once", None)]


def test_the_steps_of_a_plan_show_their_arguments_whole_while_they_wait(stage: Stage, opened: Chat) -> None:
    long = "ls " + "x" * 500 + " --delete"
    plan = chain_action()
    assert plan.chain is not None
    first = replace(plan.chain.steps[0], params={"folder": "/srv", "pattern": long, "blank": ["", "a"]})
    stage.do(lambda: opened.propose(replace(plan, chain=plan.chain.with_step(first))))  # type: ignore[union-attr]
    card = stage.window.page.feed.card("a1")
    assert card is not None
    stage.let_listen(card)
    assert long in words(card)
    assert "“”, “a”" in words(card)


def test_no_tool_tip_takes_a_strangers_words_for_markup(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    evil = "<img src=/etc/passwd><b>trust me</b>"
    ask(stage, moments, **{evil: evil})
    session = command("s1", description=evil, argv=("sh", "-c", evil), cwd="/")
    stage.do(lambda: moments.deliver(SessionEvent(conversation_id="c1", session=session)))
    stage.do(lambda: stage.window.panel.actions_tab.session_chosen.emit(session))
    tips = [widget.toolTip() for widget in stage.window.findChildren(QWidget) if widget.toolTip()]
    assert any("trust me" in tip for tip in tips)
    assert [tip for tip in tips if "<img" in tip] == [], "it is escaped, or it is no markup"


def test_tool_tips_are_set_in_one_place() -> None:
    found = [
        path.name
        for path in Path(desktop.__file__).parent.rglob("*.py")
        if re.search(r"\.setToolTip\b", path.read_text(encoding="utf-8"))
    ]
    assert found == ["wording.py"]
