"""Fills placeholders in, and remembers what must not be shown.

Contract: `secret` is awaited once a name; nothing here keeps a value longer than the start that needs it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from partner_desktop.action.runner.mcp.masking import MASK, is_secret_name
from partner_desktop.action.runner.mcp.placeholders import Piece, pieces, why_unknown
from partner_desktop.action.runner.mcp.port import ServerEndedError
from partner_desktop.action.runner.mcp.program import cannot

Secret = Callable[[str], Awaitable[str]]


@dataclass(frozen=True)
class Filled:
    """A text with everything filled in, and as it may be shown."""

    value: str
    shown: str


class Filling:
    """The placeholders of one configuration. What is missing is collected: one sentence names it all."""

    def __init__(self, environ: Mapping[str, str], secret: Secret, *, outline: bool = False) -> None:
        """`outline`: for the person's eyes, who has to see what stands in the file itself."""
        self._outline = outline
        self._environ = environ
        self._defined: dict[str, Filled] = {}
        self._secret = secret
        self._secrets: dict[str, str] = {}
        self.hidden: set[str] = set()
        """Every value that was filled in and is not shown."""
        self._no_variables: dict[str, None] = {}
        self._no_entries: dict[str, None] = {}
        self._unknown: dict[str, None] = {}

    def define(self, name: str, filled: Filled) -> None:
        """From now on a variable has this value."""
        hidden = filled.shown != filled.value or is_secret_name(name)
        shown = MASK if hidden and not self._outline else filled.shown
        self._defined[name] = Filled(filled.value, shown)

    async def fill(self, text: str) -> Filled:
        """The text filled in; what is missing is left empty, and reported by `check`."""
        parts = [await self._piece(piece) for piece in pieces(text)]
        self.hidden.update(part.value for part in parts if part.shown != part.value)
        return Filled("".join(each.value for each in parts), "".join(each.shown for each in parts))

    async def _piece(self, piece: Piece) -> Filled:
        if piece.kind == "keyring":
            return Filled(await self._from_keyring(piece.text), MASK)
        if piece.kind in ("env", "home"):
            return self._variable(piece)
        if piece.kind == "unknown":
            self._unknown[piece.text] = None
        return Filled(piece.text, piece.text)

    def _variable(self, piece: Piece) -> Filled:
        name = "HOME" if piece.kind == "home" else piece.text
        found = self._defined.get(name)
        if found is None and (text := self._environ.get(name)) is not None:
            found = Filled(text, _plain(name, text))
        if found is not None and (found.value or piece.default is None):
            return found
        if piece.default is None:
            self._no_variables[name] = None
        default = piece.default or ""
        return Filled(default, default if self._outline else _plain(name, default))

    async def _from_keyring(self, name: str) -> str:
        if name not in self._secrets:
            self._secrets[name] = await self._secret(name)
        if not self._secrets[name]:
            self._no_entries[name] = None
        return self._secrets[name]

    def check(self) -> None:
        """Whether everything was there.

        Raises:
            ServerEndedError: Something is missing, or not known; the sentence names all of it.
        """
        if self._unknown:
            reasons = "; ".join(why_unknown(inside) for inside in self._unknown)
            raise cannot(f"Its configuration cannot be filled in: {reasons}.")
        if self._no_variables or self._no_entries:
            raise self._missing()

    def _missing(self) -> ServerEndedError:
        clauses = []
        if self._no_variables:
            names = _named(self._no_variables, "the variable", "the variables")
            clauses.append(f"{names} (Partner was started without)")
        if self._no_entries:
            clauses.append(_named(self._no_entries, "the keyring entry", "the keyring entries"))
        advice = "give the entries in the list of abilities" if self._no_entries else ""
        if self._no_variables:
            advice += (" and " if advice else "") + "set the variables, or write their values into the file"
        what = " and ".join(clauses)
        return cannot(
            f"Its configuration needs what is not there: {what}; {advice}.", needs=tuple(self._no_entries)
        )


def _plain(name: str, text: str) -> str:
    return MASK if text and is_secret_name(name) else text


def _named(names: dict[str, None], one: str, many: str) -> str:
    shown = [f"`{name}`" for name in names]
    if len(shown) == 1:
        return f"{one} {shown[0]}"
    return f"{many} {', '.join(shown[:-1])} and {shown[-1]}"
