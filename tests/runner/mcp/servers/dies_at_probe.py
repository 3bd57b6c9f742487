"""An old server that can stand no first request but `initialize`; `slowly` it ends when it is made to."""

import json
import os
import signal
import sys

from by_hand import Server  # type: ignore[import-not-found]

server = Server("touchy")
server.tool("hello", lambda *_: "hello")
first = server.read()
if first["method"] != "initialize":
    if "slowly" in sys.argv:
        os.close(1)
        signal.pause()
    sys.exit("a request before the initialization: " + json.dumps(first)[:100])
server.handle(first)
server.run()
