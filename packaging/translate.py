#!/usr/bin/env python3
"""Keeps the window's translations, with Qt's own lupdate and lrelease from the PySide6 of this interpreter.

translate.py               take in new and changed texts, drop what is gone, compile
translate.py --missing     list the texts without a translation, as JSON lines; exit 1 when there are any
translate.py --fill FILE   read such lines with a "translation" in each, put them in, compile
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import PySide6

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "partner_desktop" / "desktop"
CATALOGUE = ROOT / "resources" / "i18n" / "partner_zh_CN.ts"
COMPILED = CATALOGUE.with_suffix(".qm")


@dataclass(frozen=True)
class Text:
    """One message of the catalogue."""

    context: str
    source: str
    translation: str
    state: str
    """Empty, `unfinished`, `obsolete` or `vanished`."""


def update(catalogue: Path = CATALOGUE) -> None:
    """Bring the catalogue in step with the code; what is gone from the code goes."""
    sources = sorted(str(path.relative_to(ROOT)) for path in SOURCES.rglob("*.py"))
    options = ("-no-obsolete", "-locations", "none", "-source-language", "en", "-target-language", "zh_CN")
    # One round says new texts and changed contexts; a text that moved is found by its wording.
    _run("lupdate", "-silent", *options, *sources, "-ts", str(catalogue))


def compile_catalogue(catalogue: Path = CATALOGUE, target: Path = COMPILED) -> None:
    """Write the file that the window reads."""
    _run("lrelease", "-silent", str(catalogue), "-qm", str(target))


def texts(catalogue: Path = CATALOGUE) -> Iterator[Text]:
    """Yield every message."""
    for context in ET.parse(catalogue).getroot().iter("context"):
        for message in context.iter("message"):
            said = message.find("translation")
            yield Text(
                context=context.findtext("name") or "",
                source=message.findtext("source") or "",
                translation=(said.text or "") if said is not None else "",
                state=said.get("type", "") if said is not None else "unfinished",
            )


def missing(catalogue: Path = CATALOGUE) -> list[Text]:
    """The texts that a person has to translate."""
    return [text for text in texts(catalogue) if not text.translation or text.state]


def fill(lines: list[dict[str, str]], catalogue: Path = CATALOGUE) -> int:
    """Put translations in, by context and source; returns how many."""
    wanted = {(line.get("context", ""), line["source"]): line["translation"] for line in lines}
    tree = ET.parse(catalogue)
    count = 0
    for context in tree.getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            words = wanted.get((name, message.findtext("source") or ""))
            said = message.find("translation")
            if words and said is not None:
                said.text = words
                said.attrib.pop("type", None)
                count += 1
    tree.write(catalogue, encoding="utf-8", xml_declaration=True)
    return count


def _run(tool: str, *arguments: str) -> None:
    program = Path(PySide6.__file__).parent / tool
    subprocess.run([str(program), *arguments], cwd=ROOT, check=True)


def main() -> int:
    """Do what was asked; return the exit code."""
    parser = argparse.ArgumentParser(description="Keep the window's translations.")
    parser.add_argument("--missing", action="store_true", help="list what has no translation yet")
    parser.add_argument("--fill", type=Path, metavar="FILE", help="put in translated lines of such a list")
    options = parser.parse_args()
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    update()
    if options.fill is not None:
        lines = [json.loads(line) for line in options.fill.read_text(encoding="utf-8").splitlines() if line]
        print(f"{fill(lines)} translations put in", file=sys.stderr)
        update()  # in lupdate's own manner of writing
    left = missing()
    if options.missing:
        for text in left:
            print(
                json.dumps(
                    {"context": text.context, "source": text.source, "translation": ""}, ensure_ascii=False
                )
            )
    else:
        compile_catalogue()
        print(f"{sum(1 for _ in texts())} texts, {len(left)} without a translation", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
