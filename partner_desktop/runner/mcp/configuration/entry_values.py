"""The values of one server's object, checked: texts, lists, maps, seconds; and placeholders in them. Pure.

What is wrong becomes a `DescriptorError` with the line of the key; what is odd and harmless, a hint.

Each check of a single value (an id, an address, a header) returns what is wrong as the end of a sentence that
names the value, or an empty text.

`${env:NAME}` and `${NAME}` (a variable), each with `:-default` behind the name, `${keyring:NAME}`,
`${input:NAME}` (VS Code's question for a secret; here the keyring's entry of that name), `${userHome}` and
`${pathSeparator}` or `${/}` are filled in at the start. What was filled in is not looked at again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Annotated, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.text import cut
from partner_desktop.runner.located_json import Node, find
from partner_desktop.runner.mcp.port import CALL_TIMEOUT_S, START_TIMEOUT_S

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VERSION = re.compile(r"20\d\d-\d\d-\d\d")
#: VS Code's variables for an editor's window; a companion on the desktop has no such folder.
_WORKSPACE = ("workspaceFolder", "workspaceRoot", "workspaceFolderBasename", "cwd", "file", "relativeFile")

Kind = Literal["text", "env", "keyring", "home", "unknown"]


@dataclass(frozen=True)
class PlaceholderPiece:
    """A stretch of a text: as it is, or a placeholder."""

    kind: Kind
    text: str
    """The text itself, the name referred to, or the placeholder that is not known."""
    default: str | None = None
    asked: bool = False
    """Written as `${input:…}`."""


def pieces(text: str) -> list[PlaceholderPiece]:
    """A text in its stretches, in order."""
    found, at = [], 0
    for match in _PLACEHOLDER.finditer(text):
        if match.start() > at:
            found.append(PlaceholderPiece("text", text[at : match.start()]))
        found.append(_placeholder(match.group(1)))
        at = match.end()
    if at < len(text):
        found.append(PlaceholderPiece("text", text[at:]))
    return found


def _placeholder(inside: str) -> PlaceholderPiece:
    if inside in ("pathSeparator", "/"):
        return PlaceholderPiece("text", "/")
    if inside == "userHome":
        return PlaceholderPiece("home", inside)
    kind, colon, rest = inside.partition(":")
    if colon and kind in ("keyring", "input") and rest.strip() and rest.isprintable():
        return PlaceholderPiece("keyring", rest.strip(), asked=kind == "input")
    name, dash, default = (rest if colon and kind == "env" else inside).partition(":-")
    if inside.partition(":")[0] not in _WORKSPACE and _NAME.fullmatch(name):
        return PlaceholderPiece("env", name, default=default if dash else None)
    return PlaceholderPiece("unknown", inside)


def why_unknown(inside: str) -> str:
    """What to write in place of a placeholder that is not known, as a clause."""
    kind, _, _ = inside.partition(":")
    if kind in _WORKSPACE:
        return sentence_of("servers.value.editor_folder", inside=inside)
    return sentence_of("servers.value.unknown", inside=inside)


def without_placeholders(text: str) -> str:
    """The text as it could look when everything is filled in."""
    return _PLACEHOLDER.sub("x", text)


def asked_for(text: str) -> list[str]:
    """The names that `${input:…}` refers to."""
    return [piece.text for piece in pieces(text) if piece.asked]


#: Longer than any call; beyond it, milliseconds were meant.
_MAX_SECONDS = 86_400.0
_LIKE_MILLISECONDS = 5_000
_SHORT_LIST = 10_000

ADDRESS = ("url", "uri", "serverUrl", "httpUrl")
ENV_KEYS = ("env", "envs", "environment")
TYPE = ("type", "transport", "transportType")
_TIMEOUT = ("timeout", "timeoutSeconds")
_START_TIMEOUT = ("startTimeout", "startTimeoutSeconds")
#: What holds texts, which may be written as numbers.
_OF_TEXTS = ("args", "headers", *ENV_KEYS)


class _WrittenNumber(float):
    """A number that keeps the form in which it was written."""

    raw: str


def _refusing(wrong: Callable[[str], str]) -> AfterValidator:
    """Refuses a text with what `wrong` says of it."""

    def refuse(text: str) -> str:
        reason = wrong(text)
        if reason:
            raise PydanticCustomError("refused", "{reason}", {"reason": reason})
        return text

    return AfterValidator(refuse)


def _as_text(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return value.raw if isinstance(value, _WrittenNumber) else value


def _several_lines(text: str) -> str:
    return "" if text.isprintable() else sentence_of("servers.value.several_lines")


def _nul(text: str) -> str:
    return sentence_of("servers.value.nul") if "\0" in text else ""


_Line = Annotated[str, _refusing(_several_lines), AfterValidator(str.strip)]
_Seconds = Annotated[float, Field(gt=0, le=_MAX_SECONDS)]
_Argument = Annotated[str, BeforeValidator(_as_text), _refusing(_nul)]
_VariableName = Annotated[str, _refusing(lambda name: wrong_variable(name, ""))]
_VariableText = Annotated[str, BeforeValidator(_as_text), _refusing(lambda text: wrong_variable("X", text))]
_HeaderName = Annotated[str, _refusing(lambda name: wrong_header(name, ""))]
_HeaderText = Annotated[str, BeforeValidator(_as_text), _refusing(lambda text: wrong_header("X", text))]


class EntryModel(BaseModel):
    """What tells how a server is reached, under all names that clients have for it, best known first."""

    model_config = ConfigDict(strict=True, defer_build=True, hide_input_in_errors=True)

    on: bool = Field(default=True, validation_alias=AliasChoices("enabled", "active", "isActive"))
    disabled: bool = False
    type: _Line = Field(default="", validation_alias=AliasChoices(*TYPE))
    address: _Line = Field(default="", validation_alias=AliasChoices(*ADDRESS))
    endpoint: _Line = ""
    command: _Line = Field(default="", validation_alias=AliasChoices("command", "cmd"))


#: The first protocol without a handshake; what is older is asked for by any of its names.
_MODERN_FROM = "2026"


def _as_legacy(value: object) -> object:
    """`legacy`, or a version by its date; anything else is left to be refused."""
    text = value.lower() if isinstance(value, str) else ""
    if text in ("auto", "latest", "legacy"):
        return text == "legacy"
    return text < _MODERN_FROM if _VERSION.fullmatch(text) else value


class _LimitedEntry(EntryModel):
    """With what is looked at once it is clear how the server is reached."""

    timeout_s: _Seconds = Field(default=CALL_TIMEOUT_S, validation_alias=AliasChoices(*_TIMEOUT))
    start_timeout_s: _Seconds = Field(default=START_TIMEOUT_S, validation_alias=AliasChoices(*_START_TIMEOUT))
    insecure: bool = False
    legacy: Annotated[bool, BeforeValidator(_as_legacy)] = Field(
        default=False, validation_alias=AliasChoices("protocol", "protocolVersion")
    )


class ProgramEntry(_LimitedEntry):
    """Of a server that runs on this computer."""

    args: list[_Argument] = Field(default=[], max_length=_SHORT_LIST)
    env: dict[_VariableName, _VariableText] = Field(default={}, validation_alias=AliasChoices(*ENV_KEYS))
    cwd: _Line = ""


def _as_port(value: object) -> object:
    return int(value) if isinstance(value, _WrittenNumber) and value.is_integer() else value


def _as_list(value: object) -> object:
    return value.split() if isinstance(value, str) else value


def _as_client(value: object) -> object:
    """Some clients write `"auth": "oauth"` for nothing but what happens anyway."""
    return {} if value == "oauth" else value


class OAuthEntry(BaseModel):
    """The client with which the person signs in, where it was registered by hand."""

    model_config = ConfigDict(strict=True, defer_build=True, hide_input_in_errors=True)

    client_id: _Line = Field(default="", validation_alias=AliasChoices("clientId", "CLIENT_ID", "client_id"))
    client_secret: _Line = Field(
        default="", validation_alias=AliasChoices("clientSecret", "CLIENT_SECRET", "client_secret")
    )
    metadata_url: _Line = Field(
        default="", validation_alias=AliasChoices("clientMetadataUrl", "client_metadata_url")
    )
    callback_port: Annotated[int, BeforeValidator(_as_port), Field(ge=0, le=65535)] = Field(
        default=0, validation_alias=AliasChoices("callbackPort", "redirectPort")
    )
    scopes: Annotated[list[_Line], BeforeValidator(_as_list)] = Field(
        default=[], validation_alias=AliasChoices("scopes", "scope"), max_length=200
    )


class RemoteEntry(_LimitedEntry):
    """Of a server that is reached by its address."""

    headers: dict[_HeaderName, _HeaderText] = {}
    oauth: Annotated[OAuthEntry, BeforeValidator(_as_client)] | None = Field(
        default=None, validation_alias=AliasChoices("oauth", "auth")
    )


Entry = TypeVar("Entry", bound=EntryModel)


def _keys(model: type[EntryModel]) -> Iterator[tuple[str, ...]]:
    """The keys of each field."""
    for name, each in model.model_fields.items():
        alias = each.validation_alias
        yield tuple(map(str, alias.choices)) if isinstance(alias, AliasChoices) else (name,)


KNOWN_KEYS = frozenset(key for model in (ProgramEntry, RemoteEntry) for keys in _keys(model) for key in keys)


def given(node: Node, *keys: str) -> tuple[str, Node] | None:
    """The first of the keys that is there, and not null."""
    found = ((key, node.members.get(key)) for key in keys)
    return next(((key, each) for key, each in found if each is not None and each.value is not None), None)


def checked_entry(model: type[Entry], node: Node) -> Entry:
    """A server's object as the model has it.

    Raises:
        DescriptorError: It does not fit; `line` is that of the value.
    """
    members = dict(found for keys in _keys(model) if (found := given(node, *keys)) is not None)
    address = given(node, *ADDRESS)
    if address is None or address[1].value == "":
        members.pop("endpoint", None)  # it is not used, and so may be anything
    for key, member in members.items():
        for name, line in member.twice if key in _OF_TEXTS else ():
            raise DescriptorError("servers.value.twice", key=key, name=printable(name), line=line)
    try:
        return model.model_validate({key: _value(member) for key, member in members.items()})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        value = find(node, first["loc"])
        place = LazySentence("servers.value.of_place", place=_place(first["loc"]), what=_misfit(first, value))
        raise DescriptorError("common.told", text=place, line=value.line) from error


def entry_hints(model: type[EntryModel], node: Node) -> Iterator[str]:
    """What is odd about the values of an object that fits."""
    for key, member in filter(None, (given(node, *keys) for keys in _keys(model))):
        listed = member.value if isinstance(member.value, list) else []
        inner: list[tuple[int | str, Node]] = [*enumerate(listed), *member.members.items()]
        for place, item in inner if key in _OF_TEXTS else ():
            if item.raw or isinstance(item.value, bool):
                text = item.raw or str(item.value).lower()
                yield sentence_of("servers.value.as_text", place=_place((key, place)), text=text[:40])
        seconds = float(member.raw or 0) if key in (*_TIMEOUT, *_START_TIMEOUT) else 0
        if seconds >= _LIKE_MILLISECONDS and seconds % 1_000 == 0:
            yield sentence_of("servers.value.seconds", key=key, seconds=seconds / 1_000)


def _value(node: Node) -> object:
    if isinstance(node.value, dict):
        return {name: _value(each) for name, each in node.value.items()}
    if isinstance(node.value, list):
        return [_value(each) for each in node.value]
    if not node.raw:
        return node.value
    number = _WrittenNumber(node.raw)
    number.raw = node.raw
    return number


#: What is said of a value that is not of its type, or out of its range.
_MISFITS = (
    *("string_type", "bool_type", "float_type", "list_type", "dict_type", "model_type", "int_type"),
    *("too_long", "greater_than", "less_than_equal"),
)


def _misfit(error: ErrorDetails, value: Node) -> object:
    kind, what = error["type"], error["msg"]
    said: object = what
    if kind in _MISFITS:
        values = {"kind": _kind(value), "raw": value.raw[:20], "most": _SHORT_LIST}
        said = LazySentence(f"servers.misfit.{kind}", **values)
    if isinstance(value.value, list) and error["loc"][0] in ("command", "cmd"):
        return LazySentence("servers.value.split", what=said)
    return said


def _place(path: tuple[int | str, ...]) -> LazySentence:
    key, *inner = path
    if not inner:
        return LazySentence("servers.value.at", key=key)
    if isinstance(inner[0], int):
        return LazySentence("servers.value.at_number", key=key, number=inner[0] + 1)
    return LazySentence("servers.value.at_name", key=key, name=printable(inner[0]))


def _kind(node: Node) -> LazySentence:
    """What a value is, for a sentence."""
    kinds = ((bool, "bool"), (str, "text"), (list, "list"), (dict, "object"), (int | float, "number"))
    known = (name for kind, name in kinds if isinstance(node.value, kind))
    return LazySentence(f"servers.kind.{next(known, 'null')}")


MAX_ID_LENGTH = 100
#: What keys begin with that are not external servers' own: other abilities, faults, a server's switch.
RESERVED_IDS = frozenset({"local", "builtin", "origin", "file", "folder", "server"})

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, token


def printable(name: str) -> str:
    """A name that a sentence can hold."""
    return "".join(sign if sign.isprintable() else "�" for sign in cut(name, 60))


def wrong_id(name: str) -> str:
    """Why a server cannot be called so."""
    if not name.strip():
        return sentence_of("servers.value.no_id")
    if len(name) > MAX_ID_LENGTH:
        return sentence_of("servers.value.long_id", size=len(name), most=MAX_ID_LENGTH)
    if not name.isprintable() or name != name.strip():
        return sentence_of("servers.value.odd_id")
    if _is_reserved(name):
        return sentence_of("servers.value.reserved_id")
    for sign in ("::", ":", "/", "\\"):
        if sign in name:
            like = _shorter(name)
            told = "servers.value.sign_in_id_like" if like else "servers.value.sign_in_id"
            return sentence_of(told, sign=sign, like=like)
    return ""


def _is_reserved(name: str) -> bool:
    """Whatever its letters' size and width: a card that says `Local` must not be a stranger's."""
    return unicodedata.normalize("NFKC", name).casefold() in RESERVED_IDS


def _shorter(name: str) -> str:
    last = re.split(r"[:/\\]", name.strip(":/\\"))[-1].strip()
    return "" if _is_reserved(last) else last


def wrong_address(text: str) -> str:
    """Why a text is not the address of a server; placeholders in it count as filled in."""
    filled = without_placeholders(text)
    if not filled.isprintable() or " " in filled:
        return sentence_of("servers.value.address_blanks")
    try:
        parts = urlsplit(filled)
        port = parts.port
    except ValueError:  # its own words could quote what was filled in
        return sentence_of("servers.value.no_address")
    if parts.scheme.lower() not in ("http", "https"):
        if text.startswith("${"):
            return ""  # the scheme stands in the placeholder: looked at again once it is filled in
        return sentence_of("servers.value.address_scheme")
    if not parts.hostname:
        return sentence_of("servers.value.no_host")
    return sentence_of("servers.value.port_zero") if port == 0 else ""


def address_hints(text: str) -> list[str]:
    """What is odd about an address that works."""
    parts = urlsplit(without_placeholders(text))
    if parts.username is not None or parts.password is not None:
        return [sentence_of("servers.value.login_in_address")]
    return []


def wrong_header(name: str, value: str) -> str:
    """Why a header cannot be sent."""
    if not _HEADER_NAME.fullmatch(name):
        return sentence_of("servers.value.header_name")
    if not value.isprintable() or not value.isascii():
        return sentence_of("servers.value.header_value")
    return ""


def wrong_variable(name: str, value: str) -> str:
    """Why a variable of the environment cannot be set."""
    if not name or "=" in name or not name.isprintable():
        return sentence_of("servers.value.variable_name")
    return sentence_of("servers.value.variable_nul") if "\0" in value else ""
