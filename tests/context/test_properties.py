"""What holds for any blocks, any times and any questions."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.context.block import GLOBAL, ContextBlock, Domain, Urgency
from partner_desktop.context.budget import FRAME_TOKENS
from partner_desktop.context.score import Exposure, Fades, Tier, activated, decayed
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.domain.snapshot import BlockFate
from tests.context.blocks import block, workspace
from tests.support import FakeClock

pytestmark = pytest.mark.integration

SCOPES = (GLOBAL, "mine", "theirs")
WORDS = st.text(alphabet="ab <&\n字", max_size=400)

points = st.floats(min_value=0, max_value=200, allow_nan=False)
fades = st.builds(Fades, replace=points, per_minute=points, activation=points)
domains = st.sampled_from(list(Domain))
blocks = st.builds(
    block,
    st.sampled_from(["a", "b", "c"]),
    source=st.sampled_from(["s", "t"]),
    scope=st.sampled_from(SCOPES),
    domain=domains,
    also=st.lists(domains, max_size=2).map(tuple),
    fades=fades,
    texts=st.tuples(WORDS, WORDS, WORDS),
    urgency=st.sampled_from(list(Urgency)),
    turn_id=st.sampled_from(["", "turn", "other"]),
    supply=st.booleans(),
    housekeeping=st.booleans(),
)
asked = st.lists(domains, min_size=1, unique=True)
#: Negative: the clock jumped back.
steps = st.floats(min_value=-600, max_value=3_600, allow_nan=False)
stories = st.lists(st.one_of(blocks, steps, asked), max_size=40)


@given(score=st.floats(min_value=0, max_value=100), gain=points, per_minute=points, seconds=steps)
def test_no_rule_leads_out_of_0_to_100_or_lets_time_raise_a_score(
    score: float, gain: float, per_minute: float, seconds: float
) -> None:
    assert 0 <= decayed(score, per_minute, seconds) <= score
    for exposure in Exposure:
        assert score <= activated(score, exposure, gain) <= 100
    assert Tier.of(activated(score, Exposure.SECONDARY, gain)) is Tier.of(score)
    if Tier.of(score) is Tier.ABSTRACT:
        assert Tier.of(activated(score, Exposure.PRIMARY, gain)) is not Tier.FULL


@settings(max_examples=200, deadline=None)
@given(story=stories, question=asked, budget=st.integers(min_value=256, max_value=3_000))
def test_after_any_story_a_resolve_is_whole_within_budget_and_of_its_own_scope(
    story: list[ContextBlock | float | list[Domain]], question: list[Domain], budget: int
) -> None:
    clock = FakeClock()
    space = workspace(clock, budget_tokens=budget)
    for event in story:
        if isinstance(event, ContextBlock):
            space.register(event)
        elif isinstance(event, list):
            space.resolve(event, scope="mine")
        else:
            clock.move(timedelta(seconds=event))
    standing = space.standing(scope="mine")
    assert all(0 < one.score <= 100 for one in standing)

    found = space.resolve(question, scope="mine", turn_id="turn")
    record = found.record()
    visible = [
        one.block
        for one in standing
        if set(one.block.domains) & set(question)
        or (one.block.supply and Domain.COMMUNICATION in one.block.domains)
    ]
    assert sorted((b.name, b.source, b.scope) for b in visible) == sorted(
        (one.name, one.source, one.scope) for one in record
    )
    assert all(one.scope != "theirs" for one in record)
    assert found.used_tokens + FRAME_TOKENS <= budget or found.used_tokens == 0
    assert found.used_tokens == sum(one.tokens for one in record)
    for one in record:
        assert one.reason
        assert (one.tokens == 0) is (one.fate is BlockFate.DROPPED)
        assert one.exposure == "primary" or one.tier != "full"
    ET.fromstring(found.context()) if found.context() != "<no_context>" else None
    counted = EstimatedTokens().count(found.context() + "\n".join(found.supply()))
    assert counted <= budget


@settings(max_examples=50, deadline=None)
@given(found=st.lists(blocks, max_size=15), question=asked)
def test_the_same_blocks_in_the_same_state_are_always_given_out_in_the_same_order(
    found: list[ContextBlock], question: list[Domain]
) -> None:
    def once() -> list[object]:
        space = workspace(FakeClock())
        for one in found:
            space.register(one)
        return list(space.resolve(question, scope="mine").record())

    assert once() == once()
