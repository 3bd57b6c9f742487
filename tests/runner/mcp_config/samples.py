"""Configurations as people paste them from other clients' documentation and files."""

from __future__ import annotations

CLAUDE_DESKTOP = """{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Desktop"]
    },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "${keyring:github}"}
    }
  }
}
"""

CURSOR = """{
  "mcpServers": {
    "local": {"command": "never", "args": []},
    "docs": {"url": "https://docs.example.com/mcp", "headers": {"Authorization": "Bearer ${env:DOCS_TOKEN}"}},
    "old": {"url": "http://localhost:3001/sse"}
  }
}
"""

VS_CODE = """{
  // The token is asked for once.
  "inputs": [
    {"type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true},
  ],
  "servers": {
    /* stdio */
    "perplexity": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "server-perplexity-ask"], // as published
      "env": {"PERPLEXITY_API_KEY": "${input:perplexity-key}"},
    },
    "github": {"type": "http", "url": "https://api.githubcopilot.com/mcp/"},
  },
}
"""

CLINE = """{
  "mcpServers": {
    "time": {
      "autoApprove": ["get_current_time"],
      "disabled": true,
      "timeout": 60,
      "type": "stdio",
      "command": "uvx",
      "args": ["mcp-server-time", "--local-timezone", "Europe/London"]
    },
    "remote": {"type": "streamableHttp", "url": "https://example.com/mcp", "trust": true, "disabled": false}
  }
}
"""

JAN = """{"mcpServers": {
  "browser": {"active": false, "command": "npx", "args": ["-y", "browsermcp"], "env": {}},
  "search": {"active": true, "command": "npx", "args": ["-y", "serper"], "env": {"SERPER_API_KEY": "key"}}
}}
"""

LM_STUDIO = """{
  "mcpServers": {
    "hf-mcp-server": {"url": "https://huggingface.co/mcp", "headers": {"Authorization": "Bearer <TOKEN>"}}
  }
}
"""

GOOSE = """{
  "extensions": {
    "memory": {"type": "stdio", "name": "Memory", "cmd": "uvx", "args": ["mem"], "envs": {"A": "b"},
               "enabled": true, "timeout": 300, "bundled": false, "available_tools": []},
    "web": {"type": "streamable_http", "uri": "https://example.com/mcp", "enabled": false}
  }
}
"""

GEMINI_CLI = """{"mcpServers": {"g": {"httpUrl": "https://example.com/mcp", "trust": true}}}"""

SEED = """{
  "notes": {"command": "notes-server", "args": ["--stdio"], "env": {"LEVEL": "2"}, "timeout": 30},
  "weather": {"uri": "http://localhost:8080", "endpoint": "/sse", "headers": {"X-Team": "blue"}},
  "maps": {"url": "http://localhost:9000/sse"}
}
"""

BARE = """{"command": "uvx", "args": ["mcp-server-git"]}"""

ALL = (CLAUDE_DESKTOP, CURSOR, VS_CODE, CLINE, JAN, LM_STUDIO, GOOSE, GEMINI_CLI, SEED, BARE)
