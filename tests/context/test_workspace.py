"""The workspace shows what a conversation may see, at the length its score allows."""

from __future__ import annotations

from datetime import timedelta

import pytest

from partner_desktop.context.block import GLOBAL, ContextBlock, Domain, Fades, Tier
from partner_desktop.context.workspace import ContextWorkspace
from tests.support import FakeClock


def block(
    name: str = "b", *, scope: str = GLOBAL, domain: Domain = Domain.ACTION, fades: Fades | None = None
) -> ContextBlock:
    return ContextBlock(
        name=name,
        source="s",
        domain=domain,
        full="full",
        compact="compact",
        abstract="abstract",
        scope=scope,
        fades=fades or Fades(),
    )


def test_a_score_of_70_is_full_of_30_compact_and_below_abstract() -> None:
    assert [Tier.of(score) for score in (100, 70, 69.9, 30, 29.9, 0.1)] == [
        Tier.FULL, Tier.FULL, Tier.COMPACT, Tier.COMPACT, Tier.ABSTRACT, Tier.ABSTRACT,
    ]  # fmt: skip


def test_time_takes_a_block_through_its_forms_until_it_is_gone() -> None:
    clock = FakeClock()
    workspace = ContextWorkspace(clock=clock)
    workspace.register(block(fades=Fades(per_minute=10)))
    seen = []
    for _ in range(11):
        seen.append([found.text for found in workspace.resolve([Domain.ACTION], scope="c")])
        clock.move(timedelta(minutes=1))
    assert seen == [["full"]] * 4 + [["compact"]] * 4 + [["abstract"]] * 2 + [[]]


@pytest.mark.promise("context.scope")
def test_a_block_of_one_conversation_never_reaches_another_and_global_ones_reach_all() -> None:
    workspace = ContextWorkspace(clock=FakeClock())
    workspace.register(block("everyone"))
    workspace.register(block("mine", scope="one"))
    assert {r.block.name for r in workspace.resolve([Domain.ACTION], scope="one")} == {"everyone", "mine"}
    assert {r.block.name for r in workspace.resolve([Domain.ACTION], scope="two")} == {"everyone"}


def test_a_newer_block_of_the_same_name_pushes_the_older_down() -> None:
    workspace = ContextWorkspace(clock=FakeClock())
    workspace.register(block(fades=Fades(replace=80)))
    workspace.register(block(fades=Fades(replace=80)))
    assert [r.tier for r in workspace.resolve([Domain.ACTION], scope="c")] == [Tier.FULL, Tier.ABSTRACT]
    workspace.expire("b", "s")
    assert workspace.resolve([Domain.ACTION], scope="c") == []


def test_what_belongs_to_a_turn_ends_with_it() -> None:
    workspace = ContextWorkspace(clock=FakeClock())
    of_turn = block()
    of_turn.turn_id = "t1"
    workspace.register(of_turn)
    workspace.end_turn("t1")
    assert workspace.resolve([Domain.ACTION], scope="c") == []


def test_registering_returns_its_undo() -> None:
    workspace = ContextWorkspace(clock=FakeClock())
    undo = workspace.register(block())
    undo()
    undo()
    assert workspace.resolve([Domain.ACTION], scope="c") == []
