"""Lists its tools on pages: `argv[1]` of them, `endless`, or `same` for a cursor that comes back."""

import sys
from typing import Any

from by_hand import Server  # type: ignore[import-not-found]


def page(params: dict[str, Any]) -> dict[str, Any]:
    at = int(params.get("cursor") or 0)
    tool = {"name": f"tool{at}", "inputSchema": {"type": "object"}}
    following = {"endless": at + 1, "same": 1}.get(sys.argv[1])
    if following is None and at + 1 < int(sys.argv[1]):
        following = at + 1
    return {"tools": [tool], **({} if following is None else {"nextCursor": str(following)})}


server = Server("pages")
server.methods["tools/list"] = page
server.run()
