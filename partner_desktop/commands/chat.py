"""`partner-desktop chat`: one message, or line after line from the terminal or a pipe.

Lines are read without holding the loop or the end of the program.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import BinaryIO

from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.connection import connect
from partner_desktop.commands.options import CommandFolders
from partner_desktop.commands.plain import Literal, plain
from partner_desktop.commands.plan_lines import (
    PlanProgress,
    proposal_lines,
    steps_of,
    wider_answers,
    wider_words,
)
from partner_desktop.commands.question_form import QuestionForm, answer_question
from partner_desktop.domain.elicitation import CANCELLED, ElicitationAnswer
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.permission import Verdict
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.wire import json_line


class StdinLines:
    """Reads stdin on a daemon thread: a program that waits for a line can still end on Ctrl-C."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._ended = False
        self._thread: threading.Thread | None = None

    async def next(self, prompt: str = "") -> str:
        """The next line with its end; empty when there are no more."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True)
            self._thread.start()
        if prompt:
            print(prompt, end="", file=sys.stderr, flush=True)
        if self._ended:
            return ""
        line = await self._lines.get()
        self._ended = not line
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        line = "-"
        source = _own_stdin()
        while line:
            try:
                line = source.readline().decode("utf-8", "replace") if source is not None else ""
            except (ValueError, OSError):
                line = ""  # stdin is closed
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            except RuntimeError:
                return  # the loop is closed


def _own_stdin() -> BinaryIO | None:
    """A reader of our own: an interpreter that ends aborts where a thread holds the lock of `sys.stdin`'s."""
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except (ValueError, OSError, AttributeError):
        return None  # there is none, or it is closed


#: Letters of an id by which a conversation is found again.
_SHORT_ID = 8
#: How often what was filled in may fit nothing before the question is cancelled.
_FORM_TRIES = 3


