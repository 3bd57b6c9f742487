"""Files that are no chat models, whatever they say of themselves."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from partner_desktop.model.llama_embedder import shipped_model
from partner_desktop.model.worker.frames import Embed, Embedded, Failure, Load, Loaded
from tests.long.badinput.gguf_damage import header_size
from tests.model.engine import needs_engine
from tests.model.tiny import make_tiny_model
from tests.model.worker.talk import Talk, chat_of
from tests.support import REPOSITORY

pytestmark = [pytest.mark.integration, needs_engine]


def _refusal(talk: Talk, path: Path) -> str:
    answer = talk.load(path)
    assert isinstance(answer, Failure)
    assert answer.kind == "model"
    return answer.message


@pytest.mark.promise("model.badfile")
def test_a_truncated_model_is_refused_with_the_reason(talk: Talk, tmp_path: Path, tiny: Path) -> None:
    talk.hear()
    data = tiny.read_bytes()
    path = tmp_path / "cut.gguf"
    for length in (0, 3, 4, 20, 200, header_size(data) - 300, len(data) // 2, len(data) - 1):
        path.unlink(missing_ok=True)
        path.write_bytes(data[:length])
        message = _refusal(talk, path)
        assert message.startswith(("The model file cut.gguf cannot be read: ", "cut.gguf is not a GGUF file"))
        assert "does not say why" not in message
    assert isinstance(talk.load(tiny), Loaded), "and the worker takes a good one then"


@pytest.mark.promise("model.badfile")
def test_what_only_bears_the_name_is_refused(talk: Talk, tmp_path: Path) -> None:
    talk.hear()
    picture = (REPOSITORY / "resources" / "icons").rglob("*.png")
    for number, data in enumerate((b"Dear diary, ...\n" * 100, *(path.read_bytes() for path in picture))):
        path = tmp_path / f"{number}.gguf"
        path.write_bytes(data)
        assert _refusal(talk, path) == (
            f"{number}.gguf is not a GGUF file, so it is no model that can run here."
        )
    folder = tmp_path / "folder.gguf"
    folder.mkdir()
    assert _refusal(talk, folder) == "The model file folder.gguf is not there."


@pytest.mark.promise("model.badfile")
def test_an_embedding_model_is_no_chat_model_and_no_other_way_round(talk: Talk, tiny: Path) -> None:
    talk.hear()
    assert _refusal(talk, shipped_model()) == (
        f"{shipped_model().name} is no model to chat with: it makes embeddings only."
    )
    embed = Load(id=1, path=str(shipped_model()), kind="embed", context_tokens=256, threads=1)
    assert isinstance(talk.ask(embed), Loaded)
    assert isinstance(talk.ask(Embed(id=2, texts=("a",))), Embedded)
    assert talk.ask(chat_of(3, "Hello?")) == Failure(
        id=3, kind="request", message="The model that is loaded cannot talk."
    )
    assert _refusal(talk, tiny.with_name("none.gguf")) == "The model file none.gguf is not there."


@pytest.mark.promise("model.badfile")
def test_a_context_of_zero_and_a_missing_vocabulary_are_named(talk: Talk, tmp_path: Path, tiny: Path) -> None:
    talk.hear()
    data = tiny.read_bytes()
    path = tmp_path / "zero.gguf"
    key = b"llama.context_length" + struct.pack("<I", 4)
    path.write_bytes(data.replace(key + struct.pack("<I", 4096), key + struct.pack("<I", 0)))
    assert (
        _refusal(talk, path) == "zero.gguf cannot be used: by its header it holds a context of zero tokens."
    )
    mute = make_tiny_model(tmp_path / "mute.gguf", vocabulary=False)
    assert _refusal(talk, mute) == "mute.gguf is no model to chat with: it has no vocabulary."
