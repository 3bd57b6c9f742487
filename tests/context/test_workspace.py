"""The workspace shows what a conversation may see, at the length that score and exposure allow."""

from __future__ import annotations

import gc
from datetime import timedelta

import pytest

from partner_desktop.base.trace import Scalar
from partner_desktop.context.block import Domain, ScoredBlock
from partner_desktop.context.score import Fades, Tier
from partner_desktop.context.workspace import HISTORY_LIMIT, HOUSEKEEPING_LIMIT, ContextWorkspace
from tests.context.blocks import BESIDE, block, workspace
from tests.support import FakeClock

MINUTE = timedelta(minutes=1)


def texts(space: ContextWorkspace, *domains: Domain, scope: str = "c") -> list[str]:
    return [found.text for found in space.resolve(domains or (Domain.ACTION,), scope=scope).blocks]


def levels(space: ContextWorkspace) -> list[Tier]:
    return [one.tier for one in space.standing(scope="c")]


def scores(space: ContextWorkspace) -> list[float]:
    return [one.score for one in space.standing(scope="c")]


@pytest.mark.promise("context.tiers")
def test_time_takes_a_block_from_full_over_compact_and_abstract_to_nothing_at_70_30_and_0() -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block(fades=Fades(per_minute=1)))
    seen = []
    for minutes in (0, 30, 1, 39, 1, 28, 1):
        clock.move(minutes * MINUTE)
        seen.append([(round(one.score), one.tier) for one in space.standing(scope="c")])
    assert seen == [
        [(100, Tier.FULL)], [(70, Tier.FULL)], [(69, Tier.COMPACT)], [(30, Tier.COMPACT)],
        [(29, Tier.ABSTRACT)], [(1, Tier.ABSTRACT)], [],
    ]  # fmt: skip
    assert len(space) == 0


@pytest.mark.promise("context.tiers")
def test_a_resolve_shows_the_words_of_the_tier() -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block(fades=Fades(per_minute=1)))
    beside, first = [], []
    for minutes in (0, 31, 40, 29):  # 100, 69, 29, 0
        clock.move(minutes * MINUTE)
        beside.append(texts(space, *BESIDE))
        first.append(texts(space, Domain.ACTION))
    assert beside == [["compact"], ["compact"], ["abstract"], []]
    assert first == [["full"], ["compact"], ["compact"], []]


def test_decay_is_prorated_by_seconds() -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block(fades=Fades(per_minute=60)))
    clock.move(timedelta(seconds=1.5))
    assert scores(space) == [pytest.approx(98.5)]


def test_a_clock_that_jumps_back_raises_no_score_and_time_goes_on_from_there() -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block(fades=Fades(per_minute=10)))
    clock.move(2 * MINUTE)
    assert scores(space) == [pytest.approx(80)]
    clock.move(-60 * MINUTE)
    assert scores(space) == [pytest.approx(80)]
    clock.move(MINUTE)
    assert scores(space) == [pytest.approx(70)]
    clock.move(timedelta(days=10_000))
    assert scores(space) == []


@pytest.mark.promise("context.exposure")
@pytest.mark.parametrize("minutes", [0, 29, 31, 69, 71, 99])
def test_a_secondary_hit_never_changes_the_tier(minutes: int) -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block(fades=Fades(per_minute=1, activation=40)))
    clock.move(minutes * MINUTE)
    before = levels(space)
    for _ in range(200):
        texts(space, *BESIDE)
    assert levels(space) == before


@pytest.mark.promise("context.exposure")
def test_a_primary_hit_lifts_an_abstract_block_only_to_compact() -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block(fades=Fades(per_minute=1, activation=100)))
    clock.move(75 * MINUTE)
    assert texts(space) == ["compact"]
    assert scores(space) == [pytest.approx(70)]
    assert levels(space) == [Tier.COMPACT]
    assert texts(space) == ["full"]  # the next one may go further: it is compact now


@pytest.mark.parametrize(
    ("minutes", "domains", "regained"),
    [
        (10, (Domain.ACTION,), 5),
        (40, (Domain.ACTION,), 3),
        (80, (Domain.ACTION,), 3),
        (10, BESIDE, 0),
        (40, BESIDE, 1),
        (80, BESIDE, 0.5),
    ],
)
def test_asking_gives_back_by_exposure_and_tier(
    minutes: int, domains: tuple[Domain, ...], regained: float
) -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block(fades=Fades(per_minute=1, activation=5)))
    clock.move(minutes * MINUTE)
    space.resolve(domains, scope="c")
    assert scores(space) == [pytest.approx(100 - minutes + regained)]


def test_what_is_about_more_of_what_is_asked_for_comes_first_then_score_name_and_source() -> None:
    clock = FakeClock()
    space = workspace(clock)
    space.register(block("old", domain=Domain.MEMORY, fades=Fades(per_minute=1)))
    clock.move(MINUTE)
    space.register(block("b", source="2", domain=Domain.MEMORY))
    space.register(block("b", source="1", domain=Domain.MEMORY))
    space.register(block("a", domain=Domain.MEMORY))
    space.register(block("z", domain=Domain.PERCEIVE, also=(Domain.MEMORY,)))
    space.register(block("y", domain=Domain.ACTION))
    space.register(block("x", domain=Domain.COGNITION))
    found = space.resolve((Domain.ACTION, Domain.MEMORY, Domain.PERCEIVE), scope="c").blocks
    assert [(one.block.name, one.block.source) for one in found] == [
        ("y", "s"), ("z", "s"), ("a", "s"), ("b", "1"), ("b", "2"), ("old", "s"),
    ]  # fmt: skip


