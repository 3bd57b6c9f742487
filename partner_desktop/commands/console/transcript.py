"""Transcript: events as lines of text. What is unfinished stays in `tail` until its line is whole.

Foreign text never drives the terminal: everything goes through `plain`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.plain import Literal, plain
from partner_desktop.commands.plan_lines import PlanProgress, proposal_lines
from partner_desktop.domain.json_value import Json, JsonObject

_SIGNS = {"succeeded": "✓", "failed": "✗"}


@dataclass
class Transcript:
    """`write` takes whole lines; `width` measures text in columns of the terminal."""

    write: Callable[[str], None]
    columns: Callable[[], int]
    width: Callable[[str], int] = len
    tail: str = ""
    """The line of a reply that is being written."""
    thinking: bool = False
    """Whether a reply is being thought about, without a word of it said yet."""
    own_texts: list[str] = field(default_factory=list)
    """What was typed here and has not come back yet: it stands on the screen already."""
    _reply_id: str = ""
    _literal: Literal = field(default_factory=Literal)
    _chains: PlanProgress = field(default_factory=PlanProgress)

    def show(self, event: JsonObject) -> None:
        """Put an event down."""
        kind, action = event["type"], event.get("action")
        if isinstance(action, dict):
            self._chains.note(action)
        if kind in ("reply", "turn", "error"):
            self.thinking = bool(event.get("reasoning")) and not event.get("done")
        if kind == "reply":
            self._reply(event)
        elif kind == "message":
            self._message(event)
        elif kind == "proposal" and isinstance(action, dict):
            self._proposal(action)
        elif kind == "run" and isinstance(action, dict):
            self.line(sentence_of("terminal.is_running", title=self._chains.place(action)))
        elif kind == "result" and isinstance(action, dict):
            self._result(action)
        elif kind == "notice":
            self.line(f"({plain(event['text'])})")
        elif kind == "take":
            self.line(sentence_of("terminal.goes_on_earlier"))
        elif kind == "conversation_gone" and not event["erased"]:
            self.line(sentence_of("terminal.conversation_deleted"))
        elif kind == "error":
            self.line(f"! {plain(event['message'])}")

    def line(self, text: str) -> None:
        """Whole lines; what was being written before them is ended."""
        self.end_tail()
        self.write(text)

    def end_tail(self) -> None:
        """Put down what there is of the unfinished line."""
        tail, self.tail = self.tail, ""
        if tail:
            self.write(tail)

    def _reply(self, event: JsonObject) -> None:
        started = event["reply_id"] == self._reply_id
        if not started:
            self.end_tail()
            self._reply_id = str(event["reply_id"])
            self._literal = Literal()
        if event["mode"] == "replace" and started:
            self.line(sentence_of("terminal.once_more"))
            self._literal = Literal()
        # One that began before anybody looked has its whole text at its end.
        whole = event["done"] and not started and not event.get("withdrawn")
        said = str(event["text"] if whole else event["content"])
        self._add(plain(self._literal.feed(said, done=bool(event["done"]))))
        if event["done"]:
            self._reply_id = ""
            self.end_tail()
            if event.get("withdrawn"):
                self.write(sentence_of("terminal.answered_below"))
            elif event["stopped"]:
                self.write("(stopped)")

    def _add(self, text: str) -> None:
        """Whole lines go out; a long one is broken at a blank, as wide as the terminal is."""
        *whole, self.tail = (self.tail + text.replace("\t", "    ")).split("\n")
        for line in whole:
            self._put_wrapped(line)
        while self.width(self.tail) >= self.columns():
            cut = self._cut(self.tail)
            self.write(self.tail[:cut].rstrip())
            self.tail = self.tail[cut:].lstrip(" ")

    def _put_wrapped(self, line: str) -> None:
        while self.width(line) >= self.columns():
            cut = self._cut(line)
            self.write(line[:cut].rstrip())
            line = line[cut:].lstrip(" ")
        self.write(line)

    def _cut(self, line: str) -> int:
        most, used = 0, 0
        for sign in line:
            used += self.width(sign)
            if used >= self.columns():
                break
            most += 1
        blank = line.rfind(" ", 0, most + 1)
        return blank if blank > most // 2 else max(1, most)

    def _message(self, event: JsonObject) -> None:
        message = event["message"]
        if not isinstance(message, dict) or message["role"] != "user":
            return
        text = str(message["text"])
        if text in self.own_texts:
            self.own_texts.remove(text)
            return
        self.line(f"you ({_text(event, 'message', 'source')}): {plain(text)}")

    def _proposal(self, action: JsonObject) -> None:
        first, *others = proposal_lines(action)
        plan = self._chains.plan_of(action)
        self.line(sentence_of("terminal.first_step_of", first=first, plan=plan) if plan else first)
        for line in others:
            self.write(line)

    def _result(self, action: JsonObject) -> None:
        status, problem = plain(action["status"]), plain(action.get("error") or "")
        end = f": {problem}" if problem and status != "rejected" else ""
        if not action.get("parent_id"):
            for line in self._chains.ended(action):
                self.line(line)
        self.line(f"{_SIGNS.get(status, '–')} {self._chains.place(action)} · {status}{end}")


def _text(event: JsonObject, *path: str) -> str:
    found: Json = event
    for part in path:
        found = found.get(part) if isinstance(found, dict) else None
    return plain(found or "")
