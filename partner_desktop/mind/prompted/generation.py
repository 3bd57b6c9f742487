"""A new script, asked of a model in two calls: what it is, as a form; then its code, as plain text.

Code inside JSON is where small models break, so it never is: the second answer is the code and nothing else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.pasted_code import may_be_parsed
from partner_desktop.language.speech_acts.ability_requests import wish_in
from partner_desktop.mind.prompted.answers import (
    Answer,
    list_of,
    object_schema,
    one_of,
    said,
    text_of_at_most,
)
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

_PARAM_KEYS = object_schema(
    name={"type": "string"},
    type=one_of("string", "integer", "number", "boolean", "path"),
    description=text_of_at_most(_SENTENCE),
    required={"type": "boolean"},
)
_KEYS: JsonObject = {
    "name": {"type": "string"},
    "description": text_of_at_most(_SENTENCE),
    "language": one_of("python", "shell"),
    "params": list_of(_PARAM_KEYS, most=_PARAMS),
}


async def generate(asker: Asker, starter: Mind, request: GenerateAction) -> GeneratedAction | None:
    """What the person pasted; else a script of the model's. `None`: it brought none, and the person knows."""
    pasted, wish = await starter.ask(request), wish_in(request.text)
    if pasted is not None or (wish is not None and wish.kind == "paste"):
        return pasted  # for code that is there none is written in its place
    plan = await asker.ask(request, _checked, {"said": quoted(request.text)}, _KEYS, max_tokens=_MOST_TOKENS)
    if plan is None:
        return None

    def read(text: str) -> GeneratedAction:
        code = bare_code(text)
        _check(code, plan["language"])
        return GeneratedAction(
            name=plan["name"],
            description=plan["description"].strip(),
            language=plan["language"],
            params=_params(plan["params"]),
            code=code,
        )

    return await asker.ask_text(
        request,
        read,
        {
            "said": quoted(request.text),
            "language": plan["language"],
            "action": f"{plan['name']}: {quoted(plan['description'])}",
            "params": written(plan["params"]),
        },
        turn=request.turn,
        prompt="generate_code",
    )


def _checked(plan: Answer) -> Answer:
    names = [param["name"] for param in plan["params"]]
    fits = _NAME.fullmatch(plan["name"]) and plan["description"].strip() and len(names) == len(set(names))
    if not fits or not all(map(_PARAM.fullmatch, names)):
        raise FlawError(Flaw.VALUES)
    return plan


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


def _check(code: str, language: str) -> None:
    """Whether it parses, as far as that can be told without running it."""
    try:
        code.encode("utf-8")
        if "\0" in code:
            raise ValueError
        if language == "python" and may_be_parsed(code):
            ast.parse(code)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise FlawError(Flaw.NOT_CODE) from None


def _params(params: Sequence[Answer]) -> JsonObject:
    """JSON Schema of the parameters; a path is a text with a format."""
    properties: JsonObject = {}
    for param in params:
        path = param["type"] == "path"
        kind: JsonObject = {"type": "string", "format": "path"} if path else {"type": param["type"]}
        properties[param["name"]] = {**kind, "description": param["description"]}
    required: list[Json] = [param["name"] for param in params if param["required"]]
    return {"type": "object", "properties": properties, "required": required}
