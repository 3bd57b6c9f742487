"""A model to talk with, open: everything that an answer needs.

It is opened from a request, which imports the engine only once it is known to be there.
"""

from __future__ import annotations

import secrets
import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.model.worker.frames import Chat, Load, Loaded
from partner_desktop.model.worker.llama.generation import Generation, Known, TokenSampler, Tools
from partner_desktop.model.worker.llama.grammar import grammar_of
from partner_desktop.model.worker.llama.kv_cache import ModelMemory
from partner_desktop.model.worker.llama.model_loader import (
    LoadOptions,
    LoadProgress,
    ModelFaultError,
    NativeModel,
    native_log,
    require_engine,
)
from partner_desktop.model.worker.llama.prompt import Prompter
from partner_desktop.model.worker.llama.vocabulary import Vocabulary

#: A shorter rest of the context is no room for an answer.
_LEAST_ANSWER_TOKENS = 64


class LlamaChatModel:
    """One thread at a time. `close` gives the memory back."""

    def __init__(
        self, path: Path, options: LoadOptions, *, tell: Callable[[float], None], gave_up: Callable[[], bool]
    ) -> None:
        """Open it.

        Raises:
            ModelFaultError: It cannot be used.
            CancelledFaultError: It was given up.
        """
        self._native = NativeModel(path, options, LoadProgress(tell, gave_up), gave_up)
        try:
            self._vocabulary = Vocabulary(self._native.vocab)
            self._prompter = Prompter(self._vocabulary, self._native.template)
            self._tools = Tools(ModelMemory(self._native), self._vocabulary)
        except BaseException:
            self._native.close()
            raise

    def loaded(self, request_id: int) -> Loaded:
        """What was chosen, and what a person should know."""
        native = self._native
        notes = [*native.notes, self._prompter.note]
        if native.forgets_whole_only:
            notes.append("Its memory cannot be cut back, so every prompt is read from its beginning.")
        return Loaded(
            id=request_id,
            dimensions=0,
            context_tokens=native.context_tokens,
            threads=native.threads,
            gpu_layers=native.gpu_layers,
            description=native.description,
            size_bytes=native.shape.size_bytes,
            note=" ".join(note for note in notes if note),
        )

    def answer(
        self, request: Chat, *, tell: Callable[[str, int, Known | None], None], gave_up: Callable[[], bool]
    ) -> Generation:
        """Begin an answer; nothing is computed yet.

        Raises:
            ModelFaultError: The prompt does not fit (`overflow`), or the schema makes no grammar (`schema`).
        """
        grammar = None if request.grammar_schema is None else grammar_of(request.grammar_schema)
        prompt = self._prompter.prompt(request.messages, request.trunk, thoughts=grammar is None)
        max_tokens = self._room_for(len(prompt.tokens), request.max_tokens)
        seed = secrets.randbits(32) if request.seed is None else request.seed
        sampler = TokenSampler(self._native, self._vocabulary, request, grammar, seed=seed)
        return Generation(
            self._tools, request, prompt, sampler, max_tokens=max_tokens, tell=tell, gave_up=gave_up
        )

    def _room_for(self, prompt_tokens: int, wanted: int) -> int:
        if not prompt_tokens:
            raise ModelFaultError("request", "The prompt is empty.")
        room = self._native.context_tokens - prompt_tokens
        if room < min(wanted, _LEAST_ANSWER_TOKENS):
            raise ModelFaultError(
                "overflow",
                f"The prompt has {prompt_tokens} tokens, and the model holds {self._native.context_tokens} "
                "together with its answer.",
                prompt_tokens=prompt_tokens,
                context_tokens=self._native.context_tokens,
            )
        return min(wanted, room)

    def count(self, text: str) -> int:
        """Tokens of a text, as it would stand in a prompt."""
        return self._vocabulary.count(text)

    def close(self) -> None:
        """Give its memory back."""
        self._native.close()


_MAGIC = b"GGUF"


def open_chat_model(
    request: Load, *, tell: Callable[[float], None], gave_up: Callable[[], bool]
) -> LlamaChatModel:
    """Open the file.

    Raises:
        ModelFaultError: There is no engine, or the file is none to chat with.
        CancelledFaultError: It was given up.
    """
    path = Path(request.path)
    _look_at(path)
    require_engine()
    from partner_desktop.model.worker.llama.model_loader import LoadOptions  # noqa: PLC0415 - as above

    options = LoadOptions(request.context_tokens, request.threads, request.gpu_layers)
    return LlamaChatModel(path, options, tell=tell, gave_up=gave_up)


def _look_at(path: Path) -> None:
    """What can be said of a file without llama.cpp, in words that help."""
    if not path.is_file():
        raise ModelFaultError("model", f"The model file {path.name} is not there.")
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        why = error.strerror or str(error)
        raise ModelFaultError("model", f"The model file {path.name} cannot be read: {why}.") from error
    if magic != _MAGIC:
        raise ModelFaultError(
            "model", f"{path.name} is not a GGUF file, so it is no model that can run here."
        )


if TYPE_CHECKING:
    from llama_cpp import Llama


class EmbeddingModel:
    """An open embedding model. One thread at a time."""

    def __init__(self, path: Path, *, context_tokens: int, threads: int) -> None:
        """Open it.

        Raises:
            ModelFaultError: There is no engine, or the file cannot be read, or is of another kind.
        """
        if not path.is_file():
            raise ModelFaultError("model", f"The model file {path.name} is not there.")
        engine = require_engine()
        self._llama = self._open(path, context_tokens, threads)
        if int(self._llama.pooling_type()) == engine.LLAMA_POOLING_TYPE_NONE:
            raise ModelFaultError("model", f"{path.name} is not an embedding model.")
        self.dimensions = self._llama.n_embd()
        self.context_tokens = context_tokens

    @staticmethod
    def _open(path: Path, context_tokens: int, threads: int) -> Llama:
        import llama_cpp  # noqa: PLC0415 - as in require_engine

        try:
            return llama_cpp.Llama(
                str(path),
                embedding=True,
                n_ctx=context_tokens,
                n_batch=context_tokens,  # where `embed` cuts
                n_threads=threads,
                n_threads_batch=threads,
                verbose=False,
            )
        except (ValueError, RuntimeError) as error:
            why = native_log().why or str(error)
            raise ModelFaultError("model", f"The model file {path.name} cannot be read: {why}.") from error

    def vector(self, text: str) -> bytes:
        """The text's vector: float32, little-endian, length 1. Too long a text is cut at the context's end.

        Texts go one by one: side by side in one batch, each would pay for the attention to all others.
        """
        numbers = self._llama.embed(text, normalize=True)
        return struct.pack(f"<{self.dimensions}f", *numbers)

    def close(self) -> None:
        """Give its memory back."""
        self._llama.close()
