"""How the panel says where an external server stands, and why it does not run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from math import ceil

from partner_desktop.desktop.panel.actions.action_words import clock_words
from partner_desktop.desktop.rows.row_spec import RowColor
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.mcp_server import (
    ServerFailure,
    ServerPhase,
    ServerStatus,
    ServerStep,
    SignIn,
    SignInState,
)

#: The phases of which nothing more is to be said.
_PLAIN: dict[ServerPhase, Callable[[], str]] = {
    ServerPhase.CONFIGURED: lambda: tr("waiting to start"),
    ServerPhase.STARTING: lambda: tr("starting…"),
    ServerPhase.WAITING: lambda: tr("waits for your yes"),
    ServerPhase.STOPPED: lambda: tr("off"),
}


def phase_words(server: ServerStatus, now: datetime) -> str:
    """`ready · 5 tools`, `again in 8 s`; never colour alone."""
    signing = server.sign_in
    if signing is not None and server.question is None and server.phase is not ServerPhase.STOPPED:
        if server.phase is ServerPhase.READY:
            return " · ".join((tr("ready"), tools_words(server.tools), sign_in_words(signing)))
        if server.phase is ServerPhase.WAITING or signing.state is SignInState.RUNNING:
            return sign_in_words(signing)
    match server.phase:
        case ServerPhase.READY:
            return " · ".join((tr("ready"), tools_words(server.tools)))
        case ServerPhase.FAILED:
            step = start_step_words(server.failure) if server.failure is not None else ""
            return joined_words(tr("failed"), step)
        case ServerPhase.BACKING_OFF:
            return " · ".join((tr("failed"), again_words(server, now)))
        case _:
            return _PLAIN[server.phase]()


def sign_in_words(sign_in: SignIn) -> str:
    """Where the sign-in stands, in a few words."""
    match sign_in.state:
        case SignInState.NEEDED:
            return tr("needs you to sign in")
        case SignInState.RUNNING:
            return tr("signing in…")
        case SignInState.REFUSED:
            return tr("sign-in was refused")
        case SignInState.DONE if sign_in.until is not None:
            return tr("signed in until {until}").format(until=clock_words(sign_in.until))
        case SignInState.DONE:
            return tr("signed in")


def phase_color(server: ServerStatus) -> RowColor:
    """The token of the dot that stands beside the words."""
    colors: dict[ServerPhase, RowColor] = {
        ServerPhase.CONFIGURED: "muted",
        ServerPhase.STARTING: "accent",
        ServerPhase.READY: "good",
        ServerPhase.FAILED: "bad",
        ServerPhase.BACKING_OFF: "careful",
        ServerPhase.WAITING: "careful",
        ServerPhase.STOPPED: "muted",
    }
    return colors[server.phase]


def again_words(server: ServerStatus, now: datetime) -> str:
    """When it is tried again, counted down."""
    left = ceil((server.retry_at - now).total_seconds()) if server.retry_at is not None else 0
    if left <= 0:
        return tr("again now")
    if left < 100:
        return tr("again in {seconds} s").format(seconds=left)
    return tr("again in {minutes} min").format(minutes=ceil(left / 60))


def tools_words(count: int) -> str:
    """How much it can do."""
    return tr("1 tool") if count == 1 else tr("{count} tools").format(count=count)


def start_step_words(failure: ServerFailure) -> str:
    """How far it came, and with which code its process ended."""
    words: dict[ServerStep, Callable[[], str]] = {
        ServerStep.RESOLVE: lambda: tr("before it was started"),
        ServerStep.SPAWN: lambda: tr("when it was started"),
        ServerStep.HANDSHAKE: lambda: tr("while connecting"),
        ServerStep.LIST: lambda: tr("while it listed its tools"),
        ServerStep.RUN: lambda: tr("while it ran"),
    }
    step = words[failure.step]()
    if failure.exit_code is None:
        return step
    ended = tr("exit code {code}").format(code=failure.exit_code)
    return f"{step} · {ended}"


def transport_words(server: ServerStatus) -> str:
    """How Partner speaks to it."""
    return {
        "stdio": tr("a program on this computer"),
        "http": tr("an address, over HTTP"),
        "sse": tr("an address, over HTTP with events"),
    }.get(server.transport, server.transport)


def failure_text(server: ServerStatus) -> str:
    """Everything that is known about the failure, to be copied."""
    failure = server.failure
    if failure is None:
        return ""
    return "\n".join(
        [f"{server.id}: {failure.message}", start_step_words(failure), server.shown, *failure.stderr]
    )


def runs(server: ServerStatus) -> bool:
    """Whether it is meant to run."""
    return server.phase is not ServerPhase.STOPPED
