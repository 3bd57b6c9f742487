"""`stories`: conversations written by people who had not seen the code, and what a careful person expects.

Each story is played through the door that the command line uses, with a real Partner, and judged by facts:
which action came of it, with which arguments, what ran, what lies on the disk, what was said.
"""

from tests.benchmarks.stories.benchmark import measure

__all__ = ["measure"]
