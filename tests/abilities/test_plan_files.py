"""A plan.json that does not do is told with its line, its place, and what to do; as a table."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from partner_desktop.abilities.plan_file import MOST_BYTES, MOST_LISTENERS, MOST_TASKS, read_plan
from partner_desktop.base.errors import DescriptorError
from partner_desktop.domain.json_value import Json, JsonObject
from tests.action.saved_plans.plan_room import listener, plan
from tests.support import REPOSITORY
from tests.tables import all_rows

Change = Callable[[JsonObject], None]


def good() -> JsonObject:
    return plan([listener("one", "main", "a"), listener("two", "a", "main")], ["a"])


def at(body: Json, *path: str | int) -> JsonObject:
    for part in path:
        body = body[part]  # type: ignore[index]  # a test knows its own body
    assert isinstance(body, dict)
    return body


def put(*path: str | int, value: Json) -> Change:
    return lambda body: at(body, *path[:-1]).__setitem__(str(path[-1]), value)


def with_task(change: Change) -> Change:
    """In a plan with one more task, `b`, which nothing brings about."""

    def changes(body: JsonObject) -> None:
        tasks = body["tasks"]
        assert isinstance(tasks, list)
        tasks.append({"id": "b"})
        change(body)

    return changes


def broken(change: Change) -> DescriptorError:
    body = good()
    change(body)
    with pytest.raises(DescriptorError) as caught:
        read_plan(json.dumps(body, indent=1).encode())
    return caught.value


def test_a_good_plan_has_its_stages_and_the_usual_conditions() -> None:
    found = read_plan(json.dumps(good()).encode()).plan
    assert found.stages == ((0,), (1,))
    assert found.condition_of(found.listeners[0]) == {}
    assert found.condition_of(found.listeners[1]) == {"task": "a", "status": ["done"]}


def test_the_seeds_own_names_are_known() -> None:
    body = good()
    one = at(body, "listeners", 0)
    del one["ability"]
    one |= {"agent_id": "office", "action_prompt": "do it", "trigger_task_id": ["main"]}
    found = read_plan(json.dumps(body).encode()).plan.listeners[0]
    assert (found.owner, found.request, found.ability) == ("office", "do it", "")


@all_rows(
    "change, pointer, words",
    [
        (put("listeners", 1, "trigger_task_id", value="b"), "/listeners/1/trigger_task_id", "no task `b`"),
        (
            put("listeners", 0, "success_output", value={"task_id": "x"}),
            "/listeners/0/success_output/task_id",
            "the tasks are a, main",
        ),
        (
            put("listeners", 1, "listener_id", value="one"),
            "/listeners/1/listener_id",
            "`one` stands there twice",
        ),
        (put("tasks", 1, "main", value=True), "/tasks/1/main", "only one task can be the main one"),
        (put("tasks", 1, "id", value="main"), "/tasks/1/id", "twice"),
        (
            put("listeners", 0, "trigger_task_id", value="a"),
            "/listeners/0",
            "set each other off for ever: one → one",
        ),
        (
            put("listeners", 1, "trigger_condition", value={"sort of": 3}),
            "/listeners/1/trigger_condition",
            "compares nothing",
        ),
        (
            put("listeners", 1, "trigger_condition", value={"all": [{"task": "b", "status": "done"}]}),
            "/listeners/1/trigger_condition/all/0/task",
            "no task `b`",
        ),
        (
            put("listeners", 1, "trigger_condition", value={"task": "a", "status": "sent"}),
            "/listeners/1/trigger_condition/task",
            "never gets that status; it may be done, failed, open",
        ),
        (
            put("listeners", 0, "params", "line", value={"$param": "nobody"}),
            "/listeners/0/params/line",
            "no parameter `nobody`",
        ),
        (
            put("listeners", 1, "params", "line", value={"$task": "b", "output": "x"}),
            "/listeners/1/params/line/$task",
            "no task `b`",
        ),
        (put("listeners", 0, "params", "line", value={"$of": 1}), "/listeners/0/params/line", "plain value"),
        (put("listeners", 0, "ability", value=""), "/listeners/0", "name an `ability`, or an `owner`"),
        (
            lambda body: at(body, "listeners", 0).update(ability="", owner="office", request=""),
            "/listeners/0",
            "say with `request` what is wanted",
        ),
        (
            put("listeners", 1, "trigger_task_id", value="a, a"),
            "/listeners/1/trigger_task_id",
            "`a` stands there twice",
        ),
        (
            put("listeners", 0, "failure_output", value={"task_id": "x"}),
            "/listeners/0/failure_output/task_id",
            "no task `x`",
        ),
        (
            put("listeners", 0, "success_output", "context", value={"n": {"$output": 3}}),
            "/listeners/0/success_output/context/n",
            "with the name of a member of the result",
        ),
        (
            with_task(put("listeners", 1, "trigger_task_id", value="b")),
            "/listeners/1/trigger_task_id",
            "nothing ever comes of the task `b`",
        ),
        (
            with_task(put("listeners", 1, "params", "line", value={"$task": "b"})),
            "/listeners/1/params/line",
            "nothing ever comes of the task `b`",
        ),
        (
            with_task(put("listeners", 1, "trigger_condition", value={"context": "b.x", "there": True})),
            "/listeners/1/trigger_condition/context",
            "nothing ever comes of the task `b`",
        ),
        (
            put("listeners", 1, "params", "line", value={"$param": "log", "or": "x"}),
            "/listeners/1/params/line",
            "plain value",
        ),
        (
            put("listeners", 1, "params", "line", value={"$task": "a", "outputs": "x"}),
            "/listeners/1/params/line",
            "plain value",
        ),
        (put("params", value={"log": 3}), "/params", "the parameters do not do: the parameter `log`"),
    ],
)
def test_what_does_not_fit_together_is_told_with_its_place(change: Change, pointer: str, words: str) -> None:
    error = broken(change)
    assert f"at `{pointer}`: " in str(error)
    assert words in str(error)
    assert error.line is not None
    assert error.line > 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("tasks", value=[]), "`tasks` does not fit"),
        (put("listeners", 0, "retries", value=-1), "`listeners.0.retries` does not fit"),
        (put("listeners", 0, "retries", value=21), "`listeners.0.retries` does not fit"),
        (put("retries", value=21), "`retries` does not fit"),
        (put("tasks", 1, "id", value="a b"), "`tasks.1.id` does not fit"),
        (put("listeners", 0, "listener_type", value="wizard"), "it must be 'agent' or 'code'"),
        (put("listeners", 0, "sucess_output", value={}), "`listeners.0.sucess_output` does not fit"),
        (lambda body: body.pop("tasks") and None, "`tasks` does not fit: it is missing"),
    ],
)
def test_what_does_not_fit_by_itself_is_told_with_its_key(change: Change, words: str) -> None:
    assert words in str(broken(change))


def test_the_circle_is_named_in_its_order() -> None:
    body = plan(
        [listener("one", "c", "a"), listener("two", "a", "b"), listener("three", "b", "c")], ["a", "b", "c"]
    )
    with pytest.raises(DescriptorError, match="one → two → three → one"):
        read_plan(json.dumps(body).encode())


def chain_of(count: int) -> bytes:
    """Each waits for the one before it."""
    names = [f"t{number}" for number in range(count)]
    listeners = [
        listener(f"l{number}", names[number - 1] if number else "main", name)
        for number, name in enumerate(names)
    ]
    return json.dumps(plan(listeners, names)).encode()


def test_a_thousand_tasks_are_told_their_limit_and_as_many_as_can_run_are_read() -> None:
    with pytest.raises(DescriptorError, match=f"`tasks` has 1001 entries, and {MOST_TASKS} is the limit"):
        read_plan(chain_of(1_000))
    with pytest.raises(DescriptorError, match=f"`listeners` has 999 entries, and {MOST_LISTENERS} is"):
        read_plan(chain_of(999))
    assert len(read_plan(chain_of(MOST_LISTENERS)).plan.stages) == MOST_LISTENERS


def test_a_file_that_is_too_large_is_not_looked_at() -> None:
    with pytest.raises(DescriptorError, match="larger than 1024 KiB"):
        read_plan(json.dumps(good()).encode().ljust(MOST_BYTES + 1))
    read_plan(json.dumps(good()).encode().ljust(MOST_BYTES))


def test_the_plan_in_the_readme_is_one() -> None:
    text = (REPOSITORY / "README.md").read_text().partition("### Saved plans")[2]
    found = read_plan(text.partition("```json\n")[2].partition("```")[0].encode())
    assert [each.id for each in found.plan.listeners] == ["book", "greet"]
    assert found.hints == ()


def test_a_name_that_stands_twice_in_an_object_is_told() -> None:
    text = json.dumps(good(), indent=1).replace(
        '"ability": "local::note",', '"ability": "local::note",\n   "ability": "local::stamp",', 1
    )
    with pytest.raises(
        DescriptorError, match="`/listeners/0/ability`: `ability` stands there twice"
    ) as caught:
        read_plan(text.encode())
    assert caught.value.line is not None
    assert "local::stamp" in text.splitlines()[caught.value.line - 1]
