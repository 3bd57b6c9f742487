"""Whatever is registered, a prompt's context stays within its budget, and nothing goes without a reason."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context import block_settings
from partner_desktop.context.block import Domain, Urgency
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.budget import FRAME_TOKENS
from partner_desktop.context.score import Fades
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.snapshot import BlockFate, SnapshotBlock
from tests.context.blocks import BESIDE, block, workspace
from tests.support import FakeClock

LONG = ("a long tale of many words " * 40, "a shorter tale " * 8, "a tale")


def fates(space: ContextWorkspace, *domains: Domain, turn_id: str = "") -> dict[str, SnapshotBlock]:
    record = space.resolve(domains or (Domain.ACTION,), scope="c", turn_id=turn_id).record()
    return {one.source: one for one in record}


@pytest.mark.promise("context.budget")
@pytest.mark.integration
async def test_ten_thousand_blocks_stay_within_the_budget_and_each_has_its_fate_and_reason() -> None:
    space = workspace(budget_tokens=4_096)
    for number in range(10_000):
        space.register(block(source=str(number), texts=LONG))
    found = await space.resolve_async((Domain.ACTION,), scope="c")
    record = found.record()
    assert sorted(int(one.source) for one in record) == list(range(10_000))
    assert found.used_tokens == sum(one.tokens for one in record)
    assert EstimatedTokens().count(found.context()) <= found.used_tokens + FRAME_TOKENS <= 4_096
    assert found.used_tokens > 3_500  # the room is used
    counts = Counter(one.fate for one in record)
    assert counts[BlockFate.SHOWN] >= 2  # the best are longer than the others
    assert counts[BlockFate.DEMOTED] >= 50
    assert counts[BlockFate.DROPPED] > 9_000
    for one in record:
        assert one.reason.endswith(".")
        assert (one.text == "") is (one.fate is BlockFate.DROPPED)
    (dropped,) = record[-1:]
    assert dropped.tokens == 0
    assert dropped.reason.startswith("Left out: even its shortest form (")
    assert "4,096 tokens" in dropped.reason


@pytest.mark.promise("context.budget")
def test_the_least_worth_is_shortened_first_and_says_why() -> None:
    clock = FakeClock()
    space = workspace(clock, budget_tokens=700)
    for source in ("oldest", "older", "newest"):
        space.register(block(source=source, texts=LONG, fades=Fades(per_minute=1)))
        clock.move(timedelta(minutes=5))
    found = fates(space)
    assert [found[name].fate for name in ("newest", "older", "oldest")] == [
        BlockFate.SHOWN, BlockFate.SHOWN, BlockFate.DEMOTED,
    ]  # fmt: skip
    assert found["oldest"].tier == "compact"
    assert found["newest"].reason == "In full: its score is 95."
    assert found["oldest"].reason == (
        "Compact: the full form (289 tokens) did not fit beside what is worth more; the budget is 700 tokens."
    )


@pytest.mark.parametrize(
    ("minutes", "domains", "reason"),
    [
        (0, (Domain.ACTION,), "In full: its score is 100."),
        (50, (Domain.ACTION,), "Compact: its score is 50."),
        (40, (Domain.ACTION,), "In full: its score is 60, raised to 72 by being asked for."),
        (
            99,
            (Domain.ACTION,),
            "Compact: its score is 1, raised to 13 by being asked for; that is not shown shorter.",
        ),
        (0, BESIDE, "Compact: its score is 100, but it only comes along, and that is never shown in full."),
        (90, BESIDE, "Only its gist: its score is 10, raised to 12 by being asked for."),
    ],
)
def test_every_form_has_its_reason(minutes: int, domains: tuple[Domain, ...], reason: str) -> None:
    clock = FakeClock()
    space = workspace(clock)
    gain = 0 if minutes == 50 else 20
    space.register(block(fades=Fades(per_minute=1, activation=gain)))
    clock.move(timedelta(minutes=minutes))
    assert fates(space, *domains)["s"].reason == reason


@pytest.mark.promise("context.budget")
@pytest.mark.parametrize(("most_tokens", "budget"), [(None, 700), (10_000, 700), (200, 200)])
async def test_whoever_asks_may_lower_the_budget_and_never_raise_it(
    most_tokens: int | None, budget: int
) -> None:
    space = workspace(budget_tokens=700)
    for source in "abcdef":
        space.register(block(source=source, texts=LONG))
    found = space.resolve((Domain.ACTION,), scope="c", most_tokens=most_tokens)
    assert 0 < EstimatedTokens().count(found.context()) <= budget
    again = await space.resolve_async((Domain.ACTION,), scope="c", most_tokens=most_tokens)
    assert again.context() == found.context()


def test_room_for_everything_shortens_nothing() -> None:
    space = workspace(budget_tokens=100_000)
    for number in range(50):
        space.register(block(source=str(number), texts=LONG))
    assert {one.fate for one in fates(space).values()} == {BlockFate.SHOWN}


def test_what_is_critical_and_what_this_turn_brought_about_goes_last() -> None:
    space = workspace(budget_tokens=700)
    space.register(block(source="critical", domain=Domain.PERCEIVE, texts=LONG, urgency=Urgency.CRITICAL))
    space.register(block(source="mine", domain=Domain.PERCEIVE, texts=LONG, turn_id="t"))
    space.register(block(source="other turn", domain=Domain.PERCEIVE, texts=LONG, turn_id="u"))
    for number in range(100):
        space.register(block(source=str(number), texts=LONG))
    found = fates(space, Domain.ACTION, Domain.PERCEIVE, turn_id="t")
    assert [found[name].fate for name in ("critical", "mine", "other turn")] == [
        BlockFate.SHOWN, BlockFate.SHOWN, BlockFate.DROPPED,
    ]  # fmt: skip


def test_a_block_that_no_form_of_fits_leaves_its_room_to_the_others() -> None:
    space = workspace(budget_tokens=256)
    giant = "word " * 5_000
    space.register(block(source="giant", urgency=Urgency.CRITICAL, texts=(giant, giant, giant)))
    space.register(block(source="small"))
    found = fates(space)
    assert (found["giant"].fate, found["small"].fate) == (BlockFate.DROPPED, BlockFate.SHOWN)


def test_a_changed_budget_holds_from_the_next_resolve_on() -> None:
    class Changed(ConfigHandle[ContextSettings]):
        budget = 256

        @property
        def value(self) -> ContextSettings:
            return ContextSettings(budget_tokens=self.budget)

    settings = Changed("context", ContextSettings())
    space = ContextWorkspace(clock=FakeClock(), settings=settings)
    for number in range(30):
        space.register(block(source=str(number), texts=LONG))
    assert space.resolve((Domain.ACTION,), scope="c").used_tokens <= 256
    settings.budget = 20_000
    assert {one.fate for one in fates(space).values()} == {BlockFate.SHOWN}


def test_another_counter_counts_anew() -> None:
    class Characters:
        name = "characters"

        def count(self, text: str) -> int:
            return len(text)

    space = workspace()
    space.register(block())
    before = space.resolve((Domain.ACTION,), scope="c")
    space.counter = Characters()
    after = space.resolve((Domain.ACTION,), scope="c")
    assert (before.counted_by, after.counted_by) == ("estimate", "characters")
    assert after.used_tokens > before.used_tokens


@pytest.mark.promise("context.crowding")
@pytest.mark.integration
def test_housekeeping_every_few_seconds_for_an_hour_never_pushes_a_users_block_out() -> None:
    clock = FakeClock()
    space = workspace(clock, budget_tokens=512)
    for minute in range(60):
        # Somebody asks for something now and then; each outcome must be there in full at once.
        user = f"asked in minute {minute}"
        space.register(block("outcome", source=user, texts=(LONG[0][:800], "shorter", "short")))
        for second in range(0, 60, 5):
            space.register(block("tick", source=f"{minute}:{second}", texts=LONG, housekeeping=True))
            space.register(block(f"state{second}", texts=LONG, urgency=Urgency.CRITICAL, housekeeping=True))
            clock.move(timedelta(seconds=5))
            found = fates(space)
            assert found[user].fate is BlockFate.SHOWN
            assert found[user].tier == "full"
        ticks = [one for one in found.values() if one.name != "outcome"]
        assert sum(one.tokens for one in ticks) <= 512 // 4
        assert sum(one.fate is not BlockFate.DROPPED for one in ticks if one.name == "tick") <= 3
        space.expire("outcome", user)
        assert len(space) <= 16 + 12 * 16


@pytest.mark.promise("context.crowding")
def test_housekeeping_that_is_left_out_says_so() -> None:
    space = workspace(budget_tokens=512)
    for number in range(5):
        space.register(block("tick", source=str(number), housekeeping=True))
    space.register(block("state", source="state", texts=(LONG[0] * 4,) * 3, housekeeping=True))
    found = fates(space)
    assert found["0"].reason == "Left out: only the newest 3 housekeeping blocks of a name are shown."
    assert found["4"].fate is BlockFate.SHOWN
    assert found["state"].reason == (
        "Left out: housekeeping may take 128 of the budget's 512 tokens and comes after everything else."
    )


@pytest.mark.promise("context.crowding")
def test_housekeeping_takes_its_share_and_no_more_even_where_nothing_else_is() -> None:
    space = workspace(budget_tokens=512)
    for number in range(50):
        space.register(block(f"state {number}", housekeeping=True))
    found = space.resolve((Domain.ACTION,), scope="c")
    assert 64 < found.used_tokens <= 512 // 4


@pytest.mark.integration
async def test_a_large_resolve_leaves_the_loop_free_and_stands_for_one_moment() -> None:
    space = workspace()
    for number in range(3_000):
        space.register(block(source=str(number), texts=LONG, fades=block_settings.FINISHED))
    resolving = asyncio.create_task(space.resolve_async((Domain.ACTION,), scope="c"))
    for number in range(3_000, 3_500):
        await asyncio.sleep(0)
        space.register(block(source=str(number), texts=LONG))
        space.expire("b", str(number - 3_000))
    found = await resolving
    assert sorted(int(one.source) for one in found.record()) == list(range(3_000))
    assert len(space) == 3_000
    after = await space.resolve_async((Domain.ACTION,), scope="c")
    assert sorted(int(one.source) for one in after.record()) == list(range(500, 3_500))


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("The quick brown fox jumps over the lazy dog.", 9, 14),
        ("我想统计文件夹里的文件类型", 8, 16),
        ('{"path": "/tmp/a", "size": 1024}', 12, 24),
        ("Größe über Straßen", 4, 12),
    ],
)
def test_the_estimate_is_near_what_tokenizers_say_and_rather_above(text: str, least: int, most: int) -> None:
    assert least <= EstimatedTokens().count(text) <= most
