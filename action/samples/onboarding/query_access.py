# /// partner
# title = { en = "Look up access", zh = "查询门禁" }
# description.en = "Look up whether an employee may enter a building"
# description.zh = "查询员工能否进入一栋楼"
# owner = "access"
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
# access = "read"
# description.en = "the folder that holds it all"
# description.zh = "放所有东西的文件夹"
# ///
"""Read a row of the table `access` in `<folder>/company.db`; nothing is written."""

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
                "SELECT employee_id, building FROM access "
                "WHERE employee_id = :employee_id AND building = :building",
                given,
            ).fetchone()
    except sqlite3.OperationalError:  # nobody has written anything yet
        row = None
    print(json.dumps({"found": row is not None, **(dict(row) if row else {})}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
