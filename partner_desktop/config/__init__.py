"""Configuration: where the home is, and everybody's settings.

A package owns its settings as one frozen pydantic model in its own `settings.py`, every field with a default
and a `description`; `examples`, and in `json_schema_extra` a `unit` and `restart`, are shown where given.
Of the model or of a field, `section` there says where a person looks for it, and `place` which tables come
first in it; what it is called stands in `resources/messages/settings.*.toml`.
`app/` registers it with the ConfigCenter and hands the handle to whoever needs it.
"""
