"""The process that fetches: `hub_door` asks the hub, `part_file` writes and checks, `__main__` runs both."""
