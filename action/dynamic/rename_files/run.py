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
from words import CannotError, arguments, folder_to_change, plural, shown, yes_or_no

#: Names that are listed.
MAX_LISTED = 50


def undo(folder: str, *, preview: bool) -> dict[str, object]:
    """Give the files of the last renaming their old names back.

    Raises:
        CannotError: There is none.
    """
    runs = read_log(folder)
    if not runs:
        raise CannotError(f"There is no renaming in {shown(folder)} that could be taken back.")
    steps = [(new, old) for old, new in reversed(steps_of(runs[-1]))]
    count = plural(len(without_between(steps)), "file", "files")
    if preview:
        summary = f"{count} in {shown(folder)} would get the old names back. Nothing was renamed."
        return {"summary": summary, "names": listed(without_between(steps))}
    done, problems = follow(folder, steps)
    undone = {(old, new) for new, old in done}
    rest = [step for step in steps_of(runs[-1]) if step not in undone]
    rest = [(old, new) for old, new in rest if os.path.lexists(os.path.join(folder, new))]
    write_log(folder, [*runs[:-1], as_run(rest)] if rest else runs[:-1])
    back = without_between(done)
    summary = f"{plural(len(back), 'file has its', 'files have their')} old name back in {shown(folder)}."
    if problems:
        summary += f" {plural(len(problems), 'file', 'files')} could not be renamed."
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
        summary = f"No file in {place} fits, so nothing is renamed."
    elif not steps and not problems:
        summary = f"The names in {place} are so already: none of {plural(files, 'file', 'files')} changes."
    elif preview:
        summary = (
            f"{count} in {place} would get a new name. Nothing was renamed; ask without the preview to do it."
        )
    else:
        summary = f"Renamed {count} in {place}. Say “undo the last renaming in {place}” to take it back."
    found: dict[str, object] = {"summary": summary}
    if steps:
        found["names"] = listed(steps)
    if len(steps) > MAX_LISTED:
        found["names_not_listed"] = len(steps) - MAX_LISTED
    if problems:
        found["summary"] = f"{summary} {plural(len(problems), 'file', 'files')} could not be renamed."
        found["not_renamed"] = problems[:MAX_LISTED]
    return found


def listed(steps: list[Step]) -> list[dict[str, str]]:
    return [{"before": shown(old), "after": shown(new)} for old, new in steps[:MAX_LISTED]]


def run(given: dict[str, object]) -> dict[str, object]:
    """Rename, show the new names, or take a renaming back.

    Raises:
        CannotError: The arguments do not say what could be renamed.
    """
    folder, preview = folder_to_change(given), yes_or_no(given, "preview")
    if not preview and not os.access(folder, os.W_OK):
        raise CannotError(f"Nothing can be renamed in {shown(folder)}: it may not be changed.")
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
        print(f"{shown(str(problem.filename or 'The folder'))}: {problem.strerror}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
