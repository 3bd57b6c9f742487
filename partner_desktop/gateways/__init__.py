"""Gateways: ways in and out of the runtime that need no window."""
