"""ToolFormat: how a chat template writes tools, and calls of them; found out by rendering it.

A template is asked with an invented tool and an invented call of it, and what it writes is looked at: the
text before the tool's name, between name and arguments, and behind; and what the tools add to a prompt. No
model is known by its name. What shows no plain pattern has none: arguments that are no JSON, a name that
stands behind them or twice, tools that change more than they add. Then the model is asked as any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.model.worker.llama.chat_template import ChatTemplate, TemplateFaultError

#: Begins the texts of a probe: in no template, and taken out of what anybody wrote.
SIGN = "\ufdd1"
_SYSTEM: JsonObject = {"role": "system", "content": f"{SIGN}one"}
_USER: JsonObject = {"role": "user", "content": f"{SIGN}two"}
#: With a system message, and without one for templates that know none.
_OPENINGS: tuple[tuple[JsonObject, ...], ...] = ((_SYSTEM, _USER), (_USER,))
#: The form of Mistral's, which takes no other; an id that stands before a name is always this one.
_CALL_ID = "k7Qd2mX9b"
_MOST_CHARACTERS = 400
"""Of the fixed parts of a call: a template's longest are below a hundred."""
#: A thought without words, or one begun, where an answer begins.
_THOUGHT_AT_END = re.compile(r"<(think|thinking|thought|reasoning)>\s*(</\1>\s*)?\Z", re.IGNORECASE)
_THOUGHT_AT_START = re.compile(r"\A<(think|thinking|thought|reasoning)>\s*</\1>\s*", re.IGNORECASE)


@dataclass(frozen=True)
class CallForm:
    """What is always the same in a call: around its name and its arguments, which are JSON."""

    before: str
    between: str
    after: str


@dataclass(frozen=True)
class Definitions:
    """Tools, as a prompt has them."""

    text: str
    is_message: bool
    """Whether it stands between two messages; otherwise it is a part of one."""


