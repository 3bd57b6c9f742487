"""What can be asked of Partner: services, one for each kind of thing, and each operation declared once.

A service is a class of its own with what it works on in its constructor. Those of this package put several
parts together; where one part already does all of it, that part is the service and carries the marks itself
(`audit`, `commands`, `config`, `context`, `usage`). `Services` lists them; `operations` makes the table by
names.
"""
