"""What the minds ask jsonschema: does a value keep its parameter's schema?

`jsonschema` is slow to import, so it is imported on first use, in a thread. References to addresses are
never followed: a schema cannot make Partner fetch anything.
"""

from __future__ import annotations

import asyncio

from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject

_log = log.area("mind")


@dataclass(frozen=True)
class Breach:
    """The first rule that a value breaks: the schema's keyword, and the limit that it sets."""

    keyword: str
    limit: Json


async def breaches(values: JsonObject, params: JsonObject) -> dict[str, Breach]:
    """Parameter → breach, for those values that do not keep their schema."""
    if not values:
        return {}
    return await asyncio.to_thread(_breaches, values, params)


def _breaches(values: JsonObject, params: JsonObject) -> dict[str, Breach]:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import
    from jsonschema.exceptions import UnknownType  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    properties = params.get("properties")
    validator = Draft202012Validator(params, registry=Registry())
    found: dict[str, Breach] = {}
    for name, value in values.items():
        schema = properties.get(name) if isinstance(properties, dict) else None
        if not isinstance(schema, dict):
            continue
        try:
            error = next(iter(validator.descend(value, schema)), None)
        except (UnknownType, Unresolvable) as problem:
            _log.warning("the schema of parameter %r cannot be checked: %s", name, problem)
            continue
        if error is not None:
            found[name] = Breach(str(error.validator), error.validator_value)
    return found
