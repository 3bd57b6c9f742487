# /// partner
# title = { en = "Send welcome", zh = "发欢迎信" }
# description.en = "Write an employee the letter that welcomes them, into the outbox"
# description.zh = "给员工写欢迎信，放进发件箱"
# owner = "mail"
# [annotations]
# readOnlyHint = false
# destructiveHint = false
# idempotentHint = false
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
# [params.email]
# type = "string"
# title.zh = "邮箱"
# description.en = "the address"
# description.zh = "邮箱地址"
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "the folder that holds it all"
# description.zh = "放所有东西的文件夹"
# ///
"""Write `<folder>/outbox/<employee_id>-<number>.eml`: each call is one more letter."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from email.message import EmailMessage
from pathlib import Path


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if os.environ.get("PARTNER_LANG", "").startswith("zh") else english


def main() -> int:
    given = json.load(sys.stdin)
    letter = EmailMessage()
    letter["To"], letter["Subject"] = given["email"], f"Welcome, {given['employee_name']}"
    letter.set_content(
        f"Dear {given['employee_name']},\n\nall is ready: your key, your desk and your computer.\n"
    )
    outbox = Path(given["folder"]) / "outbox"
    outbox.mkdir(parents=True, exist_ok=True)
    number = sum(1 for _ in outbox.glob(f"{given['employee_id']}-*.eml")) + 1
    path, content = outbox / f"{given['employee_id']}-{number}.eml", letter.as_bytes()
    path.write_bytes(content)
    sent = {"path": str(path), "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    summary = told(
        f"The letter to {given['email']} lies in the outbox.", f"给 {given['email']} 的信已放进发件箱。"
    )
    print(json.dumps({"summary": summary, **sent}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
