"""Configuration: where the home is, and everybody's settings.

A package owns its settings as one frozen pydantic model in its own `settings.py`, every field with a default
and a `description`; `examples`, and in `json_schema_extra` a `unit` and `restart`, are shown where given.
`app/` registers it with the ConfigCenter and hands the handle to whoever needs it.
"""
