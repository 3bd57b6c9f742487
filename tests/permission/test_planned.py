"""The yes to a chain covers what its card showed, and what its steps bring within bounds; nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.permission import Effect, Rule, Scope
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.permission.policy import Policy
from partner_desktop.permission.request import Decision, Outcome, PermissionRequest
from partner_desktop.permission.rules import RuleBook
from tests.permission.rooms import HASH, HELD, OPEN, SCRIPT, Room, room

pytestmark = pytest.mark.promise("actions.confirm.plan")

QUICK = settings(
    max_examples=40, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
OTHER_HASH = "fedcba9876543210" * 4
FED: JsonObject = {"$from": "an-earlier-step"}


class _Engine:
    """The real engine, asked from outside of its loop, about a step that was approved with its chain."""

    def __init__(self, runner: asyncio.Runner, one: Room) -> None:
        self._runner = runner
        self.room = one

    def approved(
        self,
        request: PermissionRequest,
        approved: JsonObject,
        reason: str = "chain c1",
        scope: Scope = "once",
    ) -> None:
        self.room.policy = Policy()
        shown = replace(request, params=approved)
        self._runner.run(self.room.engine.approve(shown, scope=scope, reason=reason))

    def planned(
        self,
        request: PermissionRequest,
        approved: JsonObject,
        *,
        held: Isolation = HELD,
        shown: tuple[PathUse, ...] = (),
        made: tuple[str, ...] = (),
        wrote: Mapping[str, tuple[PathUse, ...]] | None = None,
        first_try: str = "",
    ) -> Decision | None:
        return self._runner.run(
            self.room.engine.planned(
                request, approved, held=held, shown=shown, made=made, wrote=wrote, first_try=first_try
            )
        )

    def log(self, action_id: str) -> list[tuple[str, str, str, str]]:
        rows = self._runner.run(self.room.audit.decisions(action_id))
        return [(row.outcome, row.by_whom, row.scope, row.reason) for row in rows]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Engine]:
    folder = tmp_path_factory.mktemp("planned")
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        context = room(Home(folder / "home"), "here", "there")
        yield _Engine(runner, runner.run(context.__aenter__()))
        runner.run(context.__aexit__(None, None, None))


@pytest.fixture
def step() -> PermissionRequest:
    """A held script of its own that writes nothing."""
    return replace(SCRIPT, action_id=new_id(), params={"text": "x", "count": 1})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = (tmp_path / "shown").resolve()
    found.mkdir()
    return found


PLAIN: JsonObject = {"text": "x", "count": 1}
T = TypeVar("T")


def _mostly(same: T, other: st.SearchStrategy[T]) -> st.SearchStrategy[T]:
    """What was approved, so that often one thing alone is another."""
    return st.one_of(st.just(same), st.just(same), other)


VALUES = st.one_of(st.integers(), st.text(max_size=5), st.none(), st.just(FED))


def test_what_was_approved_runs_under_the_persons_yes_and_that_is_written_down(
    engine: _Engine, step: PermissionRequest
) -> None:
    engine.approved(step, PLAIN)
    decision = engine.planned(step, PLAIN)
    assert decision is not None
    assert decision.covers(action_id=step.action_id, content_hash=HASH, params=step.params, sandboxed=True)
    assert engine.log(step.action_id) == [("allow", "person", "once", "chain c1")] * 2


@QUICK
@given(
    params=_mostly(PLAIN, st.dictionaries(st.sampled_from(["text", "count", "more"]), VALUES, max_size=3)),
    content_hash=_mostly(HASH, st.just(OTHER_HASH)),
    key=_mostly(SCRIPT.action_key, st.just("local::lower")),
    held=_mostly(HELD, st.sampled_from([OPEN, replace(HELD, net=True)])),
    another_run=st.booleans(),
)
def test_other_arguments_another_edit_ability_hold_or_run_are_not_covered(
    engine: _Engine, params: JsonObject, content_hash: str, key: str, held: Isolation, *, another_run: bool
) -> None:
    given_to = replace(SCRIPT, action_id=new_id())
    engine.approved(given_to, PLAIN)
    request = replace(
        given_to,
        params=params,
        content_hash=content_hash,
        action_key=key,
        isolation=held,
        action_id=new_id() if another_run else given_to.action_id,
    )
    for approved in (PLAIN, params):  # whatever the caller says was approved
        decision = engine.planned(request, approved)
        same = (params, content_hash, key, held) == (PLAIN, HASH, SCRIPT.action_key, HELD)
        assert (decision is not None) == (same and not another_run)


@QUICK
@given(
    params=_mostly(PLAIN, st.dictionaries(st.sampled_from(["text", "count", "more"]), VALUES, max_size=3)),
    content_hash=_mostly(HASH, st.just(OTHER_HASH)),
    key=_mostly(SCRIPT.action_key, st.just("local::lower")),
    held=_mostly(HELD, st.sampled_from([OPEN, replace(HELD, net=True)])),
    another_step=st.booleans(),
)
def test_a_further_try_is_covered_by_the_yes_to_the_first_for_the_same_call_alone(
    engine: _Engine, params: JsonObject, content_hash: str, key: str, held: Isolation, *, another_step: bool
) -> None:
    first = replace(SCRIPT, action_id=new_id(), params=PLAIN)
    engine.approved(first, PLAIN)
    assert engine.planned(first, PLAIN) is not None
    request = replace(
        first, params=params, content_hash=content_hash, action_key=key, isolation=held, action_id=new_id()
    )
    for approved in (PLAIN, params):
        decision = engine.planned(request, approved, first_try=new_id() if another_step else first.action_id)
        same = (params, content_hash, key, held) == (PLAIN, HASH, SCRIPT.action_key, HELD)
        assert (decision is not None) == (same and not another_step)


def test_a_further_try_with_something_else_brought_to_it_is_not_covered(
    engine: _Engine, step: PermissionRequest
) -> None:
    approved: JsonObject = {**PLAIN, "text": FED}
    engine.approved(step, approved)
    assert engine.planned(step, approved) is not None
    again = replace(step, action_id=new_id())
    assert engine.planned(again, approved, first_try=step.action_id) is not None
    other = replace(step, action_id=new_id(), params={**PLAIN, "text": "brought anew"})
    assert engine.planned(other, approved, first_try=step.action_id) is None


@QUICK
@given(value=st.one_of(st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=2)))
def test_a_value_that_a_step_brings_is_data_and_covered_but_no_command_and_nothing_that_goes_out(
    engine: _Engine, value: object
) -> None:
    approved: JsonObject = {**PLAIN, "text": FED}
    one = replace(SCRIPT, params={**PLAIN, "text": value})  # type: ignore[dict-item] # JSON by its strategy
    for change, covered in (
        ({}, True),
        ({"args_bound": True}, False),
        ({"outward": True, "risk": Risk.WRITE}, False),
        ({"outward": True, "risk": Risk.READ}, True),
    ):
        request = replace(one, action_id=new_id(), **change)
        engine.approved(request, approved)
        assert (engine.planned(request, approved) is not None) == covered, change
        assert engine.planned(replace(request, params={**request.params, "count": 2}), approved) is None
        assert engine.planned(replace(request, params={**request.params, "more": 1}), approved) is None


@pytest.mark.parametrize(
    ("key", "place", "covered"),
    [
        ("builtin::files::write", "notes.txt", True),
        ("builtin::files::append", "deep/notes.txt", True),
        ("builtin::files::write", ".bashrc", False),
        ("builtin::files::write", ".config/autostart/x.desktop", False),
        ("builtin::files::write", "server.pem", False),
        ("builtin::command::execute", "notes.txt", False),
        ("builtin::clipboard::write", "notes.txt", False),
        ("local::files::write", "notes.txt", False),
    ],
)
def test_what_a_step_brings_may_become_the_contents_of_a_file_that_the_card_showed(
    engine: _Engine, step: PermissionRequest, folder: Path, key: str, place: str, *, covered: bool
) -> None:
    approved: JsonObject = {**PLAIN, "text": FED}
    use = PathUse("file", str(folder / place), "write")
    route = Route.BUILTIN if key.startswith("builtin") else Route.ORIGIN
    request = replace(
        step, action_key=key, route=route, args_bound=True, risk=Risk.WRITE, paths=(use,), isolation=OPEN
    )
    engine.approved(request, approved)
    assert (engine.planned(request, approved, held=OPEN, shown=(use,)) is not None) == covered
    assert engine.planned(request, approved, held=OPEN, shown=()) is None, "another place than the card's"


@pytest.mark.parametrize(
    "held",
    [
        replace(HELD, net=True),
        OPEN,
        replace(OPEN, net=False),
        replace(OPEN, server="s"),
        replace(OPEN, server="s", remote=True),
    ],
)
def test_what_a_step_brings_goes_to_no_network_and_no_server_unseen_whatever_its_author_claims(
    engine: _Engine, step: PermissionRequest, held: Isolation
) -> None:
    approved: JsonObject = {**PLAIN, "text": FED}
    request = replace(step, isolation=held, risk=Risk.WRITE, outward=False)
    engine.approved(request, approved)
    assert engine.planned(request, approved, held=held) is None
    engine.approved(request, PLAIN)
    assert engine.planned(request, PLAIN, held=held) is not None, "what was said was seen"


@QUICK
@given(
    access=st.sampled_from(["read", "write"]),
    shown_access=st.sampled_from(["read", "write"]),
    place=st.sampled_from(["inside", "itself", "outside", "beside", "made", "secret"]),
)
def test_a_path_that_a_step_brings_lies_where_the_card_showed_it_or_was_made_by_the_chain(
    engine: _Engine, folder: Path, access: str, shown_access: str, place: str
) -> None:
    outside = folder.parent / "elsewhere.txt"
    path = {
        "inside": folder / "deep" / "a.txt",
        "itself": folder,
        "outside": outside,
        "beside": folder.with_name("shown-not"),
        "made": outside,
        "secret": folder / ".ssh" / "id_ed25519",
    }[place]
    approved: JsonObject = {**PLAIN, "text": FED}
    request = replace(
        SCRIPT,
        action_id=new_id(),
        params={**PLAIN, "text": str(path)},
        paths=(PathUse("text", str(path), access),),
    )
    engine.approved(request, approved)
    decision = engine.planned(
        request,
        approved,
        shown=(PathUse("folder", str(folder), shown_access),),
        made=(str(outside),) if place == "made" else (),
    )
    within = place in ("inside", "itself") and (access, shown_access) != ("write", "read")
    assert (decision is not None) == (within or place == "made")


def test_a_link_that_leads_out_of_what_was_shown_is_not_followed(
    engine: _Engine, step: PermissionRequest, folder: Path
) -> None:
    (folder / "out").symlink_to(folder.parent)
    path = folder / "out" / "elsewhere.txt"
    approved: JsonObject = {**PLAIN, "text": FED}
    request = replace(step, params={**PLAIN, "text": str(path)}, paths=(PathUse("text", str(path), "read"),))
    engine.approved(request, approved)
    assert engine.planned(request, approved, shown=(PathUse("folder", str(folder), "write"),)) is None


def test_a_path_that_was_said_must_be_the_one_on_the_card(
    engine: _Engine, step: PermissionRequest, folder: Path
) -> None:
    use = PathUse("file", str(folder), "read")
    request = replace(step, paths=(use,))
    engine.approved(request, PLAIN)
    assert engine.planned(request, PLAIN, shown=(replace(use, path=str(folder.parent)),)) is None
    assert engine.planned(request, PLAIN, shown=(replace(use, access="write"),)) is None
    assert engine.planned(request, PLAIN, shown=(use,)) is not None
    known = replace(use, seen=(1, 2, 1, 3))
    there = replace(request, paths=(known,))
    assert engine.planned(there, PLAIN, shown=(known,)) is not None
    assert engine.planned(there, PLAIN, shown=(replace(use, seen=(1, 2, 1, 4)),)) is None, "another by now"


def test_what_is_forbidden_by_now_is_turned_down_with_why(engine: _Engine, step: PermissionRequest) -> None:
    engine.approved(step, PLAIN)
    engine.room.say(Rule(Effect.DENY, step.action_key))
    decision = engine.planned(step, PLAIN)
    assert decision is not None
    assert decision.outcome is Outcome.DENY
    assert "denies it" in decision.reason


def test_a_later_no_a_grant_or_a_plain_yes_is_no_yes_to_the_chain(
    engine: _Engine, step: PermissionRequest
) -> None:
    engine.approved(step, PLAIN, reason="")
    assert engine.planned(step, PLAIN) is None, "a card of its own"
    engine.approved(step, PLAIN, scope="conversation")
    assert engine.planned(step, PLAIN) is None, "a yes to a chain is for this run"
    engine.approved(step, PLAIN)
    engine.room.policy = Policy(rules=RuleBook([Rule(Effect.DENY, step.action_key)]))
    assert engine.planned(step, PLAIN) is not None
    engine.room.policy = Policy()
    assert engine.planned(step, PLAIN) is None, "it was turned down since"


def test_the_newest_yes_counts_also_after_a_decision_was_made_out_of_it(
    engine: _Engine, step: PermissionRequest
) -> None:
    approved: JsonObject = {**PLAIN, "text": FED}
    engine.approved(step, PLAIN)
    engine.approved(step, approved)
    assert engine.planned(step, approved) is not None
    assert engine.planned(step, approved) is not None, "Partner ended between the decision and the run"
    assert engine.planned(step, {**approved, "count": 7}) is None
    engine.approved(step, {**approved, "count": 7})
    assert engine.planned(step, approved) is None, "the card was changed and approved anew"


FILE_SEEN, FOLDER_SEEN = (1, 20), (1, 10, 1, 20)


@pytest.mark.parametrize(
    ("change", "covered"),
    [
        ({}, True),
        ({"key": "local::move", "route": Route.ORIGIN}, False),
        ({"source": "elsewhere/out.txt"}, False),
        ({"source": "work/.out"}, False),
        ({"source": "work/server.key"}, False),
        ({"source": "work/usercustomize.py"}, False),
        ({"source_seen": (1, 30, 1, 31)}, False),
        ({"source_seen": ()}, False),
        ({"target": "box/another.txt"}, False),
        ({"target": "box/deep/out.txt"}, False),
        ({"target": "elsewhere/out.txt"}, False),
        ({"target_seen": (1, 21)}, False),
        ({"target_seen": ()}, False),
        ({"brought_by": "a-step-that-only-looks"}, False),
        ({"text": "box/out.txt"}, False),
    ],
)
def test_a_file_goes_into_the_folder_that_was_shown_only_if_its_step_could_have_made_it(
    engine: _Engine, step: PermissionRequest, folder: Path, change: dict[str, object], *, covered: bool
) -> None:
    """What a step says of itself, a name or a place, reaches no further than what it was given to write."""
    source = str(folder / str(change.get("source", "work/out.txt")))
    target = str(folder / str(change.get("target", f"box/{Path(source).name}")))
    work, box = PathUse("folder", str(folder / "work"), "write"), str(folder / "box")
    brings = str(change.get("brought_by", "maker"))
    approved: JsonObject = {"source": {"$from": brings}, "target": box, "text": box}
    request = replace(
        step,
        action_key=str(change.get("key", "builtin::files::move")),
        route=change.get("route", Route.BUILTIN),  # type: ignore[arg-type] # of the table above
        args_bound=True,
        risk=Risk.WRITE,
        isolation=OPEN,
        params={"source": source, "target": target, "text": str(folder / str(change.get("text", "box")))},
        paths=(
            PathUse("source", source, "write", change.get("source_seen", (1, 9))),  # type: ignore[arg-type]
            PathUse("target", target, "write", change.get("target_seen", FILE_SEEN)),  # type: ignore[arg-type]
        ),
    )
    engine.approved(request, approved)
    shown = (
        work,
        PathUse("folder", str(folder), "read"),
        PathUse("source", str(folder / "elsewhere"), "write"),
        PathUse("target", box, "write", FOLDER_SEEN),
    )
    wrote = {"maker": (work,), "a-step-that-only-looks": ()}
    found = engine.planned(request, approved, held=OPEN, shown=shown, made=(source,), wrote=wrote)
    assert (found is not None) == covered


@pytest.mark.parametrize("key", ["builtin::files::copy", "builtin::files::move"])
def test_a_folder_that_a_step_brings_is_not_taken_with_the_secrets_in_it(
    engine: _Engine, step: PermissionRequest, folder: Path, key: str
) -> None:
    home, target = Path.home().resolve(), PathUse("target", str(folder / "all"), "write")
    approved: JsonObject = {"source": FED, "target": target.path}
    uses = (PathUse("source", str(home), "read"), target)
    request = replace(
        step,
        action_key=key,
        route=Route.BUILTIN,
        args_bound=True,
        risk=Risk.WRITE,
        isolation=OPEN,
        params={"source": str(home), "target": target.path},
        paths=uses,
    )
    engine.approved(request, approved)
    assert (
        engine.planned(request, approved, held=OPEN, shown=(replace(uses[0], param="folder"), target)) is None
    )
