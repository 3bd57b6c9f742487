"""Ends in mid-call, or never answers one."""

import os
import sys
from typing import Any

from by_hand import Server  # type: ignore[import-not-found]


def die(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> None:
    print("out of luck", file=sys.stderr, flush=True)
    os._exit(4)


server = Server("mortal")
server.tool("die", die)
server.tool("hang", lambda *_: None)
server.tool("pid", lambda *_: str(os.getpid()))
server.run()
