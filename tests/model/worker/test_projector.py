"""A worker that sees: a real (tiny) projector beside a real (tiny) model, and what pictures do to answers."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import llama_cpp
import numpy as np
import pytest
from llama_cpp import mtmd_cpp
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from partner_desktop.model.worker.frames import Failure, Load, Loaded, Written
from partner_desktop.model.worker.llama.kv_cache import ModelMemory
from partner_desktop.model.worker.llama.model_loader import LoadOptions, LoadProgress, NativeModel
from partner_desktop.model.worker.llama.native_log import CancelledFaultError
from partner_desktop.model.worker.llama.projector import Projector
from tests.model.engine import needs_engine
from tests.model.seeing import ProjectorKind, make_tiny_projector, png
from tests.model.tiny import make_tiny_model
from tests.model.worker.talk import Talk, chat_of

pytestmark = [needs_engine, pytest.mark.integration]

_RED, _GREEN = png((220, 20, 20)), png((20, 220, 20))
_TOKENS = array("i", [40 + number % 80 for number in range(100)])
_PROJECTORS: dict[str, ProjectorKind] = {"llama": "mlp", "qwen2vl": "qwen2vl_merger"}


def _never() -> bool:
    return False


@pytest.fixture(scope="session", params=["llama", "qwen2vl"])
def seeing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A model and its projector; the second kind counts a picture's places in two directions."""
    kind = request.param
    folder = tmp_path_factory.mktemp(kind)
    model = make_tiny_model(folder / f"{kind}.gguf", kind=kind)
    return model, make_tiny_projector(folder / f"mmproj-{kind}.gguf", kind=_PROJECTORS[kind])


@pytest.fixture
def eyes(tiny: Path) -> Path:
    path = tiny.with_name("mmproj.gguf")
    return path if path.exists() else make_tiny_projector(path)


@pytest.fixture
def other_talk() -> Iterator[Talk]:
    one = Talk()
    yield one
    one.close()


def _opened(talk: Talk, seeing: tuple[Path, Path]) -> None:
    model, projector = seeing
    assert isinstance(talk.load(model, projector=str(projector)), Loaded)


def _refused(talk: Talk, number: int, picture: bytes) -> Failure:
    answer = talk.ask(chat_of(number, "what is this?", pictures=[picture]))
    assert isinstance(answer, Failure), answer
    return answer


def test_another_picture_has_another_answer_and_the_same_has_the_same(
    talk: Talk, seeing: tuple[Path, Path]
) -> None:
    _opened(talk, seeing)
    words, plain = talk.chat(chat_of(1, "what is this?"))
    red, seen = talk.chat(chat_of(2, "what is this?", pictures=[_RED]))
    green, _ = talk.chat(chat_of(3, "what is this?", pictures=[_GREEN]))
    again, _ = talk.chat(chat_of(4, "what is this?", pictures=[_RED]))
    both, two = talk.chat(chat_of(5, "what is this?", pictures=[_RED, _GREEN]))
    assert again == red
    assert len({words, red, green, both}) == 4
    picture_tokens = seen.prompt_tokens - plain.prompt_tokens
    assert picture_tokens > 4
    assert two.prompt_tokens - seen.prompt_tokens in (picture_tokens, picture_tokens - 1)


@pytest.mark.parametrize("stays", [True, False], ids=["it stays in the prompt", "only words are left of it"])
def test_what_is_kept_of_a_prompt_with_pictures_changes_no_answer(
    talk: Talk, other_talk: Talk, seeing: tuple[Path, Path], stays: bool
) -> None:
    """The next turn is answered as by a worker that has read nothing yet."""
    _opened(talk, seeing)
    _opened(other_talk, seeing)
    first = chat_of(1, "what is this?", system="Be brief.", pictures=[_RED, _GREEN])
    said, written = talk.chat(first)
    shown = first.messages if stays else chat_of(1, "what is this?", system="Be brief.").messages
    later = chat_of(2, "", said, "and this?", pictures=[_GREEN]).messages[1:]
    second = first.model_copy(update={"id": 2, "messages": (*shown, *later)})
    anew, from_nothing = other_talk.chat(second)
    text, continued = talk.chat(second)
    assert text == anew
    assert (from_nothing.reused_tokens, from_nothing.prompt_tokens) == (0, continued.prompt_tokens)
    assert continued.reused_tokens > 0
    assert (continued.reused_tokens >= written.prompt_tokens) is stays


