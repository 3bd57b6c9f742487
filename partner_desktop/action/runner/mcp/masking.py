"""What looks like a secret, for everything that is shown. Pure.

A guess, and a generous one: what stands in a file in plain text is told from other text only by its looks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from partner_desktop.base.patterns import late

MASK = "•••"

_NAME = (
    r"(?:api[_-]?)?key|token|secret|passw|pwd|passphrase|credential|auth|bearer|cookie|session|private|dsn"
    r"|database_?url|connection_?string|signature"
)
_SECRET_NAME = late(_NAME, re.IGNORECASE)
#: `--api-key`, `-token`: the argument behind it is the secret.
_OPTION = late(r"--?[\w-]+")
#: `--api-key=…`, `--env=API_KEY=…`, `X-Api-Key: …`
_ASSIGNED = late(r"(?<![\w./-])(?P<name>(?:[\w.-]+\"?\s*[=:]\s*)+)(?!//)(?P<value>[^\s&,;]+)")
_SCHEME = late(r"\b(?P<name>(?:Bearer|Basic|Token)\s+)(?P<value>[^\s\"',;]+)", re.IGNORECASE)
_LOGIN = late(r"(?P<name>[a-z][a-z0-9+.-]*://)(?P<value>[^\s/@]+)(?=@)", re.IGNORECASE)
#: The shapes of well-known services' tokens, and long words that nobody would type.
_TOKEN = late(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}"
    r"|xox[abeprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{16,}|hf_[A-Za-z0-9]{8,}|npm_[A-Za-z0-9]{8,}"
    r"|eyJ[\w-]{8,}(?:\.[\w-]+)*|[0-9a-fA-F]{32,}"
    r"|(?=[A-Za-z]*\d)(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{32,}"
    r")(?![A-Za-z0-9])"
)


def is_secret_name(name: str) -> bool:
    """Whether what is called so is probably not for others' eyes."""
    return _SECRET_NAME.search(name) is not None


def masked(text: str) -> str:
    """The text with what looks like a secret replaced."""
    text = _LOGIN.sub(rf"\g<name>{MASK}", text)
    text = _SCHEME.sub(rf"\g<name>{MASK}", text)
    text = _ASSIGNED.sub(_without_value, text)
    return _TOKEN.sub(MASK, text)


def _without_value(found: re.Match[str]) -> str:
    """A scheme's word stays: `Authorization: Bearer •••`."""
    harmless = found["value"].lower() in ("bearer", "basic", "token") or not is_secret_name(found["name"])
    return found[0] if harmless else found["name"] + MASK


def masked_arguments(arguments: Sequence[str]) -> list[str]:
    """A command's arguments, with what follows an option like `--api-key` replaced, too."""
    found, is_value = [], False
    for argument in arguments:
        shown = masked_address(argument) if "://" in argument else masked(argument)
        found.append(MASK if is_value and not argument.startswith("-") else shown)
        is_value = _OPTION.fullmatch(argument) is not None and is_secret_name(argument)
    return found


def masked_address(address: str) -> str:
    """An address without login, and without the values of its query; what is none as `masked` has it."""
    address = masked(address)
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    pairs = [pair.partition("=") for pair in parts.query.split("&")] if parts.query else []
    query = "&".join(name + sign + (MASK if sign else "") for name, sign, _ in pairs)
    return parts._replace(query=query, fragment="").geturl()
