"""Where the keys of a list lead to."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractItemView


def rows_towards(action: QAbstractItemView.CursorAction, now: int, count: int, *, page: int) -> range:
    """The rows to try, best first, from row `now` of `count`; `page` is how many a view shows."""
    steps = QAbstractItemView.CursorAction
    ways = {
        steps.MoveUp: range(now - 1, -1, -1),
        steps.MovePrevious: range(now - 1, -1, -1),
        steps.MoveDown: range(now + 1, count),
        steps.MoveNext: range(now + 1, count),
        steps.MovePageUp: range(max(0, now - page), count),
        steps.MovePageDown: range(min(count - 1, now + page), -1, -1),
        steps.MoveHome: range(count),
        steps.MoveEnd: range(count - 1, -1, -1),
    }
    return ways.get(action, range(0))
