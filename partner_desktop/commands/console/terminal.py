"""The terminal conversation: screen, talk and connection together, for as long as the person stays.

What begins with a slash is a command: `/new`, `/open ID`, `/list`, `/stop`, `/help`.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path
from typing import Literal

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home
from partner_desktop.commands.connection import connect, somebody_hosts
from partner_desktop.commands.console.screen import Screen
from partner_desktop.commands.console.talk import Talk
from partner_desktop.commands.console.transcript import Transcript
from partner_desktop.commands.plain import plain
from partner_desktop.commands.plan_lines import wider_answers, wider_words
from partner_desktop.gateways.partner_client import PartnerClient

Ending = Literal["left", "lost", "yielded"]

_LOOK_S = 0.1


async def converse(home: Home, action_dir: Path | None, *, approve: str, conversation: str) -> int:
    """Talk until the person leaves; a host that ends meanwhile is replaced.

    Raises:
        PartnerError: The home cannot be used, or there is no such conversation.
    """
    screen: Screen | None = None
    place = conversation
    while True:
        async with connect(home, action_dir, stays=True) as client:
            screen = screen or Screen()
            desk = KeyActions(screen, client, approve)
            with screen.patched():
                ending = await desk.live(place)
                if ending == "lost":
                    screen.write(sentence_of("terminal.partner_gone"))
                elif ending == "yielded":
                    screen.write(sentence_of("terminal.window_takes_over"))
            place = desk.talk.conversation_id
        if ending == "left":
            return 0
        if ending == "yielded":
            await somebody_hosts(home)


class KeyActions:
    """What the keys do, with one client."""

    def __init__(self, screen: Screen, client: PartnerClient, approve: str) -> None:
        self._screen = screen
        self._transcript = Transcript(screen.write, screen.columns, screen.width)
        self.talk = Talk(client, self._transcript, approve, changed=screen.refresh, recall=screen.recall)
        self._commands = SlashCommands(client, self.talk, self._transcript)
        self._warned = False
        self._window_wanted = asyncio.Event()
        client.on_window_wanted(self._window_wanted.set)

    async def live(self, place: str) -> Ending:
        """Until the person leaves or the host is lost."""
        try:
            if place:
                await self._commands.open(place)
            else:
                await self.talk.go_to("")
            return await self._live()
        finally:
            await self.talk.close()
            self._transcript.end_tail()

    async def _live(self) -> Ending:
        loop = asyncio.get_running_loop()
        lost = loop.create_task(self.talk.lost.wait(), name="console:lost")
        yielded = loop.create_task(self._yield(), name="console:yield")
        reading = loop.create_task(self._read(), name="console:read")
        tasks = (lost, yielded, reading)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
                return "left"
            return "yielded" if yielded.done() else "lost"
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _yield(self) -> None:
        """Return when a window waits for the home and nothing here would be cut off."""
        await self._window_wanted.wait()
        while self.talk.busy:  # noqa: ASYNC110 - rare, and short
            await asyncio.sleep(_LOOK_S)

    async def _read(self) -> None:
        with contextlib.suppress(EOFError):
            while True:
                text = await self._screen.line(self)
                self._warned = False
                if self.talk.form is not None:
                    self.talk.fill(text)
                elif text.strip() and not await self._commands.take(text):
                    self.talk.say(text)

    # The keys.

    @property
    def tail(self) -> str:
        return self._transcript.tail

    def prompt(self, *, typing: bool) -> str:
        question = self.talk.question
        if self.talk.form is not None:
            return self.talk.form.prompt
        if question is None or typing:
            if self._transcript.thinking:
                return "thinking… "
            return "… " if self.talk.busy else "> "
        title = self.talk.question_title
        which = (
            sentence_of("terminal.let_first_run", title=title) if title else sentence_of("terminal.let_run")
        )
        return f"{which} [y] once  {wider_words(question)}[n] no  [Esc] later: "

    @property
    def asks(self) -> bool:
        return self.talk.question is not None and self.talk.form is None

    @property
    def fills(self) -> bool:
        return self.talk.form is not None

    def answer(self, key: str) -> None:
        if self.talk.form is not None:
            self.talk.fill(None)
            return
        question = self.talk.question
        if question is None or not self.talk.listens:
            return
        if key in ("y", "Y"):
            self.talk.settle("once")
        elif key.casefold() in wider_answers(question):
            self.talk.settle(wider_answers(question)[key.casefold()][0])
        elif key in ("n", "N"):
            self.talk.settle("reject")
        elif key == "later":
            self.talk.later()

    def interrupt(self) -> bool:
        return self.talk.interrupt() != "idle"

    def may_leave(self) -> bool:
        if self.talk.holds_host and not self._warned:
            self._warned = True
            self._transcript.line(sentence_of("terminal.still_runs"))
            return False
        return True

    def entered(self) -> None:
        self._transcript.end_tail()


#: A path such as /home/me/notes.txt is no command.
_COMMAND = re.compile(r"/([a-z]+)(?:\s+(.*))?", re.DOTALL)
_MOST_LISTED = 20
_MOST_SHOWN = 10
_SHORT_ID = 8


class SlashCommands:
    """Each answers in the transcript."""

    def __init__(self, client: PartnerClient, talk: Talk, transcript: Transcript) -> None:
        self._client = client
        self._talk = talk
        self._transcript = transcript

    async def take(self, text: str) -> bool:
        """Do what the line asks for; False when it is a message."""
        found = _COMMAND.fullmatch(text.strip())
        if found is None:
            return False
        try:
            await self._do(found[1], (found[2] or "").strip())
        except PartnerError as error:
            self._transcript.line(f"! {error}")
        return True

    async def _do(self, name: str, rest: str) -> None:
        if name == "new":
            await self._talk.go_to("")
            self._transcript.line(sentence_of("terminal.new_conversation"))
        elif name == "open" and rest:
            await self.open(rest)
        elif name == "list":
            await self._list()
        elif name == "stop":
            if self._talk.interrupt() != "stopped":
                self._transcript.line(sentence_of("terminal.nothing_runs"))
        elif name == "help":
            self._transcript.line(sentence_of("terminal.slash_help"))
        else:
            wanted = (
                sentence_of("terminal.open_needs_id")
                if name == "open"
                else sentence_of("terminal.help_lists")
            )
            self._transcript.line(sentence_of("terminal.no_slash_command", name=plain(name), wanted=wanted))

    async def open(self, wanted: str) -> None:
        """Show the end of a conversation and go on with it.

        Raises:
            PartnerError: There is none of this id, or more than one.
        """
        found = await self._client.object("conversations.find", beginning=wanted)
        await self._talk.go_to(str(found["id"]))
        self._transcript.line(f"— {plain(found['title']) or 'New chat'} —")
        shown = await self._client.objects("messages.list", conversation_id=found["id"], limit=_MOST_SHOWN)
        for message in shown:
            if message["role"] in ("user", "partner"):
                sign = "> " if message["role"] == "user" else ""
                self._transcript.line(sign + plain(message["text"]))

    async def _list(self) -> None:
        found = await self._client.objects("conversations.list", limit=_MOST_LISTED)
        for one in found:
            when = str(one["updated_at"])[:16].replace("T", " ")
            here = "*" if one["id"] == self._talk.conversation_id else " "
            title = plain(one["title"]) or sentence_of("terminal.new_chat")
            self._transcript.line(f"{here} {str(one['id'])[:_SHORT_ID]}  {when}  {title}")
        if not found:
            self._transcript.line(sentence_of("terminal.no_conversations"))
