"""What the window is asked to show; and a second start of it: raise the one that is there and hand over what
it is to show, or wait for a command to end.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from partner_desktop.base.errors import HostError, UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home, display_path
from partner_desktop.base.text import cut, shown
from partner_desktop.commands.options import home_folder
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.window_request import JUST_RAISED, MOST_OPENED, WindowRequest, is_link, read_link
from partner_desktop.gateways.remote import RemoteClient, answers
from partner_desktop.runtime.host import HostLock

#: Seconds that a command may still take before the window gives up.
_PATIENCE_S = 120.0
_LOOK_S = 0.2
_FILE_SCHEME = "file://"
_MOST_SHOWN = 200


async def _raised(home: Home, request: WindowRequest) -> bool:
    """False where there is no window, or it ends: then this one comes after it."""
    opens: list[Json] = list(request.opens)
    try:
        return bool(await RemoteClient(home).call("client.raise_window", opens=opens, quick=request.quick))
    except HostError:
        return False


def window_request(words: Sequence[str], *, quick: bool) -> WindowRequest:
    """Files and links as they stand on a command line, or as a desktop names them (`file://`).

    Raises:
        UsageError: It is too much, is not there, or is no link of Partner's.
    """
    if len(words) > MOST_OPENED:
        raise UsageError("terminal.too_many_to_open", most=str(MOST_OPENED))
    return WindowRequest(tuple(map(_to_open, words)), quick=quick)


def _to_open(word: str) -> str:
    if is_link(word):
        if read_link(word) is None:
            raise UsageError("terminal.no_partner_link", link=shown(cut(word, _MOST_SHOWN)))
        return word
    if word.startswith(_FILE_SCHEME):
        _host, slash, rest = word[len(_FILE_SCHEME) :].partition("/")
        word = slash + unquote(rest)
    path = home_folder(Path(word))
    try:
        there = path.exists()
    except (OSError, ValueError):  # a name that no file can have
        there = False
    if not there:
        raise UsageError("terminal.nothing_to_open", path=cut(display_path(path), _MOST_SHOWN))
    return str(path)


def raised_running_window(home: Home, request: WindowRequest | None = None) -> bool:
    """Whether a window of this home was there, was raised and told what to show.

    While a command hosts the home, waits for its end.

    Raises:
        HostError: The home cannot be used, or stays taken.
    """
    return asyncio.run(_raise_or_wait(home, request or JUST_RAISED))


async def _raise_or_wait(home: Home, request: WindowRequest) -> bool:
    lock = HostLock(home, kind="window")
    deadline = asyncio.get_running_loop().time() + _PATIENCE_S
    told = False
    while not lock.acquire():
        if await answers(home) and await _raised(home, request):
            return True
        if asyncio.get_running_loop().time() > deadline:
            raise HostError("terminal.command_uses_home")
        if not told:
            print(sentence_of("terminal.window_opens_later"), file=sys.stderr)
            told = True
        await asyncio.sleep(_LOOK_S)
    await lock.shutdown()
    return False
