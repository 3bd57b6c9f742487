"""What a person would see on a terminal: the few control sequences that the console uses, nothing more."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b[=>]|([\r\n\b])|([^\x1b\r\n\b]+)")


class Glass:
    """Rows from the first one ever shown; the screen is the last `rows` of them."""

    def __init__(self, *, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns
        self._lines: list[list[str]] = [[]]
        self._top = 0
        self.row = 0
        self._column = 0

    def __getitem__(self, row: int) -> str:
        return "".join(self._lines[row]).rstrip()

    def since(self, row: int) -> str:
        """Everything from a row on."""
        return "\n".join("".join(line).rstrip() for line in self._lines[row:])

    @property
    def here(self) -> str:
        """The row with the cursor."""
        return self[self.row]

    def feed(self, text: str) -> None:
        """Show what a program wrote."""
        for found in _TOKEN.finditer(text):
            numbers, command, moved, signs = found.groups()
            if command:
                self._control(numbers, command)
            elif moved:
                self._move(moved)
            for sign in signs or "":
                self._put(sign)

    def _put(self, sign: str) -> None:
        if self._column >= self._columns:
            self._column = 0
            self._down()
        line = self._lines[self.row]
        line.extend(" " * (self._column + 1 - len(line)))
        line[self._column] = sign
        self._column += 1

    def _move(self, sign: str) -> None:
        if sign == "\r":
            self._column = 0
        elif sign == "\b":
            self._column = max(0, self._column - 1)
        else:
            self._down()

    def _down(self) -> None:
        self.row += 1
        while len(self._lines) <= self.row:
            self._lines.append([])
        self._top = max(self._top, self.row - self._rows + 1)

    def _control(self, numbers: str, command: str) -> None:
        count = int(numbers) if numbers.isdigit() else 1
        if command == "A":
            self.row = max(self._top, self.row - count)
        elif command == "B":
            for _ in range(count):
                self._down()
        elif command == "C":
            self._column = min(self._columns - 1, self._column + count)
        elif command == "D":
            self._column = max(0, self._column - count)
        elif command == "K":
            del self._lines[self.row][self._column :]
        elif command == "J":
            del self._lines[self.row][self._column :]
            for line in self._lines[self.row + 1 :]:
                line.clear()
