"""When an answer of a fixed form is whole: a JSON value, or a call of a tool in the template's own words."""

from __future__ import annotations

import codecs
import json

from partner_desktop.model.worker.frames import ToolOffer
from partner_desktop.model.worker.llama.tool_format import CallForm


class JsonEnd:
    """Notices the end of a JSON object, array or string, so that nobody waits for the model to say so."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_text = self._escaped = False

    @property
    def inside(self) -> bool:
        """Whether the value is open still."""
        return self._in_text or self._depth > 0

    def reached(self, data: bytes) -> bool:
        """Whether the value ends with the last of these bytes."""
        for byte in data:
            if self._in_text:
                if self._escaped:
                    self._escaped = False
                elif byte == 0x5C:
                    self._escaped = True
                elif byte == 0x22:
                    self._in_text = False
            elif byte == 0x22:
                self._in_text = True
            elif byte in b"{[":
                self._depth += 1
            elif byte in b"}]":
                self._depth -= 1
            else:
                continue
            if not self.inside:
                return True
        return False


class CallReader:
    """Reads a call as it is written, down to the answer that it stands for. A grammar holds the text to the
    form: it is a call of one of the tools, or begins otherwise than a call where none need be called.
    """

    def __init__(self, form: CallForm, offer: ToolOffer) -> None:
        self._form, self._offer = form, offer
        self.heads = {form.before + tool.name + form.between: tool for tool in offer.tools}
        """All that comes before the arguments, by which tool is called."""
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._arguments = JsonEnd()
        self._looked_at = 0
        self.answer = ""
        """JSON, once it is known."""

    @property
    def inside(self) -> bool:
        """Whether more must come."""
        return not self.answer

    def reached(self, data: bytes) -> bool:
        """Whether the answer is known with these bytes."""
        self._text += self._utf8.decode(data)
        if self._text and not self.answer:
            self.answer = self._read()
        return bool(self.answer)

    def end(self) -> str:
        """The answer, once the model says no more; empty where it is none."""
        if not self._text:
            self.answer = self._offer.otherwise or ""
        return self.answer

    def _read(self) -> str:
        if self._text[0] != self._form.before[0]:
            return self._offer.otherwise or ""
        meant = [head for head in self.heads if head.startswith(self._text) or self._text.startswith(head)]
        if len(meant) != 1 or len(self._text) < len(self._form.before):
            return ""
        (head,) = meant
        if not self._offer.arguments:
            return self.heads[head].answer
        given = self._text[len(head) :]
        fresh, self._looked_at = given[self._looked_at :], max(self._looked_at, len(given))
        if not self._arguments.reached(fresh.encode()):
            return ""
        found, _ = json.JSONDecoder().raw_decode(given.lstrip())
        return json.dumps({**json.loads(self.heads[head].answer), **found}, ensure_ascii=False)
