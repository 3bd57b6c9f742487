# /// partner
# title = { en = "Grant access", zh = "开通门禁" }
# description.en = "Give an employee the key to a building"
# description.zh = "给员工开通一栋楼的门禁"
# owner = "access"
# [annotations]
# readOnlyHint = false
# destructiveHint = false
# idempotentHint = true
# openWorldHint = false
# [params.employee_id]
# type = "string"
# title.zh = "员工编号"
# description.en = "the number of the employee"
# description.zh = "员工编号"
# [params.building]
# type = "string"
# title.zh = "楼"
# description.en = "which building"
# description.zh = "哪栋楼"
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "the folder that holds it all"
# description.zh = "放所有东西的文件夹"
# ///
"""Write a row of the table `access` in `<folder>/company.db`."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if os.environ.get("PARTNER_LANG", "").startswith("zh") else english


def main() -> int:
    given = json.load(sys.stdin)
    folder = Path(given["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "company.db")) as database, database:
        database.execute(
            "CREATE TABLE IF NOT EXISTS access (employee_id, building, PRIMARY KEY (employee_id, building))"
        )
        database.execute("INSERT OR REPLACE INTO access VALUES (:employee_id, :building)", given)
    access = {name: given[name] for name in ("employee_id", "building")}
    summary = told(
        f"{given['employee_id']} may enter {given['building']}.",
        f"{given['employee_id']} 可以进入 {given['building']}。",
    )
    print(json.dumps({"summary": summary, **access}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
