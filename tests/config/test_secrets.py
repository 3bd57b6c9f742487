"""Keys are kept in the system's keyring, or visibly in a file; none is lost, none is shown."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.paths import Home
from partner_desktop.config.secrets import SecretStore
from tests.config.keyrings import (
    moody_keyring,
    no_keyring,
    system_keyring,
)
from tests.support import REPOSITORY, WAIT_S

KEY = "sk-very-secret"
IN_KEYRING = "in the system keyring (test keyring)"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "keyring.json"


def file_of(home: Home) -> Path:
    return home.root / "secrets.toml"


async def test_a_key_is_kept_in_the_system_keyring(home: Home, place: Path) -> None:
    with system_keyring(place) as keyring:
        store = SecretStore(home)
        assert await store.get("cluster") == ""
        assert await store.where() == IN_KEYRING
        assert await store.set("cluster", f"  {KEY}\n") == IN_KEYRING
        assert await store.get("cluster") == KEY
        assert keyring.entries() == {f"partner-desktop {home.root}": {"cluster": KEY}}
        await store.delete("cluster")
        await store.delete("cluster")
        assert await store.get("cluster") == ""
    assert not home.root.exists()


async def test_two_homes_do_not_share_keys(tmp_path: Path, place: Path) -> None:
    with system_keyring(place):
        one, other = SecretStore(Home(tmp_path / "one")), SecretStore(Home(tmp_path / "other"))
        await one.set("cluster", "sk-one")
        assert await other.get("cluster") == ""
        await other.set("cluster", "sk-other")
        await other.delete("cluster")
        assert await one.get("cluster") == "sk-one"


async def test_without_a_keyring_a_file_that_nobody_else_reads_says_that_it_is_one(home: Home) -> None:
    umask = os.umask(0)
    try:
        with no_keyring():
            store = SecretStore(home)
            said = await store.set("cluster", KEY)
            assert said == (
                f"in the file {file_of(home)}, readable by you alone, because this system has no keyring"
            )
            assert stat.S_IMODE(file_of(home).stat().st_mode) == 0o600  # before it is read and closed again
            assert await store.where() == said
            await store.set("other one", 'sk-"odd"\\')
            assert await SecretStore(home).get("cluster") == KEY
            assert await SecretStore(home).get("other one") == 'sk-"odd"\\'
            assert stat.S_IMODE(home.root.stat().st_mode) == 0o700
            await store.delete("other one")
            assert await store.get("cluster") == KEY
            await store.delete("cluster")
            assert list(home.root.iterdir()) == []
    finally:
        os.umask(umask)


async def test_a_file_that_others_may_read_is_closed_to_them(home: Home) -> None:
    home.root.mkdir()
    file_of(home).write_text(f'cluster = "{KEY}"\n', encoding="utf-8")
    file_of(home).chmod(0o644)
    with no_keyring():
        assert await SecretStore(home).get("cluster") == KEY
    assert stat.S_IMODE(file_of(home).stat().st_mode) == 0o600


@pytest.mark.parametrize("mood", ["locked", "broken", "forgets", "hangs"])
async def test_a_keyring_that_does_not_work_is_said_to_and_the_key_is_kept(
    home: Home, place: Path, mood: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with moody_keyring(place) as keyring:
        keyring.mood = mood
        store = SecretStore(home, limit_s=0.1 if mood == "hangs" else WAIT_S)
        said = await store.set("cluster", KEY)
        because = "does not answer" if mood == "hangs" else "does not work or is locked"
        assert said.endswith(f"readable by you alone, because the system keyring {because}")
        assert await store.where() == said
        assert await store.get("cluster") == KEY
    assert KEY not in caplog.text


async def test_a_newer_key_in_the_file_beats_an_older_one_in_the_keyring(home: Home, place: Path) -> None:
    with moody_keyring(place) as keyring:
        store = SecretStore(home)
        await store.set("cluster", "sk-old")
        keyring.mood = "locked"
        await store.set("cluster", "sk-new")
        keyring.mood = "works"
        assert await store.get("cluster") == "sk-new"
        assert await store.set("cluster", "sk-newest") == IN_KEYRING
        assert not file_of(home).exists()
        assert await store.get("cluster") == "sk-newest"


@pytest.mark.parametrize("mood", ["locked", "broken", "hangs"])
async def test_a_key_that_cannot_be_read_is_not_taken_for_none(home: Home, place: Path, mood: str) -> None:
    with moody_keyring(place) as keyring:
        await SecretStore(home).set("cluster", KEY)
        store = SecretStore(home, limit_s=0.1)
        keyring.mood = mood
        with pytest.raises(ConfigError, match="The key of cluster cannot be read because the system keyring"):
            await store.get("cluster")
        with pytest.raises(ConfigError, match="may still be in the system keyring"):
            await store.delete("cluster")
        keyring.mood = "works"
        keyring.let_go.set()
        async with asyncio.timeout(WAIT_S):
            while True:
                try:
                    assert await store.get("cluster") == KEY
                    break
                except ConfigError:  # the call that hung is still on its way out
                    await asyncio.sleep(0)


async def test_a_keyring_that_hangs_is_not_asked_again_meanwhile(home: Home, place: Path) -> None:
    with moody_keyring(place) as keyring:
        keyring.mood = "hangs"
        store = SecretStore(home, limit_s=0.1)
        for _ in range(5):
            with pytest.raises(ConfigError, match="does not answer"):
                await store.get("cluster")
        assert keyring.asked == 1


@pytest.mark.integration
async def test_a_keyring_that_hangs_does_not_hold_the_app_up_at_its_end(tmp_path: Path) -> None:
    script = f"""
        import asyncio
        from pathlib import Path
        from partner_desktop.base.paths import Home
        from partner_desktop.config.secrets import SecretStore
        from tests.config.keyrings import moody_keyring, keyring, MoodyKeyring
        backend = MoodyKeyring(Path({str(tmp_path / "k")!r}))
        backend.mood = "hangs"
        keyring.set_keyring(backend)
        print(asyncio.run(SecretStore(Home(Path({str(tmp_path / "h")!r})), limit_s=0.1).set("a", "sk")))
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(script), stdout=subprocess.PIPE, cwd=REPOSITORY
    )
    output, _ = await asyncio.wait_for(process.communicate(), 20)  # it would hang for 30 s
    assert b"because the system keyring does not answer" in output


