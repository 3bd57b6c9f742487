"""What an ability says that it needs and brings, and what follows of its schemas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from partner_desktop.action.goals.goal_domain import GoalDomain, plan_action
from partner_desktop.action.goals.goal_maker import Aim, stages_towards
from partner_desktop.base.errors import DescriptorError, UsageError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.planning_facts import PlanningFacts, derived_facts
from partner_desktop.runner.descriptor import from_json, from_toml
from partner_desktop.runner.mcp.configuration.descriptions import read_override
from tests.tables import all_rows


def _object(properties: JsonObject, required: list[str] | None = None) -> JsonObject:
    return {"type": "object", "properties": properties, "required": [*(required or [])]}


def test_the_short_forms_say_the_same_as_the_long_ones() -> None:
    short = from_toml('outputs = "Summary"\npreconditions = "a"\neffects = ["b", "c"]', first_line=1)
    long = from_json(
        '{"outputs": {"result": "Summary"}, "preconditions": {"a": true}, "effects": {"b": true, "c": true}}'
    )
    assert short.planning_facts() == long.planning_facts()
    assert short.planning_facts().cost == 1


@all_rows(
    "text, line, told",
    [
        ("cost = -1", 2, "`cost` does not fit: input should be 0 or more"),
        ("cost = inf", 2, "`cost` does not fit: input should be a finite number"),
        ('cost = "cheap"', 2, "`cost` does not fit"),
        ("value = nan", 2, "`value` does not fit"),
        ('inputs = { a = "T" }\nparams = { b = "x" }', 2, "`a` is no parameter of it"),
        (
            'inputs = { a = "T", b = "T" }\nparams = { a = "x", b = "y" }',
            2,
            "two of them are of the type `T`",
        ),
        ('outputs = { a = "T", b = "T" }', 2, "two of them are of the type `T`"),
        ('outputs = { a = "two words" }', 2, "`outputs.a` does not fit"),
        ('preconditions = { x = "maybe" }', 2, "`preconditions.x` does not fit"),
        ('effects = { " x" = true }', 2, "`effects"),
        ('effects = ["have:Summary"]', 2, "begins as the planner's own conditions do"),
        ('preconditions = { "ran:local::x" = false }', 2, "begins as the planner's own"),
        ('rerunnable = "yes"', 2, "`rerunnable` does not fit"),
    ],
)
def test_what_cannot_be_is_told_with_its_line(text: str, line: int, told: str) -> None:
    with pytest.raises(DescriptorError) as caught:
        from_toml(f'description = "x"\n{text}', first_line=1)
    assert caught.value.line == line
    assert told in str(caught.value)


def test_a_servers_tool_gets_its_types_from_its_description_file() -> None:
    tool = MetaActionInfo("time::convert", Route.MCP, "Convert", params=_object({"zone": {"type": "string"}}))
    facts = {"inputs": {"zone": "Zone"}, "outputs": "Moment", "cost": 3}
    path = Path("/action/mcp/desc/time::convert.desc.json")
    described = read_override(path, json.dumps(facts).encode()).apply(tool)
    assert described.planning_facts == PlanningFacts({"zone": "Zone"}, {"result": "Moment"}, cost=3)
    assert not tool.planning_facts.takes_part


STORY: JsonObject = {"type": "object", "title": "Story", "properties": {}}


def test_an_objects_schema_with_a_title_is_a_type_and_a_text_is_none() -> None:
    params = _object(
        {
            "story": {"$ref": "#/$defs/Story"},
            "name": {"type": "string", "title": "Name"},
            "left": {"type": "object", "title": "Side"},
            "right": {"type": "object", "title": "Side"},
        }
    )
    params["$defs"] = {"Story": STORY}
    found = derived_facts(params, {"type": "object", "title": "Review"})
    assert (found.inputs, found.outputs) == ({"story": "Story"}, {"result": "Review"})
    assert found.derived, "and it is marked as nobody's word"
    assert not derived_facts(_object({"name": {"type": "string", "title": "Name"}}), {}).takes_part


def test_what_its_author_says_goes_before_what_follows_of_schemas() -> None:
    info = MetaActionInfo(
        "a::b", Route.MCP, "x", response_schema=STORY, declared=PlanningFacts(effects={"told": True})
    )
    assert info.planning_facts.outputs == {}


def test_only_what_is_required_must_be_there() -> None:
    params = _object({"story": {"type": "string"}, "title": {"type": "string"}}, required=["story"])
    info = MetaActionInfo(
        "local::tell",
        Route.MCP,
        "Tell",
        params=params,
        declared=PlanningFacts({"story": "Story", "title": "Title"}, {"result": "Tale"}, rerunnable=True),
    )
    assert plan_action(info).preconditions == {"have:Story": True}
    assert plan_action(info).effects == {"have:Tale": True, "ran:local::tell": True}


def _brings(name: str, needs: str, brings: str, **more: float) -> MetaActionInfo:
    params = _object({"it": {"type": "string"}}, required=["it"])
    declared = PlanningFacts({"it": needs} if needs else {}, {"result": brings}, **more)  # type: ignore[arg-type] # cost
    return MetaActionInfo(f"local::{name}", Route.MCP, name, params=params, declared=declared)


@pytest.mark.parametrize(
    ("abilities", "told"),
    [
        ([_brings("hen", "Egg", "Chicken"), _brings("coop", "Chicken", "Egg")], "Egg"),
        ([_brings("self", "Egg", "Egg")], "Egg"),
        ([], "Egg"),
    ],
)
def test_a_circle_and_a_goal_that_needs_itself_have_no_way(
    abilities: list[MetaActionInfo], told: str
) -> None:
    with pytest.raises(UsageError, match=f"Nothing here brings .*{told}"):
        stages_towards(GoalDomain.of(abilities), Aim({"have:Egg": True}), "an egg")


def test_what_has_nothing_to_do_with_each_other_is_one_stage() -> None:
    abilities = [
        _brings("root", "", "Root"),
        _brings("left", "Root", "Left"),
        _brings("right", "Root", "Right"),
    ]
    stages = stages_towards(GoalDomain.of(abilities), Aim({"have:Left": True, "have:Right": True}), "both")
    assert [sorted(step.info.name for step in stage) for stage in stages] == [["root"], ["left", "right"]]
    assert [feed.step for step in stages[1] for feed in step.feeds] == [stages[0][0].id] * 2
