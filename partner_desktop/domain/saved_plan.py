"""SavedPlan: a `plan.json` as it was read: tasks, and listeners that bring them to their ends. Pure.

A task does nothing by itself: what happens is what listeners do. A listener is one call of one ability; it
waits for tasks, and its outputs say what is so of tasks once it has succeeded, or failed. As each listener is
one step of the plan that is made of it, two triggers at once, or a task that is reached twice, run it once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan_condition import DONE, FAILED, RUNNING, named_tasks

#: What stands for a value in a listener's `params`, and in the context of an output.
PARAM, TASK, OUTPUT, OF_RESULT = "$param", "$task", "output", "$output"


@dataclass(frozen=True)
class PlanTask:
    """What a plan speaks of: something that is to be done."""

    id: str
    name: str
    main: bool = False


@dataclass(frozen=True)
class TaskOutput:
    """What is so of a task once a listener has ended."""

    task: str
    status: str = DONE
    context: JsonObject = field(default_factory=dict)
    """Name → what is told of the task under it: a literal, or `{"$output": member of the result}`."""


@dataclass(frozen=True)
class PlanListener:
    """One call."""

    id: str
    triggers: tuple[str, ...]
    """The tasks that it waits for."""
    success: TaskOutput
    failure: TaskOutput | None = None
    when: JsonObject = field(default_factory=dict)
    """Its own condition; empty: that its tasks are done."""
    kind: Literal["agent", "code"] = "agent"
    """`code`: it only computes; nothing of it is there to be checked afterwards."""
    owner: str = ""
    request: str = ""
    """The words that ask for it; `{name}` stands for a parameter of the plan."""
    ability: str = ""
    """The key of what is called; empty: what of its owner's fits the request."""
    params: JsonObject = field(default_factory=dict)
    """Parameter → literal, `{"$param": name}`, or `{"$task": task, "output": name}`."""
    retries: int | None = None

    @property
    def outputs(self) -> tuple[TaskOutput, ...]:
        return (self.success,) if self.failure is None else (self.success, self.failure)

    def fed_by(self) -> Iterator[tuple[str, str, str]]:
        """Parameter, task, and which output of it."""
        for name, value in self.params.items():
            if isinstance(value, dict) and isinstance(task := value.get(TASK), str):
                yield name, task, str(value.get(OUTPUT) or "")


@dataclass(frozen=True)
class SavedPlan:
    """Checked: what it names is there, and no listener waits for itself."""

    tasks: tuple[PlanTask, ...]
    listeners: tuple[PlanListener, ...]
    stages: tuple[tuple[int, ...], ...]
    """The listeners by their places, in stages: each after all that it waits for."""
    retries: int | None = None

    @property
    def main(self) -> PlanTask:
        """It runs as the plan starts, and is done when the plan is."""
        return next((task for task in self.tasks if task.main), self.tasks[0])

    def condition_of(self, listener: PlanListener) -> JsonObject:
        """What must hold as it comes to run: its own condition, or that its tasks are as they come to be."""
        return listener.when or usual_condition(listener, self.main.id, settings_of(self.listeners))


Setters = Mapping[str, Sequence[tuple[int, TaskOutput, bool]]]


def settings_of(listeners: Sequence[PlanListener]) -> Setters:
    """Task → the listeners that set it, by their places, each with how, and whether by its success."""
    found: dict[str, list[tuple[int, TaskOutput, bool]]] = {}
    for place, listener in enumerate(listeners):
        for output in listener.outputs:
            found.setdefault(output.task, []).append((place, output, output is listener.success))
    return found


def usual_condition(listener: PlanListener, main: str, setters: Setters) -> JsonObject:
    """Each of its tasks is as success makes it; or, where only failures reach a task, as those do."""
    parts: list[Json] = []
    for task in listener.triggers:
        if task == main:
            continue
        known = setters.get(task, ())
        words = [output.status for _, output, success in known if success]
        words = words or [output.status for _, output, _ in known]
        parts.append({"task": task, "status": list(dict.fromkeys(words))})
    if not parts:
        return {}
    return {"all": parts} if len(parts) > 1 else _only(parts)


def _only(parts: Sequence[Json]) -> JsonObject:
    (part,) = parts
    return part if isinstance(part, dict) else {}


def awaited(listener: PlanListener, main: str) -> tuple[str, ...]:
    """The tasks that must have come to their ends before it: the main one is under way from the start."""
    tasks = [task for task in listener.triggers if task != main]
    for _, task, statuses in named_tasks(listener.when):
        if task != main or statuses != (RUNNING,):
            tasks.append(task)
    tasks += [task for _, task, _ in listener.fed_by() if task != main]
    return tuple(dict.fromkeys(tasks))


@dataclass(frozen=True)
class Circle:
    """Listeners that wait for each other, in their order."""

    listeners: tuple[str, ...]


def listener_stages(listeners: Sequence[PlanListener], main: str) -> tuple[tuple[int, ...], ...] | Circle:
    """The listeners in stages, by Kahn's way over tasks and listeners: as long as the plan is, not longer."""
    setters, needs = settings_of(listeners), [awaited(each, main) for each in listeners]
    waiting_for_task: dict[str, list[int]] = {}
    for place, tasks in enumerate(needs):
        for task in tasks:
            waiting_for_task.setdefault(task, []).append(place)
    unset = {task: len({place for place, _, _ in setters.get(task, ())}) for task in waiting_for_task}
    task_level, level = dict.fromkeys(unset, 0), [0] * len(listeners)
    open_tasks = [len(tasks) for tasks in needs]
    ready_tasks = [task for task, count in unset.items() if count == 0]
    ready = [place for place, count in enumerate(open_tasks) if count == 0]
    stages: list[list[int]] = []
    done: set[int] = set()
    while ready or ready_tasks:
        while ready_tasks:
            task = ready_tasks.pop()
            for place in waiting_for_task[task]:
                level[place] = max(level[place], task_level[task])
                open_tasks[place] -= 1
                if open_tasks[place] == 0:
                    ready.append(place)
        while ready:
            place = ready.pop()
            done.add(place)
            stages += [[] for _ in range(level[place] + 1 - len(stages))]
            stages[level[place]].append(place)
            for task in {output.task for output in listeners[place].outputs} & unset.keys():
                task_level[task] = max(task_level[task], level[place] + 1)
                unset[task] -= 1
                if unset[task] == 0:
                    ready_tasks.append(task)
    if len(done) == len(listeners):
        return tuple(tuple(sorted(stage)) for stage in stages)
    return _circle(listeners, needs, setters, done)


def _circle(
    listeners: Sequence[PlanListener], needs: Sequence[Sequence[str]], setters: Setters, done: set[int]
) -> Circle:
    """Back from one that never came, to one that was met before."""
    at = next(place for place in range(len(listeners)) if place not in done)
    seen: dict[int, int] = {}
    way: list[int] = []
    while at not in seen:
        seen[at] = len(way)
        way.append(at)
        at = next(place for task in needs[at] for place, _, _ in setters.get(task, ()) if place not in done)
    circle = list(reversed(way[seen[at] :]))
    first = circle.index(min(circle))
    names = [listeners[place].id for place in (*circle[first:], *circle[:first])]
    return Circle((*names, names[0]))


def outcomes_of(listener: PlanListener) -> JsonObject:
    """What its step says of tasks: under `done` once it has succeeded, under `failed` once it has not."""
    found: JsonObject = {DONE: _told(listener.success)}
    if listener.failure is not None:
        found[FAILED] = _told(listener.failure)
    return found


def _told(output: TaskOutput) -> JsonObject:
    return {"task": output.task, "status": output.status, "context": output.context}
