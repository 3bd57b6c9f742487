"""A new script, asked of a model in two calls: what it is, as a form; then its code, as plain text.

Code inside JSON is where small models break, so it never is: the second answer is the code and nothing else.
"""

from __future__ import annotations

import ast
import asyncio
import re

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.language.pasted_code import may_be_parsed
from partner_desktop.language.speech_acts.ability_requests import wish_in
from partner_desktop.mind.prompted.answers import ActionAnswer, object_schema, one_of, read_answer, said
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, written
from partner_desktop.mind.question import GenerateAction, GeneratedAction, Mind

_MOST_TOKENS = 640
_NAME = re.compile(r"[a-z][a-z0-9_]{1,47}")
_PARAM = re.compile(r"[a-z][a-z0-9_]{0,31}")
_SENTENCE, _PARAMS = 300, 12
_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[^\n`]*\n(?P<code>.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)

_SCHEMA = object_schema(
    name={"type": "string"},
    description={"type": "string"},
    language=one_of("python", "shell"),
    params={
        "type": "array",
        "items": object_schema(
            name={"type": "string"},
            type=one_of("string", "integer", "number", "boolean", "path"),
            description={"type": "string"},
            required={"type": "boolean"},
        ),
    },
)


def _is_of_paste(request: GenerateAction) -> bool:
    """Whether it asks for an ability of code that is there: none is written in its place."""
    wish = wish_in(request.text)
    return wish is not None and wish.kind == "paste"


async def generate(asker: Asker, starter: Mind, request: GenerateAction) -> GeneratedAction | None:
    """What the person pasted; else a script of the model's. `None`: it brought none, and the person knows."""
    pasted = await starter.ask(request)
    if pasted is not None or _is_of_paste(request):
        return pasted
    plan = await asker.ask(
        request,
        _read_plan,
        {"said": quoted(request.text)},
        turn=request.turn,
        schema=_SCHEMA,
        max_tokens=_MOST_TOKENS,
    )
    if plan is None:
        return None
    code = await _code(asker, request, plan)
    if code is None:
        return None
    return GeneratedAction(
        name=plan.name,
        description=plan.description.strip(),
        language=plan.language,
        params=_params(plan),
        code=code,
    )


async def _read_plan(text: str) -> ActionAnswer:
    plan = read_answer(ActionAnswer, text)
    names = [param.name for param in plan.params]
    fits = (
        _NAME.fullmatch(plan.name)
        and 0 < len(plan.description.strip()) <= _SENTENCE
        and len(names) == len(set(names)) <= _PARAMS
        and all(_PARAM.fullmatch(name) for name in names)
        and all(len(param.description) <= _SENTENCE for param in plan.params)
    )
    if not fits:
        raise FlawError(Flaw.VALUES)
    return plan


async def _code(asker: Asker, request: GenerateAction, plan: ActionAnswer) -> str | None:
    async def read(text: str) -> str:
        code = bare_code(text)
        await _check(code, plan.language)
        return code

    return await asker.ask(
        request,
        read,
        {
            "said": quoted(request.text),
            "language": plan.language,
            "action": f"{plan.name}: {quoted(plan.description)}",
            "params": written([param.model_dump() for param in plan.params]),
        },
        turn=request.turn,
        prompt="generate_code",
    )


def bare_code(text: str) -> str:
    """The code of an answer: without thoughts, and what stands between fences where there are any.

    Raises:
        FlawError: There is none.
    """
    spoken = said(text)
    fenced = [match["code"] for match in _FENCE.finditer(spoken)]
    code = max(fenced, key=len) if fenced else spoken
    if not code.strip():
        raise FlawError(Flaw.EMPTY)
    return code.strip("\n") + "\n"


async def _check(code: str, language: str) -> None:
    """Whether it parses, as far as that can be told without running it."""
    try:
        code.encode("utf-8")
        if "\0" in code:
            raise ValueError
        if language == "python" and may_be_parsed(code):
            await asyncio.to_thread(ast.parse, code)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise FlawError(Flaw.NOT_CODE) from None


def _params(plan: ActionAnswer) -> JsonObject:
    """JSON Schema of the parameters; a path is a text with a format."""
    properties: JsonObject = {}
    for param in plan.params:
        path = param.type == "path"
        kind: JsonObject = {"type": "string", "format": "path"} if path else {"type": param.type}
        properties[param.name] = {**kind, "description": param.description}
    return {
        "type": "object",
        "properties": properties,
        "required": [param.name for param in plan.params if param.required],
    }