@dataclass
class Console:
    """Shows the events of an exchange, and asks where a person is there to answer."""

    client: PartnerClient
    as_json: bool
    approve: str
    """As `ApprovalMode` has it."""
    can_ask: bool = field(default_factory=sys.stdin.isatty)
    failed: bool = False
    unsettled: bool = False
    """The last exchange ended with something that waits, or was turned down."""
    conversation_id: str | None = None
    lines: StdinLines = field(default_factory=StdinLines)
    _open: list[JsonObject] = field(default_factory=list)
    _versions: dict[str, str] = field(default_factory=dict)
    _reply: Literal = field(default_factory=Literal)
    _chains: PlanProgress = field(default_factory=PlanProgress)

    async def say(self, text: str, *, pictures: Sequence[str] = (), attachments: Sequence[str] = ()) -> None:
        """One message, with files that are shown or attached, and everything that follows from it."""
        events = self.client.events(
            "events.say",
            text=text,
            conversation_id=self.conversation_id,
            cwd=str(Path.cwd()),
            standing=self.approve,
            can_ask=self._can_fill,
            pictures=_whole_paths(pictures),
            attachments=_whole_paths(attachments),
        )
        await self._follow(events)

    async def run(self, key: str, params: JsonObject, *, program: str = "") -> None:
        """One ability by its key, as if asked for by a program where one is named."""
        events = self.client.events(
            "events.run",
            key=key,
            params=params,
            cwd=str(Path.cwd()),
            standing=self.approve,
            can_ask=self._can_fill,
            program=program,
        )
        await self._follow(events)

    async def plan(self, goal: Sequence[str], have: JsonObject) -> None:
        """The cheapest way to a goal."""
        events = self.client.events(
            "events.plan",
            goal=[*goal],
            have=have,
            cwd=str(Path.cwd()),
            standing=self.approve,
            can_ask=self._can_fill,
        )
        await self._follow(events)

    async def resume(self, action_id: str) -> None:
        """A plan that was given up goes on."""
        events = self.client.events(
            "events.resume", action_id=action_id, standing=self.approve, can_ask=self._can_fill
        )
        await self._follow(events)

    @property
    def _can_fill(self) -> bool:
        """Whether what a server asks is asked here: a program that reads JSON fills in nothing."""
        return self.can_ask and not self.as_json

    async def _follow(self, events: AsyncIterator[JsonObject]) -> None:
        await self._show_all(events)
        while self._open and self.can_ask and self.approve == "ask":
            action = self._open.pop(0)
            verdict = await self._ask_person(action)
            self.unsettled = False
            await self._settle(str(action["id"]), verdict)

    async def approve_planned(self) -> None:
        """A yes to what asks because it is to be done later: whatever is allowed, a card shows that first."""
        for action in [one for one in self._open if one["terms"] and one["status"] == "waiting"]:
            self.unsettled = False
            await self._settle(str(action["id"]), "once")

    def tell_way_on(self) -> None:
        """How to answer what waits when this command is over, where somebody reads it."""
        if self.as_json or not self.unsettled:
            return
        for action in self._open:
            version = plain(self._versions.get(str(action["id"]), ""))
            way = f"partner-desktop actions approve {plain(action['id'])} {version}"
            print(sentence_of("terminal.it_waits", way=way), file=sys.stderr)
        way = f"partner-desktop chat --conversation {(self.conversation_id or '')[:_SHORT_ID]} --once WORDS"
        print(sentence_of("terminal.answer_by", way=way), file=sys.stderr)

    async def decide(self, action_id: str, verdict: Verdict) -> None:
        """Answer a card, and everything that follows from it."""
        await self._settle(action_id, verdict)

    async def _settle(self, action_id: str, verdict: Verdict) -> None:
        version = self._versions.pop(action_id, "")
        try:
            await self._show_all(
                self.client.events("events.decide", action_id=action_id, verdict=verdict, version=version)
            )
        except PartnerError as error:
            if action_id not in self._versions:
                raise
            print(plain(str(error)), file=sys.stderr)  # it is shown anew, and asks again

    async def _ask_person(self, action: JsonObject) -> Verdict:
        """Ask on the terminal; anything but a clear yes is a no."""
        print("", *proposal_lines(action), sep="\n", file=sys.stderr)
        plan = self._chains.plan_of(action)
        if plan:
            print(sentence_of("terminal.step_of", plan=plan), file=sys.stderr)
        answer = (await self.lines.next(f"[y] once  {wider_words(action)}[N] no: ")).strip().casefold()
        if answer in ("y", "yes"):
            return "once"
        verdict, _ = wider_answers(action).get("a" if answer == "always" else answer, ("reject", ""))
        return verdict

    async def _show_all(self, events: AsyncIterator[JsonObject]) -> None:
        async for event in events:
            self.conversation_id = str(event.get("conversation_id") or "") or self.conversation_id
            self._note(event)
            if self.as_json:
                print(json_line(event), flush=True)
            else:
                self._show_plan(event)
                _show(event, self._reply, self._chains)
                if event["type"] == "elicitation" and event["open"]:
                    await self._fill(event["elicitation"])

    async def _fill(self, asked: Json) -> None:
        """Ask what a server wants to know, where somebody is there; else it is asked in the window."""
        assert isinstance(asked, dict)
        form = QuestionForm(asked)
        if not self._can_fill:
            print(
                f"({form.words}", sentence_of("terminal.answered_in_window") + ")", sep="\n", file=sys.stderr
            )
            return
        print("", form.words, sep="\n", file=sys.stderr)
        for _ in range(_FORM_TRIES):
            try:
                await answer_question(self.client, form.id, await self._filled(form))
            except PartnerError as error:
                print(plain(str(error)), file=sys.stderr)
                form.begin_anew()
            else:
                return
        with suppress(PartnerError):  # it may have ended meanwhile
            await answer_question(self.client, form.id, CANCELLED)

    async def _filled(self, form: QuestionForm) -> ElicitationAnswer:
        while form.answer is None:
            if problem := form.take(await self.lines.next(form.prompt)):
                print(problem, file=sys.stderr)
        return form.answer

    def _show_plan(self, event: JsonObject) -> None:
        """Where nobody can be asked here, what is asked is said all the same: it is answered elsewhere."""
        action = event.get("action")
        if event["type"] == "proposal" and isinstance(action, dict) and not self.can_ask and steps_of(action):
            print(*proposal_lines(action), sep="\n", file=sys.stderr)

    def _note(self, event: JsonObject) -> None:
        kind, action = event["type"], event.get("action")
        if isinstance(action, dict):
            self._chains.note(action)
        if kind == "proposal" and isinstance(action, dict):
            self._versions[str(action["id"])] = str(event["version"])
            self._open = [item for item in self._open if item["id"] != action["id"]] + [action]
        elif kind in ("run", "result") and isinstance(action, dict):
            self._open = [item for item in self._open if item["id"] != action["id"]]
        elif kind == "decision":
            self.unsettled = event["outcome"] == "deny"
            self._open = [item for item in self._open if item["id"] != event["action_id"]]
        elif kind == "done":
            self.failed = self.failed or event["status"] == "failed"
            self.unsettled = self.unsettled or event["status"] == "waiting"


