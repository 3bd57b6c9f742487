"""The real program, killed in the middle of a download; and what its commands say."""

from __future__ import annotations

import os
import signal

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from partner_desktop.base.paths import Home
from tests.features.test_command_line import Cli, cli
from tests.model.downloads.fetching import (
    FILE,
    REPOSITORY,
    gated_file,
    hub,
    launched,
    one_file,
    staged,
    state_of,
)
from tests.model.downloads.test_downloads import SIZE, left
from tests.model.engine import gone, until
from tests.model.hub import FakeHub, HubFileData, model_bytes

pytestmark = [pytest.mark.integration, pytest.mark.slow]

__all__ = ["cli", "hub"]


@pytest.mark.promise("model.download")
async def test_after_sigkill_it_goes_on_by_itself_and_no_byte_is_read_twice(cli: Cli, hub: FakeHub) -> None:
    data = gated_file(SIZE, 4_000_000)
    one_file(hub, data)
    process = cli.start("models", "get", REPOSITORY)
    home = Home(cli.home)
    await until(lambda: staged(home) == 4_000_000)
    children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    await until(lambda: all(gone(child.pid) for child in children))
    assert children, "a process of its own fetches"
    assert "waits  66 %  4.0 MB / 6.0 MB" in cli.run("models", "downloads").stdout
    data.gate.set()
    async with launched(home, cli.action_dir) as (partner, said):
        (found,) = partner.downloads.list()
        done = await state_of(said, found, "done", "failed", "paused")
        assert (done.state, done.model) == ("done", "tiny-Q4_K_M"), done.reason
    first, second = hub.bodies()
    assert (first.first, second.first) == (-1, 4_000_000)
    assert 4_000_000 + second.sent == SIZE
    assert left(home) == [f"{REPOSITORY}/{FILE}"]


async def test_a_download_in_a_terminal_waits_at_ctrl_c_and_is_resumed_by_the_beginning_of_its_id(
    cli: Cli, hub: FakeHub
) -> None:
    data = gated_file(SIZE, 4_000_000)
    one_file(hub, data)
    process = cli.start("models", "get", REPOSITORY)
    home = Home(cli.home)
    await until(lambda: staged(home) == 4_000_000)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "It waits; `models resume " in said
    listed = cli.run("models", "downloads").stdout
    assert "■" in listed
    assert "tiny-Q4_K_M  paused  66 %  4.0 MB / 6.0 MB" in listed
    data.gate.set()
    resumed = cli.run("models", "resume", listed.split()[1])
    path = home.models / REPOSITORY / FILE
    assert resumed.stdout.endswith(f"It is here: {path}\nIt is called tiny-Q4_K_M from now on.\n")
    assert "● " in (shown := cli.run("models", "list").stdout) or "tiny-Q4_K_M" in shown
    cancelled = cli.run("models", "cancel", "tiny-Q4_K_M")
    assert "is given up; what had come of it is gone. A model that was here whole stays" in cancelled.stdout
    assert path.is_file()
    assert (
        cli.run("models", "downloads").stdout
        == "There are no downloads; `models catalog` lists models to fetch, `models get ID` fetches one.\n"
    )


def test_the_list_and_a_repository_are_shown_in_a_terminal(cli: Cli, hub: FakeHub) -> None:
    one_file(hub, HubFileData(model_bytes(2_000)))
    catalog = cli.run("models", "catalog").stdout
    assert "★ " in catalog
    assert "qwen3-4b" in catalog
    looked = cli.run("models", "look", f"https://huggingface.co/{REPOSITORY}").stdout
    assert looked.splitlines()[0] == f"{REPOSITORY} (01234567, apache-2.0)"
    assert f"2.0 kB  Q4_K_M   {FILE}" in looked
    refused = cli.run("models", "get", "https://example.com/a/b")
    assert (refused.returncode, "this link leads to example.com" in refused.stderr) == (2, True)
    code, events = cli.events("models", "get", REPOSITORY)
    assert (code, events[-1]["state"], events[-1]["model"]) == (0, "done", "tiny-Q4_K_M")
