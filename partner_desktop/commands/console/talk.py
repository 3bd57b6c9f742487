"""Talk: one person at a terminal and one Partner, be it here or in the host of the home.

Contract: what happens in the conversation is shown by one stream that follows it; what is said and decided
goes its own way and is never shown twice. Leaving stops nothing that runs in another process. What was typed
is kept in the conversation and nowhere else: the arrow keys bring back its messages, and go with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Literal

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.errors import HostError, PartnerError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.commands.console.transcript import Transcript
from partner_desktop.commands.plain import plain, plain_line
from partner_desktop.commands.question_form import QuestionForm, answer_question
from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Verdict
from partner_desktop.gateways.partner_client import PartnerClient

#: A key that was meant for the line must not answer a question that has just come up.
QUIET_S = 0.5
#: Messages, of both sides, among which those to bring back are looked for.
_MOST_RECALLED = 200

Interrupted = Literal["stopped", "later", "idle"]


class Talk:
    """One conversation at a time."""

    def __init__(
        self,
        client: PartnerClient,
        transcript: Transcript,
        approve: str,
        *,
        changed: Callable[[], None] = lambda: None,
        recall: Callable[[Sequence[str]], None] = lambda _texts: None,
        clock: Clock | None = None,
    ) -> None:
        self.conversation_id = ""
        self.lost = asyncio.Event()
        """The host has ended: there is nobody to talk to."""
        self._client = client
        self._transcript = transcript
        self._approve = approve
        self._changed = changed
        self._recall = recall
        self._tasks = TaskSet("console")
        self._following: asyncio.Task[None] | None = None
        self._sending = 0
        self._moving = asyncio.Lock()
        self._running: set[str] = set()
        self._questions: list[JsonObject] = []
        self._versions: dict[str, str] = {}
        self._forms: list[QuestionForm] = []
        self._asked: set[str] = set()
        self._asked_at_s = 0.0
        self._clock: Clock = clock or SystemClock()

    @property
    def busy(self) -> bool:
        """Whether something goes on that can be stopped."""
        return bool(self._sending or self._running)

    @property
    def holds_host(self) -> bool:
        """Whether leaving now would end what goes on."""
        return self.busy and self._client.is_host

    @property
    def question(self) -> JsonObject | None:
        """The action that waits for a yes or a no."""
        return self._questions[0] if self._questions and self._approve == "ask" else None

    @property
    def question_title(self) -> str:
        """Which of several that wait is asked now; empty where one waits."""
        return plain_line(self._questions[0]["title"]) if len(self._questions) > 1 else ""

    @property
    def form(self) -> QuestionForm | None:
        """What a server asks; the next line answers it."""
        return self._forms[0] if self._forms else None

    def fill(self, line: str | None) -> None:
        """Answer the field that is asked for; `None` cancels the question."""
        form = self._forms[0]
        if line is None:
            form.cancel()
        elif problem := form.take(line):
            self._transcript.line(f"! {problem}")
        if form.answer is not None:
            self._tasks.start("answer", self._answer(self._forms.pop(0), form.answer))

    async def _answer(self, form: QuestionForm, answer: ElicitationAnswer) -> None:
        try:
            await answer_question(self._client, form.id, answer)
        except PartnerError as error:
            self._complain(error)
            if answer.verdict == "accept" and form.id in self._asked:
                form.begin_anew()
                self._forms.insert(0, form)
                self._changed()

    @property
    def listens(self) -> bool:
        """Whether the question has been there long enough to be answered."""
        return self._clock.monotonic_s() - self._asked_at_s >= QUIET_S

    async def close(self) -> None:
        """Stop looking; the conversation goes on."""
        await self._tasks.close()

    async def go_to(self, conversation_id: str) -> None:
        """Follow another conversation; empty: the next thing said begins one.

        Raises:
            PartnerError: The host does not answer.
        """
        async with self._moving:
            await self._go_to(conversation_id)
            self._recall(await self._typed(conversation_id))

    async def _typed(self, conversation_id: str) -> Sequence[str]:
        """What the person said in a conversation, oldest first; for a new one, in the latest there is."""
        if not conversation_id:
            newest = await self._client.objects("conversations.list", limit=1)
            if not newest:
                return ()
            conversation_id = str(newest[0]["id"])
        messages = await self._client.objects(
            "messages.list", conversation_id=conversation_id, limit=_MOST_RECALLED
        )
        return [str(one["text"]) for one in messages if one["role"] == "user"]

    async def _go_to(self, conversation_id: str) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
        self._transcript.end_tail()
        self.conversation_id = conversation_id
        self._running.clear()
        self._questions.clear()
        self._forms.clear()
        self._asked.clear()
        events = self._client.events("events.follow", conversation_id=conversation_id)
        await anext(events)  # from here on nothing is missed
        self._following = self._tasks.start("follow", self._show(events))

    def say(self, text: str) -> None:
        """Send a message; what follows is shown as it comes."""
        self._transcript.own_texts.append(text.strip())
        self._sending += 1
        self._tasks.start("say", self._say(text))

    def settle(self, verdict: Verdict) -> None:
        """Answer the question."""
        if self._questions:
            action, *others = self._questions
            self._put_questions(others)
            self._tasks.start("decide", self._decide(str(action["id"]), verdict))

    def later(self) -> None:
        """Leave the question open: it can be answered in words, or in the window."""
        self._put_questions(self._questions[1:])

    def interrupt(self) -> Interrupted:
        """Ctrl-C: stop what goes on; what it did."""
        if self.busy:
            self._tasks.start("stop", self._stop())
            return "stopped"
        if self.question is not None:
            self.later()
            return "later"
        return "idle"

    async def _say(self, text: str) -> None:
        try:
            async with self._moving:  # two quick lines begin one conversation, and a /new behind them waits
                if not self.conversation_id:
                    await self._go_to(str((await self._client.object("conversations.create"))["id"]))
                place = self.conversation_id
            said = self._client.events(
                "events.say",
                text=text,
                conversation_id=place,
                cwd=str(Path.cwd()),
                standing=self._approve,
                can_ask=True,
            )
            await self._drain(said)
        except PartnerError as error:
            if text.strip() in self._transcript.own_texts:
                self._transcript.own_texts.remove(text.strip())
            self._complain(error)
        finally:
            self._sending -= 1
            self._changed()

    async def _decide(self, action_id: str, verdict: Verdict) -> None:
        try:
            version = self._versions.pop(action_id, "")
            decided = self._client.events(
                "events.decide", action_id=action_id, verdict=verdict, version=version
            )
            await self._drain(decided)
        except PartnerError as error:
            self._complain(error)

    async def _stop(self) -> None:
        try:
            if self.conversation_id:
                await self._client.call("conversations.stop", conversation_id=self.conversation_id)
        except PartnerError as error:
            self._complain(error)

    async def _drain(self, events: AsyncIterator[JsonObject]) -> None:
        """To the end of the exchange; the following stream shows it."""
        async for _event in events:
            pass

    async def _show(self, events: AsyncIterator[JsonObject]) -> None:
        try:
            async for event in events:
                self._note(event)
                self._transcript.show(event)
                self._changed()
        except HostError:
            self.lost.set()
        except PartnerError as error:
            self._complain(error)

    def _note(self, event: JsonObject) -> None:
        kind, action = event["type"], event.get("action")
        if kind == "conversation_gone":
            self.conversation_id = ""  # the next thing said begins another
            self._transcript.own_texts.clear()
            self._recall(())
        elif kind == "turn":
            self._note_running(str(event["turn_id"]), runs=event["state"] == "started")
        elif kind in ("run", "result") and isinstance(action, dict):
            self._note_running(str(action["id"]), runs=kind == "run")
        asked = event.get("elicitation")
        if isinstance(asked, dict):
            self._note_form(QuestionForm(asked), is_open=bool(event["open"]))
        if kind == "proposal" and isinstance(action, dict):
            self._versions[str(action["id"])] = str(event["version"])
            waiting = {str(item["id"]): item for item in self._questions}
            self._put_questions([*(waiting | {str(action["id"]): action}).values()])
        elif kind in ("decision", "result"):
            settled = event["action_id"] if kind == "decision" else isinstance(action, dict) and action["id"]
            self._put_questions([item for item in self._questions if item["id"] != settled])

    def _note_form(self, form: QuestionForm, *, is_open: bool) -> None:
        if is_open:
            self._asked.add(form.id)
            self._forms.append(form)
            self._transcript.line(form.words)
        else:
            self._asked.discard(form.id)
            self._forms = [each for each in self._forms if each.id != form.id]

    def _note_running(self, what: str, *, runs: bool) -> None:
        if runs:
            self._running.add(what)
        else:
            self._running.discard(what)

    def _put_questions(self, questions: Sequence[JsonObject]) -> None:
        """What waits by now. Where another is asked than before, or another way, it is to be read first."""
        before, self._questions = self._questions[:1], list(questions)
        if self._questions[:1] != before:
            self._asked_at_s = self._clock.monotonic_s()

    def _complain(self, error: PartnerError) -> None:
        self._transcript.line(f"! {plain(str(error))}")
