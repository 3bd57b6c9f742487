# /// partner
# description = "抽签：从一个文本文件里随机抽一行"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.file]
# type = "string"
# format = "path"
# description = "要抽签的文本文件"
# ///
import random, sys
a = dict(s[2:].split("=", 1) for s in sys.argv[1:])
lines = [l.strip() for l in open(a["file"], encoding="utf-8") if l.strip()]
print("抽到：", random.choice(lines))
