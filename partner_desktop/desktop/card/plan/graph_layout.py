"""Where the steps of a plan stand as a graph: its stages are layers, and what a step needs leads to it. Pure.

The layers are ordered as Sugiyama, Tagawa and Toda do it ("Methods for Visual Understanding of Hierarchical
System Structures", 1981): an edge that passes layers has a bend in each, and every layer is sorted by the
middle of its neighbours, down and up again. All distances are those of a zoom of 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.domain.plan_condition import named_tasks

NODE_WIDTH, NODE_HEIGHT = 184, 62
_BETWEEN, _LAYERS_APART, _EDGE, _BEND = 20, 36, 12, 24
_SWEEPS = 4

Point: TypeAlias = tuple[float, float]
#: A step by its id, or the bend of an edge: the edge's number and the layer.
_Item: TypeAlias = str | tuple[int, int]


@dataclass(frozen=True)
class GraphEdge:
    """One step comes before another."""

    source: str
    target: str
    carries: bool = False
    """It brings something that the other needs; else only the order is so."""


@dataclass(frozen=True)
class GraphLayout:
    """A picture of a plan."""

    places: Mapping[str, Point]
    """Step id → its left upper corner."""
    lines: tuple[tuple[GraphEdge, tuple[Point, ...]], ...]
    """Each edge with its ends and the bends between them."""
    width: float
    height: float
    is_across: bool
    """The layers stand beside each other, and not below."""

    def next_to(self, step_id: str, right: int, down: int) -> str:
        """The nearest step in a direction (each -1, 0 or 1); the same where there is none."""
        x, y = self.places[step_id]
        best, found = float("inf"), step_id
        for other, (left, top) in self.places.items():
            ahead = (left - x) * right + (top - y) * down
            aside = abs((left - x) * down) + abs((top - y) * right)
            if ahead > 1 and ahead + 2 * aside < best:
                best, found = ahead + 2 * aside, other
        return found


def plan_edges(plan: Plan) -> tuple[GraphEdge, ...]:
    """What leads where: by what steps bring each other, by the tasks that they wait for, and by the stages'
    order where nobody says what a step waits for.
    """
    there = {step.id for step in plan.steps}
    last = _last_tries(plan)
    edges: dict[tuple[str, str], bool] = {}
    for step in plan.steps:
        for feed in step.feeds:
            edges[last.get(feed.step, feed.step), step.id] = True
        for other in step.reason.needed_by if step.reason is not None else ():
            edges[last[step.id], other] = True
        if step.mends:
            edges.setdefault((step.mends, step.id), False)
    for ends in _task_edges(plan, last):
        edges.setdefault(ends, False)
    layers = {step_id: number for number, ids in enumerate(_layers(plan)) for step_id in ids}
    known = {
        ends: carries
        for ends, carries in edges.items()
        if there.issuperset(ends) and layers[ends[0]] < layers[ends[1]]
    }
    sure = {step.id for step in plan.steps if step.when or (step.task and step.feeds)}
    for source, target in _order_edges(_layers(plan), {*known}, sure):
        known.setdefault((source, target), False)
    return tuple(GraphEdge(*ends, carries) for ends, carries in known.items())


def _task_edges(plan: Plan, last: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """From each step of a saved plan that brings a task to each whose condition speaks of it."""
    bringers: dict[str, list[str]] = {}
    for step in plan.steps:
        if last[step.id] == step.id:
            for task in _tasks_of(step):
                bringers.setdefault(task, []).append(step.id)
    for step in plan.steps:
        for _, task, _ in named_tasks(step.when):
            yield from ((source, step.id) for source in bringers.get(task, ()))


def _tasks_of(step: Step) -> set[str]:
    """What it says something of once it has ended."""
    told = [each.get("task") for each in step.outcomes.values() if isinstance(each, dict)]
    return {task for task in (step.task, *told) if isinstance(task, str) and task}


def _order_edges(
    layers: Sequence[Sequence[str]], known: set[tuple[str, str]], sure: Collection[str]
) -> Iterator[tuple[str, str]]:
    """For each step to which nothing leads, or from which nothing leads on, the one beside it.

    To those that are `sure` nothing more leads: all that they wait for is known.
    """
    reached, left = {target for _, target in known}, {source for source, _ in known}
    for before, after in pairwise(layers):
        for place, step_id in enumerate(after):
            if step_id not in reached and step_id not in sure:
                yield before[min(place, len(before) - 1)], step_id
                left.add(before[min(place, len(before) - 1)])
        for place, step_id in enumerate(before):
            if step_id not in left and (target := after[min(place, len(after) - 1)]) not in sure:
                yield step_id, target


def is_line(plan: Plan) -> bool:
    """Whether each step leads to the next one and nowhere else."""
    layers = _layers(plan)
    numbers = {step_id: number for number, ids in enumerate(layers) for step_id in ids}
    if any(len(ids) > 1 for ids in layers):
        return False
    return all(numbers[edge.target] - numbers[edge.source] == 1 for edge in plan_edges(plan))


def lay_out(plan: Plan, *, is_across: bool) -> GraphLayout:
    """The picture, its layers below or beside each other."""
    edges = plan_edges(plan)
    layers, links = _with_bends(_layers(plan), edges)
    _sort(layers, links)
    own, deep = (NODE_HEIGHT, NODE_WIDTH) if is_across else (NODE_WIDTH, NODE_HEIGHT)
    middles = _middles(layers, links, own)
    depth = deep + _LAYERS_APART
    places = {
        item: (middles[item] - own / 2, _EDGE + number * depth)
        for number, layer in enumerate(layers)
        for item in layer
        if isinstance(item, str)
    }
    numbers = {item: number for number, layer in enumerate(layers) for item in layer}
    lines = []
    for at, edge in enumerate(edges):
        first, last = numbers[edge.source], numbers[edge.target]
        points = [(middles[edge.source], _EDGE + first * depth + deep)]
        for layer in range(first + 1, last):  # through a layer a line is straight
            top = _EDGE + layer * depth
            points += [(middles[at, layer], top), (middles[at, layer], top + deep)]
        points.append((middles[edge.target], _EDGE + last * depth))
        lines.append((edge, tuple(_turned(point, is_across=is_across) for point in points)))
    breadth = max((middles[item] + own / 2 for item in middles), default=0) + _EDGE
    width, height = _turned((breadth, 2 * _EDGE + len(layers) * depth - _LAYERS_APART), is_across=is_across)
    turned = {item: _turned(place, is_across=is_across) for item, place in places.items()}
    return GraphLayout(turned, tuple(lines), width, height, is_across)


def _last_tries(plan: Plan) -> dict[str, str]:
    """Each step with the last of its tries: that is what brings something."""
    last = {step.id: step.id for step in plan.steps}
    for step in reversed(plan.steps):
        if step.origin == "retry" and step.mends in last:
            last[step.mends] = last[step.id]
    return last


def _layers(plan: Plan) -> list[list[str]]:
    """The stages; what is tried again runs after what it mends, though it stands in the same one."""
    layers: list[list[str]] = []
    for stage in plan.stages:
        depths: dict[str, int] = {}
        for step in stage.steps:
            depths[step.id] = depths.get(step.mends, -1) + 1 if step.origin == "retry" else 0
        deepest = max(depths.values(), default=-1)
        layers += [[one for one, own in depths.items() if own == depth] for depth in range(deepest + 1)]
    return layers


def _turned(point: Point, *, is_across: bool) -> Point:
    return (point[1], point[0]) if is_across else point


def _with_bends(
    ids: Sequence[Sequence[str]], edges: Sequence[GraphEdge]
) -> tuple[list[list[_Item]], dict[_Item, list[list[_Item]]]]:
    """The layers with the bends of edges that pass them; each item with what leads to it and from it."""
    layers: list[list[_Item]] = [[*layer] for layer in ids]
    numbers = {step_id: number for number, layer in enumerate(ids) for step_id in layer}
    links: dict[_Item, list[list[_Item]]] = {step_id: [[], []] for step_id in numbers}
    for at, edge in enumerate(edges):
        before: _Item = edge.source
        for number in range(numbers[edge.source] + 1, numbers[edge.target]):
            bend = (at, number)
            layers[number].append(bend)
            links[bend] = [[before], []]
            links[before][1].append(bend)
            before = bend
        links[before][1].append(edge.target)
        links[edge.target][0].append(before)
    return layers, links


def _sort(layers: list[list[_Item]], links: Mapping[_Item, list[list[_Item]]]) -> None:
    """Each layer by the middle of its neighbours; what has none keeps its place."""
    place: dict[_Item, float] = {}
    for sweep in range(2 * _SWEEPS + 1):
        side = sweep % 2  # down by what leads to it, up by what it leads to
        for layer in layers if side == 0 else reversed(layers):
            wanted = {
                item: fmean(place[each] for each in near)
                if (near := links[item][side] if place else [])
                else at / max(1, len(layer) - 1)
                for at, item in enumerate(layer)
            }
            layer.sort(key=wanted.__getitem__)
            place |= {item: at / max(1, len(layer) - 1) for at, item in enumerate(layer)}


def _middles(
    layers: Sequence[Sequence[_Item]], links: Mapping[_Item, list[list[_Item]]], own: float
) -> dict[_Item, float]:
    """Across the layers: near the neighbours, and never over each other."""
    middles: dict[_Item, float] = {}
    for layer in layers:
        whole = (len(layer) - 1) * (own + _BETWEEN)
        middles |= {item: at * (own + _BETWEEN) - whole / 2 for at, item in enumerate(layer)}
    for sweep in range(2 * _SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = [
                fmean(middles[each] for each in near) if (near := links[item][sweep % 2]) else middles[item]
                for item in layer
            ]
            middles |= dict(zip(layer, _apart(layer, wanted, own), strict=True))
    left = min((middles[item] for item in middles), default=0) - own / 2 - _EDGE
    return {item: middle - left for item, middle in middles.items()}


def _apart(layer: Sequence[_Item], wanted: Sequence[float], own: float) -> list[float]:
    """As near to what is wanted as can be: half way between pushing all to the one side and to the other."""
    sizes = [own if isinstance(item, str) else _BEND for item in layer]
    gaps = [(a + b) / 2 + _BETWEEN for a, b in pairwise(sizes)]
    right, left = [*wanted], [*wanted]
    for at, gap in enumerate(gaps, 1):
        right[at] = max(right[at], right[at - 1] + gap)
    for at, gap in reversed([*enumerate(gaps)]):
        left[at] = min(left[at], left[at + 1] - gap)
    return [(a + b) / 2 for a, b in zip(left, right, strict=True)]