def test_a_picture_is_read_as_llama_cpps_own_helper_reads_it(seeing: tuple[Path, Path]) -> None:
    """Token by token, with each one's place: what comes next is as likely either way."""
    model, projector = seeing
    with _native(model) as native:
        eyes = Projector(projector, native, _never)
        shown = eyes.shown(_RED)
        memory = ModelMemory(native)
        memory.keep(array("i", [1]), None)
        memory.read(_TOKENS, _never)
        for stretch in _stretches(shown.tokens):
            if stretch[0] < 0:
                memory.see(shown.chunks[0], eyes, _never)
            else:
                memory.read(stretch, _never)
        memory.read(_TOKENS[:50], _never)
        memory.add(77)
        ours = _likelihoods(native)
        assert memory.held == _TOKENS + shown.tokens + _TOKENS[:50] + array("i", [77])
        shown.close()
        eyes.close()
    assert np.allclose(ours, _by_helper(model, projector), atol=1e-4)


def _stretches(tokens: array[int]) -> list[array[int]]:
    """Of tokens, and of what a picture fills."""
    found: list[array[int]] = []
    for token in tokens:
        if found and (found[-1][-1] < 0) == (token < 0):
            found[-1].append(token)
        else:
            found.append(array("i", [token]))
    return found


def _by_helper(model: Path, projector: Path) -> np.ndarray:
    with _native(model) as native:
        params = mtmd_cpp.mtmd_context_params_default()
        context = mtmd_cpp.mtmd_init_from_file(str(projector).encode(), native.model, params)
        assert context
        data = (ctypes.c_uint8 * len(_RED)).from_buffer_copy(_RED)
        bitmap = mtmd_cpp.mtmd_helper_bitmap_init_from_buf(context, data, len(_RED), False)
        marker = mtmd_cpp.mtmd_default_marker()
        text = mtmd_cpp.mtmd_input_text(marker, len(marker), False, True)
        chunks = mtmd_cpp.mtmd_input_chunks_init()
        bitmaps = (ctypes.c_void_p * 1)(bitmap)
        assert mtmd_cpp.mtmd_tokenize(context, chunks, ctypes.byref(text), bitmaps, 1) == 0
        place = ctypes.c_int32(len(_TOKENS))
        _decode(native, _TOKENS, 0)
        read = mtmd_cpp.mtmd_helper_eval_chunks(
            context, native.context, chunks, place.value, 0, 512, False, ctypes.byref(place)
        )
        assert read == 0
        _decode(native, _TOKENS[:50], place.value)
        _decode(native, array("i", [77]), place.value + 50)
        found = _likelihoods(native)
        mtmd_cpp.mtmd_input_chunks_free(chunks)
        mtmd_cpp.mtmd_bitmap_free(bitmap)
        mtmd_cpp.mtmd_free(context)
        return found


def _decode(native: NativeModel, tokens: array[int], place: int) -> None:
    room = (llama_cpp.llama_token * len(tokens))(*tokens)
    batch = llama_cpp.llama_batch_get_one(room, len(tokens))
    batch.pos = (llama_cpp.llama_pos * len(tokens))(*range(place, place + len(tokens)))
    assert llama_cpp.llama_decode(native.context, batch) == 0


def _likelihoods(native: NativeModel) -> np.ndarray:
    logits = llama_cpp.llama_get_logits_ith(native.context, -1)
    return np.ctypeslib.as_array(logits, shape=(native.shape.vocabulary,)).copy()


