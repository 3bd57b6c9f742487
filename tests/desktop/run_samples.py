"""Runs to show: what they print, what they leave behind, abilities that are proposed, commands."""

from __future__ import annotations

from datetime import timedelta

from partner_desktop.domain.action import ActionRecord, ActionStatus, RunFile, Undo, UndoState
from partner_desktop.domain.command_session import CommandSession, SessionState
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.run_facts import Isolation, Risk

from .samples import NOON, count_action

FILES = (
    RunFile("report.html", 48_210),
    RunFile("plots/types-by-month.png", 182_400),
    RunFile("log.txt", 512),
)

CODE = '''"""Count the words of a text file."""

import json
import sys
from collections import Counter
from pathlib import Path


def count(path: Path) -> dict[str, int]:
    words = Counter(path.read_text().lower().split())
    return dict(words.most_common(20))  # the twenty most frequent


if __name__ == "__main__":
    given = json.load(sys.stdin)
    print(json.dumps(count(Path(given["file"]))))
'''

BORN_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "desc": {"type": "string", "title": "What it does"},
        "code": {"type": "string", "description": "the source"},
        "codeType": {"type": "string", "title": "Language", "enum": ["py", "sh", "js"]},
        "launcher": {"type": "string", "title": "Runs with"},
    },
    "required": ["desc", "code", "codeType", "launcher"],
}

BUILT_IN = Isolation(sandboxed=True, net=False, summary="writes a file", interpreter="")


def born(action_id: str = "a1", **facts: object) -> ActionRecord:
    """A proposal of a new ability."""
    given: dict[str, object] = {
        "key": "builtin::dynamic::generate",
        "title": "Make a new ability",
        "description": "It is written into your folder of abilities and leaves the list after half an hour.",
        "params": {
            "desc": "Count the words of a text file",
            "code": CODE,
            "codeType": "py",
            "launcher": "python3",
        },
        "schema": BORN_SCHEMA,
        "risk": Risk.WRITE,
        "isolation": BUILT_IN,
        "paths": (),
        "source_path": "",
        "grantable": False,
    }
    return count_action(action_id, **{**given, **facts})


def left_behind(action_id: str = "a1", **facts: object) -> ActionRecord:
    """A run that changed files and left some."""
    given: dict[str, object] = {
        "status": ActionStatus.SUCCEEDED,
        "stdout": "sorted 3 files\n",
        "started_at": NOON,
        "duration_ms": 840,
        "files": FILES,
        "undo": Undo(UndoState.POSSIBLE, 3, "A file that is larger than 64 MB cannot be taken back."),
    }
    return count_action(action_id, **{**given, **facts})


def command(session_id: str = "s1", **facts: object) -> CommandSession:
    """A command that goes on in the background."""
    given: dict[str, object] = {
        "id": session_id,
        "description": "Serve the notes on port 8000",
        "argv": ("python3", "-m", "http.server", "8000", "--directory", "/home/user/Notes"),
        "cwd": "/home/user/Notes",
        "conversation_id": "c1",
        "action_id": "a9",
        "state": SessionState.RUNNING,
        "started_at": NOON - timedelta(minutes=4),
    }
    return CommandSession(**{**given, **facts})  # type: ignore[arg-type] # a test's own facts
