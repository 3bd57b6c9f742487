"""Screen: the input line at the bottom and everything else above it. A door to prompt_toolkit.

Lines are written above the input without tearing it; the unfinished line of a reply stands right over it and
grows there.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from typing import Any, Protocol, TypeAlias

from prompt_toolkit import PromptSession
from prompt_toolkit.filters import Condition, FilterOrBool
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.patch_stdout import StdoutProxy
from prompt_toolkit.utils import get_cwidth

#: Text is gathered for this long before it is put above the input: a word of a reply at a time.
_GATHER_S = 0.02


Act: TypeAlias = Callable[["Keyboard", KeyPressEvent], None]


class Keyboard(Protocol):
    """Who is told of the keys that are not text."""

    @property
    def tail(self) -> str:
        """The unfinished line."""
        ...

    def prompt(self, *, typing: bool) -> str:
        """What stands before the input, with or without a text in it."""
        ...

    @property
    def asks(self) -> bool:
        """Whether a single key is an answer now, as long as nothing is typed."""
        ...

    @property
    def fills(self) -> bool:
        """Whether the line answers what a server asks; Esc cancels that."""
        ...

    def answer(self, key: str) -> None: ...

    def interrupt(self) -> bool:
        """Ctrl-C; False when there was nothing to interrupt."""
        ...

    def may_leave(self) -> bool:
        """Ctrl-D on an empty line."""
        ...

    def entered(self) -> None:
        """A line is about to be taken."""
        ...


class Screen:
    """One terminal, for as long as the command runs."""

    def __init__(self) -> None:
        self._keyboard: Keyboard | None = None
        self._draft = ""
        self._input = _raw_input()
        self._session: PromptSession[str] = PromptSession(
            input=self._input,
            message=self._message,
            multiline=True,
            prompt_continuation="  ",
            key_bindings=self._bindings(),
        )

    @staticmethod
    def columns() -> int:
        """How wide the terminal is."""
        return max(20, shutil.get_terminal_size().columns)

    @staticmethod
    def width(text: str) -> int:
        """How many columns a text takes."""
        return int(get_cwidth(text))

    @staticmethod
    def write(text: str) -> None:
        """A whole line, above the input."""
        sys.stdout.write(text + "\n")

    def recall(self, texts: Sequence[str]) -> None:
        """What the arrow keys bring back from now on, oldest first, besides what is entered after this."""
        buffer = self._session.default_buffer
        self._session.history = buffer.history = InMemoryHistory(texts)
        buffer.reset(buffer.document)

    def refresh(self) -> None:
        """The tail or the prompt has changed."""
        self._session.app.invalidate()

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Whatever is printed meanwhile goes above the input."""
        proxy: Any = StdoutProxy(sleep_between_writes=_GATHER_S)  # Any: a TextIO in all but its type
        with self._input.raw_mode(), proxy, redirect_stdout(proxy), redirect_stderr(proxy):
            yield

    async def line(self, keyboard: Keyboard) -> str:
        """The next line that was entered.

        Raises:
            EOFError: The person leaves.
        """
        self._keyboard = keyboard
        draft, self._draft = self._draft, ""
        try:
            return await self._session.prompt_async(default=draft, handle_sigint=False)
        except asyncio.CancelledError:
            self._draft = self._session.default_buffer.text  # half a line is there again with the next host
            raise

    def _message(self) -> StyleAndTextTuples:
        keyboard = self._keyboard
        if keyboard is None:
            return []
        tail = [("", keyboard.tail + "\n")] if keyboard.tail else []
        return [*tail, ("bold", keyboard.prompt(typing=bool(self._session.default_buffer.text)))]

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()
        empty = Condition(lambda: not self._session.default_buffer.text)
        fills = Condition(lambda: self._keyboard is not None and self._keyboard.fills)
        asks = empty & Condition(lambda: self._keyboard is not None and self._keyboard.asks)

        def bind(
            *names: str | Keys, act: Act, when: FilterOrBool = True, eager: FilterOrBool = False
        ) -> None:
            def handle(event: KeyPressEvent) -> None:
                if self._keyboard is not None:
                    act(self._keyboard, event)
                event.app.invalidate()

            keys.add(*names, filter=when, eager=eager)(handle)

        bind("enter", act=_enter, when=~asks)
        bind("escape", "enter", act=lambda _, event: event.current_buffer.insert_text("\n"), when=~asks)
        bind("c-c", act=_interrupt)
        bind("c-d", act=_leave, when=empty)
        bind(Keys.Any, act=lambda keyboard, event: keyboard.answer(event.data), when=asks)
        bind("enter", act=lambda keyboard, _: keyboard.answer("n"), when=asks)
        bind("escape", act=lambda keyboard, _: keyboard.answer("later"), when=asks | fills, eager=True)
        return keys


def _raw_input() -> Input:
    """The keyboard, which stays ours: every line above the input would hand it to the terminal for a moment,
    where Ctrl-C ends the program and Ctrl-D is lost.
    """
    keys = create_input()
    keys.cooked_mode = nullcontext  # type: ignore[method-assign] # no other way to say it
    return keys


def _enter(keyboard: Keyboard, event: KeyPressEvent) -> None:
    keyboard.entered()
    event.current_buffer.validate_and_handle()


def _interrupt(keyboard: Keyboard, event: KeyPressEvent) -> None:
    if keyboard.interrupt():
        return
    if event.current_buffer.text:
        event.current_buffer.reset()
    else:
        Screen.write("(Ctrl-D leaves; /help shows the rest)")


def _leave(keyboard: Keyboard, event: KeyPressEvent) -> None:
    if keyboard.may_leave():
        event.app.exit(exception=EOFError)
