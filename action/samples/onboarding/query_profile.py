# /// partner
# title = { en = "Look up profile", zh = "查询档案" }
# description.en = "Look up how an employee is registered"
# description.zh = "查询员工的档案"
# owner = "hr"
# [annotations]
# readOnlyHint = true
# destructiveHint = false
# idempotentHint = true
# openWorldHint = false
# [params.employee_id]
# type = "string"
# title.zh = "员工编号"
# description.en = "the number of the employee"
# description.zh = "员工编号"
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "read"
# description.en = "the folder that holds it all"
# description.zh = "放所有东西的文件夹"
# ///
"""Read a row of the table `profiles` in `<folder>/company.db`; nothing is written."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path


def main() -> int:
    given = json.load(sys.stdin)
    file = Path(given["folder"]) / "company.db"
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            row = database.execute(
                "SELECT employee_id, employee_name, department FROM profiles "
                "WHERE employee_id = :employee_id",
                given,
            ).fetchone()
    except sqlite3.OperationalError:  # nobody has written anything yet
        row = None
    print(json.dumps({"found": row is not None, **(dict(row) if row else {})}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
