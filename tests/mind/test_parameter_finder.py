"""Arguments keep the schema, whatever a mind says: three tries, then the person is asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.parameter_finder import TRIES, ParameterFinder
from partner_desktop.mind.question import ExtractedParams, ExtractParams
from partner_desktop.mind.starter.mind import StarterMind

RESIZE = MetaActionInfo(
    key="local::resize",
    route=Route.MCP,
    description="Resize pictures",
    params={
        "type": "object",
        "properties": {
            "width": {"type": "integer", "minimum": 1},
            "mode": {"type": "string", "enum": ["fit", "fill"], "default": "fit"},
        },
        "required": ["width"],
    },
)


class Unsteady(StarterMind):
    """Answers with one set of arguments after the other, and remembers what it was told."""

    def __init__(self, answers: Sequence[JsonObject]) -> None:
        super().__init__()
        self.add(ExtractParams.answered_by(self.extract_params))
        self.answers = list(answers)
        self.requests: list[ExtractParams] = []

    async def extract_params(self, request: ExtractParams) -> ExtractedParams:
        self.requests.append(request)
        values = self.answers[min(len(self.requests), len(self.answers)) - 1]
        return ExtractedParams(dict(values), () if "width" in values else ("width",))


async def found(mind: StarterMind) -> ExtractedParams:
    return await ParameterFinder(mind.ask).find(ExtractParams("resize them", RESIZE))


@pytest.mark.promise("actions.params")
async def test_arguments_that_keep_the_schema_are_taken_at_once() -> None:
    mind = Unsteady([{"width": 100}])
    assert (await found(mind)).values == {"width": 100}
    assert len(mind.requests) == 1


@pytest.mark.promise("actions.params")
async def test_a_try_that_breaks_the_schema_is_told_why_and_made_again() -> None:
    mind = Unsteady([{"width": -5}, {"width": 5}])
    assert (await found(mind)).values == {"width": 5}
    assert "minimum" in mind.requests[1].problems["width"]


@pytest.mark.promise("actions.params")
async def test_after_three_tries_the_bad_value_is_left_out_and_missing() -> None:
    mind = Unsteady([{"width": "wide", "mode": "fill"}])
    result = await found(mind)
    assert len(mind.requests) == TRIES == 3
    assert (result.values, result.missing) == ({"mode": "fill"}, ("width",))


async def test_an_invented_parameter_is_never_passed_on() -> None:
    mind = Unsteady([{"width": 5, "colour": "red"}])
    result = await found(mind)
    assert (result.values, result.missing) == ({"width": 5}, ())