@pytest.mark.promise("context.replace")
def test_the_newest_of_a_name_is_how_things_are_older_ones_are_history_and_expire_removes_all() -> None:
    space = workspace()
    for text in ("first", "second", "third"):
        space.register(block(texts=(text, "", ""), fades=Fades(replace=40)))
    assert sorted(scores(space)) == [20, 60, 100]
    assert space.resolve((Domain.ACTION,), scope="c").context().splitlines() == [
        "<context>",
        '  <b source="s" urgency="normal">',
        "    <snapshot>third</snapshot>",
        "    <history_snapshot>second</history_snapshot>",
        "    <history_snapshot>first</history_snapshot>",
        "  </b>",
        "</context>",
    ]
    space.expire("b", "s")
    assert space.resolve((Domain.ACTION,), scope="c").context() == "<no_context>"


@pytest.mark.promise("context.replace")
def test_of_blocks_that_lose_nothing_by_replacing_the_newest_is_how_things_are_too() -> None:
    space = workspace()
    for text in ("first", "second"):
        space.register(block(texts=(text, "", "")))
    assert "<snapshot>second</snapshot>" in space.resolve((Domain.ACTION,), scope="c").context()


@pytest.mark.promise("context.replace")
def test_replacing_reaches_only_the_same_name_source_and_scope() -> None:
    space = workspace()
    fading = Fades(replace=100)
    for one in (block(fades=fading), block("other", fades=fading), block(source="t", fades=fading)):
        space.register(one)
    space.register(block(scope="c", fades=fading))
    assert len(space) == 4
    space.register(block(fades=fading))
    assert len(space) == 4
    space.expire("b", "s", scope="c")
    assert len(space) == 3


@pytest.mark.promise("context.scope")
def test_a_block_of_one_conversation_never_reaches_another_and_global_ones_reach_all() -> None:
    space = workspace()
    space.register(block("everyone"))
    space.register(block("mine", scope="one"))

    def names(scope: str) -> set[str]:
        return {one.block.name for one in space.resolve((Domain.ACTION,), scope=scope).blocks}

    assert names("one") == {"everyone", "mine"}
    assert names("two") == {"everyone"}
    space.forget("one")
    assert names("one") == {"everyone"}


def test_what_belongs_to_a_turn_ends_with_it() -> None:
    space = workspace()
    space.register(block(turn_id="t1"))
    space.register(block("standing"))
    space.end_turn("t1")
    assert [one.block.name for one in space.standing(scope="c")] == ["standing"]


def test_registering_returns_its_undo() -> None:
    space = workspace()
    undo = space.register(block())
    space.register(block())
    undo()
    undo()
    assert len(space) == 1


def test_history_is_bounded_but_what_a_turn_brought_about_is_all_there() -> None:
    space = workspace()
    for _ in range(10 * HISTORY_LIMIT):
        space.register(block())
        space.register(block("of_turn", turn_id="t"))
    assert len(space) == HISTORY_LIMIT + 10 * HISTORY_LIMIT
    space.end_turn("t")
    assert len(space) == HISTORY_LIMIT


def test_housekeeping_is_bounded_by_name_whatever_its_sources() -> None:
    space = workspace()
    for number in range(1_000):
        space.register(block(source=str(number), housekeeping=True))
    kept = {int(one.block.source) for one in space.standing(scope="c")}
    assert kept == set(range(1_000 - HOUSEKEEPING_LIMIT, 1_000))


def test_blocks_that_nobody_asks_for_do_not_stay_for_ever() -> None:
    clock = FakeClock()
    space = workspace(clock)
    for number in range(2_500):
        space.register(block(source=str(number), scope="quiet", fades=Fades(per_minute=60)))
        clock.move(timedelta(seconds=1))
    assert len(space) < 1_200


class Notes:
    """A tracer that keeps what it is told."""

    def __init__(self) -> None:
        self.ops: list[tuple[Scalar, Scalar, Scalar]] = []

    def record(self, kind: str, /, **fields: Scalar) -> None:
        assert kind == "workspace"
        self.ops.append((fields["op"], fields["name"], fields["tier"]))


def test_changes_are_traced_by_name_without_words() -> None:
    clock, notes = FakeClock(), Notes()
    space = ContextWorkspace(clock=clock, tracer=notes)
    space.register(block(fades=Fades(per_minute=50, replace=10)))
    space.register(block(fades=Fades(per_minute=50)))
    clock.move(5 * MINUTE)
    space.register(block("c"))
    space.resolve((Domain.ACTION,), scope="c")
    space.expire("c", "s")
    assert notes.ops == [
        ("register", "b", "full"), ("replace", "b", "full"), ("register", "c", "full"),
        ("fade-out", "b", "abstract"), ("fade-out", "b", "abstract"), ("expire", "c", "full"),
    ]  # fmt: skip


def test_of_blocks_that_are_gone_nothing_is_kept() -> None:
    clock = FakeClock()
    space = workspace(clock)
    for number in range(20):
        scope = f"conversation {number}"
        for again in range(2):
            made = block("state of one", source=str(again), scope=scope, turn_id="t", housekeeping=True)
            space.register(made)
        space.forget(scope)
    space.end_turn("t")
    gc.collect()
    kept = [one for one in gc.get_objects() if isinstance(one, ScoredBlock)]
    assert not [one for one in kept if one.block.name == "state of one"]
