"""ServerSignIn: the sign-in to one remote server, from the first refusal to the sign-out.

Contract: nothing is asked of an authorization server, no browser is opened and no port listened on before
`begin`, which a person's press calls. What `begin` returns is the page's address for whoever pressed, and for
nobody else: it stands in no status, event or log. One sign-in of a server is under way at a time. Its outcome
is kept for the address that it was begun with, and given out for exactly that one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from partner_desktop.base import log
from partner_desktop.base.errors import ConfigError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.mcp_server import SignIn, SignInState
from partner_desktop.runner.mcp.configuration.secrets import ServerSecrets
from partner_desktop.runner.mcp.port import Authorize, Challenge, ResolvedServer, Revoke, SignInError
from partner_desktop.runner.mcp.server_log import harmless_line
from partner_desktop.runner.mcp.sign_in.sign_in_record import SignInRecord

_log = log.area("mcp")

#: Seconds that a person has for the page: to find a password, to wait for a letter with a code.
SIGN_IN_LIMIT_S = 600.0
_REVOKE_LIMIT_S = 5.0


@dataclass(frozen=True)
class SignInParts:
    """What the sign-ins of a Partner share. `load` gives what needs the SDK; the first call loads that."""

    secrets: ServerSecrets
    load: Callable[[], Awaitable[tuple[Authorize, Revoke]]]


class ServerSignIn:
    """Implements `port.SignInDoor`. `changed` is called when `state` is another; `signed_in` after one, with
    whether the server had asked for it.
    """

    def __init__(
        self,
        server: str,
        parts: SignInParts,
        tasks: TaskSet,
        *,
        changed: Callable[[], None],
        signed_in: Callable[[bool], None],
    ) -> None:
        self._server, self._parts, self._tasks = server, parts, tasks
        self._changed, self._signed_in = changed, signed_in
        self.renewal = asyncio.Lock()
        self.state: SignIn | None = None
        self._reading = asyncio.Lock()
        self._was_read = False
        self._record: SignInRecord | None = None
        self._challenge: Challenge | None = None
        self._flow: asyncio.Task[None] | None = None
        self._page: asyncio.Future[str] | None = None
        self._over = asyncio.Event()
        self._anew = False
        """Whether the last sign-in came to nothing: perhaps the server knows the client no more."""

    # SignInDoor.

    async def record(self, url: str) -> SignInRecord | None:
        """See `SignInDoor.record`."""
        async with self._reading:
            if not self._was_read:
                self._was_read = True
                self._record = await self._read()
        found = self._record
        if found is None or found.url != url:
            return None
        if found.access and self.state is None:
            self._enter(_done(found))
        return found

    async def _read(self) -> SignInRecord | None:
        try:
            return SignInRecord.opened(await self._parts.secrets.sign_in(self._server))
        except ConfigError as error:
            _log.warning("what was kept of the sign-in to %s could not be read: %s", self._server, error)
            return None

    async def renewed(self, record: SignInRecord) -> None:
        """See `SignInDoor.renewed`."""
        if self._record is None:
            return  # signed out meanwhile
        await self._keep(record)
        if record.access:
            self._enter(_done(record))

    def asked(self, challenge: Challenge) -> None:
        """See `SignInDoor.asked`."""
        self._challenge = challenge
        if self.state is not None and self.state.state in (SignInState.RUNNING, SignInState.REFUSED):
            return
        self._enter(SignIn(SignInState.NEEDED, reason=self._why()))

    def _why(self) -> str:
        if self._wants_more:
            return sentence_of("servers.sign_in.more_rights")
        was_done = self.state is not None and self.state.state is SignInState.DONE
        return sentence_of("servers.sign_in.is_over") if was_done else ""

    @property
    def _wants_more(self) -> bool:
        return self._challenge is not None and self._challenge.status == 403

    # What a person asks.

    async def begin(self, server: ResolvedServer) -> str:
        """Begin a sign-in; the address of the page. One that is under way gives its page again.

        Raises:
            UsageError: It came to nothing before there was a page.
        """
        if self._flow is None:
            self._page, self._over = asyncio.get_running_loop().create_future(), asyncio.Event()
            self._page.add_done_callback(lambda page: page.cancelled() or page.exception())
            self._flow = self._tasks.start("sign in", self._run(server, self._page))
        assert self._page is not None, "a flow has one"
        return await asyncio.shield(self._page)

    async def settled(self) -> None:
        """Wait until no sign-in is under way."""
        while self._flow is not None:
            await self._over.wait()

    def cancel(self) -> None:
        """Give up the sign-in that is under way."""
        if self._flow is not None:
            self._flow.cancel()

    def reset(self) -> None:
        """Its configuration may be another: what was said of it holds no more."""
        self.cancel()
        self._challenge = None
        self.state = None

    async def forget(self) -> None:
        """Sign out: here, and there as far as that can be told.

        Raises:
            ConfigError: The keyring may still hold the tokens.
        """
        self.cancel()
        record, self._record, self._was_read = self._record or await self._read(), None, True
        self.state, self._anew = None, False
        await self._parts.secrets.keep_sign_in(self._server, "")
        if record is not None and record.access:
            _, revoke = await self._parts.load()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_REVOKE_LIMIT_S):
                    await revoke(record)

    # The sign-in itself.

    async def _run(self, server: ResolvedServer, page: asyncio.Future[str]) -> None:
        challenge, wants_more = self._challenge, self._wants_more
        before = await self.record(server.url)
        self._enter(SignIn(SignInState.RUNNING))
        after = SignIn(SignInState.NEEDED, reason=self._why())
        done = False
        try:
            authorize, _ = await self._parts.load()
            known = before if wants_more or not self._anew else None
            self._anew = True
            async with asyncio.timeout(SIGN_IN_LIMIT_S):
                record = await authorize(server, challenge or Challenge(), known, show=page.set_result)
            self._anew, done = False, True
            server.secrets.learn((record.access, record.refresh))
            after = _done(record, odd=await self._keep(record))
        except SignInError as error:
            after = _refused(harmless_line(server.secrets.masked(str(error)), 500))
        except TimeoutError:
            after = _refused(sentence_of("servers.sign_in.slow"))
        except Exception:  # noqa: BLE001 - a background task's boundary: a sign-in always has an end
            _log.exception("the sign-in to %s failed inside Partner", self._server)
            after = _refused(sentence_of("servers.partner_failed"))
        finally:
            self._flow = None
            if not page.done():
                told = after.reason or sentence_of("servers.sign_in.cancelled")
                page.set_exception(UsageError("common.told", text=told))
            if self.state is not None and self.state.state is SignInState.RUNNING:
                self._enter(after)
            self._over.set()
        if done:
            self._challenge = None
            self._signed_in(challenge is not None)

    async def _keep(self, record: SignInRecord) -> str:
        """In memory at once, and in the keyring; a sentence where that does not take it."""
        self._record, self._was_read = record, True
        try:
            await self._parts.secrets.keep_sign_in(self._server, record.sealed())
        except ConfigError as error:
            _log.warning("the sign-in to %s could not be kept: %s", self._server, error)
            return sentence_of("servers.sign_in.not_kept", reason=error)
        return ""

    def _enter(self, state: SignIn) -> None:
        if state != self.state:
            self.state = state
            self._changed()


def _done(record: SignInRecord, *, odd: str = "") -> SignIn:
    renews = bool(record.refresh)
    until = (
        None if renews or record.expires_at_s is None else datetime.fromtimestamp(record.expires_at_s, UTC)
    )
    return SignIn(SignInState.DONE, reason=odd, until=until)


def _refused(reason: str) -> SignIn:
    return SignIn(SignInState.REFUSED, reason=reason)