async def test_a_call_that_nobody_waits_for_does_not_spoil_the_next(home: Home, place: Path) -> None:
    with system_keyring(place):
        store = SecretStore(home)
        await store.set("cluster", KEY)
        asking = asyncio.create_task(store.get("cluster"), name="get")
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
        assert await store.get("cluster") == KEY


@pytest.mark.parametrize("damage", [b"cluster = ", b"\xff\xfe", b"cluster = 5\n", b"[cluster]\nkey = 'x'\n"])
async def test_a_damaged_file_is_named_and_never_written_over(home: Home, damage: bytes) -> None:
    home.root.mkdir()
    file_of(home).write_bytes(damage + b"# sk-still-here")
    with no_keyring():
        store = SecretStore(home)
        for doing in (store.get("cluster"), store.set("other", KEY), store.delete("cluster")):
            with pytest.raises(ConfigError, match=r"secrets\.toml is damaged") as caught:
                await doing
            assert "sk-still-here" not in str(caught.value)
    assert file_of(home).read_bytes() == damage + b"# sk-still-here"


async def test_a_home_that_cannot_be_written_is_said_to(home: Home) -> None:
    home.root.write_text("a file is in the way", encoding="utf-8")
    with no_keyring(), pytest.raises(ConfigError, match="cannot be"):
        await SecretStore(home).set("cluster", KEY)


@pytest.mark.parametrize(
    "value", ["", "  \n", "two words", "sk-\nsecond line", "sk-“typographic”", "x" * 20_000]
)
async def test_what_is_no_key_is_refused_without_repeating_it(home: Home, place: Path, value: str) -> None:
    with system_keyring(place):
        with pytest.raises(ConfigError, match="This is no key") as caught:
            await SecretStore(home).set("cluster", value)
        assert not value.strip() or value.strip() not in str(caught.value)
    assert not place.exists()


async def test_no_key_is_in_a_repr(home: Home) -> None:
    with no_keyring():
        store = SecretStore(home)
        await store.set("cluster", KEY)
        assert KEY not in repr(vars(store))
