"""Turns: what the words of one mean for actions, and what is set going or told because of them."""
