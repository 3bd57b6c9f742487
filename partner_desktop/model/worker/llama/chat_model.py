"""A model to talk with, open: everything that an answer needs."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from partner_desktop.model.worker.frames import Chat, Loaded
from partner_desktop.model.worker.llama.fixed_form import CallReader
from partner_desktop.model.worker.llama.generation import Generation, Known, TokenSampler, Tools
from partner_desktop.model.worker.llama.grammar import call_grammar, grammar_of
from partner_desktop.model.worker.llama.kv_cache import ModelMemory
from partner_desktop.model.worker.llama.model_loader import LoadOptions, LoadProgress, NativeModel
from partner_desktop.model.worker.llama.native_log import ModelFaultError
from partner_desktop.model.worker.llama.projector import Projector, ShownPicture
from partner_desktop.model.worker.llama.prompt import Offering, Prompter
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
        self._eyes: Projector | None = None
        self._projector = options.projector
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
            recommended=native.recommended,
        )

    def answer(
        self, request: Chat, *, tell: Callable[[str, int, Known | None], None], gave_up: Callable[[], bool]
    ) -> Generation:
        """Begin an answer; nothing is computed yet.

        Raises:
            ModelFaultError: The prompt does not fit (`overflow`), the schema makes no grammar (`schema`), or
                a picture or what would see it cannot be used (`picture`, `projector`).
            CancelledFaultError: It was given up while the projector was read.
        """
        grammar = None if request.grammar_schema is None else grammar_of(request.grammar_schema)
        with ExitStack() as held:
            pictures: list[ShownPicture] = []
            for message in request.messages:
                for picture in message.pictures:
                    pictures.append(self._shown(picture, gave_up))
                    held.callback(pictures[-1].close)
            offering, call = self._offering(request), None
            if offering is not None and request.offer is not None:
                prompt, grammar = offering.prompt, call_grammar(offering.form, request.offer)
                call = CallReader(offering.form, request.offer)
            else:
                prompt = self._prompter.prompt(
                    request.messages, request.trunk, thoughts=grammar is None, pictures=pictures
                )
            frame = 0 if call is None else max(map(self.count, call.heads))
            most = self._room_for(len(prompt.tokens), request.max_tokens + frame)
            seed = secrets.randbits(32) if request.seed is None else request.seed
            sampler = TokenSampler(self._native, self._vocabulary, request, grammar, seed=seed)
            held.pop_all()
        tools = replace(self._tools, eyes=self._eyes)
        return Generation(
            tools, request, prompt, sampler, max_tokens=most, call=call, tell=tell, gave_up=gave_up
        )

    def _shown(self, picture: str, gave_up: Callable[[], bool]) -> ShownPicture:
        if self._projector is None:
            raise ModelFaultError("projector", "there is none")
        if self._eyes is None:
            self._eyes = Projector(self._projector, self._native, gave_up)
        try:
            data = base64.b64decode(picture, validate=True)
        except ValueError as error:
            raise ModelFaultError("picture", "it came in a form that is none") from error
        return self._eyes.shown(data)

    def _offering(self, request: Chat) -> Offering | None:
        """The prompt with the tools that are offered, where it fits; not beside pictures."""
        if request.offer is None or any(message.pictures for message in request.messages):
            return None
        found = self._prompter.offering(request.messages, request.trunk, request.offer)
        fits = found is not None and self._fits(len(found.prompt.tokens), request.max_tokens)
        return found if fits else None

    def _fits(self, prompt_tokens: int, wanted: int) -> bool:
        return self._native.context_tokens - prompt_tokens >= min(wanted, _LEAST_ANSWER_TOKENS)

    def _room_for(self, prompt_tokens: int, wanted: int) -> int:
        if not prompt_tokens:
            raise ModelFaultError("request", "The prompt is empty.")
        room = self._native.context_tokens - prompt_tokens
        if not self._fits(prompt_tokens, wanted):
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
        if self._eyes is not None:
            self._eyes.close()
        self._native.close()
