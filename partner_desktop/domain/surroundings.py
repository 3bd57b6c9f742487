"""Surroundings: what words can mean besides themselves: things on the disk, and what results left."""

from __future__ import annotations

from dataclasses import replace

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.referent import Referent, ResultItem


@dataclass(frozen=True)
class HomeEntry:
    """One file or folder of the home, by its name alone: nothing is known of its content."""

    path: str
    """Absolute."""
    is_folder: bool = False


@dataclass(frozen=True)
class Surroundings:
    """Where the person is, as far as a message can point at it."""

    home: str = ""
    """Absolute; empty: nothing is known of any disk."""
    cwd: str = ""
    entries: tuple[HomeEntry, ...] = ()
    """Of the home, and of `cwd` where that lies elsewhere; folders before what is in them."""
    referents: tuple[Referent, ...] = ()
    """Newest first."""
    measured: tuple[ResultItem, ...] = ()
    """What lies right in the folders of which a message says `the biggest`, with sizes and times."""
    lasting: bool = False
    """The words are of what is done again and again: not of what happens to lie there today."""

    def of_results(self) -> Surroundings:
        """The same without what was only proposed."""
        return replace(self, referents=tuple(each for each in self.referents if not each.proposed))


#: Of somebody who writes from nowhere.
NOWHERE = Surroundings()
