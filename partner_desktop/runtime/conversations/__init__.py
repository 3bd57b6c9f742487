"""What is done with whole conversations: search, rename, delete, export, import; regenerate, edit, branch."""
