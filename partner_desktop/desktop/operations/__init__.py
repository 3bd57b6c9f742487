"""What the window asks of Partner, a verb a function: called with the window's context, each is a task."""
