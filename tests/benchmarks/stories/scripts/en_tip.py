# /// partner
# description = "Work out the tip on a restaurant bill"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.amount]
# type = "number"
# minimum = 0
# description = "the bill, in money"
# [params.percent]
# type = "integer"
# minimum = 0
# maximum = 50
# default = 10
# description = "how many percent to tip"
# ///
import sys
o = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--") and "=" in a)
b, p = float(o["amount"]), int(o.get("percent", 10))
print(f"tip {b * p / 100:.2f}, in all {b + b * p / 100:.2f}")
