"""Chats as other programs export them, read as a stream and handed on; nothing here stores anything.

ChatGPT and Claude write a list of conversations (`conversations.json`, bare or in their zip), Jan a folder of
threads (or a zip of it). Whatever else is to be brought in is written as JSON lines, one turn a line:

    {"text": "Shall we go to Ulm?", "role": "user", "at": "2026-03-01T18:20:00+01:00"}
    {"text": "Gladly.", "role": "assistant", "conversation": "trip", "title": "A trip", "id": "2"}
    {"text": "I paint now.", "speaker": "Caroline", "at": 1772385600, "conversation": "caroline"}

`text` is all that a line must have, beside `role` (`user` or `assistant`) or `speaker` (a name). Where no
role is given, the first speaker that a conversation names is the user, and everybody else the partner. `at`
is ISO 8601 (without a zone: the local one), or seconds or milliseconds since 1970; `conversation` is a name
or number (default: the file's name); `title` is taken from the first line that has one; a line with the `id`
and the text of an earlier one is left out.

The lines of a conversation need not stand together. Up to 20,000 lines (or 32 MB) are held; where there are
more, the conversation that no line belonged to for longest is handed on. A conversation of which lines come
later still is handed on in parts, in order and under one key.

What Partner exports of its memory is read as well: a line is a slice, with the list of its `turns`.
"""
