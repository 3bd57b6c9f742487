"""The SQLite door: connection, migrations, backup."""
