"""What a step of an agent writes with a model: a text, or an object that fits its schema."""

from __future__ import annotations

import json

from partner_desktop.domain.json_value import Json
from partner_desktop.mind.prompted.answers import object_schema, read_answer
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError
from partner_desktop.mind.question import WriteForAgent

#: Tokens of an answer where the agent does not say.
_MOST_TOKENS = 2_000


async def write_for_agent(asker: Asker, request: WriteForAgent) -> Json:
    """`None` where the model gives nothing that can be used; the person was told."""
    schema = request.schema or object_schema(text={"type": "string", "minLength": 1})

    def read(text: str) -> Json:
        found = read_answer(schema, text)
        if request.schema:
            return dict(found)
        written = str(found["text"]).strip()
        if not written:
            raise FlawError(Flaw.EMPTY)
        return written

    return await asker.ask_text(
        request,
        read,
        {
            "persona": request.persona,
            "task": request.task,
            "schema": json.dumps(schema, ensure_ascii=False),
        },
        turn=request.turn,
        schema=schema,
        max_tokens=request.max_tokens or _MOST_TOKENS,
    )
