# /// partner
# description = "Days until a date"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.date]
# type = "string"
# format = "date"
# description = "the target date"
# ///
import sys, datetime
a = dict(s[2:].split("=", 1) for s in sys.argv[1:])
print("还有", (datetime.date.fromisoformat(a["date"]) - datetime.date.today()).days, "天")
