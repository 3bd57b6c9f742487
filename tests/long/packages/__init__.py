"""What is given to people, built and installed where nothing of the checkout is: minutes each, run by name.

`pytest tests/long/packages` builds and installs all of it; a file of it, one kind.
"""
