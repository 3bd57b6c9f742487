"""Schedules: what is done later, at times or whenever something happens."""
