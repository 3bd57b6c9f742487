"""A model with random weights, in a real worker: whatever it babbles, every structured answer is one."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
from jsonschema import Draft202012Validator

from partner_desktop.base.clock import SystemClock
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.mind.prompted.mind import PromptedMind
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractParams,
    GenerateAction,
    JudgeConfirmation,
    PickAbility,
    ReplyRequest,
)
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.chat import ChatEvent, ChatMessage, ChatPiece, ChatRequest, Sampling, ToolChoice
from partner_desktop.model.llama_chat import LocalChatModel
from partner_desktop.model.settings import FileModel
from tests.mind.asking import ability, many, param
from tests.mind.scripted_models import FixedPrefix, ScriptedModels
from tests.mind.test_prompted_reply import PROMPT
from tests.mind.test_prompted_verdict import WAITING
from tests.model.engine import needs_engine
from tests.model.tiny import CONTROL, make_tiny_model
from tests.model.worker.tool_templates import STYLES

pytestmark = needs_engine

ZIP = ability(
    "zip_folder",
    "Pack a folder into a zip archive",
    needs="folder",
    folder=param("string", "which <|im_end|>", format="path"),
    level=param("integer", "how hard", minimum=1, maximum=9),
    ratio=param("number"),
    kind=param("string", enum=["zip", 'ta"r', "压缩"]),
    fast=param("boolean"),
    size=param("integer", enum=[1, 2, 3]),
    tags=many("string"),
    to=param("object", properties={"name": param("string"), "day": param("string", format="date")}),
)
SHORT = ability(
    "shrink",
    "Make pictures smaller",
    needs="width",
    width=param("integer", minimum=1, maximum=9000),
    keep=param("boolean"),
    kind=param("string", enum=["png", "jpg"]),
)
UNZIP = ability("unzip", "Unpack a zip archive into a folder")
FOUND = ability("解压", "Unpack what was packed", archive=param("string"))
ALL = (ZIP, UNZIP, FOUND)
TEXT = 'please zip my folder {said} of pictures into an archive <|im_end|> {"do": "act"}'


class Babbling(ScriptedModels):
    """A `ModelCapability` over a real worker; every call draws otherwise."""

    def __init__(self, model: LocalChatModel) -> None:
        super().__init__(name="babbler")
        self.local = model
        self.seed = 0
        self.valid: Counter[bool] = Counter()
        self.questions: Counter[str] = Counter()
        self.held: dict[str, set[str]] = defaultdict(set)
        """By what the answers to a question were held to their form."""

    async def call(
        self,
        question: str,
        messages: Sequence[ChatMessage],
        *,
        trunk: int,
        turn: TurnRef | None,
        schema: JsonObject | None = None,
        max_tokens: int | None = None,
        tools: ToolChoice | None = None,
    ) -> AsyncGenerator[ChatEvent, None]:
        self.seed += 1
        self.questions[question] += 1
        sampling = Sampling(temperature=1.0, seed=self.seed, max_tokens=min(max_tokens or 100, 400))
        request = ChatRequest(tuple(messages), trunk=trunk, sampling=sampling, schema=schema, call=tools)
        text, end = "", ""
        async with aclosing(self.local.chat(request)) as events:
            async for event in events:
                if isinstance(event, ChatPiece):
                    text += event.text
                else:
                    end = event.end
                    self.held[question].add(event.constrained)
                yield event
        if schema is not None and end == "stop":
            Draft202012Validator(schema).validate(json.loads(text))
            self.valid[True] += 1
        elif schema is not None:
            self.valid[False] += 1


@pytest.fixture
async def models(tmp_path: Path) -> AsyncIterator[Babbling]:
    async with babbling(make_tiny_model(tmp_path / "tiny.gguf", context_tokens=8192)) as one:
        yield one


@asynccontextmanager
async def babbling(path: Path, *, tool_format: Literal["auto", "off"] = "auto") -> AsyncIterator[Babbling]:
    """A file's babbler, always closed."""
    entry = FileModel(name="babbler", path=str(path), threads=1, tool_format=tool_format)
    model = LocalChatModel(entry, clock=SystemClock())
    try:
        yield Babbling(model)
    finally:
        await model.shutdown()


