"""Downloads of a whole Partner from a hub on the loopback: shown, paused, resumed, checked, taken in."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from partner_desktop.base.errors import ModelError, UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DownloadsEvent, ModelsEvent
from tests.model.downloads.fetching import (
    FILE,
    LINK,
    REPOSITORY,
    fetched,
    gated_file,
    hub,
    launched,
    one_file,
    staged,
    state_of,
)
from tests.model.engine import until
from tests.model.hub import FakeHub, HubFileData, model_bytes

pytestmark = pytest.mark.integration

__all__ = ["hub"]

SIZE = 6_000_000


async def settled(home: Home, *wanted: str) -> None:
    """Wait until the models' folder holds these files and no others: what came has then gone to the disk."""
    await until(lambda: left(home) == list(wanted))


def left(home: Home) -> list[str]:
    """Every file below the models' folder."""
    return sorted(
        path.relative_to(home.models).as_posix() for path in home.models.rglob("*") if path.is_file()
    )


@pytest.mark.promise("model.download")
async def test_a_link_becomes_a_model_that_answers_with_its_progress_shown(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    data = gated_file(SIZE, 4_000_000)
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        begun = await partner.downloads.start(f"{hub.url}/{LINK}?download=true")
        assert (begun.title, begun.file, begun.state) == ("tiny-Q4_K_M", FILE, "waiting")
        await asyncio.to_thread(data.reached.wait)
        data.gate.set()
        done = await state_of(said, begun, "done")
        path = Path(done.path)
        assert path == home.models / REPOSITORY / FILE
        assert hashlib.sha256(path.read_bytes()).hexdigest() == data.truth
        assert (done.model, done.done_bytes, done.size_bytes) == ("tiny-Q4_K_M", SIZE, SIZE)
        await settled(home, f"{REPOSITORY}/{FILE}")
        states = [
            event.downloads[0].state
            for event in said.events
            if isinstance(event, DownloadsEvent) and event.downloads
        ]
        assert list(dict.fromkeys(states)) == ["waiting", "loading", "checking", "done"]
        await said.until(lambda event: isinstance(event, ModelsEvent) and event.mind == "tiny-Q4_K_M")
        assert (await partner.downloads.start(f"hf.co/{LINK}")).id == done.id
    async with launched(home, action_dir) as (partner, _):
        assert [one.state for one in partner.downloads.list()] == ["done"]
        assert partner.models.mind() == "tiny-Q4_K_M"


async def test_what_a_repository_holds_is_listed_with_fit_and_licence(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    repository = hub.add(
        REPOSITORY,
        **{
            "big-Q8_0-00001-of-00002__gguf": model_bytes(3000),
            "big-Q8_0-00002-of-00002__gguf": model_bytes(2000),
            "small-Q4_K_M__gguf": model_bytes(1000),
            "mmproj-f16__gguf": model_bytes(500),
        },
    )
    repository.names += ["../../evil.gguf", "/etc/evil.gguf", "evil\n.gguf"]
    async with launched(home, action_dir) as (partner, _):
        listing = await partner.downloads.look(f"https://huggingface.co/{REPOSITORY}")
        assert (listing.licence, listing.revision, listing.file) == ("apache-2.0", repository.commit, "")
        assert [(one.file, one.size_bytes, one.quantisation, one.purpose) for one in listing.files] == [
            ("small-Q4_K_M.gguf", 1000, "Q4_K_M", "chat"),
            ("big-Q8_0-00001-of-00002.gguf", 5000, "Q8_0", "chat"),
            ("mmproj-f16.gguf", 500, "F16", "projector"),
        ]
        assert all(one.fit.needed_bytes > one.size_bytes for one in listing.files)
        named = await partner.downloads.look(f"{REPOSITORY}:q4_k_m")
        assert named.file == "small-Q4_K_M.gguf"
        with pytest.raises(UsageError, match=r"holds several models\. Say which: small-Q4_K_M\.gguf, big"):
            await partner.downloads.start(REPOSITORY)
        assert partner.downloads.list() == ()


async def test_parts_are_one_download_and_eyes_are_no_model(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    hub.add(
        REPOSITORY,
        **{
            "big-00001-of-00002__gguf": model_bytes(300_000, b"1"),
            "big-00002-of-00002__gguf": model_bytes(200_000, b"2"),
            "mmproj-f16__gguf": model_bytes(500),
        },
    )
    async with launched(home, action_dir) as (partner, said):
        done = await fetched(partner, said, REPOSITORY, file="big-00002-of-00002.gguf")
        assert (done.state, done.size_bytes, done.model) == ("done", 500_000, "big")
        eyes = await fetched(partner, said, REPOSITORY, file="mmproj-f16.gguf")
        assert (eyes.state, eyes.model) == ("done", "")
        assert [one.name for one in partner.models.list()] == ["big"]
        names = ("big-00001-of-00002.gguf", "big-00002-of-00002.gguf", "mmproj-f16.gguf")
        await settled(home, *(f"{REPOSITORY}/{name}" for name in names))


async def test_a_pause_keeps_what_came_and_a_resume_asks_for_the_rest_alone(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    data = gated_file(SIZE, 4_000_000)
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        begun = await partner.downloads.start(REPOSITORY)
        await until(lambda: staged(home) == 4_000_000)
        paused = await partner.downloads.pause(begun.id)
        assert (paused.state, paused.reason, paused.bytes_per_s) == ("paused", "", 0.0)
        data.gate.set()
    async with launched(home, action_dir) as (partner, said):
        assert [one.state for one in partner.downloads.list()] == ["paused"]
        await partner.downloads.resume(begun.id)
        assert (await state_of(said, begun, "done", "failed")).state == "done"
    first, second = hub.bodies(f"{FILE}?signature=1")
    assert (first.first, second.if_range) == (-1, data.served_etag())
    assert second.first == 4_000_000
    assert second.first + second.sent == SIZE


async def test_one_loads_at_a_time_in_the_order_in_which_they_were_wanted(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    data = gated_file(SIZE, 1_000_000)
    repository = one_file(hub, data)
    repository.files["second.gguf"] = HubFileData(model_bytes(1000, b"2"))
    repository.files["third.gguf"] = HubFileData(model_bytes(1000, b"3"))
    async with launched(home, action_dir) as (partner, said):
        begun = [await partner.downloads.start(REPOSITORY, file=file) for file in repository.files]
        await asyncio.to_thread(data.reached.wait)
        assert [one.state for one in partner.downloads.list()] == ["waiting", "waiting", "loading"]
        await partner.downloads.pause(begun[1].id)
        await partner.downloads.cancel(begun[0].id)
        assert (await state_of(said, begun[2], "done")).state == "done"
        assert [(one.file, one.state) for one in partner.downloads.list()] == [
            ("third.gguf", "done"),
            ("second.gguf", "paused"),
        ]
        await settled(home, f"{REPOSITORY}/third.gguf")
        await partner.downloads.cancel(begun[1].id)
        await partner.downloads.cancel(begun[2].id)
        assert partner.downloads.list() == ()
        assert left(home) == [f"{REPOSITORY}/third.gguf"]
        with pytest.raises(UsageError, match="There is no download"):
            await partner.downloads.resume(begun[1].id)


async def test_a_stream_that_breaks_off_goes_on_by_itself(home: Home, action_dir: Path, hub: FakeHub) -> None:
    data = HubFileData(model_bytes(SIZE), cut_after=[1_000_000, 2_000_000])
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        assert (await fetched(partner, said, REPOSITORY)).state == "done"
    assert [one.first for one in hub.bodies()] == [-1, 1_000_000, 3_000_000]


async def test_a_model_that_power_cut_short_after_it_had_its_name_is_completed_where_it_lies(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    """It has its name before all of it is on the disk, and is listed as loading until it is."""
    data = gated_file(SIZE, 4_000_000)
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        begun = await partner.downloads.start(REPOSITORY)
        await until(lambda: staged(home) == 4_000_000)
        await partner.downloads.pause(begun.id)
        data.gate.set()
        path = home.models / REPOSITORY / FILE
        path.parent.mkdir(parents=True)
        path.hardlink_to(next(home.models.glob(f".downloads/*/{FILE}.part")))
        await partner.downloads.resume(begun.id)
        done = await state_of(said, begun, "done", "failed")
        assert (done.state, done.path) == ("done", str(path)), done.reason
        assert hashlib.sha256(path.read_bytes()).hexdigest() == data.truth
        await settled(home, f"{REPOSITORY}/{FILE}")
    assert hub.bodies()[-1].first == 4_000_000


async def test_a_file_that_changed_at_the_hub_begins_anew(home: Home, action_dir: Path, hub: FakeHub) -> None:
    data = gated_file(SIZE, 4_000_000)
    repository = one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        begun = await partner.downloads.start(REPOSITORY)
        await asyncio.to_thread(data.reached.wait)
        await partner.downloads.pause(begun.id)
        data.gate.set()
        changed = repository.files[FILE] = HubFileData(model_bytes(SIZE, b"other"), etag='"new"')
        await partner.downloads.resume(begun.id)
        done = await state_of(said, begun, "done", "failed")
        assert done.state == "done", done.reason
        assert hub.bodies()[-1].first == -1
        assert hashlib.sha256(Path(done.path).read_bytes()).hexdigest() == changed.truth


async def test_a_cdn_that_does_not_know_the_bytes_any_more_begins_anew(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    data = gated_file(SIZE, 4_000_000)
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        begun = await partner.downloads.start(REPOSITORY)
        await asyncio.to_thread(data.reached.wait)
        await partner.downloads.pause(begun.id)
        data.gate.set()
        data.etag = '"packed anew"'
        await partner.downloads.resume(begun.id)
        assert (await state_of(said, begun, "done", "failed")).state == "done"
    assert hub.bodies()[-1].sent == SIZE


async def test_a_model_of_the_list_is_held_to_its_hash(home: Home, action_dir: Path, hub: FakeHub) -> None:
    """The hub has something else than the list knows."""
    repository = hub.add("Qwen/Qwen3-0.6B-GGUF")
    repository.files["Qwen3-0.6B-Q8_0.gguf"] = HubFileData(model_bytes(1000))
    async with launched(home, action_dir) as (partner, said):
        listed = {one.id: one for one in await partner.downloads.catalog()}
        assert sum(one.suggested for one in listed.values()) == 1
        failed = await fetched(partner, said, "qwen3-0.6b")
        assert (failed.title, failed.state) == ("Qwen3 0.6B", "failed")
        assert "is of another size than the hub said (1.0 kB instead of 639 MB)" in failed.reason
        assert left(home) == []


async def test_a_repository_that_is_not_there_is_told_as_it_is_looked_at(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    async with launched(home, action_dir) as (partner, _):
        with pytest.raises(ModelError, match="There is no repository nobody/nothing, or it is private"):
            await partner.downloads.look("nobody/nothing")
        hub.add(REPOSITORY).names.append("only.safetensors")
        with pytest.raises(UsageError, match="holds no GGUF file"):
            await partner.downloads.start(REPOSITORY)


async def test_who_asks_for_the_same_model_at_once_begins_one_download(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    one_file(hub, gated_file(SIZE, 1_000))
    async with launched(home, action_dir) as (partner, _):
        begun = await asyncio.gather(*(partner.downloads.start(REPOSITORY, file=FILE) for _ in range(3)))
        assert len({one.id for one in begun}) == len(partner.downloads.list()) == 1


async def test_what_is_cancelled_is_not_brought_back_by_who_resumes_it_meanwhile(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    data = gated_file(SIZE, 1_000)
    one_file(hub, data)
    async with launched(home, action_dir) as (partner, said):
        begun = await partner.downloads.start(REPOSITORY, file=FILE)
        await state_of(said, begun, "loading")
        await partner.downloads.pause(begun.id)
        _, resumed = await asyncio.gather(
            partner.downloads.cancel(begun.id),
            partner.downloads.resume(begun.id),
            return_exceptions=True,
        )
        assert isinstance(resumed, UsageError)
        assert partner.downloads.list() == ()
        assert left(home) == []
    async with launched(home, action_dir) as (partner, _):
        assert partner.downloads.list() == ()
