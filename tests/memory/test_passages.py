"""Recalled passages stand in the conversations that are talked in, and are kept nowhere else."""

from __future__ import annotations

from datetime import UTC, datetime

from partner_desktop.domain.remembered import RecalledPassage, RecalledTurn, RememberedTurn
from partner_desktop.memory.selector import RecalledPassages
from tests.context.blocks import workspace

_NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def passage(number: int) -> RecalledPassage:
    turn = RememberedTurn(f"{number:08}", "earlier", "Earlier", number, "user", f"said {number}", _NOON)
    return RecalledPassage(RecalledTurn(turn, 1.0, ()), (turn,))


def test_after_many_other_conversations_passages_are_gone_until_they_are_recalled_anew() -> None:
    space = workspace()
    passages = RecalledPassages(space)
    passages.show("first", "what did I say?", [passage(1)])
    sizes = []
    for number in range(200):
        passages.show(f"place {number}", "and here?", [passage(number)])
        sizes.append(len(space))
    assert max(sizes) == sizes[99] == sizes[-1] < 100
    assert passages.shown("first") == ("", ())
    assert space.standing(scope="first") == []
    assert len(space.standing(scope="place 199")) == 1
    passages.show("first", "what did I say?", [passage(1)])
    assert [one.block.full.count("said 1") for one in space.standing(scope="first")] == [1]
