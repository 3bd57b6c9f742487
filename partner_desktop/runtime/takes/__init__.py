"""What a conversation went on with, more than once: regenerate, edit, choose, branch."""
