"""What runs print while they run, brought to their cards and into the panel.

Contract: takes pieces as they come and shows them at most ten times a second; what waits in between is
bounded. A card that comes into view in the middle of a run begins with what its run has printed so far.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QTimer

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.operations.action_verbs import step_row
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import Event, OutputEvent, ResultEvent

_SETTLE_MS = 100
#: What waits for the next time it is shown, for each run; of a flood the end is kept.
_MOST_LETTERS = 65_536


class _Shows(Protocol):
    def show_output(self, stream: Stream, text: str) -> None: ...


class RunOutput(Controller):
    """Holds the pieces that were not shown yet."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._feed = self._window.page.feed
        self._tab = self._window.panel.actions_tab
        self._fresh: dict[str, list[OutputEvent]] = {}
        self._settle = QTimer(self._window, interval=_SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._show)
        self._tab.run_listed.connect(self._begin_in_panel)
        self._tab.run_opened.connect(self._begin_on_page)

    def deliver(self, event: Event) -> None:
        if isinstance(event, OutputEvent):
            self._fresh.setdefault(event.action_id, []).append(event)
            if not self._settle.isActive():
                self._show()
        elif isinstance(event, ResultEvent):
            self._fresh.pop(event.action.id, None)  # its record says the rest

    def begin_on_card(self, card: ActionCard) -> None:
        """A card that shows nothing yet of a run under way catches up."""
        record = card.record
        if record is not None and record.status is ActionStatus.RUNNING and card.extras.live is None:
            self._catch_up(card, record.id)

    def begin_on_step(self, step_id: str) -> None:
        """The same of a step of a chain that was unfolded while it runs."""
        row = step_row(self._context, step_id)
        if row is not None and row.live is None:
            self._catch_up(row, step_id)

    def _begin_in_panel(self, action_id: str) -> None:
        """The same of what the panel lists as running."""
        item = self._tab.item(action_id)
        if item is not None and item.text is None:
            self._catch_up(item, action_id)

    def _begin_on_page(self, action_id: str) -> None:
        """The same of a run whose record is being read."""
        page = self._tab.page_of(action_id)
        if page is not None:
            self._catch_up(page, action_id)

    def _catch_up(self, view: _Shows, action_id: str) -> None:
        """What was printed so far holds what waits to be shown; the others get that, and `view` all of it."""
        waiting = self._fresh.pop(action_id, [])
        self._show_to([each for each in self._views(action_id) if each is not view], waiting)
        for stream, text in self._store.printed(action_id).items():
            view.show_output(stream, text)

    def _views(self, action_id: str) -> list[_Shows]:
        found: list[_Shows | None] = [
            self._feed.card(action_id),
            self._tab.item(action_id),
            self._tab.page_of(action_id),
            step_row(self._context, action_id),
        ]
        return [each for each in found if each is not None]

    def _show(self) -> None:
        fresh, self._fresh = self._fresh, {}
        for action_id, events in fresh.items():
            self._show_to(self._views(action_id), events)
        if fresh:
            self._settle.start()

    def _show_to(self, views: list[_Shows], events: list[OutputEvent]) -> None:
        for stream, text in _merged(events):
            for view in views:
                view.show_output(stream, text)


def _merged(events: list[OutputEvent]) -> list[tuple[Stream, str]]:
    """Neighbours of one stream as one; of a flood the end."""
    found: list[tuple[Stream, list[str]]] = []
    for event in events:
        if not found or found[-1][0] != event.stream:
            found.append((event.stream, []))
        found[-1][1].append(event.text)
    pieces = [(stream, "".join(texts)[-_MOST_LETTERS:]) for stream, texts in found]
    room, kept = _MOST_LETTERS, list[tuple[Stream, str]]()
    for stream, text in reversed(pieces):
        if room <= 0:
            break
        kept.append((stream, text[-room:]))
        room -= len(text)
    return kept[::-1]
