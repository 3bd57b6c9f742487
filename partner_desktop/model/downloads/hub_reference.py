"""What a person pastes where a model is asked for: the name of a repository, or a link to it or a file of it.

Only the hub that is set is asked, huggingface.co where none is (`HF_ENDPOINT` names a mirror, as for every
program that uses the hub). Links to huggingface.co and hf.co mean that hub, too.
"""

from __future__ import annotations

import os
import re
from urllib.parse import SplitResult, unquote, urlsplit

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import shown
from partner_desktop.model.endpoint.address import shown_address

DEFAULT_ENDPOINT = "https://huggingface.co"
_HOSTS = frozenset({"huggingface.co", "www.huggingface.co", "hf.co"})
_LONGEST = 2_000
#: As the hub has them: `owner/name`.
_REPOSITORY = re.compile(r"(?!.*(?:\.\.|--))[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9_][\w.-]{0,95}", re.ASCII)
_REVISION = re.compile(r"(?!.*\.\.)[\w][\w./-]{0,199}", re.ASCII)
_QUANTISATION = re.compile(r"[\w.-]{1,40}", re.ASCII)
#: What stands before a revision and a file in a link.
_KINDS = frozenset({"resolve", "blob", "raw", "tree"})
_OTHER_THINGS = frozenset({"datasets", "spaces", "buckets", "collections", "papers"})


@dataclass(frozen=True)
class HubReference:
    """A repository of the hub, or one file of it."""

    repository: str
    revision: str = ""
    """Empty: the newest."""
    file: str = ""
    """A path in the repository; empty: none is named."""
    quantisation: str = ""
    """As `Q4_K_M`, where `owner/name:Q4_K_M` says it."""


def hub_endpoint() -> str:
    """The address of the hub that is asked, without a slash at its end."""
    return (os.environ.get("HF_ENDPOINT") or DEFAULT_ENDPOINT).rstrip("/")


def shown_endpoint() -> str:
    """The same for a person: without the password of a mirror."""
    return shown_address(hub_endpoint())


def read_reference(text: str) -> HubReference:
    """What somebody wrote or pasted.

    Raises:
        UsageError: It leads to no repository of the hub, or the name of its file is none.
    """
    said = text.strip()
    if not said or len(said) > _LONGEST:
        raise UsageError("downloads.no_reference", said=shown(said[:80]))
    if "://" in said:
        return _of_link(said)
    host = said.partition("/")[0].lower()
    if host in _HOSTS or host == _host_of_hub():
        return _of_link(f"{_scheme(host)}://{said}")
    return _of_name(said)


def require_file_name(file: str) -> str:
    """A path in a repository that is safe to take over, as it is.

    Raises:
        UsageError: It leads elsewhere, holds signs that no name has, or is no model's.
    """
    parts = file.split("/")
    fits = (
        file.isprintable()
        and "\\" not in file
        and file.lower().endswith(".gguf")
        and all(part and part not in (".", "..") and len(part.encode()) <= 200 for part in parts)
        and not parts[-1].startswith(".")
    )
    if not fits:
        raise UsageError("downloads.odd_file", file=shown(file[:120]))
    return file


def require_repository(name: str) -> str:
    """`owner/name`, as it is.

    Raises:
        UsageError: It is no such name.
    """
    if not _REPOSITORY.fullmatch(name):
        raise UsageError("downloads.no_reference", said=shown(name[:80]))
    return name


def _host_of_hub() -> str:
    """Raises: UsageError: The hub that is set has no address."""
    try:
        link = urlsplit(hub_endpoint())
    except ValueError:
        link = urlsplit("")
    if link.scheme not in ("http", "https") or not link.netloc:
        raise UsageError("downloads.odd_hub", hub=shown(shown_endpoint()[:80]))
    return link.netloc.lower()


def _scheme(host: str) -> str:
    return "https" if host in _HOSTS else urlsplit(hub_endpoint()).scheme


def _of_name(said: str) -> HubReference:
    name, colon, quantisation = said.partition(":")
    if colon and not _QUANTISATION.fullmatch(quantisation):
        raise UsageError("downloads.no_reference", said=shown(said[:80]))
    return HubReference(require_repository(name), quantisation=quantisation)


def _of_link(said: str) -> HubReference:
    try:
        link = urlsplit(said)
        host = link.netloc.lower()
    except ValueError as error:
        raise UsageError("downloads.no_reference", said=shown(said[:80])) from error
    hub = _host_of_hub()
    if host not in _HOSTS and host != hub:
        raise UsageError("downloads.other_host", host=shown(host[:80]), hub=hub.rpartition("@")[2])
    return _of_path(link, said)


def _of_path(link: SplitResult, said: str) -> HubReference:
    """Split first and read the `%2F` of each part after it, so that none of them makes new parts."""
    before = urlsplit(hub_endpoint()).path if link.netloc.lower() == _host_of_hub() else ""
    path = link.path.removeprefix(before)
    parts = [unquote(part) for part in path.strip("/").split("/")]
    if parts[0] in _OTHER_THINGS:
        raise UsageError("downloads.no_model_link", said=shown(said[:200]))
    if len(parts) < 2:
        raise UsageError("downloads.no_reference", said=shown(said[:80]))
    named = _of_name("/".join(parts[:2]))
    if len(parts) < 4 or parts[2] not in _KINDS:
        return named
    revision, file = parts[3], "/".join(parts[4:])
    if parts[3:5] == ["refs", "pr"] and len(parts) > 5:
        revision, file = "/".join(parts[3:6]), "/".join(parts[6:])
    if not _REVISION.fullmatch(revision):
        raise UsageError("downloads.no_reference", said=shown(said[:80]))
    if not file or parts[2] == "tree":
        return HubReference(named.repository, revision)
    return HubReference(named.repository, revision, require_file_name(file))
