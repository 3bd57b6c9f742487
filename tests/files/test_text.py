"""Text that is too long is cut, and says so."""

from __future__ import annotations

from partner_desktop.base.text import cut


def test_a_text_is_cut_to_its_limit_with_the_sign_in_it() -> None:
    assert [cut(text, 4) for text in ("", "four", "fives")] == ["", "four", "fiv…"]
