# /// partner
# description = "泡茶计时：按茶的种类开始倒计时"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.kind]
# type = "string"
# enum = ["绿茶", "红茶", "乌龙"]
# description = "茶的种类"
# [params.minutes]
# type = "integer"
# minimum = 1
# maximum = 30
# default = 3
# description = "泡几分钟"
# ///
import sys
print("泡茶计时", *sys.argv[1:])
