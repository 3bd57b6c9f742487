# /// partner
# title = { en = "Ship computer", zh = "电脑出库" }
# description.en = "Hand a computer out of the stock to an employee"
# description.zh = "从仓库给员工发一台电脑"
# owner = "stock"
# [annotations]
# readOnlyHint = false
# destructiveHint = false
# idempotentHint = true
# openWorldHint = false
# [params.employee_id]
# type = "string"
# description.en = "the number of the employee"
# description.zh = "员工编号"
# [params.model]
# type = "string"
# description.en = "which model"
# description.zh = "型号"
# [params.folder]
# type = "string"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "the folder that holds it all"
# description.zh = "放所有东西的文件夹"
# ///
"""Write a row of the table `shipments` in `<folder>/company.db`."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path


def main() -> int:
    given = json.load(sys.stdin)
    folder = Path(given["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "company.db")) as database, database:
        database.execute("CREATE TABLE IF NOT EXISTS shipments (employee_id PRIMARY KEY, model, status)")
        database.execute(
            "INSERT INTO shipments VALUES (:employee_id, :model, 'shipped') "
            "ON CONFLICT (employee_id) DO UPDATE SET model = excluded.model, status = excluded.status",
            given,
        )
    shipment = {"employee_id": given["employee_id"], "model": given["model"], "status": "shipped"}
    print(json.dumps({"summary": f"A {given['model']} is on its way to {given['employee_id']}.", **shipment}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