def _whole_paths(paths: Sequence[str]) -> list[Json]:
    """From the root on: the host works elsewhere."""
    return [str(Path(each).absolute()) for each in paths]


def _show(event: JsonObject, reply: Literal, chains: PlanProgress) -> None:
    """The event for human eyes; what the reply says anyway is left to the reply."""
    kind, action = event["type"], event.get("action")
    if kind == "reply":
        said = reply.feed(str(event["content"]), done=bool(event["done"]))
        print(plain(said), end="\n" if event["done"] else "", flush=True)
        if event.get("withdrawn"):
            print(sentence_of("terminal.answered_below"), flush=True)
    elif kind == "run" and isinstance(action, dict) and not action.get("parent_id"):
        print(sentence_of("terminal.is_running", title=plain(action["title"])), file=sys.stderr)
    elif kind == "result" and isinstance(action, dict):
        for line in chains.ended(action):
            print(line, file=sys.stderr)
    elif kind == "notice":
        print(f"({plain(event['text'])})", file=sys.stderr)
    elif kind == "error":
        print(plain(event["message"]), file=sys.stderr)


async def chat(options: argparse.Namespace, place: CommandFolders) -> int:
    """Run the command; 1 when something failed. `--conversation` begins the id of one to go on with."""
    approve, conversation = options.approve, options.conversation
    if options.picture and options.once is None:
        raise UsageError("terminal.picture_with_once")
    if options.attach and options.once is None:
        raise UsageError("terminal.attach_with_once")
    if options.once is None and not options.json and _on_terminal():
        # Editing, keys and live lines need a library that nothing else needs.
        from partner_desktop.commands.console.terminal import converse  # noqa: PLC0415

        return await converse(*place, approve=approve, conversation=conversation)
    async with connect(*place, stays=options.once is None) as client:
        console = Console(client, options.json, approve)
        if conversation:
            found = await client.object("conversations.find", beginning=conversation)
            console.conversation_id = str(found["id"])
        if options.once is not None:
            await console.say(options.once, pictures=options.picture, attachments=options.attach)
            console.tell_way_on()
            return 1 if console.failed else 0
        prompt = "> " if console.can_ask else ""
        while line := await console.lines.next(prompt):
            if line.strip():
                await _say_or_explain(console, line)
    # A person has read it; a program that pipes has only this to go by.
    return 1 if console.failed and not console.can_ask else 0


def _on_terminal() -> bool:
    """Whether a person sits at both ends, and the terminal can do more than lines."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


async def _say_or_explain(console: Console, line: str) -> None:
    try:
        await console.say(line)
    except PartnerError as error:
        print(plain(str(error)), file=sys.stderr)
