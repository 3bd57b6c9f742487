"""Takes its time before it reads anything."""

import sys
import time

from by_hand import Server  # type: ignore[import-not-found]

time.sleep(float(sys.argv[1]))
server = Server("slow")
server.tool("hello", lambda *_: "hello")
server.run()
