"""One answer under way: a batch of the prompt or a token a step.

Its prompt, what it has written, its sampler and its decoder are its own; the model's memory is everybody's.
Between two steps another answer may have had it: what is missing then is read again.

The next token is chosen the cheap way first where there is a grammar, as llama.cpp's own sampler does:
choose freely, ask the grammar about that one token, and only if it refuses, weigh all tokens again with the
grammar applied.
"""

from __future__ import annotations

import codecs
import ctypes
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Literal

import llama_cpp
import numpy as np

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.model.memory_fit import BATCH_TOKENS
from partner_desktop.model.worker.frames import Chat, Written
from partner_desktop.model.worker.llama.fixed_form import CallReader, JsonEnd
from partner_desktop.model.worker.llama.kv_cache import ModelMemory
from partner_desktop.model.worker.llama.model_loader import NativeModel
from partner_desktop.model.worker.llama.native_log import ModelFaultError
from partner_desktop.model.worker.llama.projector import Projector
from partner_desktop.model.worker.llama.prompt import Prompt
from partner_desktop.model.worker.llama.vocabulary import Ids, Vocabulary


@dataclass(frozen=True)
class Tools:
    """The open model's parts that every answer needs."""

    memory: ModelMemory
    vocabulary: Vocabulary
    eyes: Projector | None = None
    """Open, where the prompt has pictures."""


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
        call: CallReader | None,
        tell: Callable[[str, int, Known | None], None],
        gave_up: Callable[[], bool],
    ) -> None:
        """`call`: the answer is one in the template's words, and told as what it stands for."""
        self._memory, self._vocabulary, self._eyes = tools.memory, tools.vocabulary, tools.eyes
        self._id, self._prompt, self._sampler = request.id, prompt, sampler
        self._decoder = StreamDecoder((*request.stop, *prompt.stop))
        self._max_tokens, self._tell, self._gave_up = max_tokens, tell, gave_up
        self._all = array("i", prompt.tokens)
        """Prompt and answer, but for the answer's last token while it is not read."""
        self._reused: int | None = None
        self._call = call
        self._json = JsonEnd() if call is None and request.grammar_schema is not None else None
        self._untold = 0
        self._lead = prompt.opening
        self._silent = True

    def step(self) -> Written | None:
        """Read a batch or a picture, or write a token."""
        missing = self._missing()
        if missing > 0 and self._read_on() < missing:
            return None
        return self._write()

    def _read_on(self) -> int:
        """Read what comes next; how many tokens that was."""
        at = len(self._memory.held)
        if self._eyes is not None and self._all[at] < 0:
            picture = self._prompt.chunks[self._all[at]]
            self._memory.see(picture, self._eyes, self._gave_up)
            return picture.tokens
        batch = self._all[at : at + BATCH_TOKENS]
        until = next((place for place, token in enumerate(batch) if token < 0), len(batch))
        self._memory.read(batch[:until], self._gave_up)
        return until

    def _missing(self) -> int:
        """How many tokens the memory lacks; cuts it back where somebody else was in it."""
        if self._memory.reader is not self:
            kept = self._memory.keep(self._all, self)
            if self._reused is None:
                self._reused = kept
        return len(self._all) - len(self._memory.held)

    def _write(self) -> Written | None:
        token, form = self._sampler.next(), self._call or self._json
        if token is None and form is not None and form.inside:
            raise ModelFaultError("model", "No token of the model can go on as the schema demands.")
        if token is None or self._vocabulary.is_end(token):
            return self._ended("stop")
        self._sampler.accept(token)
        self._all.append(token)
        self._untold += 1
        if self._goes_on(token):
            return None if self._output < self._max_tokens else self._ended("length")
        return self._ended("stop")

    def _goes_on(self, token: int) -> bool:
        """Tell what a token says, and whether more may come."""
        if self._call is not None:
            return not self._call.reached(self._vocabulary.spelled(token))
        piece = self._vocabulary.piece(token)
        self._say(self._decoder.feed(piece))
        return not (self._decoder.stopped or (self._json is not None and self._json.reached(piece)))

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
        self._say(self._decoder.end() if self._call is None else self._call.end())
        known = self._known()
        return Written(
            id=self._id,
            prompt_tokens=known.prompt_tokens,
            reused_tokens=known.reused_tokens,
            trunk_tokens=known.trunk_tokens,
            output_tokens=self._output,
            end=end,
            form=self._form,
        )

    @property
    def _form(self) -> Literal["", "grammar", "tools"]:
        if self._call is not None:
            return "tools"
        return "" if self._json is None else "grammar"

    def close(self) -> None:
        """Give back what is its own."""
        self._sampler.close()
        for picture in self._prompt.pictures:
            picture.close()


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


_SEEDS = 2**32
#: Tokens in which a repetition is looked for: llama.cpp's own default.
_LOOKED_BACK = 64
_REFUSED = float("-inf")


