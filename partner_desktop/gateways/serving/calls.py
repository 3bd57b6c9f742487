"""Calls: what one program asks for, run by whoever hosts the home.

Contract: a call runs in a task of its own, so that its asker may be cancelled in any way; the run then ends,
and its processes with it, wherever it runs. So many run at once, some more wait, others are turned down.
Calls that a host took with it when it ended are not made again: they may have done half of their work.

What a program is told of a call comes from the record that the call left.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from pathlib import Path
from typing import Protocol, TypeAlias

from partner_desktop.base.errors import HostGoneError, PartnerError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import size_text
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.serving.offers import OfferedTool
from partner_desktop.permission.request import ApprovalMode

#: Calls of one program that run at once, and that wait for their turn.
MOST_AT_ONCE = 16
MOST_WAITING = 64
#: Characters of a call's arguments as JSON; a script's command line holds less.
MOST_ARGUMENTS = 2 * 1024 * 1024
#: Hosts that are asked, where one ends before it hears the call.
_TRIES = 3


@dataclass(frozen=True)
class ProgressStep:
    """How far a call is."""

    progress: float
    total: float | None
    message: str


Tell: TypeAlias = Callable[[ProgressStep], Awaitable[None]]


class Calls:
    """All calls of one program, recorded in one conversation."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        self._open = 0
        self._tasks = TaskSet("served")
        self._conversation_id = ""
        self._beginning = asyncio.Lock()

    async def close(self) -> None:
        """End what still runs."""
        await self._tasks.close()

    async def call(self, offer: OfferedTool, params: JsonObject, *, client: str, tell: Tell) -> CallOutcome:
        """Run an ability to its end; what cannot be done is an outcome too. `client`: as it calls itself."""
        if self._open >= MOST_AT_ONCE + MOST_WAITING:
            return failed(
                f"“{offer.title}” was not run: {MOST_AT_ONCE} calls run and {MOST_WAITING} wait already; "
                "try again when some of them have ended."
            )
        self._open += 1
        try:
            async with self._slots:
                return await _Call(self, offer, params, client).outcome(tell)
        finally:
            self._open -= 1

    def start(self, call: _Call) -> asyncio.Task[None]:
        """Run it in the background."""
        return self._tasks.start(call.offer.key, call.run())

    async def answer(self, call: _Call) -> CallOutcome:
        """Ask the host, and the next one where that one ends before it hears."""
        for _ in range(_TRIES - 1):
            try:
                return await self._ask(call)
            except HostGoneError:
                continue
        return await self._ask(call)

    async def _ask(self, call: _Call) -> CallOutcome:
        async with self._reach.use() as client:
            running = client.events(
                "events.run",
                key=call.offer.key,
                params=call.params,
                cwd=str(Path.home()),
                standing=ApprovalMode.GRANTED.value,
                conversation_id=await self._conversation(client, call.title),
                title=call.title,
                bound=True,
                program=call.program,
            )
            record: JsonObject | None = None
            denial: JsonObject | None = None
            async with aclosing(running) as events:
                async for event in events:
                    # Another one than asked for: the person deleted that one.
                    self._conversation_id = str(event.get("conversation_id") or "") or self._conversation_id
                    action = event.get("action")
                    if event["type"] == "progress":
                        call.take(event)
                    elif event["type"] == "decision" and event.get("outcome") == "deny":
                        denial = event
                    elif event["type"] == "result" and isinstance(action, dict):
                        record = action
        if record is None:
            return failed(f"“{call.offer.title}” ended without a result.")
        return await asyncio.to_thread(
            call_outcome, call.offer, record, denial, program=call.program, conversation=call.title
        )

    async def _conversation(self, client: PartnerClient, title: str) -> str:
        """One for all calls, begun with the first."""
        async with self._beginning:
            if not self._conversation_id:
                begun = await client.object("conversations.create", title=title)
                self._conversation_id = str(begun["id"])
        return self._conversation_id


