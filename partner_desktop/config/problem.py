"""What is wrong with a settings file, where, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import sentence_of
from partner_desktop.domain.json_value import JsonObject

#: So many mistakes of one file are told at once; the rest is counted.
_TOLD = 3


@dataclass(frozen=True)
class ConfigProblem:
    """One mistake. `line` and `column` count from 1; 0 where the whole file is meant."""

    path: Path
    message: str
    line: int = 0
    column: int = 0
    key: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Which file and where in it, for a sentence."""
        line = sentence_of("config.line", line=self.line) if self.line else ""
        column = sentence_of("config.column", column=self.column) if self.column else ""
        return f"{self.path.name}{line}{column}"

    def __str__(self) -> str:
        return sentence_of("config.place_says", place=self.place, message=self.message)

    def to_json(self) -> JsonObject:
        """For `--json`."""
        return {
            "file": display_path(self.path),
            "line": self.line,
            "column": self.column,
            "key": ".".join(self.key),
            "message": self.message,
        }


def problem_sentence(problems: Sequence[ConfigProblem]) -> str:
    """A file's mistakes as one text, a line each."""
    lines = [str(problem) for problem in problems[:_TOLD]]
    more = len(problems) - len(lines)
    if more > 0:
        lines.append(sentence_of("config.and_more", more=more))
    return "\n".join(lines)
