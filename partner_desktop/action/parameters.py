"""ParameterFinder: asks a mind for arguments, checks them, and asks again with what is wrong.

Contract: what it returns keeps the schema. A value that still breaks it after the last try is left out, so
that the person is asked for it: an invalid value is never passed on and never repaired by guessing.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from partner_desktop.action.schema_check import is_foreign, misfit
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.question import ExtractedParams, ExtractParams, Mind

#: Times that a mind is asked for the arguments of one call.
TRIES = 3

_DEFINITIONS: tuple[str, ...] = ("$defs", "definitions")


class ParameterFinder:
    """Between a mind and what is about to be called."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    async def find(self, request: ExtractParams) -> ExtractedParams:
        """Arguments that keep the schema, what is missing, and why the answer to a question does not do."""
        for _ in range(TRIES):
            found = await self._mind.ask(request)
            problems = await asyncio.to_thread(problems_of, request.info, found.values)
            if not problems:
                return found
            known = {name: value for name, value in request.known.items() if name not in problems}
            request = replace(request, known=known, problems=problems)
        return _without(found, problems, request)


def _without(found: ExtractedParams, problems: dict[str, str], request: ExtractParams) -> ExtractedParams:
    values = {name: value for name, value in found.values.items() if name not in problems}
    required = set(request.info.required())
    lost = [name for name in problems if name in required and name not in found.missing]
    missing = [name for name in request.info.properties() if name in found.missing or name in lost]
    return ExtractedParams(values, tuple(missing), found.problem or problems.get(request.asked, ""))


def problems_of(info: MetaActionInfo, values: dict[str, Json]) -> dict[str, str]:
    """Parameter → what its value breaks, where it breaks something. Off the loop, as `schema_check`."""
    properties = info.properties()
    problems = {name: f"There is no parameter {name}." for name in values if name not in properties}
    for name, schema in properties.items():
        if name not in values:
            continue
        found = misfit(_standing_alone(schema, info), values[name], foreign=is_foreign(info))
        if found is not None and not found.of_schema:  # a wrong schema is told where the call is proposed
            problems[name] = f"{found.message[:1].upper()}{found.message[1:]}."
    return problems


def _standing_alone(schema: JsonObject, info: MetaActionInfo) -> JsonObject:
    """A property's schema with the definitions that it may refer to."""
    return {**schema, **{name: info.params[name] for name in _DEFINITIONS if name in info.params}}