class _Call:
    """One call: its run is one task, its asker waits in another."""

    def __init__(self, calls: Calls, offer: OfferedTool, params: JsonObject, program: str) -> None:
        self.offer = offer
        self.params = params
        self.program = program
        self.title = f"{program} (MCP)"
        self._calls = calls
        self._news = asyncio.Event()
        self._step: ProgressStep | None = None
        self._outcome = failed(f"“{offer.title}” could not be run; Partner's log has the details.")

    def take(self, event: JsonObject) -> None:
        """The newest step counts: who is slow to listen holds nothing up."""
        done, total = event.get("progress"), event.get("total")
        if isinstance(done, (int, float)):
            whole = float(total) if isinstance(total, (int, float)) else None
            self._step = ProgressStep(float(done), whole, str(event.get("message") or ""))
            self._news.set()

    async def outcome(self, tell: Tell) -> CallOutcome:
        """Wait for the end, and tell the steps meanwhile; a cancellation ends the run."""
        task = self._calls.start(self)
        task.add_done_callback(lambda _task: self._news.set())
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                if self._step is not None:
                    step, self._step = self._step, None
                    await tell(step)
                if task.done():
                    return self._outcome
        finally:
            task.cancel()

    async def run(self) -> None:
        """The run itself."""
        if await asyncio.to_thread(_size, self.params) > MOST_ARGUMENTS:
            most = MOST_ARGUMENTS // 2**20
            self._outcome = failed(
                f"“{self.offer.title}” was not run: its arguments are larger than {most} MiB; "
                "put the text into a file and name that."
            )
            return
        try:
            self._outcome = await self._calls.answer(self)
        except PartnerError as error:
            self._outcome = failed(str(error))


def _size(params: JsonObject) -> int:
    return len(json.dumps(params))


class Reach(Protocol):
    """The host may end and another take its place; who asks next is led to that one."""

    def use(self) -> AbstractAsyncContextManager[PartnerClient]:
        """A client that stays while it is used; waits for a host where there is none at the moment.

        Raises:
            HostError: Nobody hosts the home in time.
        """
        ...

    async def changed(self) -> None:
        """Return when the abilities may be others than at the call before."""
        ...


#: What went wrong is mostly said at the end of stderr.
_STDERR_TAIL = 2_000
#: Larger pictures are named, not sent.
MOST_IMAGE_BYTES = 1024 * 1024
_MOST_IMAGES = 8
#: Files of one run that are named.
_MOST_NAMED = 20


@dataclass(frozen=True)
class Image:
    """A picture, ready to be sent."""

    data: str
    """In Base64."""
    mime: str


@dataclass(frozen=True)
class CallOutcome:
    """The answer to a call."""

    text: str
    is_error: bool = False
    data: JsonObject | None = None
    images: tuple[Image, ...] = ()


def failed(sentence: str) -> CallOutcome:
    """A call that came to nothing."""
    return CallOutcome(sentence, is_error=True)


def call_outcome(
    offer: OfferedTool, record: JsonObject, denial: JsonObject | None, *, program: str, conversation: str
) -> CallOutcome:
    """Blocking: it reads pictures, and may import `jsonschema`.

    `denial` is the decision that turned the call down; `conversation` names where its card lies.
    """
    title, status = f"“{record.get('title') or offer.title}”", record.get("status")
    if status == "succeeded":
        return _success(offer, record)
    if denial is not None and denial.get("by") != "rule":
        return failed(_not_allowed(title, program, conversation))
    if status == "rejected":
        return failed(f"{title} was not run. {_sentence(record.get('error'))}")
    if status in ("cancelled", "interrupted"):
        return failed(f"{title} was {status}.")
    return failed(_told(_sentence(record.get("error")) or f"{title} failed.", record, tail=True))


def _not_allowed(title: str, program: str, conversation: str) -> str:
    """One sentence, whatever is the matter: a program learns nothing of what lies where, nor of its kind."""
    return (
        f"{title} was not run: a person has not allowed “{program}” to do this, or what it names is not "
        f"there. They can run it, or allow “{program}” to run it from then on, with “Run again” on its card "
        f"in the conversation “{conversation}” in Partner."
    )


