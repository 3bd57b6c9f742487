"""Opens damaged files in real workers, and talks with those that open.

What may happen: a refusal with a reason, an answer, a dead worker. What may not: silence, a garbled pipe, a
refusal without a reason.
"""

from __future__ import annotations

import random
import selectors
import time
from pathlib import Path

from partner_desktop.base.errors import ModelError
from partner_desktop.model.worker.frames import (
    Count,
    Counted,
    Failure,
    Hello,
    Load,
    Loaded,
    Loading,
    Piece,
    Reply,
    Request,
    Written,
)
from tests.long.badinput.family import Family, check_error
from tests.long.badinput.gguf_damage import damaged_model
from tests.model.tiny import make_tiny_model
from tests.model.worker.talk import Talk, chat_of

#: Nothing takes longer, on a busy machine.
_PATIENCE_S = 30.0
#: A wild size must not take the machine down with it.
_LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))"


class DeadError(Exception):
    """The worker has ended."""


class ModelFiles(Family):
    """Model files, in a real worker; what opens is talked with."""

    name = "models"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._whole = make_tiny_model(folder / "tiny.gguf").read_bytes()
        self._talk: Talk | None = None
        self._number = 0

    def make(self, dice: random.Random) -> bytes:
        return damaged_model(self._whole, dice)

    def take(self, given: bytes) -> str:
        path = self.folder / "bad.gguf"
        path.unlink(missing_ok=True)  # the worker before may have it mapped
        path.write_bytes(given)
        try:
            return self._outcome(path)
        except DeadError:
            self.close()
            return "died"
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._talk is not None:
            self._talk.close()
        self._talk = None

    def _outcome(self, path: Path) -> str:
        answer = self._ask(Load(id=self._next(), path=str(path), kind="chat", context_tokens=512, threads=1))
        if isinstance(answer, Failure):
            assert answer.message.strip().endswith("."), f"a refusal without a sentence: {answer.message!r}"
            assert len(answer.message) > 20, f"a refusal without a reason: {answer.message!r}"
            check_error(ModelError("common.told", text=answer.message))
            return "refused"
        assert isinstance(answer, Loaded), f"no answer to a load: {answer}"
        assert answer.context_tokens > 0
        counted = self._ask(Count(id=self._next(), texts=("Hello there",)))
        assert isinstance(counted, Counted | Failure)
        written = self._ask(chat_of(self._next(), "Hello?", max_tokens=8, temperature=1.0, seed=1))
        assert isinstance(written, Written | Failure)
        return "talked" if isinstance(written, Written) else "opened, failed"

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _ask(self, request: Request) -> Reply:
        talk = self._living()
        try:
            talk.say(request)
        except OSError as error:
            raise DeadError from error
        due_s = time.monotonic() + _PATIENCE_S
        while True:
            reply = _hear(talk, due_s)
            if not isinstance(reply, Hello | Loading | Piece) and reply.id == request.id:
                return reply

    def _living(self) -> Talk:
        if self._talk is None:
            self._talk = Talk(before=_LIMITED)
        return self._talk


def _hear(talk: Talk, due_s: float) -> Reply:
    """The next reply, bounded."""
    assert talk.process.stdout is not None
    assert talk.process.stderr is not None
    with selectors.DefaultSelector() as selector:
        selector.register(talk.process.stdout, selectors.EVENT_READ)
        selector.register(talk.process.stderr, selectors.EVENT_READ)
        while not talk.has_reply:
            ready = selector.select(max(0.0, due_s - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                if key.fileobj is talk.process.stderr:
                    if not talk.process.stderr.read(65536):
                        selector.unregister(talk.process.stderr)
                elif not talk.take():
                    raise DeadError
    return talk.hear()
