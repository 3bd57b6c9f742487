"""SignInRecord: what came of a sign-in to one server, as it lies in the keyring."""

from __future__ import annotations

import base64
import zlib
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from partner_desktop.model.endpoint.address import is_on_this_machine


class SignInRecord(BaseModel):
    """Tokens are for `url` and nothing else. Never logged, never shown; what the SDK wrote stays its JSON."""

    model_config = ConfigDict(frozen=True, defer_build=True, hide_input_in_errors=True)

    url: str
    """The server's address, whole, as the configuration has it."""
    access: str = Field(default="", repr=False)
    """Empty: signed out. The client's registration is kept, for the next time."""
    refresh: str = Field(default="", repr=False)
    scope: str | None = None
    expires_at_s: float | None = None
    """When the access token is over, in seconds since 1970."""
    port: int = 0
    """Of the loopback redirect with which the client was registered."""
    client: str = Field(repr=False)
    """The client's registration (RFC 7591)."""
    issuer: str = ""
    """The metadata of the authorization server (RFC 8414); empty where it has none."""
    resource: str = ""
    """The metadata of the server itself (RFC 9728); empty where it has none."""

    def sealed(self) -> str:
        """As one word, which a keyring takes."""
        return base64.urlsafe_b64encode(zlib.compress(self.model_dump_json().encode(), 9)).decode("ascii")

    @staticmethod
    def opened(text: str) -> SignInRecord | None:
        """`None` for what is none."""
        try:
            return SignInRecord.model_validate_json(zlib.decompress(base64.urlsafe_b64decode(text)))
        except (ValueError, zlib.error, ValidationError):
            return None

    def without_tokens(self) -> SignInRecord:
        """Over."""
        return self.model_copy(update={"access": "", "refresh": "", "expires_at_s": None})


def may_be_asked(address: str, server: str) -> bool:
    """Whether what belongs to a sign-in to `server` may go to `address`, and the browser may open it.

    Encrypted, and never to this machine, where anything may listen; unless the server itself is here.
    """
    scheme, _, rest = address.partition("://")
    if "@" in rest.split("/", 1)[0] or not address.isprintable():
        return False
    try:
        here, both = is_on_this_machine(address), is_on_this_machine(server)
    except ValueError:  # no host that could be read
        return False
    return (both and scheme.lower() in ("http", "https")) if here else scheme.lower() == "https"


def origin(address: str) -> str:
    """Scheme, host and port, without a login."""
    parts = urlsplit(address)
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme.lower(), "")
    return f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2].lower().removesuffix(usual)}"
