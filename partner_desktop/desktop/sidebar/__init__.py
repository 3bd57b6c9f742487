"""The left column: conversations and the state of Partner."""
