"""The header of a GGUF file: what the model says of itself, and which weights it has. Blocking, read-only.

The `gguf` library is not used for it: it comes with the engine only, needs numpy, maps the file (a file that
is cut meanwhile ends the process), and builds every array element by element, a vocabulary of 150,000 tokens
among them. Here arrays are passed over, bytes, entries and time are bounded, and whatever is wrong with a
file is one sentence.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Iterator, Mapping
from io import RawIOBase
from math import prod
from pathlib import Path

from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.domain.model_file import ModelFacts, ModelPurpose

HeaderValue = bool | int | float | str | tuple[bool | int | float, ...]

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
#: The largest headers of 2026 have 20 MB: 262,000 tokens and 500,000 merges.
_MOST_BYTES = 128 << 20
_MOST_KEYS = 4096
_MOST_TENSORS = 65_536
_MOST_NAME = 256
_MOST_TEXT = 4 << 20
_MOST_DIMENSIONS = 8
#: What a person is shown of a text.
_MOST_LINE = 200
#: Longer arrays of numbers are passed over: they are about tokens. A model has fewer layers.
_MOST_NUMBERS = 1024
_MOST_PARTS = 999
READ_S = 10.0
_CHUNK = 1 << 18
#: So many strings are passed over between two looks at the clock.
_STRINGS_AT_ONCE = 4096

_STRING, _ARRAY, _BOOL = 8, 9, 7
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")
_PART = re.compile(r"^(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<end>\.gguf)$", re.IGNORECASE)

#: Lists from this length on are leaped over.
_LONG_LIST = 1024
_LEAP_CHUNK = 1 << 20
#: How keys begin that stand behind lists of words, with the upper bytes of their length.
_KEY_WORDS = tuple(bytes(7) + word for word in (b"tokenizer.", b"general.", b"quantize.", b"split."))
_LONGEST_WORD = max(map(len, _KEY_WORDS))

#: `ggml_type` → numbers in a block, bytes of a block.
_BLOCKS: Mapping[int, tuple[int, int]] = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82),
    23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2),
    34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36),
}  # fmt: skip
#: `general.file_type`, as llama.cpp numbers it.
_FILE_TYPES: Mapping[int, str] = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S",
    12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K",
    19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL",
    26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0",
    37: "TQ2_0", 38: "MXFP4",
}  # fmt: skip
_NAMED_QUANTISATION = re.compile(
    r"(?:^|[-._ ])((?:UD-)?(?:I?Q\d+(?:_[A-Z0-9]+)*|BF16|F16|F32|MXFP4|TQ[12]_0))(?=$|[-._ ])", re.IGNORECASE
)
_ENCODERS = frozenset(
    (
        "bert", "modern-bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "jina-bert-v3", "neo-bert",
        "eurobert", "gemma-embedding", "llama-embed", "t5encoder",
    )
)  # fmt: skip
#: Speech, pictures and text of other kinds: llama.cpp opens them, and nobody can chat with them here.
_OTHERS = frozenset(("t5", "dream", "llada", "llada-moe", "rnd1", "wavtokenizer-dec"))
_EYES = re.compile(r"(^|[-._ ])mmproj([-._ ]|$)", re.IGNORECASE)
_SIZE_LABEL = re.compile(r"(?:(\d+)x)?(\d+(?:\.\d+)?)([KMBT])", re.IGNORECASE)
_UNITS = {"K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


@dataclass(frozen=True)
class Weight:
    """A tensor of the table."""

    name: str
    numbers: int
    size_bytes: int


@dataclass(frozen=True)
class GgufHeader:
    """What stands in the header of a model, of all its parts."""

    path: Path
    """Of its first part."""
    size_bytes: int
    """Of all parts."""
    parts: tuple[Path, ...]
    values: Mapping[str, HeaderValue]
    """Scalars, texts, short arrays of numbers."""
    lengths: Mapping[str, int]
    """How long the arrays are, also those that were passed over."""
    weights: tuple[Weight, ...]

    @property
    def architecture(self) -> str:
        return self.text("general.architecture")

    def text(self, key: str) -> str:
        """The beginning of a text, on one line and without signs that nobody sees; empty if there is none."""
        value = self.values.get(key)
        return shown(" ".join(value[:_MOST_LINE].split())) if isinstance(value, str) else ""

    def number(self, key: str, otherwise: int = 0) -> int:
        """A number that is not negative, of the architecture's own keys: `attention.head_count`.

        Of an array, one for each layer, it is the largest.
        """
        return max(self.numbers(key, otherwise))

    def numbers(self, key: str, otherwise: int = 0) -> tuple[int, ...]:
        """One, or one for each layer; never empty."""
        value = self.values.get(f"{self.architecture}.{key}")
        found = value if isinstance(value, tuple) else (value,)
        whole = tuple(int(one) for one in found if isinstance(one, int) and one >= 0)
        return whole if whole and len(whole) == len(found) else (otherwise,)


def read_header(path: Path, *, limit_s: float = READ_S) -> GgufHeader:
    """Read it, and the tables of weights of a split model's other parts. Blocking.

    Raises:
        ModelError: It is no GGUF file, or is damaged, or a part is missing; the sentence says so.
    """
    deadline_s = time.monotonic() + limit_s
    parts = parts_of(path)
    first = _read_part(parts[0], deadline_s)
    weights, size_bytes = list(first.weights), first.size_bytes
    for part in parts[1:]:
        other = _read_part(part, deadline_s)
        weights += other.weights
        size_bytes += other.size_bytes
    return GgufHeader(parts[0], size_bytes, parts, first.values, first.lengths, tuple(weights))


def parts_of(path: Path) -> tuple[Path, ...]:
    """All files of a model, by the name of one of them: `big-00001-of-00003.gguf`."""
    found = _PART.match(path.name)
    count = int(found["count"]) if found else 1
    if found is None or not 1 < count <= _MOST_PARTS:
        return (path,)
    names = (
        f"{found['stem']}-{number:05}-of-{found['count']}{found['end']}" for number in range(1, count + 1)
    )
    return tuple(path.with_name(name) for name in names)


def _read_part(path: Path, deadline_s: float) -> GgufHeader:
    shown_path = display_path(path)
    try:
        if not path.is_file():
            raise ModelError("model.no_file", path=shown_path)
        with path.open("rb", buffering=0) as file:
            size_bytes = path.stat().st_size
            if file.read(len(_MAGIC)) != _MAGIC:
                raise ModelError("model.not_gguf", path=shown_path)
            try:
                return _HeaderReader(file, shown_path, deadline_s, leaps=True).header(path, size_bytes)
            except (ModelError, ValueError, struct.error, OverflowError):
                file.seek(len(_MAGIC))
                return _HeaderReader(file, shown_path, deadline_s, leaps=False).header(path, size_bytes)
    except OSError as error:
        raise ModelError("model.file_unread", path=shown_path, reason=system_reason(error)) from error
    except (ValueError, struct.error, OverflowError) as error:  # a null byte in the path, a number beyond all
        raise ModelError("finds.header_damaged", path=shown_path) from error


class _HeaderReader:
    """Goes through a file behind its magic, once and forward.

    With `leaps` it looks for what stands behind a long list of words instead of going from word to word,
    which is much faster. Whether it came down rightly shows in that all keys and weights are there then;
    where they are not, it is to be read once more without.
    """

    def __init__(self, file: RawIOBase, shown_path: str, deadline_s: float, *, leaps: bool) -> None:
        self._leaps = leaps
        self._file, self._shown, self._deadline_s = file, shown_path, deadline_s
        self._buffer, self._at = b"", 0
        self._left = _MOST_BYTES
        self._weights_end = 0
        """Where the last of the weights ends, counted from where they begin."""

    def header(self, path: Path, size_bytes: int) -> GgufHeader:
        version, tensors, keys = struct.unpack("<IQQ", self._take(20))
        if version not in _VERSIONS:
            raise ModelError("finds.header_version", path=self._shown)
        if tensors > _MOST_TENSORS or keys > _MOST_KEYS:
            raise ModelError("finds.header_damaged", path=self._shown)
        values: dict[str, HeaderValue] = {}
        lengths: dict[str, int] = {}
        for _ in range(keys):
            self._entry(values, lengths)
        weights = tuple(self._weights(tensors))
        here = self._file.tell() - (len(self._buffer) - self._at)
        if here + self._weights_end > size_bytes:
            raise ModelError("finds.header_cut", path=self._shown)
        return GgufHeader(path, size_bytes, (path,), values, lengths, weights)

    def _entry(self, values: dict[str, HeaderValue], lengths: dict[str, int]) -> None:
        key, kind = self._text(_MOST_NAME), self._u32()
        if kind in _NUMBERS:
            values[key] = self._scalars(kind, 1)[0]
        elif kind == _STRING:
            values[key] = self._text(_MOST_TEXT)
        elif kind == _ARRAY:
            each, length = self._u32(), self._u64()
            lengths[key] = length
            if each == _STRING:
                if not (self._leaps and length >= _LONG_LIST and self._leap(length)):
                    self._pass_texts(length)
            elif each not in _NUMBERS:
                raise ModelError(
                    "finds.header_damaged", path=self._shown
                )  # arrays of arrays are allowed, and nobody writes them
            elif length <= _MOST_NUMBERS:
                values[key] = self._scalars(each, length)
            else:
                self._pass(length * struct.calcsize(_NUMBERS[each]))
        else:
            raise ModelError("finds.header_damaged", path=self._shown)

    def _weights(self, count: int) -> Iterator[Weight]:
        for _ in range(count):
            name, dimensions = self._text(_MOST_NAME), self._u32()
            if dimensions > _MOST_DIMENSIONS:
                raise ModelError("finds.header_damaged", path=self._shown)
            *shape, kind, offset = struct.unpack(f"<{dimensions}QIQ", self._take(8 * dimensions + 12))
            numbers = prod(shape)
            block, size_bytes = _BLOCKS.get(kind, (1, 0))
            weight = Weight(name, numbers, numbers // block * size_bytes)
            self._weights_end = max(self._weights_end, offset + weight.size_bytes)
            yield weight

    def _scalars(self, kind: int, count: int) -> tuple[bool | int | float, ...]:
        letter = _NUMBERS[kind]
        return struct.unpack(f"<{count}{letter}", self._take(count * struct.calcsize(letter)))

    def _text(self, most: int) -> str:
        length = self._u64()
        if length > most:
            raise ModelError("finds.header_damaged", path=self._shown)
        return self._take(length).decode("utf-8", "replace")

    def _u32(self) -> int:
        return int(_U32.unpack(self._take(4))[0])

    def _u64(self) -> int:
        return int(_U64.unpack(self._take(8))[0])

    def _pass_texts(self, count: int) -> None:
        """Go over strings without building them: a vocabulary has hundreds of thousands."""
        if count * _U64.size > self._left:
            raise ModelError("finds.header_damaged", path=self._shown)
        length_at = _U64.unpack_from
        while count:
            buffer, at = self._buffer, self._at
            last, whole = len(buffer) - _U64.size, min(count, _STRINGS_AT_ONCE)
            passed = 0
            while passed < whole and at <= last:
                at += 8 + length_at(buffer, at)[0]
                passed += 1
            self._at, count = min(at, len(buffer)), count - passed
            self._pass(at - self._at)
            if count and len(self._buffer) - self._at < _U64.size:
                self._fill(_U64.size)

    def _leap(self, count: int) -> bool:
        """Come down on the next key, if one is found as keys are mostly called; else stay."""
        self._take(0)
        held = self._buffer[self._at :]
        data, begun = bytearray(held), self._file.tell()
        searched = _U64.size * count  # each has a length at least
        while True:
            at = min((found for word in _KEY_WORDS if (found := data.find(word, searched)) >= 0), default=-1)
            if at >= 0:
                self._left -= self._file.tell() - begun
                self._buffer, self._at = bytes(data[at - 1 :]), 0  # the lowest byte of the key's length
                return True
            searched = max(searched, len(data) - _LONGEST_WORD)
            chunk = self._file.read(_LEAP_CHUNK) if len(data) < self._left else b""
            if not chunk or time.monotonic() > self._deadline_s:
                self._leaps = False  # what is not there now is not behind the next list either
                self._file.seek(begun)
                return False
            data += chunk

    def _pass(self, count: int) -> None:
        """Go over so many bytes, which nothing reads."""
        here = min(count, len(self._buffer) - self._at)
        self._at += here
        if count > here:
            if count - here > self._left:
                raise ModelError("finds.header_damaged", path=self._shown)
            self._left -= count - here
            self._file.seek(count - here, 1)

    def _take(self, count: int) -> bytes:
        if len(self._buffer) - self._at < count:
            self._fill(count)
        taken = self._buffer[self._at : self._at + count]
        self._at += count
        return taken

    def _fill(self, count: int) -> None:
        """See that `count` bytes lie ready."""
        if time.monotonic() > self._deadline_s:
            raise ModelError("finds.header_late", path=self._shown)
        rest = self._buffer[self._at :]
        missing = count - len(rest)
        if missing > self._left:
            raise ModelError("finds.header_damaged", path=self._shown)
        read = bytearray(rest)
        while missing > 0:
            chunk = self._file.read(max(missing, _CHUNK))
            if not chunk:
                raise ModelError("finds.header_cut", path=self._shown)
            read += chunk
            missing -= len(chunk)
            self._left -= len(chunk)
        self._buffer, self._at = bytes(read), 0


def model_facts(header: GgufHeader, size_bytes: int = 0) -> ModelFacts:
    """What a person chooses by. `size_bytes`: of all its parts, where they are known otherwise."""
    return ModelFacts(
        name=header.text("general.name"),
        architecture=header.architecture,
        purpose=_purpose(header),
        parameters=_parameters(header),
        quantisation=_quantisation(header),
        context_tokens=header.number("context_length"),
        has_template=bool(header.text("tokenizer.chat_template")),
        licence=header.text("general.license") or header.text("general.license.name"),
        size_bytes=size_bytes or header.size_bytes,
        parts=len(header.parts),
    )


def _purpose(header: GgufHeader) -> ModelPurpose:
    kind = header.architecture
    general = header.text("general.type")
    if kind == "clip" or general == "mmproj" or is_projector_name(header.path.name):
        return "projector"
    embeds = header.number("pooling_type") or header.values.get(f"{kind}.attention.causal") is False
    if kind in _ENCODERS or (embeds and kind not in _OTHERS):
        return "embedding"
    if not kind or kind in _OTHERS or general in ("adapter", "imatrix", "vocab"):
        return "other"
    has_words = header.text("tokenizer.ggml.model") not in ("", "no_vocab")
    return "chat" if header.weights and has_words else "other"


def is_projector_name(name: str) -> bool:
    """Whether a file is the eyes of another model, by its name."""
    return _EYES.search(name) is not None


def _parameters(header: GgufHeader) -> int:
    counted = sum(weight.numbers for weight in header.weights)
    if counted:
        return counted
    found = _SIZE_LABEL.match(header.text("general.size_label"))
    if not found:
        return 0
    return round(int(found[1] or 1) * float(found[2]) * _UNITS[found[3].upper()])


def _quantisation(header: GgufHeader) -> str:
    """As the file says it; else, as its name does."""
    number = header.values.get("general.file_type")
    told = (
        _FILE_TYPES.get(number & 1023) if isinstance(number, int) and number >= 0 else None
    )  # 1024: guessed
    if told:
        return told
    named = _NAMED_QUANTISATION.search(header.path.stem)
    return named[1].upper() if named else ""
