"""Remote servers that want a sign-in (OAuth): a real authorization server, a real Partner."""

from __future__ import annotations

import asyncio
import logging
import socket
import urllib.parse
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import ConfigError, UsageError
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet
from partner_desktop.config.secrets import SecretStore
from partner_desktop.domain.events import ServersEvent
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus, SignIn, SignInState
from partner_desktop.runner.mcp.configuration.secrets import ServerSecrets
from partner_desktop.runner.mcp.port import Authorize, Challenge, ResolvedServer, Revoke
from partner_desktop.runner.mcp.sign_in.server_sign_in import ServerSignIn, SignInParts
from partner_desktop.runner.mcp.sign_in.sign_in_record import SignInRecord, may_be_asked
from tests.support import Trusting, Watcher

from .serving import call, listed, status, until, until_listed, until_phase, write
from .sign_in_server import SECRET, World, browse, fetched, guarded

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.mcp.oauth")]


Back = dict[str, str | None]


@pytest.fixture
def world() -> Iterator[World]:
    with guarded() as one:
        yield one


def add(action_dir: Path, world: World, **more: Any) -> None:
    write(action_dir, "remote.json", {"remote": {"type": "http", "url": world.url, **more}})


async def needs_sign_in(partner: Partner, watcher: Watcher) -> ServerStatus:
    def there() -> bool:
        found = status(partner, "remote")
        if found is None or found.sign_in is None:
            return False
        return (found.phase, found.sign_in.state) == (ServerPhase.WAITING, SignInState.NEEDED)

    await until(partner, watcher, there)
    found = status(partner, "remote")
    assert found is not None
    return found


async def signed_in(partner: Partner, watcher: Watcher) -> ServerStatus:
    """Press, let the browser go through it, and wait for the tools."""
    page = await partner.servers.sign_in("remote")
    done, text = await asyncio.to_thread(browse, page)
    assert (done, "You are signed in" in text) == (200, True)
    await partner.servers.sign_in_settled("remote")
    found = await until_phase(partner, watcher, "remote", ServerPhase.READY)
    assert found.sign_in is not None
    assert found.sign_in.state is SignInState.DONE
    return found


async def refused(partner: Partner) -> str:
    """Why the sign-in that is under way came to nothing."""
    await partner.servers.sign_in_settled("remote")
    found = status(partner, "remote")
    assert found is not None
    assert found.sign_in is not None
    assert found.sign_in.state is SignInState.REFUSED
    return found.sign_in.reason


async def until_state(partner: Partner, watcher: Watcher, state: SignInState) -> None:
    def there() -> bool:
        found = status(partner, "remote")
        return found is not None and found.sign_in is not None and found.sign_in.state is state

    await until(partner, watcher, there)


async def test_a_server_is_signed_in_to_by_a_press_and_never_by_itself(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World, home: Home
) -> None:
    caught: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: caught.append(record.getMessage())  # type: ignore[method-assign]
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        add(action_dir, world)
        await needs_sign_in(partner, watcher)
        assert world.asked == [], "nothing is asked of anybody before the press"
        with pytest.raises(Exception, match="needs you to sign in first"):
            await partner.servers.read_resource("remote", "x://y")

        await signed_in(partner, watcher)
        assert listed(partner, "remote") == ["remote::hello"]
        (asked,) = world.authorized
        assert (asked["code_challenge_method"], asked["resource"]) == ("S256", world.url)
        assert asked["redirect_uri"].startswith("http://127.0.0.1:")
        assert [each["resource"] for each in world.token_requests] == [world.url]
        done = await call(partner, watcher, "remote::hello", "x1")
        assert done.action.stdout == "hello"
        failed = await call(partner, watcher, "remote::hello", "x2", fail=True)
        assert "hello •••" in str(failed.action.error)
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    told = "\n".join([*caught, *map(repr, watcher.events), repr(partner.servers.list())])
    assert SECRET not in told
    everywhere = [path for path in (*home.root.rglob("*"), *action_dir.rglob("*")) if path.is_file()]
    holding = [path.name for path in everywhere if SECRET.encode() in path.read_bytes()]
    assert holding == []
    assert "mcp-sign-in:remote" in (home.root / "secrets.toml").read_text(), "no keyring of the system here"


