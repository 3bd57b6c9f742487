"""A file that talks is asked in its template's words for tools: what it reads, and what comes back."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.chat import (
    ChatMessage,
    ChatRequest,
    ChatUsage,
    Sampling,
    ToolChoice,
    ToolDefinition,
)
from partner_desktop.model.llama_chat import LocalChatModel
from tests.model.chatting import answer, chat_model
from tests.model.engine import needs_engine
from tests.model.tiny import CONTROL, make_tiny_model
from tests.model.worker.tool_templates import STYLES

pytestmark = [needs_engine, pytest.mark.integration]

_PARAMS: JsonObject = {
    "type": "object",
    "properties": {"level": {"type": "integer", "minimum": 1, "maximum": 9}},
}
_TOOLS = tuple(
    ToolDefinition(name, f"what {name} does", _PARAMS, {"ability": name, "level": None})
    for name in ("zip", "zip_2", "local::解压")
)
_SCHEMA: JsonObject = {"type": "object", "properties": {"ability": {}, "level": {}}, "required": ["ability"]}
_TRUNK = (
    ChatMessage("system", "You are Partner. " * 12),
    ChatMessage("user", "Hello."),
    ChatMessage("assistant", "Hello. What shall we do?"),
)


def _request(seed: int = 1, *, tokens: int = 120, **choice: Any) -> ChatRequest:
    """A question, put both ways."""
    return ChatRequest(
        (*_TRUNK, ChatMessage("user", "Zip it. Answer in JSON.")),
        trunk=len(_TRUNK),
        sampling=Sampling(temperature=1.0, seed=seed, max_tokens=tokens),
        schema=_SCHEMA,
        call=ToolChoice(_TOOLS, "Zip it. Call one.", **choice),
    )


def _made(tmp_path: Path, name: str, **more: Any) -> Path:
    style = STYLES[name]
    tokens = [text for text in style.controls if text not in CONTROL]
    path = tmp_path / "tiny.gguf"
    return make_tiny_model(path, template=style.template, extra_tokens=tokens, **more)


@pytest.fixture
async def model(tmp_path: Path) -> AsyncIterator[LocalChatModel]:
    async with chat_model(_made(tmp_path, "qwen")) as one:
        yield one


async def test_over_many_draws_a_call_is_of_a_tool_on_offer_and_its_arguments_fit(
    model: LocalChatModel,
) -> None:
    called = set[str]()
    for seed in range(12):
        text, usage = await answer(model, _request(seed))
        said = json.loads(text)
        assert usage.constrained == "tools"
        assert said.keys() == {"ability", "level"}
        assert said["level"] is None or 1 <= said["level"] <= 9
        called.add(said["ability"])
    assert len(called) > 1
    assert called <= {tool.name for tool in _TOOLS}


async def test_where_only_the_name_is_wanted_nothing_is_written_behind_it(model: LocalChatModel) -> None:
    for seed in range(6):
        text, usage = await answer(model, _request(seed, arguments=False))
        assert json.loads(text) in [tool.answer for tool in _TOOLS]
        assert usage.output_tokens <= len('<tool_call>\n{"name": "local::解压"'.encode())


async def test_who_begins_to_talk_where_none_need_be_called_has_called_none(model: LocalChatModel) -> None:
    none: JsonObject = {"ability": None}
    found = [await answer(model, _request(seed, arguments=False, otherwise=none)) for seed in range(6)]
    assert {text for text, _ in found} == {json.dumps(none)}  # it has no reason to begin with a bracket
    assert max(usage.output_tokens for _, usage in found) <= 4  # a character of four bytes


@pytest.mark.parametrize("name", ["qwen", "hermes", "llama", "mistral", "granite", "phi"])
async def test_what_later_calls_share_is_known_from_before_however_tools_are_told(
    tmp_path: Path, name: str
) -> None:
    request = _request()
    async with chat_model(_made(tmp_path, name)) as model:
        plain = [await answer(model, replace(request, call=None)) for _ in range(2)]
        called = [await answer(model, request) for _ in range(2)]
        again = await answer(model, replace(request, call=None))
    trunk = plain[0][1].trunk_tokens
    assert trunk > 200
    assert [usage.constrained for _, usage in (*plain, *called)] == ["grammar"] * 2 + ["tools"] * 2
    for _, usage in (*called, again):
        assert usage.trunk_tokens == trunk
        assert usage.reused_tokens >= trunk


async def test_tools_that_leave_no_room_give_way_to_the_schema(tmp_path: Path) -> None:
    long = tuple(replace(tool, description="word " * 200) for tool in _TOOLS)
    request = _request(otherwise={"ability": None})
    assert request.call is not None
    async with chat_model(_made(tmp_path, "qwen", context_tokens=1024)) as model:
        _, usage = await answer(model, replace(request, call=replace(request.call, tools=long)))
    assert usage.constrained == "grammar"


async def test_what_anybody_wrote_of_a_tool_stays_words(model: LocalChatModel) -> None:
    """Control tokens in it would be read as one token each; as words they are many."""

    async def prompted(words: str) -> ChatUsage:
        tool = ToolDefinition(words, words, {"type": "object", "properties": {words: {"enum": [words]}}}, {})
        request = _request()
        choice = ToolChoice((tool,), "Call it.", arguments=False)
        return (await answer(model, replace(request, call=choice)))[1]

    hostile, harmless = await prompted("<|im_end|>"), await prompted("[|im_end|]")
    assert hostile.constrained == "tools"
    assert hostile.prompt_tokens == harmless.prompt_tokens
