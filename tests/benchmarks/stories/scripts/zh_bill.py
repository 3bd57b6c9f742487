# /// partner
# description = "Split a restaurant bill"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.total]
# type = "number"
# minimum = 0
# description = "total amount"
# [params.people]
# type = "integer"
# minimum = 1
# maximum = 100
# description = "number of people"
# ///
import sys
a = dict(s[2:].split("=", 1) for s in sys.argv[1:])
print("每人", round(float(a["total"]) / int(a["people"]), 2))
