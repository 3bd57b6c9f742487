"""XML for prompts: whatever stands in a text, it can never end the element that it stands in."""

from __future__ import annotations

from collections.abc import Iterable

from partner_desktop.base.patterns import late

#: What XML 1.0 forbids even as a reference (https://www.w3.org/TR/xml/#charsets).
_FORBIDDEN = late("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = late(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NOT_IN_NAMES = late(r"[^A-Za-z0-9_.-]")

INDENT = "  "


def escaped(text: str) -> str:
    """`text` as character data; what XML cannot hold becomes U+FFFD, line ends become newlines."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _FORBIDDEN.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(name: str, value: str) -> str:
    """` name="value"`, with a space before it; nothing for an empty value."""
    if not value:
        return ""
    plain = escaped(value).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return f' {name}="{plain}"'


def element(name: str) -> tuple[str, str]:
    """The element's name, and the attribute that keeps a name which XML cannot have."""
    if _NAME.match(name) and not name.lower().startswith("xml"):
        return name, ""
    return "_" + _NOT_IN_NAMES.sub("_", name)[:60], attribute("name", name)


def leaf(name: str, text: str, *, attributes: str = "", depth: int = 0) -> str:
    """One line (more only if the text has them): `<name>text</name>`."""
    return f"{INDENT * depth}<{name}{attributes}>{escaped(text)}</{name}>"


def branch(name: str, lines: Iterable[str], *, attributes: str = "", depth: int = 0) -> str:
    """An element around lines that are indented already."""
    pad = INDENT * depth
    return "\n".join((f"{pad}<{name}{attributes}>", *lines, f"{pad}</{name}>"))
