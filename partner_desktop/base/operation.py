"""Operation: the mark that makes a method of a service something that can be asked of Partner by name.

The mark stands where the method is; `api.operations` reads it, and what may be given from the signature:

    @operation(Caller.CLIENT)
    async def list(self, *, limit: Annotated[int, Field(ge=1, le=1_000)] = 100) -> Sequence[ActionRecord]:
        \"\"\"Newest first.\"\"\"
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, TypeVar

from partner_desktop.base.late_dataclass import dataclass

_MARK: Final = "__operation__"

F = TypeVar("F", bound=Callable[..., Any])


class Caller(IntEnum):
    """Who asks. Whoever is trusted more may ask for everything that the others may."""

    CLIENT = 1
    """A program with a token, or an MCP client at the other end of a pipe: a stranger."""
    ATTACHED = 2
    """A command or a window of the same user, over the private socket."""
    LOCAL = 3
    """This process."""


@dataclass(frozen=True)
class OnlyFrom:
    """In `Annotated`: who is trusted less cannot give this parameter, which then has its default."""

    caller: Caller


@dataclass(frozen=True)
class Sent:
    """In `Annotated`: the form in which this parameter comes from outside the process, where it must come."""

    form: object


def operation(caller: Caller = Caller.LOCAL) -> Callable[[F], F]:
    """Mark a method: whoever is trusted as far as `caller` may ask for it."""

    def mark(function: F) -> F:
        setattr(function, _MARK, caller)
        return function

    return mark


def least_caller(function: object) -> Caller | None:
    """Who may ask for it at least; `None`: it is no operation."""
    found = getattr(function, _MARK, None)
    return found if isinstance(found, Caller) else None
