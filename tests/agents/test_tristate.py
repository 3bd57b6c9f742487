"""Kleene's tables."""

from __future__ import annotations

import pytest

from partner_desktop.agents.tristate import Tristate

ALL = {"T": Tristate.TRUE, "F": Tristate.FALSE, "U": Tristate.UNKNOWN}


@pytest.mark.promise("planning.tristate")
def test_not_and_and_or_follow_kleenes_tables() -> None:
    letters = {state: letter for letter, state in ALL.items()}
    assert [letters[~each] for each in ALL.values()] == ["F", "T", "U"]
    assert ["".join(letters[a & b] for b in ALL.values()) for a in ALL.values()] == ["TFU", "FFF", "UFU"]
    assert ["".join(letters[a | b] for b in ALL.values()) for a in ALL.values()] == ["TTT", "TFU", "TUU"]
    assert [each.is_unknown for each in ALL.values()] == [False, False, True]
    assert [each.known for each in ALL.values()] == [True, False, None]


def test_what_a_condition_may_give() -> None:
    assert [Tristate.of(told) for told in (True, False, None, Tristate.UNKNOWN)] == [
        Tristate.TRUE,
        Tristate.FALSE,
        Tristate.UNKNOWN,
        Tristate.UNKNOWN,
    ]
    with pytest.raises(TypeError, match="not a str"):
        Tristate.of("yes")
    with pytest.raises(TypeError, match="no bool"):
        bool(Tristate.UNKNOWN)
