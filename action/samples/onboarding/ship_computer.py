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
# title.zh = "员工编号"
# description.en = "the number of the employee"
# description.zh = "员工编号"
# [params.model]
# type = "string"
# title.zh = "型号"
# description.en = "which model"
# description.zh = "型号"
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "the folder that holds it all"
# description.zh = "放所有东西的文件夹"
# ///
"""Write a row of the table `shipments` in `<folder>/company.db`."""

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
        database.execute("CREATE TABLE IF NOT EXISTS shipments (employee_id PRIMARY KEY, model, status)")
        database.execute(
            "INSERT INTO shipments VALUES (:employee_id, :model, 'shipped') "
            "ON CONFLICT (employee_id) DO UPDATE SET model = excluded.model, status = excluded.status",
            given,
        )
    shipment = {"employee_id": given["employee_id"], "model": given["model"], "status": "shipped"}
    summary = told(
        f"A {given['model']} is on its way to {given['employee_id']}.",
        f"一台 {given['model']} 正发往 {given['employee_id']}。",
    )
    print(json.dumps({"summary": summary, **shipment}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
