"""Lists tools that will not do, and one that will."""

from by_hand import Server  # type: ignore[import-not-found]

server = Server("wrong")
server.tool("good", lambda *_: "fine", description="speaks \x1b[31mred\x00 and " + "long " * 2000)
for name in ("", "a::b", "x" * 300, "bell\x07", "good"):
    server.tools[f"key {name}"] = {"name": name, "inputSchema": {"type": "object"}}
server.tools["list"] = {"name": "list", "inputSchema": ["not", "an", "object"]}
server.tools["missing"] = {"name": "missing"}
server.tools["string"] = {"name": "string", "inputSchema": {"type": "string"}}
server.tools["wrong"] = {
    "name": "wrong",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "nothing"}}},
}
server.tools["number"] = {"name": 7, "inputSchema": {"type": "object"}}
server.tools["text"] = "not even a tool"
server.run()
