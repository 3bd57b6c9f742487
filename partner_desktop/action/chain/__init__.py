"""Chains: from several things asked for at once to work done in order."""