class TokenSampler:
    """One answer's. `close` gives its memory back; idempotent."""

    def __init__(
        self, native: NativeModel, vocabulary: Vocabulary, request: Chat, grammar: str | None, *, seed: int
    ) -> None:
        """Raises:
        ModelFaultError: llama.cpp does not take the grammar (kind `schema`).
        """
        self._context = native.context
        self._chain: Any = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
        self._grammar: Any = None
        for step in _steps(request, seed, native.shape.vocabulary):
            llama_cpp.llama_sampler_chain_add(self._chain, step)
        if grammar is not None:
            self._grammar = llama_cpp.llama_sampler_init_grammar(native.vocab, grammar.encode(), b"root")
            if not self._grammar:
                self.close()
                raise ModelFaultError("schema", "llama.cpp can make no grammar of the schema.")
            self._candidates = _Candidates(native.shape.vocabulary)
            self._characters = vocabulary.characters()

    def next(self) -> int | None:
        """The next token, after the last that was evaluated; `None` when the grammar allows no more."""
        token = int(llama_cpp.llama_sampler_sample(self._chain, self._context, -1))
        if self._grammar is None:
            return token
        if not self._allows(token):
            other = self._weighed()
            if other is None:
                return None
            token = other
        return token

    def accept(self, token: int) -> None:
        """It was chosen and does not end the answer: the grammar goes on behind it."""
        if self._grammar is not None:
            llama_cpp.llama_sampler_accept(self._grammar, token)
            self._characters.accept(token)

    def _allows(self, token: int) -> bool:
        if not self._characters.allows(token):
            return False
        only = self._candidates.only(token)
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(only))
        return bool(only.data[0].logit != _REFUSED)

    def _weighed(self) -> int | None:
        logits = llama_cpp.llama_get_logits_ith(self._context, -1)
        all_ = self._candidates.all(logits, without=self._characters.refused())
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(all_))
        if not self._candidates.any_left:
            return None
        llama_cpp.llama_sampler_apply(self._chain, ctypes.byref(all_))
        return int(all_.data[all_.selected].id)

    def close(self) -> None:
        """Give its memory back."""
        for one in (self._chain, self._grammar):
            if one:
                llama_cpp.llama_sampler_free(one)
        self._chain = self._grammar = None


def _steps(request: Chat, seed: int, vocabulary: int) -> list[Any]:
    if request.temperature <= 0:
        return [llama_cpp.llama_sampler_init_greedy()]
    return [
        llama_cpp.llama_sampler_init_top_k(request.top_k),
        *_penalties(request.repeat_penalty, vocabulary),
        llama_cpp.llama_sampler_init_top_p(request.top_p, 1),
        llama_cpp.llama_sampler_init_min_p(request.min_p, 1),
        llama_cpp.llama_sampler_init_temp(request.temperature),
        llama_cpp.llama_sampler_init_dist(seed % _SEEDS),
    ]


def _penalties(penalty: float, vocabulary: int) -> list[Any]:
    """What makes repetitions less likely; behind top-k, for among all tokens it is slow."""
    if penalty == 1.0:
        return []
    begin: Any = llama_cpp.llama_sampler_init_penalties
    given = (vocabulary, _LOOKED_BACK, penalty, 0.0, 0.0)
    return [begin(*given[-len(begin.argtypes) :])]  # older engines do not ask for the vocabulary


class _Candidates:
    """Room for every token of the vocabulary, as llama.cpp wants them."""

    def __init__(self, size: int) -> None:
        self._rows = np.zeros(
            size, dtype=np.dtype([("id", np.intc), ("logit", np.single), ("p", np.single)], align=True)
        )
        self._ids = np.arange(size, dtype=np.intc)
        self._all: Any = llama_cpp.llama_token_data_array()
        self._single: Any = (llama_cpp.llama_token_data * 1)()
        self._only = llama_cpp.llama_token_data_array(
            data=ctypes.cast(self._single, llama_cpp.llama_token_data_p), size=1, selected=-1, sorted=False
        )

    def only(self, token: int) -> Any:  # noqa: ANN401 - a structure of the binding, as below
        self._single[0].id, self._single[0].logit, self._single[0].p = token, 1.0, 0.0
        return self._only

    def all(self, logits: Any, *, without: Ids) -> Any:  # noqa: ANN401
        size = len(self._rows)
        self._rows["id"] = self._ids
        self._rows["logit"] = np.ctypeslib.as_array(logits, shape=(size,))
        self._rows["logit"][without] = _REFUSED
        self._rows["p"] = 0.0
        self._all.data = self._rows.ctypes.data_as(llama_cpp.llama_token_data_p)
        self._all.size, self._all.selected, self._all.sorted = size, -1, False
        return self._all

    @property
    def any_left(self) -> bool:
        return bool(np.isfinite(self._rows["logit"]).any())
