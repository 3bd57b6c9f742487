"""A Partner beside a hub on the loopback, and waits for what comes of a download."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DownloadsEvent, Event
from partner_desktop.domain.model_download import Download
from tests.model.hub import FakeHub, HubFileData, HubRepository, model_bytes, serving
from tests.support import HastyClock, Watcher

REPOSITORY = "someone/tiny-GGUF"
FILE = "tiny-Q4_K_M.gguf"
LINK = f"{REPOSITORY}/resolve/main/{FILE}"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with serving() as one:
        monkeypatch.setenv("HF_ENDPOINT", one.url)
        monkeypatch.setenv("HF_HUB_DOWNLOAD_TIMEOUT", "2")
        for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "HF_HOME", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy"):
            monkeypatch.delenv(name, raising=False)
        yield one


@asynccontextmanager
async def launched(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner on the home, as often as a test wants."""
    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        yield partner, watcher
    finally:
        await partner.close()


def one_file(hub: FakeHub, data: HubFileData, *, name: str = FILE) -> HubRepository:
    """The repository, with this file alone."""
    repository = hub.add(REPOSITORY)
    repository.files[name] = data
    return repository


def gated_file(size: int, gate_at: int) -> HubFileData:
    """One that stops at a place until its gate is opened."""
    return HubFileData(model_bytes(size), gate_at=gate_at)


def staged(home: Home) -> int:
    """Bytes of it that are on their way."""
    return sum(path.stat().st_size for path in home.models.glob(f".downloads/*/{FILE}.part"))


async def state_of(watcher: Watcher, download: Download, *states: str) -> Download:
    """It, once it is in one of these states."""
    seen: list[Download] = []

    def fits(event: Event) -> bool:
        if not isinstance(event, DownloadsEvent):
            return False
        seen[:] = [one for one in event.downloads if one.id == download.id and one.state in states]
        return bool(seen)

    await watcher.until(fits)
    return seen[0]


async def fetched(partner: Partner, watcher: Watcher, reference: str, **options: str) -> Download:
    """Begun, and at its end, whichever that is; what it came to before is not looked at."""
    begun = await partner.downloads.start(reference, **options)
    return await state_of(watcher, begun, "done", "failed", "paused")
