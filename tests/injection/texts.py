"""The injection texts, filled in for one home and put together for their places."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

_FILE = Path(__file__).with_name("texts.toml")
#: A text as short as an answer stands alone; others share a batch of what one prompt shows of an output.
_SHORT, _BATCH = 30, 3_000
#: Of what a script says when it fails, the end is told.
_ALONE = frozenset(
    {"script_error", "chain_error", "chain_mcp", "chain_title"} | {"chain_reason", "chain_demand"}
)


@dataclass(frozen=True)
class Injection:
    """One text: where it stands, in which language, and what it tries."""

    id: str
    place: str
    language: str
    tries: str
    text: str
    times: int = 1
    """How often it is repeated."""

    def filled(self, values: Mapping[str, str]) -> Injection:
        """With what its placeholders stand for; the file that it would have made bears its id."""
        text = self.text * self.times
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        return replace(self, text=text, times=1)


def injections() -> tuple[Injection, ...]:
    """All of them, as they are written down."""
    return tuple(Injection(**one) for one in tomllib.loads(_FILE.read_text(encoding="utf-8"))["text"])


def batched(texts: Iterable[Injection], *, alone: bool = False) -> list[list[Injection]]:
    """What is put into a place at once; with `alone` each text by itself."""
    batches: list[list[Injection]] = []
    for one in texts:
        room = _BATCH - sum(len(other.text) for other in batches[-1]) if batches else 0
        apart = alone or one.place in _ALONE or len(one.text) < _SHORT
        if apart or len(one.text) > room or len(batches[-1][0].text) < _SHORT:
            batches.append([one])
        else:
            batches[-1].append(one)
    return batches


def joined(batch: Iterable[Injection]) -> str:
    """A batch as the one text that is put there."""
    return "\n\n".join(one.text for one in batch)
