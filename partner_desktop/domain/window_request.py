"""WindowRequest: what the window is asked to show from outside, by a command, a link or "Open with".

A link may come from any page on the web. It can show a place and lay words into the composer; it sends
nothing, and leads to no file.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.message import PLACE_SCHEME, read_place_address

#: What is asked for at once: files, folders and links.
MOST_OPENED = 100
#: Characters that a link can lay into the composer.
MOST_LINK_CHARS = 4_000
_CONVERSATION = re.compile(rf"{PLACE_SCHEME}conversation/([0-9a-f]{{32}})")
_WORDS = re.compile(rf"{PLACE_SCHEME}new/?(\?|$)")


@dataclass(frozen=True)
class WindowRequest:
    """Without anything in it, the window is to come to the front."""

    opens: tuple[str, ...] = ()
    """Absolute paths, and links of Partner's."""
    quick: bool = False
    """Whether the small window for one question is asked for, in place of the large one."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Of files and folders."""
        return tuple(one for one in self.opens if not is_link(one))

    @property
    def links(self) -> tuple[str, ...]:
        """Of Partner's."""
        return tuple(one for one in self.opens if is_link(one))


#: Come to the front, and show what you showed.
JUST_RAISED = WindowRequest()


@dataclass(frozen=True)
class WindowLink:
    """What a link leads to: a place in a conversation, or words for a new one."""

    conversation_id: str = ""
    message_id: str = ""
    text: str = ""


def is_link(word: str) -> bool:
    """Whether it is meant as one of Partner's links."""
    return word[: len(PLACE_SCHEME)].lower() == PLACE_SCHEME


def read_link(address: str) -> WindowLink | None:
    """What it leads to; `None` where it is no link of Partner's. `partner://` is read as `partner:`."""
    if not is_link(address):
        return None
    address = PLACE_SCHEME + address[len(PLACE_SCHEME) :].removeprefix("//")
    if (place := read_place_address(address)) is not None:
        return WindowLink(conversation_id=place[1], message_id=place[0])
    if (found := _CONVERSATION.fullmatch(address.rstrip("/"))) is not None:
        return WindowLink(conversation_id=found[1])
    if _WORDS.match(address):
        try:
            words = parse_qs(urlsplit(address).query, max_num_fields=8).get("text", [""])[0]
        except ValueError:
            return None
        return WindowLink(text=cut(shown(cut(words, MOST_LINK_CHARS), lines=True), MOST_LINK_CHARS))
    return None
