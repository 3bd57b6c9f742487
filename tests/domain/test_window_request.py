"""What the window is asked to show from outside: files, and links that any page on the web may hold."""

from __future__ import annotations

import pytest

from partner_desktop.domain.window_request import MOST_LINK_CHARS, WindowLink, WindowRequest, read_link

M, C = "a" * 32, "b" * 32


@pytest.mark.parametrize(
    ("address", "link"),
    [
        (f"partner:message/{M}?conversation={C}", WindowLink(C, M)),
        (f"partner://message/{M}?conversation={C}", WindowLink(C, M)),
        (f"PARTNER://conversation/{C}", WindowLink(C)),
        (f"partner://conversation/{C}/", WindowLink(C)),
        ("partner://new", WindowLink()),
        ("partner://new/?text=hi", WindowLink(text="hi")),
        ("partner://new?text=hello%20there", WindowLink(text="hello there")),
        ("partner:new?text=a%0Ab", WindowLink(text="a\nb")),
        ("partner:new?other=1", WindowLink()),
    ],
)
def test_a_link_leads_to_a_place_or_holds_words(address: str, link: WindowLink) -> None:
    assert read_link(address) == link


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/",
        "partner:",
        "partner://newer?text=x",
        "partner:conversation/../../etc",
        f"partner:conversation/{C}?text=x",
        f"partner:message/{M}",
        "partner:approve/1",
        "partner:new?" + "&".join(f"text{number}=1" for number in range(99)),
        "file:///etc/passwd",
    ],
)
def test_anything_else_is_no_link(address: str) -> None:
    assert read_link(address) is None


def test_words_of_a_link_hide_nothing_and_are_not_endless() -> None:
    hidden = read_link("partner:new?text=safe%E2%80%AEtxt.exe")
    assert hidden is not None
    assert "\u202e" not in hidden.text
    long = read_link("partner:new?text=" + "x" * 3 * MOST_LINK_CHARS)
    assert long is not None
    assert len(long.text) == MOST_LINK_CHARS


def test_paths_and_links_are_told_apart() -> None:
    request = WindowRequest(("/tmp/a", "partner:new", "/tmp/partner:new"))
    assert (request.paths, request.links) == (("/tmp/a", "/tmp/partner:new"), ("partner:new",))
