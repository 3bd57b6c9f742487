"""A sample agent: it writes a story about what it is told, and reviews it.

Both need a mind that can write. Without a model neither is made up: the run says what could not be written.
"""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.agents.declarations import UserInput, action, agent, goal
from partner_desktop.agents.step_context import StepContext
from partner_desktop.agents.writing_mind import Persona, WritingOptions

WRITER = Persona(
    "Writer", "An experienced storyteller", "Vivid and plain", "Tell a short story that one remembers"
)
REVIEWER = Persona(
    "Reviewer", "A reviewer of short fiction", "Fair and to the point", "Help the writer to do better"
)
#: A story is to surprise a little.
_WARM = WritingOptions(temperature=0.7)


@dataclass(frozen=True)
class Story:
    """A short story."""

    text: str


@dataclass(frozen=True)
class ReviewedStory:
    """A story, what a reviewer says of it, and who that is."""

    story: Story
    review: str
    reviewer: Persona

    @property
    def content(self) -> str:
        """To be shown, as Markdown."""
        return f"# Story\n{self.story.text}\n\n# Review\n{self.review}\n\n# Reviewer\n{self.reviewer.name}"


@agent(description="Writes a short story about what it is told, and reviews it", name="WriteAndReviewAgent")
class WriteAndReviewAgent:
    """Two steps, each with a persona of its own."""

    @action()
    async def craft_story(self, asked: UserInput, step: StepContext) -> Story:
        """Write it."""
        prompt = f"Write a short story of at most 150 words, about this wish:\n{asked.content}"
        return await step.create_object(Story, prompt, persona=WRITER, options=_WARM)

    @goal(description="A story with a review of it")
    @action()
    async def review_story(self, asked: UserInput, story: Story, step: StepContext) -> ReviewedStory:
        """Review it; the reviewer is as sober as the mind is by itself."""
        prompt = (
            f"Review this short story in at most 80 words. Does it answer the wish?\n"
            f"The wish: {asked.content}\nThe story:\n{story.text}"
        )
        review = await step.generate_text(prompt, persona=REVIEWER)
        return ReviewedStory(story, review, REVIEWER)
