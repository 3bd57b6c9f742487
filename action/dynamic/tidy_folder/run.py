"""Sort the files of a folder into subfolders by type: Images, Documents, Music and so on.

Called as `run.py --folder=PATH …`; the same comes as a JSON object on stdin. One JSON object on stdout. It
never overwrites, and leaves alone: hidden files, links, folders, launchers, and downloads under way. What
it is about to move stands in `.tidy_folder.json` in the folder before the first file moves, so that `undo`
can take it back, whatever happens.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections import defaultdict
from dataclasses import dataclass, field

from plan import Move, Plan, is_folder, planned
from undo_log import as_run, is_name, read_log, steps_of, write_log
from words import CannotError, arguments, folder_to_change, human, plural, short, shown, told, yes_or_no

#: Files named as examples, and moves that are listed.
MAX_EXAMPLES, MAX_LISTED = 3, 20


def move(source: str, target: str) -> None:
    """Move a file; never onto another one.

    Raises:
        FileExistsError: Something has that name.
    """
    # A rename would overwrite: an empty file of our own takes the name first.
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        os.rename(source, target)
    except OSError:
        os.unlink(target)
        raise


@dataclass
class Outcome:
    """What was really moved."""

    moves: list[Move] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def tidy(folder: str, plan: Plan) -> Outcome:
    """Carry the plan out, after writing it down."""
    outcome = Outcome()
    if not plan.moves:
        return outcome
    runs = read_log(folder)
    new = sorted(
        {step.subfolder for step in plan.moves if not is_folder(os.path.join(folder, step.subfolder))}
    )
    write_log(folder, [*runs, as_run(plan.moves, new)])
    for name in new:
        with contextlib.suppress(FileExistsError):
            os.mkdir(os.path.join(folder, name))
    for step in plan.moves:
        try:
            move(os.path.join(folder, step.name), os.path.join(folder, step.target))
            outcome.moves.append(step)
        except OSError as error:
            outcome.problems.append(f"{shown(step.name)}: {error.strerror}")
    remove_empty(folder, new)
    write_log(folder, [*runs, as_run(outcome.moves, new)] if outcome.moves else runs)
    return outcome


def undo(folder: str, *, preview: bool) -> dict[str, object]:
    """Take the last tidying back.

    Raises:
        CannotError: There is none.
    """
    runs = read_log(folder)
    if not runs:
        raise CannotError(
            told(
                f"There is no tidying of {shown(folder)} that could be taken back.",
                f"{shown(folder)} 没有可以撤销的整理。",
            )
        )
    steps = [step for step in steps_of(runs[-1]) if os.path.lexists(os.path.join(folder, step.target))]
    when = shown(str(runs[-1].get("at", "")))
    if preview:
        count = plural(len(steps), "file", "files")
        summary = told(
            f"{count} would go back to where they lay in {shown(folder)} before {when}. Nothing was moved.",
            f"{len(steps):,} 个文件会回到 {when} 之前在 {shown(folder)} 里的位置。还没有移动。",
        )
        return {"summary": summary, "moves": listed(steps, back=True)}
    back, left = [], []
    for step in steps:
        try:
            move(os.path.join(folder, step.target), os.path.join(folder, step.name))
            back.append(step)
        except OSError as error:
            left.append((step, error.strerror))
    made = runs[-1].get("made")
    remove_empty(folder, [name for name in made if is_name(name)] if isinstance(made, list) else [])
    rest = [step for step, _ in left]
    write_log(folder, [*runs[:-1], {**runs[-1], "moves": as_run(rest, [])["moves"]}] if rest else runs[:-1])
    summary = told(
        f"Put {plural(len(back), 'file', 'files')} back to where they lay in {shown(folder)} before {when}.",
        f"已把 {len(back):,} 个文件放回 {when} 之前在 {shown(folder)} 里的位置。",
    )
    if left:
        count = len(left)
        summary += told(
            f" {plural(count, 'file', 'files')} could not go back and stayed.",
            f"有 {count:,} 个文件没能放回去，留在原处。",
        )
    found: dict[str, object] = {"summary": summary, "files_moved_back": len(back)}
    if left:
        found["stayed"] = [f"{shown(step.target)}: {reason}" for step, reason in left[:MAX_LISTED]]
    return found


def remove_empty(folder: str, names: list[str]) -> None:
    """Take away the subfolders that were made and hold nothing."""
    for name in names:
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(folder, name))


def described(plan: Plan, outcome: Outcome | None, folder: str) -> dict[str, object]:
    """What is printed: a sentence, what goes where, and what stays."""
    moves = plan.moves if outcome is None else outcome.moves
    problems = outcome.problems if outcome else []
    groups: dict[str, list[Move]] = defaultdict(list)
    for step in moves:
        groups[step.subfolder].append(step)
    found: dict[str, object] = {"summary": sentence(folder, moves, len(groups), preview=outcome is None)}
    if problems:
        count = len(problems)
        also = told(
            f" {plural(count, 'file', 'files')} could not be moved.", f"有 {count:,} 个文件没能移动。"
        )
        found["summary"] = f"{found['summary']}{also}"
    if groups:
        found["subfolders"] = [
            {
                "subfolder": name,
                "files": len(steps),
                "size": human(sum(step.size_bytes for step in steps)),
                "such as": ", ".join(short(step.name) for step in steps[:MAX_EXAMPLES]),
            }
            for name, steps in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
        ]
    renamed = [step for step in moves if step.new_name != step.name]
    if outcome is None and moves:
        found["moves"] = listed(moves)
    elif renamed:
        found["renamed_because_the_name_was_taken"] = listed(renamed)
    if plan.left:
        found["left_alone"] = dict(sorted(plan.left.items()))
    if problems:
        found["not_moved"] = problems[:MAX_LISTED]
    return found


def sentence(folder: str, moves: list[Move], groups: int, *, preview: bool) -> str:
    place = shown(folder)
    if not moves:
        return told(f"There is nothing to tidy in {place}.", f"{place} 里没有要整理的东西。")
    what = f"{plural(len(moves), 'file', 'files')}"
    into = plural(groups, "subfolder", "subfolders")
    if preview:
        return told(
            f"{what} would go into {into} of {place}. Nothing was moved; ask without the preview to do it.",
            f"{len(moves):,} 个文件会移到 {place} 的 {groups:,} 个子文件夹里。"
            "还没有移动；不带预览再说一次就会移动。",
        )
    return told(
        f"Moved {what} into {into} of {place}. Say “undo the last tidying of {place}” to take it back.",
        f"已把 {len(moves):,} 个文件移到 {place} 的 {groups:,} 个子文件夹里。"
        f"说“撤销 {place} 的整理”就能恢复。",
    )


def listed(steps: list[Move], *, back: bool = False) -> list[str]:
    pairs = [(step.target, step.name) if back else (step.name, step.target) for step in steps[:MAX_LISTED]]
    more = (
        [told(f"and {len(steps) - MAX_LISTED} more", f"另外还有 {len(steps) - MAX_LISTED} 个")]
        if len(steps) > MAX_LISTED
        else []
    )
    return [f"{shown(old)} → {shown(new)}" for old, new in pairs] + more


def run(given: dict[str, object]) -> dict[str, object]:
    """Tidy, show what would move, or take it back.

    Raises:
        CannotError: The arguments do not name a folder that can be tidied.
    """
    folder, preview = folder_to_change(given), yes_or_no(given, "preview")
    if not preview and not os.access(folder, os.W_OK):
        raise CannotError(
            told(
                f"Nothing can be moved in {shown(folder)}: it may not be changed.",
                f"{shown(folder)} 不允许改动，里面的文件不能移动。",
            )
        )
    if yes_or_no(given, "undo"):
        return undo(folder, preview=preview)
    plan = planned(folder)
    return described(plan, None if preview else tidy(folder, plan), folder)


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
