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
        self._unreadable = False
        """The keyring refused. It may ask the person each time: so it is asked again with the next start or
        the next press, and not with each request.
        """
        self._record: SignInRecord | None = None
        self._odd = ""
        """What is odd about the record: it holds longer than a state does."""
        self._url = ""
        """The address that is in use."""
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
            await self._read()
        self._url = url
        found = self._fitting
        if found is not None and found.access and self.state is None:
            self._enter(self._done(found))
        return found

    @property
    def _fitting(self) -> SignInRecord | None:
        """What there is for the address in use."""
        return self._record if self._record is not None and self._record.url == self._url else None

    async def _read(self) -> None:
        """Once; a reading that was cut off is begun anew."""
        if self._was_read or self._unreadable:
            return
        try:
            found = SignInRecord.opened(await self._parts.secrets.sign_in(self._server))
        except ConfigError as error:
            _log.warning("what was kept of the sign-in to %s could not be read: %s", self._server, error)
            self._unreadable = True
            return
        if not self._was_read:  # else there is a newer one since
            self._record, self._was_read = found, True

    async def renewed(self, before: SignInRecord, after: SignInRecord) -> None:
        """See `SignInDoor.renewed`."""
        if self._record is not before:
            return  # signed out, or in anew, meanwhile
        await self._keep(after)
        if after.access and self._record is after:
            self._enter(self._done(after))

    def asked(self, challenge: Challenge) -> None:
        """See `SignInDoor.asked`."""
        self._challenge = challenge
        if self.state is not None and self.state.state in (SignInState.RUNNING, SignInState.REFUSED):
            return
        self._enter(SignIn(SignInState.NEEDED, reason=self._why()))

    def _why(self) -> str:
        if self._wants_more:
            return sentence_of("servers.sign_in.more_rights")
        return sentence_of("servers.sign_in.is_over") if self._fitting is not None else ""

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
            self._unreadable = False
            page = self._page = asyncio.get_running_loop().create_future()
            page.add_done_callback(lambda page: page.cancelled() or page.exception())
            self._over = asyncio.Event()
            self._flow = self._tasks.start("sign in", self._run(server, page))
            # A task that is cancelled before its first step runs no `finally` of its own.
            self._flow.add_done_callback(lambda _: self._end(page, None))
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
        self._unreadable = False
        self.state = None

    async def forget(self) -> bool:
        """Sign out: here, and there as far as that can be told. Returns whether there was something.

        Raises:
            ConfigError: The keyring may still hold the tokens.
        """
        self.cancel()
        async with self._reading:
            await self._read()
            record, self._record, self._was_read = self._record, None, True
        self.state, self._anew, self._odd = None, False, ""
        try:
            await self._parts.secrets.keep_sign_in(self._server, "")
        except ConfigError as error:
            raise ConfigError("servers.sign_in.stays", name=self._server, reason=error) from error
        finally:  # what stays here is good for nothing any more
            if record is not None and record.access:
                await self._revoke(record)
        return record is not None

    async def _revoke(self, record: SignInRecord) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_REVOKE_LIMIT_S):
                _, revoke = await self._parts.load()
                await revoke(record)

    # The sign-in itself.

    async def _run(self, server: ResolvedServer, page: asyncio.Future[str]) -> None:
        challenge, wants_more = self._challenge, self._wants_more
        after: SignIn | None = None
        done = False
        try:
            before = await self.record(server.url)
            self._enter(SignIn(SignInState.RUNNING))
            authorize, _ = await self._parts.load()
            known = before if wants_more or not self._anew else None
            self._anew = True
            async with asyncio.timeout(SIGN_IN_LIMIT_S):
                record = await authorize(server, challenge or Challenge(), known, show=page.set_result)
            self._anew, done = False, True
            server.secrets.learn((record.access, record.refresh))
            await self._keep(record)
            after = self._done(record)
        except SignInError as error:
            after = _refused(harmless_line(server.secrets.masked(str(error)), 500))
        except TimeoutError:
            after = _refused(sentence_of("servers.sign_in.slow"))
        except Exception:  # noqa: BLE001 - a background task's boundary: a sign-in always has an end
            _log.exception("the sign-in to %s failed inside Partner", self._server)
            after = _refused(sentence_of("servers.partner_failed"))
        finally:
            self._end(page, after)
        if done:
            self._challenge = None
            self._signed_in(challenge is not None)

    def _end(self, page: asyncio.Future[str], after: SignIn | None) -> None:
        """The sign-in with this page is over, once; `None`: it was given up."""
        if self._page is not page:
            return
        self._flow = self._page = None
        if not page.done():
            told = (after.reason if after is not None else "") or sentence_of("servers.sign_in.cancelled")
            page.set_exception(UsageError("common.told", text=told))
        if self.state is not None and self.state.state is SignInState.RUNNING:
            self._enter(after or self._as_before())
        self._over.set()

    def _as_before(self) -> SignIn:
        """A further sign-in that was given up takes nothing away."""
        known = self._fitting
        if known is not None and known.access and self._challenge is None:
            return self._done(known)
        return SignIn(SignInState.NEEDED, reason=self._why())

    async def _keep(self, record: SignInRecord) -> None:
        """In memory at once, and in the keyring, where that takes it."""
        self._record, self._was_read, self._odd = record, True, ""
        try:
            await self._parts.secrets.keep_sign_in(self._server, record.sealed())
        except ConfigError as error:
            _log.warning("the sign-in to %s could not be kept: %s", self._server, error)
            if self._record is record:
                self._odd = sentence_of("servers.sign_in.not_kept", reason=error)

    def _done(self, record: SignInRecord) -> SignIn:
        over_s = None if record.refresh else record.expires_at_s
        until = datetime.fromtimestamp(over_s, UTC) if over_s is not None else None
        return SignIn(SignInState.DONE, reason=self._odd, until=until)

    def _enter(self, state: SignIn) -> None:
        if state != self.state:
            self.state = state
            self._changed()


def _refused(reason: str) -> SignIn:
    return SignIn(SignInState.REFUSED, reason=reason)
