"""What a script gets: its arguments, and the same as JSON on stdin."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.runner.process_launch import LaunchSpec
from partner_desktop.runner.script_process import run_process
from partner_desktop.runner.script_route import (
    MAX_ARGUMENT_BYTES,
    MAX_ARGUMENTS_BYTES,
    command_arguments,
    stdin_payload,
)


def described(*names: str) -> MetaActionInfo:
    """An ability with these parameters, in this order."""
    properties: dict[str, Json] = {name: {"type": "string"} for name in names}
    return MetaActionInfo(
        key="local::sample",
        route=Route.MCP,
        description="A sample",
        params={"type": "object", "properties": properties},
    )


def undescribed() -> MetaActionInfo:
    return MetaActionInfo(key="origin::sample.sh", route=Route.ORIGIN, description="A sample", free_args=True)


def test_strings_stand_as_they_are_and_the_rest_takes_its_json_form() -> None:
    params: JsonObject = {
        "text": 'two words and a "quote"',
        "count": 3,
        "ratio": 0.5,
        "loud": True,
        "names": ["ä", 1],
        "options": {"deep": None},
    }
    assert command_arguments(described(*params), params) == [
        '--text=two words and a "quote"',
        "--count=3",
        "--ratio=0.5",
        "--loud=true",
        '--names=["ä", 1]',
        '--options={"deep": null}',
    ]


def test_arguments_come_in_declared_order_and_those_last_that_the_schema_lets_be_more() -> None:
    params: JsonObject = {"extra": "e", "second": "2", "first": "1"}
    info = described("first", "second")
    info = replace(info, params={**info.params, "additionalProperties": {"type": "string"}})
    assert command_arguments(info, params) == ["--first=1", "--second=2", "--extra=e"]


@pytest.mark.parametrize("more", [{}, {"additionalProperties": False}])
def test_an_argument_that_the_schema_does_not_name_is_never_passed_on(more: JsonObject) -> None:
    info = described("first")
    with pytest.raises(TellMindError, match="Sample has no parameter `checkpoint-action`"):
        command_arguments(
            replace(info, params={**info.params, **more}), {"first": "1", "checkpoint-action": "exec"}
        )
    with pytest.raises(TellMindError, match="no parameter `first`"):
        command_arguments(undescribed(), {"args": "-v", "first": "1"})


def test_absent_and_null_parameters_are_left_out() -> None:
    assert command_arguments(described("first", "second", "third"), {"third": "3", "first": None}) == [
        "--third=3"
    ]


def test_an_empty_string_is_a_value() -> None:
    assert command_arguments(described("text"), {"text": ""}) == ["--text="]


def test_the_free_args_of_an_undescribed_script_are_split_like_a_shell_would() -> None:
    params: JsonObject = {"args": """-v 'two words' "a \\"b\\"" c\\ d $HOME * """}
    assert command_arguments(undescribed(), params) == ["-v", "two words", 'a "b"', "c d", "$HOME", "*"]
    assert command_arguments(undescribed(), {}) == []
    assert command_arguments(undescribed(), {"args": ""}) == []


def test_an_open_quote_in_free_args_is_a_question_to_the_person() -> None:
    with pytest.raises(AskHumanError, match="a quote is not closed"):
        command_arguments(undescribed(), {"args": "say 'hello"})


def test_a_nul_byte_is_refused_with_the_parameters_name() -> None:
    with pytest.raises(TellMindError, match="`text` holds a NUL"):
        command_arguments(described("text"), {"text": "a\0b"})
    with pytest.raises(TellMindError, match="NUL"):
        command_arguments(undescribed(), {"args": "a\0b"})


def test_half_a_character_is_refused() -> None:
    with pytest.raises(TellMindError, match="half a character"):
        command_arguments(described("text"), {"text": "\ud800"})


def test_a_file_name_that_is_not_utf8_passes_through() -> None:
    assert command_arguments(described("file"), {"file": "/x/\udcff"}) == ["--file=/x/\udcff"]


def test_an_argument_that_is_too_long_is_refused_with_what_to_do() -> None:
    longest = MAX_ARGUMENT_BYTES - len("--text=")
    assert len(command_arguments(described("text"), {"text": "x" * longest})[0]) == MAX_ARGUMENT_BYTES
    with pytest.raises(TellMindError, match=r"`text` is 100 KiB long.*into a file"):
        command_arguments(described("text"), {"text": "x" * (longest + 1)})


def test_arguments_that_are_too_long_together_are_refused() -> None:
    names = [f"p{number}" for number in range(MAX_ARGUMENTS_BYTES // MAX_ARGUMENT_BYTES + 1)]
    with pytest.raises(TellMindError, match="longer than 1 MiB together"):
        command_arguments(described(*names), dict.fromkeys(names, "x" * (MAX_ARGUMENT_BYTES - 20)))


def test_a_number_that_json_does_not_know_is_refused() -> None:
    with pytest.raises(TellMindError, match="NaN"):
        command_arguments(described("n"), {"n": [float("nan")]})
    with pytest.raises(TellMindError, match="NaN"):
        stdin_payload({"n": float("inf")})


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"": ""},
        {"text": 'größer 日本 🦊 \u2028 \x00\x1f\x7f "quoted" \\ line\nbreak'},
        {"nothing": None, "yes": True, "no": False, "big": 2**70, "small": -0.0, "exact": 1e-300},
        {"deep": {"list": [[], {}, ["a", {"b": [None]}]]}},
    ],
)
def test_stdin_gets_all_parameters_as_one_json_object_in_utf8(params: JsonObject) -> None:
    assert json.loads(stdin_payload(params).decode("utf-8")) == params


def test_stdin_keeps_half_a_character_as_json_can_say_it() -> None:
    assert json.loads(stdin_payload({"text": "\ud800"}).decode("utf-8")) == {"text": "\ud800"}


async def test_a_real_script_reads_the_same_from_its_arguments_and_from_stdin(tmp_path: Path) -> None:
    script = tmp_path / "show.py"
    script.write_text("import json, sys; print(json.dumps([sys.argv[1:], json.load(sys.stdin)]))")
    params: JsonObject = {"text": "größer; rm -rf $HOME 'x", "names": ["a b", "日本"], "count": 2}
    info = described(*params)
    outcome = await run_process(
        LaunchSpec(
            argv=(sys.executable, str(script), *command_arguments(info, params)),
            stdin=stdin_payload(params),
            spill_dir=tmp_path / "run",
        )
    )
    arguments, received = json.loads(outcome.stdout)
    assert arguments == ["--text=größer; rm -rf $HOME 'x", '--names=["a b", "日本"]', "--count=2"]
    assert received == params
