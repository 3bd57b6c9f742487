"""What is shown of a process that is over: what was asked, what came of it, and what it used."""

from __future__ import annotations

from partner_desktop.agents.agent_process import AgentProcess
from partner_desktop.agents.declarations import UserInput
from partner_desktop.base.messages import sentence_of


def summary_of(process: AgentProcess) -> str:
    """As Markdown: the question, the output or why there is none, and what it used in all."""
    asked = process.board.get("userInput", UserInput)
    output = process.output
    told = getattr(output, "content", None) if output is not None else str(process.state.reason or "")
    used = process.usage
    tools = [
        sentence_of(
            "agents.tool_use",
            name=each.name,
            calls=each.calls,
            took=f"{each.mean_ms:.0f}",
            failed=each.failed,
        )
        for each in used.tools
    ]
    models = sentence_of(
        "agents.model_use",
        models=", ".join(used.models) or "–",
        calls=used.calls,
        read=used.prompt_tokens,
        wrote=used.output_tokens,
        cost=f"{used.cost:.4f}",
    )
    return "\n\n".join(
        [
            asked.content if asked is not None else process.state.goal,
            told if isinstance(told, str) else repr(output),
            "\n".join([models, *tools]),
        ]
    )
