"""A process as JSON text, and back. Only classes that registered agents speak of are ever made of a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from partner_desktop.agents.blackboard import Blackboard, BoardContent
from partner_desktop.agents.process_state import ProcessState
from partner_desktop.base.errors import AgentError

#: What JSON says by itself.
_PLAIN = (str, int, float, bool, list, dict)


@dataclass(frozen=True)
class _Document:
    state: ProcessState
    board: BoardContent


@cache
def _documents() -> TypeAdapter[_Document]:
    return TypeAdapter(_Document)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - a class, and what is of it
    return TypeAdapter(kind)


class ProcessCodec:
    """`types`: the classes that can be kept, by name; a live view."""

    def __init__(self, types: Callable[[], Mapping[str, type]]) -> None:
        self._types = types

    def check(self, value: object) -> None:
        """Hold that an object can be written down.

        Raises:
            AgentError: Nobody speaks of its class.
        """
        kind = type(value)
        if value is not None and kind not in _PLAIN and _name(kind) not in self._types():
            raise AgentError("agents.cannot_keep", kind=kind.__name__)

    def encoded(self, state: ProcessState, board: Blackboard) -> str:
        """All of it.

        Raises:
            AgentError: Something on the blackboard cannot be written down.
        """
        content = board.content
        values = tuple(self._plain(value) for value in content.values)
        kept = BoardContent(values, content.names, content.hidden, content.protected, content.conditions)
        return _documents().dump_json(_Document(state, kept)).decode()

    def decoded(self, text: str) -> tuple[ProcessState, Blackboard]:
        """What was written.

        Raises:
            AgentError: A class of it is not there any more, or is another now.
        """
        try:
            found = _documents().validate_json(text)
            content = found.board
            values = tuple(self._object(value) for value in content.values)
        except (ValidationError, KeyError) as error:
            raise AgentError("agents.cannot_read", error=error) from error
        board = BoardContent(values, content.names, content.hidden, content.protected, content.conditions)
        return found.state, Blackboard(board)

    def _plain(self, value: object) -> object:
        self.check(value)
        if value is None or type(value) in _PLAIN:
            return {"kind": "", "value": value}
        kind: Any = type(value)  # hashable, as all classes are
        return {"kind": _name(kind), "value": _adapter(kind).dump_python(value, mode="json")}

    def _object(self, kept: Any) -> object:  # noqa: ANN401 - what `_plain` made
        kind = kept["kind"]
        return _adapter(self._types()[kind]).validate_python(kept["value"]) if kind else kept["value"]


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
