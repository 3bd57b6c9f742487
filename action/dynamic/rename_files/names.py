"""New names for the files of a folder."""

from __future__ import annotations

import fnmatch
import os
import re
import time
from dataclasses import dataclass, replace

from words import CannotError, shown, text, told, yes_or_no

#: Bytes of a file's name.
MAX_NAME = 255
FIELDS = ("name", "n", "date")
FIELD = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True)
class Wish:
    """How the new names are made."""

    replace: str
    new_text: str
    add: str
    only: str
    regex: bool

    def new_stem(self, stem: str, *, number: str, date: str) -> str:
        """The new name without its ending."""
        name = stem.replace("\\", "\\\\") if self.regex and self.replace else stem
        values = {"name": name, "n": number, "date": date}
        new_text = FIELD.sub(lambda field: values[field[1].lower()], self.new_text)
        if not self.replace:
            new = new_text or stem
        elif self.regex:
            new = self._by_expression(stem, new_text)
        else:
            new = stem.replace(self.replace, new_text)
        return {"number": f"{number} ", "date": f"{date} "}.get(self.add, "") + new

    def _by_expression(self, stem: str, new_text: str) -> str:
        try:
            return re.sub(self.replace, new_text, stem)
        except (re.error, IndexError) as problem:
            raise CannotError(
                told(f"That replacement cannot be used: {problem}.", f"这个替换不能用：{problem}。")
            ) from None


def wish_of(given: dict[str, object]) -> Wish:
    """What is asked for, checked.

    Raises:
        CannotError: Nothing is, or it cannot be done.
    """
    old, new_text, only = (text(given, name) for name in ("replace", "new_text", "only"))
    add = text(given, "add") or "nothing"
    if add not in ("nothing", "number", "date"):
        raise CannotError(
            told(
                f"add must be nothing, number or date, not {add!r}.",
                f"add 必须是 nothing、number 或 date，不能是 {add!r}。",
            )
        )
    if not old and not new_text and add == "nothing":
        raise CannotError(
            told(
                "Say what to change: the text to replace, or a new name such as Holiday {n}.",
                "请说明要改什么：要替换的文字，或新名字，例如 假期 {n}。",
            )
        )
    for name in FIELD.findall(new_text):
        if name.lower() not in FIELDS:
            raise CannotError(
                told(
                    f"A new name knows {{n}}, {{date}} and {{name}}, not {{{shown(name)}}}.",
                    f"新名字里可以用 {{n}}、{{date}} 和 {{name}}，不能用 {{{shown(name)}}}。",
                )
            )
    if "/" in new_text or os.sep in new_text:
        raise CannotError(told("A file's name cannot hold a slash.", "文件名里不能有斜杠。"))
    wish = Wish(old, new_text, add, only or "*", yes_or_no(given, "regex"))
    if wish.regex and old:
        try:
            re.compile(old)
        except (re.error, OverflowError, RecursionError) as problem:
            raise CannotError(
                told(f"That is not a regular expression: {problem}.", f"这不是正则表达式：{problem}。")
            ) from None
    return wish


def planned(folder: str, wish: Wish) -> tuple[list[tuple[str, str]], int]:
    """Old and new name of every file that gets another one, and how many files fit. Changes nothing.

    Raises:
        CannotError: A new name is none that a file can have.
    """
    with os.scandir(folder) as entries:
        everything = list(entries)
    files = sorted(
        (entry for entry in everything if fits(entry, wish)), key=lambda entry: natural(entry.name)
    )
    whole = wish.new_text and not wish.replace and wish.add == "nothing"
    if whole and len(files) > 1 and not re.search(r"\{(n|name)\}", wish.new_text, re.IGNORECASE):
        wish = replace(wish, new_text=wish.new_text + " {n}")
    wanted = []
    for number, entry in enumerate(files, 1):
        stem, ending = os.path.splitext(entry.name)
        counted = str(number).zfill(len(str(len(files))))
        new = wish.new_stem(stem, number=counted, date=day(entry)) + ending
        wanted.append((entry.name, checked(new, entry.name)))
    changing = {old for old, new in wanted if old != new}
    taken = {entry.name.casefold() for entry in everything if entry.name not in changing}
    steps = []
    for old, new in wanted:
        if old in changing:
            steps.append((old, free_name(new, taken)))
            taken.add(steps[-1][1].casefold())
    return [(old, new) for old, new in steps if old != new], len(files)


def fits(entry: os.DirEntry[str], wish: Wish) -> bool:
    """Whether a file is one of those that are meant; the text to find is in its name."""
    stem = os.path.splitext(entry.name)[0]
    if entry.name.startswith(".") or not fnmatch.fnmatchcase(entry.name.lower(), wish.only.lower()):
        return False
    if not (re.search(wish.replace, stem) if wish.regex else wish.replace in stem):
        return False
    return entry.is_file(follow_symlinks=False)


def natural(name: str) -> list[tuple[int, int, str]]:
    """Sorts `img2` before `img10`."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return [(0, int(part), "") if part.isdecimal() and len(part) < 1000 else (1, 0, part) for part in parts]


def day(entry: os.DirEntry[str]) -> str:
    """The day of the last change, as `2026-05-14`."""
    return time.strftime("%Y-%m-%d", time.localtime(entry.stat(follow_symlinks=False).st_mtime))


def checked(new: str, old: str) -> str:
    """The new name, if a file can have it.

    Raises:
        CannotError: It cannot.
    """
    if not os.path.splitext(new)[0].strip() or new.startswith("."):
        raise CannotError(
            told(
                f"Nothing would be left of the name {shown(old)}, or it would be hidden.",
                f"{shown(old)} 的名字会什么都不剩，或变成隐藏的。",
            )
        )
    if not new.isprintable() and old.isprintable():
        raise CannotError(
            told(
                f"The new name of {shown(old)} would hold a character that cannot be seen.",
                f"{shown(old)} 的新名字里会有看不见的字符。",
            )
        )
    if "/" in new or "\0" in new or len(os.fsencode(new)) > MAX_NAME:
        raise CannotError(
            told(
                f"The new name of {shown(old)} would be too long or hold a slash.",
                f"{shown(old)} 的新名字会太长，或含有斜杠。",
            )
        )
    return new


def free_name(name: str, taken: set[str]) -> str:
    """The name, or the same with ` (2)`, ` (3)` … before its ending."""
    stem, ending = os.path.splitext(name)
    found, number = name, 1
    while found.casefold() in taken:
        number += 1
        mark = f" ({number}){ending}"
        room = MAX_NAME - len(os.fsencode(mark))
        found = os.fsencode(stem)[:room].decode("utf-8", "ignore") + mark
    return found
