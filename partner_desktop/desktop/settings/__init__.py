"""What the person can set about the window itself, and the page of its keys."""
