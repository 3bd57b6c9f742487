"""What is planned: its items in the Actions panel, its page, and the form by which it is changed."""