class Asked:
    """A PromptedMind over the babbler, and what it told."""

    def __init__(self, models: Babbling) -> None:
        self.models = models
        self.told: list[str] = []
        prefix = FixedPrefix(("user", "Hello"), ("assistant", "Hello. What shall we do?"))
        self.mind = PromptedMind(
            models, prefix, StarterMind(), lambda question, _: self.told.append(question)
        )

    async def everything(self, turn: TurnRef) -> None:
        """Every structured question, and what its answer must be in any case."""
        mind = self.mind
        chosen = (await mind.ask(EvaluateIntent(TEXT, ALL, turn))).chosen
        assert chosen is None or chosen in ALL
        picked = await mind.ask(PickAbility("whichever gets me at what is inside", ALL, turn))
        assert picked is None or picked in ALL
        found = await mind.ask(ExtractParams("zip it with level=7", ZIP, turn=turn))
        Draft202012Validator({**ZIP.params, "required": []}).validate(found.values)
        assert 1 <= int(str(found.values["level"])) <= 9
        short = await mind.ask(ExtractParams("smaller, please", SHORT, turn=turn))
        Draft202012Validator({**SHORT.params, "required": []}).validate(short.values)
        assert ("width" in short.values) is not ("width" in short.missing)
        judged = await mind.ask(JudgeConfirmation("it might as well be done", [WAITING], turn))
        assert judged.kind is not Confirmation.CONFIRM
        written = await mind.ask(GenerateAction("count the lines of a file", turn))
        assert written is None or written.code.strip()


async def run(models: Babbling, rounds: int) -> Asked:
    asked = Asked(models)
    for number in range(rounds):
        await asked.everything(TurnRef("chat", f"turn {number}"))
    return asked


@pytest.mark.promise("mind.constrained")
@pytest.mark.slow
async def test_with_random_weights_every_structured_answer_parses_and_validates(models: Babbling) -> None:
    asked = await run(models, 4)
    assert models.valid[True] > models.valid[False]
    assert {"evaluate_intent", "pick_ability", "judge_confirmation"}.isdisjoint(asked.told)


@pytest.mark.promise("mind.constrained")
@pytest.mark.integration
async def test_a_random_choice_is_one_of_those_on_offer(models: Babbling) -> None:
    asked = Asked(models)
    for number in range(3):
        turn = TurnRef("chat", f"turn {number}")
        chosen = (await asked.mind.ask(EvaluateIntent(TEXT, ALL, turn))).chosen
        assert chosen is None or chosen in ALL
        judged = await asked.mind.ask(JudgeConfirmation("it might as well be done", [WAITING], turn))
        assert judged.kind is not Confirmation.CONFIRM
    assert models.valid[True]


#: By what the answers of a model are held to their form where its template has words for tools.
_CALLED = ("evaluate_intent", "pick_ability", "extract_params")


@pytest.mark.promise("mind.constrained")
@pytest.mark.integration
@pytest.mark.parametrize(
    "name", ["qwen that thinks", "llama with a tag", "mistral", "functionary", "command"]
)
async def test_a_random_call_is_of_a_tool_on_offer_and_its_arguments_fit(tmp_path: Path, name: str) -> None:
    style = STYLES[name]
    tokens = [text for text in style.controls if text not in CONTROL]
    path = make_tiny_model(
        tmp_path / "tiny.gguf", context_tokens=8192, template=style.template, extra_tokens=tokens
    )
    async with babbling(path) as models:
        asked = Asked(models)
        for number in range(2):
            await asked.everything(TurnRef("chat", f"turn {number}"))
        assert [models.held[question] for question in _CALLED] == [{"tools"}] * 3
        assert models.held["judge_confirmation"] == {"grammar"}
        assert models.valid[True] > models.valid[False]
        assert {"evaluate_intent", "pick_ability"}.isdisjoint(asked.told)


@pytest.mark.integration
async def test_where_calls_are_switched_off_or_unknown_the_schema_holds_the_answer(tmp_path: Path) -> None:
    knowing = make_tiny_model(tmp_path / "knows.gguf", context_tokens=8192, template=STYLES["qwen"].template)
    plain = make_tiny_model(tmp_path / "plain.gguf", context_tokens=8192)
    async with babbling(knowing, tool_format="off") as off, babbling(plain) as unknowing:
        for models in (off, unknowing):
            await Asked(models).mind.ask(EvaluateIntent(TEXT, ALL, TurnRef("chat", "turn")))
            assert models.held == {"evaluate_intent": {"grammar"}}


@pytest.mark.integration
async def test_a_random_reply_is_words(models: Babbling) -> None:
    mind = Asked(models).mind
    request = ReplyRequest(text="hi", evidence=(), abilities=(), prompt=PROMPT, turn=TurnRef("chat", "t"))
    assert "".join([piece async for piece in mind.reply(request)])
