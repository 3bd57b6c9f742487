"""A hub that behaves badly, a disk that is full: one clear sentence each, and nothing broken."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import speaking
from partner_desktop.base.paths import Home
from tests.model.downloads.fetching import (
    FILE,
    REPOSITORY,
    fetched,
    gated_file,
    hub,
    launched,
    one_file,
    state_of,
)
from tests.model.downloads.test_downloads import SIZE, left
from tests.model.hub import FakeHub, HubFileData, HubRepository, model_bytes

pytestmark = [pytest.mark.integration, pytest.mark.slow]

__all__ = ["hub"]


def _gated(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, data
    repository.gated = True


def _private(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, data
    repository.token = "hf_secret"


def _gone(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, data
    repository.files.clear()


def _forbidden(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.status = [403]


def _busy(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.status, data.retry_after = [429], "42"


def _broken(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.status = [503]


def _circle(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, data
    repository.circle = True


def _to_a_file(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.leads_to = "file:///etc/passwd"


def _wrong_hash(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.sha256 = "0" * 64


def _smaller(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.said_size = data.size + 1


def _larger(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.said_size = data.size - 1


def _huge(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.said_size = 10**15


def _no_model(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.content = b"<!doctype html><title>Log in to the net</title>" * 100


def _cuts(hub: FakeHub, repository: HubRepository, data: HubFileData) -> None:
    del hub, repository
    data.cut_after = [1_000_000, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("make_bad", "state", "sentence"),
    [
        (_gated, "failed", "wants its terms accepted: do so at http://127.0.0.1"),
        (_private, "failed", "There is no repository someone/tiny-GGUF, or it is private: set HF_TOKEN"),
        (_gone, "failed", f"someone/tiny-GGUF has no file {FILE}."),
        (_forbidden, "failed", "may not be read with this token, or without one"),
        (_busy, "paused", "is asked too often, and wants 42 s of rest"),
        (_broken, "paused", "failed with status 503. Resume later."),
        (_circle, "failed", "sends round in a circle"),
        (_to_a_file, "failed", "sends to an address that is not safe. Nothing was fetched from there"),
        (_wrong_hash, "failed", "is not what it should be: its hash is wrong. It was removed"),
        (_smaller, "failed", "is of another size than the hub said"),
        (_larger, "failed", "than the hub said (6,000,000 B instead of 5,999,999 B)"),
        (_huge, "paused", "The disk has no room: 1000 TB are needed"),
        (_no_model, "failed", "does not begin as GGUF files do"),
        (_cuts, "paused", "The connection broke off again and again. Resume"),
    ],
    ids=lambda value: getattr(value, "__name__", "").strip("_") or None,
)
async def test_whatever_goes_wrong_is_told_in_one_sentence_and_leaves_no_half_model(
    home: Home,
    action_dir: Path,
    hub: FakeHub,
    make_bad: object,
    state: str,
    sentence: str,
) -> None:
    data = HubFileData(model_bytes(SIZE))
    repository = one_file(hub, data)
    assert callable(make_bad)
    make_bad(hub, repository, data)
    async with launched(home, action_dir) as (partner, said):
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert ended.state == state
        assert sentence in ended.reason
        with speaking("zh"):
            assert partner.downloads.list()[0].reason.endswith("。")
        assert [name for name in left(home) if not name.startswith(".downloads/")] == []
        assert list(partner.models.list()) == []
        repository.gated = repository.circle = False
        repository.token = ""
        good = repository.files[FILE] = HubFileData(model_bytes(SIZE))
        await partner.downloads.resume(ended.id)
        said.events.clear()
        done = await state_of(said, ended, "done", "failed", "paused")
        assert (done.state, Path(done.path).stat().st_size) == ("done", good.size), done.reason


async def test_a_machine_that_is_offline_is_told_so_and_goes_on_where_it_was(
    home: Home, action_dir: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE)))
    there = hub.url
    monkeypatch.setenv("HF_ENDPOINT", "http://no-such-host.invalid")
    async with launched(home, action_dir) as (partner, said):
        with pytest.raises(ModelError, match=r"no-such-host\.invalid could not be found: this machine seems"):
            await partner.downloads.look(REPOSITORY)
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert (ended.state, "this machine seems to be offline" in ended.reason) == ("paused", True)
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{port}")
        said.events.clear()
        await partner.downloads.resume(ended.id)
        ended = await state_of(said, ended, "failed", "paused")
        assert f"127.0.0.1:{port} could not be reached" in ended.reason
        monkeypatch.setenv("HF_ENDPOINT", there)
        await partner.downloads.resume(ended.id)
        assert (await state_of(said, ended, "done")).reason == ""


async def test_a_hub_that_falls_silent_is_given_up_and_waits(
    home: Home, action_dir: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_DOWNLOAD_TIMEOUT", "1")
    data = gated_file(SIZE, 1)
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert (ended.state, "said nothing for too long" in ended.reason) == ("paused", True), ended.reason
        data.gate.set()
        await partner.downloads.resume(ended.id)
        await state_of(said, ended, "done")


async def test_a_token_goes_to_the_hub_and_to_nobody_else(
    home: Home, action_dir: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    repository = one_file(hub, HubFileData(model_bytes(SIZE)))
    repository.gated, repository.token = True, "hf_secret"
    async with launched(home, action_dir) as (partner, said):
        assert (await fetched(partner, said, REPOSITORY)).state == "done"
    assert {(one.host, one.token) for one in hub.asked} == {("hub", "hf_secret"), ("cdn", "")}


@pytest.fixture
def small_home(tmp_path: Path) -> Iterator[Home]:
    """On a disk of its own, of 300 megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300m,mode=700", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if made.returncode != 0:
        pytest.skip(f"a small disk needs the right to mount: {made.stderr.decode().strip()}")
    yield Home(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


async def test_a_disk_that_fills_up_while_it_loads_is_told_and_the_download_waits(
    small_home: Home, action_dir: Path, hub: FakeHub
) -> None:
    data = gated_file(SIZE, 2_000_000)
    one_file(hub, data)
    async with launched(small_home, action_dir) as (partner, said):
        begun = await partner.downloads.start(REPOSITORY)
        await asyncio.to_thread(data.reached.wait)
        ballast = small_home.root / "ballast"
        await asyncio.to_thread(_fill, ballast, 1024 * 1024)
        data.gate.set()
        ended = await state_of(said, begun, "paused", "failed")
        assert (ended.state, ended.reason.startswith("The disk has no room: ")) == ("paused", True)
        ballast.unlink()
        said.events.clear()
        await partner.downloads.resume(begun.id)
        done = await state_of(said, begun, "done", "failed", "paused")
        assert done.state == "done", done.reason
    assert [one.first > 0 for one in hub.bodies()] == [False, True]


def _fill(path: Path, spare: int) -> None:
    """Take all but so much of a disk."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(65_536))
        except OSError:
            file.truncate(max(0, file.tell() - spare))


async def test_a_hub_that_talks_on_about_what_is_wrong_is_not_listened_to(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE), status=[500], talks_on=True))
    async with launched(home, action_dir) as (partner, said):
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert (ended.state, "failed with status 500" in ended.reason) == ("paused", True)


async def test_a_list_that_swells_ends_the_look_and_not_the_machine(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE))).swells = 1 << 30
    async with launched(home, action_dir) as (partner, _):
        with pytest.raises(ModelError, match="answered as no hub does"):
            await partner.downloads.look(REPOSITORY)


async def test_names_that_are_none_do_not_hide_the_models_beside_them(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE))).names = ["n" * 6_000_000 + ".gguf"]
    async with launched(home, action_dir) as (partner, _):
        assert [one.file for one in (await partner.downloads.look(REPOSITORY)).files] == [FILE]


async def test_a_folder_of_models_that_cannot_be_reached_keeps_nobody_from_talking(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE)))
    home.root.mkdir(exist_ok=True)
    home.models.symlink_to("n" * 300)  # no system follows it
    async with launched(home, action_dir) as (partner, said):
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert (ended.state, "could not be kept" in ended.reason) == ("paused", True)
