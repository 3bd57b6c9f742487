"""The scripted mind: a real endpoint whose model understands the stories, and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.model.endpoint.badly import Line


@dataclass(frozen=True)
class Knows:
    """Where `words` stand in what the person says, `ability` is meant, with these arguments."""

    words: str
    ability: str
    params: tuple[tuple[str, Any], ...] = ()


class SensibleModel:
    """Answers each structured question in its form; it never says yes for the person."""

    def __init__(self, knows: tuple[Knows, ...], stages: tuple[tuple[str, ...], ...] = ()) -> None:
        self._knows = knows
        self._stages = stages
        self.asked = 0

    async def __call__(self, line: Line) -> None:
        if not isinstance(line.seen.body, dict) or "messages" not in line.seen.body:
            await line.json({"object": "list", "data": [{"id": "sensible"}]})
            return
        self.asked += 1
        tail = str(line.seen.body["messages"][-1]["content"])
        form = line.seen.body.get("response_format", {}).get("json_schema", {}).get("schema")
        await line.say("Here is what came of it." if form is None else json.dumps(self._answer(form, tail)))

    def _answer(self, form: dict[str, Any], tail: str) -> dict[str, Any]:
        entries = form["properties"]
        if "do" in entries:
            meant = self._meant(tail, _offered(entries["ability"]))
            return {"do": "act" if meant else "reply", "ability": meant}
        if "ability" in entries:
            return {"ability": self._meant(tail, _offered(entries["ability"]))}
        if "means" in entries:
            return {"means": "other"}
        if "stages" in entries:
            return {"stages": [list(stage) for stage in self._stages]}
        if "changes" in entries:
            return {name: [] if name == "changes" else None for name in entries}
        if "ok" in entries:
            return {"ok": True, "reason": ""}
        given = {name: value for one in self._fitting(tail) for name, value in one.params}
        return {name: given.get(name) for name in entries}

    def _meant(self, tail: str, offered: list[str]) -> str | None:
        for one in self._fitting(tail):
            for name in offered:
                if re.search(rf"\b{re.escape(one.ability)}\b", name):
                    return name
        return None

    def _fitting(self, tail: str) -> list[Knows]:
        return [one for one in self._knows if one.words.lower() in tail.lower()]


def _offered(entry: dict[str, Any]) -> list[str]:
    return next((one["enum"] for one in [entry, *entry.get("anyOf", [])] if "enum" in one), [])
