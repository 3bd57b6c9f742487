"""A real server of the SDK, with everything that a server may ask of its client.

`features.py` speaks stdio; `features.py http` and `features.py sse` print their address first.
"""

from __future__ import annotations

import socket
import sys
from typing import Annotated

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Elicit, Image, ListRoots, Resolve, Sample
from mcp_types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("features", version="1.2", instructions="Ask me anything.")


class City(BaseModel):
    """What the person is asked."""

    city: str


class Weather(BaseModel):
    """What a tool promises."""

    degrees: float


async def which_city() -> Elicit[City]:
    return Elicit("Which city?", City)


@server.tool()
async def weather(city: Annotated[City, Resolve(which_city)]) -> str:
    """The weather in a city that it asks for."""
    return f"sunny in {city.city}"


async def which_roots() -> ListRoots:
    return ListRoots()


async def which_words() -> Sample:
    message = SamplingMessage(role="user", content=TextContent(text="Say hello."))
    return Sample([message], max_tokens=20)


@server.tool()
async def roots(found: Annotated[ListRootsResult, Resolve(which_roots)]) -> str:
    """The folders that it may look at."""
    return " ".join(str(root.uri) for root in found.roots)


@server.tool()
async def words(said: Annotated[CreateMessageResult, Resolve(which_words)]) -> str:
    """What the client's model says."""
    return said.content.text if isinstance(said.content, TextContent) else ""


@server.tool()
async def measure() -> Weather:
    """A structured result."""
    return Weather(degrees=21.5)


@server.tool()
async def count(ctx: Context, to: int) -> str:
    """Counts, and tells how far it is."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to, f"at {number}")
    await ctx.info("counted")
    return "counted"


@server.tool()
async def learn(ctx: Context, name: str) -> str:
    """Learns a new tool."""
    server.add_tool(lambda: "learnt", name=name, description="new")
    await ctx.notify_tools_changed()
    return "ok"


@server.tool()
def picture() -> Image:
    """A picture."""
    return Image(data=b"\x89PNG\r\n\x1a\n", format="png")


@server.tool()
def big(megabytes: int) -> str:
    """A long answer."""
    return "all work and no play " * (megabytes * 49_933)


@server.resource("memo://one")
def memo() -> str:
    """The first memo."""
    return "buy milk"


@server.prompt()
def greet(who: str) -> str:
    """Greets somebody."""
    return f"Greet {who}."


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "stdio"
    if kind == "stdio":
        server.run()
        return
    listening = socket.create_server(("127.0.0.1", 0))
    app = server.streamable_http_app() if kind == "http" else server.sse_app()
    place = "mcp" if kind == "http" else "sse"
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/{place}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listening])


main()
