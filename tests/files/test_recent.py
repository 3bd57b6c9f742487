"""Of what comes the last so many stay."""

from __future__ import annotations

from partner_desktop.base.recent import Recent


def test_the_oldest_makes_room_and_is_told_of_and_what_comes_again_is_new() -> None:
    gone: list[tuple[str, int]] = []
    recent: Recent[str, int] = Recent(3, lambda key, value: gone.append((key, value)))
    for number, key in enumerate("abcadb"):
        recent[key] = number
    assert recent == {"a": 3, "d": 4, "b": 5}
    assert list(recent) == ["a", "d", "b"]
    assert gone == [("b", 1), ("c", 2)]
