"""Phrases of a third language are a file only: a table beside the others, and it is read."""

from __future__ import annotations

import shutil
from pathlib import Path

from partner_desktop.base.paths import shipped
from partner_desktop.language.phrase_table import PhraseTable

GERMAN = {
    "which": ["was", "welche", "welche denn", "was gibt es", "wie bitte", "zum Beispiel"],
    "why": [
        "warum", "wieso", "wozu", "weshalb", "warum fragst du",
        "wofür brauchst du das",
    ],
    "unknown": [
        "keine Ahnung", "weiß nicht", "ich weiß es nicht", "egal", "ist mir egal", "such du aus",
        "irgendeine", "vergessen",
    ],
}  # fmt: skip


def test_a_german_table_beside_the_others_is_read_and_takes_nothing_from_them(tmp_path: Path) -> None:
    folder = shutil.copytree(shipped("resources") / "language", tmp_path / "language")
    (folder / "de").mkdir()
    rows = [f"{kind} = {phrases!r}".replace("'", '"') for kind, phrases in GERMAN.items()]
    table = ['lead = "(?:äh|also|bitte)[, ]+"', 'tail = "[, ]+(?:bitte|denn)"', "[phrases]", *rows]
    (folder / "de" / "answers.toml").write_text("\n".join(table), encoding="utf-8")
    before, after = PhraseTable("answers"), PhraseTable("answers", folder)
    for kind, phrases in GERMAN.items():
        for phrase in phrases:
            read = after.read(f"Äh, {phrase}?")
            assert read is not None, phrase
            assert read.kind == kind
            assert before.read(f"Äh, {phrase}?") is None
    for phrase, kind in (("which ones", "which"), ("为什么", "why")):
        read = after.read(phrase)
        assert read is not None
        assert read.kind == kind
