"""QuestionForm: what a server asks meanwhile, one field after the other, each answered by a line of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.plain import plain
from partner_desktop.domain.elicitation import CANCELLED, ElicitationAnswer
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient

_YES, _NO = ("y", "yes", "true", "1"), ("n", "no", "false", "0")


@dataclass
class QuestionForm:
    """Of one elicitation, as it comes over the wire. `answer` is there when all is said."""

    elicitation: JsonObject
    answer: ElicitationAnswer | None = None
    _content: JsonObject = field(default_factory=dict)
    _place: int = 0

    @property
    def id(self) -> str:
        return str(self.elicitation["id"])

    @property
    def words(self) -> str:
        """Who asks what."""
        server, url = plain(self.elicitation["server"]), plain(self.elicitation["url"])
        message = plain(self.elicitation["message"])
        asks = sentence_of("terminal.asks", server=server, message=message)
        words = asks if server else sentence_of("terminal.question", message=message)
        return words + (f"\n  {url}" if url else "")

    @property
    def prompt(self) -> str:
        """What stands before the input."""
        if not self._names:
            done = (
                sentence_of("terminal.been_there") if self.elicitation["url"] else sentence_of("terminal.yes")
            )
            return sentence_of("terminal.yes_or_cancel", done=done)
        name = self._names[self._place]
        facts = self._fields[name]
        choices = _choices(facts) or (["y", "n"] if facts.get("type") == "boolean" else [])
        more = f" ({' | '.join(plain(one) for one in choices)})" if choices else ""
        way_out = (
            sentence_of("terminal.enter_cancels")
            if self._is_required(name)
            else sentence_of("terminal.enter_skips")
        )
        return f"{plain(facts.get('title') or name)}{more}, {way_out}: "

    def take(self, line: str) -> str:
        """Take a line for the field that is asked for; why it does not fit, empty when it does."""
        text = line.strip()
        if not self._names:
            self.answer = ElicitationAnswer("accept") if text.casefold() in _YES else CANCELLED
            return ""
        name = self._names[self._place]
        if not text and self._is_required(name):
            self.cancel()
            return ""
        if text:
            try:
                self._content[name] = _value(text, self._fields[name])
            except ValueError as error:
                return str(error)
        self._place += 1
        if self._place == len(self._names):
            self.answer = ElicitationAnswer("accept", self._content)
        return ""

    def cancel(self) -> None:
        """The person answers nothing."""
        self.answer = CANCELLED

    def begin_anew(self) -> None:
        """What was said does not fit together."""
        self.answer, self._content, self._place = None, {}, 0

    @property
    def _fields(self) -> dict[str, JsonObject]:
        schema = self.elicitation["schema"]
        found = schema.get("properties") if isinstance(schema, dict) else None
        named = found.items() if isinstance(found, dict) else ()
        return {name: facts for name, facts in named if isinstance(facts, dict)}

    @property
    def _names(self) -> Sequence[str]:
        return list(self._fields)

    def _is_required(self, name: str) -> bool:
        schema = self.elicitation["schema"]
        required = schema.get("required") if isinstance(schema, dict) else None
        return isinstance(required, list) and name in required


async def answer_question(client: PartnerClient, question_id: str, answer: ElicitationAnswer) -> None:
    """Answer what a server asks.

    Raises:
        UsageError: The question is not open (any more), or the answer does not fit.
    """
    said: JsonObject = {"verdict": answer.verdict, "content": answer.content}
    await client.call("servers.answer", elicitation_id=question_id, answer=said)


def _choices(facts: JsonObject) -> list[Json]:
    """What may be said, where only that may."""
    items = facts.get("items")
    if facts.get("type") == "array" and isinstance(items, dict):
        return _choices(items)
    for name in ("oneOf", "anyOf"):
        listed = facts.get(name)
        if isinstance(listed, list):
            return [one["const"] for one in listed if isinstance(one, dict) and "const" in one]
    listed = facts.get("enum")
    return listed if isinstance(listed, list) else []


def _value(text: str, facts: JsonObject) -> Json:
    """The text as what the field wants.

    Raises:
        ValueError: It is nothing of the kind; a sentence.
    """
    kind = facts.get("type")
    if kind == "array":
        return [part.strip() for part in text.split(",")]
    if kind == "boolean":
        if text.casefold() not in (*_YES, *_NO):
            raise ValueError(sentence_of("terminal.y_or_n"))
        return text.casefold() in _YES
    if kind in ("integer", "number"):
        try:
            return int(text) if kind == "integer" else float(text)
        except ValueError as error:
            raise ValueError(sentence_of("terminal.number_wanted")) from error
    return text
