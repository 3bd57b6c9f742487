# /// partner
# title = { en = "Create profile", zh = "建立档案" }
# description.en = "Register a new employee with name and department"
# description.zh = "登记新员工的姓名和部门"
# owner = "hr"
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
# [params.employee_name]
# type = "string"
# title.zh = "姓名"
# description.en = "the name of the employee"
# description.zh = "员工姓名"
# [params.department]
# type = "string"
# title.zh = "部门"
# description.en = "where the employee works"
# description.zh = "部门"
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "the folder that holds it all"
# description.zh = "放所有东西的文件夹"
# ///
"""Write a row of the table `profiles` in `<folder>/company.db`; one that is there is brought up to date."""

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
            "CREATE TABLE IF NOT EXISTS profiles (employee_id PRIMARY KEY, employee_name, department)"
        )
        database.execute(
            "INSERT INTO profiles VALUES (:employee_id, :employee_name, :department) "
            "ON CONFLICT (employee_id) DO UPDATE SET employee_name = excluded.employee_name, "
            "department = excluded.department",
            given,
        )
    profile = {name: given[name] for name in ("employee_id", "employee_name", "department")}
    summary = told(
        f"{given['employee_name']} is registered as {given['employee_id']}.",
        f"{given['employee_name']} 已登记，编号 {given['employee_id']}。",
    )
    print(json.dumps({"summary": summary, **profile}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
