"""`recall --data DIR --scale N`: how fast and how large memory is with N turns.

The turns are those of DIR with names and numbers exchanged, spread over conversations and two years. They go
through the public import, get vectors of a stand-in embedder (that of a turn of DIR with some noise), and
questions of DIR are asked, at a tenth of N and at N. What asks is a process of its own, so that its memory is
its own; so are the baselines: SQLite's FTS5 over the same texts, and one product with all vectors.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped] # has no types

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.paths import Home
from partner_desktop.model.embedder import EmbeddingStatus
from partner_desktop.model.engine import require_numpy
from tests.benchmarks.figures import percentile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tests.benchmarks.recall import LongDialog

    Vectors = NDArray[np.float32]

#: What is promised of 100,000 turns.
LATENCY_LIMIT_MS, GROWTH_LIMIT, MEMORY_LIMIT_MB, GAP_LIMIT_MS = 15.0, 4.0, 120.0, 16.0
BYTES_LIMIT, IMPORT_LIMIT = 1_200, 2_000
_QUESTIONS = 300
#: Turns of the data whose vectors are computed; the others take after them.
_EMBEDDED = 800
#: Length of the noise that is added to a vector of length 1.
_NOISE = 0.5
_DAYS = 730
_BEAT_S = 0.004
_SEED = 18
_NAMES = [
    "Ada",
    "Amir",
    "Anika",
    "Arlo",
    "Bea",
    "Boris",
    "Bruno",
    "Carla",
    "Chen",
    "Clara",
    "Dario",
    "Dina",
    "Edda",
    "Elias",
    "Emre",
    "Esme",
    "Fadi",
    "Fiona",
    "Gita",
    "Greta",
    "Hana",
    "Hugo",
    "Ida",
    "Igor",
    "Ines",
    "Ivo",
    "Jana",
    "Jonas",
    "Juno",
    "Kaito",
    "Karim",
    "Keira",
    "Lars",
    "Leila",
    "Lina",
    "Luca",
    "Mara",
    "Mateo",
    "Mina",
    "Nadia",
    "Nico",
    "Noor",
    "Olga",
    "Omar",
    "Orla",
    "Otto",
    "Paula",
    "Petra",
    "Pia",
    "Quentin",
    "Rafa",
    "Remi",
    "Rosa",
    "Samir",
    "Selma",
    "Sven",
    "Tara",
    "Theo",
    "Tilda",
    "Uma",
    "Vera",
    "Viktor",
    "Wanda",
    "Yara",
    "Yusuf",
    "Zita",
]
_NUMBER = re.compile(r"\b\d{1,3}\b")


@dataclass(frozen=True)
class SpreadTurn:
    """A turn that was made of the turn `base` of the data."""

    conversation: str
    speaker: str
    text: str
    at: datetime
    base: int


def spread(dialogs: Sequence[LongDialog]) -> Iterator[SpreadTurn]:
    """Turns without end, the same ones each time."""
    chance = random.Random(_SEED)
    stretches = list(_stretches(dialogs))
    begin = datetime(2023, 1, 1, 9, tzinfo=UTC)
    number = 0
    while True:
        number += 1
        base, turns = chance.choice(stretches)
        exchange = _exchange(turns_speakers(turns), chance)
        at = begin + timedelta(days=chance.randrange(_DAYS), minutes=chance.randrange(600))
        for place, (speaker, text) in enumerate(turns):
            yield SpreadTurn(
                f"talk {number}",
                exchange(speaker),
                exchange(text),
                at + timedelta(seconds=40 * place),
                base + place,
            )


def _stretches(dialogs: Sequence[LongDialog]) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """What was said on a day, and the number of its first turn."""
    number = 0
    for dialog in dialogs:
        days: dict[Any, list[tuple[str, str]]] = {}
        for turn in dialog.turns:
            days.setdefault(turn.at.date(), []).append((turn.speaker, turn.text))
        for turns in days.values():
            yield number, turns
            number += len(turns)


def turns_speakers(turns: Sequence[tuple[str, str]]) -> list[str]:
    """Who speaks, each once."""
    return list(dict.fromkeys(speaker for speaker, _ in turns))


def _exchange(names: Sequence[str], chance: random.Random) -> Callable[[str], str]:
    """Other names and other numbers in their place."""
    others = dict(zip(names, chance.sample(_NAMES, len(names)), strict=True))
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def exchanged(text: str) -> str:
        text = pattern.sub(lambda match: others[match[0]], text)
        return _NUMBER.sub(lambda match: str(chance.randint(1, 10 ** len(match[0]))), text)

    return exchanged


def _key(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "big")


class PreparedEmbedder:
    """An `Embedder` that has every vector at once; `ask_with` is that of the question at hand."""

    model_id = "prepared"

    def __init__(self, place: Path) -> None:
        self._place = place
        self.ask_with: int = 0
        self._tables: tuple[Vectors, Vectors, Any, Any] | None = None

    def status(self) -> EmbeddingStatus:
        return EmbeddingStatus("ready")

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        await require_numpy()
        return self._question() if urgent else await asyncio.to_thread(self._turns, texts)

    def open(self) -> tuple[Vectors, Vectors, Any, Any]:
        import numpy as np  # noqa: PLC0415 - memory brings it in with the first question

        if self._tables is None:
            names = ("turns", "questions", "keys", "bases")
            turns, questions, keys, bases = (
                np.load(self._place / f"{name}.npy", mmap_mode="r") for name in names
            )
            self._tables = turns, questions, keys, bases
        return self._tables

    def _question(self) -> Vectors:
        table = self.open()[1]
        return table[self.ask_with : self.ask_with + 1]

    def _turns(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415

        turns, _, keys, bases = self.open()
        wanted = np.array([_key(text) for text in texts], dtype=np.uint64)
        chosen = turns[bases[np.searchsorted(keys, wanted)] % len(turns)]
        noise = np.random.default_rng(int(wanted[0])).standard_normal(chosen.shape, dtype=np.float32)
        made = chosen + noise * np.float32(_NOISE / chosen.shape[1] ** 0.5)
        unit: Vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
        return unit


class OtherWork:
    """What other processes take meanwhile: a machine that is busy with them is slower."""

    def __init__(self) -> None:
        self._begun, self._spent = time.perf_counter(), self._others_s()

    def _others_s(self) -> float:
        times = psutil.cpu_times()
        own = psutil.Process().cpu_times()
        return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - own.user - own.system)

    def cores(self) -> float:
        """How many processors, on average."""
        return round((self._others_s() - self._spent) / (time.perf_counter() - self._begun), 2)


class LoopGaps:
    """How late the loop comes to what is due, in ms."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []

    @asynccontextmanager
    async def measured(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._beat(), name="benchmark:beat")
        try:
            yield
        finally:
            task.cancel()

    async def _beat(self) -> None:
        while True:
            due = time.perf_counter() + _BEAT_S
            await asyncio.sleep(_BEAT_S)
            self.late_ms.append((time.perf_counter() - due) * 1000)

    def figures(self) -> dict[str, float]:
        late = self.late_ms or [0.0]
        return {
            "p50": round(percentile(late, 50), 1),
            "p99": round(percentile(late, 99), 1),
            "max": round(max(late), 1),
        }


