# /// partner
# title = { en = "Request computer", zh = "申请电脑" }
# description.en = "Ask for a computer for an employee, on a form"
# description.zh = "为员工填写电脑申请单"
# owner = "computers"
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
"""Write the form `<folder>/requests/<employee_id>.json`."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if os.environ.get("PARTNER_LANG", "").startswith("zh") else english


def main() -> int:
    given = json.load(sys.stdin)
    form = Path(given["folder"]) / "requests" / f"{given['employee_id']}.json"
    form.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps({"employee_id": given["employee_id"], "model": given["model"]}, indent=1).encode()
    form.write_bytes(content)
    made = {"path": str(form), "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    summary = told(f"A {given['model']} was asked for.", f"已申请一台 {given['model']}。")
    print(json.dumps({"summary": summary, "model": given["model"], **made}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
