"""What begins with a slash: `/new`, `/open ID`, `/list`, `/stop`, `/help`."""

from __future__ import annotations

import re

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.commands.console.talk import Talk
from partner_desktop.commands.console.transcript import Transcript
from partner_desktop.commands.plain import plain
from partner_desktop.gateways.partner_client import PartnerClient

#: A path such as /home/me/notes.txt is no command.
_COMMAND = re.compile(r"/([a-z]+)(?:\s+(.*))?", re.DOTALL)
_MOST_LISTED = 20
_MOST_SHOWN = 10
_SHORT_ID = 8


class SlashCommands:
    """Each answers in the transcript."""

    def __init__(self, client: PartnerClient, talk: Talk, transcript: Transcript) -> None:
        self._client = client
        self._talk = talk
        self._transcript = transcript

    async def take(self, text: str) -> bool:
        """Do what the line asks for; False when it is a message."""
        found = _COMMAND.fullmatch(text.strip())
        if found is None:
            return False
        try:
            await self._do(found[1], (found[2] or "").strip())
        except PartnerError as error:
            self._transcript.line(f"! {error}")
        return True

    async def _do(self, name: str, rest: str) -> None:
        if name == "new":
            await self._talk.go_to("")
            self._transcript.line(sentence_of("terminal.new_conversation"))
        elif name == "open" and rest:
            await self.open(rest)
        elif name == "list":
            await self._list()
        elif name == "stop":
            if self._talk.interrupt() != "stopped":
                self._transcript.line(sentence_of("terminal.nothing_runs"))
        elif name == "help":
            self._transcript.line(sentence_of("terminal.slash_help"))
        else:
            wanted = (
                sentence_of("terminal.open_needs_id")
                if name == "open"
                else sentence_of("terminal.help_lists")
            )
            self._transcript.line(sentence_of("terminal.no_slash_command", name=plain(name), wanted=wanted))

    async def open(self, wanted: str) -> None:
        """Show the end of a conversation and go on with it.

        Raises:
            PartnerError: There is none of this id, or more than one.
        """
        found = await self._client.object("conversations.find", beginning=wanted)
        await self._talk.go_to(str(found["id"]))
        self._transcript.line(f"— {plain(found['title']) or 'New chat'} —")
        shown = await self._client.objects("messages.list", conversation_id=found["id"], limit=_MOST_SHOWN)
        for message in shown:
            if message["role"] in ("user", "partner"):
                sign = "> " if message["role"] == "user" else ""
                self._transcript.line(sign + plain(message["text"]))

    async def _list(self) -> None:
        found = await self._client.objects("conversations.list", limit=_MOST_LISTED)
        for one in found:
            when = str(one["updated_at"])[:16].replace("T", " ")
            here = "*" if one["id"] == self._talk.conversation_id else " "
            title = plain(one["title"]) or sentence_of("terminal.new_chat")
            self._transcript.line(f"{here} {str(one['id'])[:_SHORT_ID]}  {when}  {title}")
        if not found:
            self._transcript.line(sentence_of("terminal.no_conversations"))
