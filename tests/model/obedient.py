"""A server with a model that does what it is told: it reads the prompt and the schema of each call.

It knows the tasks of the self-test by their words, as somebody would who can read, and what they want; the
form of its answer it takes from the schema that it was sent. Which task is asked it is told by nobody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from partner_desktop.domain.json_value import Json
from partner_desktop.mind.check_tasks import CheckTask, check_tasks, wording_in
from tests.model.endpoint.badly import Line

_SENTENCES = {
    "": "{}.",
    "en": "It is {} on the list.",
    "zh": "清单上一共有{}。",
    "de": "Es sind {} in der Liste.",
}


class Obedient:
    """A `Behaviour`. With `thoughts` it thinks aloud before it speaks, where no form is asked for."""

    def __init__(self, language: str, *, thoughts: bool = False) -> None:
        self._language, self._thoughts = language, thoughts
        self.asked: list[str] = []
        """The tasks that it saw, by their names."""

    async def __call__(self, line: Line) -> None:
        body = line.seen.body
        text = str(body["messages"][-1]["content"])
        found = [task for task in check_tasks() if self._stands_in(task, text)]
        if not found:
            await line.say("I do not know.")
            return
        self.asked.append(found[0].id)
        properties = properties_of(body)
        if properties is None:
            thought = "<think>Lisbon? Jupiter?</think>" if self._thoughts else ""
            await line.say(thought, self._sentence(found[0]))
        else:
            await line.say(json.dumps(self._object(found[0], properties), ensure_ascii=False))

    def _stands_in(self, task: CheckTask, text: str) -> bool:
        words = wording_in(task.text, self._language)
        return words in text or json.dumps(words, ensure_ascii=False)[1:-1] in text

    def _sentence(self, task: CheckTask) -> str:
        return _SENTENCES[task.expect.language].format(task.expect.contains[0][0])

    def _object(self, task: CheckTask, properties: Mapping[str, Any]) -> dict[str, Json]:
        chosen = task.expect.ability or None
        known: dict[str, Json] = {"do": "act" if chosen else "reply", "ability": chosen}
        if "summary" in properties:
            known["summary"] = wording_in(task.text, self._language).split(".")[0].split("。")[0] + "."
        known |= task.expect.valued(self._language)
        return {name: known.get(name) for name in properties}


def properties_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the schema of a call names; `None`: plain words are asked for."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return None if schema is None else schema["properties"]