@contextmanager
def _native(model: Path) -> Iterator[NativeModel]:
    one = NativeModel(model, LoadOptions(1024, 1, 0), LoadProgress(lambda _: None, _never), _never)
    try:
        yield one
    finally:
        one.close()


def _after(calls: int) -> Callable[[], bool]:
    counted = count(1)
    return lambda: next(counted) > calls


@pytest.mark.promise("model.cancel")
@pytest.mark.parametrize("calls", [0, 1, 2, 3, 6])
def test_a_picture_that_is_given_up_leaves_what_was_there_before(
    seeing: tuple[Path, Path], calls: int
) -> None:
    model, projector = seeing
    with _native(model) as native:
        eyes = Projector(projector, native, _never)
        shown = eyes.shown(_RED)
        memory = ModelMemory(native)
        memory.read(_TOKENS, _never)
        with pytest.raises(CancelledFaultError):
            memory.see(shown.chunks[0], eyes, _after(calls))
        assert memory.held == _TOKENS
        assert llama_cpp.llama_memory_seq_pos_max(llama_cpp.llama_get_memory(native.context), 0) == 99
        memory.see(shown.chunks[0], eyes, _never)
        memory.read(_TOKENS, _never)
        seen = _likelihoods(native)
        shown.close()
        eyes.close()
    with _native(model) as native:  # as if nothing had been given up
        eyes = Projector(projector, native, _never)
        shown = eyes.shown(_RED)
        memory = ModelMemory(native)
        memory.read(_TOKENS, _never)
        memory.see(shown.chunks[0], eyes, _never)
        memory.read(_TOKENS, _never)
        assert np.allclose(seen, _likelihoods(native), atol=1e-5)
        shown.close()
        eyes.close()


def test_the_tokens_of_pictures_count_against_the_context(talk: Talk, tiny: Path, eyes: Path) -> None:
    assert isinstance(talk.load(tiny, projector=str(eyes), context_tokens=512), Loaded)
    answer = talk.ask(chat_of(1, "look " * 20, pictures=[_RED] * 30))
    assert isinstance(answer, Failure)
    assert (answer.kind, answer.context_tokens) == ("overflow", 512)
    assert answer.prompt_tokens > 30 * 16
    assert talk.chat(chat_of(2, "hello", pictures=[_RED]))[0]


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (b"RIFF\x10\0\0\0WEBPVP8 ", "WebP"),
        (b"hello", "no PNG, JPEG or GIF"),
        (_RED[:60], "damaged"),
        (png(width=1, height=201), "too narrow"),
        (_RED[:16] + b"\0\0\xff\xff\0\0\xff\xff" + _RED[24:], "65535 × 65535"),
    ],
)
def test_a_picture_that_cannot_be_read_is_refused_with_its_reason_and_words_go_on(
    talk: Talk, tiny: Path, eyes: Path, picture: bytes, why: str
) -> None:
    talk.load(tiny, projector=str(eyes))
    refused = _refused(talk, 1, picture)
    assert refused.kind == "picture"
    assert why in refused.message
    assert talk.chat(chat_of(2, "hello"))[0]
    assert talk.chat(chat_of(3, "hello", pictures=[_RED]))[0]


def _of_another_width(path: Path) -> None:
    make_tiny_projector(path, width=96)


def _cut(path: Path) -> None:
    make_tiny_projector(path)
    path.write_bytes(path.read_bytes()[:-4096])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda _: None, "not there"),
        (lambda path: path.write_bytes(b"hello"), "not a GGUF file"),
        (_of_another_width, "mismatch"),
        (_cut, ""),
        (make_tiny_model, ""),
    ],
    ids=["missing", "no model", "of another model", "cut", "a model that talks"],
)
def test_a_projector_that_cannot_be_used_takes_nothing_from_the_words(
    talk: Talk, tiny: Path, tmp_path: Path, make: Callable[[Path], object], why: str
) -> None:
    path = tmp_path / "mmproj.gguf"
    make(path)
    assert isinstance(talk.load(tiny, projector=str(path)), Loaded)
    refused = _refused(talk, 1, _RED)
    assert refused.kind == "projector"
    assert refused.message
    assert why in refused.message
    assert talk.chat(chat_of(2, "hello"))[0]
    assert _refused(talk, 3, _RED).kind == "projector"


