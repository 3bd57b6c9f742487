"""An old server that cannot stand any first request but `initialize`."""

import json
import sys

from by_hand import Server  # type: ignore[import-not-found]

server = Server("touchy")
server.tool("hello", lambda *_: "hello")
first = server.read()
if first["method"] != "initialize":
    sys.exit("a request before the initialization: " + json.dumps(first)[:100])
server.handle(first)
server.run()
