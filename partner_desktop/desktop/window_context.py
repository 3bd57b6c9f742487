"""WindowContext: what every controller and every operation of one window has in reach.

Contract: an operation is a task of the window's Work. While Partner is not there it does nothing, and nobody
who asks for one has to know. What fails is told as a sentence: over the composer, or where it was asked for.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.desktop.notices import NoticeAction, Notices
from partner_desktop.desktop.runs.pictures import Pictures
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_store import Store
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.desktop.work import Work
from partner_desktop.domain.events import Event

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.domain.action import ActionRecord

P = ParamSpec("P")
#: What ids look like; no secret that somebody pasted.
_ID = re.compile(r"[0-9a-f]{32}|[a-z]{1,3}[0-9]{1,6}")
Tell = Callable[[str], None]


class Navigation(Protocol):
    """Ways to what a window can show."""

    @property
    def conversation_id(self) -> str:
        """The open conversation; empty for a new chat."""

    def open(self, conversation_id: str) -> None:
        """Show a conversation; empty for a new chat."""

    def show_end(self, conversation_id: str) -> None:
        """The end of a conversation."""

    def show_action(self, action_id: str) -> None:
        """The card of an action that is known."""

    def show_message(self, conversation_id: str, message_id: str, position: int) -> None:
        """A message in its conversation; without an id the conversation alone."""

    def show_record(self, record: ActionRecord) -> None:
        """The page of a run."""

    async def conversation(self, partner: Partner) -> str:
        """The open conversation; a new chat becomes one."""


class WindowContext(QObject):
    """One window's. `navigation` is set by whoever shows conversations, before anything happens.

    `place_changed()`: another conversation is open, or something of the open one is otherwise;
    `place_filled()`: what was said in it is shown.
    """

    place_changed = Signal()
    place_filled = Signal()
    navigation: Navigation

    def __init__(self, window: MainWindow, clock: Clock | None = None) -> None:
        super().__init__()
        self.window = window
        self.clock = clock or SystemClock()
        self.work = Work(window.notices)
        self.store = Store()

    @property
    def notices(self) -> Notices:
        """Where the person is told something."""
        return self.window.notices

    @cached_property
    def pictures(self) -> Pictures:
        """Fills the pictures of results in."""
        return Pictures(self.window.page, self.work)

    def request(
        self,
        name: str,
        act: Callable[[Partner], Coroutine[Any, Any, object]],
        *,
        on_fault: Tell | None = None,
    ) -> asyncio.Task[None] | None:
        """Have something done; `None` while there is no Partner to do it."""
        partner = self.store.partner
        return self.work.begin(name, act(partner), on_fault=on_fault) if partner is not None else None

    def tell(self, words: LazyText, *, undo: Callable[[], object] | None = None, about: str = "") -> None:
        """Say what came of it, and offer to take it back where that can be done."""
        back = NoticeAction(lambda: tr("Undo"), undo) if undo is not None else None
        self.notices.tell("", words, action=back, about=about)


class WindowOperation(Generic[P]):
    """What the window asks of Partner: called with the context, it is a task; `or_tell` says where to say
    what failed, in place of over the composer."""

    def __init__(
        self,
        act: Callable[Concatenate[WindowContext, Partner, P], Coroutine[Any, Any, object]],
        tell: Tell | None = None,
        name: str = "",
    ) -> None:
        self._act = act
        self._tell = tell
        self._name = name or act.__name__.strip("_").replace("_", " ")
        self.__doc__ = act.__doc__

    @classmethod
    def of(
        cls, name: str, method: Callable[[Partner], Callable[P, Coroutine[Any, Any, object]]]
    ) -> WindowOperation[P]:
        """A method of Partner's as it is: there is nothing to say after it."""

        async def act(
            _context: WindowContext, partner: Partner, /, *args: P.args, **kwargs: P.kwargs
        ) -> None:
            await method(partner)(*args, **kwargs)

        return cls(act, name=name)

    def or_tell(self, tell: Tell | None) -> WindowOperation[P]:
        """The same, with what fails told there."""
        return WindowOperation(self._act, tell, self._name)

    def __call__(
        self, context: WindowContext, *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Task[None] | None:
        # An id, no text: names of tasks stand in the log.
        named = args[0] if args and isinstance(args[0], str) and _ID.fullmatch(args[0]) else ""
        return context.request(
            f"{self._name} {named}".rstrip(),
            lambda partner: self._act(context, partner, *args, **kwargs),
            on_fault=self._tell,
        )


class Controller:
    """Wires a part of one window to the store and to operations.

    `_begin` is called once Partner is there, `deliver` with every event.
    """

    def __init__(self, context: WindowContext) -> None:
        self._context = context
        self._window = context.window
        self._store = context.store
        self._store.filled.connect(self._begin)
        if type(self).deliver is not Controller.deliver:  # events come often, each to few
            self._store.happened.connect(self.deliver)

    def catch_up(self) -> None:
        """It came into being late: begin now where the others have begun."""
        if self._store.partner is not None:
            self._begin(self._store.partner)

    def _request(
        self,
        name: str,
        act: Callable[[Partner], Coroutine[Any, Any, object]],
        *,
        on_fault: Tell | None = None,
    ) -> None:
        """Have something done."""
        self._context.request(name, act, on_fault=on_fault)

    def _begin(self, partner: Partner) -> None:
        """Look at what there is."""

    def deliver(self, event: Event) -> None:
        """Something happened."""


def alive(widget: QObject, tell: Tell) -> Tell:
    """`tell` as long as what it tells is there."""

    def tell_if_alive(sentence: str) -> None:
        if isValid(widget):
            tell(sentence)

    return tell_if_alive