class ToolFormat:
    """One template's. `controls`: the control tokens of the model's vocabulary."""

    def __init__(self, template: ChatTemplate, controls: Collection[str]) -> None:
        """Look at it.

        Raises:
            TemplateFaultError: It has none; the message is a clause that says why.
        """
        self._template, self._controls = template, tuple(text for text in controls if len(text) > 1)
        probe = tool_object("probe_tool", "probe-words", {"properties": {"probe_key": {"type": "string"}}})
        self._opening = self._fitting_opening(probe)
        self._place = self._found_place(probe)
        self.form = self._found_form(probe)
        added = self.definitions((probe,)).text
        if not all(word in added for word in ("probe_tool", "probe-words", "probe_key")):
            raise TemplateFaultError("it does not tell what a tool is")

    def _fitting_opening(self, probe: JsonObject) -> tuple[JsonObject, ...]:
        """The beginning of a conversation that the template takes together with tools."""
        fault = TemplateFaultError("it knows no tools")
        for opening in _OPENINGS:
            try:
                text = self._written(opening, (probe,))
            except TemplateFaultError as raised:
                fault = raised
                continue
            if "probe_tool" in text and all(str(message["content"]) in text for message in opening):
                return opening
        raise fault

    def _written(
        self, messages: Sequence[JsonObject], tools: Sequence[JsonObject] | None, *, answer: bool = False
    ) -> str:
        return self._template.written(messages, answer=answer, thoughts=False, tools=tools)

    # Calls.

    def _found_form(self, probe: JsonObject) -> CallForm:
        """As one call is written, if another is written alike. Most templates take arguments as they are,
        some as a text.
        """
        other = tool_object("other_name", "other words", {"properties": {"n": {"type": "integer"}}})
        for as_text in (False, True):
            form = self._form_of_call(probe, {"probe_key": "probe-value"}, as_text=as_text)
            if form is not None and form == self._form_of_call(other, {"n": 7}, as_text=as_text):
                return form
        raise TemplateFaultError("its calls have no plain form")

    def _form_of_call(self, tool: JsonObject, arguments: JsonObject, *, as_text: bool) -> CallForm | None:
        """What stands around a call's name and arguments; `None` where they are not written plainly."""
        name = _name_of(tool)
        given: Json = json.dumps(arguments) if as_text else arguments
        call: JsonObject = {
            "id": _CALL_ID,
            "type": "function",
            "function": {"name": name, "arguments": given},
        }
        message: JsonObject = {"role": "assistant", "content": "", "tool_calls": [call]}
        try:
            begun = self._written(self._opening, (tool,), answer=True)
            text = self._written([*self._opening, message], (tool,))
        except TemplateFaultError:
            return None
        begun = _THOUGHT_AT_END.sub("", begun).rstrip()
        said = _THOUGHT_AT_START.sub("", text[len(begun) :].lstrip())
        found = _as_json(arguments).search(said)
        if found is None or not text.startswith(begun) or said.count(name) != 1:
            return None
        before, _, between = said[: found.start()].partition(name)
        plain = before.strip() and between.strip() and len(before + between) <= _MOST_CHARACTERS
        return CallForm(before, between, self._up_to_control(said[found.end() :])) if plain else None

    def _up_to_control(self, text: str) -> str:
        """The beginning without a control token: behind one the answer is over."""
        ends = [at for at in (text.find(control) for control in self._controls) if at >= 0]
        return text[: min(ends, default=len(text))][:_MOST_CHARACTERS]

    # Tools.

    def definitions(self, tools: Sequence[JsonObject]) -> Definitions:
        """What tools add to a prompt: the same text wherever it stands.

        Raises:
            TemplateFaultError: They do more than add a text.
        """
        without, with_tools = (parts[self._place] for parts in self._parts(tools))
        return self._insertion(without, with_tools)

    def _found_place(self, probe: JsonObject) -> int:
        """Which of the parts around the texts of an opening tells of tools."""
        for place, (without, with_tools) in enumerate(zip(*self._parts((probe,)), strict=True)):
            if "probe_tool" in with_tools and "probe_tool" not in without:
                return place
        raise TemplateFaultError("it does not tell which tools there are")

    def _parts(self, tools: Sequence[JsonObject]) -> tuple[list[str], list[str]]:
        """What stands around the texts of the opening, without tools and with them."""
        anchors = [str(message["content"]) for message in self._opening]
        return (
            _parted(self._written(self._opening, None), anchors),
            _parted(self._written(self._opening, tools), anchors),
        )

    def _insertion(self, without: str, with_tools: str) -> Definitions:
        """The text that makes one of the other. It may be cut at several places, where it begins as what
        follows it does: at the beginning of a message it is a message, or goes before one.
        """
        length = len(with_tools) - len(without)
        last = _common(without, with_tools)
        first = max(0, len(without) - _common(without[::-1], with_tools[::-1]))
        if length <= 0 or first > last or last - first > _MOST_CHARACTERS:
            raise TemplateFaultError("its tools change what is around them")
        cuts = {at: with_tools[at : at + length] for at in range(last, first - 1, -1)}
        marked = {at: text for at, text in cuts.items() if text.startswith(self._controls)}
        for at, text in marked.items():
            if at in self._message_starts(without):
                return Definitions(text, is_message=True)
        inserted = next(iter((marked or cuts).values())).strip()
        frame = self._written(self._opening, None)
        if any(control in frame and control in inserted for control in self._controls):
            raise TemplateFaultError("its tools stand across messages")
        return Definitions(inserted, is_message=False)

    def _message_starts(self, part: str) -> set[int]:
        """Where in a part around the texts a message begins."""
        if self._place:
            try:
                before = self._written(self._opening[: self._place], None)
            except TemplateFaultError:  # without a user's message it says nothing
                return set()
            _, _, ending = before.rpartition(str(self._opening[self._place - 1]["content"]))
            return {len(ending)} if part.startswith(ending) else set()
        behind = {len(control) for control in self._controls if part.startswith(control)}
        return {at for at in (0, *behind) if part[at:].startswith(self._controls)}


def tool_object(name: str, description: str, parameters: JsonObject) -> JsonObject:
    """A tool as templates know it, from OpenAI's interface."""
    shape: JsonObject = {"type": "object", "properties": {}, **parameters}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": shape},
    }


def _name_of(tool: JsonObject) -> str:
    function = tool["function"]
    assert isinstance(function, dict)  # by `tool_object`
    return str(function["name"])


def _as_json(value: JsonObject) -> re.Pattern[str]:
    """An object of one key, however its JSON is spaced."""
    ((key, entry),) = value.items()
    return re.compile(rf"\{{\s*{re.escape(json.dumps(key))}\s*:\s*{re.escape(json.dumps(entry))}\s*\}}")


def _parted(text: str, anchors: Sequence[str]) -> list[str]:
    """What stands around some texts, which follow each other."""
    parts: list[str] = []
    for anchor in anchors:
        part, found, text = text.partition(anchor)
        if not found:
            raise TemplateFaultError("it moves what was said when there are tools")
        parts.append(part)
    return [*parts, text]


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
