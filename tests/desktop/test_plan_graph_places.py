"""Where the steps of a plan stand as a graph."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from partner_desktop.desktop.card.plan.graph_layout import (
    NODE_HEIGHT,
    NODE_WIDTH,
    GraphEdge,
    is_line,
    lay_out,
    plan_edges,
)
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan import Plan, Stage, StepInput, StepPurpose
from tests.tables import all_rows

from .chain_samples import backup, chain_action, chain_of, step
from .verified_samples import branching, rerouted


def made(*stages: str) -> Plan:
    """Stages like `b<a c<a,b`: each step with what feeds it; `b>d`: it brings something that d needs."""
    found = []
    for stage in stages:
        steps = []
        for word in stage.split():
            name, _, fed = word.partition("<")
            name, _, needed = name.partition(">")
            why = StepPurpose(("x",), needed_by=tuple(needed.split(","))) if needed else None
            feeds = tuple(StepInput("p", each) for each in fed.split(",") if each)
            steps.append(replace(step(name), feeds=feeds, reason=why))
        found.append(tuple(steps))
    return Plan(tuple(map(Stage, found)))


@pytest.mark.parametrize(
    ("stages", "lines"),
    [
        (("a", "b<a", "c<b"), True),
        (("a", "b", "c"), True),
        (("a", "b c"), False),
        (("a", "b<a", "c<a"), False),
        (("a>c", "b", "c"), False),
        (("a",), True),
        ((), True),
        (("a", "", "b"), True),
    ],
)
def test_what_goes_step_by_step_is_a_line(stages: tuple[str, ...], lines: bool) -> None:
    assert is_line(made(*stages)) is lines


@pytest.mark.parametrize(
    ("stages", "edges"),
    [
        (("a", "b<a"), {("a", "b", True)}),
        (("a>b", "b"), {("a", "b", True)}),
        (("a", "b"), {("a", "b", False)}),
        (("a", "b c"), {("a", "b", False), ("a", "c", False)}),
        (("a b", "c<a"), {("a", "c", True), ("b", "c", False)}),
        (("a", "b<gone"), {("a", "b", False)}),
        (("a", "b<b"), {("a", "b", False)}),
        (("a", "b<a", "c<a"), {("a", "b", True), ("a", "c", True), ("b", "c", False)}),
    ],
)
def test_an_edge_is_what_is_brought_or_else_the_order(
    stages: tuple[str, ...], edges: set[tuple[str, str, bool]]
) -> None:
    found = plan_edges(made(*stages))
    assert {(edge.source, edge.target, edge.carries) for edge in found} == edges
    assert len(found) == len(edges)


def of_tasks(*stages: str) -> Plan:
    """Stages like `c:z?x,y<a`: step c brings the task z, waits for the tasks x and y, and is fed by a."""
    found = []
    for stage in stages:
        steps = []
        for word in stage.split():
            told, _, fed = word.partition("<")
            told, _, awaited = told.partition("?")
            name, _, task = told.partition(":")
            parts: list[Json] = [{"task": each, "status": "done"} for each in awaited.split(",") if each]
            when: JsonObject = {"all": parts} if parts else {}
            feeds = tuple(StepInput("p", each) for each in fed.split(",") if each)
            brings: JsonObject = {"done": {"task": task, "status": "done", "context": {}}}
            steps.append(replace(step(name), task=task, when=when, feeds=feeds, outcomes=brings))
        found.append(tuple(steps))
    return Plan(tuple(map(Stage, found)), saved_key="local::some")


@pytest.mark.parametrize(
    ("stages", "edges"),
    [
        (("a:x", "b:all?x"), {("a", "b", False)}),
        (("a:x", "b:all?x<a"), {("a", "b", True)}),
        (("a:x b:y", "c:all?x,y"), {("a", "c", False), ("b", "c", False)}),
        (("a:x b:y", "c:z?x", "d:all?y,z"), {("a", "c", False), ("b", "d", False), ("c", "d", False)}),
        (("a:x b:y", "c:all?x"), {("a", "c", False)}),
        (("a:x b:y", "c:all<a"), {("a", "c", True)}),
        (
            # A profile, then a key beside a request, then the computer, then a letter.
            (
                "p:profile",
                "k:access?profile r:request?profile",
                "c:computer?request<r",
                "w:all?access,computer",
            ),
            {
                ("p", "k", False),
                ("p", "r", False),
                ("r", "c", True),
                ("k", "w", False),
                ("c", "w", False),
            },
        ),
    ],
)
def test_an_edge_of_a_saved_plan_is_a_task_that_is_waited_for(
    stages: tuple[str, ...], edges: set[tuple[str, str, bool]]
) -> None:
    found = plan_edges(of_tasks(*stages))
    assert {(edge.source, edge.target, edge.carries) for edge in found} == edges
    assert len(found) == len(edges)


def test_who_handles_a_failure_hangs_on_what_may_fail_and_waits_for_the_last_try() -> None:
    first = replace(step("a"), task="x", outcomes={"failed": {"task": "odd", "status": "failed"}})
    again = replace(first, id="a2", origin="retry", mends="a")
    handler = replace(step("b"), when={"task": "odd", "status": "failed"})
    plan = Plan((Stage((first, again)), Stage((handler,))))
    assert plan_edges(plan) == (GraphEdge("a", "a2"), GraphEdge("a2", "b"))


def test_what_is_tried_again_hangs_on_what_failed() -> None:
    assert GraphEdge("s2", "r1") in plan_edges(chain_of(rerouted()))


def test_a_line_in_which_a_step_is_tried_again_is_one() -> None:
    first, second = step("a"), step("b", feeds=(StepInput("p", "a"),))
    again = replace(first, id="a2", origin="retry", mends="a")
    plan = Plan((Stage((first, again)), Stage((second,))))
    assert is_line(plan)
    assert plan_edges(plan) == (GraphEdge("a", "a2"), GraphEdge("a2", "b", carries=True))


SHAPES = {
    "two beside": backup(),
    "three beside": branching(),
    "sixty": branching(layers=8, beside=10),
    "wide": branching(layers=3, beside=20),
    "deep": branching(layers=20, beside=3),
    "one": chain_action("a1", step()),
}


@all_rows("shape", SHAPES)
@all_rows("is_across", [False, True])
def test_no_step_lies_on_another_and_all_is_in_the_picture(shape: str, is_across: bool) -> None:
    plan = chain_of(SHAPES[shape])
    layout = lay_out(plan, is_across=is_across)
    assert [*layout.places] == [each for each in layout.places if plan.step(each)]
    assert len(layout.places) == len(plan.steps)
    for (ax, ay), (bx, by) in combinations(layout.places.values(), 2):
        assert abs(ax - bx) >= NODE_WIDTH or abs(ay - by) >= NODE_HEIGHT
    points = [point for _, line in layout.lines for point in line]
    corners = [(x + NODE_WIDTH, y + NODE_HEIGHT) for x, y in layout.places.values()]
    for x, y in (*points, *corners, *layout.places.values()):
        assert 0 <= x <= layout.width
        assert 0 <= y <= layout.height


def test_layers_stand_in_the_order_of_the_stages_and_lines_go_round_what_they_pass() -> None:
    layout = lay_out(made("a", "b<a", "c<a,b"), is_across=False)
    tops = [layout.places[each][1] for each in "abc"]
    assert tops == sorted(tops)
    past = next(points for edge, points in layout.lines if (edge.source, edge.target) == ("a", "c"))
    left = layout.places["b"][0]
    assert all(not left < x < left + NODE_WIDTH for x, _ in past[1:-1])


def test_a_layer_is_sorted_so_that_lines_do_not_cross() -> None:
    layout = lay_out(made("a b", "c<b d<a", "e<c f<d"), is_across=False)
    x = {each: place[0] for each, place in layout.places.items()}
    assert (x["a"] < x["b"]) == (x["d"] < x["c"]) == (x["f"] < x["e"])


@pytest.mark.parametrize(
    ("way", "to"), [((0, 1), "c"), ((0, -1), "a"), ((1, 0), "b"), ((-1, 0), "b")], ids=str
)
def test_an_arrow_leads_to_the_nearest_in_its_direction(way: tuple[int, int], to: str) -> None:
    assert lay_out(made("a", "b<a", "c<b"), is_across=False).next_to("b", *way) == to


def test_an_arrow_aside_stays_in_its_layer() -> None:
    layout = lay_out(made("a", "b<a c<a d<a", "e<b,c,d"), is_across=False)
    first = min("bcd", key=lambda each: layout.places[each][0])
    second = layout.next_to(first, 1, 0)
    assert layout.places[second][1] == layout.places[first][1]
    assert layout.next_to(layout.next_to(second, 1, 0), 1, 0) != first