def measure(data: Path, turns: int) -> dict[str, Any]:
    """All figures.

    Raises:
        DataError: The data cannot be read.
    """
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        steps = (turns // 10, turns)
        text_bytes = asyncio.run(_prepare(data, place, steps))
        found: dict[str, Any] = {"turns": turns}
        for number, size in enumerate(steps):
            begun = _in_process("fill", place, number)
            asked = _in_process("ask", place, number)
            found[f"{size:,}"] = {**begun, **asked}
        baselines = _in_process("baselines", place, len(steps) - 1)
        found["baselines"] = baselines
        return {**found, **_judged(found, steps, text_bytes)}


def _judged(found: dict[str, Any], steps: tuple[int, int], text_bytes: int) -> dict[str, Any]:
    small, large = (found[f"{size:,}"] for size in steps)
    latency = large["latency_ms"]
    bases = found["baselines"]
    figures = {
        "p95_ms": latency["p95"],
        "growth": round(latency["p95"] / small["latency_ms"]["p95"], 2),
        "memory_mb": large["memory_mb"],
        "recall_gap_ms": large["recall_gaps_ms"]["max"],
        "import_gap_ms": large["import_gaps_ms"]["max"],
        "bytes_a_turn": large["bytes_a_turn"],
        "import_turns_a_second": large["import_turns_a_second"],
        "p95 to FTS5's": round(latency["p95"] / bases["fts5_ms"]["p95"], 2),
        "p95 to the product's": round(latency["p95"] / bases["product_ms"]["p95"], 2),
        "text_bytes_a_turn": round(text_bytes / steps[-1]),
    }
    limits = {
        "p95_ms": figures["p95_ms"] <= LATENCY_LIMIT_MS,
        "growth": figures["growth"] <= GROWTH_LIMIT,
        "memory_mb": figures["memory_mb"] <= MEMORY_LIMIT_MB,
        "recall_gap_ms": figures["recall_gap_ms"] <= GAP_LIMIT_MS,
        "import_gap_ms": figures["import_gap_ms"] <= GAP_LIMIT_MS,
        "bytes_a_turn": figures["bytes_a_turn"] <= BYTES_LIMIT,
        "import_turns_a_second": figures["import_turns_a_second"] >= IMPORT_LIMIT,
    }
    return {
        **figures,
        "missed": [name for name, kept in limits.items() if not kept],
        "ok": all(limits.values()),
    }


async def _prepare(data: Path, place: Path, steps: tuple[int, int]) -> int:
    """Files of turns, vectors and questions; how many bytes the texts of all turns have."""
    import numpy as np  # noqa: PLC0415 - not in the processes that measure their memory

    from partner_desktop.model.llama_embedder import LlamaEmbedder  # noqa: PLC0415
    from tests.benchmarks.recall import read_dialogs  # noqa: PLC0415

    dialogs = read_dialogs(data)
    turns = spread(dialogs)
    keys: dict[int, int] = {}
    size = 0
    for number, count in enumerate(steps):
        more = list(islice(turns, count - (steps[number - 1] if number else 0)))
        keys |= {_key(turn.text): turn.base for turn in more}
        size += sum(len(turn.text.encode()) for turn in more)
        with (place / f"{number}.jsonl").open("w", encoding="utf-8") as lines:
            for turn in more:
                line = {"text": turn.text, "speaker": turn.speaker, "at": turn.at.isoformat()}
                lines.write(json.dumps({**line, "conversation": turn.conversation}) + "\n")
    ordered = np.array(sorted(keys), dtype=np.uint64)
    np.save(place / "keys.npy", ordered)
    np.save(place / "bases.npy", np.array([keys[int(key)] for key in ordered], dtype=np.int32))
    chance = random.Random(_SEED)
    asked = [(dialog, each.text) for dialog in dialogs for each in dialog.questions]
    questions = []
    for dialog, text in chance.sample(asked, min(_QUESTIONS, len(asked))):
        names = list(dict.fromkeys(turn.speaker for turn in dialog.turns))
        questions.append(_exchange(names, chance)(text))
    (place / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    texts = [turn.text for dialog in dialogs for turn in dialog.turns]
    embedder = LlamaEmbedder(clock=SystemClock())
    await embedder.launch()
    try:
        np.save(place / "turns.npy", await embedder.embed(chance.sample(texts, min(_EMBEDDED, len(texts)))))
        np.save(place / "questions.npy", await embedder.embed(questions))
    finally:
        await embedder.shutdown()
    return size


def _in_process(step: str, place: Path, number: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.recall_scale", step, str(place), str(number)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return dict(json.loads(done.stdout))


# In processes of their own.


@asynccontextmanager
async def _partner(place: Path, *, embedder: PreparedEmbedder | None = None) -> AsyncIterator[Partner]:
    partner = Partner(Home(place / "home"), place / "action", meaning=embedder is not None, embedder=embedder)
    await partner.launch()
    try:
        yield partner
    finally:
        await partner.close()


async def _fill(place: Path, number: int) -> dict[str, Any]:
    """Import, then vectors."""
    gaps = LoopGaps()
    async with _partner(place) as partner, gaps.measured():
        await partner.memory.read_all()
        others, begun = OtherWork(), time.perf_counter()
        one = await partner.memory.import_from(place / f"{number}.jsonl")
        async for each in partner.memory.follow_import(one.id):
            one = each
        imported_s = time.perf_counter() - begun
        await partner.memory.read_all()
        found_s, busy = time.perf_counter() - begun, others.cores()
    async with _partner(place, embedder=PreparedEmbedder(place)) as partner:
        begun = time.perf_counter()
        status = await partner.memory.read_all()
        vectors_s = time.perf_counter() - begun
    assert status.turns == status.by_meaning
    return {
        "imported": one.turns,
        "import_beside_cores": busy,
        "import_s": round(imported_s, 1),
        "import_turns_a_second": round(one.turns / found_s),
        "vectors_a_second": round(one.turns / vectors_s),
        "import_gaps_ms": gaps.figures(),
        "slices": status.slices,
    }


async def _ask(place: Path, number: int) -> dict[str, Any]:
    del number
    questions = json.loads((place / "questions.json").read_text(encoding="utf-8"))
    embedder = PreparedEmbedder(place)
    gaps, process = LoopGaps(), psutil.Process()
    now = datetime(2025, 1, 10, 12, tzinfo=UTC)
    times: list[float] = []
    async with _partner(place, embedder=embedder) as partner:
        turns = (await partner.memory.status()).turns
        idle_bytes = process.memory_info().rss
        others = OtherWork()
        async with gaps.measured():
            for asked, question in enumerate(questions):
                embedder.ask_with = asked
                begun = time.perf_counter()
                recall = await partner.memory.recall(question, now=now)
                times.append((time.perf_counter() - begun) * 1000)
                assert recall.by_meaning
        busy = others.cores()
        used = process.memory_info().rss - idle_bytes
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - idle_bytes
    home = Home(place / "home")
    index = sum(file.stat().st_size for file in (home.root / "cache").glob("memory.db"))
    own = _memory_bytes(home.database)
    return {
        "latency_ms": {
            "p50": round(percentile(times[1:], 50), 2),
            "p95": round(percentile(times[1:], 95), 2),
        },
        "asked_beside_cores": busy,
        "first_question_ms": round(times[0], 1),
        "memory_mb": round(max(used, most) / 2**20, 1),
        "memory_mb_after": round(used / 2**20, 1),
        "recall_gaps_ms": gaps.figures(),
        "bytes_a_turn": round((index + own) / turns),
        "index_bytes_a_turn": round(index / turns),
    }


def _memory_bytes(database: Path) -> int:
    """What memory's own tables take in the home's database; 0 where SQLite cannot tell."""
    with sqlite3.connect(database) as db:
        try:
            row = db.execute(
                "SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%memory\\_%' ESCAPE '\\'"
            ).fetchone()
        except sqlite3.OperationalError:
            return 0
    return int(row[0] or 0)


def _baselines(place: Path, number: int) -> dict[str, Any]:
    questions = json.loads((place / "questions.json").read_text(encoding="utf-8"))
    texts = [
        json.loads(line)["text"]
        for part in range(number + 1)
        for line in (place / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    db = sqlite3.connect(place / "words.db")
    db.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61')")
    db.executemany("INSERT INTO words VALUES (?)", [(text,) for text in texts])
    db.commit()
    by_words = []
    for question in questions:
        begun = time.perf_counter()
        match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        db.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 25", (match,)
        ).fetchall()
        by_words.append((time.perf_counter() - begun) * 1000)
    db.close()

    import numpy as np  # noqa: PLC0415

    embedder = PreparedEmbedder(place)
    before = psutil.Process().memory_info().rss
    table = np.concatenate([embedder._turns(texts[at : at + 1_000]) for at in range(0, len(texts), 1_000)])
    used = psutil.Process().memory_info().rss - before
    asked = np.array(embedder.open()[1])
    by_product = []
    for vector in asked:
        begun = time.perf_counter()
        scores = table @ vector
        best = np.argpartition(scores, -25)[-25:]
        best[np.argsort(-scores[best])]
        by_product.append((time.perf_counter() - begun) * 1000)

    def told(times: Sequence[float]) -> dict[str, float]:
        return {"p50": round(percentile(times, 50), 2), "p95": round(percentile(times, 95), 2)}

    return {
        "fts5_ms": told(by_words),
        "fts5_bytes_a_turn": round((place / "words.db").stat().st_size / len(texts)),
        "product_ms": told(by_product),
        "product_memory_mb": round(used / 2**20, 1),
    }


def main() -> None:
    """One step, in a process of its own."""
    step, place, number = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    gc.freeze()  # as a host does (commands/partner_host.py): what is loaded stays for good
    if step == "baselines":
        found = _baselines(place, number)
    else:
        found = asyncio.run(_fill(place, number) if step == "fill" else _ask(place, number))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
