"""One answer under way: a batch of the prompt or a token a step.

Its prompt, what it has written, its sampler and its decoder are its own; the model's memory is everybody's.
Between two steps another answer may have had it: what is missing then is read again.
"""

from __future__ import annotations

import codecs
from array import array
from collections.abc import Callable, Sequence
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.model.worker.frames import Chat, Written
from partner_desktop.model.worker.llama.faults import ModelFaultError
from partner_desktop.model.worker.llama.kv_cache import ModelMemory
from partner_desktop.model.worker.llama.model_loader import BATCH_TOKENS
from partner_desktop.model.worker.llama.prompt import Prompt
from partner_desktop.model.worker.llama.sampler import TokenSampler
from partner_desktop.model.worker.llama.vocabulary import Vocabulary


@dataclass(frozen=True)
class Tools:
    """The open model's parts that every answer needs."""

    memory: ModelMemory
    vocabulary: Vocabulary


@dataclass(frozen=True)
class Known:
    """What is known of an answer with its first word: how long its prompt is, and how much was not read."""

    prompt_tokens: int
    reused_tokens: int
    trunk_tokens: int


class Generation:
    """One answer. `step` until it returns `Written`; `close` in any case."""

    def __init__(
        self,
        tools: Tools,
        request: Chat,
        prompt: Prompt,
        sampler: TokenSampler,
        *,
        max_tokens: int,
        tell: Callable[[str, int, Known | None], None],
        gave_up: Callable[[], bool],
    ) -> None:
        self._memory, self._vocabulary = tools.memory, tools.vocabulary
        self._id, self._prompt, self._sampler = request.id, prompt, sampler
        self._decoder = StreamDecoder((*request.stop, *prompt.stop))
        self._max_tokens, self._tell, self._gave_up = max_tokens, tell, gave_up
        self._all = array("i", prompt.tokens)
        """Prompt and answer, but for the answer's last token while it is not read."""
        self._reused: int | None = None
        self._json = JsonEnd() if request.grammar_schema is not None else None
        self._untold = 0
        self._lead = prompt.opening
        self._silent = True

    def step(self) -> Written | None:
        """Read a batch, or write a token."""
        missing = self._missing()
        if missing > 0:
            at = len(self._memory.held)
            self._memory.read(self._all[at : at + BATCH_TOKENS], self._gave_up)
            if missing > BATCH_TOKENS:
                return None
        return self._write()

    def _missing(self) -> int:
        """How many tokens the memory lacks; cuts it back where somebody else was in it."""
        if self._memory.reader is not self:
            kept = self._memory.keep(self._all, self)
            if self._reused is None:
                self._reused = kept
        return len(self._all) - len(self._memory.held)

    def _write(self) -> Written | None:
        token = self._sampler.next()
        if token is None and self._json is not None and self._json.inside:
            raise ModelFaultError("model", "No token of the model can go on as the schema demands.")
        if token is None or self._vocabulary.is_end(token):
            return self._ended("stop")
        self._sampler.accept(token)
        self._all.append(token)
        self._untold += 1
        piece = self._vocabulary.piece(token)
        self._say(self._decoder.feed(piece))
        if self._decoder.stopped or (self._json is not None and self._json.reached(piece)):
            return self._ended("stop")
        if self._output >= self._max_tokens:
            return self._ended("length")
        return None

    @property
    def _output(self) -> int:
        return len(self._all) - len(self._prompt.tokens)

    def _say(self, text: str) -> None:
        if text:
            self._tell(self._lead + text, self._untold, self._known() if self._silent else None)
            self._silent, self._lead, self._untold = False, "", 0

    def _known(self) -> Known:
        return Known(len(self._prompt.tokens), self._reused or 0, self._prompt.trunk_tokens)

    def _ended(self, end: Literal["stop", "length"]) -> Written:
        self._say(self._decoder.end())
        known = self._known()
        return Written(
            id=self._id,
            prompt_tokens=known.prompt_tokens,
            reused_tokens=known.reused_tokens,
            trunk_tokens=known.trunk_tokens,
            output_tokens=self._output,
            end=end,
        )

    def close(self) -> None:
        """Give back what is its own."""
        self._sampler.close()


class StreamDecoder:
    """One answer's text. Each token costs what it is long, however long the answer."""

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._stops = tuple(text for text in stop if text)
        self._held = ""
        self.stopped = False
        """Whether a stop was met; the text ends before it."""

    def feed(self, data: bytes) -> str:
        """What can be shown now."""
        text = self._utf8.decode(data)
        return self._cut(text) if self._stops else text

    def end(self) -> str:
        """What was held back, once no more comes."""
        text = self._utf8.decode(b"", final=True)
        return self._cut(text) + self._rest() if self._stops else text

    def _rest(self) -> str:
        rest, self._held = self._held, ""
        return rest

    def _cut(self, text: str) -> str:
        if self.stopped:
            return ""
        text = self._rest() + text
        met = [at for at in (text.find(stop) for stop in self._stops) if at >= 0]
        if met:
            self.stopped = True
            return text[: min(met)]
        keep = max(_overlap(text, stop) for stop in self._stops)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]


def _overlap(text: str, stop: str) -> int:
    """How much of the text's end may be the beginning of a stop."""
    for length in range(min(len(text), len(stop) - 1), 0, -1):
        if stop.startswith(text[-length:]):
            return length
    return 0


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
