"""Signing in to a remote server on its page: the browser by a press, the words of each state, the way out."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtGui import QDesktopServices, QGuiApplication

from partner_desktop.desktop.panel.abilities.ability_rows import server_choices
from partner_desktop.desktop.panel.server.forms import SignInView
from partner_desktop.desktop.panel.server.server_words import phase_words
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.mcp_server import ServerPhase, SignIn, SignInState
from tests.action.mcp.sign_in_server import World, browse, guarded
from tests.config.keyrings import FileKeyring, system_keyring

from .moments import Moments
from .server_samples import server
from .stage import Stage
from .test_links import Opened
from .test_server_page import open_page, phase

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.mcp.oauth")]


@pytest.fixture(autouse=True)
def own_keyring(tmp_path: Path) -> Iterator[FileKeyring]:
    """A keyring of this test; the SDK is loaded, which takes a busy machine long."""
    importlib.import_module("partner_desktop.runner.mcp.protocol.authorization")
    with system_keyring(tmp_path / "keyring.json") as one:
        yield one


@pytest.fixture
def world() -> Iterator[World]:
    with guarded() as one:
        yield one


def test_a_press_opens_the_page_and_the_tokens_lie_in_the_keyring(
    stage: Stage, moments: Moments, world: World, own_keyring: FileKeyring
) -> None:
    opened = Opened()
    QDesktopServices.setUrlHandler("http", opened, "take")  # type: ignore[arg-type] # the stub says bytes
    try:
        config = json.dumps({"notes": {"type": "http", "url": world.url}})
        moments.ask(moments.partner.servers.add(config, "notes", allow=True))
        stage.until(lambda: phase(moments, "notes") is ServerPhase.WAITING)
        page = open_page(stage, moments, name="notes")
        stage.until(lambda: page.state.words.text() == "needs you to sign in")
        view = page.sign_in
        assert "once you have signed in" in view.reason.text()
        assert opened.addresses == []

        stage.do(view.sign_in_button.click)
        stage.until(lambda: opened.addresses)
        stage.until(view.cancel_button.isVisible)
        assert "Go on in the browser" in view.reason.text()
        assert not view.address.isVisible()
        stage.do(view.cancel_button.click)
        stage.until(view.sign_in_button.isVisible)

        stage.do(view.sign_in_button.click)
        stage.until(lambda: len(opened.addresses) == 2)
        stage.run(asyncio.to_thread(browse, opened.addresses[-1]))
        stage.until(lambda: page.state.words.text() == "ready · 1 tool · signed in")
        (kept,) = own_keyring.entries().values()
        assert "mcp-sign-in:notes" in kept
        assert not (moments.home.root / "secrets.toml").exists()

        stage.do(view.sign_out_button.click)
        stage.until(lambda: page.state.words.text() == "needs you to sign in")
        assert "mcp-sign-in:notes" not in own_keyring.entries().get(next(iter(own_keyring.entries())), {})
    finally:
        QDesktopServices.unsetUrlHandler("http")


def test_where_no_browser_can_be_opened_the_address_is_there_to_be_copied(
    stage: Stage, moments: Moments, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # nothing that could open a page
    config = json.dumps({"notes": {"type": "http", "url": world.url}})
    moments.ask(moments.partner.servers.add(config, "notes", allow=True))
    stage.until(lambda: phase(moments, "notes") is ServerPhase.WAITING)
    page = open_page(stage, moments, name="notes")
    stage.do(page.sign_in.sign_in_button.click)
    stage.until(page.sign_in.address.isVisible)
    assert "No browser could be opened here" in page.sign_in.reason.text()
    stage.do(page.sign_in.copy_button.click)
    copied = QGuiApplication.clipboard().text()
    assert urlsplit(copied).path == "/authorize"
    stage.run(asyncio.to_thread(browse, copied))
    stage.until(lambda: page.state.words.text() == "ready · 1 tool · signed in")
    assert not page.sign_in.address.isVisible()


def test_an_address_that_comes_before_the_word_that_a_sign_in_runs_is_not_lost(theme: Theme) -> None:
    needed = server("notes", ServerPhase.WAITING, transport="http", sign_in=SignIn(SignInState.NEEDED))
    running = replace(needed, sign_in=SignIn(SignInState.RUNNING))
    view = SignInView()
    view.show_server(needed)
    view.show_address("https://example.org/authorize")
    assert view.address.isHidden()
    view.show_server(replace(needed, tools=1))
    view.show_server(running)
    assert not view.address.isHidden()
    view.show_server(needed)
    view.show_server(running)
    assert view.address.isHidden(), "it was of a sign-in that is over"
    view.deleteLater()


def test_each_state_has_its_words_and_its_way_on() -> None:
    now = datetime(2026, 11, 28, 12, tzinfo=UTC)
    remote = server("notes", ServerPhase.WAITING, transport="http")
    ready = replace(remote, phase=ServerPhase.READY, tools=2)
    cases = [
        (remote, SignIn(SignInState.NEEDED), "needs you to sign in", "sign-in"),
        (remote, SignIn(SignInState.RUNNING), "signing in…", "cancel-sign-in"),
        (remote, SignIn(SignInState.REFUSED, "It was denied."), "sign-in was refused", "sign-in"),
        (ready, SignIn(SignInState.DONE), "signed in", "sign-out"),
    ]
    for one, sign_in, words, verb in cases:
        shown = replace(one, sign_in=sign_in)
        assert phase_words(shown, now).endswith(words)
        assert verb in [choice for choice, _ in server_choices(shown)]
    off = replace(remote, phase=ServerPhase.STOPPED, sign_in=SignIn(SignInState.DONE))
    assert (phase_words(off, now), "sign-out" in [verb for verb, _ in server_choices(off)]) == ("off", False)
