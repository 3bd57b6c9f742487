"""What a list must know of rows that open: the row itself, how it looks, and what it shows below."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget


class OpenRow(Protocol):
    """A row that knows itself again among others."""

    @property
    def key(self) -> str: ...

    @property
    def kind(self) -> str:
        """All closed rows of a kind are of one height."""
        ...

    @property
    def opens(self) -> bool:
        """Whether it can be opened; what cannot is a head, and the keyboard passes over it."""
        ...


R = TypeVar("R", bound=OpenRow)


class Sheet(QWidget, Generic[R]):
    """What an open row shows below itself."""

    def show_row(self, row: R) -> None:
        """The row is another one now."""
        raise NotImplementedError


class Painter(Protocol[R]):
    """How rows look."""

    def height(self, row: R) -> int:
        """Of the row itself; asked once for each kind."""
        ...

    def paint(
        self, painter: QPainter, rect: QRect, row: R, *, marked: bool, hovered: bool, sheet: int
    ) -> None:
        """`sheet` is how high what is open below is; 0: the row is closed. `rect` is of both together."""
        ...

    def sheet(self, row: R) -> Sheet[R]:
        """A new one."""
        ...

    def sheet_place(self, rect: QRect) -> QRect:
        """Where it stands within the room below its row."""
        ...
