# /// partner
# description = "Write down my mood in the mood diary"
# annotations = { readOnlyHint = false, destructiveHint = false, openWorldHint = false }
# [params.mood]
# type = "string"
# enum = ["good", "so-so", "bad"]
# description = "how the mood is"
# [params.remark]
# type = "string"
# default = ""
# description = "a few words about why"
# ///
import sys
print("mood diary:", *sys.argv[1:])
