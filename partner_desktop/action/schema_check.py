"""Whether a value fits a JSON Schema that somebody else wrote.

Imports `jsonschema`, which is slow the first time, and takes its time with long values: off the loop.
"""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.domain.json_value import Json, JsonObject


@dataclass(frozen=True)
class Misfit:
    """Why it does not fit."""

    message: str
    param: str = ""
    """The property that is to blame; empty where none is."""
    of_schema: bool = False
    """The schema itself is wrong: no value could fit."""


def misfit(schema: JsonObject, value: Json, *, formats: bool = False) -> Misfit | None:
    """The first thing that is wrong; `None` when it fits. With `formats`, what `format` says counts too."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 0.1 s that start-up must not pay
    from jsonschema.exceptions import SchemaError, best_match  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    checker = Draft202012Validator.FORMAT_CHECKER if formats else None
    try:
        Draft202012Validator.check_schema(schema)
        # A registry of our own: without one, a schema could have any address on the network read.
        validator = Draft202012Validator(schema, registry=Registry(), format_checker=checker)
        problem = best_match(validator.iter_errors(value))
    except SchemaError as error:
        return Misfit(error.message, of_schema=True)
    except Unresolvable as error:
        return Misfit(f"it refers to {error.ref}, which is not in it", of_schema=True)
    if problem is None:
        return None
    return Misfit(problem.message, str(problem.path[0]) if problem.path else "")