async def test_a_sign_in_outlives_a_restart_and_is_renewed_where_it_was_given(
    home: Home, action_dir: Path, world: World
) -> None:
    async with living(home, action_dir) as (partner, watcher):
        add(action_dir, world)
        await needs_sign_in(partner, watcher)
        await signed_in(partner, watcher)
    world.end_tokens()
    async with living(home, action_dir) as (partner, watcher):
        await until_listed(partner, watcher, "remote::hello")
        assert [each["grant_type"] for each in world.token_requests] == [
            "authorization_code",
            "refresh_token",
        ]
        assert world.token_requests[-1]["resource"] == world.url
        assert len(world.authorized) == 1
        world.end_tokens()
        done = await call(partner, watcher, "remote::hello", "x1")
        assert done.action.stdout == "hello", "in use, too, and without a word"
        several = await asyncio.gather(*(call(partner, watcher, "remote::hello", f"y{n}") for n in range(4)))
        assert {each.action.stdout for each in several} == {"hello"}
    assert [each["grant_type"] for each in world.token_requests].count("refresh_token") == 2


async def test_a_revoked_sign_in_asks_the_person_and_the_link_goes_on_after_that(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    world.end_tokens()
    world.takes_refresh = False
    failed = await call(partner, watcher, "remote::hello", "x1")
    assert "it wants you to sign in" in str(failed.action.error)
    found = status(partner, "remote")
    assert found is not None
    assert found.sign_in is not None
    assert (found.phase, found.sign_in.state) == (ServerPhase.READY, SignInState.NEEDED)
    assert found.sign_in.reason == "The last sign-in is over."
    begun = len(watcher.events)
    await signed_in(partner, watcher)
    after = [event for event in watcher.events[begun:] if isinstance(event, ServersEvent)]
    assert {each.phase for event in after for each in event.changed} == {ServerPhase.READY}
    done = await call(partner, watcher, "remote::hello", "x2")
    assert done.action.stdout == "hello"
    assert world.asked.count("POST /register") == 1, "the client is registered once"


async def test_a_call_that_wants_more_rights_is_refused_until_the_person_grants_them(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    world.scope_for_call = "write"
    failed = await call(partner, watcher, "remote::hello", "x1")
    assert "sign in once more, for further rights" in str(failed.action.error)
    await until_state(partner, watcher, SignInState.NEEDED)
    await signed_in(partner, watcher)
    assert world.authorized[-1]["scope"] == "read write", "what was granted before is asked for again"
    done = await call(partner, watcher, "remote::hello", "x2")
    assert done.action.stdout == "hello"


async def test_a_sign_in_without_renewal_says_until_when_it_holds_and_then_asks_again(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    world.gives_refresh = False
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    found = await signed_in(partner, watcher)
    assert found.sign_in is not None
    assert found.sign_in.until is not None
    world.end_tokens()
    await call(partner, watcher, "remote::hello", "x1")
    await until_state(partner, watcher, SignInState.NEEDED)


async def test_an_answer_with_another_state_changes_nothing(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    page = await partner.servers.sign_in("remote")
    assert await partner.servers.sign_in("remote") == page, "one at a time"
    ways: list[Back] = [{"state": "guessed"}, {"state": None}, {"state": "x", "error": "access_denied"}]
    for changed in ways:
        answer, text = await asyncio.to_thread(browse, page, **changed)
        assert (answer, "does not belong" in text) == (400, True)
    given = urllib.parse.parse_qs(urllib.parse.urlsplit(page).query)["redirect_uri"][0]
    assert (await asyncio.to_thread(fetched, given.replace("127.0.0.1", "localhost")))[0] == 404
    assert (await asyncio.to_thread(fetched, given.replace("/callback", "/")))[0] == 404
    assert world.token_requests == []
    answer, _ = await asyncio.to_thread(browse, page)
    assert answer == 200
    await partner.servers.sign_in_settled("remote")
    await until_phase(partner, watcher, "remote", ServerPhase.READY)


Change = Callable[[World], object]
HERE_ONLY = "leads to http://example.com, which is not encrypted or is this computer"
LIES: dict[str, tuple[Change, str]] = {
    "another issuer": (
        lambda world: world.metadata.update(issuer="https://evil.example"),
        "does not hold together, so nothing was sent there",
    ),
    "another resource": (
        lambda world: world.resource_metadata.update(resource="https://bank.example/mcp"),
        "says that one signs in for https://bank.example/mcp there, which is another server",
    ),
    "an unencrypted token endpoint": (
        lambda world: world.metadata.update(registration_endpoint="http://example.com/register"),
        HERE_ONLY,
    ),
    "an unencrypted page": (
        lambda world: world.metadata.update(authorization_endpoint="http://example.com/authorize"),
        HERE_ONLY,
    ),
    "no PKCE": (lambda world: world.metadata.update(code_challenge_methods_supported=["plain"]), "(PKCE"),
    "an authorization server that says nothing": (
        lambda world: world.resource_metadata.update(authorization_servers=[f"{world.resource}/nothing"]),
        "does not say how that is done",
    ),
    "no registration": (lambda world: setattr(world, "registers", False), "(no strangers here)"),
    "no sign-in at all": (
        lambda world: setattr(world, "hides_resource_metadata", True),
        "offers no sign-in that could be found",
    ),
    "metadata without end": (
        lambda world: world.metadata.update(filler="x" * 300_000),
        "does not say how that is done",
    ),
}


@pytest.mark.parametrize("lie", LIES)
async def test_metadata_that_does_not_hold_together_is_refused_before_there_is_a_page(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World, lie: str
) -> None:
    change, sentence = LIES[lie]
    change(world)
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    with pytest.raises(UsageError) as error:
        await partner.servers.sign_in("remote")
    assert sentence in str(error.value)
    assert await refused(partner) == str(error.value)
    assert (world.authorized, world.token_requests) == ([], [])


async def test_metadata_of_another_origin_is_not_even_fetched(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    world.challenge = f'Bearer resource_metadata="{world.issuer}/stolen"'
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    assert "GET /stolen" not in world.asked


ANSWERS: dict[str, tuple[Back, str]] = {
    "denied": ({"code": None, "error": "access_denied"}, "was denied on the page"),
    "refused": (
        {"code": None, "error": "server_error", "error_description": "closed\u202e on Sundays"},
        "refused: closed on Sundays.",
    ),
    "another issuer": ({"iss": "https://evil.example"}, "does not hold together"),
    "no code": ({"code": None}, "does not hold together"),
}


@pytest.mark.parametrize("way", ANSWERS)
async def test_a_refusal_on_the_page_is_told_and_another_try_succeeds(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World, way: str
) -> None:
    changed, sentence = ANSWERS[way]
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    page = await partner.servers.sign_in("remote")
    await asyncio.to_thread(browse, page, **changed)
    assert sentence in await refused(partner)
    assert world.token_requests == []
    await signed_in(partner, watcher)


async def test_a_token_that_is_refused_is_told_with_the_servers_reason(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    world.token_error = "invalid_grant"
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await asyncio.to_thread(browse, await partner.servers.sign_in("remote"))
    assert "gave no token (try another day)" in await refused(partner)


async def test_a_sign_in_is_given_up_midway_and_leaves_no_port_open(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    page = await partner.servers.sign_in("remote")
    await until_state(partner, watcher, SignInState.RUNNING)
    await partner.servers.cancel_sign_in("remote")
    await partner.servers.sign_in_settled("remote")
    await needs_sign_in(partner, watcher)
    _, _, back = await asyncio.to_thread(fetched, page)
    port = urllib.parse.urlsplit(back).port
    assert port is not None
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 5):
        pass
    await signed_in(partner, watcher)


async def test_signing_out_revokes_and_forgets_and_the_tools_go(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World, home: Home
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    await partner.servers.sign_out("remote")
    await needs_sign_in(partner, watcher)
    assert world.revoked == [f"refresh-{SECRET}-1"]
    assert not (home.root / "secrets.toml").exists()
    await until(partner, watcher, lambda: listed(partner, "remote") == [])


@contextmanager
def damaged_secrets(home: Home) -> Iterator[None]:
    """The place of secrets can be neither read nor written, until somebody mends it."""
    path = home.root / "secrets.toml"
    before = path.read_bytes() if path.exists() else b""
    path.write_text("damaged", encoding="utf-8")
    try:
        yield
    finally:
        path.write_bytes(before)


async def test_signing_out_revokes_although_the_keyring_fails_and_says_what_is_left(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World, home: Home
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    with damaged_secrets(home), pytest.raises(ConfigError, match=r"could not be deleted here.*secrets\.toml"):
        await partner.servers.sign_out("remote")
    assert world.revoked == [f"refresh-{SECRET}-1"]
    await needs_sign_in(partner, watcher)
    assert "mcp-sign-in:remote" in (home.root / "secrets.toml").read_text()
    await partner.servers.sign_out("remote")
    assert not (home.root / "secrets.toml").exists()


async def test_one_signs_out_of_a_server_that_was_removed(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World, home: Home
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    (action_dir / "mcp" / "remote.json").unlink()
    await until(partner, watcher, lambda: status(partner, "remote") is None)
    await partner.servers.sign_out("remote")
    assert world.revoked == [f"refresh-{SECRET}-1"]
    assert not (home.root / "secrets.toml").exists()
    with pytest.raises(UsageError, match="remote"):
        await partner.servers.sign_out("remote")


async def test_a_keyring_that_could_not_be_read_is_asked_again_with_the_next_start(
    home: Home, action_dir: Path, world: World
) -> None:
    async with living(home, action_dir) as (partner, watcher):
        add(action_dir, world)
        await needs_sign_in(partner, watcher)
        await signed_in(partner, watcher)
    with ExitStack() as damage:
        damage.enter_context(damaged_secrets(home))
        async with living(home, action_dir) as (partner, watcher):
            await needs_sign_in(partner, watcher)
            damage.close()
            await partner.servers.restart("remote")
            await until_phase(partner, watcher, "remote", ServerPhase.READY)
    assert len(world.authorized) == 1


async def test_a_sign_in_that_could_not_be_kept_says_so_as_long_as_it_is_used(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World, home: Home
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    with damaged_secrets(home):
        found = await signed_in(partner, watcher)
        assert found.sign_in is not None
        assert found.sign_in.reason.startswith("It could not be kept for the next start: ")


async def test_a_further_sign_in_that_is_given_up_takes_nothing_away(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    async def given_up() -> SignIn:
        await partner.servers.sign_in("remote")
        await partner.servers.cancel_sign_in("remote")
        await partner.servers.sign_in_settled("remote")
        found = status(partner, "remote")
        assert found is not None
        assert found.sign_in is not None
        return found.sign_in

    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    assert await given_up() == SignIn(SignInState.DONE)
    world.end_tokens()
    world.takes_refresh = False
    await call(partner, watcher, "remote::hello", "x1")
    assert await given_up() == SignIn(SignInState.NEEDED, reason="The last sign-in is over.")


def tokens(access: str) -> SignInRecord:
    return SignInRecord(url="https://x.example/mcp", access=access, refresh="refresh", client="{}")


@asynccontextmanager
async def one_sign_in(home: Home, gives: list[SignInRecord]) -> AsyncIterator[ServerSignIn]:
    """Of `s`, with OLD kept; the person ends each page with the next of what is given, or never."""

    async def authorize(
        server: ResolvedServer,
        challenge: Challenge,
        before: SignInRecord | None,
        *,
        show: Callable[[str], None],
    ) -> SignInRecord:
        show("https://x.example/page")
        if not gives:
            await asyncio.Event().wait()
        return gives.pop(0)

    async def revoke(record: SignInRecord) -> None:
        pass

    async def load() -> tuple[Authorize, Revoke]:
        return authorize, revoke

    secrets, tasks = ServerSecrets(SecretStore(home)), TaskSet("sign-ins")
    await secrets.keep_sign_in("s", tokens("OLD").sealed())
    parts = SignInParts(secrets, load)
    try:
        yield ServerSignIn("s", parts, tasks, changed=lambda: None, signed_in=lambda _: None)
    finally:
        await tasks.close()


AT_X = ResolvedServer(id="s", transport="http", shown="", url="https://x.example/mcp")


async def test_a_late_answer_to_a_renewal_leaves_a_new_sign_in_alone(home: Home) -> None:
    async with one_sign_in(home, [tokens("NEW")]) as one:
        old = await one.record(AT_X.url)
        assert old is not None
        await one.begin(AT_X)
        await one.settled()
        await one.renewed(old, old.without_tokens())
        assert await one.record(AT_X.url) == tokens("NEW")
        kept = await ServerSecrets(SecretStore(home)).sign_in("s")
        assert SignInRecord.opened(kept) == tokens("NEW")


async def test_a_reading_that_is_cut_off_is_done_anew(home: Home) -> None:
    async with one_sign_in(home, []) as one:
        reading = asyncio.ensure_future(one.record(AT_X.url))
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait([reading])
        assert reading.cancelled()
        assert await one.record(AT_X.url) == tokens("OLD")


@pytest.mark.parametrize("steps", [1, 2, 3])
async def test_a_sign_in_that_is_given_up_at_its_very_beginning_ends_and_can_be_begun_again(
    home: Home, steps: int
) -> None:
    """Before the first step of its task, and while it reads what was kept."""
    async with one_sign_in(home, []) as one:
        pressed = asyncio.ensure_future(one.begin(AT_X))
        for _ in range(steps):
            await asyncio.sleep(0)
        one.cancel()
        with pytest.raises(UsageError, match="The sign-in was given up"):
            await asyncio.wait_for(pressed, 10)
        await asyncio.wait_for(one.settled(), 10)
        assert await asyncio.wait_for(one.begin(AT_X), 10) == "https://x.example/page"


async def test_tokens_stay_with_the_address_that_they_were_given_for(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    add(action_dir, world)
    await needs_sign_in(partner, watcher)
    await signed_in(partner, watcher)
    with guarded() as other:
        add(action_dir, other)
        await until(partner, watcher, lambda: (status(partner, "remote") or None) is not None)
        found = await needs_sign_in(partner, watcher)
        assert found.shown == other.url
        assert other.bearers == []


async def test_a_client_id_of_ones_own_is_used_with_its_secret_from_the_keyring(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    world.registers = False
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = {
        "clientId": "mine",
        "clientSecret": "${keyring:mine}",
        "callbackPort": port,
        "scopes": "read admin",
    }
    await partner.servers.keep_secret("mine", f"own-{SECRET}", server_id="remote")
    add(action_dir, world, oauth=client)
    await until_state(partner, watcher, SignInState.NEEDED)
    await signed_in(partner, watcher)
    (asked,) = world.authorized
    assert (asked["client_id"], asked["scope"]) == ("mine", "read admin")
    assert asked["redirect_uri"] == f"http://127.0.0.1:{port}/callback"
    assert world.token_requests[0]["basic"].startswith("Basic ")
    assert "POST /register" not in world.asked


async def test_a_key_in_the_configuration_is_sent_and_nothing_else(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    add(action_dir, world, headers={"Authorization": "Bearer own-key-1234"})
    found = await until_phase(partner, watcher, "remote", ServerPhase.FAILED)
    assert found.failure is not None
    assert "check the key in the header `Authorization`" in found.failure.message
    assert found.sign_in is None
    with pytest.raises(UsageError, match="Nobody signs in"):
        await partner.servers.sign_in("remote")
    assert set(world.bearers) == {"own-key-1234"}


async def test_a_refusal_that_names_no_sign_in_offers_it_beside_the_key(
    partner: Partner, watcher: Watcher, action_dir: Path, world: World
) -> None:
    world.challenge = "Bearer"
    add(action_dir, world)
    found = await until_phase(partner, watcher, "remote", ServerPhase.FAILED)
    assert found.failure is not None
    assert "it wants a key, or a sign-in" in found.failure.message
    await signed_in(partner, watcher)


def test_where_a_sign_in_may_lead() -> None:
    remote, here = "https://mcp.example/mcp", "http://127.0.0.1:8000/mcp"
    allowed = [("https://login.example/token", remote), ("http://localhost:1/token", here)]
    refused = [
        ("http://login.example/token", remote),
        ("http://login.example/token", here),
        ("http://127.0.0.1:22/token", remote),
        ("https://localhost/token", remote),
        ("https://[::1]/token", remote),
        ("https://user@login.example/token", remote),
        ("file:///etc/passwd", here),
        ("javascript:alert(1)", here),
        ("https://[broken/token", remote),
    ]
    assert [pair for pair in allowed if not may_be_asked(*pair)] == []
    assert [pair for pair in refused if may_be_asked(*pair)] == []


@asynccontextmanager
async def living(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner from its launch to its end."""
    partner = Partner(home, action_dir, meaning=False)
    person, watcher = Trusting(partner), Watcher()
    await partner.launch()
    partner.subscribe(watcher)
    try:
        yield partner, watcher
    finally:
        await partner.close()
        await person.settled()
