"""Rename the files of a folder: replace text in their names, or make new names from a pattern.

Called as `run.py --folder=PATH …`; the same comes as a JSON object on stdin. One JSON object on stdout. It
never overwrites (a taken name gets ` (2)`), keeps endings, and leaves hidden files, links and folders
alone. Its steps stand in `.rename_files.json` in the folder before the first one is done, so that `undo`
can take them back, whatever happens. Names may be swapped or shifted: the steps go in an order in which
none is in the way.
"""

from __future__ import annotations

import json
import os
import sys

from names import planned, wish_of
from steps import Step, as_run, carried_out, follow, read_log, steps_of, without_between, write_log
from words import CannotError, arguments, folder_to_change, plural, shown, told, yes_or_no

#: Names that are listed.
MAX_LISTED = 50


def undo(folder: str, *, preview: bool) -> dict[str, object]:
    """Give the files of the last renaming their old names back.

    Raises:
        CannotError: There is none.
    """
    runs = read_log(folder)
    if not runs:
        raise CannotError(
            told(
                f"There is no renaming in {shown(folder)} that could be taken back.",
                f"{shown(folder)} 里没有可以撤销的改名。",
            )
        )
    steps = [(new, old) for old, new in reversed(steps_of(runs[-1]))]
    count = plural(len(without_between(steps)), "file", "files")
    if preview:
        summary = told(
            f"{count} in {shown(folder)} would get the old names back. Nothing was renamed.",
            f"{shown(folder)} 里的 {len(without_between(steps)):,} 个文件会恢复原名。还没有改名。",
        )
        return {"summary": summary, "names": listed(without_between(steps))}
    done, problems = follow(folder, steps)
    undone = {(old, new) for new, old in done}
    rest = [step for step in steps_of(runs[-1]) if step not in undone]
    rest = [(old, new) for old, new in rest if os.path.lexists(os.path.join(folder, new))]
    write_log(folder, [*runs[:-1], as_run(rest)] if rest else runs[:-1])
    back = without_between(done)
    summary = told(
        f"{plural(len(back), 'file has its', 'files have their')} old name back in {shown(folder)}.",
        f"{shown(folder)} 里的 {len(back):,} 个文件已恢复原名。",
    )
    if problems:
        summary += not_renamed(problems)
    found: dict[str, object] = {"summary": summary, "names": listed(back)}
    if problems:
        found["not_renamed"] = problems[:MAX_LISTED]
    return found


def report(
    folder: str, steps: list[Step], files: int, problems: list[str], *, preview: bool
) -> dict[str, object]:
    """What is printed: a sentence, and the names before and after."""
    place, count = shown(folder), f"{len(steps):,} of {plural(files, 'file', 'files')}"
    if not files:
        summary = told(
            f"No file in {place} fits, so nothing is renamed.",
            f"{place} 里没有符合的文件，所以什么都没有改名。",
        )
    elif not steps and not problems:
        summary = told(
            f"The names in {place} are so already: none of {plural(files, 'file', 'files')} changes.",
            f"{place} 里的名字已经是这样了：{files:,} 个文件都不用改。",
        )
    elif preview:
        summary = told(
            f"{count} in {place} would get a new name. "
            "Nothing was renamed; ask without the preview to do it.",
            f"{place} 的 {files:,} 个文件中有 {len(steps):,} 个会改名。还没有改名；不带预览再说一次就会改。",
        )
    else:
        summary = told(
            f"Renamed {count} in {place}. Say “undo the last renaming in {place}” to take it back.",
            f"已把 {place} 的 {files:,} 个文件中的 {len(steps):,} 个改名。"
            f"说“撤销 {place} 的上一次重命名”就能恢复。",
        )
    found: dict[str, object] = {"summary": summary}
    if steps:
        found["names"] = listed(steps)
    if len(steps) > MAX_LISTED:
        found["names_not_listed"] = len(steps) - MAX_LISTED
    if problems:
        found["summary"] = summary + not_renamed(problems)
        found["not_renamed"] = problems[:MAX_LISTED]
    return found


def not_renamed(problems: list[str]) -> str:
    count = len(problems)
    return told(f" {plural(count, 'file', 'files')} could not be renamed.", f"有 {count:,} 个文件没能改名。")


def listed(steps: list[Step]) -> list[dict[str, str]]:
    return [{"before": shown(old), "after": shown(new)} for old, new in steps[:MAX_LISTED]]


def run(given: dict[str, object]) -> dict[str, object]:
    """Rename, show the new names, or take a renaming back.

    Raises:
        CannotError: The arguments do not say what could be renamed.
    """
    folder, preview = folder_to_change(given), yes_or_no(given, "preview")
    if not preview and not os.access(folder, os.W_OK):
        raise CannotError(
            told(
                f"Nothing can be renamed in {shown(folder)}: it may not be changed.",
                f"{shown(folder)} 不允许改动，里面的文件不能改名。",
            )
        )
    if yes_or_no(given, "undo"):
        return undo(folder, preview=preview)
    steps, files = planned(folder, wish_of(given))
    problems: list[str] = []
    if not preview:
        done, problems = carried_out(folder, steps)
        steps = without_between(done)
    return report(folder, steps, files, problems, preview=preview)


def say(found: dict[str, object]) -> None:
    """Print the result: as UTF-8, whatever the surroundings prefer."""
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def main() -> int:
    try:
        say(run(arguments()))
    except (CannotError, ValueError, RuntimeError) as problem:
        print(problem, file=sys.stderr)
        return 1
    except OSError as problem:
        print(
            f"{shown(str(problem.filename or told('The folder', '文件夹')))}: {problem.strerror}.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
