"""What is shown of a process that is over: what was asked, what came of it, and what it used."""

from __future__ import annotations

from partner_desktop.agents.agent_process import AgentProcess
from partner_desktop.agents.declarations import UserInput


def summary_of(process: AgentProcess) -> str:
    """As Markdown: the question, the output or why there is none, and what it used in all."""
    asked = process.board.get("userInput", UserInput)
    output = process.output
    told = getattr(output, "content", None) if output is not None else str(process.state.reason or "")
    used = process.usage
    tools = "".join(
        f"\n{each.name}: {each.calls} × {each.mean_ms:.0f} ms, {each.failed} failed" for each in used.tools
    )
    calls = f"{used.calls} calls, {used.prompt_tokens} + {used.output_tokens} tokens"
    return "\n\n".join(
        [
            asked.content if asked is not None else process.state.goal,
            told if isinstance(told, str) else repr(output),
            f"{', '.join(used.models) or '–'}: {calls}, ${used.cost:.4f}{tools}",
        ]
    )
