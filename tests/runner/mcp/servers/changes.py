"""Its tools change while it runs."""

from typing import Any

from by_hand import Server  # type: ignore[import-not-found]


def learn(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    server.tool(arguments["name"], lambda *_: "learnt", description=arguments.get("description", "new"))
    server.notify("notifications/tools/list_changed")
    return "ok"


def forget(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    del server.tools[arguments["name"]]
    server.notify("notifications/tools/list_changed")
    return "ok"


server = Server("learner")
server.tool("learn", learn)
server.tool("forget", forget)
server.run()