def test_an_engine_without_pictures_says_so_and_words_go_on(tiny: Path, eyes: Path) -> None:
    talk = Talk(before="import os; os.environ['MTMD_CPP_LIB'] = '/nonexistent'")
    try:
        talk.load(tiny, projector=str(eyes))
        refused = _refused(talk, 1, _RED)
        assert (refused.kind, "built without pictures" in refused.message) == ("projector", True)
        assert talk.chat(chat_of(2, "hello"))[0]
    finally:
        talk.close()


def test_a_template_that_drops_a_picture_gives_way_to_a_plain_format(
    talk: Talk, tmp_path: Path, eyes: Path
) -> None:
    template = "{% for m in messages %}[{{ m.role }}] {{ m.content | replace('\ufdd1', '') }}\n{% endfor %}"
    talk.load(make_tiny_model(tmp_path / "drops.gguf", template=template), projector=str(eyes))
    red, _ = talk.chat(chat_of(1, "what is this?", pictures=[_RED]))
    green, _ = talk.chat(chat_of(2, "what is this?", pictures=[_GREEN]))
    assert red != green


def test_nobody_writes_a_picture_with_words(talk: Talk, tiny: Path, eyes: Path) -> None:
    talk.load(tiny, projector=str(eyes))
    for number, text in enumerate(("a \ufdd1 b", "a <__media__> b"), start=1):
        _, plain = talk.chat(chat_of(number, text))
        _, shown = talk.chat(chat_of(10 + number, text, pictures=[_RED]))
        assert isinstance(plain, Written)
        assert shown.prompt_tokens == plain.prompt_tokens + 17  # 16 places and a line's end


def test_a_load_names_no_projector_where_there_is_none(talk: Talk, tiny: Path) -> None:
    assert Load(id=0, path="x", kind="chat", context_tokens=0, threads=1).projector == ""
    talk.load(tiny)
    assert _refused(talk, 1, _RED).kind == "projector"


@pytest.mark.parametrize("kind", ["jpg", "png"])
def test_pictures_as_programs_write_them_are_seen(
    talk: Talk, tiny: Path, eyes: Path, tmp_path: Path, kind: str
) -> None:
    talk.load(tiny, projector=str(eyes))
    said = set()
    for number, colour in enumerate((Qt.GlobalColor.red, Qt.GlobalColor.green), start=1):
        image = QImage(300, 200, QImage.Format.Format_RGB32)
        image.fill(colour)
        path = tmp_path / f"{number}.{kind}"
        assert image.save(str(path))
        said.add(talk.chat(chat_of(number, "what is this?", pictures=[path.read_bytes()]))[0])
    assert len(said) == 2


@pytest.mark.promise("model.cancel")
def test_the_computing_of_a_picture_ends_soon_after_it_is_given_up(tiny: Path, tmp_path: Path) -> None:
    """It is asked again and again meanwhile, and no more once somebody gave it up."""
    large = make_tiny_projector(tmp_path / "mmproj.gguf", layers=40)
    asked = [0]

    def asks(most: int) -> Callable[[], bool]:
        asked[0] = 0

        def gave_up() -> bool:
            asked[0] += 1
            return asked[0] > most

        return gave_up

    with _native(tiny) as native:
        eyes = Projector(large, native, _never)
        shown = eyes.shown(_RED)
        with pytest.raises(CancelledFaultError):
            eyes.encode(shown.chunks[0], asks(2))
        assert asked[0] == 4  # twice not yet, then so, and once more at the end
        eyes.encode(shown.chunks[0], asks(1000))
        assert asked[0] > 10
        eyes.encode(shown.chunks[0], asks(1000))
        assert asked[0] == 0, "it is known"
        shown.close()
        eyes.close()
