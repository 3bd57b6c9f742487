# /// partner
# description = "根据气温给出穿衣建议"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.temperature]
# type = "integer"
# minimum = -40
# maximum = 50
# description = "气温，摄氏度"
# [params.rain]
# type = "boolean"
# default = false
# description = "是否下雨"
# ///
import sys
print("穿衣建议", *sys.argv[1:])
