"""Downloads that bring nothing, or what nobody can use, and a way that is not safe."""

from __future__ import annotations

import hashlib
import ssl
import subprocess
from pathlib import Path

import pytest

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
from tests.model.hub import HEADER, FakeHub, HubFileData, model_bytes, serving

pytestmark = [pytest.mark.integration, pytest.mark.slow]

__all__ = ["hub"]


@pytest.mark.parametrize("drips_s", [0.0, 0.05], ids=["nothing", "a byte now and then"])
async def test_a_download_that_stalls_is_resumed_a_few_times_and_then_waits(
    home: Home, action_dir: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch, drips_s: float
) -> None:
    monkeypatch.delenv("HF_HUB_DOWNLOAD_TIMEOUT")
    data = gated_file(SIZE, 2_000_000)
    data.drips_s = drips_s
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        await partner.config.set("model", ("stall_seconds",), 0.4)
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert (ended.state, "said nothing for too long" in ended.reason) == ("paused", True), ended.reason
        assert ended.done_bytes >= 2_000_000
        first, *others = data.begun
        assert (first, len(others)) == (0, 3)
        assert min(others) >= 2_000_000  # none of it was fetched twice
        data.gate.set()
        said.events.clear()
        await partner.downloads.resume(ended.id)
        done = await state_of(said, ended, "done", "failed", "paused")
        assert done.state == "done", done.reason


async def test_what_comes_again_in_time_is_no_stall(
    home: Home, action_dir: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_HUB_DOWNLOAD_TIMEOUT")
    data = HubFileData(model_bytes(SIZE), cut_after=[1_000_000] * 5)
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert ended.state == "done", ended.reason
    assert len(hub.bodies()) == 6


@pytest.mark.parametrize(
    "content",
    [b"GGUF" + bytes(range(256)) * 4_000, b"GGUF", HEADER[:20], HEADER[:4] + b"\x09" + HEADER[5:]],
    ids=["rubbish", "nothing", "cut", "a version of nobody"],
)
async def test_what_is_no_model_behind_a_right_hash_is_told_kept_by_name_and_not_used(
    home: Home, action_dir: Path, hub: FakeHub, content: bytes
) -> None:
    repository = one_file(hub, HubFileData(content))
    async with launched(home, action_dir) as (partner, said):
        ended = await fetched(partner, said, REPOSITORY, file=FILE)
        assert (ended.state, ended.model) == ("failed", "")
        assert f"{FILE} is what the hub has, and no model all the same" in ended.reason
        assert Path(ended.path).read_bytes() == content
        assert str(Path(ended.path).name) == FILE
        assert list(partner.models.list()) == []
        assert not [name for name in left(home) if name.startswith(".downloads/")]
        repository.files[FILE] = HubFileData(model_bytes(SIZE))
        said.events.clear()
        await partner.downloads.resume(ended.id)
        done = await state_of(said, ended, "done", "failed", "paused")
        assert done.state == "done", done.reason
        assert hashlib.sha256(Path(done.path).read_bytes()).hexdigest() == repository.files[FILE].truth
        assert Path(ended.path).read_bytes() == content


async def test_a_way_from_a_safe_address_to_an_open_one_is_not_taken(
    home: Home, action_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secure = _certified(tmp_path, monkeypatch)
    with serving(secure=secure) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        one_file(hub, HubFileData(model_bytes(SIZE)))
        async with launched(home, action_dir) as (partner, said):
            assert [one.file for one in (await partner.downloads.look(REPOSITORY)).files] == [FILE]
            ended = await fetched(partner, said, REPOSITORY, file=FILE)
            assert ended.state == "failed"
            assert "sends to an address that is not safe. Nothing was fetched from there" in ended.reason
        assert {one.host for one in hub.asked} == {"hub"}


def _certified(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's side of TLS, whom the process that fetches trusts."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-keyout", str(key), "-out", str(certificate)),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
