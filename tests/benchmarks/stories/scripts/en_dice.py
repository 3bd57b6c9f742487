# /// partner
# description = "Roll dice"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.count]
# type = "integer"
# minimum = 1
# maximum = 20
# description = "how many dice to roll"
# [params.sides]
# type = "integer"
# minimum = 2
# maximum = 100
# default = 6
# description = "how many sides each has"
# ///
import random, sys
o = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--") and "=" in a)
n, s = int(o["count"]), int(o.get("sides", 6))
print("rolled", n, "dice with", s, "sides:", *[random.randint(1, s) for _ in range(n)])
