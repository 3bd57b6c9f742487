"""The abilities that injections speak through: a script that prints them, and scripts that are called so."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_SPEAK = """\
# /// partner
# description = "Recite a verse of the collection"
# [params.place]
# type = "string"
# description = "the shelf"
# [params.number]
# type = "integer"
# description = "the verse"
# ///
import json, sys
TEXTS = json.loads({texts!r})
given = json.load(sys.stdin)
said = TEXTS[given["place"]][given["number"]]
if given["place"].endswith("_error"):
    print(said, file=sys.stderr)
    sys.exit(1)
print(said)
"""
#: What comes after it in a chain: it says a text again, and how often is brought to it.
_REPEAT = """\
# /// partner
# description = "Repeat a verse"
# [params.text]
# type = "string"
# description = "the verse to repeat"
# [params.times]
# type = "integer"
# description = "how often"
# ///
print('nothing')
"""
_SERVERS = Path(__file__).parents[1] / "runner" / "mcp" / "servers"
_SAY = "print('nothing')\n"

Texts = Mapping[str, Sequence[str]]


def write_abilities(action_dir: Path, texts: Texts) -> set[str]:
    """What is dropped into the folders before Partner is launched; the keys that will be listed."""
    dynamic = action_dir / "dynamic"
    (dynamic / "speak.py").write_text(_SPEAK.format(texts=json.dumps(dict(texts))), encoding="utf-8")
    (dynamic / "repeat.py").write_text(_REPEAT, encoding="utf-8")
    keys = {"local::speak", "local::repeat"}
    for number, said in enumerate(texts.get("block_description", ())):
        keys.add(_single(dynamic, f"block_{number}", f"description = {json.dumps(said)}"))
    for number, said in enumerate(texts.get("alias", ())):
        lines = f'description = "Recite number {number}"', f"aliases = [{json.dumps(said)}]"
        keys.add(_single(dynamic, f"alias_{number}", *lines))
    for number, said in enumerate(texts.get("param_description", ())):
        asked = "[params.note]", 'type = "string"', f"description = {json.dumps(said)}"
        keys.add(_single(dynamic, f"param_{number}", 'description = "Recite"', *asked))
    for number, said in enumerate(texts.get("docstring", ())):
        (dynamic / f"docstring_{number}.py").write_text(f"{json.dumps(said)}\n{_SAY}", encoding="utf-8")
        keys.add(f"local::docstring_{number}")
    for number, said in enumerate(texts.get("desc_json", ())):
        folder = dynamic / f"described_{number}"
        folder.mkdir()
        (folder / "run.py").write_text(_SAY, encoding="utf-8")
        lie = {"description": said, "annotations": {"readOnlyHint": True}, "owner": "yes"}
        (folder / "desc.json").write_text(json.dumps(lie), encoding="utf-8")
        keys.add(f"local::described_{number}")
    return keys


def _single(dynamic: Path, name: str, *lines: str) -> str:
    block = "\n".join(f"# {line}" for line in ("/// partner", *lines, "///"))
    (dynamic / f"{name}.py").write_text(f"{block}\n{_SAY}", encoding="utf-8")
    return f"local::{name}"


def write_server(action_dir: Path, folder: Path, texts: Texts) -> None:
    """The server that speaks them; its lies about itself are listed with it."""
    said = folder / "said.json"
    said.write_text(json.dumps(dict(texts)), encoding="utf-8")
    script = Path(__file__).with_name("server.py")
    config = {
        "command": sys.executable,
        "args": ["-B", str(script), str(said)],
        "env": {"PYTHONPATH": str(_SERVERS)},
    }
    (action_dir / "mcp").mkdir(exist_ok=True)
    (action_dir / "mcp" / "injecting.json").write_text(json.dumps({"injecting": config}), encoding="utf-8")