def _success(offer: OfferedTool, record: JsonObject) -> CallOutcome:
    data = record.get("data")
    if offer.result:
        problem = _misfit(data, offer.result)
        if problem:
            sentence = f"“{offer.title}” ran, but its result is not what it promises: {problem}."
            return failed(_told(sentence, record))
    data = _plain_object(data)
    text = _told("", record) or (json.dumps(data, ensure_ascii=False) if data else "Done; it said nothing.")
    return CallOutcome(text, data=data, images=_images(record))


def _told(sentence: str, record: JsonObject, *, tail: bool = False) -> str:
    """A sentence and what the run printed."""
    stderr = str(record.get("stderr") or "").strip() if tail else ""
    lines = [sentence, str(record.get("stdout") or "").rstrip("\n"), stderr[-_STDERR_TAIL:]]
    if record.get("truncated") and record.get("stdout_path"):
        lines.append(f"(This is an excerpt; the whole output lies at {record['stdout_path']}.)")
    lines.append(_left(record))
    sent = _sent(record)
    lines += [_line(part) for part in _parts(record) if part not in sent]
    return "\n".join(line for line in lines if line)


def _left(record: JsonObject) -> str:
    """The files that the run left: by name only, for where they lie is the person's own affair."""
    files = record.get("files")
    found = [each for each in files if isinstance(each, dict)] if isinstance(files, list) else []
    if not found:
        return ""
    sizes = [size_text(_bytes(each.get("size_bytes"))) for each in found[:_MOST_NAMED]]
    named = [f"{each.get('name')} ({size})" for each, size in zip(found, sizes, strict=False)]
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    keep = f"partner-desktop actions keep {record.get('id')}"
    return f"It left {', '.join(named)}{more}. They wait on its card in Partner; `{keep}` copies them."


def _bytes(size: Json) -> int:
    return size if isinstance(size, int) else 0


def _sentence(text: Json) -> str:
    text = str(text or "").strip()
    if not text:
        return ""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _misfit(data: Json, schema: JsonObject) -> str:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 0.1 s that only a schema is worth
    from jsonschema.exceptions import SchemaError, best_match  # noqa: PLC0415

    try:
        Draft202012Validator.check_schema(schema)
        problem = best_match(Draft202012Validator(schema).iter_errors(data))
    except SchemaError as error:
        return f"its schema is wrong ({cut(error.message, 200)})"
    return cut(problem.message, 200) if problem is not None else ""


def _plain_object(data: Json) -> JsonObject | None:
    """The data, if it is an object that every JSON reader takes."""
    if not isinstance(data, dict):
        return None
    try:
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:  # NaN, or half a character
        return None
    return data


def _parts(record: JsonObject) -> list[JsonObject]:
    parts = record.get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _sent(record: JsonObject) -> list[JsonObject]:
    """The pictures that go along."""
    return [part for part in _parts(record) if _is_small_picture(part)][:_MOST_IMAGES]


def _is_small_picture(part: JsonObject) -> bool:
    size = part.get("size_bytes")
    small = isinstance(size, int) and size <= MOST_IMAGE_BYTES
    return part.get("kind") == "image" and bool(part.get("path")) and small


def _line(part: JsonObject) -> str:
    """A piece that is named only."""
    place = str(part.get("uri") or part.get("path") or "")
    title = str(part.get("title") or part.get("kind") or "")
    return f"{title}: {place}" if place else ""


def _images(record: JsonObject) -> tuple[Image, ...]:
    found = []
    for part in _sent(record):
        try:
            with Path(str(part["path"])).open("rb") as file:
                content = file.read(MOST_IMAGE_BYTES)
        except OSError:
            continue  # erased meanwhile; the text is there
        found.append(Image(base64.b64encode(content).decode("ascii"), str(part.get("mime") or "image/png")))
    return tuple(found)
