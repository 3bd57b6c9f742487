# /// partner
# description = "Say how long and how hot to brew a drink"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.drink]
# type = "string"
# enum = ["tea", "coffee", "cocoa"]
# description = "which drink to brew"
# [params.strong]
# type = "boolean"
# default = false
# description = "brew it strong"
# ///
import sys
o = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--") and "=" in a)
m = {"tea": 3, "coffee": 4, "cocoa": 2}[o["drink"]] + (2 if o.get("strong", "").lower() in ("true", "1", "yes") else 0)
print(f"brew the {o['drink']} for {m} minutes at 94 degrees")
