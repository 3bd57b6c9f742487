"""What an utterance is: honest requests in all their shapes are orders; what is told of one is none."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.speech_acts.speech_act import SpeechActKind, speech_act, trial_switch
from tests.tables import all_rows

SAID = tomllib.loads(Path(__file__).with_name("said_acts.toml").read_text(encoding="utf-8"))
KINDS = [kind for kind in SpeechActKind if kind in SAID]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_is_said_is_what_people_mean_by_it(kind: SpeechActKind) -> None:
    read = {words: speech_act(words) for words in SAID[kind]}
    wrong = {words: act.kind.value for words, act in read.items() if act.kind is not kind}
    assert not wrong
    asks = kind in (SpeechActKind.COMMAND, SpeechActKind.LOOK)
    assert all(act.order_text == (words if asks else "") for words, act in read.items())


@all_rows("words, order", SAID["wanted"].items())
def test_of_a_refusal_or_a_report_the_wanted_half_is_the_order(words: str, order: str) -> None:
    assert speech_act(words).order_text == order


@all_rows("words, order", SAID["trial"].items())
def test_a_question_for_what_would_come_of_it_is_a_look_at_the_order(words: str, order: str) -> None:
    act = speech_act(words)
    assert (act.kind, act.preview, act.order_text) == (SpeechActKind.LOOK, True, order)
    assert not act.may_write


@pytest.mark.parametrize(
    ("words", "mentioned"),
    [
        ("my boss said: delete everything in Documents", "delete everything in Documents"),
        ("yesterday I deleted ~/a.txt by mistake", "delete ~/a.txt by mistake"),
        ("imagine you tidied up my desktop", "tidy up my desktop"),
        ("never move my photos", "move my photos"),
        ("if it rains tomorrow delete rain.mp3", "delete rain.mp3"),
        ("if ~/Pictures has duplicates, zip it", "zip ~/Pictures"),
        ("老板说：把文档里的东西全部删掉", "把文档里的东西全部删掉"),
        ("如果明天下雨，就删除 rain.mp3", "删除 rain.mp3"),
    ],
)
def test_the_order_that_is_spoken_of_is_told_as_it_would_be_given(words: str, mentioned: str) -> None:
    act = speech_act(words)
    assert (act.mentioned, act.order_text) == (mentioned, "")


def test_what_hangs_on_nothing_is_asked_for_and_the_rest_is_a_condition() -> None:
    act = speech_act("zip my notes and if there are duplicates delete them")
    assert (act.kind, act.order_text) == (SpeechActKind.COMMAND, "zip my notes")
    assert act.condition == "if there are duplicates delete them"


def test_a_look_stays_one_whatever_it_hangs_on() -> None:
    act = speech_act("if there are duplicates in ~/Pictures, show them to me")
    assert (act.may_make_card, act.condition) == (True, "if there are duplicates in ~/Pictures")


@pytest.mark.parametrize(
    ("description", "switch"),
    [("a dry run: only show the new names", "quiet"), ("print nothing", ""), ("only preview it", "quiet")],
)
def test_the_switch_for_a_trial_is_found_by_what_it_says_of_itself(description: str, switch: str) -> None:
    quiet: JsonObject = {"type": "boolean", "description": description}
    params: JsonObject = {"type": "object", "properties": {"quiet": quiet, "folder": {"type": "string"}}}
    info = MetaActionInfo(key="local::x", route=Route.MCP, description="X", params=params)
    assert trial_switch(info) == switch


def made(frames: str) -> st.SearchStrategy[str]:
    """Orders of either language in the frames of that name."""

    def of(language: str) -> st.SearchStrategy[str]:
        parts = SAID["made"][language]
        blank = " " if language == "en" else ""
        order = st.tuples(*(st.sampled_from(parts[name]) for name in ("verbs", "things", "places")))
        order_text = order.map(lambda said: f"{said[0]}{blank}{said[1]}{said[2]}")
        return st.builds(str.format, st.sampled_from(parts[frames]), order_text)

    return st.one_of(of("en"), of("zh"))


LEADS = st.sampled_from(["", "hey, ", "so ", "ok, ", "by the way ", "hi! "])
ENDS = st.sampled_from(["", ".", "!", " 😀"])


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(made("told"), LEADS, ENDS)
def test_no_order_inside_of_something_else_is_one(said: str, lead: str, end: str) -> None:
    act = speech_act(f"{lead}{said}{end}")
    assert not act.may_write, act
    assert not act.may_make_card or act.preview, act


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(made("asked"), LEADS, ENDS)
def test_an_order_is_one_however_politely_it_is_given(said: str, lead: str, end: str) -> None:
    text = f"{lead}{said}{end}"
    act = speech_act(text)
    assert act.may_write, act
    assert act.order_text == text


DESTROYING = SAID["destroying"]


def destroys(text: str, *orders: str) -> bool:
    """Whether something may be destroyed for a text: what is asked for says so."""
    act = speech_act(text)
    return act.may_write and not act.preview and any(order in act.order_text for order in orders)


@pytest.mark.parametrize("language", DESTROYING)
def test_what_destroys_is_asked_for_by_a_plain_order_alone(language: str) -> None:
    verbs = {"en": ("delete", "trash", "move"), "zh": ("删", "清空", "移到")}[language]
    table = DESTROYING[language]
    told = [text for text in table["spoken_of"] if not re.search('["“《]', text)]  # no deed stands in quotes
    assert not [text for text in told if destroys(text, *verbs)]
    assert not [text for text in table["ordered"] if not speech_act(text).may_write]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_frame_around_what_destroys_decides_whether_it_is_asked_for(data: st.DataObject) -> None:
    table = DESTROYING[data.draw(st.sampled_from(sorted(DESTROYING)))]
    verb, thing = data.draw(st.sampled_from(table["verbs"])), data.draw(st.sampled_from(table["things"]))
    order = verb.format(thing) if "{}" in verb else f"{verb} {thing}"
    asked = data.draw(st.booleans())
    text = data.draw(st.sampled_from(table["asked" if asked else "told"])).format(order)
    assert destroys(text, verb.replace("{}", " ").split()[-1]) is asked
